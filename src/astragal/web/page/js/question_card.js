// Everything a seat is asked before the dice, on one card: defaults are filled in, and one button
// sends all answers.

import { Part, define, fill, follow, h } from "./dom.js";
import { chancesIn, control, showOdds } from "./controls.js";
import { attempt, errorLine } from "./forms.js";
import { withRule } from "./rules.js";
import { table } from "./table.js";

const rowKey = ({ key, prompt }) => `${key}\n${prompt}`;
const hasDefault = ({ question }) => (question.default ?? null) !== null;
/** What is rarely changed is folded away. */
const isFolded = (ask) => hasDefault(ask) && ask.question.kind === "yes_no";

/** Many choices need the whole width. */
const isLong = ({ question }) => question.kind === "pick_several" && question.options.map(({ label }) => label).join("").length > 40;

/** At most this many choices are shown with their odds before anything is changed. */
const MOST_WITH_ODDS = 24;
const PAUSE = 250;

/** Choices that add or cost something are shown with their odds. */
const affectsOdds = ({ question }) => question.kind === "number" || (question.options ?? []).some(({ note, cost }) => /\d/.test(note + cost));

/** The card; `coming` is what a procedure asks this seat now and next. */
class QuestionCard extends Part {
  static watches = ["link", "odds"];

  #coming = null;
  #rows = new Map();
  #timer = 0;
  #oddsFor = null;
  #round = 0;

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
    const must = asks.filter((ask) => !hasDefault(ask));
    const may = asks.filter((ask) => hasDefault(ask) && !isFolded(ask));
    const folded = asks.filter(isFolded);
    const known = new Set(asks.map(rowKey));
    for (const key of this.#rows.keys()) if (!known.has(key)) this.#rows.delete(key);
    follow(this.open, [...must, ...may], rowKey, (ask) => this.#row(ask));
    follow(this.folded, folded, rowKey, (ask) => this.#row(ask));
    this.more.hidden = !folded.length;
    this.#check();
    const base = table.foreseen[this.#coming.procedure];
    if (base && base !== this.#oddsFor) this.#showOdds(base);
  }

  #build() {
    this.open = h("div", { class: "asks" });
    this.folded = h("div", { class: "asks" });
    this.summary = h("summary", null);
    this.more = h("details", null, this.summary, this.folded);
    this.go = h("button", { type: "button", class: "btn main", on: { click: () => this.#send() } });
    this.error = errorLine();
    fill(this, this.open, this.more, h("div", { class: "row" }, this.go), this.error);
  }

  #row(ask) {
    const made = control(ask, () => this.#changed(), () => this.go.click(), true);
    this.#rows.set(rowKey(ask), { ask, made });
    return h(
      "div",
      { class: `ask-row${hasDefault(ask) ? "" : " required"}${isLong(ask) ? " long" : ""}${affectsOdds(ask) ? " with-odds" : ""}`, role: "group", data: { ask: ask.key }, aria: { label: ask.prompt } },
      h("p", { class: "ask-prompt", tabindex: "-1" }, withRule(ask.prompt, ask.because)),
      made.node,
    );
  }

  #changed() {
    this.#check();
    this.#round += 1;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => table.odds(this.#coming.procedure, this.changed), PAUSE);
  }

  /** What each choice would do to the odds: known for the present question, fetched for others. */
  async #showOdds(base) {
    this.#oddsFor = base;
    const round = (this.#round += 1);
    const said = this.changed;
    const now = base.chance ?? null;
    let left = MOST_WITH_ODDS;
    for (const { ask, made } of this.#rows.values()) {
      // While a needed answer is missing there are odds only with an answer to that.
      if (isFolded(ask) || !affectsOdds(ask) || (now === null && made.read() !== undefined)) continue;
      const known = ask.step === base.step ? chancesIn(base) : () => undefined;
      const found = new Map([[JSON.stringify(made.read()), now ?? undefined]]);
      for (const [answer] of made.tries?.() ?? []) {
        if (answer === undefined || found.has(JSON.stringify(answer))) continue;
        let chance = known(answer);
        if (chance === undefined && (left -= 1) >= 0) chance = (await table.suppose(base.procedure, { ...said, [ask.key]: answer }))?.chance;
        if (this.#round !== round || !this.isConnected) return;
        found.set(JSON.stringify(answer), chance ?? undefined);
      }
      showOdds(made, (answer) => found.get(JSON.stringify(answer)), now, true);
    }
  }

  /** The answers that are not the default, by the key of the question. */
  get changed() {
    const said = [...this.#rows.values()].map(({ ask, made }) => [ask, made.read()]);
    const other = said.filter(([ask, answer]) => answer !== undefined && JSON.stringify(answer) !== JSON.stringify(ask.question.default));
    return Object.fromEntries(other.map(([ask, answer]) => [ask.key, answer]));
  }

  #check() {
    const missing = [...this.#rows.values()].filter(({ made }) => made.read() === undefined).length;
    this.go.disabled = missing > 0;
    const { rolls, waits } = this.#coming;
    this.go.textContent = missing ? `${missing} left` : !rolls ? "OK" : waits ? "Ready" : "Roll";
    const folded = this.#coming.questions.filter(isFolded);
    const other = folded.filter((ask) => this.#rows.get(rowKey(ask)).made.read() !== ask.question.default).length;
    this.summary.textContent = `${folded.length - other} ${folded.length - other === 1 ? "default" : "defaults"}${other ? `, ${other} changed` : ""}`;
  }

  async #send() {
    if (this.hasAttribute("data-sending")) return;
    const answers = this.#coming.questions.map((ask) => ({ key: ask.key, prompt: ask.prompt, answer: this.#rows.get(rowKey(ask)).made.read() }));
    this.toggleAttribute("data-sending", true);
    await attempt(this.error, () => table.do({ do: "prepare", procedure: this.#coming.procedure, answers }));
    this.toggleAttribute("data-sending", false);
  }
}

define("ast-question-card", QuestionCard);
