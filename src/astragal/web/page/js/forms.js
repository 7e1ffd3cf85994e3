// The form of any procedure, drawn from its fields; and the small controls that panels share.

import { Part, define, fill, h, words } from "./dom.js";
import { fetchJSON } from "./net.js";
import { withRule } from "./rules.js";
import { table } from "./table.js";

const OTHER = "\u0000other";
/** Longer help is shortened. */
const LONG_HELP = 90;
let count = 0;

/** A unique id for an element. */
export const freshId = (what) => `${what}-${++count}`;

/** A button; `said` is its accessible name where the label alone says too little. */
export function button(label, click, kind = "", said = null) {
  return h("button", { type: "button", class: `btn ${kind}`, aria: { label: said }, on: { click } }, label);
}

/** Elements below each other, close together. */
export const stack = (...children) => h("div", { class: "stack tight" }, children);

/** A line for an error; it is read out when it appears. Beside its field it is shorter. */
export function errorLine(isAtField = false) {
  const line = h("p", { class: "field-error", id: freshId("error"), role: "alert" });
  const told = (refused) => (isAtField && refused.expected ? `Expected ${refused.expected}.` : (refused.line ?? String(refused)));
  line.say = (refused) => fill(line, refused ? withRule(told(refused), refused.rule) : "");
  return line;
}

/** A control under its label, with help. */
export function labelled(label, control, help = "") {
  control.id ||= freshId("field");
  return h("div", { class: "field" }, h("label", { for: control.id, text: label }), control, helpFor({ help }));
}

/** A checkbox with its label. */
export function tick(label, checked = false, change = null) {
  const box = h("input", { type: "checkbox", on: change ? { change: () => change(box.checked) } : {} });
  box.checked = checked;
  const el = h("label", { class: "check" }, box, h("span", { text: label }));
  el.box = box;
  return el;
}

/** Do something that may be refused: the button is disabled meanwhile, the line shows the error. */
export async function attempt(line, work, control = null) {
  // What is typed while the command is on its way would be cleared with the rest of the form.
  const form = control ? [...(control.form?.elements ?? [control])].filter((each) => !each.disabled) : [];
  const focused = form.find((each) => each === document.activeElement);
  const disable = (on) => form.forEach((each) => (each.disabled = on));
  line?.say(null);
  disable(true);
  try {
    await work();
    return true;
  } catch (refused) {
    if (!refused.line) throw refused;
    line?.say(refused);
    return false;
  } finally {
    disable(false);
    if (document.activeElement === document.body) focused?.focus({ preventScroll: true });
  }
}

/** Empty the fields of a form in which something is typed or chosen; ticks stay as they are. */
export function clearTyped(form) {
  for (const field of form.elements) if (field.matches("input:not([type=checkbox]), textarea, select")) field.value = "";
}

/** Draw something again; the control that had the focus has it afterwards. */
export function keepFocus(root, draw) {
  const active = document.activeElement;
  const controls = () => [...root.querySelectorAll("button, input, select, textarea, a")];
  const at = root.contains(active) ? controls().indexOf(active) : -1;
  draw();
  if (at < 0 || document.activeElement === active) return;
  const { edit } = active.dataset;
  const same = active.isConnected ? active : edit ? root.querySelector(`[data-edit="${CSS.escape(edit)}"]`) : controls()[at];
  (same ?? controls().at(-1))?.focus({ preventScroll: true });
}

/** A key made from a name that is not taken. */
export function keyFrom(name, taken = []) {
  const plain = name.normalize("NFKD").replace(/[\u0300-\u036f]/g, "").toLowerCase();
  const base = plain.replace(/[^a-z0-9]+/g, "_").replace(/^_+|_+$/g, "").slice(0, 40) || "character";
  let key = base;
  for (let n = 2; taken.includes(key); n += 1) key = `${base}_${n}`;
  return key;
}

let known = null;

/** This table's game: procedures and forms, options, pre-made characters. */
export async function gameInfo() {
  known ??= fetchJSON("/api/games").catch((refused) => {
    known = null;
    throw refused;
  });
  const games = await known;
  return games.find((game) => game.name === table.view.campaign.game);
}

