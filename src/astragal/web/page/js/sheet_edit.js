// Editing a sheet in place: an input for each kind of value, checked while typing.

import { announce, fill, h, words } from "./dom.js";
import { attempt, button, errorLine, freshId, keepFocus, tick } from "./forms.js";
import { valueWords } from "./changes.js";
import { table } from "./table.js";

const PAUSE = 350;

const split = (path) => path.split(path.includes("/") ? "/" : ".");
const join = (parts) => parts.join(parts.some((part) => String(part).includes(".")) ? "/" : ".");

/** The path of the list entry that a row belongs to. */
function entryOf(path, inside) {
  const [parts, outer] = [split(path), split(inside)];
  const isInside = inside && parts.length > outer.length && outer.every((part, at) => part === parts[at]);
  return isInside ? join(parts.slice(0, outer.length + 1)) : "";
}

/** In place of a position: after the last entry, however many there are by then. */
const NEXT = "+";

/** Whether a character is in an open procedure. */
export const isBusy = (key) => table.view.open.some((open) => open.characters.includes(key));

/**
 * How this seat may change something: "edit" (at once), "propose" (the GM approves it), "rule" (a
 * ruling of the GM, with a reason), or not at all (null).
 */
export function wayToChange(target) {
  const { campaign, characters } = table.view;
  if (target === "scene") return table.isGM ? "rule" : null;
  const character = characters[target];
  if (table.isGM) return character?.mine && !isBusy(target) ? "edit" : "rule";
  if (!character?.mine || table.isSpectator) return null;
  return campaign.free_edits || character.fresh ? "edit" : "propose";
}

/** Change a value; where it is a ruling, `why` is its reason. */
function change(way, target, path, value, why) {
  if (way !== "rule") return table.do({ do: "edit", character: target, path, value, why });
  const reason = why || (value === null ? "Removed" : "Correction");
  return table.do({ do: "rule", reason, values: [{ target, path, value }] });
}

/** An input for a plain value, by its kind or by what it looks like; `read()` gives it back. */
function shape(value, label, kind = "", choices = []) {
  if (kind === "choice") {
    const el = h("select", null, choices.map((each) => h("option", { value: each, text: words(each) })));
    el.value = value ?? "";
    return { el, read: () => el.value };
  }
  if (kind === "yes_no" || typeof value === "boolean") {
    const el = tick(label, Boolean(value));
    return { el, isNamed: true, read: () => el.box.checked };
  }
  if (kind === "number" || typeof value === "number") {
    const el = h("input", { type: "number", step: "any", inputmode: "numeric" });
    el.value = value ?? "";
    return { el, read: () => (el.value.trim() === "" ? "" : Number(el.value)) };
  }
  if (kind === "list" || (Array.isArray(value) && value.every((each) => typeof each === "string"))) {
    const el = h("textarea", { rows: "3", class: "grows", placeholder: "one per line" });
    el.value = (value ?? []).join("\n");
    return { el, read: () => el.value.split("\n").map((line) => line.trim()).filter(Boolean) };
  }
  if (value && typeof value === "object" && !Array.isArray(value)) return shapes(value);
  const isPlain = !value || typeof value === "string";
  const el = h(kind === "long" || !isPlain ? "textarea" : "input", { class: "grows", type: kind === "long" ? null : "text", autocomplete: "off" });
  el.value = isPlain ? (value ?? "") : JSON.stringify(value);
  return { el, read: () => (isPlain ? el.value.trim() : plain(el.value)) };
}

