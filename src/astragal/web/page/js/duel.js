// A volley as it is turned over, and the bodies of argument as bars.

import { h } from "./dom.js";
import { ruleLink } from "./rules.js";

/** Both cards of a volley side by side; nothing where the sentence is not of that form. */
export function reveal({ sentence, rule = "" }) {
  const parts = sentence.match(/^Volley (\d+)\. (.+)\.$/s);
  const sides = parts?.[2].split("; ").map((side) => side.split(/: (.*)/s));
  if (!sides || sides.some((side) => side.length < 2)) return null;
  return h(
    "div",
    { class: "item reveal" },
    h("p", { class: "volley" }, `Volley ${parts[1]} `, ruleLink(rule)),
    h(
      "div",
      { class: "pair" },
      sides.map(([name, card]) => h("div", { class: "turned" }, h("small", { text: name }), h("b", { text: card }))),
    ),
  );
}

/** Note with how much a side begins. */
export function note(began, { sentence, numbers = [] }) {
  began.set(sentence.split(", body of argument")[0], numbers[0]?.total ?? 0);
}

/** Where the bodies of argument stand after a volley, as bars; nothing where it does not say. */
export function bars({ sentence }, began) {
  const left = sentence.match(/ Left: (.+)\.$/s)?.[1] ?? "";
  const sides = [...left.matchAll(/(.+?) (-?\d+)(?:, |$)/g)].map(([, name, now]) => [name, Number(now)]);
  return sides.length ? drawn(sides, began) : null;
}

function drawn(sides, began) {
  return h("div", { class: "bodies" }, sides.map(([name, now]) => bar(name, now, began.get(name) ?? now)));
}

/** The conflict as it stands: the bars, and the cards of the volley that is being played. */
export function conflict(items) {
  const began = new Map();
  let standing = null;
  let shown = null;
  for (const item of items) {
    if (item.kind === "established") note(began, item);
    if (item.kind === "swayed") standing = item;
    if (item.kind === "shown") shown = item;
    else if (item.kind === "swayed" || item.kind === "exchange_begins") shown = null;
  }
  if (!began.size) return null;
  return [standing ? bars(standing, began) : drawn([...began], began), shown ? reveal(shown) : null];
}

function bar(name, now, most) {
  const share = most > 0 ? Math.max(0, Math.min(1, now / most)) : 0;
  return h(
    "div",
    { class: "body-bar", role: "img", aria: { label: `${name}: body of argument ${now} of ${most}` } },
    h("span", { text: name }),
    h("span", { class: "trough" }, h("span", { class: "level", vars: { "--share": share } })),
    h("b", { text: `${now} of ${most}` }),
  );
}