/** Whether this table is the game's demo: all its characters are here. */
export function isDemo(game) {
  const cast = game?.demo && Object.entries(game.demo.characters);
  return Boolean(cast) && cast.every(([key, who]) => who.hidden || key in table.view.characters);
}

/** The characters, mine first. */
export function cast() {
  return Object.values(table.view.characters).sort((a, b) => Number(b.mine) - Number(a.mine) || a.name.localeCompare(b.name));
}

// --- One field ------------------------------------------------------------------------------

function optionsOf(field, set) {
  if (field.choices?.length) return field.choices;
  if (field.kind.startsWith("seat")) return table.view.chairs.map((chair) => ({ key: chair.seat, label: chair.name }));
  if (field.kind.startsWith("character")) {
    const taken = field.kind === "characters" ? set.find(set.actor) : "";
    return cast().filter((each) => each.key !== taken).map((each) => ({ key: each.key, label: each.name }));
  }
  const owner = table.view.characters[set.find(field.of || "character")];
  return owner?.page?.choices?.[field.what || field.kind] ?? [];
}

/** One of several choices, or free text where the field allows it. */
function pickControl(field, set, value) {
  const select = h("select", { id: freshId("field") });
  const text = h("input", { type: "text", autocomplete: "off", aria: { label: field.label } });
  const isWritten = () => select.hidden || select.value === OTHER;
  const given = value ?? "";
  let listed = "";
  select.addEventListener("change", () => {
    text.hidden = !isWritten();
    if (!text.hidden) text.focus();
  });
  return {
    el: h("div", { class: "pick" }, select, text),
    id: select.id,
    target: () => (isWritten() ? text : select),
    read: () => (isWritten() ? text.value.trim() : select.value),
    refresh() {
      const options = [...optionsOf(field, set)];
      const now = JSON.stringify(options);
      if (now === listed) return;
      const wanted = listed ? this.read() : given;
      listed = now;
      const free = field.free || (!options.length && field.kind !== "character");
      const isKnown = options.some(({ key }) => key === given);
      // A suggested character may be hidden from this seat.
      if (field.kind === "character" && given && !isKnown && !free) options.push({ key: given, label: words(given) });
      const isListed = options.some(({ key }) => key === wanted);
      select.hidden = !options.length && free;
      fill(
        select,
        h("option", { value: "", text: field.required ? "Choose…" : "–" }),
        options.map(({ key, label }) => h("option", { value: key, text: label })),
        free ? h("option", { value: OTHER, text: "Other…" }) : null,
      );
      select.value = isListed ? wanted : wanted && free ? OTHER : "";
      if (!isListed && free) text.value = wanted;
      text.hidden = !isWritten();
    },
  };
}

/** Several choices, and free text where the field allows it. */
function severalControl(field, set, value) {
  const chips = h("div", { class: "row chips", role: "group", aria: { label: field.label } });
  const text = h("input", { type: "text", autocomplete: "off" });
  const ticked = () => [...chips.querySelectorAll("input:checked")].map((box) => box.value);
  let listed = "";
  return {
    el: h("div", { class: "stack tight" }, chips, text),
    isGroup: true,
    target: () => chips.querySelector("input") ?? text,
    read: () => ticked().concat(text.hidden ? [] : text.value.split(",").map((each) => each.trim()).filter(Boolean)),
    refresh() {
      const options = optionsOf(field, set);
      const now = JSON.stringify(options);
      if (now === listed) return;
      const chosen = listed ? ticked() : (value ?? []);
      const known = new Set(options.map(({ key }) => key));
      if (!listed) text.value = chosen.filter((each) => !known.has(each)).join(", ");
      listed = now;
      text.hidden = !field.free && !text.value && (options.length > 0 || field.kind === "characters");
      text.placeholder = `${options.length ? "other " : ""}${field.label.toLowerCase()}, comma-separated`;
      text.setAttribute("aria-label", text.placeholder);
      const chip = ({ key, label }) => h("label", { class: "chip" }, h("input", { type: "checkbox", value: key, checked: chosen.includes(key) }), label);
      fill(chips, options.map(chip), options.length || !text.hidden ? null : h("small", { class: "soft", text: "None available." }));
    },
  };
}

