// Writing a script: slots and action cards, placed by tap, drag or keyboard.

import { Part, announce, define, fill, h } from "./dom.js";
import { ruleLink } from "./rules.js";
import { suggestedScripts } from "./suggested_scripts.js";
import { table } from "./table.js";
import { othersWriting } from "./turns.js";

const DRAFT = "astragal:script:";

/** What the slots are called. */
function slotNames({ names = [], slots }) {
  return Array.from({ length: slots }, (_, at) => names[at] ?? `Card ${at + 1}`);
}

/** The slots and cards of one side; `ask` is the open question, with `send(answer)`. */
class Script extends Part {
  static watches = ["open"];

  #ask = null;
  #placed = [];
  #at = 0;

  set ask(ask) {
    this.#ask = ask;
    const kept = JSON.parse(sessionStorage.getItem(this.#draftKey) ?? "null") ?? ask.question.default;
    const known = (card) => ask.question.cards.some(({ key }) => key === card);
    this.#placed = Array.from({ length: ask.question.slots }, (_, at) => (known(kept?.[at]) ? kept[at] : null));
    this.#at = Math.max(0, this.#placed.indexOf(null));
  }

  render() {
    if (!this.#ask) return;
    if (!this.slots) this.#build();
    this.#others();
    this.#show();
  }

  #build() {
    const { question } = this.#ask;
    const names = slotNames(question);
    this.slots = names.map((name, at) => {
      const face = h("span", { class: "slot-face" });
      const button = h("button", { type: "button", class: "slot", on: { click: () => this.#choose(at) } }, h("small", { text: name }), face);
      button.addEventListener("dragover", (event) => event.preventDefault());
      button.addEventListener("drop", (event) => {
        event.preventDefault();
        this.#put(event.dataTransfer.getData("text/plain"), at);
      });
      button.addEventListener("keydown", (event) => {
        if (event.key === "Delete" || event.key === "Backspace") this.#put(null, at);
      });
      return { name, button, face };
    });
    this.cards = question.cards.map((card) => {
      const button = h(
        "button",
        { type: "button", class: "action-card", draggable: "true", on: { click: () => this.#put(card.key, this.#at) } },
        h("b", { text: card.label }),
        card.cost ? h("span", { class: "cost", text: card.cost }) : null,
        card.note ? h("small", { text: card.note }) : null,
      );
      button.addEventListener("dragstart", (event) => event.dataTransfer.setData("text/plain", card.key));
      return { card, button };
    });
    this.lock = h("button", { type: "button", class: "btn main", text: "Lock in", on: { click: () => this.#send() } });
    this.backs = h("div", { class: "backs" });
    const clear = h("button", { type: "button", class: "btn quiet", text: "Start over", on: { click: () => this.#clear() } });
    fill(
      this,
      suggestedScripts(this.#ask, ({ label, cards }) => this.take(label, cards)),
      h("div", { class: "slots", role: "group", aria: { label: "Your script" } }, this.slots.map(({ button }) => button)),
      this.backs,
      h("p", { class: "soft", text: "Choose a slot, then a card; or drag a card onto a slot." }),
      h(
        "div",
        { class: "action-cards", role: "group", aria: { label: "Your cards" } },
        this.cards.map(({ card, button }) => h("span", { class: "option-row" }, button, ruleLink(card.rule))),
      ),
      h("div", { class: "row lock-row" }, this.lock, clear),
    );
  }

  #show() {
    const { question } = this.#ask;
    this.slots.forEach(({ name, button, face }, at) => {
      const card = question.cards.find((each) => each.key === this.#placed[at]);
      face.textContent = card?.label ?? "empty";
      button.classList.toggle("filled", Boolean(card));
      button.setAttribute("aria-pressed", String(at === this.#at));
      button.setAttribute("aria-label", `${name}: ${card?.label ?? "empty"}`);
    });
    for (const { card, button } of this.cards) button.disabled = question.once && this.#placed.includes(card.key);
    this.lock.disabled = this.#placed.some((card) => !card);
  }

  /** The other sides' slots, face down. */
  #others() {
    const backs = () => this.slots.map(() => h("span", { class: "back", aria: { hidden: "true" } }));
    fill(this.backs, othersWriting(this.#ask).map((says) => h("p", { class: "face-down soft" }, backs(), says)));
  }

  #choose(at) {
    this.#at = at;
    this.#show();
  }

  #put(card, at) {
    const { cards, once } = this.#ask.question;
    const known = cards.find((each) => each.key === card);
    if (card && (!known || (once && this.#placed.includes(card)))) return;
    this.#placed[at] = card;
    const empty = this.#placed.findIndex((each, place) => !each && place > at);
    this.#at = card ? (empty >= 0 ? empty : Math.max(0, this.#placed.indexOf(null) >= 0 ? this.#placed.indexOf(null) : at)) : at;
    announce(`${this.slots[at].name}: ${known?.label ?? "empty"}`);
    this.#keep();
  }

  /** Take over a script as it was suggested. */
  take(label, cards) {
    this.#placed = [...cards];
    this.#at = 0;
    announce(`${label}: ${cards.map((card) => this.#ask.question.cards.find(({ key }) => key === card)?.label).join(", ")}`);
    this.#keep();
  }

  #keep() {
    sessionStorage.setItem(this.#draftKey, JSON.stringify(this.#placed));
    this.#show();
  }

  get #draftKey() {
    const { procedure, step, seat } = this.#ask;
    return `${DRAFT}${table.campaign}:${procedure}:${step}:${seat}`;
  }

  async #send() {
    const key = this.#draftKey;
    await this.#ask.send([...this.#placed]);
    if (!this.isConnected) sessionStorage.removeItem(key);
  }

  #clear() {
    this.#placed.fill(null);
    this.#at = 0;
    this.#keep();
    this.slots[0].button.focus();
  }
}

define("ast-script", Script);
