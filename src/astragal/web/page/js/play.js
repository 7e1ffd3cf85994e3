// The middle of the table: what is asked of me, what is in progress, and what I can begin.

import { Part, define, fill, follow, h, isNarrow, isNew, makeCharacter, showPanel } from "./dom.js";
import { gist, story } from "./story.js";
import { attempt, errorLine, gameInfo, isDemo } from "./forms.js";
import { fall } from "./dice.js";
import "./procedure.js";
import { endedSession, recap, sessionEnd } from "./recap.js";
import { undoable } from "./paragraphs.js";
import { table } from "./table.js";
import { myTurns } from "./turns.js";

const DISMISSED = "astragal:dismissed";

/** The last step did not happen after all: the card is there again as it was. */
function undoButton({ seq }) {
  return h("button", { type: "button", class: "btn small quiet", text: "Undo", on: { click: () => table.do({ do: "undo", to: seq - 1, reason: "" }) } });
}

const isOnScreen = (element) => {
  const { top, bottom } = element.getBoundingClientRect();
  return bottom > top && bottom > 0 && top < innerHeight;
};

class Play extends Part {
  static watches = ["open", "cards", "log", "characters", "chairs", "you"];

  #premise = "";

  render() {
    if (!this.cards) this.#build();
    const { open } = table.view;
    const hadFocus = this.contains(document.activeElement);
    const mine = new Set(myTurns().map(({ procedure }) => procedure));
    const weight = (each) => (mine.has(each.id) ? 0 : 1);
    const ordered = [...open].sort((one, other) => weight(one) - weight(other) || one.began - other.began);
    const isOver = [...this.cards.children].some((card) => !open.some(({ id }) => id === card.dataset.key) && isOnScreen(card));
    follow(this.cards, ordered, (each) => each.id, () => h("ast-procedure"), (node, each) => (node.open = each));
    this.#result();
    this.#sessionEnd();
    this.drawFirst();
    // What had the focus may be gone, or hidden a moment later.
    if (hadFocus) setTimeout(() => document.activeElement === document.body && this.focusNext(), 50);
    if (isOver) requestAnimationFrame(() => this.#showResult());
  }

  /** Whoever saw a procedure sees what it came to; somebody who writes is not moved. */
  #showResult() {
    const at = document.activeElement;
    const card = this.result.firstElementChild;
    if (!card || (at.matches("input[type=text], textarea") && at.value) || myTurns().length) return;
    if (at === document.body) this.heading.focus({ preventScroll: true });
    card.scrollIntoView({ block: card.offsetHeight < innerHeight ? "nearest" : "start" });
  }

