// A control for each kind of question. It has a `node`; `read()` is the answer, or undefined while
// it is incomplete; `says()` is the label of the button that sends it; `tries()` are the answers
// one press away, each with the element that shows its chance.

import { fill, h, roving } from "./dom.js";
import { percent } from "./odds.js";
import { ruleLink, rulesLink, withRule } from "./rules.js";
import { scriptControl } from "./volley_script.js";

/** A list with this many options is drawn close together. */
const MANY = 9;
/** More choices than this, or longer ones, are a list to open where there is little room. */
const MOST_CHIPS = 5;
const LONG = 28;

/** The element for the chance of a choice. */
export function chanceTag() {
  return h("span", { class: "chance" });
}

/** The chance with each answer to the present question. */
export function chancesIn({ options = {} }) {
  const chances = new Map(Object.entries(options).map(([answer, chance]) => [JSON.stringify(JSON.parse(answer)), chance]));
  return (answer) => chances.get(JSON.stringify(answer));
}

const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/**
 * The chance with each answer that is one press away, and whether it is better or worse than now;
 * `different` leaves out answers that change nothing.
 */
export function showOdds(made, chanceOf, base, different = false) {
  const said = made.read?.();
  const now = (said === undefined ? undefined : chanceOf(said)) ?? base;
  const all = (made.tries?.() ?? []).map(([answer, tag]) => {
    const chance = answer === undefined ? undefined : chanceOf(answer);
    return { answer, tag, chance, way: now === null || chance === undefined ? 0 : Math.sign(Math.round(200 * (chance - now))) };
  });
  const matters = now === null || all.some(({ way }) => way);
  for (const { answer, tag, chance, way } of all) {
    const isShown = chance !== undefined && (!different || (matters && (way || now === null || same(answer, said))));
    tag.dataset.way = way > 0 ? "up" : way < 0 ? "down" : "";
    tag.title = isShown && way ? `${percent(now)} to ${percent(chance)}` : "";
    fill(tag, isShown ? [way ? h("span", { aria: { label: way > 0 ? "better: " : "worse: " }, text: way > 0 ? "\u25b2 " : "\u25bc " }) : null, percent(chance, true)] : null);
  }
}

/** Label, cost and note of an option. */
export function described({ label, cost, note }) {
  return [h("b", { text: label }), cost ? h("span", { class: "cost", text: cost }) : null, note ? h("small", { class: "soft", text: ` ${note}` }) : null];
}

/** In a long list, options in a row with the same note are grouped under it. */
function runs(options) {
  if (options.length < MANY) return [options];
  const out = [];
  for (const option of options) {
    if (out.length && out.at(-1)[0].note === option.note) out.at(-1).push(option);
    else out.push([option]);
  }
  return out.length * 2 < options.length ? out : [options];
}

/** The note of several options, which opens the rules behind them. */
function rulesOf(note, some) {
  const rules = [...new Set(some.map(({ rule }) => rule).filter(Boolean))];
  return rules.length > 1 ? rulesLink(note, rules) : withRule(note, rules[0]);
}

/** The note that all of many options share, if they do. */
export function common(options) {
  const [first] = options;
  return options.length > 3 && first.note && options.every(({ note }) => note === first.note) ? first.note : "";
}

let names = 0;

/** Chips; `tries(answerOf)` gives one answer for each element that shows a chance. */
function picks(type, options, chosen, changed, brief = false) {
  const name = `pick-${(names += 1)}`;
  const rows = new Map();
  const chip = (option, shared = null) => {
    // A press on what is chosen already says so, too: it changes nothing, but somebody has answered.
    const box = h("input", { type, name, on: { click: () => changed(option.key, box.checked) } });
    box.checked = chosen(option.key);
    const chance = shared ?? chanceTag();
    rows.set(option.key, { box, chance });
    const label = h("label", { class: "chip" }, box, h("span", null, described(shared ? { ...option, note: "" } : option)), shared ? null : chance);
    return shared || brief ? label : h("span", { class: "option-row" }, label, ruleLink(option.rule));
  };
  const run = (some) => {
    const [{ note }] = some;
    const chance = chanceTag();
    return [
      h("small", { class: "soft" }, h("span", null, rulesOf(note || "\u2013", some)), chance),
      h("div", { class: "chips", role: "group", aria: { label: note } }, some.map((option) => chip(option, chance))),
    ];
  };
  const all = runs(options);
  const node = all.length > 1 ? h("div", { class: "runs" }, all.map(run)) : h("div", { class: "chips" }, options.map((option) => chip(option)));
  const tries = (answerOf) => {
    const found = new Map();
    for (const [key, { chance }] of rows) found.set(chance, found.get(chance) ?? answerOf(key));
    return [...found].map(([chance, answer]) => [answer, chance]);
  };
  return { node, rows, tries, add: (option) => node.append(chip(option)) };
}