const lines = (text) => text.split("\n").map((line) => line.trim()).filter(Boolean);
const number = (text) => (text.trim() === "" ? null : Number.isFinite(Number(text)) ? Number(text) : text.trim());
/** A number of dice as people say it: 4, 4D, or as a rating, B4. */
const diceNumber = (text) => number(text.trim().replace(/^[BGW]\s*(?=\d+$)/i, "").replace(/^(\d+)\s*D$/i, "$1"));
const counted = (line) => line.match(/^(.*?)[\s:=]+(-?\d+)$/) ?? [line, line, ""];

/** Typed fields: the element, its attributes, how it is read, and how a value is written into it. */
const TYPED = {
  text: ["input", { type: "text" }],
  long: ["textarea", { rows: "2", class: "grows" }],
  number: ["input", { type: "number", step: "any", inputmode: "numeric" }, number],
  dice: ["input", { type: "text", inputmode: "numeric", placeholder: "4D" }, diceNumber],
  texts: ["textarea", { rows: "2", class: "grows", placeholder: "one per line" }, lines, (list) => list.join("\n")],
  numbers: ["input", { type: "text", placeholder: "3 4 6" }, (text) => text.split(/[\s,]+/).filter(Boolean).map(number), (list) => list.join(" ")],
  counts: [
    "textarea",
    { rows: "2", class: "grows", placeholder: "name: number" },
    (text) => Object.fromEntries(lines(text).map(counted).map(([, name, count]) => [name.trim(), number(count)])),
    (all) => Object.entries(all).map((pair) => pair.join(": ")).join("\n"),
  ],
};

const isDice = ({ kind, name }) => kind === "number" && /(^|_)dice$/.test(name);

function typedControl(field, value) {
  const [tag, props, read = (text) => text.trim(), write = String] = TYPED[isDice(field) ? "dice" : field.kind] ?? TYPED.text;
  const el = h(tag, { id: freshId("field"), autocomplete: "off", min: field.least, max: field.most, ...props });
  if (!isEmpty(value)) el.value = write(value);
  return { el, id: el.id, target: () => el, read: () => read(el.value), refresh() {} };
}

function yesNoControl(field, value) {
  const isOpen = !field.required && isEmpty(field.default);
  if (!isOpen) {
    const el = tick(field.label, Boolean(value));
    return { el, isTick: true, target: () => el.box, read: () => el.box.checked, refresh() {} };
  }
  const el = h("select", { id: freshId("field") }, ["", "yes", "no"].map((said) => h("option", { value: said, text: said || "–" })));
  el.value = { true: "yes", false: "no" }[value] ?? "";
  return { el, id: el.id, target: () => el, read: () => (el.value ? el.value === "yes" : null), refresh() {} };
}

function controlOf(field, set, value) {
  if (["choice", "character", "ability", "own", "seat"].includes(field.kind)) return pickControl(field, set, value);
  if (["choices", "characters", "owns", "seats"].includes(field.kind)) return severalControl(field, set, value);
  return field.kind === "yes_no" ? yesNoControl(field, value) : typedControl(field, value);
}

const isEmpty = (value) =>
  value === null || value === undefined || value === "" || (typeof value === "object" && !Object.keys(value).length);

/** The first sentence of a long text; the rest unfolds. */
export function brief(text) {
  const [, first, rest] = text.match(/^(.{20,}?[.;:])\s+(\S.*)$/s) ?? [null, text, ""];
  if (text.length < LONG_HELP || !rest) return text;
  const more = h("button", { type: "button", class: "more", text: "more", aria: { expanded: "false" } });
  const whole = h("span", { hidden: true, text: rest });
  more.addEventListener("click", () => {
    whole.hidden = !whole.hidden;
    more.textContent = whole.hidden ? "more" : "less";
    more.setAttribute("aria-expanded", String(!whole.hidden));
  });
  return [`${first} `, whole, " ", more];
}

const helpFor = ({ help }) => (help ? h("small", { class: "soft" }, brief(help)) : null);

