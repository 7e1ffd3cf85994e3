// Help with scripts: advice for those who write one, and the table, which can write those of the GM's characters.

import { Part, announce, define, fill, h } from "./dom.js";
import { attempt, button, errorLine, labelled } from "./forms.js";
import { percent } from "./odds.js";
import { closePopover, showEditor } from "./popover.js";
import { table } from "./table.js";
import { isByTable, isDuel, scriptedFor } from "./turns.js";

/** Milliseconds until the server is asked again how far a duel is solved. */
const AGAIN = 1000;
/** Shares of the best mix that are shown. */
const SHOWN = 8;
const TEMPERAMENTS = ["any", "bold", "careful", "sly"];

/** The form that gives a character to the table, beside what was pressed. */
export function giveToTable({ key, name, partner }, anchor) {
  const error = errorLine();
  const dial = h("input", { type: "range", min: 0, max: 100, step: 5, value: partner?.dial ?? 100 });
  const shown = h("output", { text: dial.value });
  dial.addEventListener("input", () => (shown.textContent = dial.value));
  const temper = h("select", null, TEMPERAMENTS.map((each) => h("option", { value: each, text: each })));
  temper.value = partner?.temperament ?? "any";
  const send = (on, control) => attempt(error, () => table.do({ do: "give_to_table", character: key, on, dial: Number(dial.value), temperament: temper.value }), control);
  const submit = async (event) => {
    event.preventDefault();
    if (await send(event.submitter?.value !== "off", event.submitter)) closePopover();
  };
  const go = (value, text, kind) => h("button", { class: `btn small ${kind}`, value, text });
  const field = labelled("How well: careless (0) to merciless (100)", dial, table.view.campaign.can_solve ? "" : "Without NumPy and SciPy on the server it scripts no duels, and everything else by temperament alone.");
  field.append(shown);
  const form = h(
    "form",
    { class: "stack tight", on: { submit } },
    h("p", { class: "hint", text: `Astragal writes the scripts of ${name} in secret. In Fight! and Range and Cover it tries scripts out for a few seconds. That is not the best play: in Range and Cover, opponents trained against a short search win more than their share; against a full one, and in Fight!, none has been shown to yet.` }),
    field,
    labelled("Temperament", temper),
    error,
    h("div", { class: "row" }, go("on", partner ? "Save" : "Let Astragal script", "main"), partner ? go("off", "Take back", "") : null, button("Close", closePopover, "small quiet")),
  );
  showEditor(anchor, `Let Astragal script for ${name}`, form);
  dial.focus();
}

/** `<ast-script-help>`: `ask` is the question, `form` where the script is written. */
class ScriptHelp extends Part {
  static watches = ["campaign", "characters"];
  #timer = 0;

  disconnectedCallback() {
    super.disconnectedCallback();
    clearTimeout(this.#timer);
  }

  render() {
    const { procedure, seat } = this.ask;
    if (!this.found) this.#build();
    const { advice, can_solve: canSolve } = table.view.campaign;
    const who = scriptedFor(this.ask);
    const isGiven = isByTable(this.ask, procedure);
    const isAdvised = !isGiven && advice && canSolve && seat === table.seat && !table.as && isDuel(procedure);
    this.form.hidden = isGiven;
    this.hidden = !who && !isAdvised;
    this.asks.hidden = this.found.hidden = !isAdvised;
    this.give.hidden = !who;
    this.give.textContent = isGiven ? "Take back or change" : "Let Astragal script";
    this.status.hidden = !isGiven;
    this.status.textContent = isGiven ? `Astragal is writing the script of ${who.name}.` : "";
    this.who = who;
  }

  #build() {
    this.error = errorLine();
    this.status = h("p", { role: "status" });
    this.asks = button("Advice", () => this.#ask(true), "small");
    this.give = button("", () => giveToTable(this.who, this.give), "small quiet");
    this.className = "stack tight";
    this.found = h("div", { class: "stack tight advice", role: "group", aria: { label: "Advice" } });
    fill(this, this.status, h("div", { class: "row" }, this.asks, this.give), this.error, this.found);
  }

  async #ask(isFirst) {
    clearTimeout(this.#timer);
    const { procedure, step } = this.ask;
    let got = null;
    const isDone = await attempt(this.error, async () => (got = await table.get(`advice/${encodeURIComponent(procedure)}?step=${step}`)), isFirst ? this.asks : null);
    if (!isDone || !this.isConnected) return fill(this.found);
    if (got.scripts.length) return this.#show(got);
    this.#timer = setTimeout(() => this.#ask(), AGAIN);
    if (isFirst) announce("Solving this duel.");
    const bar = this.found.querySelector("progress");
    if (bar) bar.value = got.progress;
    else fill(this.found, h("label", { class: "soft" }, "Solving this duel\u2026 ", h("progress", { max: 1, value: got.progress })));
  }

  #show({ value, scripts, drawn, based_on: based }) {
    const said = (cards) => cards.map((card) => this.ask.question.cards.find(({ key }) => key === card)?.label ?? card).join(", ");
    const item = ({ cards, share }) => h("li", { class: "side-bar" }, h("span", { text: said(cards) }), h("span", { class: "trough", aria: { hidden: "true" } }, h("span", { class: "level", vars: { "--share": share } })), h("b", { text: percent(share) }));
    fill(
      this.found,
      h("p", null, "Worth ", h("b", { text: percent(value) }), " to you with this mix (a tie counts half):"),
      h("ul", { class: "bars" }, scripts.slice(0, SHOWN).map(item)),
      h("div", { class: "row" }, h("span", null, "Drawn for you alone: ", h("b", { text: said(drawn) })), button("Take this script", () => this.form.take("Advice", drawn), "small main")),
      h("p", { class: "hint", text: based }),
    );
    announce(`Worth ${percent(value)}. Drawn for you alone: ${said(drawn)}.`);
  }
}

define("ast-script-help", ScriptHelp);
