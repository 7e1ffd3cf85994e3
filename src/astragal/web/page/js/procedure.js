// One procedure in progress: what has happened, what is asked next, the dice and the odds.

import { Part, define, fill, follow, h, isNarrow, isNew, roving, showSheet } from "./dom.js";
import { called, capitals, isPool, lines, story } from "./story.js";
import { askKey } from "./questions.js";
import { isShown } from "./card.js";
import { portrait } from "./images.js";
import { conflict, isEffect, meetings, reveal, stand } from "./conflict.js";
import { fall } from "./dice.js";
import "./odds.js";
import { drawPicture } from "./picture.js";
import { drawWheel } from "./wheel.js";
import { table } from "./table.js";
import { apartIn, myTurns, writer } from "./turns.js";

const GM = "gm";
const CANCEL = "Cancel";
/** So many milliseconds what is new waits for the card, and a new procedure for its odds, too. */
const LATE = 400;

/** The entries of a procedure in which something happened. */
const entriesOf = (open) => table.view.log.filter((each) => each.procedure === open.id && !each.undone && each.items?.length);

/** What the latest entry of a procedure brought; dice stay until cards are turned or a part begins. */
function latest(open) {
  const entries = entriesOf(open);
  const has = (entry, test) => entry.items.some(test);
  const rolled = entries.findLastIndex((entry) => has(entry, ({ item }) => item === "rolled"));
  const turned = entries.findLastIndex((entry) => has(entry, ({ cards, role }) => cards || role === "heading"));
  const shown = entries.slice(rolled >= 0 && rolled >= turned ? rolled : -1);
  const count = shown.reduce((sum, { items }) => sum + items.length, 0);
  return open.story.slice(open.story.length - Math.min(count, open.story.length));
}

/** What this seat did not do itself, and what the card does not show already. */
function isNews(item, _, items) {
  if (item.item === "decided") return !item.usual && item.seat !== table.seat && !items.some((each) => each.item === "told");
  if (item.item === "changed") return item.target !== "scene";
  return !item.cards && !isPool(item) && !isEffect(item) && !(item.role === "aside" && item.bars);
}

/** More sheets than this are not listed above what is asked. */
const MOST_LINKS = 4;

/** More rolls than this at once are not listed beside the button: the story has them. */
const MOST_POOLS = 2;

/** The dice and the obstacle of a test that has not been rolled yet, each with its owner. */
function poolNumbers(items) {
  const last = items.findLastIndex((item) => item.cards || item.bars || item.role === "outcome" || item.role === "heading");
  const all = items.slice(last + 1).filter((item) => isPool(item) && item.numbers?.length);
  const shown = all.length > MOST_POOLS ? [] : all;
  return shown.flatMap(({ headline, numbers }) => numbers.map((number) => ({ ...number, who: all.length > 1 && headline ? `${headline}: ` : "" })));
}

/** The keys of this seat's characters. */
const mine = () => new Set(Object.entries(table.view.characters).flatMap(([key, each]) => (each.mine ? [key] : [])));

/** One procedure in progress. */
class Procedure extends Part {
  static watches = ["odds", "cards"];

  #open = null;
  #asked = "";
  #fetched = "";
  /** How much was told when it was last drawn up, the entry that told it, and whether the card is late. */
  #told = -1;
  #shown = -1;
  #from = 0;
  #isLate = false;
  #timer = 0;

  set open(open) {
    this.#open = open;
    if (this.isConnected) this.render();
  }

