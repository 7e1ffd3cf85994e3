// What happened, item by item: sentences whose numbers unfold, dice, decisions, changes.

import { dice } from "./dice.js";
import { bars, isMeeting, isStanding, reveal } from "./conflict.js";
import { h, words } from "./dom.js";
import { ruleLink, withRule } from "./rules.js";
import { table } from "./table.js";

/** Facts that say how something came out. */
const OUTCOMES = new Set(["came", "concluded"]);
/** An outcome of more letters than this is not shouted. */
const LONG = 120;
const QUIET = new Set(["gathered", "announced"]);

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

/** What a number is called: 6D, Ob 3, target 45. */
export function called(number) {
  if (number.name === "dice") return `${number.total}D`;
  if (number.name === "obstacle") return `Ob ${number.total}`;
  return `${number.name.length < 3 ? number.name.toUpperCase() : words(number.name)} ${number.total}`;
}

/** The words with which a sentence spells a number out: " = 4 Sword + 1 Brawling FoRK". */
function spelled(number) {
  const parts = number.lines.map(([amount, label], at) => {
    const sign = at === 0 ? "" : amount < 0 ? " - " : " + ";
    return `${sign}${at === 0 ? amount : Math.abs(amount)} ${label}`.trimEnd();
  });
  return ` = ${parts.join("")}`;
}

function unfolding(text, number) {
  const below = h("div", { class: "unfolded", hidden: true }, lines(number));
  const button = h("button", {
    type: "button",
    class: "number",
    text,
    aria: { expanded: "false", label: `${text}: what it is made of` },
    on: {
      click: () => {
        below.hidden = !below.hidden;
        button.setAttribute("aria-expanded", String(!below.hidden));
      },
    },
  });
  return [button, below];
}

/** Each sentence begins with a capital, also where it is made of somebody's own words. */
function capitals(text) {
  return text.replace(/^\p{Ll}|(?<=[\p{L}\d)]{2}[.!?] )\p{Ll}/gu, (letter) => letter.toUpperCase());
}

/** A sentence whose numbers can be unfolded where they stand. */
function sentence({ sentence: said, numbers = [], rule = "" }) {
  const line = [];
  const below = [];
  let rest = capitals(said);
  for (const number of numbers) {
    const full = spelled(number);
    const at = rest.indexOf(full);
    let text = called(number);
    if (at >= 0) {
      const before = rest.slice(0, at);
      text = before.match(/(?:(?:Ob|DN|target) )?\S+$/)?.[0] ?? text;
      line.push(before.slice(0, before.length - text.length));
      rest = rest.slice(at + full.length);
    }
    const [button, unfolded] = unfolding(text, number);
    if (at < 0) below.push(button);
    else line.push(button);
    below.push(unfolded);
  }
  return [h("p", null, line, withRule(rest, rule)), below];
}

// --- Changes -------------------------------------------------------------------------------

/** A plain value in words. */
export function valueWords(value) {
  if (value === null || value === undefined || value === "") return "nothing";
  if (value === true) return "yes";
  if (value === false) return "no";
  if (Array.isArray(value)) {
    const few = value.slice(0, 3).map(valueWords).join(", ");
    return value.length === 0 ? "none" : value.length > 3 ? `${few} and ${value.length - 3} more` : few;
  }
  if (typeof value === "object") {
    const named = value.name ?? value.label ?? value.text;
    if (named) return String(named);
    const parts = Object.entries(value).filter(([, each]) => each !== null && each !== "" && each !== 0 && each !== false);
    return parts.slice(0, 4).map(([key, each]) => `${words(key)} ${valueWords(each)}`).join(", ") || "nothing";
  }
  return String(value);
}

const isPlain = (value) => value === null || typeof value !== "object";

/** What is different, in pieces of [where, before, after]; of lists only what came and went. */
function differences(path, before, after) {
  if (Array.isArray(before) && Array.isArray(after)) {
    const had = new Set(before.map((each) => JSON.stringify(each)));
    const has = new Set(after.map((each) => JSON.stringify(each)));
    const came = after.filter((each) => !had.has(JSON.stringify(each)));
    const went = before.filter((each) => !has.has(JSON.stringify(each)));
    if (came.length === 1 && went.length === 1) return differences(path, went[0], came[0]);
    return [[path, went.length ? went : null, came.length ? came : null]];
  }
  if (!isPlain(before) && !isPlain(after)) {
    const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    const different = keys.filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]));
    return different.flatMap((key) => differences(`${path}/${key}`, before[key] ?? null, after[key] ?? null));
  }
  return [[path, before, after]];
}

function pathWords(path) {
  const parts = path.split(/[./]/).filter((part) => part && !/^\d+$/.test(part));
  return parts.slice(-3).filter((part) => part !== "log").map(words).join(", ");
}

const nameOf = (key) => table.view?.characters[key]?.name ?? words(key);

/** What comes into the scene and goes from it, in words: by where it stands. */
const SCENE = {
  rides: ({ character, ability }, isThere) => `Let it Ride: ${nameOf(character)}'s ${ability} ${isThere ? "stands" : "stands no longer"}`,
  hesitating: ({ character, heartbeats }, isThere) => (isThere ? `${nameOf(character)} hesitates for ${heartbeats} ${heartbeats === 1 ? "heartbeat" : "heartbeats"}` : `${nameOf(character)} hesitates no longer`),
};

const listed = (value) => (Array.isArray(value) ? value : value === null ? [] : [value]);

