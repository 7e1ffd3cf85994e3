// Writing the script of several volleys: a card for the position and cards for the actions of each.
// What is not allowed is said while one writes; a card that needs others before it brings them along.

import { Part, announce, define, fill, h } from "./dom.js";
import { ruleLink, withRule } from "./rules.js";
import { suggestedScripts } from "./suggested_scripts.js";
import { table } from "./table.js";
import { othersWriting } from "./turns.js";

const DRAFT = "astragal:script:";

/** Whether a rule allows a card after these: all before it, those of its own volley, and the earlier volleys. */
function allows({ limit, cards, others, count, carried, until }, opener, before, volley, card, earlier) {
  if (!cards.includes(card) || limit === "required" || before.some((each) => until.includes(each))) return true;
  if (limit === "not_twice") return !cards.includes(before.at(-1));
  if (limit === "first") return !volley.length;
  if (limit === "once") return !volley.some((each) => cards.includes(each));
  if (limit === "opened_by") return opener === null || others.includes(opener);
  if (limit === "after") {
    const needed = [...Array(carried).fill(others[0]), ...before].slice(-count);
    return needed.length === count && needed.every((each) => others.includes(each));
  }
  if (limit === "apart") {
    const used = (those) => those.some((each) => cards.includes(each));
    const waits = earlier.reduce((still, each) => each.opener !== null && !others.includes(each.opener) && (still || used(each.cards)), carried > 0);
    return !waits && !used(volley);
  }
  return false;
}

/** How many actions a card takes by itself. */
const actionsOf = ({ cost }) => Number(/^(\d+) actions\b/.exec(cost ?? "")?.[1] ?? 1);
const many = (count, what) => `${count} ${what}${count === 1 ? "" : "s"}`;

/**
 * `ask` is the question, with `send(answer)` to lock it in, or `changed()` where it is one line of a
 * card. `answer` is the script, or undefined while something is missing or not allowed.
 */
class VolleyScript extends Part {
  static watches = ["open"];

  #ask = null;
  #openers = [];
  #chosen = [];
  #acts = [];
  #spread = 0;
  /** The slot that the next card goes to: the position of a volley, or an action. */
  #at = { volley: 0 };
  #shown = "";

  set ask(ask) {
    this.#ask = ask;
    const { spreads } = ask.question;
    this.#openers = spreads[0].map(() => null);
    this.#chosen = spreads[0].map(() => false);
    this.#acts = Array(spreads[0].reduce((all, each) => all + each, 0)).fill(null);
    const kept = ask.send && sessionStorage.getItem(this.#draftKey);
    if (kept) this.#read(JSON.parse(kept));
    else if (ask.question.default) this.#read(ask.question.default);
    this.#at = this.#nextEmpty() ?? { volley: 0 };
  }

  get answer() {
    return this.#missing().length || this.#problems().length || this.#required().length ? undefined : this.#written();
  }

  render() {
    if (!this.#ask) return;
    if (!this.slots) this.#build();
    if (this.#ask.send) this.#others();
    this.#show();
  }

  // --- The script -------------------------------------------------------------------------------

  get #volleys() {
    let from = 0;
    return this.#ask.question.spreads[this.#spread].map((length, volley) => {
      const at = from;
      from += length;
      return { volley, at, cards: this.#acts.slice(at, from) };
    });
  }

  /** A script as it is answered: an opener, its cards, an opener, its cards. */
  #written() {
    return this.#volleys.flatMap(({ volley, cards }) => [this.#openers[volley], ...cards]);
  }

  /** The other way round; what is not among the cards stays empty. */
  #read(script) {
    const { openers, cards, spreads } = this.#ask.question;
    const isOpener = (key) => key === null || openers.some((each) => each.key === key);
    const spread = spreads.findIndex((each) => {
      let at = 0;
      return each.every((length) => isOpener(script[at]) && (at += length + 1));
    });
    if (spread < 0 || script.length !== this.#openers.length + this.#acts.length) return;
    this.#spread = spread;
    let at = 0;
    spreads[spread].forEach((length, volley) => {
      this.#openers[volley] = script[at] ?? null;
      this.#chosen[volley] = script[at] !== null;
      at += length + 1;
    });
    const known = new Set(cards.map(({ key }) => key));
    const starts = new Set(spreads[spread].reduce((all, length) => [...all, all.at(-1) + length + 1], [0]));
    this.#acts = script.filter((_, place) => !starts.has(place)).map((key) => (known.has(key) ? key : null));
  }