function one(question, changed, prompt, enter, brief) {
  const options = question.options ?? [{ key: true, label: "Yes" }, { key: false, label: "No" }];
  let value = question.default ?? undefined;
  const { node, tries } = picks("radio", options, (key) => key === value, (key) => {
    value = key;
    changed();
  }, brief);
  return { node, tries: () => tries((key) => key), read: () => value, says: () => options.find(({ key }) => key === value)?.label ?? "Choose one" };
}

/** The same as a select, with the note and rule of the choice. */
function choose({ question, prompt }, changed) {
  const { options, default: given } = question;
  const about = h("small", { class: "soft" });
  const select = h("select", { aria: { label: prompt } }, given === null ? h("option", { value: "", text: "Choose\u2026" }) : null, options.map(({ key, label, cost }) => h("option", { value: key, text: cost ? `${label} (${cost})` : label, selected: key === given })));
  const say = () => {
    const { note, rule } = options.find(({ key }) => key === select.value) ?? {};
    fill(about, note ? withRule(note, rule) : ruleLink(rule));
  };
  select.addEventListener("change", () => {
    say();
    changed();
  });
  say();
  return { node: h("div", { class: "row nowrap" }, h("span", { class: "grow" }, select), about), read: () => select.value || undefined };
}

function several({ options, least, most, write_in: writeIn, default: given }, changed, prompt, enter, brief) {
  const chosen = new Set(given ?? []);
  const labels = new Map(options.map(({ key, label }) => [key, label]));
  const { node, rows, tries, add } = picks("checkbox", options, (key) => chosen.has(key), (key, on) => {
    chosen[on ? "add" : "delete"](key);
    check();
  }, brief);
  function check() {
    for (const { box } of rows.values()) box.disabled = isFull() && !box.checked;
    changed();
  }
  /** In the order of the options. */
  const inOrder = (more) => [...labels.keys()].filter((key) => key === more || chosen.has(key));
  const isFull = () => most !== null && chosen.size >= most;
  const write = writeIn
    ? ownWords((text) => {
        if (labels.has(text)) return;
        labels.set(text, text);
        chosen.add(text);
        add({ key: text, label: text });
        check();
      })
    : null;
  if (most === null && !writeIn) roving(node, "input");
  const range = most === null ? (least ? `at least ${least}` : "") : least === most ? `exactly ${most}` : least ? `${least} to ${most}` : most < options.length ? `up to ${most}` : "";
  const confirm = () => (chosen.size === 1 ? `Confirm ${labels.get([...chosen][0])}` : `Confirm ${chosen.size}`);
  return {
    node: h("div", { class: "stack tight" }, node, write, range ? h("small", { class: "soft", text: `Choose ${range}.` }) : null),
    tries: () => tries((key) => (chosen.has(key) || isFull() ? undefined : inOrder(key))),
    read: () => (chosen.size < least || (most !== null && chosen.size > most) ? undefined : inOrder()),
    says: () => (chosen.size === 0 ? "None" : confirm()),
  };
}

function ownWords(add) {
  const input = h("input", { type: "text", maxlength: 120, aria: { label: "Other, in your own words" }, placeholder: "Other\u2026" });
  const put = () => {
    if (input.value.trim()) add(input.value.trim());
    input.value = "";
    input.focus();
  };
  input.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    put();
  });
  return h("div", { class: "row nowrap" }, h("span", { class: "grow" }, input), h("button", { type: "button", class: "btn", text: "Add", on: { click: put } }));
}

/** Minus, a number, plus. */
function stepper(label, value, least, most, changed) {
  const input = h("input", { type: "number", inputmode: "numeric", min: least, max: most, step: 1, value, aria: { label } });
  const set = (number) => {
    input.value = String(Math.max(least, Math.min(most, number)));
    changed(Number(input.value));
  };
  input.addEventListener("input", () => changed(input.value === "" ? NaN : Number(input.value)));
  const step = (by, sign, name) =>
    h("button", { type: "button", class: "btn", tabindex: -1, text: sign, aria: { label: `${label}: ${name}` }, on: { click: () => set(input.value === "" ? least : Number(input.value) + by) } });
  return { node: h("div", { class: "stepper" }, step(-1, "\u2212", "one less"), input, step(1, "+", "one more")), set };
}