  render() {
    if (!this.head) this.#build();
    const open = this.#open;
    if (this.#awaitsCard(open)) return;
    const asks = myTurns().filter(({ procedure }) => procedure === open.id);
    this.className = `card procedure${asks.some(({ isFavour }) => !isFavour) ? " asks-me" : asks.length ? " hopes" : ""}`;
    this.#head(open);
    const isWriting = open.questions.some(({ question }) => question.kind === "script" && (isNarrow() || question.openers?.length) && (question.default ?? null) === null);
    if (isNew(this.now, [open.story.length, open.story.at(-1), isWriting])) {
      const now = latest(open);
      const { sides, picture, shown, effect } = conflict(open.story);
      const turned = now.findLastIndex((item) => item.cards) + 1;
      stand(this.bars, sides);
      if (isNew(this.picture, picture)) fill(this.picture, picture ? drawPicture(picture, mine()) : null);
      fill(this.before, story(now.slice(0, turned).filter(isNews), false));
      const together = effect?.meetings ? effect : null;
      if (isNew(this.shown, [shown, effect])) fill(this.shown, shown ? reveal(shown, together ? null : effect) : null, shown && together ? meetings(together) : null);
      const news = story(now.slice(turned).filter(isNews), false);
      // The slots for the cards come first: on a phone, and where there are many.
      fill(this.now, isWriting && news.length ? h("details", null, h("summary", { class: "soft", text: "What happened before" }), news) : news);
      const isOld = !entriesOf(open).some(({ seq }) => seq > table.opened);
      fall(this.before, open.id, isOld);
      fall(this.now, open.id, isOld);
      this.earlier.hidden = !open.story.length;
      this.tellAll();
    }
    this.#ask(open);
    this.#answerForOthers(open);
    const writing = open.waiting.filter((each) => each.writes_script || !isShown(table.cards[open.id]));
    if (isNew(this.waiting, writing)) fill(this.waiting, writing.map((each) => waitingLine(open, each)));
    this.#drawOdds(open);
    this.#appear(open);
  }

  /**
   * What has happened is drawn together with the card that comes of it, so that what people are about
   * to press moves once; until then nothing is pressed on the card from before.
   */
  #awaitsCard({ id, told, touched, questions, waiting }) {
    const at = `${table.arrivals} ${told} ${touched} ${[...questions, ...waiting].map(({ seat, key, about, step }) => `${seat}/${key ?? about}/${step}`)}`;
    if (this.#fetched !== at) {
      this.#fetched = at;
      table.fetchCard(id);
    }
    if (this.#told !== told) {
      [this.#told, this.#from, this.#isLate] = [told, table.view.seq, false];
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => {
        this.#isLate = true;
        this.renderIfSeated();
      }, LATE);
    }
    const awaits = !this.hidden && !this.#isLate && !(table.cards[id]?.seq >= this.#from);
    this.ariaBusy = String(awaits);
    return awaits;
  }

  /** It is shown with its card and its odds, so that nothing moves when they come; odds may be late. */
  #appear({ id, by, began, told }) {
    const play = this.closest("ast-play");
    if (this.hidden) {
      if (!this.#isLate && !(table.cards[id] && table.foreseen[id])) return;
      this.hidden = false;
      this.isWanted ||= by === table.seat && began > table.opened;
      play?.drawFirst();
    }
    // Whoever has just decided something here sees what comes of it.
    const isElsewhere = document.activeElement !== document.body && !this.contains(document.activeElement);
    const isNews = told !== this.#shown;
    if (this.isWanted || (this.isPressed && isNews && !isElsewhere)) play?.showTurn(id);
    if (isNews) this.isPressed = false;
    this.isWanted = false;
    this.#shown = told;
  }