  #build() {
    this.heading = h("h2", { class: "visually-hidden", tabindex: "-1", text: "Play" });
    this.cards = h("div", { class: "stack" });
    this.result = h("div", { class: "result-place" });
    this.first = h("div", null);
    this.composer = h("ast-composer");
    this.ended = h("div", null);
    fill(this, this.heading, recap(), h("ast-handouts", { fresh: true }), this.cards, this.ended, this.result, this.first, this.composer);
    this.#readPremise();
  }

  /** After an answer the focus goes to the next question, as soon as it is there. */
  focusNext() {
    const next = this.querySelector("[aria-busy=false] > .mine > *");
    this.isExpecting = !next && myTurns().length > 0;
    if (!next) {
      if (this.isExpecting) return null;
      this.heading.focus();
      return this.scrollIntoView({ block: "start" });
    }
    next.focusPrompt();
    return this.#scrollTo(next);
  }

  /** Bring a procedure into view, with what is asked in it. */
  #scrollTo(ask) {
    if (isNarrow() && ask.querySelector("ast-volley-script")) return ask.scrollIntoView({ block: "start" });
    const card = ask.closest("ast-procedure");
    card.scrollIntoView({ block: card.offsetHeight < 0.8 * innerHeight ? "nearest" : "start" });
    // What was turned over stays in view as long as there is room for it.
    const isLow = () => ask.getBoundingClientRect().top > 0.6 * innerHeight;
    if (isLow()) card.querySelector(".shown:not(:empty)")?.scrollIntoView({ block: "start" });
    if (isLow()) ask.scrollIntoView({ block: "nearest" });
    return null;
  }

  /** It is this seat's turn in a procedure: show it, when it is drawn. */
  showTurn(procedure) {
    requestAnimationFrame(() => {
      const card = [...this.cards.children].find((each) => each.dataset.key === procedure);
      if (card?.hidden || card?.ariaBusy === "true") return void (card.isWanted = true);
      const ask = card?.querySelector(".mine > *") ?? card?.querySelector(".test");
      if (ask) this.#scrollTo(ask);
    });
  }

  /** The end of a session stays here until it is dismissed, or the next one begins. */
  #sessionEnd() {
    const last = endedSession();
    const shown = String(last?.seq ?? "");
    if (this.ended.dataset.shown === shown) return;
    this.ended.dataset.shown = shown;
    fill(this.ended, last ? sessionEnd(last) : null);
  }

  /** A result stays here until it is dismissed. */
  #result() {
    const { log, seq } = table.view;
    const over = log.findLast((entry) => entry.over && !entry.undone);
    const old = !over || over.seq <= Number(sessionStorage.getItem(DISMISSED) ?? 0) || (!table.view.open.length && seq - over.seq > 12);
    const key = old ? "" : String(over.seq);
    const isBusy = table.view.open.length > 0 || table.isSpectator;
    const canUndo = table.isGM && undoable(log)?.seq === over?.seq;
    const shown = `${key}${isBusy ? "" : " and what is next"}${canUndo ? " and undo" : ""}`;
    if (this.result.dataset.shown === shown) return;
    this.result.dataset.shown = shown;
    if (old) return void fill(this.result);
    const items = log.filter((entry) => entry.procedure === over.procedure && !entry.undone).flatMap((entry) => entry.items ?? []);
    const title = log.find((entry) => entry.procedure === over.procedure)?.text?.replace(/\.$/, "").replace("!:", "!") || "Result";
    const close = () => {
      sessionStorage.setItem(DISMISSED, key);
      this.#result();
      this.heading.focus();
    };
    fill(
      this.result,
      h(
        "section",
        { class: "card result-card", aria: { label: "Result" } },
        h("header", { class: "row nowrap" }, h("h3", { class: "grow", text: title }), canUndo ? undoButton(over) : null, h("button", { type: "button", class: "btn small", text: "Dismiss", on: { click: close } })),
        story(gist(items)),
        isBusy ? null : followUp(items),
      ),
    );
    fall(this.result, over.procedure, over.seq <= table.opened);
  }

  /** The first steps make way for a procedure when that is shown. */
  drawFirst() {
    const { characters, chairs, open, log } = table.view;
    if (open.length && [...this.cards.children].every(({ hidden }) => hidden)) return;
    const steps = [this.#premise, table.isGM, Object.values(characters).map(({ mine }) => mine), chairs.length > 1, open.length > 0, log.some((entry) => entry.procedure)];
    if (isNew(this.first, steps)) fill(this.first, this.#firstSteps());
  }

  /** The premise of a demo. */
  async #readPremise() {
    const game = await gameInfo().catch(() => null);
    this.#premise = isDemo(game) && game.demo.title === table.view.campaign.title ? game.demo.premise : "";
    this.renderIfSeated();
  }

  /** What a new table is about, and what to do first. */
  #firstSteps() {
    const { characters, chairs, open, log } = table.view;
    if (open.length || table.isSpectator) return null;
    const mine = Object.values(characters).some((each) => each.mine);
    const isFresh = !log.some((entry) => entry.procedure);
    const begins = isFresh ? this.#premise : "";
    const card = (heading, text, ...row) => h("section", { class: "card first-steps" }, h("h2", { text: heading }), text ? h("p", { text }) : null, row.length ? h("div", { class: "row" }, row) : null);
    if (begins && (table.isGM || mine)) {
      return card("How it begins", this.#premise, ...(table.isGM ? [step("Invite players", "gm", "Players and links"), soft("or try one of the suggestions below.")] : []));
    }
    if (table.isGM && (!Object.keys(characters).length || (isFresh && chairs.length < 2))) {
      const first = Object.keys(characters).length ? "Another character" : "New character";
      return card("A new table", "To begin with, in any order:", made(first), step("Invite players", "gm", "Players and links"));
    }
    if (!table.isGM && !mine) return card("You have no character yet", begins, made("New character"), soft("or ask the GM to give you one."));
    return null;
  }
}

/** What people usually begin next, with one press. */
function followUp(items) {
  const next = items.findLast((item) => item.follow_up)?.follow_up;
  if (!next) return null;
  const error = errorLine();
  const { procedure, arguments: given } = next;
  const go = h("button", { type: "button", class: "btn main", text: next.label, on: { click: () => attempt(error, () => table.do({ do: "begin", procedure, arguments: given }), go) } });
  return h("div", { class: "row" }, go, error);
}

const soft = (text) => h("span", { class: "soft", text });

/** A button that leads to the page for a new character. */
function made(label) {
  return h("button", { type: "button", class: "btn main", text: label, on: { click: makeCharacter } });
}

function step(label, panel, part = "") {
  return h("button", { type: "button", class: "btn", text: label, on: { click: () => showPanel(panel, part) } });
}

define("ast-play", Play);
