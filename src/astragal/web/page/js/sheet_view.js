// The sheet as one reads it: one line for each ability, the rest beside it, notes in popovers.

import { h, roving } from "./dom.js";
import { freshId, gameInfo } from "./forms.js";
import { closePopover, showPopover } from "./popover.js";
import { ruleLink, ruleOpener, ruleParts } from "./rules.js";
import { table } from "./table.js";

const MOST_BOXES = 12;

const markWords = ({ label, have, need = 0 }) => (need ? `${label} ${have} of ${need}` : `${label} ${have}`);

/** What is collected, as boxes: those that are there are filled. */
function boxes({ have, need = 0 }) {
  if (!need || need > MOST_BOXES) return h("span", { class: "tallied", text: need ? `${have}/${need}` : have });
  return h("span", { class: "boxes" }, Array.from({ length: Math.max(need, have) }, (_, at) => h("i", { class: at < have ? "box have" : "box" })));
}

/** A mark with its name, where there is room for it. */
function namedMark(mark) {
  const said = markWords(mark);
  return h(
    "span",
    { class: "mark", title: said },
    h("span", { class: "visually-hidden", text: said }),
    h("span", { class: "mark-drawn", aria: { hidden: "true" } }, h("span", { class: "mark-name", text: mark.label }), boxes(mark)),
  );
}

/** A scale as a bar of steps; in words for those who do not see it, and on paper. */
function drawnTrack({ steps = [] }) {
  const cell = ({ label, names = [], marked = [] }) =>
    h(
      "span",
      { class: ["step", names.length ? "begins" : "", marked.length ? "marked" : ""].join(" "), title: [label, ...names, ...marked].join(", ") },
      h("span", { class: "step-name", text: names.map((name) => name.slice(0, 2)).join(" ") }),
      h("span", { class: "step-cell", text: marked.length ? "✕" : "" }),
      h("span", { class: "step-label", text: label }),
    );
  const told = steps.filter((step) => step.names?.length || step.marked?.length);
  return [
    h("div", { class: "track", aria: { hidden: "true" }, vars: { "--steps": steps.length } }, steps.map(cell)),
    h("ul", { class: "visually-hidden" }, told.map(({ label, names = [], marked = [] }) => h("li", { text: `${label}: ${[...names, ...marked].join(", ")}` }))),
  ];
}

/** Whether this seat may begin what a tap begins for a character. */
const mayTest = (character, tap) => Boolean(tap && table.view.characters[character]) && (table.isGM || (table.view.characters[character].mine && !tap.gm_only));

/** The name of an ability: a tap begins its test. */
function testName({ label, tap }, character) {
  if (!mayTest(character, tap)) return label;
  const begin = () => document.dispatchEvent(new CustomEvent("try-procedure", { detail: { procedure: tap.procedure, arguments: { character, ...tap.arguments } } }));
  return h("button", { type: "button", class: "tap", text: label, aria: { label: `Test ${label}` }, on: { click: begin } });
}

/** The button that begins a contest with an ability, where the game has one. */
async function versusButton({ label, tap }, character) {
  if (!mayTest(character, tap)) return null;
  const contests = (await gameInfo().catch(() => null))?.procedures.filter(({ against }) => against?.length) ?? [];
  const takes = ({ form, against }) => form.fields.find(({ name }) => name === against[0]).fields.some(({ name }) => name in (tap.arguments ?? {}));
  const contest = contests.find(takes);
  const begin = () => {
    closePopover();
    document.dispatchEvent(new CustomEvent("compose", { detail: { procedure: contest.name, values: { character, ...tap.arguments } } }));
  };
  return contest ? h("button", { type: "button", class: "btn small", text: "Versus…", aria: { label: `${contest.title} with ${label}` }, on: { click: begin } }) : null;
}

/** All about a row: its marks in words, its notes, its rule. */
async function tell(row, anchor, character) {
  const versus = await versusButton(row, character);
  const rule = row.rule ? await ruleParts(row.rule).catch(() => null) : null;
  const marks = (row.marks ?? []).map((mark) => h("li", null, namedMark(mark)));
  const parts = [
    h("h3", { text: [row.label, row.value].filter(Boolean).join(" ") }),
    marks.length ? h("ul", { class: "marks" }, marks) : null,
    row.note ? h("p", { text: row.note }) : null,
    versus,
    rule ? h("div", { class: "pop-rule" }, rule) : null,
  ];
  showPopover(anchor, row.label, parts, rule ? ruleOpener(row.rule) : null);
}

