// One way to give each kind of answer. A control has its `node`; `read()` is the answer, or
// undefined while it is not complete; `says()` is what a button says that gives it; `odds` shows
// what each choice would do.

import { fill, h } from "./dom.js";
import { percent } from "./odds.js";
import { ruleLink } from "./rules.js";

/** A place for the chance of a choice. */
export function chanceTag() {
  return h("span", { class: "chance" });
}

/** The chance with a choice, and whether that is better or worse than now. */
export function showChance(tag, chance, now) {
  if (chance === undefined) return fill(tag);
  const better = now !== null && chance - now > 0.004;
  const worse = now !== null && now - chance > 0.004;
  tag.dataset.way = better ? "up" : worse ? "down" : "";
  const arrow = better ? ["better: ", "\u25b2 "] : ["worse: ", "\u25bc "];
  return fill(tag, better || worse ? h("span", { aria: { label: arrow[0] }, text: arrow[1] }) : null, percent(chance));
}

/** Label, cost and note of an option. */
export function described({ label, cost, note }) {
  return [h("b", { text: label }), cost ? h("span", { class: "cost", text: cost }) : null, note ? h("small", { class: "soft", text: ` ${note}` }) : null];
}

let names = 0;

function picks(type, options, chosen, changed) {
  const name = `pick-${(names += 1)}`;
  const rows = new Map();
  const node = h("div", { class: "chips" });
  const add = (option) => {
    const box = h("input", { type, name, on: { change: () => changed(option.key, box.checked) } });
    box.checked = chosen(option.key);
    const chance = chanceTag();
    rows.set(option.key, { box, chance });
    node.append(h("span", { class: "option-row" }, h("label", { class: "chip" }, box, h("span", null, described(option)), chance), ruleLink(option.rule)));
  };
  options.forEach(add);
  return { node, rows, add };
}

function one(question, changed) {
  const options = question.options ?? [{ key: true, label: "Yes" }, { key: false, label: "No" }];
  let value = question.default ?? undefined;
  const { node, rows } = picks("radio", options, (key) => key === value, (key) => {
    value = key;
    changed();
  });
  const odds = (chanceOf, now) => rows.forEach(({ chance }, key) => showChance(chance, chanceOf(key), now));
  return { node, odds, read: () => value, says: () => options.find(({ key }) => key === value)?.label ?? "Choose one" };
}

/** The same in one line: what is chosen, with its note and rule. */
function choose({ question, prompt }, changed) {
  const { options, default: given } = question;
  const about = h("small", { class: "soft" });
  const select = h("select", { aria: { label: prompt } }, given === null ? h("option", { value: "", text: "Choose\u2026" }) : null, options.map(({ key, label, cost }) => h("option", { value: key, text: cost ? `${label} (${cost})` : label, selected: key === given })));
  const say = () => {
    const chosen = options.find(({ key }) => key === select.value);
    fill(about, chosen?.note ? `${chosen.note} ` : null, ruleLink(chosen?.rule));
    changed();
  };
  select.addEventListener("change", say);
  const chosen = options.find(({ key }) => key === given);
  fill(about, chosen?.note ? `${chosen.note} ` : null, ruleLink(chosen?.rule));
  return { node: h("div", { class: "row nowrap" }, h("span", { class: "grow" }, select), about), odds: () => {}, read: () => select.value || undefined };
}

function several({ options, least, most, write_in: writeIn, default: given }, changed) {
  const chosen = new Set(given ?? []);
  const labels = new Map(options.map(({ key, label }) => [key, label]));
  let shown = null;
  const { node, rows, add } = picks("checkbox", options, (key) => chosen.has(key), (key, on) => {
    chosen[on ? "add" : "delete"](key);
    check();
  });
  function check() {
    const full = most !== null && chosen.size >= most;
    for (const { box } of rows.values()) box.disabled = full && !box.checked;
    if (shown) odds(...shown);
    changed();
  }
  function odds(chanceOf, now) {
    shown = [chanceOf, now];
    const keys = [...labels.keys()];
    const current = chanceOf(keys.filter((key) => chosen.has(key))) ?? now;
    rows.forEach(({ chance }, key) => showChance(chance, chosen.has(key) ? undefined : chanceOf(keys.filter((each) => each === key || chosen.has(each))), current));
  }
  const write = writeIn
    ? ownWords((text) => {
        if (labels.has(text)) return;
        labels.set(text, text);
        chosen.add(text);
        add({ key: text, label: text });
        check();
      })
    : null;
  const range = most === null ? (least ? `at least ${least}` : "") : least === most ? `exactly ${most}` : least ? `${least} to ${most}` : most < options.length ? `up to ${most}` : "";
  const take = () => (chosen.size === 1 ? `Take ${labels.get([...chosen][0])}` : `Take these ${chosen.size}`);
  return {
    node: h("div", { class: "stack tight" }, node, write, range ? h("small", { class: "soft", text: `Choose ${range}.` }) : null),
    odds,
    read: () => (chosen.size < least || (most !== null && chosen.size > most) ? undefined : [...chosen]),
    says: () => (chosen.size === 0 ? (options.length ? "None of these" : "Nothing") : take()),
  };
}

