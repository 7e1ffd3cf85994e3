// The card of a procedure: everything that is asked before the next dice, for the whole table.
// Each line belongs to a seat, which changes it at any time; the server keeps the drafts.

import { Part, define, fill, follow, h, listed } from "./dom.js";
import { control, showOdds } from "./controls.js";
import { attempt, errorLine } from "./forms.js";
import { largeButtons } from "./questions.js";
import { ruleLink, withRule } from "./rules.js";
import { table } from "./table.js";
import { isFavour, isOnCard, readyFor } from "./turns.js";

const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
const lineKey = ({ seat, key, prompt }) => `${seat}\n${key}\n${prompt}`;

/** At most this many choices are shown with their odds before anything is changed. */
const MOST_WITH_ODDS = 24;
/** Milliseconds before a change is sent: for a tap, and while somebody is typing. */
const SOON = 40;
const TYPING = 600;

/** Choices that add or cost something are shown with their odds. */
const affectsOdds = ({ question }) => question.kind === "number" || (question.options ?? []).some(({ note, cost }) => /\d/.test(note + cost));
/** Many choices need the whole width. */
const isLong = ({ question }) => question.kind === "number" || (question.kind === "pick_several" && question.options.map(({ label }) => label).join("").length > 40);

/** The lines of this seat that are answered on the card, by what becomes of them untouched. */
function sorted(card) {
  const mine = card.lines.filter((line) => line.seat === table.seat && isOnCard(line));
  const isNeeded = (line) => line.kind === "needed" || line.is_open;
  const isChip = (line) => line.kind === "consent" && !line.is_open && line.question.kind === "yes_no";
  return {
    needed: mine.filter(isNeeded),
    offered: mine.filter((line) => line.kind === "offered" && !isNeeded(line)),
    consents: mine.filter(isChip),
    folded: mine.filter((line) => !isNeeded(line) && line.kind !== "offered" && !isChip(line)),
  };
}

/** The one line that is all there is to decide, where one press decides it. */
function onlyChoice(card) {
  const { needed, offered } = sorted(card);
  const [line, more] = [...needed, ...offered];
  const isPress = line && !more && ["pick_one", "yes_no"].includes(line.question.kind);
  return isPress && !card.rolls.length && card.releasers.includes(table.seat) ? line : null;
}

/** Whether there is anything on a card for this seat to see. */
export const isShown = (card) => Boolean(card?.lines.some((line) => isOnCard(line)) || card?.rolls.length);

/** The obstacles that the GM has set in advance, where one is asked for. */
function presetsFor({ key, seat, question }) {
  const isObstacle = seat === table.seat && table.isGM && question.kind === "number" && key.includes("obstacle");
  return isObstacle ? table.view.saved.filter((each) => !each.procedure).map(({ name, arguments: { obstacle } }) => [obstacle, name]) : [];
}

class Card extends Part {
  static watches = ["odds"];

  #card = null;
  #rows = new Map();
  /** Answers that are changed and not sent yet, by line. */
  #unsent = new Map();
  /** For each line its latest delivery: the entry that has it, or Infinity while it is on its way. */
  #sent = new Map();
  #timer = 0;
  #oddsFor = null;
  #round = 0;

