// A single question as a card with large buttons.

import { Part, define, fill, h } from "./dom.js";
import { chanceTag, chancesIn, common, control, described, showOdds } from "./controls.js";
import { attempt, errorLine } from "./forms.js";
import { ruleLink, withRule } from "./rules.js";
import "./script_cards.js";
import "./script_help.js";
import "./volley_script.js";
import { facesBox } from "./typed_faces.js";
import { table } from "./table.js";

/** A large button for each option: one press answers. */
export function largeButtons({ question }, send) {
  const options = question.options ?? [{ key: true, label: "Yes" }, { key: false, label: "No" }];
  const said = common(options);
  const wide = options.length < 3 || options.some(({ note, label }) => (note && !said) || label.length > 26);
  const made = options.map((option) => {
    const isDefault = option.key === question.default;
    const chance = chanceTag();
    const button = h(
      "button",
      { type: "button", class: `option${isDefault ? " is-default" : ""}`, on: { click: () => send(option.key) } },
      h("span", { class: "grow" }, described(said ? { ...option, note: "" } : option)),
      isDefault ? h("span", { class: "tag", text: "default" }) : null,
      chance,
    );
    return { option, chance, node: h("div", { class: "option-row" }, button, ruleLink(option.rule)) };
  });
  const list = h("div", { class: `options${question.kind === "yes_no" ? " two" : wide ? "" : " in-columns"}` }, made.map(({ node }) => node));
  return {
    node: said ? h("div", { class: "stack tight" }, h("small", { class: "soft", text: said }), list) : list,
    read: () => undefined,
    tries: () => made.map(({ option, chance }) => [option.key, chance]),
  };
}

function script(ask, send) {
  const node = h(ask.question.openers?.length ? "ast-volley-script" : "ast-script");
  node.ask = { ...ask, send };
  const help = Object.assign(h("ast-script-help"), { ask, form: node });
  return { node: h("div", { class: "stack" }, help, node) };
}

/** Any other kind: its control, and a button that sends the answer. */
function form(ask, send, changed) {
  const go = h("button", { type: "button", class: "btn main", on: { click: () => made.read() !== undefined && send(made.read()) } });
  const check = () => {
    go.disabled = made.read() === undefined;
    go.textContent = made.says();
    changed();
  };
  const made = control(ask, check, () => go.click());
  check();
  return { ...made, node: h("div", { class: "stack" }, made.node, h("div", { class: "row" }, go)) };
}

const WAYS = { yes_no: largeButtons, pick_one: largeButtons, script, faces: ({ question }, send) => facesBox(question, send) };

/** The identity of a question: while it is the same, what was typed stays. */
export function askKey({ procedure, step, seat, key }) {
  return `${procedure}:${step}:${seat}:${key}`;
}

/** The question card; `ask` is the open question with its procedure's id. */
class Question extends Part {
  static watches = ["odds", "link"];

  #ask = null;
  #made = null;
  #sending = false;

  set ask(ask) {
    const isNew = !this.#ask || askKey(this.#ask) !== askKey(ask);
    this.#ask = ask;
    if (!isNew) return;
    this.#made = null;
    if (this.isConnected) this.render();
  }

  get ask() {
    return this.#ask;
  }

  /** Move the focus here. */
  focusPrompt() {
    // On a phone the keyboard would open: there the prompt gets the focus.
    const input = matchMedia("(pointer: fine)").matches ? this.#made?.focus : null;
    (input ?? this.querySelector(".prompt"))?.focus({ preventScroll: true });
  }

  render() {
    if (!this.#ask) return;
    if (!this.#made) this.#build();
    this.note.textContent = this.#sending && table.link !== "live" ? "Your answer will be sent when the connection is back." : "";
    this.#showOdds();
  }

  #showOdds() {
    const foresight = table.foreseen[this.#ask.procedure];
    if (!this.#made || !foresight?.options || foresight.step !== this.#ask.step) return;
    showOdds(this.#made, chancesIn(foresight), foresight.chance ?? null);
  }

  #build() {
    const ask = this.#ask;
    this.dataset.ask = ask.key;
    const other = ask.seat !== table.seat;
    const name = table.nameOf(ask.seat);
    this.#made = (WAYS[ask.question.kind] ?? form)(ask, (answer) => this.#send(answer), () => this.#showOdds());
    this.error = errorLine();
    this.note = h("p", { class: "soft", role: "status" });
    this.reason = other ? h("input", { type: "text", maxlength: 300, value: `${name} is away` }) : null;
    fill(
      this,
      h("p", { class: "prompt", tabindex: "-1" }, withRule(ask.prompt, ask.because)),
      ask.secret ? h("p", { class: "soft sealed", text: "Secret until everyone has answered." }) : null,
      other ? h("label", { class: "field" }, h("span", { class: "label", text: `Reason for answering for ${name}` }), this.reason) : null,
      this.#made.node,
      this.error,
      this.note,
    );
  }

  async #send(answer) {
    if (this.#sending) return;
    const { procedure, step, seat } = this.#ask;
    const command = { do: "answer", procedure, step, answer };
    if (this.reason) Object.assign(command, { seat, reason: this.reason.value.trim() });
    this.#busy(true);
    await attempt(this.error, () => table.do(command));
    this.#busy(false);
    this.render();
  }

  #busy(sending) {
    this.#sending = sending;
    this.toggleAttribute("data-sending", sending);
    this.setAttribute("aria-busy", String(sending));
  }
}

define("ast-question", Question);
