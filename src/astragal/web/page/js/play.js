// The middle of the table: what is asked of me, what is in progress, and what I can begin.

import { Part, define, fill, follow, h, isNarrow, showPanel, showSheet } from "./dom.js";
import { called, gist, isPool, lines, story } from "./story.js";
import { gameInfo, isDemo } from "./forms.js";
import { askKey } from "./questions.js";
import "./question_card.js";
import { conflict, isEffect, reveal, stand } from "./conflict.js";
import "./odds.js";
import { table } from "./table.js";

const GM = "gm";
/** Milliseconds that a question waits to be shown together with those that follow. */
const PATIENCE = 400;
const DISMISSED = "astragal:dismissed";
const CANCEL = "Cancel";

/** The questions put to this seat, with the procedure that asks. */
export function askedOfMe() {
  return (table.view?.open ?? []).flatMap((open) =>
    open.questions.map((question) => ({ ...question, procedure: open.id, title: open.title })),
  );
}

/** What the latest entry of a procedure brought. */
function latest(open) {
  const entry = table.view.log.findLast((each) => each.procedure === open.id && !each.undone && each.items?.length);
  return open.story.slice(open.story.length - Math.min(entry?.items.length ?? 0, open.story.length));
}

/** What this seat did not do itself, and what the card does not show already. */
function isNews(item, _, items) {
  if (item.item === "decided") return !item.usual && item.seat !== table.seat && !items.some((each) => each.item === "told");
  if (item.item === "changed") return item.target !== "scene";
  return !item.cards && !isPool(item) && !isEffect(item) && !(item.role === "aside" && item.bars);
}

/** The dice and the obstacle of a test that has not been rolled yet, each with its owner. */
function poolNumbers(items) {
  const last = items.findLastIndex((item) => item.cards || item.bars || item.role === "outcome" || item.role === "heading");
  const all = items.slice(last + 1).filter((item) => isPool(item) && item.numbers?.length);
  return all.flatMap(({ headline, numbers }) => numbers.map((number) => ({ ...number, who: all.length > 1 && headline ? `${headline}: ` : "" })));
}

const drawn = new WeakMap();

/** Whether an element has not shown this yet; from now on it has. */
function isNew(el, shown) {
  const print = JSON.stringify(shown) ?? "";
  const had = drawn.get(el);
  drawn.set(el, print);
  return had !== print;
}

function isMine(open) {
  return open.mine || open.questions.length > 0 || open.characters.some((key) => table.view.characters[key]?.mine);
}

/** One procedure in progress. */
class Procedure extends Part {
  static watches = ["odds", "questions"];

  #open = null;
  #asked = "";
  #fetched = "";
  #patient = false;
  /** What is asked, and what of it somebody has begun to answer: that card stays as it is. */
  #at = "";
  #touched = "";

  set open(open) {
    this.#open = open;
    if (this.isConnected) this.render();
  }