/** A field of plain kind: label, control, help, and its own error line. */
function plainField(field, set, value) {
  const control = controlOf(field, set, value ?? field.default);
  const error = errorLine(true);
  const name = [field.label, field.required ? null : h("small", { class: "soft optional", text: " optional" })];
  const label = control.isTick ? null : control.isGroup ? h("span", { class: "label" }, name) : h("label", { for: control.id }, name);
  if (field.required && !control.isTick) control.target()?.setAttribute("aria-required", "true");
  const el = h("div", { class: "field", data: { kind: field.kind } }, label, control.el, helpFor(field), error);
  control.refresh();
  return {
    el,
    value: () => control.read(),
    give(into) {
      const said = control.read();
      const isDefault = JSON.stringify(said) === JSON.stringify(field.default ?? null);
      if (!isEmpty(said) && !(isDefault && !field.required)) into[field.name] = said;
    },
    refresh: () => control.refresh(),
    fault(parts, refused, focused = true) {
      for (let up = el.closest("details"); up; up = up.parentElement.closest("details")) up.open = true;
      error.say(refused);
      const target = control.target();
      target.setAttribute("aria-invalid", "true");
      target.setAttribute("aria-describedby", error.id);
      if (focused) target.focus();
      return true;
    },
    clear() {
      if (!error.hasChildNodes()) return;
      error.say(null);
      control.target().removeAttribute("aria-invalid");
    },
  };
}

/** A form within the form; an optional one is opened by its checkbox. */
function groupField(field, set, value) {
  const inner = new Fields(field.fields, value ?? field.default ?? {}, set);
  const isOptional = !field.required;
  const isOn = !isOptional || !isEmpty(value);
  const box = isOptional ? tick(field.label, isOn, (on) => (inner.el.hidden = !on)) : null;
  inner.el.hidden = !isOn;
  const legend = h("legend", { class: box ? "visually-hidden" : null, text: field.label });
  const el = h("fieldset", { class: "group" }, legend, box, helpFor(field), inner.el);
  return {
    el,
    value: () => (inner.el.hidden ? null : inner.read()),
    give(into) {
      if (!inner.el.hidden) into[field.name] = inner.read();
    },
    refresh: () => inner.refresh(),
    fault(parts, refused, focused) {
      inner.el.hidden = false;
      if (box) box.box.checked = true;
      return inner.fault(parts, refused, focused);
    },
    clear: () => inner.clear(),
  };
}

/** A list of forms of one kind: the sides of a duel, the links of a chain; within another, from one on. */
function groupsField(field, set, value) {
  const least = field.least ?? (field.required ? (set.outer ? 1 : 2) : 0);
  const most = field.most ?? 12;
  const list = h("div", { class: "stack" });
  const error = errorLine();
  let all = [];
  const one = field.label.replace(/ies$/, "y").replace(/s$/, "");
  const more = button(`Add ${one.toLowerCase()}`, () => {
    put({});
    all.at(-1).el.querySelector("input, select, textarea")?.focus();
  }, "small quiet");
  const put = (values) => {
    const inner = new Fields(field.fields, values, set);
    const item = { inner, el: h("fieldset", { class: "group" }) };
    all.push(item);
    list.append(item.el);
    number();
  };
  const number = () => {
    all.forEach(({ el, inner }, at) => {
      const away = button(`Remove ${one.toLowerCase()}`, () => {
        all = all.filter((each) => each.el !== el);
        el.remove();
        number();
      }, "small quiet", `Remove ${one.toLowerCase()} ${at + 1}`);
      fill(el, h("legend", { text: `${one} ${at + 1}` }), inner.el, all.length > Math.min(least, field.least ?? 1) ? away : null);
    });
    more.hidden = all.length >= most;
  };
  const given = value ?? field.default ?? [];
  for (let n = 0; n < Math.max(given.length, least); n += 1) put(given[n] ?? {});
  const read = () => all.map(({ inner }) => inner.read());
  const el = h("div", { class: "field" }, h("span", { class: "label", text: field.label }), list, more, error);
  return {
    el,
    value: read,
    give(into) {
      if (all.length) into[field.name] = read();
    },
    refresh: () => all.forEach(({ inner }) => inner.refresh()),
    fault([at, ...rest], refused, focused) {
      if (all[at]?.inner.fault(rest, refused, focused)) return true;
      error.say(refused);
      return true;
    },
    clear() {
      error.say(null);
      all.forEach(({ inner }) => inner.clear());
    },
  };
}

