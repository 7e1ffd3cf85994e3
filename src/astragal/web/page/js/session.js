// The session: its number, the fairness of its dice, beginning and ending it.

import { Part, announce, define, fill, h } from "./dom.js";
import { attempt, button, errorLine, gameInfo, stack } from "./forms.js";
import { receipts } from "./receipts.js";

const FAIR =
  "Before the first roll the server published this fingerprint of its keys, one for each roll. " +
  "Then players' devices added to the dice. Every roll follows from both, and is checked here.";

const rolls = (count) => h("span", { class: "soft", text: ` ${count} ${count === 1 ? "roll" : "rolls"}` });

/** A long number: its beginning, and all of it when unfolded. */
function hash(label, value) {
  return h("details", { class: "hash" }, h("summary", null, `${label}: `, h("code", { text: `${value.slice(0, 12)}…` })), h("code", { class: "whole", tabindex: "0", text: value }));
}

/** What this device has found, and what it keeps. */
function findings() {
  const { trouble, checked } = receipts;
  const found = checked?.wrong.length ? checked.wrong : null;
  const count = (number, one, many) => `${number} ${number === 1 ? one : many}`;
  const says = checked && [checked.fit || !checked.typed ? count(checked.fit, "roll matches", "rolls match") : "", checked.typed ? `${count(checked.typed, "roll", "rolls")} typed in` : "", checked.undone ? `${checked.undone} undone` : ""].filter(Boolean).join(", ");
  return [
    trouble ? h("p", { class: "bad", role: "alert" }, trouble, " ", button("Follow this log from here", () => receipts.startOver(), "small quiet")) : null,
    found ? h("ul", { class: "bad", role: "alert" }, found.map((each) => h("li", { text: each }))) : null,
    checked && !found ? h("p", { class: "checked", role: "status", text: `Checked by this device: ${says}.` }) : null,
  ];
}

/** `<ast-session>`: number, fairness, and for the GM the beginning and the end. */
class Session extends Part {
  static watches = ["campaign", "open", "you"];

  render() {
    const { evening, evenings } = this.table.view.campaign;
    const as = JSON.stringify([evening, evenings, this.table.isGM, receipts.trouble, receipts.checked]);
    if (as === this.as) return;
    this.as = as;
    if (!this.error) receipts.watch(() => this.isConnected && this.render());
    this.error ??= errorLine();
    const isOn = evening && !evening.ended;
    fill(
      this,
      h("p", null, isOn ? h("b", { text: `Session ${evening.number}` }) : "No session in progress. One begins with the first roll."),
      isOn ? [hash("Fingerprint", evening.commitment), this.#given(evening), evening.is_older ? null : h("p", { class: "hint", text: FAIR })] : null,
      this.table.isGM ? this.#control(isOn) : null,
      this.error,
      evenings.length ? this.#past(evenings) : null,
      findings(),
      this.#files(),
    );
  }

  #given({ given }) {
    return given.length ? h("p", { class: "hint", text: `Added to the dice: ${given.map((seat) => this.table.nameOf(seat)).join(", ")}.` }) : null;
  }

  /** To check without this page: what this seat saw, and what this device kept. */
  #files() {
    const seen = h("a", { class: "btn small quiet", href: `/api/t/${encodeURIComponent(this.table.campaign)}/evidence.json`, download: "dice.json", text: "Save the dice" });
    const save = () => {
      const link = h("a", { href: URL.createObjectURL(new Blob([JSON.stringify(receipts.receipt)], { type: "application/json" })), download: "receipt.json" });
      link.click();
      URL.revokeObjectURL(link.href);
    };
    return h("div", { class: "row" }, button("Check the dice", () => attempt(this.error, () => receipts.checkDice()), "small"), seen, button("Save the receipt", save, "small quiet"));
  }

  #control(isOn) {
    const offers = h("div", { class: "row" });
    const lead = isOn ? "Before you end it:" : "To begin with:";
    gameInfo().then((game) => {
      const names = isOn ? game.closing : game.opening;
      const found = names.map((name) => game.procedures.find((each) => each.name === name)).filter(Boolean);
      if (found.length) fill(offers, h("small", { class: "soft", text: lead }), found.map((each) => button(each.title, () => this.#begin(each), "small")));
    }, () => {});
    const turn = isOn
      ? button("End session", () => this.#do({ do: "end_session" }, "Session ended."), "small bad")
      : button("Start session", () => this.#do({ do: "begin_session" }, "Session started."), "small main");
    return stack(isOn ? [offers, turn] : [turn, offers]);
  }

  /** What needs nothing to be said first begins with one press. */
  #begin({ name, form }) {
    const isPlain = !form.fields?.some(({ required }) => required);
    document.dispatchEvent(isPlain ? new CustomEvent("try-procedure", { detail: { procedure: name, arguments: {} } }) : new CustomEvent("compose", { detail: { procedure: name } }));
  }

  async #do(command, said) {
    if (command.do === "end_session" && !confirm("End the session? The next roll begins a new one.")) return;
    if (await attempt(this.error, () => this.table.do(command))) announce(said);
  }

  #past(evenings) {
    const item = (each) =>
      h("li", null, h("b", { text: `Session ${each.number}` }), rolls(each.throws), hash("Fingerprint", each.commitment), each.seed ? hash("Seed", each.seed) : null);
    return h("details", null, h("summary", { text: `Earlier sessions (${evenings.length})` }), h("ul", { class: "stack tight" }, evenings.map(item)));
  }
}

define("ast-session", Session);
