// The stage: what is asked of me, what is going on, and what I may begin.

import { Part, define, fill, follow, h, isNarrow, showPanel, showSheet, words } from "./dom.js";
import { called, gist, lines, story } from "./story.js";
import { gameInfo, isDemo } from "./forms.js";
import { askKey } from "./questions.js";
import "./ahead.js";
import { conflict, reveal, stand } from "./conflict.js";
import "./odds.js";
import { table } from "./table.js";

/** How long a question waits to be put together with those that follow, in milliseconds. */
const PATIENCE = 400;
const DISMISSED = "astragal:dismissed";

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

/** What is not one's own doing, nor told in other words, nor shown by the card already. */
function isNews(item, _, items) {
  if (item.item === "decided") return !item.usual && item.seat !== table.seat && !items.some((each) => each.item === "told");
  if (item.item === "changed") return item.target !== "scene";
  return !item.cards && !["gathered", "met", "established"].includes(item.kind);
}

/** The dice and the obstacle of a test that has not been rolled yet, with whose they are. */
function gathered(items) {
  const last = items.findLastIndex((item) => item.cards || item.bars || ["came", "exchange_begins"].includes(item.kind));
  const all = items.slice(last + 1).filter((item) => item.kind === "gathered" && item.numbers?.length);
  return all.flatMap(({ sentence, numbers }) => numbers.map((number) => ({ ...number, who: all.length > 1 ? `${sentence.split(" rolls")[0]}: ` : "" })));
}

const drawn = new WeakMap();

/** Whether an element shows something else than this so far; from now on it shows this. */
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
  static watches = ["odds", "ahead"];

  #open = null;
  #asked = "";
  #wondered = "";
  #patient = false;
  /** What is asked, and of that what somebody has begun to answer: its card stays as it is. */
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
      const { sides, shown, meeting } = conflict(open.story);
      const turned = now.findLastIndex((item) => item.cards) + 1;
      stand(this.bars, sides);
      fill(this.before, story(now.slice(0, turned).filter(isNews), false));
      if (isNew(this.shown, [shown, meeting])) fill(this.shown, shown ? reveal(shown, meeting) : null);
      const news = story(now.slice(turned).filter(isNews), false);
      // On a phone the slots for the cards come first.
      fill(this.now, isWriting && news.length ? h("details", null, h("summary", { class: "soft", text: "What was said before" }), news) : news);
      this.earlier.hidden = !open.story.length;
      this.tellAll();
    }
    this.#ask(open.questions.map((question) => ({ ...question, procedure: open.id })));
    const others = open.waiting.filter(({ question }) => question).map(({ question }) => ({ ...question, procedure: open.id }));
    follow(this.others, others, askKey, (ask) => this.#forOther(ask));
    const scripted = open.story.findLast((item) => item.item === "told")?.kind === "exchange_begins";
    if (isNew(this.waiting, [open.waiting, scripted])) fill(this.waiting, open.waiting.map((each) => waitingLine(each, scripted)));
    this.#foresee(open);
  }

  #build() {
    this.setAttribute("role", "article");
    this.head = h("header", null);
    this.bars = h("div", { class: "bodies" });
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
    this.earlier = h("details", { class: "earlier", on: { toggle: () => this.tellAll() } }, h("summary", { text: "All that happened" }), this.earlierStory);
    this.foot = h("footer", { class: "row" });
    this.earns = h("p", { class: "earns soft" });
    this.test.append(this.tallies, this.earns, this.odds);
    fill(this, this.head, this.bars, this.before, this.shown, this.now, this.mine, this.test, this.waiting, this.others, this.earlier, this.foot);
  }

  /** One card for all that is asked before the dice, or one for each question. */
  #ask(mine) {
    const thrown = this.#open.story.findLast((item) => item.item !== "changed")?.item === "rolled";
    const plain = mine.length > 0 && !thrown && mine.every(({ question, secret }) => !secret && question.kind !== "script" && question.kind !== "faces");
    const at = (this.#at = mine.map(askKey).join());
    if (plain && this.#wondered !== `${table.arrivals} ${at}`) {
      this.#wondered = `${table.arrivals} ${at}`;
      this.#patient = true;
      table.ahead(this.#open.id);
      setTimeout(() => {
        this.#patient = false;
        this.renderIfSeated();
      }, PATIENCE);
    }
    const coming = table.coming[this.#open.id];
    const fits = coming && mine.every((ask) => coming.questions.some(({ key, prompt, step }) => key === ask.key && prompt === ask.prompt && step === ask.step));
    const begun = at && this.#touched === at ? this.mine.firstChild?.localName : null;
    const isTogether = plain && fits && (begun ? begun === "ast-ahead" : coming.questions.length > 1);
    const cards = isTogether ? [{ coming }] : plain && !fits && !begun && this.#patient ? [] : mine;
    follow(
      this.mine,
      cards,
      (ask) => (ask.coming ? `ahead:${at}` : askKey(ask)),
      (ask) => h(ask.coming ? "ast-ahead" : "ast-question"),
      (node, ask) => Object.assign(node, ask.coming ? ask : { ask }),
    );
    const stage = this.closest("ast-stage");
    if (cards.length && stage?.isExpecting) stage.focusNext();
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
        `begun by ${open.by === table.seat ? "you" : table.nameOf(open.by)}`,
        open.characters.map((key) => h("button", { type: "button", class: "btn quiet small", text: table.view.characters[key]?.name ?? key, on: { click: () => showSheet(key) } })),
        open.secret ? h("span", { class: "tag", text: "in secret" }) : null,
      ),
    );
    if (open.mine && !this.foot.children.length) this.foot.append(callOff(open.id));
  }

  #forOther(ask) {
    const question = h("ast-question");
    question.ask = ask;
    const name = table.nameOf(ask.seat);
    return h("details", { class: "for-other" }, h("summary", { text: `Answer for ${name}` }), question);
  }

  /** The tallies and the odds; asked for anew whenever the procedure has come further. */
  #foresee(open) {
    const at = `${table.arrivals}:${open.story.length}:${open.questions.map(askKey).join()}:${open.waiting.length}`;
    if (this.#asked !== at && isMine(open)) {
      this.#asked = at;
      table.odds(open.id, this.mine.querySelector("ast-ahead")?.otherwise);
    }
    const foresight = table.foreseen[open.id];
    const numbers = foresight?.numbers?.length ? foresight.numbers : gathered(open.story);
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
    this.earns.textContent = foresight?.earns ? `would count as ${foresight.earns}` : "";
    this.test.hidden = !numbers.length && !foresight?.rows?.length && (foresight?.chance ?? null) === null;
  }
}