// --- A set of fields ------------------------------------------------------------------------

/** The fields of one form or group; rarely used ones are folded away. */
class Fields {
  #fields = new Map();

  constructor(fields, values, outer = null) {
    this.outer = outer;
    /** Who acts: whoever the form first asks for. */
    this.actor = fields.find(({ kind, required }) => kind === "character" && required)?.name ?? outer?.actor ?? "character";
    const parts = { often: [], seldom: [] };
    for (const field of fields) {
      const make = { group: groupField, groups: groupsField }[field.kind] ?? plainField;
      const made = make(field, this, values[field.name]);
      this.#fields.set(field.name, made);
      const isShown = !field.seldom || !isEmpty(values[field.name]);
      parts[isShown ? "often" : "seldom"].push(made.el);
    }
    const few = fields.filter((field) => field.seldom).slice(0, 3).map((field) => field.label.toLowerCase());
    const more = h("summary", { text: `More: ${few.join(", ")}${parts.seldom.length > 3 ? "…" : ""}` });
    const folded = h("details", { class: "seldom" }, more, h("div", { class: "fields" }, parts.seldom));
    this.el = h("div", { class: "fields" }, parts.often, parts.seldom.length ? folded : null);
    this.refresh();
  }

  /** The value of a field here, or in the form around this one. */
  find(name) {
    const here = this.#fields.get(name)?.value();
    return isEmpty(here) ? this.outer?.find(name) : here;
  }

  read() {
    const all = {};
    for (const field of this.#fields.values()) field.give(all);
    return all;
  }

  refresh() {
    for (const field of this.#fields.values()) field.refresh();
  }

  /** Show an error at its field; false where there is no field of that name. */
  fault([name, ...rest], refused, focused) {
    return this.#fields.get(name)?.fault(rest, refused, focused) ?? false;
  }

  clear() {
    for (const field of this.#fields.values()) field.clear();
  }
}

/** My character, and none that is hidden: of several the one whose sheet is in view; the GM may begin something for anybody. */
export function myself(taken = []) {
  const known = cast().filter((each) => (each.mine || table.isGM) && each.page && !each.hidden && !taken.includes(each.key));
  return known.find((each) => each.key === document.querySelector("ast-sheet")?.shown) ?? known.find(({ mine }) => mine);
}

/** My character is filled in where the form first asks for one. */
function withMe(fields, values) {
  const me = myself();
  if (!me) return values;
  const field = fields.find((each) => each.kind === "character" && each.required) ?? fields.find((each) => each.name === "character");
  if (field) return field.name in values ? values : { [field.name]: me.key, ...values };
  const sides = fields.find((each) => each.kind === "groups" && each.required);
  if (!sides || sides.name in values) return values;
  return { ...values, [sides.name]: [withMe(sides.fields, {})] };
}

/** `<ast-form>`: a form of a procedure. Set `.form` (and `.values`) before it is shown. */
class FormElement extends Part {
  static watches = ["characters", "chairs"];
  form = null;
  values = {};
  #set = null;

  render() {
    if (!this.form) return;
    if (this.#set) return this.#set.refresh();
    const fields = this.form.fields ?? [];
    this.#set = new Fields(fields, withMe(fields, this.values));
    this.addEventListener("input", () => this.clear());
    this.addEventListener("change", () => this.#set.refresh());
    this.rest = errorLine();
    fill(this, this.#set.el, this.rest);
  }

  /** The arguments as filled in; empty and default values are left out. */
  read() {
    return this.#set.read();
  }

  /** Show an error at its field, or below all of them; the field gets the focus unless somebody is still writing. */
  fault(refused, focused = true) {
    this.#set.clear();
    const parts = refused.place.replace(/\[(\d+)\]/g, ".$1").split(".");
    if (parts[0] === "arguments" || parts[0] === "command") parts.shift();
    if (parts[0] === "arguments") parts.shift();
    if (!this.#set.fault(parts, refused, focused)) this.rest.say(refused);
  }

  clear() {
    this.#set?.clear();
    this.rest?.say(null);
  }
}

define("ast-form", FormElement);