/** A change of the scene in a few words each, or null where there are none for it. */
function sceneWords(path, before, after) {
  const say = SCENE[path];
  if (!say || [...listed(before), ...listed(after)].some((each) => isPlain(each))) return null;
  return [...listed(before).map((each) => say(each, false)), ...listed(after).map((each) => say(each, true))];
}

function line(item, whose, [path, before, after]) {
  const isNew = before === null && !isPlain(after);
  const becomes = isNew ? null : [h("s", { text: valueWords(before) }), h("span", { aria: { label: " becomes " }, text: " \u2192 " })];
  return h("li", { class: "change" }, h("span", { class: "where" }, h("b", { text: whose }), `: ${pathWords(path)} `), becomes, h("b", null, withRule((isNew ? "+ " : "") + valueWords(after), item.rule)));
}

/** What changed: whose, where, before and after; of the scene what has no short words is folded away. */
export function change(item) {
  const pieces = differences(item.path, item.before ?? null, item.after ?? null);
  if (item.target !== "scene") return pieces.map((piece) => line(item, nameOf(item.target), piece));
  const said = pieces.map((piece) => sceneWords(...piece));
  if (said.every(Boolean)) return said.flat().map((text) => h("li", { class: "change" }, withRule(text, item.rule)));
  if (pieces.every(([, before, after]) => isPlain(before) && isPlain(after))) return pieces.map((piece) => line(item, "The scene", piece));
  const lines = h("ul", null, pieces.map((piece) => line(item, "The scene", piece)));
  return [h("li", { class: "change" }, h("details", null, h("summary", { text: `The scene: ${pathWords(item.path)}` }), lines))];
}

// --- Items ---------------------------------------------------------------------------------

function rolled(item) {
  return h(
    "div",
    { class: "item rolled" },
    h(
      "p",
      { class: "soft" },
      item.label || item.notation,
      item.label && item.notation ? ` (${item.notation.replace(/^\((.*)\)$/, "$1")})` : "",
      item.typed ? [" ", h("span", { class: "tag", text: "real dice" })] : null,
    ),
    h("div", { class: "row lying" }, dice(item.faces), item.comes_to ? h("b", { class: "comes-to", text: item.comes_to }) : null),
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
    item.audience?.length ? [" ", h("span", { class: "tag", text: "seen by you" })] : null,
  );
}

function told(item, next, withBars) {
  if (item.kind === "exchange_begins") return h("h4", { class: "item exchange", text: item.sentence });
  if (item.cards) return reveal(item, isMeeting(next) ? next : null);
  const outcome = OUTCOMES.has(item.kind);
  const kind = outcome ? `outcome${item.sentence.length > LONG ? " long" : ""}` : QUIET.has(item.kind) ? "quiet" : "";
  return h("div", { class: `item told ${kind}` }, sentence(item), withBars && isStanding(item) ? bars(item.bars) : null);
}

/**
 * Items as the story of what happened: decisions that were nothing special are folded away, and
 * changes that follow each other stand together. Without bars where the card shows those of a
 * conflict already.
 */
export function story(items, withBars = true) {
  const out = [];
  let changes = null;
  let usual = null;
  for (const [at, item] of items.entries()) {
    if (isMeeting(item) && items[at - 1]?.cards) continue; // it stands between the cards
    if (item.item !== "changed") changes = null;
    const isUsual = item.item === "decided" && item.usual;
    if (!isUsual && item.item !== "changed") usual = null;
    if (isUsual) {
      if (!usual) {
        usual = h("details", { class: "item usual" }, h("summary", { class: "soft" }));
        out.push(usual);
      }
      usual.append(decided(item));
      const count = usual.children.length - 1;
      usual.firstChild.textContent = count === 1 ? "1 answer as usual" : `${count} answers as usual`;
    } else if (item.item === "decided") out.push(decided(item));
    else if (item.item === "told") out.push(told(item, items[at + 1], withBars));
    else if (item.item === "rolled") out.push(rolled(item));
    else if (item.item === "sealed") {
      out.push(h("p", { class: "item soft", text: `${table.nameOf(item.seat)} has decided; nobody sees it yet.` }));
    } else if (item.item === "changed") {
      if (!changes) {
        changes = h("ul", { class: "item changes", aria: { label: "What changed" } });
        out.push(changes);
      }
      changes.append(...change(item));
    }
  }
  return out;
}

/** What closes a conflict: its conclusion, or where the last volley left all sides. */
function closing(told) {
  const concluded = told.findLastIndex(({ kind }) => kind === "concluded");
  return concluded >= 0 ? concluded : told.findLastIndex(isStanding);
}

/** The last sentence that says how it came out. */
export function outcomeOf(items) {
  const said = items.filter((item) => item.item === "told");
  return capitals((said[closing(said)] ?? said.findLast(({ kind }) => OUTCOMES.has(kind)) ?? said.at(-1))?.sentence ?? "");
}

/** What matters of something that is over: the last dice, how it came out, what changed. */
export function gist(items) {
  const changes = items.filter((item) => item.item === "changed" && item.target !== "scene");
  const told = items.filter((item) => item.item === "told" && item.kind !== "gathered");
  const at = closing(told);
  // What follows a conclusion is no headline, also where it is the outcome of a roll.
  if (at >= 0) return [told[at], ...told.slice(at + 1).map((item) => ({ ...item, kind: "" })), ...changes];
  const outcome = told.filter((item) => OUTCOMES.has(item.kind)).slice(-2);
  return [...items.filter((item) => item.item === "rolled").slice(-2), ...(outcome.length ? outcome : told.slice(-1)), ...changes];
}