define("ast-procedure", Procedure);

/** What somebody is doing, by the key of what they are asked. */
const DOING = {
  accept_concession: "is weighing the concession",
  accept_help: "is looking at the help on offer",
  accept_terms: "is weighing the terms",
  advantage: "is looking for advantages",
  after_roll: "is looking at the dice",
  body_method: "is weighing the matter",
  boon: "is thinking about artha",
  case: "is stating the case",
  complication: "is thinking of a complication",
  concede: "may concede",
  concession: "is thinking of a concession",
  consequence: "is thinking of what failure brings",
  disadvantages: "is looking for disadvantages",
  dn: "is setting the number",
  duel: "is answering the challenge",
  faces: "is throwing dice",
  fair: "is weighing the offer",
  forks: "is looking for skills that help",
  gm_advantage: "is judging the advantage",
  help: "is asked for help",
  obstacle: "is setting the obstacle",
  script: "is writing a script",
  skill: "is choosing a skill",
  speaks_first: "is deciding who speaks first",
  speech: "is speaking",
  split: "is dividing the dice",
  spoken: "is judging the words",
  task: "is describing it",
  terms_loses: "is stating terms",
  terms_wins: "is stating terms",
  vote: "is voting",
};

function waitingLine({ seat, about }, isScripted) {
  const does = about ? (DOING[about] ?? `is deciding: ${words(about)}`) : isScripted ? DOING.script : "is deciding, unseen by the others";
  return h("p", { class: "waits" }, h("span", null, h("b", { text: table.nameOf(seat) }), ` ${does}.`));
}

/** Calling something off takes a second touch. */
function callOff(procedure) {
  const button = h("button", { type: "button", class: "btn quiet small", text: "Call it off" });
  let sure = false;
  button.addEventListener("click", () => {
    if (sure) table.do({ do: "withdraw", procedure });
    sure = !sure;
    button.textContent = sure ? "Really? Nothing of it will hold" : "Call it off";
    button.classList.toggle("bad", sure);
  });
  button.addEventListener("blur", () => {
    sure = false;
    button.textContent = "Call it off";
    button.classList.remove("bad");
  });
  return button;
}

