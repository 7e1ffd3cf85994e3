// A new character on one page: filled in, checked by the server while one types, then brought to the table.

import { showDialog } from "./back.js";
import { announce, fill, h, showSheet } from "./dom.js";
import { attempt, button, errorLine, freshId, gameInfo, keyFrom, tick } from "./forms.js";
import { ruleLink } from "./rules.js";
import { choice } from "./seats.js";
import { table } from "./table.js";

const PAUSE = 300;
/** Longer expectations are cut short beside a field. */
const LONGEST = 150;
/** How many letters the value beside a name has room for; more, when it is longer. */
const SHORTEST = 8;
/** How many fields that are still wrong or empty are named. */
const SEVERAL = 4;

const stored = () => `astragal:draft:${table.campaign}`;

function suggested(field) {
  if (!field.suggestions?.length) return null;
  return h("datalist", { id: freshId("list") }, field.suggestions.map(({ name, note = "" }) => h("option", { value: name, label: note || null })));
}

const line = (field, props = {}) => h("input", { type: "text", autocomplete: "off", placeholder: field.example ?? null, ...props });

// --- Fields: each has an element, and reads and shows a value -------------------------------

function textField(field) {
  const el = field.kind === "long" ? h("textarea", { class: "grows" }) : line(field, field.kind === "number" ? { inputmode: "numeric" } : {});
  const number = (text) => (/^-?\d+$/.test(text) ? Number(text) : text);
  return { el, read: () => (field.kind === "number" ? number(el.value.trim()) : el.value.trim()), show: (value) => (el.value = value ?? ""), hint: (value) => (el.placeholder = value || field.example || "") };
}

function choiceField(field) {
  const el = choice([["", "–"], ...field.choices.map((each) => [each, each])]);
  return { el, read: () => el.value, show: (value) => (el.value = value ?? "") };
}

/** Several lines, as for Beliefs. */
function linesField(field) {
  const el = h("div", { class: "stack tight", role: "group", aria: { label: field.label } });
  const add = (value = "") => {
    const input = line(field, { aria: { label: `${field.label.replace(/s$/, "")} ${el.children.length + 1}` } });
    input.value = value;
    el.append(input);
  };
  const show = (values) => {
    fill(el);
    for (let at = 0; at < Math.max(field.count ?? 1, values?.length ?? 0); at += 1) add(values?.[at]);
  };
  show([]);
  return { el, isGroup: true, read: () => [...el.children].map((each) => each.value.trim()).filter(Boolean), show };
}

/** Names with commas between them. */
function listField(field) {
  const names = suggested(field);
  const el = line(field, { list: names?.id ?? null, placeholder: field.example || "comma-separated" });
  return { el, extra: names, read: () => el.value.split(",").map((each) => each.trim()).filter(Boolean), show: (values) => (el.value = (values ?? []).join(", ")), hint: (value) => (el.placeholder = value || field.example || "comma-separated") };
}

/** "Sword 4", "Skating: physical": a name and its value. */
function pair(text) {
  const [, name, value] = text.match(/^\s*([^:]+?)\s*:\s*(.+?)\s*$/) ?? text.match(/^\s*(.+?)\s+([BGW]?\d.*?)\s*$/i) ?? [null, text.trim(), ""];
  return [name, value];
}

/** Several with commas between them, where each of them has a value of its own. */
function pairs(text) {
  const pieces = text.split(",").filter((each) => each.trim());
  return pieces.every((each) => pair(each)[1]) ? pieces.map(pair) : [pair(text)];
}

/** Names with a value each, as for skills. */
function picksField(field) {
  const names = suggested(field);
  const notes = new Map((field.suggestions ?? []).map(({ name, note }) => [name.toLowerCase(), note]));
  const box = line(field, { list: names?.id ?? null, enterkeyhint: "done", aria: { label: `Add to ${field.label}` } });
  const rows = h("ul", { class: "picks" });
  const put = (name, value) => {
    const known = field.suggestions?.find((each) => each.name.toLowerCase() === name.toLowerCase())?.name ?? name;
    const had = [...rows.children].find((each) => each.dataset.name === known);
    const input = h("input", { type: "text", autocomplete: "off", aria: { label: known } });
    const grow = () => (input.size = Math.max(SHORTEST, input.value.length));
    input.addEventListener("input", grow);
    input.value = value ?? "";
    grow();
    const row = h("li", { data: { name: known } }, h("span", { class: "grow" }, known, " ", h("small", { class: "soft", text: notes.get(known.toLowerCase()) ?? "" })), input, button("✕", () => away(row), "small quiet", `Remove ${known}`));
    if (had) had.replaceWith(row);
    else rows.append(row);
    return input;
  };
  const away = (row) => {
    row.remove();
    box.focus();
    box.dispatchEvent(new Event("input", { bubbles: true }));
  };
  const take = () => {
    if (!box.value.trim()) return;
    const made = pairs(box.value).map(([name, value]) => put(name, value));
    box.value = "";
    made.find((each) => !each.value)?.focus();
    box.dispatchEvent(new Event("input", { bubbles: true }));
  };
  box.addEventListener("change", take);
  box.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    take();
  });
  return {
    el: box,
    extra: [names, rows],
    read: () => Object.fromEntries([...rows.children].map((row) => [row.dataset.name, row.querySelector("input").value.trim()])),
    show: (values) => {
      fill(rows);
      for (const [name, value] of Object.entries(values ?? {})) put(name, value);
    },
  };
}