function number({ least, most, names: said, default: given, presets = [] }, changed, prompt) {
  let value = given ?? NaN;
  const named = new Map(said);
  const listed = most - least <= 9 ? Array.from({ length: most - least + 1 }, (_, at) => least + at) : [...named.keys()];
  const chips = listed.map((each) => {
    const chance = chanceTag();
    const name = named.get(each) ?? "";
    const chip = h("button", { type: "button", class: "chip rung", title: name, aria: { label: name ? `${each}: ${name}` : String(each) }, on: { click: () => steps.set(each) } }, h("b", { text: String(each) }), chance);
    return { each, chip, chance };
  });
  const chosen = h("small", { class: "soft" });
  const press = () => {
    chips.forEach(({ each, chip }) => chip.setAttribute("aria-pressed", String(each === value)));
    chosen.textContent = named.get(value) ?? "";
  };
  const steps = stepper(prompt, given ?? "", least, most, (now) => {
    value = now;
    press();
    changed();
  });
  press();
  const preset = ([each, name]) => h("button", { type: "button", class: "chip", on: { click: () => steps.set(each) } }, `${name}: `, h("b", { text: String(each) }));
  const fine = () => Number.isInteger(value) && value >= least && value <= most;
  return {
    node: roving(h("div", { class: "ladder" }, chips.map(({ chip }) => chip), chips.length <= most - least ? steps.node : null, presets.map(preset), chosen), ".rung"),
    tries: () => chips.map(({ each, chance }) => [each, chance]),
    read: () => (fine() ? value : undefined),
    says: () => (fine() ? `Set ${value}${named.has(value) ? `: ${named.get(value)}` : ""}` : `Choose ${least} to ${most}`),
  };
}

function split({ amount, pools, least, all_of_it: allOfIt, default: given }, changed) {
  const values = given ? [...given] : pools.map(() => least);
  const left = h("small", { class: "soft", aria: { live: "polite" } });
  const rest = () => amount - values.reduce((total, each) => total + each, 0);
  const check = () => {
    left.textContent = rest() === 0 ? `All ${amount} assigned.` : rest() > 0 ? `${rest()} of ${amount} left.` : rest() < 0 ? `${-rest()} too many.` : "Enter a number for each.";
  };
  const rows = pools.map((pool, at) => {
    const steps = stepper(pool.label, values[at], least, amount, (now) => {
      values[at] = now;
      check();
      changed();
    });
    return h("div", { class: "pool" }, h("span", { class: "grow" }, described(pool), ruleLink(pool.rule)), steps.node);
  });
  check();
  const fine = () => values.every((each) => Number.isInteger(each) && each >= least) && (allOfIt ? rest() === 0 : rest() >= 0);
  return { node: h("div", { class: "stack tight" }, rows, left), read: () => (fine() ? values : undefined), says: () => "Confirm" };
}

function text({ longest, required, default: given }, changed, prompt, enter, brief) {
  const long = longest > 160;
  const input = h(long ? "textarea" : "input", { type: long ? null : "text", maxlength: longest, rows: long ? (brief ? 1 : 2) : null, placeholder: brief ? prompt : null, aria: { label: prompt } });
  input.value = given ?? "";
  input.addEventListener("input", changed);
  input.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    enter();
  });
  const said = () => input.value.trim();
  return { node: input, focus: input, read: () => (required && !said() ? undefined : said()), says: () => (said() || required ? "OK" : "Skip") };
}

const KINDS = { yes_no: one, pick_one: one, pick_several: several, number, split, text, script: scriptControl };

/**
 * The control for a question; `changed` is called with every change, `enter` by the Enter key. In
 * `brief` a long choice takes one line.
 */
export function control(ask, changed, enter, brief = false) {
  const { question, prompt } = ask;
  if (brief && question.kind === "pick_one" && (question.options.length > MOST_CHIPS || question.options.some(({ label }) => label.length > LONG))) return choose(ask, changed);
  return KINDS[question.kind](question, changed, prompt, enter, brief);
}
