// What happened, item by item: sentences with numbers that unfold, dice, decisions, changes.

import { dice } from "./dice.js";
import { change } from "./changes.js";
import { bars, isEffect, isStanding, meetings, reveal } from "./conflict.js";
import { h, words } from "./dom.js";
import { drawPicture } from "./picture.js";
import { portrait } from "./images.js";
import { ruleLink, withRule } from "./rules.js";
import { table } from "./table.js";

/** An outcome longer than this is set in a smaller size. */
const LONG = 120;

export const isOutcome = ({ role }) => role === "outcome" || role === "conclusion";
/** The dice and the obstacle before a roll. */
export const isPool = ({ role }) => role === "pool";

// --- Numbers and their lines ---------------------------------------------------------------

/** The lines of a number, each with its rule. */
export function lines(number) {
  return h(
    "ul",
    { class: "lines" },
    number.lines.map(([amount, label, rule], at) =>
      h(
        "li",
        null,
        h("b", { text: at === 0 ? String(amount) : signed(amount) }),
        h("span", { class: "grow", text: label }),
        ruleLink(rule),
      ),
    ),
  );
}

function signed(amount) {
  return amount < 0 ? `\u2212${-amount}` : `+${amount}`;
}

/** Numbers that people write with their unit. */
const UNITS = new Map([
  ["dice", (total) => `${total}D`],
  ["obstacle", (total) => `Ob ${total}`],
]);

/** A number as people say it: 6D, Ob 3, target 45. */
export function called(number) {
  if (UNITS.has(number.name)) return UNITS.get(number.name)(number.total);
  const [, of, unit] = /^(.+)_(\w+)$/.exec(number.name) ?? [];
  if (UNITS.has(unit)) return `${capitals(words(of))} ${UNITS.get(unit)(number.total)}`;
  return `${number.name.length < 3 ? number.name.toUpperCase() : words(number.name)} ${number.total}`;
}

/** The same within a sentence that says what the number is. */
function inSentence(number) {
  return UNITS.has(number.name) ? called(number) : String(number.total);
}

function unfolding(text, number) {
  const below = h("div", { class: "unfolded", hidden: true }, lines(number));
  const button = h("button", {
    type: "button",
    class: "number",
    text,
    aria: { expanded: "false", label: `${text}: show the breakdown` },
    on: {
      click: () => {
        below.hidden = !below.hidden;
        button.setAttribute("aria-expanded", String(!below.hidden));
      },
    },
  });
  return [button, below];
}

/** Faces as they are printed on the dice: those of a d100 are digits, of which one is a 0. */
function asRead({ faces, notation }) {
  return notation === "d100" ? faces.map((each) => ({ ...each, face: each.face % 10 })) : faces;
}

/** A capital at the beginning of each sentence, also where a player's words begin it. */
export function capitals(text) {
  return text.replace(/^\p{Ll}|(?<=[\p{L}\d)]{2}[.!?] )\p{Ll}/gu, (letter) => letter.toUpperCase());
}

/**
 * A sentence with its numbers, each of which unfolds: in the place that the pattern has for it
 * ("Mara rolls {dice} against {obstacle}"), or below.
 */
function sentence({ sentence: said, pattern = "", numbers = [], rule = "" }) {
  const line = [];
  const below = [];
  const left = new Map(numbers.map((number) => [number.name, number]));
  const put = (number, into, text = called(number)) => {
    const [button, unfolded] = unfolding(text, number);
    left.delete(number.name);
    into.push(button);
    below.push(unfolded);
  };
  // The pieces between the marks and the names in them, in turn.
  const pieces = capitals(pattern || said).split(/\{(\w+)\}/);
  const rest = pieces.pop();
  pieces.forEach((piece, at) => {
    const number = at % 2 ? left.get(piece) : null;
    if (number) put(number, line, inSentence(number));
    else line.push(at % 2 ? `{${piece}}` : piece);
  });
  for (const number of [...left.values()]) put(number, below);
  return [h("p", null, line, withRule(rest, rule)), below];
}

// --- Items ---------------------------------------------------------------------------------

/** Dice as players say them: black dice are just dice, 4D, and other shades are named. */
function diceWords(notation) {
  const plain = notation.replace(/^\((.*)\)$/, "$1").replace(/\b(\d+)B\b/g, "$1D").replace(/\b(\d+)G\b/g, "$1D gray").replace(/\b(\d+)W\b/g, "$1D white");
  return plain.replace(/: (successes|with ones)$/, "").replace(/ open\b/, ", open-ended");
}

/** Whose dice they are: the character that the label names, or a player's only one. */
function roller({ owner, label }) {
  const own = Object.values(table.view?.characters ?? {}).filter((each) => each.seat === owner);
  return own.find(({ name }) => label.includes(name)) ?? (own.length === 1 ? own[0] : null);
}

