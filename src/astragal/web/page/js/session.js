// The session: its number, the fairness of its dice, beginning and ending it.

import { Part, announce, define, fill, h } from "./dom.js";
import { attempt, button, errorLine, gameInfo, stack } from "./forms.js";

const FAIR =
  "Before the first roll the server chose a secret seed and published this fingerprint of it. " +
  "When the session ends the seed is shown, and anyone can check every roll.";

const rolls = (count) => h("span", { class: "soft", text: ` ${count} ${count === 1 ? "roll" : "rolls"}` });

/** A long number: its beginning, and all of it when unfolded. */
function hash(label, value) {
  return h("details", { class: "hash" }, h("summary", null, `${label}: `, h("code", { text: `${value.slice(0, 12)}…` })), h("code", { class: "whole", tabindex: "0", text: value }));
}

/** `<ast-session>`: number, fairness, and for the GM the beginning and the end. */
class Session extends Part {
  static watches = ["campaign", "open", "you"];

  render() {
    const { evening, evenings } = this.table.view.campaign;
    const as = JSON.stringify([evening, evenings, this.table.isGM]);
    if (as === this.as) return;
    this.as = as;
    this.error ??= errorLine();
    const isOn = evening && !evening.ended;
    fill(
      this,
      h("p", null, isOn ? h("b", { text: `Session ${evening.number}` }) : "No session in progress."),
      isOn ? [hash("Fingerprint", evening.commitment), h("p", { class: "hint", text: FAIR })] : null,
      this.table.isGM ? this.#control(isOn) : null,
      this.error,
      evenings.length ? this.#past(evenings) : null,
    );
  }

  #control(isOn) {
    const offers = h("div", { class: "row" });
    const lead = isOn ? "Before you end it:" : "To begin with:";
    gameInfo().then((game) => {
      const names = isOn ? game.closing : game.opening;
      const found = names.map((name) => game.procedures.find((each) => each.name === name)).filter(Boolean);
      if (found.length) fill(offers, h("small", { class: "soft", text: lead }), found.map((each) => button(each.title, () => this.#begin(each.name), "small")));
    }, () => {});
    const turn = isOn
      ? button("End session", () => this.#do({ do: "end_session" }, "Session ended."), "small bad")
      : button("Start session", () => this.#do({ do: "begin_session" }, "Session started."), "small main");
    return stack(isOn ? [offers, turn] : [turn, offers]);
  }

  #begin(procedure) {
    document.dispatchEvent(new CustomEvent("compose", { detail: { procedure } }));
  }

  async #do(command, said) {
    if (command.do === "end_session" && !confirm("End the session? Its seed becomes public, and the next roll needs a new session.")) return;
    if (await attempt(this.error, () => this.table.do(command))) announce(said);
  }

  #past(evenings) {
    const item = (each) =>
      h("li", null, h("b", { text: `Session ${each.number}` }), rolls(each.throws), hash("Fingerprint", each.commitment), each.seed ? hash("Seed", each.seed) : null);
    return h("details", null, h("summary", { text: `Earlier sessions (${evenings.length})` }), h("ul", { class: "stack tight" }, evenings.map(item)));
  }
}

define("ast-session", Session);