/** Something with a dotted underline that opens all about its row; plain where there is nothing to tell. */
function told(row, shown, said, character = "") {
  if (!row.note && !row.rule && !row.marks?.length) return shown;
  return h("button", { type: "button", class: "term about", aria: { label: said }, on: { click: (event) => tell(row, event.currentTarget, character) } }, shown);
}

/** A value that can be edited where it stands; null where it cannot. */
function editable(row, section, edit) {
  if (!edit || !row.path) return null;
  const open = (event) => edit.row(row, section, event.currentTarget);
  const value = row.bare || row.value;
  return h("button", { type: "button", class: "value", data: { edit: row.path }, aria: { label: `${row.label}: ${value || "empty"}. Edit` }, on: { click: open } }, value || "\u270e");
}

/** One line: the name, the rating and the marks. */
function abilityLine(row, character, section, edit) {
  const marks = (row.marks ?? []).filter((mark) => mark.need && !mark.aside);
  const drawn = marks.length ? h("span", { class: "ability-marks", aria: { hidden: "true" } }, marks.map(boxes)) : null;
  const value = editable(row, section, edit);
  if (value) return h("li", { class: "ability" }, h("span", { class: "ability-name", text: row.label }), h("span", { class: "about" }, value, drawn));
  const said = `About ${row.label}: ${[row.value, ...marks.map(markWords)].join(", ")}`;
  return h("li", { class: "ability" }, h("span", { class: "ability-name" }, testName(row, character)), told(row, [h("b", { text: row.value }), drawn], said, character));
}

function textLine(row, character, section, edit) {
  return h("li", null, editable(row, section, edit) ?? (row.value || h("span", { class: "soft", text: "Empty" })), row.note ? h("small", { class: "soft", text: ` (${row.note})` }) : null);
}

/** An entry among others in a paragraph: what it is called, and its value; on paper also its note. */
function entryWords(row, character, section, edit) {
  const change = editable(row, section, edit);
  if (change) return h("li", { class: "row-label" }, h("span", { text: row.label }), change);
  const isTested = mayTest(character, row.tap);
  const name = isTested ? testName(row, character) : told(row, row.label, `About ${row.label}`);
  const value = isTested && (row.note || row.rule) ? told(row, row.value || "about", `About ${row.label}`) : row.value;
  return h(
    "li",
    { class: "row-label" },
    name,
    value ? h("span", { class: "soft" }, " ", value) : null,
    row.note ? h("span", { class: "soft print-only", text: ` (${row.note})` }) : null,
  );
}

/** A button that adds an entry to a section. */
function adder(section, edit) {
  const key = `add ${section.add}`;
  return h("button", { type: "button", class: "btn small quiet add", data: { edit: key }, text: "Add", aria: { label: `Add to ${section.title}` }, on: { click: (event) => edit.add(section, event.currentTarget) } });
}

/**
 * One section; null where there is nothing in it. With `edit` (`row(row, section, anchor)` and
 * `add(section, anchor)`) its values can be changed, also those that are as usual or empty.
 */
export function viewSection(section, character, edit = null) {
  const rows = (section.rows ?? []).filter((row) => edit || !row.quiet);
  const isEmpty = !rows.length && !section.steps?.length && !(edit && section.add);
  if (isEmpty || (section.shown === "edit" && !edit)) return null;
  const id = freshId("section");
  const { layout } = section;
  const line = { ratings: abilityLine, texts: textLine }[layout] ?? entryWords;
  const list = h(layout === "texts" ? "ol" : "ul", { class: `view-${{ ratings: "abilities", texts: "texts" }[layout] ?? "entries"}` }, rows.map((row) => line(row, character, section, edit)));
  const add = edit && section.add ? adder(section, edit) : null;
  const isBeside = add && rows.length && layout !== "texts";
  if (isBeside) list.append(h("li", null, add));
  if (layout !== "texts") roving(list);
  return h(
    "section",
    { class: `part view ${layout}${section.shown === "phone" ? " on-phone" : ""}`, aria: { labelledby: id } },
    h("h3", { id }, section.rule ? ruleLink(section.rule, section.title) : section.title, section.secret ? h("span", { class: "tag", text: "GM only" }) : null, layout === "track" && section.note ? h("small", { class: "soft", text: section.note }) : null),
    layout === "track" ? drawnTrack(section) : null,
    rows.length ? list : null,
    section.note && layout !== "track" ? h("p", { class: "hint", text: section.note }) : null,
    isBeside ? null : add,
  );
}