function rolled(item) {
  const who = roller(item);
  return h(
    "div",
    { class: "item rolled" },
    h(
      "p",
      { class: "soft" },
      who ? portrait(who.key, 24) : null,
      item.label || diceWords(item.notation),
      item.label && item.notation ? ` (${diceWords(item.notation)})` : "",
      item.typed ? [" ", h("span", { class: "tag", text: "own dice" })] : null,
    ),
    h("div", { class: "row dice-row" }, dice(asRead(item)), item.comes_to ? h("b", { class: "dice-total", text: item.comes_to }) : null),
  );
}

function decided(item) {
  const who = table.nameOf(item.seat);
  const by = item.by ? ` (${table.nameOf(item.by)} for ${who})` : "";
  return h(
    "p",
    { class: "item decided" },
    h("span", { class: "soft", text: `${item.prompt} ` }),
    h("span", { class: "said" }, h("b", { text: item.words }), " ", withRule(`\u2014 ${who}${by}`, item.rule)),
    item.audience?.length ? [" ", h("span", { class: "tag", text: "private" })] : null,
  );
}

function told(item, next, withBars) {
  if (item.role === "heading") return h("h4", { class: "item heading", text: item.sentence });
  if (item.cards) return reveal(item, isEffect(next) && !next.meetings ? next : null);
  if (item.meetings) return meetings(item);
  if (item.picture) return h("details", { class: "item" }, h("summary", { class: "soft", text: "Where everybody is" }), drawPicture(item.picture));
  const isQuiet = isPool(item) || item.role === "aside";
  const kind = isOutcome(item) ? `outcome${item.sentence.length > LONG ? " long" : ""}` : isQuiet ? "quiet" : "";
  return h("div", { class: `item told ${kind}` }, sentence(item), withBars && isStanding(item) ? bars(item.bars) : null);
}

/** Whether another picture follows before the next cards. */
function hasLaterPicture(items, at) {
  const next = items.slice(at + 1).find((item) => item.picture || item.cards || item.role === "heading");
  return Boolean(next?.picture);
}

/**
 * Items as the story of what happened: default answers are folded away, and changes in a row are
 * one list. Without bars where the card shows those of a conflict already.
 */
export function story(items, withBars = true) {
  const out = [];
  let changes = null;
  let defaults = null;
  for (const [at, item] of items.entries()) {
    if (isEffect(item) && !item.meetings && items[at - 1]?.cards) continue; // it is drawn between the cards
    if (item.picture && (!withBars || hasLaterPicture(items, at))) continue;
    if (item.item !== "changed") changes = null;
    const isDefault = item.item === "decided" && item.usual;
    if (!isDefault && item.item !== "changed") defaults = null;
    if (isDefault) {
      if (!defaults) {
        defaults = h("details", { class: "item defaults" }, h("summary", { class: "soft" }));
        out.push(defaults);
      }
      defaults.append(decided(item));
      const count = defaults.children.length - 1;
      defaults.firstChild.textContent = count === 1 ? "1 default answer" : `${count} default answers`;
    } else if (item.item === "decided") out.push(decided(item));
    else if (item.item === "told") out.push(told(item, items[at + 1], withBars));
    else if (item.item === "rolled") out.push(rolled(item));
    else if (item.item === "sealed") {
      out.push(h("p", { class: "item soft", text: `${item.seat === "gm" ? "The GM's side" : table.nameOf(item.seat)} has decided in secret.` }));
    } else if (item.item === "changed") {
      if (!changes) {
        changes = h("ul", { class: "item changes", aria: { label: "Changes" } });
        out.push(changes);
      }
      changes.append(...change(item));
    }
  }
  return out;
}

/** The end of a conflict: its conclusion, or where the last volley left all sides. */
export function closing(told) {
  const concluded = told.findLastIndex(({ role }) => role === "conclusion");
  return concluded >= 0 ? concluded : told.findLastIndex(isStanding);
}

/** The last sentence that says how it came out. */
export function outcomeOf(items) {
  const said = items.filter((item) => item.item === "told");
  return capitals((said[closing(said)] ?? said.findLast(isOutcome) ?? said.at(-1))?.sentence ?? "");
}

/** The summary of something that is over: the last dice, how it came out, what changed. */
export function gist(items) {
  const changes = items.filter((item) => item.item === "changed" && item.target !== "scene");
  const told = items.filter((item) => item.item === "told" && !isPool(item));
  const at = closing(told);
  // After a conclusion nothing else is an outcome, not even that of a roll.
  if (at >= 0) return [told[at], ...told.slice(at + 1).map((item) => ({ ...item, role: "" })), ...changes];
  const outcome = told.filter(isOutcome).slice(-2);
  return [...items.filter((item) => item.item === "rolled").slice(-2), ...(outcome.length ? outcome : told.slice(-1)), ...changes];
}