function ownWords(add) {
  const input = h("input", { type: "text", maxlength: 120, aria: { label: "Something else, in your own words" }, placeholder: "Something else\u2026" });
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
    h("button", { type: "button", class: "btn", text: sign, aria: { label: `${label}: ${name}` }, on: { click: () => set(input.value === "" ? least : Number(input.value) + by) } });
  return { node: h("div", { class: "stepper" }, step(-1, "\u2212", "one less"), input, step(1, "+", "one more")), set };
}

function number({ least, most, names: said, default: given }, changed, prompt) {
  let value = given ?? NaN;
  const named = new Map(said);
  const listed = most - least <= 8 ? Array.from({ length: most - least + 1 }, (_, at) => least + at) : [...named.keys()];
  const chips = listed.map((each) => {
    const chance = chanceTag();
    const chip = h("button", { type: "button", class: "chip rung", on: { click: () => steps.set(each) } }, h("b", { text: String(each) }), named.has(each) ? h("span", { text: named.get(each) }) : null, chance);
    return { each, chip, chance };
  });
  const press = () => chips.forEach(({ each, chip }) => chip.setAttribute("aria-pressed", String(each === value)));
  const steps = stepper(prompt, given ?? "", least, most, (now) => {
    value = now;
    press();
    changed();
  });
  press();
  const fine = () => Number.isInteger(value) && value >= least && value <= most;
  return {
    node: h("div", { class: "stack tight" }, chips.length ? h("div", { class: named.size > 3 ? "ladder" : "row" }, chips.map(({ chip }) => chip)) : null, chips.length <= most - least ? steps.node : null),
    odds: (chanceOf, now) => chips.forEach(({ each, chance }) => showChance(chance, chanceOf(each), now)),
    read: () => (fine() ? value : undefined),
    says: () => (fine() ? `Say ${value}${named.has(value) ? `: ${named.get(value)}` : ""}` : `Choose ${least} to ${most}`),
  };
}

function split({ amount, pools, least, all_of_it: allOfIt, default: given }, changed) {
  const values = given ? [...given] : pools.map(() => least);
  const left = h("small", { class: "soft", aria: { live: "polite" } });
  const rest = () => amount - values.reduce((total, each) => total + each, 0);
  const check = () => {
    left.textContent = rest() === 0 ? `All ${amount} are placed.` : rest() > 0 ? `${rest()} of ${amount} left to place.` : rest() < 0 ? `${-rest()} too many.` : "A number for each, please.";
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
  return { node: h("div", { class: "stack tight" }, rows, left), odds: () => {}, read: () => (fine() ? values : undefined), says: () => "Divide them so" };
}

function text({ longest, required, default: given }, changed, prompt, enter) {
  const long = longest > 160;
  const input = h(long ? "textarea" : "input", { type: long ? null : "text", maxlength: longest, rows: long ? 2 : null, aria: { label: prompt } });
  input.value = given ?? "";
  input.addEventListener("input", changed);
  input.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    enter();
  });
  const said = () => input.value.trim();
  return { node: input, odds: () => {}, focus: input, read: () => (required && !said() ? undefined : said()), says: () => (said() || required ? "Say it" : "Say nothing") };
}

const KINDS = { yes_no: one, pick_one: one, pick_several: several, number, split, text };

/**
 * The control for a question; `changed` is called with every change, `enter` by the Enter key. In
 * `brief` a long choice takes one line.
 */
export function control(ask, changed, enter, brief = false) {
  const { question, prompt } = ask;
  if (brief && question.kind === "pick_one" && question.options.map(({ label }) => label).join("").length > 30) return choose(ask, changed);
  return KINDS[question.kind](question, changed, prompt, enter);
}
