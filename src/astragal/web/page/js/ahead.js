// All that a seat is asked before the dice, on one card: the usual answers are filled in, and one
// button gives them all.

import { Part, announce, define, fill, follow, h } from "./dom.js";
import { control } from "./controls.js";
import { withRule } from "./rules.js";
import { table } from "./table.js";

const rowKey = ({ key, prompt }) => `${key}\n${prompt}`;
const isUsual = ({ question }) => (question.default ?? null) !== null;
/** What hardly anybody wants otherwise is folded away. */
const isFolded = (ask) => isUsual(ask) && ask.question.kind === "yes_no";

/** Many choices need the whole width. */
const isLong = ({ question }) => question.kind === "pick_several" && question.options.map(({ label }) => label).join("").length > 40;

/** The card; `coming` is what the server says about a procedure: asked now, and asked next. */
class Ahead extends Part {
  static watches = ["link"];

  #coming = null;
  #rows = new Map();
  #wondering = 0;

  set coming(coming) {
    if (this.#coming === coming) return;
    this.#coming = coming;
    if (this.isConnected) this.render();
  }

  focusPrompt() {
    this.querySelector(".ask-prompt").focus({ preventScroll: true });
  }

  render() {
    if (!this.#coming) return;
    if (!this.open) this.#build();
    const asks = this.#coming.questions;
    const must = asks.filter((ask) => !isUsual(ask));
    const may = asks.filter((ask) => isUsual(ask) && !isFolded(ask));
    const folded = asks.filter(isFolded);
    const known = new Set(asks.map(rowKey));
    for (const key of this.#rows.keys()) if (!known.has(key)) this.#rows.delete(key);
    follow(this.open, [...must, ...may], rowKey, (ask) => this.#row(ask));
    follow(this.folded, folded, rowKey, (ask) => this.#row(ask));
    this.more.hidden = !folded.length;
    this.#check();
  }

  #build() {
    this.open = h("div", { class: "asks" });
    this.folded = h("div", { class: "asks" });
    this.summary = h("summary", null);
    this.more = h("details", null, this.summary, this.folded);
    this.go = h("button", { type: "button", class: "btn main", on: { click: () => this.#send() } });
    this.error = h("div", { class: "refusal", role: "alert" });
    fill(this, this.open, this.more, h("div", { class: "row" }, this.go), this.error);
  }

  #row(ask) {
    const made = control(ask, () => this.#changed(), () => this.go.click(), true);
    this.#rows.set(rowKey(ask), { ask, made });
    const node = h(
      "div",
      { class: `ask-row${isUsual(ask) ? "" : " required"}${isLong(ask) ? " long" : ""}`, role: "group", aria: { label: ask.prompt } },
      h("p", { class: "ask-prompt", tabindex: "-1" }, withRule(ask.prompt, ask.because)),
      made.node,
    );
    return node;
  }

  #changed() {
    this.#check();
    clearTimeout(this.#wondering);
    this.#wondering = setTimeout(() => table.odds(this.#coming.procedure, this.#otherwise()), 250);
  }

  /** What was chosen otherwise than is usual, by its key. */
  #otherwise() {
    const said = [...this.#rows.values()].map(({ ask, made }) => [ask, made.read()]);
    const other = said.filter(([ask, answer]) => answer !== undefined && JSON.stringify(answer) !== JSON.stringify(ask.question.default));
    return Object.fromEntries(other.map(([ask, answer]) => [ask.key, answer]));
  }

  #check() {
    const missing = [...this.#rows.values()].filter(({ made }) => made.read() === undefined).length;
    this.go.disabled = missing > 0;
    const { rolls, waits } = this.#coming;
    this.go.textContent = missing ? `${missing} still open` : !rolls ? "Go on" : waits ? "Ready" : "Roll";
    const folded = this.#coming.questions.filter(isFolded);
    const other = folded.filter((ask) => this.#rows.get(rowKey(ask)).made.read() !== ask.question.default).length;
    this.summary.textContent = `${folded.length} more${other ? `, ${other} of them not as usual` : ", all as usual"}`;
  }

  async #send() {
    if (this.hasAttribute("data-sending")) return;
    const answers = this.#coming.questions.map((ask) => ({ key: ask.key, prompt: ask.prompt, answer: this.#rows.get(rowKey(ask)).made.read() }));
    this.toggleAttribute("data-sending", true);
    fill(this.error);
    try {
      await table.do({ do: "prepare", procedure: this.#coming.procedure, answers });
    } catch (refused) {
      fill(this.error, h("p", null, withRule(refused.line ?? String(refused), refused.rule)));
      announce(refused.line ?? "That was refused.", true);
    }
    this.toggleAttribute("data-sending", false);
  }
}

define("ast-ahead", Ahead);