  render() {
    if (!this.head) this.#build();
    const open = this.#open;
    this.className = `card procedure${open.questions.length ? " asks-me" : ""}`;
    this.#head(open);
    const isWriting = isNarrow() && open.questions.some(({ question }) => question.kind === "script");
    if (isNew(this.now, [open.story.length, open.story.at(-1), isWriting])) {
      const now = latest(open);
      const { sides, shown, effect } = conflict(open.story);
      const turned = now.findLastIndex((item) => item.cards) + 1;
      stand(this.bars, sides);
      fill(this.before, story(now.slice(0, turned).filter(isNews), false));
      if (isNew(this.shown, [shown, effect])) fill(this.shown, shown ? reveal(shown, effect) : null);
      const news = story(now.slice(turned).filter(isNews), false);
      // On a phone the slots for the cards come first.
      fill(this.now, isWriting && news.length ? h("details", null, h("summary", { class: "soft", text: "What happened before" }), news) : news);
      this.earlier.hidden = !open.story.length;
      this.tellAll();
    }
    this.#ask(open.questions.map((question) => ({ ...question, procedure: open.id })));
    const others = open.waiting.filter(({ question }) => question).map(({ question }) => ({ ...question, procedure: open.id }));
    follow(this.others, others, askKey, (ask) => this.#forOther(ask));
    if (isNew(this.waiting, open.waiting)) fill(this.waiting, open.waiting.map(waitingLine));
    this.#drawOdds(open);
  }

  #build() {
    this.setAttribute("role", "article");
    this.head = h("header", null);
    this.bars = h("div", { class: "bars" });
    this.before = h("div", { class: "now" });
    this.shown = h("div", { class: "shown" });
    this.now = h("div", { class: "now" });
    const touch = () => (this.#touched = this.#at);
    this.mine = h("div", { class: "mine", on: { input: touch, change: touch, click: touch } });
    this.test = h("div", { class: "test" });
    this.tallies = h("div", { class: "tallies" });
    this.odds = h("ast-odds");
    this.others = h("div", null);
    this.waiting = h("div", { class: "waiting", role: "status" });
    this.earlierStory = h("div", null);
    this.earlier = h("details", { class: "earlier", on: { toggle: () => this.tellAll() } }, h("summary", { text: "Full history" }), this.earlierStory);
    this.foot = h("footer", { class: "row" });
    this.earns = h("p", { class: "earns soft" });
    this.test.append(this.tallies, this.earns, this.odds);
    fill(this, this.head, this.bars, this.before, this.shown, this.now, this.mine, this.test, this.waiting, this.others, this.earlier, this.foot);
  }

  /** One card for everything asked before the dice, or one for each question. */
  #ask(mine) {
    const thrown = this.#open.story.findLast((item) => item.item !== "changed")?.item === "rolled";
    const plain = mine.length > 0 && !thrown && mine.every(({ question, secret }) => !secret && question.kind !== "script" && question.kind !== "faces");
    const at = (this.#at = mine.map(askKey).join());
    if (plain && this.#fetched !== `${table.arrivals} ${at}`) {
      this.#fetched = `${table.arrivals} ${at}`;
      this.#patient = true;
      table.fetchQuestions(this.#open.id);
      setTimeout(() => {
        this.#patient = false;
        this.renderIfSeated();
      }, PATIENCE);
    }
    const coming = table.coming[this.#open.id];
    const fits = coming && mine.every((ask) => coming.questions.some(({ key, prompt, step }) => key === ask.key && prompt === ask.prompt && step === ask.step));
    const begun = at && this.#touched === at ? this.mine.firstChild?.localName : null;
    const isTogether = plain && fits && (begun ? begun === "ast-question-card" : coming.questions.length > 1);
    const cards = isTogether ? [{ coming }] : plain && !fits && !begun && this.#patient ? [] : mine;
    follow(
      this.mine,
      cards,
      (ask) => (ask.coming ? `card:${at}` : askKey(ask)),
      (ask) => h(ask.coming ? "ast-question-card" : "ast-question"),
      (node, ask) => Object.assign(node, ask.coming ? ask : { ask }),
    );
    const play = this.closest("ast-play");
    if (cards.length && play?.isExpecting) play.focusNext();
  }

  tellAll() {
    fill(this.earlierStory, this.earlier.open ? story(this.#open.story) : null);
  }

  #head(open) {
    if (!isNew(this.head, [open.about, open.characters.map((key) => table.view.characters[key]?.name)])) return;
    fill(
      this.head,
      h("h2", { text: open.title }),
      open.about ? h("p", { class: "about", text: open.about }) : null,
      h(
        "p",
        { class: "row soft small" },
        `Started by ${open.by === table.seat ? "you" : table.nameOf(open.by)}`,
        open.characters.map((key) => h("button", { type: "button", class: "btn quiet small", text: table.view.characters[key]?.name ?? key, on: { click: () => showSheet(key) } })),
        open.secret ? h("span", { class: "tag", text: "secret" }) : null,
      ),
    );
    if (open.mine && !this.foot.children.length) this.foot.append(cancelButton(open.id));
  }

  #forOther(ask) {
    const question = h("ast-question");
    question.ask = ask;
    const name = table.nameOf(ask.seat);
    return h("details", { class: "for-other" }, h("summary", { text: `Answer for ${name}` }), question);
  }

  /** The tallies and the odds; fetched again whenever the procedure has moved on. */
  #drawOdds(open) {
    const at = `${table.arrivals}:${open.story.length}:${open.questions.map(askKey).join()}:${open.waiting.length}`;
    if (this.#asked !== at && isMine(open)) {
      this.#asked = at;
      table.odds(open.id, this.mine.querySelector("ast-question-card")?.changed);
    }
    const foresight = table.foreseen[open.id];
    const numbers = foresight?.numbers?.length ? foresight.numbers : poolNumbers(open.story);
    follow(
      this.tallies,
      numbers,
      ({ who = "", name }) => who + name,
      () => h("details", { class: "tally" }, h("summary", null), h("div", null)),
      (node, number) => {
        if (!isNew(node, number)) return;
        node.firstChild.textContent = (number.who ?? "") + called(number);
        fill(node.lastChild, lines(number));
      },
    );
    if (isNew(this.odds, foresight)) this.odds.foresight = foresight ?? null;
    this.earns.textContent = foresight?.earns ? `counts as ${foresight.earns}` : "";
    this.test.hidden = !numbers.length && !foresight?.rows?.length && (foresight?.chance ?? null) === null;
  }
}

define("ast-procedure", Procedure);

/** Whom this waits for, and for what. */
function waitingLine({ seat, prompt, writes_script: isScript }) {
  const whom = seat === GM ? "the GM" : table.nameOf(seat);
  const what = isScript ? ": script" : prompt ? `: ${prompt}` : "";
  return h("p", { class: "waits" }, h("span", null, "Waiting for ", h("b", { text: whom }), what));
}

/** Cancelling takes a second press. */
function cancelButton(procedure) {
  const button = h("button", { type: "button", class: "btn quiet small", text: CANCEL });
  let sure = false;
  button.addEventListener("click", () => {
    if (sure) table.do({ do: "withdraw", procedure });
    sure = !sure;
    button.textContent = sure ? "Cancel this? Everything in it will be undone" : CANCEL;
    button.classList.toggle("bad", sure);
  });
  button.addEventListener("blur", () => {
    sure = false;
    button.textContent = CANCEL;
    button.classList.remove("bad");
  });
  return button;
}

class Play extends Part {
  static watches = ["open", "log", "characters", "chairs", "you"];

  #premise = "";

  render() {
    if (!this.cards) this.#build();
    const { open } = table.view;
    const hadFocus = this.contains(document.activeElement);
    const weight = (each) => (each.questions.length ? 0 : 1);
    const ordered = [...open].sort((one, other) => weight(one) - weight(other) || one.began - other.began);
    follow(this.cards, ordered, (each) => each.id, () => h("ast-procedure"), (node, each) => (node.open = each));
    this.#result();
    this.#first();
    // What had the focus may be gone, or hidden a moment later.
    if (hadFocus) setTimeout(() => document.activeElement === document.body && this.focusNext(), 50);
  }

  #build() {
    this.heading = h("h2", { class: "visually-hidden", tabindex: "-1", text: "Play" });
    this.cards = h("div", { class: "stack" });
    this.result = h("div", { class: "result-place" });
    this.first = h("div", null);
    this.composer = h("ast-composer");
    fill(this, this.heading, this.cards, this.result, this.first, this.composer);
    this.#readPremise();
  }

  /** After an answer the focus goes to the next question, as soon as it is there. */
  focusNext() {
    const next = this.querySelector(".mine > *");
    this.isExpecting = !next && askedOfMe().length > 0;
    if (!next) {
      if (this.isExpecting) return null;
      this.heading.focus();
      return this.scrollIntoView({ block: "start" });
    }
    next.focusPrompt();
    const card = next.closest("ast-procedure");
    return card.scrollIntoView({ block: card.offsetHeight < 0.8 * innerHeight ? "nearest" : "start" });
  }

  /** A result stays here until it is dismissed. */
  #result() {
    const { log, seq } = table.view;
    const over = log.findLast((entry) => entry.over && !entry.undone);
    const old = !over || over.seq <= Number(sessionStorage.getItem(DISMISSED) ?? 0) || seq - over.seq > 12;
    const key = old ? "" : String(over.seq);
    if (this.result.dataset.shown === key) return;
    this.result.dataset.shown = key;
    if (old) return void fill(this.result);
    const items = log.filter((entry) => entry.procedure === over.procedure && !entry.undone).flatMap((entry) => entry.items ?? []);
    const title = log.find((entry) => entry.procedure === over.procedure)?.text || "Result";
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
        h("header", { class: "row nowrap" }, h("h3", { class: "grow", text: title }), h("button", { type: "button", class: "btn small", text: "Dismiss", on: { click: close } })),
        story(gist(items)),
      ),
    );
  }

  #first() {
    const { characters, chairs, open, log } = table.view;
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
      return card("How it begins", this.#premise, ...(table.isGM ? [step("Invite players", "gm"), soft("or try one of the suggestions below.")] : []));
    }
    if (table.isGM && (!Object.keys(characters).length || (isFresh && chairs.length < 2))) {
      return card("A new table", "To begin with, in any order:", step("Invite players", "gm"), step("Add characters", "gm"), soft("or roll something right here."));
    }
    if (!table.isGM && !mine) return card("You have no character yet", begins, step("Choose or create a character", "sheet"), soft("or ask the GM to give you one."));
    return null;
  }
}

const soft = (text) => h("span", { class: "soft", text });

function step(label, panel) {
  return h("button", { type: "button", class: "btn", text: label, on: { click: () => showPanel(panel) } });
}

define("ast-play", Play);