const MAKERS = { choice: choiceField, lines: linesField, list: listField, picks: picksField };

/** A field with its label, what the rules make of it, and what is wrong with it. */
function fieldOf(field) {
  const made = (MAKERS[field.kind] ?? textField)(field);
  const error = errorLine(true);
  const told = h("small", { class: "soft" });
  made.el.id ||= freshId("field");
  const name = field.rule ? ruleLink(field.rule, field.label) : field.label;
  if (name instanceof Element) name.tabIndex = -1;
  const label = made.isGroup ? h("span", { class: "label" }, name) : h("span", { class: "label" }, h("label", { for: made.el.id, class: "visually-hidden", text: field.label }), name);
  const el = h("div", { class: `field is-${field.kind ?? "text"}` }, label, made.el, made.extra, field.help ? h("small", { class: "soft", text: field.help }) : null, told, error);
  return {
    ...made,
    field,
    box: el,
    target: made.isGroup ? made.el.firstElementChild : made.el,
    say(faults, follows, remarks) {
      const said = faults.map(({ path, expected }) => {
        const inner = path.slice(field.path.length).replace(/\.(rating|weapon|die|name)$/, "").replace(/^[.[]|\]$/g, "");
        return `${/^\d*$/.test(inner) ? "" : `${inner}: `}expected ${expected.length > LONGEST ? `${expected.slice(0, LONGEST)}…` : expected}`;
      });
      error.say(said.length ? { line: `${said.join("; ")}.`.replace(/^e/, "E"), rule: faults[0].rule } : null);
      made.el.toggleAttribute("aria-invalid", said.length > 0);
      if (said.length) made.el.setAttribute("aria-invalid", "true");
      made.hint?.(follows?.value);
      const isOther = follows && [made.read()].flat().join(", ") !== follows.value;
      fill(told, isOther ? ["By the rules: ", ruleLink(follows.rule, follows.value), " "] : null, remarks.map(({ text }) => text));
    },
  };
}

// --- The page -------------------------------------------------------------------------------

class NewCharacter {
  #fields = [];
  #base = {};
  #draft = null;
  #asked = 0;
  #timer = 0;

