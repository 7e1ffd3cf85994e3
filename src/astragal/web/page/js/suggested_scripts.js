// Scripts that the game suggests to whoever has to write one.

import { fill, h } from "./dom.js";
import { table } from "./table.js";

/**
 * A row with a button for each way to script, or nothing for somebody else's script. `take(script)`
 * gets what was chosen: its label and its cards. The next time the same way has other cards.
 */
export function suggestedScripts({ procedure, step, seat, send }, take) {
  if (!send || seat !== table.seat) return null;
  const row = h("div", { class: "row suggest", role: "group", aria: { label: "Suggest a script" } });
  let scripts = [];
  const chip = ({ key, label }) => h("button", { type: "button", class: "chip", text: label, on: { click: () => choose(key) } });
  const ask = async () => {
    scripts = await table.get(`scripts/${encodeURIComponent(procedure)}?step=${step}`).catch(() => []);
    if (!row.children.length && scripts.length) fill(row, h("span", { class: "soft small", text: "Suggest:" }), scripts.map(chip));
  };
  const choose = (key) => {
    const script = scripts.find((each) => each.key === key);
    if (!script) return;
    take(script);
    ask();
  };
  ask();
  return row;
}