  /** The volleys before one, with their openers. */
  #earlier(volley) {
    return this.#volleys.slice(0, volley).map((each) => ({ opener: this.#openers[each.volley], cards: each.cards }));
  }

  #problems() {
    return this.#volleys.flatMap(({ volley, at, cards }) =>
      cards.flatMap((card, slot) => {
        const broken = card && this.#ask.question.rules.find((rule) => !allows(rule, this.#openers[volley], this.#acts.slice(0, at + slot), cards.slice(0, slot), card, this.#earlier(volley)));
        return broken ? [{ at: at + slot, volley, slot, rule: broken }] : [];
      }),
    );
  }

  /** What has to be somewhere in the script and is not, once every slot is filled. */
  #required() {
    if (this.#acts.includes(null)) return [];
    return this.#ask.question.rules.filter(({ limit, cards, others }) => limit === "required" && !this.#acts.some((card) => cards.includes(card) || others.includes(card)));
  }

  #missing() {
    const positions = this.#openers.filter((each) => !each).length;
    const acts = this.#acts.filter((each) => !each).length;
    return [positions ? many(positions, "position") : "", acts ? many(acts, "action") : ""].filter(Boolean);
  }

  /** The slots in the order in which they are filled. */
  #places() {
    return this.#volleys.flatMap(({ volley, at, cards }) => [{ volley }, ...cards.map((_, slot) => ({ volley, act: at + slot }))]);
  }

  #holds({ volley, act }) {
    return act === undefined ? this.#openers[volley] : this.#acts[act];
  }

  #nextEmpty(after = null) {
    const places = this.#places();
    const from = after ? places.findIndex((each) => same(each, after)) + 1 : 0;
    return [...places.slice(from), ...places.slice(0, from)].find((each) => !this.#holds(each)) ?? null;
  }

  // --- Placing cards ----------------------------------------------------------------------------

  #put(card) {
    const at = this.#at;
    if (at.act === undefined) this.#open(at.volley, card.key);
    else if (!this.#place(card, at.act)) return;
    this.#at = this.#nextEmpty(this.#at) ?? at;
    this.#shown = card.key;
    this.#changed(`${this.#nameOf(at)}: ${card.label}`);
  }

  /** A position is kept in later volleys until another is chosen there. */
  #open(volley, key) {
    this.#openers[volley] = key;
    this.#chosen[volley] = true;
    for (let later = volley + 1; later < this.#openers.length && !this.#chosen[later]; later += 1) this.#openers[later] = key;
  }

  /** Put an action into a slot, with what it needs before it; false if there is no room. */
  #place(card, act) {
    const needed = this.#neededBefore(card, act);
    const chain = [...needed, ...Array(actionsOf(card)).fill(card.key)];
    const free = this.#acts.findIndex((each, place) => place > act && each);
    const room = (free < 0 ? this.#acts.length : free) - act;
    if (needed.length >= room) {
      this.#say(`${card.label}: ${many(needed.length + 1, "action")} in a row, and there ${room === 1 ? "is" : "are"} ${room}. Start it in an earlier slot.`, card.rule);
      return false;
    }
    chain.slice(0, room).forEach((key, place) => (this.#acts[act + place] = key));
    const { volley } = this.#volleys.findLast(({ at, cards }) => at <= act && cards.length);
    const opened = this.#ask.question.rules.find(({ limit, cards }) => limit === "opened_by" && cards.includes(card.key));
    if (opened && !opened.others.includes(this.#openers[volley])) {
      this.#openers[volley] = opened.others[0];
      this.#chosen[volley] = true;
    }
    this.#at = { volley, act: act + Math.min(chain.length, room) - 1 };
    this.#say("");
    return true;
  }

  /** The cards that have to come directly before this one and are not there yet. */
  #neededBefore(card, act) {
    const over = ({ until }) => this.#acts.slice(0, act).some((each) => until.includes(each));
    const rule = this.#ask.question.rules.find((each) => each.limit === "after" && each.cards.includes(card.key) && !over(each));
    if (!rule) return [];
    const before = [...Array(rule.carried).fill(rule.others[0]), ...this.#acts.slice(0, act)];
    let there = 0;
    while (there < rule.count && rule.others.includes(before.at(-1 - there))) there += 1;
    return Array(rule.count - there).fill(rule.others[0]);
  }

  /** Why a card cannot go into the slot that is chosen, if so. */
  #barred(card) {
    const { act } = this.#at;
    if (act === undefined) return null;
    const { volley, at, cards } = this.#volleys.findLast((each) => each.at <= act && each.cards.length);
    const needed = this.#neededBefore(card, act);
    const [before, own] = [[...this.#acts.slice(0, act), ...needed], [...cards.slice(0, act - at), ...needed]];
    const broken = (rule) => ["not_twice", "first", "once", "apart"].includes(rule.limit) && !allows(rule, this.#openers[volley], before, own, card.key, this.#earlier(volley));
    return this.#ask.question.rules.find(broken) ?? null;
  }

  #clear(at) {
    if (at.act === undefined) [this.#openers[at.volley], this.#chosen[at.volley]] = [null, false];
    else this.#acts[at.act] = null;
    this.#at = at;
    this.#changed(`${this.#nameOf(at)}: empty`);
  }

  #clearAll() {
    this.#openers.fill(null);
    this.#chosen.fill(false);
    this.#acts.fill(null);
    this.#at = { volley: 0 };
    this.#changed("Empty");
    this.slots.querySelector("button").focus();
  }

  /** Take over a script as it was suggested. */
  #suggested({ label, cards }) {
    this.#read(cards);
    this.#say("");
    this.#at = { volley: 0 };
    this.#changed(`${label}: ${cards.map((card) => this.#card(card)?.label).join(", ")}`);
  }

  #changed(said) {
    announce(said);
    this.#show();
    if (this.#ask.send) sessionStorage.setItem(this.#draftKey, JSON.stringify(this.#written()));
    this.#ask.changed?.();
  }

  get #draftKey() {
    const { procedure, step, seat } = this.#ask;
    return `${DRAFT}${table.campaign}:${procedure}:${step}:${seat}`;
  }

  async #send() {
    const key = this.#draftKey;
    await this.#ask.send(this.#written());
    if (!this.isConnected) sessionStorage.removeItem(key);
  }

  // --- Drawing ----------------------------------------------------------------------------------

  #build() {
    const { question, send } = this.#ask;
    this.slots = h("div", { class: "volleys", role: "group", aria: { label: "Your script" } });
    this.spreads = h("div", { class: "row spreads", role: "group", aria: { label: "Actions in each volley" } });
    this.wrong = h("ul", { class: "wrong-cards" });
    this.hint = h("p", { class: "soft hint-line", role: "status" });
    this.hand = h("div", { class: "action-cards", role: "group", aria: { label: "Your cards" } });
    this.hand.addEventListener("keydown", (event) => this.#walk(event));
    this.rest = h("div", { class: "action-cards", role: "group", aria: { label: "Other cards" } });
    this.rest.addEventListener("keydown", (event) => this.#walk(event));
    this.more = h("details", { class: "more-cards" }, h("summary", null), this.rest);
    this.info = h("p", { class: "card-info soft small" });
    this.lock = h("button", { type: "button", class: "btn main", text: "Lock in", on: { click: () => this.#send() } });
    this.left = h("span", { class: "soft small", role: "status" });
    this.backs = h("div", { class: "backs" });
    const clear = h("button", { type: "button", class: "btn quiet", text: "Start over", on: { click: () => this.#clearAll() } });
    const [first] = question.openers;
    const now = first.note && question.openers.every(({ note }) => note === first.note) ? first.note : "";
    fill(
      this,
      h("div", { class: "row script-head" }, suggestedScripts(this.#ask, (script) => this.#suggested(script)), this.spreads, now ? h("span", { class: "soft small", text: `Now: ${now}` }) : null),
      this.slots,
      h("div", { role: "status" }, this.wrong),
      this.hint,
      this.hand,
      this.more,
      this.info,
      question.barred?.length ? barred(question.barred) : null,
      h("div", { class: "row lock-row" }, send ? this.lock : null, clear, this.left),
      this.backs,
    );
  }

  #show() {
    const { spreads } = this.#ask.question;
    const problems = this.#problems();
    const required = this.#required();
    const missing = this.#missing();
    this.#showSpreads(spreads);
    fill(this.slots, this.#volleys.map((each) => this.#volley(each, problems)));
    fill(
      this.wrong,
      problems.map(({ volley, slot, rule }) => h("li", null, withRule(`Volley ${volley + 1}, action ${slot + 1}: expected ${rule.words}.`, rule.rule))),
      required.map(({ words: said, rule }) => h("li", null, withRule(`Missing: ${said}.`, rule))),
    );
    this.#showHand();
    const shown = this.#card(this.#shown);
    fill(this.info, shown?.rule ? withRule(`${shown.label}${shown.note ? `: ${shown.note}` : ""}`, shown.rule) : null);
    const isWrong = problems.length + required.length > 0;
    this.lock.disabled = missing.length > 0 || isWrong;
    this.left.textContent = missing.length ? `Open: ${missing.join(", ")}` : isWrong ? "Not allowed like this" : "";
  }

  #showSpreads(spreads) {
    if (spreads.length < 2) return;
    const had = document.activeElement?.dataset?.spread;
    fill(
      this.spreads,
      h("span", { class: "soft small", text: "Actions:" }),
      spreads.map((each, at) =>
        h("button", { type: "button", class: "chip", text: each.join("\u2013"), data: { spread: at }, aria: { pressed: String(at === this.#spread), label: `${each.join(", ")} actions` }, on: { click: () => this.#spreadBy(at) } }),
      ),
    );
    if (had) this.spreads.querySelector(`[data-spread="${had}"]`)?.focus();
  }

  #spreadBy(at) {
    this.#spread = at;
    this.#at = this.#nextEmpty() ?? { volley: 0 };
    this.#changed(`${this.#ask.question.spreads[at].join(", ")} actions`);
  }

  #volley({ volley, at, cards }, problems) {
    const name = this.#ask.question.names?.[volley] || `Volley ${volley + 1}`;
    return h(
      "div",
      { class: "volley-slots", role: "group", aria: { label: name } },
      h("small", { class: "volley-name", text: name }),
      this.#slot({ volley }, "Position", false),
      cards.map((_, slot) => this.#slot({ volley, act: at + slot }, cards.length > 1 ? `Action ${slot + 1}` : "Action", problems.some((each) => each.at === at + slot))),
    );
  }

  #slot(at, name, isWrong) {
    const card = this.#card(this.#holds(at));
    const key = `${at.volley}/${at.act ?? ""}`;
    const hadFocus = document.activeElement?.dataset?.slot === key && this.contains(document.activeElement);
    const button = h(
      "button",
      {
        type: "button",
        class: `slot${card ? " filled" : ""}${at.act === undefined ? " position" : ""}${isWrong ? " wrong" : ""}`,
        data: { slot: key },
        aria: { pressed: String(same(at, this.#at)), label: `${name}: ${card?.label ?? "empty"}${isWrong ? ", not allowed here" : ""}` },
        on: { click: () => this.#choose(at) },
      },
      h("small", { text: name }),
      h("span", { class: "slot-face", text: card?.label ?? "empty" }),
    );
    button.addEventListener("keydown", (event) => {
      if (event.key === "Delete" || event.key === "Backspace") this.#clear(at);
    });
    button.addEventListener("dragover", (event) => event.preventDefault());
    button.addEventListener("drop", (event) => {
      event.preventDefault();
      const dropped = this.#card(event.dataTransfer.getData("text/plain"));
      if (!dropped || this.#isOpener(dropped) !== (at.act === undefined)) return;
      this.#at = at;
      this.#put(dropped);
    });
    if (hadFocus) queueMicrotask(() => button.focus());
    return button;
  }

  #choose(at) {
    this.#at = at;
    this.#shown = this.#holds(at) ?? "";
    this.#say("");
    this.#show();
  }

  /** Cards for the slot that is chosen: positions, or actions, the usual ones in front. */
  #showHand() {
    const { openers, cards } = this.#ask.question;
    const isPosition = this.#at.act === undefined;
    const usual = cards.filter(({ note }) => note);
    const seldom = usual.length ? cards.filter(({ note }) => !note) : [];
    const key = isPosition ? "position" : "actions";
    if (this.hand.dataset.of !== key) {
      this.hand.dataset.of = key;
      this.hand.classList.toggle("positions", isPosition);
      fill(this.hand, (isPosition ? openers : usual.length ? usual : cards).map((card) => this.#handCard(isPosition ? { ...card, note: "" } : card)));
      fill(this.rest, seldom.map((card) => this.#handCard(card)));
      for (const group of [this.hand, this.rest]) group.querySelectorAll("button").forEach((each, at) => (each.tabIndex = at ? -1 : 0));
      this.more.hidden = isPosition || !seldom.length;
      this.more.firstChild.textContent = `${seldom.length} other actions`;
    }
    for (const group of [this.hand, this.rest]) {
      for (const button of group.children) {
        const rule = this.#barred(this.#card(button.dataset.card));
        button.setAttribute("aria-disabled", String(Boolean(rule)));
      }
    }
  }

  #handCard(card) {
    const place = () => {
      const rule = this.#barred(card);
      if (rule) return this.#say(`Not here: ${rule.words}.`, rule.rule);
      this.#say("");
      return this.#put(card);
    };
    const button = h(
      "button",
      { type: "button", class: "action-card", draggable: "true", data: { card: card.key }, on: { click: place } },
      h("b", null, card.label, card.cost && actionsOf(card) > 1 ? h("span", { class: "cost", text: card.cost }) : null),
      card.note ? h("small", { text: card.note }) : null,
    );
    button.addEventListener("dragstart", (event) => event.dataTransfer.setData("text/plain", card.key));
    return button;
  }

  /** The arrow keys go from card to card; the group is one stop of the Tab key. */
  #walk(event) {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    const cards = [...event.currentTarget.querySelectorAll("button")];
    const at = cards.indexOf(document.activeElement);
    if (!step || at < 0) return;
    event.preventDefault();
    const next = cards[(at + step + cards.length) % cards.length];
    cards.forEach((each) => (each.tabIndex = each === next ? 0 : -1));
    next.focus();
  }

  #say(text, rule = "") {
    fill(this.hint, text ? withRule(text, rule) : null);
  }

  #card(key) {
    const { openers, cards } = this.#ask.question;
    return key ? [...openers, ...cards].find((each) => each.key === key) : undefined;
  }

  #isOpener({ key }) {
    return this.#ask.question.openers.some((each) => each.key === key);
  }

  #nameOf({ volley, act }) {
    const { at } = this.#volleys[volley];
    return act === undefined ? `Volley ${volley + 1}, position` : `Volley ${volley + 1}, action ${act - at + 1}`;
  }

  /** Who else is writing. */
  #others() {
    const back = () => h("span", { class: "back", aria: { hidden: "true" } });
    fill(this.backs, othersWriting(this.#ask).map((says) => h("p", { class: "face-down soft" }, [back(), back(), back()], says)));
  }
}

const same = (one, other) => one.volley === other.volley && one.act === other.act;

/** Cards that cannot be scripted here, each with the reason. */
function barred(cards) {
  const why = ({ label, note, rule }) => h("li", null, h("b", { text: label }), " ", h("span", { class: "soft" }, note, " ", ruleLink(rule)));
  return h("details", { class: "barred-cards" }, h("summary", { class: "soft", text: `Not here: ${cards.map(({ label }) => label).join(", ")}` }), h("ul", null, cards.map(why)));
}

define("ast-volley-script", VolleyScript);

/** As one line of a card: folded away until somebody wants to change it. */
export function scriptControl(question, changed) {
  const node = h("ast-volley-script");
  node.ask = { question, changed };
  const details = h("details", null, h("summary", { text: "Change it" }), node);
  return { node: details, read: () => node.answer, says: () => "Confirm", isBusy: () => details.open };
}