  async open() {
    this.error = errorLine();
    this.unread = h("div", { role: "status" });
    this.form = h("form", { class: "creation", novalidate: true, on: { submit: (event) => this.#create(event), input: () => this.#soon() } });
    this.state = h("p", { class: "grow soft", role: "status" });
    this.save = h("button", { class: "btn main", text: "Create", type: "submit" });
    this.dialog = h(
      "dialog",
      { class: "new-character", aria: { label: "New character" } },
      h("header", { class: "row" }, h("h2", { class: "grow", text: "New character" }), button("Close", () => this.dialog.close(), "quiet")),
      this.form,
    );
    const kept = this.#kept();
    const draft = await table.post("draft", kept ? { values: kept.values, base: kept.base } : {});
    this.#build(draft, await gameInfo());
    showDialog(this.dialog);
    this.#fields[0].target.focus();
  }

  /** What was typed before a reload. */
  #kept() {
    try {
      return JSON.parse(sessionStorage.getItem(stored()) ?? "null");
    } catch {
      return null;
    }
  }

  #build(draft, game) {
    const ready = choice([["", "Nothing"], ...game.ready.map((each) => [each.name, each.concept ? `${each.title}: ${each.concept}` : each.title])]);
    ready.addEventListener("change", () => this.#start({ ready: ready.value }));
    const file = h("input", { type: "file", accept: ".toml,.json,application/toml,application/json" });
    file.addEventListener("change", async () => {
      const text = await file.files[0]?.text();
      file.value = ""; // The same file may be chosen again when it has changed.
      if (text) this.#start({ file: text });
    });
    for (const each of [ready, file]) each.addEventListener("input", (event) => event.stopPropagation());
    const named = (label, control) => {
      control.id ||= freshId("start");
      return h("div", { class: "field" }, h("label", { for: control.id, text: label }), control);
    };
    this.who = table.isGM ? choice(table.view.chairs.filter(({ role }) => role !== "spectator").map(({ seat, name }) => [seat, name]), table.seat) : null;
    this.hidden = table.isGM ? tick("Hidden from players") : null;
    this.#fields = draft.parts.flatMap(({ fields }) => fields.map(fieldOf));
    let at = 0;
    const part = ({ title, fields, help = "" }) => {
      const inner = fields.map(() => this.#fields[at++].box);
      return h("fieldset", { class: "creation-part" }, h("legend", { text: title }), help ? h("p", { class: "hint", text: help }) : null, h("div", { class: "creation-fields" }, inner));
    };
    fill(
      this.form,
      h("div", { class: "creation-start" }, named("Start from", ready), named(`Or from a file (${["TOML", "JSON", ...draft.programs].join(", ")})`, file), this.who ? named("Played by", this.who) : null, this.hidden),
      this.unread,
      h("div", { class: "creation-parts" }, draft.parts.map(part)),
      this.error,
      h("footer", { class: "row" }, this.state, this.save),
    );
    this.#show(draft, true);
  }

  /** Begin anew, from a pre-made sheet or a file. */
  async #start(from) {
    clearTimeout(this.#timer);
    this.#asked += 1;
    await attempt(this.error, async () => this.#show(await table.post("draft", from), true));
  }

  #soon() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#check().catch(() => {}), PAUSE);
  }

  #values() {
    const found = this.#fields.map(({ field, read }) => [field.path, read()]);
    return Object.fromEntries(found.filter(([, value]) => value !== "" && (typeof value !== "object" || Object.keys(value).length)));
  }

  async #check() {
    clearTimeout(this.#timer);
    const mine = ++this.#asked;
    const values = this.#values();
    sessionStorage.setItem(stored(), JSON.stringify({ values, base: this.#base }));
    const draft = await table.post("draft", { values, base: this.#base });
    if (mine === this.#asked) this.#show(draft);
  }

  #show(draft, isNew = false) {
    this.#draft = draft;
    if (isNew) {
      this.#base = draft.base;
      for (const { field, show } of this.#fields) show(draft.values[field.path]);
      const { unread } = draft;
      fill(this.unread, unread.length ? h("details", { class: "card", open: true }, h("summary", { text: `Not understood (${unread.length})` }), h("ul", { class: "unread" }, unread.map((text) => h("li", { text })))) : null);
    }
    const isAt = (path, field) => path === field.path || path.startsWith(`${field.path}.`) || path.startsWith(`${field.path}[`) || (isMissing(draft, path) && field.path.startsWith(`${path}.`));
    const placed = new Set();
    const wrong = [];
    for (const each of this.#fields) {
      const faults = draft.faults.filter(({ path }) => isAt(path, each.field));
      for (const fault of faults) placed.add(fault);
      if (faults.length) wrong.push(each.field.label);
      each.say(this.#isTouched(each, faults) ? faults : [], draft.follows.find(({ path }) => path === each.field.path), draft.remarks.filter(({ path }) => path === each.field.path));
    }
    const others = draft.faults.filter((fault) => !placed.has(fault));
    this.error.say(others.length ? { line: others.map(({ line }) => line).join(" ") } : null);
    const also = draft.follows.filter(({ path }) => !this.#fields.some(({ field }) => field.path === path)).map(({ label, value }) => `${label} ${value}`);
    const open = wrong.length > SEVERAL ? `${wrong.slice(0, SEVERAL).join(", ")} and ${wrong.length - SEVERAL} more` : wrong.join(", ");
    this.state.textContent = [draft.faults.length ? `To fix or fill in: ${open || "see above"}` : "Ready", ...also].join(" · ");
  }

  /** What is still empty is not marked before somebody wants to go on. */
  #isTouched({ read, field }, faults) {
    const value = read();
    return this.isPressed || (value !== "" && Object.keys(value).length !== 0) || faults.some(({ path }) => path !== field.path && path.startsWith(field.path));
  }

  async #create(event) {
    event.preventDefault();
    this.isPressed = true;
    const isChecked = await attempt(this.error, () => this.#check());
    if (!isChecked) return;
    const wrong = this.#fields.find(({ box }) => box.querySelector(".field-error:not(:empty)"));
    if (this.#draft.faults.length) return (wrong?.target ?? this.save).focus();
    const { sheet } = this.#draft;
    const character = keyFrom(sheet.name, [...Object.keys(table.view.characters), "gm", "scene"]);
    const command = { do: "join", character, sheet, seat: this.who?.value ?? table.seat, hidden: this.hidden?.box.checked ?? false };
    if (!(await attempt(this.error, () => table.do(command), this.save))) return;
    sessionStorage.removeItem(stored());
    this.dialog.close();
    announce(`${sheet.name} joins.`);
    showSheet(table.view.characters[character] ? character : (Object.values(table.view.characters).find(({ mine }) => mine)?.key ?? character));
  }
}

/** A whole group is missing: each of its fields says so. */
const isMissing = (draft, path) => draft.faults.some((fault) => fault.path === path);

let isOpening = false;

/** Open the page for a new character. */
export async function newCharacter() {
  if (isOpening || document.querySelector(".new-character")) return;
  isOpening = true;
  try {
    await new NewCharacter().open();
  } catch (refused) {
    document.dispatchEvent(new CustomEvent("refused", { detail: refused }));
  } finally {
    isOpening = false;
  }
}
