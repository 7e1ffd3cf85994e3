// A newcomer is shown around once, in five steps that can be skipped.

import { Part, announce, define, fill, h, isNarrow, showPanel } from "./dom.js";
import { table } from "./table.js";

const SEEN = "astragal:tour";

/** Each with the panel that it is about, what is pointed at, and what there is to know. */
const STEPS = [
  ["play", ".compose-start", "Say what your character attempts.", "Tests and conflicts start with “I want to…” or with a tap on an ability on your sheet."],
  ["play", "#panel-play", "One card for the whole table.", "Everybody fills in their own lines; dice, obstacle and odds follow at once. The player who tests presses Roll."],
  ["sheet", "#panel-sheet", "Your character.", "Tap an ability to test it. Use the pencil to edit the sheet; the GM approves changes."],
  ["rules", "#panel-rules", "Where does a number come from?", "Tap a dotted underline anywhere to read the rule behind it, or search all the rules here."],
  ["log", "#panel-log", "Your story.", "Every test becomes a paragraph, the latest last. Details shows its dice and numbers. You can save it to read the next day."],
];
const GMS = ["gm", "#panel-gm", "Your GM panel.", "Invite players, prepare handouts and obstacles, give awards, end the session. Undo is next to the latest step in the story."];

export const tour = {
  get isSeen() {
    return localStorage.getItem(SEEN) !== null;
  },
  end() {
    localStorage.setItem(SEEN, "seen");
  },
  again() {
    localStorage.removeItem(SEEN);
    document.querySelector("ast-tour")?.start();
  },
};

class Tour extends Part {
  static watches = ["you"];

  #at = 0;
  /** Whether a section of a panel was opened meanwhile: somebody has begun with something. */
  #isLeft = false;

  connectedCallback() {
    super.connectedCallback();
    document.addEventListener("show-part", () => (this.#isLeft = true));
  }

  start() {
    this.#at = 0;
    this.#isLeft = false;
    this.render();
    this.querySelector("button")?.focus();
  }

  render() {
    const isOver = tour.isSeen || table.isSpectator || table.as;
    this.hidden = isOver;
    if (isOver) return this.#point(null);
    const steps = table.isGM ? [...STEPS.slice(0, 4), GMS] : STEPS;
    const [panel, place, heading, text] = steps[this.#at];
    const isLast = this.#at === steps.length - 1;
    const next = h("button", { type: "button", class: "btn small main", text: isLast ? "Close" : "Next", on: { click: () => (isLast ? this.#end() : this.#go()) } });
    const skip = isLast ? null : h("button", { type: "button", class: "btn small quiet", text: "Skip", on: { click: () => this.#end() } });
    fill(this, h("section", { class: "card tour", aria: { label: "A look around" } }, h("p", null, h("b", { text: heading }), ` ${text}`), h("div", { class: "row" }, h("small", { class: "soft", text: `${this.#at + 1} of ${steps.length}` }), skip, next)));
    return this.#at ? this.#show(panel, place) : this.#point(place);
  }

  #go() {
    this.#at += 1;
    this.render();
    announce(this.querySelector("p").textContent);
    this.querySelector(".btn.main").focus({ preventScroll: true });
  }

  #end() {
    tour.end();
    this.render();
    if (!this.#isLeft) showPanel(isNarrow() ? "play" : "sheet");
  }

  #show(panel, place) {
    if (isNarrow() || !["play", "log"].includes(panel)) showPanel(panel);
    this.#point(place);
  }

  #point(place) {
    for (const each of document.querySelectorAll(".is-shown-around")) each.classList.remove("is-shown-around");
    if (place) requestAnimationFrame(() => this.#mark(document.querySelector(place)));
  }

  /** A panel is shown from its beginning; something in it may be below what is in view. */
  #mark(el) {
    el?.classList.add("is-shown-around");
    if (el && !el.id) el.scrollIntoView({ block: "nearest" });
    else if (isNarrow()) scrollTo({ top: 0 });
  }
}

define("ast-tour", Tour);
