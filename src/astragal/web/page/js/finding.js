// Finding a test or another action: by the book's words and by others, with what is possible first.

import { cast } from "./forms.js";
import { isBusy } from "./sheet_edit.js";
import { table } from "./table.js";

const MINE = ["own", "owns", "ability"];

/** Why a character cannot begin this; empty where it can. */
function whyNotFor(character, { name, form }) {
  const { page } = character;
  if (isBusy(character.key)) return `${character.name} is in another test.`;
  if (page.barred && !page.still?.includes(name)) return page.barred;
  if (page.cannot?.[name]) return page.cannot[name];
  const fields = form.fields ?? [];
  const actor = fields.find(({ kind, required }) => kind === "character" && required)?.name;
  const isHis = ({ kind, required, free, of }) => MINE.includes(kind) && required && !free && (!of || of === actor);
  const missing = fields.find((each) => isHis(each) && !each.choices?.length && !page.choices?.[each.what || each.kind]?.length);
  return missing ? `${character.name} has no ${missing.label.toLowerCase()}.` : "";
}

/** Whether a field, or one inside it, names a character. */
const hasCharacter = ({ kind, fields = [] }) => kind === "character" || (kind === "groups" && fields.some(hasCharacter));

/** How many characters a form needs. */
function needed({ fields = [] }) {
  const isNeeded = ({ kind, required, free }) => kind === "character" && required && !free;
  const within = fields.filter(({ kind, required }) => kind === "group" && required).flatMap((group) => group.fields ?? []);
  const named = [...fields, ...within].filter(isNeeded).length;
  const sides = fields.filter(({ kind, required, fields: inner = [] }) => kind === "groups" && required && inner.some(hasCharacter)).reduce((all, { least }) => all + (least ?? 2), 0);
  return Math.max(named, sides);
}

/** Why this seat cannot begin a procedure; empty where it can. */
export function whyNot(procedure) {
  if (procedure.gm_only && !table.isGM) return "Only the GM can start this.";
  const count = needed(procedure.form);
  if (!count) return "";
  const all = cast().filter((each) => each.page);
  const may = all.filter((each) => table.isGM || each.mine);
  if (!may.length) return "You have no character yet.";
  if (cast().length < count) return "This needs another character at the table.";
  const reasons = may.map((each) => whyNotFor(each, procedure));
  return reasons.every(Boolean) ? reasons[0] : "";
}

/** How well a procedure matches what was typed: 0 not at all, more is better. */
function score({ title, name, words = [], group = "" }, wanted) {
  const [called, others] = [title.toLowerCase(), [...words, name.replaceAll("_", " "), group].join(" ").toLowerCase()];
  if (called.startsWith(wanted.join(" "))) return 4;
  if (wanted.every((word) => called.includes(word))) return 3;
  if (words.some((each) => each.toLowerCase().includes(wanted.join(" ")))) return 2;
  return wanted.every((word) => called.includes(word) || others.includes(word)) ? 1 : 0;
}

/** The procedures to show, in groups; what matches best and what is possible come first. */
export function found({ procedures, groups = [], frequent }, typed) {
  const wanted = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const rank = ({ name }) => (frequent.includes(name) ? frequent.indexOf(name) : frequent.length);
  const all = procedures
    .map((each) => ({ each, why: whyNot(each), score: wanted.length ? score(each, wanted) : 1 }))
    .filter((one) => one.score)
    .sort((one, other) => Boolean(one.why) - Boolean(other.why) || other.score - one.score || rank(one.each) - rank(other.each));
  if (!all.length) return { isSearch: true, groups: [] };
  if (wanted.length) return { isSearch: true, groups: [{ group: "", all }] };
  const named = groups.length ? groups : [""];
  const inGroup = (group) => all.filter(({ each }) => (named.includes(each.group ?? "") ? (each.group ?? "") : named.at(-1)) === group);
  return { isSearch: false, groups: named.map((group) => ({ group, all: inGroup(group) })).filter((each) => each.all.length) };
}