  #build() {
    this.hidden = true;
    this.addEventListener("click", (event) => (this.ariaBusy === "true" ? event.stopPropagation() : (this.isPressed = true)), true);
    this.setAttribute("role", "article");
    this.head = h("header", null);
    this.bars = h("div", { class: "bars" });
    this.picture = h("div", { class: "picture-place" });
    this.before = h("div", { class: "now" });
    this.shown = h("div", { class: "shown" });
    this.now = h("div", { class: "now" });
    this.wheel = h("div", null);
    this.mine = h("div", { class: "mine" });
    this.release = h("ast-release");
    this.test = h("div", { class: "test" });
    this.tallies = h("div", { class: "tallies" });
    this.odds = h("ast-odds");
    this.others = h("div", null);
    this.waiting = h("div", { class: "waiting", role: "status" });
    this.earlierStory = h("div", null);
    this.earlier = h("details", { class: "earlier", on: { toggle: () => this.tellAll() } }, h("summary", { text: "Full history" }), this.earlierStory);
    this.foot = h("footer", { class: "row" });
    this.earns = h("p", { class: "earns soft" });
    this.test.append(this.tallies, this.earns, this.odds, this.release);
    fill(this, this.head, this.bars, this.picture, this.before, this.shown, this.now, this.wheel, this.mine, this.test, this.waiting, this.others, this.earlier, this.foot);
  }

  /** Scripts and the faces of dice are questions of their own; all else is on the card. */
  #ask(open) {
    const card = table.cards[open.id];
    const apart = apartIn(open, card);
    const asks = apart.map((question) => ({ ...question, procedure: open.id }));
    if (isShown(card)) asks.unshift({ card });
    follow(
      this.mine,
      asks,
      (ask) => (ask.card ? "card" : askKey(ask)),
      (ask) => h(ask.card ? "ast-card" : "ast-question"),
      (node, ask) => Object.assign(node, ask.card ? ask : { ask }),
    );
    const shown = this.mine.querySelector("ast-card");
    this.release.hidden = !shown;
    if (shown) this.release.state = { open, card, deliver: (send) => shown.deliver(send) };
    const play = this.closest("ast-play");
    if (asks.length && play?.isExpecting) play.focusNext();
  }

  tellAll() {
    fill(this.earlierStory, this.earlier.open ? story(this.#open.story) : null);
  }

  #head(open) {
    if (!isNew(this.head, [open.about, open.characters.map((key) => [table.view.characters[key]?.name, table.view.characters[key]?.portrait])])) return;
    fill(
      this.head,
      h("h3", { class: "title", text: open.title }),
      open.about && open.about !== open.title ? h("p", { class: "about", text: capitals(open.about) }) : null,
      h(
        "p",
        { class: "row soft small" },
        `Started by ${open.by === table.seat ? "you" : table.nameOf(open.by)}`,
        roving(h("span", { class: "row" }, (open.characters.length > MOST_LINKS ? [] : open.characters).map((key) => h("button", { type: "button", class: "btn quiet small", on: { click: () => showSheet(key) } }, portrait(key, 24), table.view.characters[key]?.name ?? key)))),
        open.secret ? h("span", { class: "tag", text: "secret" }) : null,
      ),
    );
    if (open.mine && !this.foot.children.length) this.foot.append(cancelButton(open.id));
  }

  /** The GM can answer for somebody who is away: what is asked next, with a reason. */
  #answerForOthers(open) {
    const others = open.waiting.filter(({ question }) => question).map(({ question }) => ({ ...question, procedure: open.id }));
    follow(this.others, others, askKey, (ask) => {
      const question = h("ast-question");
      question.ask = ask;
      return h("details", { class: "for-other" }, h("summary", { class: "soft", text: `Answer for ${table.nameOf(ask.seat)}` }), question);
    });
  }

  /** The tallies and the odds; fetched again whenever the procedure has moved on. */
  #drawOdds(open) {
    const isPictured = this.picture.children.length > 0;
    const hasRolls = table.cards[open.id]?.rolls.length > 0;
    // In the middle of a conflict there are odds of the next dice only.
    const wanted = !isPictured || hasRolls;
    const at = `${table.arrivals}:${open.story.length}:${open.touched}:${open.questions.map(askKey).join()}:${open.waiting.length}:${wanted}`;
    if (this.#asked !== at) {
      this.#asked = at;
      if (wanted) table.odds(open.id);
    }
    const known = table.foreseen[open.id];
    const isFresh = known?.told === open.told;
    const isNow = wanted && isFresh && known.rolls?.length > 0;
    const last = !isPictured || isNow ? known : null;
    const foresight = isFresh ? last : null;
    // Beside the odds of the next dice there is nothing of those that were rolled already.
    const ahead = isNow ? open.story.slice(open.story.findLastIndex(({ item }) => item === "rolled") + 1) : open.story;
    const numbers = foresight?.numbers?.length ? foresight.numbers : wanted ? poolNumbers(ahead) : [];
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
    if (isNew(this.wheel, last?.wheel)) fill(this.wheel, last?.wheel ? drawWheel(last.wheel) : null);
    // Where no dice are to be rolled, nobody misses the odds.
    const isIdle = !hasRolls && !foresight?.rolls?.length && (foresight?.chance ?? null) === null && !foresight?.rows?.length;
    if (isNew(this.odds, isIdle ? null : foresight)) this.odds.foresight = isIdle ? null : foresight;
    this.earns.textContent = foresight?.earns ? `logged as ${foresight.earns}` : "";
    const hasOdds = numbers.length > 0 || isNow || foresight?.rows?.length > 0 || (foresight?.chance ?? null) !== null;
    this.test.hidden = !hasOdds && this.release.hidden;
    this.test.classList.toggle("before-roll", hasRolls && !isPictured);
  }
}

/** Whom this waits for, and for what. */
function waitingLine(open, { seat, prompt, writes_script: isScript }) {
  const whom = isScript ? writer(open, seat) : seat === GM ? "the GM" : table.nameOf(seat);
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

define("ast-procedure", Procedure);
