// What a change says in sentences: in the game's own words, or in plain ones. The log as a file
// says it the same way (table/log/change_words.py).

import { h, words } from "./dom.js";
import { withRule } from "./rules.js";
import { table } from "./table.js";

const DAY = 86400;
const isPlain = (value) => value === null || value === undefined || typeof value !== "object";
const isNothing = (value) => value === null || value === undefined || value === "";
const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
const entries = (value) => (isNothing(value) ? [] : Array.isArray(value) ? value : [value]);

/** A plain value in words. */
export function valueWords(value) {
  if (isNothing(value)) return "nothing";
  if (value === true) return "yes";
  if (value === false) return "no";
  if (Array.isArray(value)) {
    const few = value.slice(0, 3).map(valueWords).join(", ");
    return value.length === 0 ? "none" : value.length > 3 ? `${few} and ${value.length - 3} more` : few;
  }
  if (typeof value === "object") {
    const named = value.name ?? value.label ?? value.text;
    if (named) return String(named);
    const parts = Object.entries(value).filter(([, each]) => !isNothing(each) && each !== 0 && each !== false && !same(each, []) && !same(each, {}));
    return parts.slice(0, 4).map(([key, each]) => `${words(key)} ${valueWords(each)}`).join(", ") || "an entry";
  }
  return String(value);
}

/** What differs as [parts of the place, before, after]; of lists only the entries that came and went. */
function differences(parts, before, after) {
  if (Array.isArray(before) && Array.isArray(after)) {
    const came = after.filter((each) => !before.some((other) => same(each, other)));
    const went = before.filter((each) => !after.some((other) => same(each, other)));
    return came.length === 1 && went.length === 1 ? differences(parts, went[0], came[0]) : [[parts, went, came]];
  }
  if (!isPlain(before) && !isPlain(after)) {
    const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((key) => !same(before[key], after[key]));
    return keys.flatMap((key) => differences([...parts, key], before[key] ?? null, after[key] ?? null));
  }
  return [[parts, before, after]];
}

const nameOf = (key) => table.view?.characters[key]?.name ?? words(key);

/** A text of the game with the values of an entry in it; `name` is also the name within the place. */
function filled(text, values, parts) {
  return text.replace(/\{(\w+)\}/g, (_, name) => {
    if (name === "character") return nameOf(values.character);
    if (name === "name" && !("name" in values)) return parts[1] ?? "";
    if (name === "day") return String(Math.floor((values.after ?? 0) / DAY) + 1);
    return valueWords(values[name]);
  });
}

/** The game's words for a place, or null; a name within the place is written `*`. */
function ownWords(known, [parts, before, after]) {
  const found = known?.[parts.join(".")] ?? known?.[[parts[0], "*", ...parts.slice(2)].join(".")];
  if (!found) return null;
  const [came, went] = found;
  if (isPlain(before) && isPlain(after)) return [filled(isNothing(after) || after === false || after === 0 ? went : came, { before, after }, parts)].filter(Boolean);
  const said = (text) => (entry) => filled(text, isPlain(entry) ? { after: entry } : entry, parts);
  return [...entries(before).map(said(went)), ...entries(after).map(said(came))].filter(Boolean);
}

/** What is said of any place. */
function plainly([parts, before, after]) {
  const where = parts.filter((part) => part !== "log").map(words).join(", ");
  if (typeof before === "boolean" || typeof after === "boolean") return [`${where}: ${after ? "yes" : "no"}`];
  if (typeof before === "number" && typeof after === "number") return [`${where} goes from ${before} to ${after}`];
  if (Array.isArray(before) || Array.isArray(after) || isNothing(before) || isNothing(after)) {
    const [gone, come] = [before, after].map((each) => entries(each).map(valueWords).join(", "));
    return [`${where}: ${[gone && `${gone} removed`, come && `${come} added`].filter(Boolean).join(" and ") || "in another order"}`];
  }
  return [`${where}: ${valueWords(after)} instead of ${valueWords(before)}`];
}

/** A change as lines of a list. What has no words of its own in the scene is folded away. */
export function change(item) {
  const { campaign } = table.view;
  const isScene = item.target === "scene";
  const place = item.path.split(item.path.includes("/") ? "/" : ".").filter((part) => !/^\d+$/.test(part));
  const pieces = differences(place, item.before ?? null, item.after ?? null);
  const own = pieces.map((piece) => ownWords(isScene ? campaign.scene_words : campaign.sheet_words, piece));
  const texts = pieces.flatMap((piece, at) => own[at] ?? plainly(piece));
  const whose = isScene ? "The scene" : nameOf(item.target);
  const isOwn = own.every(Boolean);
  const line = (text) => h("li", { class: "change" }, isScene && isOwn ? null : [h("b", { text: whose }), ": "], withRule(text, item.rule));
  if (!isScene || isOwn || pieces.every(([, before, after]) => isPlain(before) && isPlain(after))) return texts.map(line);
  return [h("li", { class: "change" }, h("details", null, h("summary", { text: `${whose}: ${words(place.at(-1) ?? "")}` }), h("ul", null, texts.map(line))))];
}