  set card(card) {
    if (this.#card === card) return;
    this.#card = card;
    if (this.isConnected) this.render();
  }

  focusPrompt() {
    (this.querySelector(".ask-prompt, .prompt") ?? this).focus({ preventScroll: true });
  }

  render() {
    if (!this.#card) return;
    if (!this.needed) this.#build();
    const card = this.#card;
    const only = onlyChoice(card);
    const { needed, offered, consents, folded } = sorted(card);
    const shown = only ? [] : [...needed, ...offered];
    const known = new Set(card.lines.map(lineKey));
    for (const key of this.#rows.keys()) if (!known.has(key)) this.#rows.delete(key);
    follow(this.one, only ? [only] : [], lineKey, (line) => this.#large(line));
    this.#follow(this.needed, shown);
    follow(this.consents, consents, lineKey, (line) => this.#consent(line), (node, line) => this.#isAhead(line) || node.show(line));
    this.standing.hidden = !consents.length;
    this.#follow(this.folded, folded);
    this.more.hidden = !folded.length;
    const changed = folded.filter(({ drafted }) => drafted).length;
    this.summary.textContent = `${folded.length - changed} ${folded.length - changed === 1 ? "default" : "defaults"}${changed ? `, ${changed} changed` : ""}`;
    follow(this.others, [...card.lines.filter((line) => isOthersNews(line, card)), ...othersRolls(card)], lineKey, () => h("li", null), showOther);
    this.#drawPool(card);
    this.refusal.say(card.refusal ? { line: card.refusal } : null);
    const base = table.foreseen[card.procedure];
    if (base && base !== this.#oddsFor) this.#showOdds(base);
    this.#oneStopForEachRule();
  }

  /** A rule that several lines lead to is reached once with the Tab key. */
  #oneStopForEachRule() {
    const known = new Set();
    for (const term of this.querySelectorAll(".rule-link")) {
      term.tabIndex = known.has(term.title) ? -1 : 0;
      known.add(term.title);
    }
  }

  #build() {
    this.one = h("div", null);
    this.needed = h("div", { class: "asks" });
    this.consents = h("div", { class: "chips" });
    this.standing = h("div", { class: "standing", role: "group", aria: { label: "Applies unless you cross it out" } }, h("small", { class: "soft", text: "Applies unless you cross it out:" }), this.consents);
    this.folded = h("div", { class: "asks" });
    this.summary = h("summary", null);
    this.more = h("details", null, this.summary, this.folded);
    this.others = h("ul", { class: "others-lines", aria: { label: "What the others do", live: "polite" } });
    this.pool = h("ul", { class: "pool-so-far", aria: { label: "The pool so far" } });
    this.error = errorLine();
    this.refusal = errorLine();
    fill(this, this.one, this.needed, this.pool, this.others, this.standing, this.more, this.refusal, this.error);
  }

  /** The pool as it is gathered, for those who do not gather it themselves. */
  #drawPool({ procedure, releasers, rolls }) {
    const known = table.foreseen[procedure];
    const parts = (known?.numbers ?? []).filter(({ name }) => name === "dice").flatMap(({ lines }) => lines);
    this.pool.hidden = releasers.includes(table.seat) || !rolls.length || (known && !parts.length);
    follow(this.pool, parts.map(([amount, label], at) => ({ key: `${at}${label}`, says: `${at && amount >= 0 ? "+" : ""}${amount}D`, label })), ({ key }) => key, () => h("li", null), (node, { says, label }) => fill(node, h("b", { text: says }), h("span", { text: label })));
  }

  /** Whether somebody here has changed a line since the card was drawn up. */
  #isAhead(line) {
    const key = lineKey(line);
    return this.#unsent.has(key) || this.#sent.get(key)?.entry > this.#card.seq;
  }

  /** Rows that are there stay, with what is half typed in them, unless somebody else changed them. */
  #follow(place, lines) {
    follow(
      place,
      lines,
      lineKey,
      (line) => {
        const row = h("div", { role: "group", data: { ask: line.key }, aria: { label: line.prompt } });
        this.#fillRow(row, line);
        return row;
      },
      (row, line) => {
        const had = this.#rows.get(lineKey(line));
        const isTyping = row.contains(document.activeElement) && document.activeElement.matches("textarea, input[type=text], input[type=number]");
        const isOther = had && (!same(had.made.read(), answerOf(line)) || !same(had.line.question, line.question));
        const isInUse = isTyping || had?.made.isBusy?.() || this.#isAhead(line);
        if (!had || (isOther && !isInUse)) this.#fillRow(row, line);
        row.classList.toggle("missing", Boolean(line.is_open));
      },
    );
  }

  #fillRow(row, line) {
    const question = { ...line.question, default: answerOf(line) ?? null, presets: presetsFor(line) };
    const made = control({ ...line, question }, () => this.#changed(line), () => this.#send(), true);
    this.#rows.set(lineKey(line), { line, made });
    row.className = `ask-row${line.kind === "needed" || line.is_open ? " required" : ""}${isLong(line) ? " long" : ""}${affectsOdds(line) ? " with-odds" : ""}${line.question.kind === "text" || line.question.write_in ? " long" : ""}`;
    const said = line.standing ? h("small", { class: "soft", text: " as before" }) : null;
    const isList = line.question.write_in && line.kind !== "needed";
    if (isList) fill(row, h("details", { open: Boolean(line.drafted) }, h("summary", { class: "ask-prompt" }, line.prompt, said), made.node, ruleLink(line.because)));
    else fill(row, h("p", { class: `ask-prompt${line.question.kind === "text" && !line.question.default ? " visually-hidden" : ""}`, tabindex: "-1" }, withRule(line.prompt, line.because), said), made.node);
  }

  /** Where one press decides everything: a large button for each choice. */
  #large(line) {
    const send = (answer) => attempt(this.error, () => table.do({ do: "release", procedure: this.#card.procedure, answers: [{ key: line.key, prompt: line.prompt, answer }] }));
    const made = largeButtons(line, send);
    this.#rows.set(lineKey(line), { line, made });
    return h("div", { class: `stack tight${affectsOdds(line) ? " with-odds" : ""}`, role: "group", data: { ask: line.key }, aria: { label: line.prompt } }, h("p", { class: "prompt", tabindex: "-1" }, withRule(line.prompt, line.because)), made.node);
  }

  /** A consent: pressed while it stands; struck with a word why. */
  #consent(line) {
    const chip = h("button", { type: "button", class: "chip consent", on: { click: () => put(chip.getAttribute("aria-pressed") !== "true", "") } });
    const why = h("input", { type: "text", maxlength: "400", placeholder: "Why? (optional)", aria: { label: `Why: ${line.prompt}` }, on: { change: () => put(false, why.value.trim()) } });
    const put = (answer, reason) => {
      stand(answer); // at once: the next press may come before the answer to this one
      this.#draft({ key: line.key, prompt: line.prompt, answer, reason });
    };
    const node = h("span", { class: "option-row", data: { ask: line.key } }, chip, ruleLink(line.because), why);
    const stand = (answer) => {
      chip.setAttribute("aria-pressed", String(answer));
      why.hidden = answer;
    };
    node.show = ({ answer, prompt, reason = "" }) => {
      fill(chip, h("span", { text: prompt }));
      stand(answer);
      if (document.activeElement !== why) why.value = reason;
    };
    return node;
  }

  #changed(line) {
    const { made } = this.#rows.get(lineKey(line));
    const answer = made.read();
    this.#round += 1;
    clearTimeout(this.#timer);
    if (answer === undefined) return;
    this.#unsent.set(lineKey(line), { key: line.key, prompt: line.prompt, answer });
    this.#timer = setTimeout(() => this.#send(), line.question.kind === "text" ? TYPING : SOON);
  }

  #draft(answer) {
    this.#unsent.set(lineKey({ seat: table.seat, ...answer }), answer);
    this.#send();
  }

  /** Send what was changed and is not sent yet, by a function of these answers. */
  async deliver(send) {
    clearTimeout(this.#timer);
    const [keys, answers] = [[...this.#unsent.keys()], [...this.#unsent.values()]];
    this.#unsent.clear();
    const delivery = { entry: Infinity };
    for (const key of keys) this.#sent.set(key, delivery);
    try {
      delivery.entry = await send(answers);
    } catch (refused) {
      delivery.entry = 0;
      throw refused;
    }
  }

  async #send() {
    if (this.#unsent.size) await attempt(this.error, () => this.deliver((answers) => table.do({ do: "draft", procedure: this.#card.procedure, answers })));
  }

  /** What each choice would do to the odds. */
  async #showOdds(base) {
    this.#oddsFor = base;
    const round = (this.#round += 1);
    const now = base.chance ?? null;
    let left = MOST_WITH_ODDS;
    for (const { line, made } of this.#rows.values()) {
      // While a needed answer is missing there are odds only with an answer to that.
      if (line.kind === "aside" || !affectsOdds(line) || (now === null && made.read() !== undefined)) continue;
      const found = new Map([[JSON.stringify(made.read()), now ?? undefined]]);
      for (const [answer] of made.tries?.() ?? []) {
        if (answer === undefined || found.has(JSON.stringify(answer))) continue;
        const chance = (left -= 1) >= 0 ? (await table.suppose(base.procedure, { [line.key]: answer }))?.chance : undefined;
        if (this.#round !== round || !this.isConnected) return;
        found.set(JSON.stringify(answer), chance ?? undefined);
      }
      showOdds(made, (answer) => found.get(JSON.stringify(answer)), now, true);
    }
  }
}

define("ast-card", Card);

/** The answer of a line as things are; undefined while it is open. */
const answerOf = ({ is_open: isOpen, answer, drafted }) => (isOpen && !drafted ? undefined : answer);

// --- What others add -----------------------------------------------------------------------

/** Somebody else's line is shown when they have touched it, were asked for it, or all wait for it. */
function isOthersNews(line, card) {
  return line.seat !== table.seat && (line.is_open || line.drafted || isFavour(line, card));
}

/** What others are about to roll, as far as they have said with what, and whether they are ready. */
function othersRolls({ lines, rolls, releasers, ready }) {
  const isOpen = (seat) => lines.some((line) => line.seat === seat && line.is_open);
  const dice = (seat) => (isOpen(seat) ? [] : rolls).filter(([owner]) => owner === seat).map(([, label]) => label);
  return releasers.filter((seat) => seat !== table.seat && dice(seat).length).map((seat) => ({ seat, key: "release", prompt: "", rolls: `rolls ${dice(seat).join("; ")}`, isReady: ready.includes(seat) }));
}

function showOther(node, { seat, prompt, words = "", kind, answer, is_open: isOpen, drafted, reason = "", rolls, isReady }) {
  if (rolls) return void fill(node, h("b", { text: table.nameOf(seat) }), h("span", { text: rolls }), isReady ? h("span", { class: "tag", text: "ready" }) : null);
  const isStruck = kind === "consent" && answer === false;
  if (!isOpen && !drafted) isOpen = "asked";
  node.className = isOpen ? "missing" : "";
  fill(
    node,
    h("b", { text: table.nameOf(seat) }),
    isStruck ? h("s", { text: prompt }) : h("span", { text: isOpen ? prompt : `${prompt}${/[?.…]$/.test(prompt) ? "" : ":"} ${words}` }),
    isStruck && reason ? h("span", { class: "soft", text: reason }) : null,
    isOpen ? h("span", { class: "tag", text: isOpen === true ? "open" : isOpen }) : null,
  );
}

// --- Releasing the dice ---------------------------------------------------------------------

/** `<ast-release>`: the button that rolls, and whom it waits for. */
class Release extends Part {
  static watches = ["link"];

  #state = null;

  /** The procedure's view, its card, and how what is not sent yet goes with the release. */
  set state(state) {
    this.#state = state;
    if (this.isConnected) this.render();
  }

  render() {
    if (!this.#state) return;
    if (!this.go) this.#build();
    const { open, card } = this.#state;
    const ready = readyFor(open, card);
    const isReady = ready.includes(table.seat);
    const isMyChoice = Boolean(onlyChoice(card)) && !isReady;
    const mine = card.releasers.includes(table.seat) && !isMyChoice;
    const missing = card.lines.filter((line) => line.is_open && isOnCard(line));
    const own = missing.filter((line) => line.seat === table.seat);
    const others = missing.filter((line) => line.seat !== table.seat);
    const late = card.releasers.filter((seat) => seat !== table.seat && !ready.includes(seat));
    const isWaiting = others.length > 0 || late.length > 0 || open.held;
    this.go.hidden = !mine;
    this.go.disabled = own.length > 0;
    this.go.textContent = isReady ? "Ready \u2713" : isWaiting ? "Ready" : card.rolls.length ? "Roll" : "OK";
    this.go.setAttribute("aria-pressed", String(isReady));
    this.stays.parentElement.hidden = !mine || isReady || !card.rolls.length || !card.may_roll_on;
    this.hold.hidden = !table.isGM || !card.releasers.some((seat) => seat !== table.seat);
    this.hold.textContent = open.held ? "Release" : "Hold";
    this.hold.setAttribute("aria-pressed", String(open.held));
    this.waits.textContent = open.held ? "The GM wants to talk first." : own.length ? `Yours to set: ${own[0].prompt}` : waitsFor(others, isMyChoice || (mine && !isReady) ? [] : late, card);
    this.hidden = !mine && this.hold.hidden && !this.waits.textContent;
  }

  #build() {
    this.go = h("button", { type: "button", class: "btn main roll", on: { click: () => this.#release() } });
    this.hold = h("button", { type: "button", class: "btn small quiet", on: { click: () => this.#hold() } });
    this.waits = h("p", { class: "soft small", role: "status" });
    this.error = errorLine();
    this.stays = h("input", { type: "checkbox" });
    const stays = h("label", { class: "soft small check", title: "Your dice are rolled at once for the rest of this, unless something is needed from you." }, this.stays, "Keep rolling");
    fill(this, this.waits, this.error, this.hold, stays, this.go);
  }

  #release() {
    const { open, deliver } = this.#state;
    const on = this.go.getAttribute("aria-pressed") !== "true";
    const stays = on && this.stays.checked && !this.stays.parentElement.hidden;
    return attempt(this.error, () => deliver((answers) => table.do({ do: "release", procedure: open.id, on, answers, stays })), this.go);
  }

  #hold() {
    const { open } = this.#state;
    return attempt(this.error, () => table.do({ do: "hold", procedure: open.id, on: !open.held }));
  }
}

function waitsFor(lines, seats, card) {
  if (lines.length) return `Waiting for ${called(lines[0].seat)}: ${lines[0].prompt}`;
  if (!seats.length) return "";
  return `Waiting for ${listed(seats.map(called))}${card.rolls.length ? " to roll" : ""}.`;
}

const called = (seat) => (seat === "gm" ? "the GM" : table.nameOf(seat));

define("ast-release", Release);