class Stage extends Part {
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
    this.quiet.hidden = open.length > 0 || this.first.hasChildNodes();
    // What was focused may be gone, or be hidden a moment later.
    if (hadFocus) setTimeout(() => document.activeElement === document.body && this.focusNext(), 50);
  }

  #build() {
    this.heading = h("h2", { class: "unseen", tabindex: "-1", text: "The stage" });
    this.cards = h("div", { class: "stack" });
    this.result = h("div", { class: "result-place" });
    this.first = h("div", null);
    this.quiet = h("p", { class: "quiet-line soft", text: "Nothing is asked of you." });
    this.composer = h("ast-composer");
    fill(this, this.heading, this.cards, this.result, this.first, this.quiet, this.composer);
    this.#readPremise();
  }

  /** Whoever has just answered goes on to the next question, as soon as it is there. */
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

  /** What has just come to its end stays here until somebody has read it. */
  #result() {
    const { log, seq } = table.view;
    const over = log.findLast((entry) => entry.over && !entry.undone);
    const old = !over || over.seq <= Number(sessionStorage.getItem(DISMISSED) ?? 0) || seq - over.seq > 12;
    const key = old ? "" : String(over.seq);
    if (this.result.dataset.shown === key) return;
    this.result.dataset.shown = key;
    if (old) return void fill(this.result);
    const items = log.filter((entry) => entry.procedure === over.procedure && !entry.undone).flatMap((entry) => entry.items ?? []);
    const title = log.find((entry) => entry.procedure === over.procedure)?.text || "It is over";
    const close = () => {
      sessionStorage.setItem(DISMISSED, key);
      this.#result();
      this.heading.focus();
    };
    fill(
      this.result,
      h(
        "section",
        { class: "card result-card", aria: { label: "What came of it" } },
        h("header", { class: "row nowrap" }, h("h3", { class: "grow", text: title }), h("button", { type: "button", class: "btn small", text: "Done", on: { click: close } })),
        story(gist(items)),
      ),
    );
  }

  #first() {
    const { characters, chairs, open, log } = table.view;
    const steps = [this.#premise, table.isGM, Object.values(characters).map(({ mine }) => mine), chairs.length > 1, open.length > 0, log.some((entry) => entry.procedure)];
    if (isNew(this.first, steps)) fill(this.first, this.#firstSteps());
  }

  /** A demo has a premise. */
  async #readPremise() {
    const game = await gameInfo().catch(() => null);
    this.#premise = isDemo(game) && game.demo.title === table.view.campaign.title ? game.demo.premise : "";
    this.renderIfSeated();
  }

  /** What a table that nobody has played at yet is about, and what to do first. */
  #firstSteps() {
    const { characters, chairs, open, log } = table.view;
    if (open.length || table.isSpectator) return null;
    const mine = Object.values(characters).some((each) => each.mine);
    const isFresh = !log.some((entry) => entry.procedure);
    const begins = isFresh ? this.#premise : "";
    const card = (heading, text, ...row) => h("section", { class: "card first-steps" }, h("h2", { text: heading }), text ? h("p", { text }) : null, row.length ? h("div", { class: "row" }, row) : null);
    if (begins && (table.isGM || mine)) {
      return card("How it begins", this.#premise, ...(table.isGM ? [step("Invite somebody", "hand"), soft("or try one of these yourself.")] : []));
    }
    if (table.isGM && (!Object.keys(characters).length || (isFresh && chairs.length < 2))) {
      return card("A new table", "Three things to begin with, in any order:", step("Invite somebody", "hand"), step("Bring in characters", "hand"), soft("or roll something right here."));
    }
    if (!table.isGM && !mine) return card("You have no character yet", begins, step("Bring one to the table", "sheet"), soft("or ask the GM to give you one."));
    return null;
  }
}

const soft = (text) => h("span", { class: "soft", text });

function step(label, panel) {
  return h("button", { type: "button", class: "btn", text: label, on: { click: () => showPanel(panel) } });
}

define("ast-stage", Stage);