function plain(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function shapes(values) {
  const inner = Object.entries(values).map(([key, value]) => [key, shape(value, words(key))]);
  const el = h("div", { class: "fields" }, inner.map(([key, each]) => named(words(key), each)));
  return { el, isNamed: true, read: () => Object.fromEntries(inner.map(([key, each]) => [key, each.read()])) };
}

function named(label, made) {
  if (made.isNamed) return made.el;
  made.el.id ||= freshId("value");
  return h("div", { class: "field" }, h("label", { for: made.el.id, text: label }), made.el);
}

/**
 * The editor for one value. `place()` is its path, `read()` its value; errors are shown under the
 * field before anything is saved.
 */
function editor({ label, parts, place, read, target, close, way = wayToChange(target), remove = null, was = "", verb = "Save" }) {
  const error = errorLine(true);
  const asks = { propose: "Reason (for the GM)", rule: "Reason" }[way];
  const why = asks ? h("input", { type: "text", maxlength: "2000", placeholder: asks, aria: { label: asks } }) : null;
  const save = h("button", { class: "btn main small", text: way === "propose" ? "Propose" : verb });
  let timer = 0;
  let asked = 0;
  const check = async () => {
    const mine = ++asked;
    try {
      if (target !== "scene") await table.post("check-edit", { character: target, path: place(), value: read() });
      if (mine === asked) error.say(null);
    } catch (refused) {
      if (mine === asked && refused.status !== 429) error.say(refused);
    }
  };
  const send = async (path, value) => {
    clearTimeout(timer);
    asked += 1;
    if (!(await attempt(error, () => change(way, target, path, value, why?.value.trim() ?? ""), save))) return;
    announce(way === "propose" ? "Proposed. Waiting for GM approval." : "Saved.");
    close();
  };
  const onKey = (event) => {
    if (event.key === "Escape") {
      event.stopPropagation();
      close();
    } else if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) form.requestSubmit();
  };
  const onInput = (event) => {
    if (event.target === why) return;
    clearTimeout(timer);
    timer = setTimeout(check, PAUSE);
  };
  const onSubmit = (event) => {
    event.preventDefault();
    if (JSON.stringify(read()) === was) close();
    else send(place(), read());
  };
  const taken = remove ? button("Remove", () => send(remove, null), "small quiet bad") : null;
  const form = h(
    "form",
    { class: "editor", novalidate: true, aria: { label }, on: { submit: onSubmit, input: onInput, keydown: onKey } },
    parts,
    error,
    why,
    h("div", { class: "row" }, save, button("Cancel", close, "small quiet"), taken),
  );
  for (const control of form.querySelectorAll("input, select, textarea")) {
    if (control !== why) control.setAttribute("aria-describedby", error.id);
  }
  return form;
}

/** Edit the value of a row. */
export function rowEditor(row, section, target, close, way = wayToChange(target)) {
  const made = shape(row.raw ?? null, row.label, row.kind ?? "text", row.choices);
  const place = () => row.path;
  const entry = entryOf(row.path, section.add ?? "");
  return editor({ label: `Edit ${row.label}`, parts: named(row.label, made), place, read: made.read, target, close, way, remove: entry, was: JSON.stringify(row.raw ?? null) });
}

/** Add an entry to a section. */
export function addEditor(section, target, close) {
  const { example } = section;
  const isMapping = Array.isArray(example) && example.length === 2;
  const isLine = typeof example === "string";
  const made = shape(isMapping ? example[1] : isLine ? "" : (example ?? ""), "Value", isLine ? "long" : "");
  if (isLine) made.el.placeholder = example;
  if (!isMapping) {
    const place = () => join([...split(section.add), NEXT]);
    return editor({ label: `Add to ${section.title}`, parts: named("New entry", made), place, read: made.read, target, close, verb: "Add" });
  }
  const key = h("input", { type: "text", autocomplete: "off", placeholder: String(example[0]) });
  const place = () => join([...split(section.add), key.value.trim() || String(example[0])]);
  const parts = [named("Name", { el: key }), named("Value", made)];
  return editor({ label: `Add to ${section.title}`, parts, place, read: made.read, target, close, verb: "Add" });
}

/** A proposed edit: what it would change, and buttons for those who may decide on it. */
function proposalCard(proposal) {
  const error = errorLine();
  const decide = (yes) => attempt(error, () => table.do({ do: "nod", proposal: proposal.id, yes }));
  const { name, page } = table.view.characters[proposal.character] ?? { name: proposal.character };
  const row = page?.sections?.flatMap((section) => section.rows ?? []).find((each) => each.path === proposal.path);
  const parts = split(proposal.path);
  const isAdded = parts.at(-1) === NEXT;
  const list = page?.sections?.find((section) => isAdded && section.add === join(parts.slice(0, -1)));
  const what = row?.label ?? list?.title ?? parts.filter((part) => part !== NEXT).map(words).join(", ");
  const mine = proposal.seat === table.seat;
  const buttons = table.isGM ? [button("Approve", () => decide(true), "main small"), button("Reject", () => decide(false), "small")] : mine ? button("Withdraw", () => decide(false), "small quiet") : null;
  return h(
    "div",
    { class: "proposal" },
    h("p", { class: "soft", text: table.isGM ? `${table.nameOf(proposal.seat)} proposes a change to ${name}: ${what}` : `Waiting for GM approval: ${what}` }),
    h("p", null, isAdded ? "Add: " : [h("del", { text: valueWords(proposal.before) }), " → "], h("ins", { text: valueWords(proposal.after) })),
    proposal.why ? h("p", { class: "soft", text: `“${proposal.why}”` }) : null,
    h("div", { class: "row" }, buttons),
    error,
  );
}

/** Fill an element with the proposals that pass, or hide it. */
export function showProposals(el, passes = () => true) {
  const list = table.view.proposals.filter(passes);
  el.hidden = !list.length;
  keepFocus(el, () => fill(el, list.map(proposalCard)));
}
