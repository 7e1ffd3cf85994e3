// The sheet of a character in any game: sections drawn by their layout, values edited in place.

import { Part, define, fill, h, words } from "./dom.js";
import { button, cast, freshId, keepFocus } from "./forms.js";
import { ruleLink } from "./rules.js";
import { addCharacter } from "./seats.js";
import { table } from "./table.js";
import { addEditor, isBusy, rowEditor, showProposals, wayToChange } from "./sheet_edit.js";

const MOST_BOXES = 12;
/** A longer value stands below its label. */
const LONG = 22;

function drawnMark(mark) {
  const need = mark.need ?? 0;
  const said = need ? `${mark.label} ${mark.have} of ${need}` : `${mark.label} ${mark.have}`;
  const boxes =
    need && need <= MOST_BOXES
      ? Array.from({ length: Math.max(need, mark.have) }, (_, at) => h("i", { class: at < mark.have ? "box have" : "box" }))
      : h("b", { text: need ? `${mark.have}/${need}` : mark.have });
  return h(
    "span",
    { class: "mark", title: said },
    h("span", { class: "visually-hidden", text: said }),
    h("span", { class: "mark-drawn", aria: { hidden: "true" } }, h("span", { class: "mark-name", text: mark.label }), boxes),
  );
}

/** A scale as a bar of steps; below it in words what begins and what is marked where. */
function drawnTrack(section) {
  const steps = section.steps ?? [];
  const cell = (step) =>
    h(
      "span",
      { class: ["step", step.names?.length ? "begins" : "", step.marked?.length ? "marked" : ""].join(" ") },
      h("span", { class: "step-name", text: step.names?.length ? step.names.map((name) => name.slice(0, 2)).join(" ") : "" }),
      h("span", { class: "step-cell", text: step.marked?.length ? "✕" : "" }),
      h("span", { class: "step-label", text: step.label }),
    );
  const told = steps.filter((step) => step.names?.length || step.marked?.length);
  const line = ({ label, names = [], marked = [] }) =>
    h("li", null, h("b", { text: label }), " ", names.join(", "), marked.length ? h("span", { class: "wound", text: ` ${marked.join(", ")}` }) : null);
  return [
    h("div", { class: "track", aria: { hidden: "true" }, vars: { "--steps": steps.length } }, steps.map(cell)),
    h("ul", { class: "track-told" }, told.map(line)),
  ];
}

/** Whether this seat may begin a test with a character. */
const mayTest = (character) => Boolean(table.view.characters[character]) && (table.isGM || table.view.characters[character].mine);

/** The name of an ability: a tap begins its test. */
function testButton({ label, tap }, character) {
  const begin = () => document.dispatchEvent(new CustomEvent("try-procedure", { detail: { procedure: tap.procedure, arguments: { character, ...tap.arguments } } }));
  return h("button", { type: "button", class: "tap", text: label, aria: { label: `Test ${label}` }, on: { click: begin } });
}

/** Sections of a page. Only what changed is drawn again; an open editor stays. */
export class Sections {
  #drawn = new Map();
  #editing = null;

  constructor(target) {
    this.target = target;
    this.el = h("div", { class: "sections" });
  }

  show(sections) {
    const way = wayToChange(this.target);
    const kept = new Map();
    sections.forEach((section, at) => {
      const key = `${at} ${section.title}`;
      const as = JSON.stringify([section, way]);
      const had = this.#drawn.get(key);
      kept.set(key, had?.as === as ? had : { as, el: this.#section(section, way), section });
    });
    const wanted = [...kept.values()].map((each) => each.el);
    const isOther = wanted.length !== this.el.children.length || wanted.some((el, at) => el !== this.el.children[at]);
    if (isOther) keepFocus(this.el, () => fill(this.el, wanted));
    this.#drawn = kept;
    this.sections = sections;
  }

  get isEditing() {
    return this.#editing !== null;
  }

  #open(key, make) {
    this.#editing = null;
    const close = () => this.#close(key);
    this.#editing = { key, el: make(close) };
    this.#again();
    const first = this.#editing.el.querySelector("input, select, textarea");
    first?.focus();
    first?.select?.();
  }

  #close(key) {
    this.#editing = null;
    this.#again();
    this.el.querySelector(`[data-edit="${CSS.escape(key)}"]`)?.focus({ preventScroll: true });
  }

  #again() {
    this.#drawn.clear();
    this.show(this.sections);
  }

  #section(section, way) {
    const id = freshId("section");
    const rows = section.rows ?? [];
    const drawn = rows.map((row) => this.#row(row, section, way));
    const addKey = `add ${section.add}`;
    const isAdding = this.#editing?.key === addKey;
    const open = () => this.#open(addKey, (close) => addEditor(section, this.target, close));
    const add = button("Add", open, "small quiet no-print", `Add to ${section.title}`);
    add.dataset.edit = addKey;
    return h(
      "section",
      { class: `part ${section.layout}`, aria: { labelledby: id } },
      h(
        "header",
        null,
        h("h3", { id, text: section.title }),
        section.secret ? h("span", { class: "tag", text: "GM only" }) : null,
        way && section.add && !isAdding ? add : null,
      ),
      section.layout === "track" ? drawnTrack(section) : null,
      isAdding ? this.#editing.el : null,
      rows.length ? h("ul", { class: "rows" }, drawn) : section.layout === "track" || isAdding ? null : h("p", { class: "soft", text: "None yet." }),
      section.note ? h("p", { class: "hint", text: section.note }) : null,
    );
  }

  #row(row, section, way) {
    const isEditing = row.path && this.#editing?.key === row.path;
    if (isEditing) return h("li", { class: "row-line" }, this.#editing.el);
    const isLong = section.layout === "texts" || row.kind === "long" || (section.layout === "list" && String(row.value ?? "").length > LONG);
    const open = () => this.#open(row.path, (close) => rowEditor(row, section, this.target, close));
    const shown = row.value || (row.path && way ? h("span", { class: "no-print", text: "✎" }) : "");
    const value =
      row.path && way
        ? h("button", { type: "button", class: "value", data: { edit: row.path }, aria: { label: `${row.label}: ${row.value || "empty"}. Edit` }, on: { click: open } }, shown)
        : shown ? h("span", { class: "value" }, shown) : null;
    return h(
      "li",
      { class: "row-line" },
      h("span", { class: "row-label" }, row.tap && mayTest(this.target) ? testButton(row, this.target) : row.label, ruleLink(row.rule)),
      isLong ? h("div", { class: "row-long" }, value) : value,
      row.marks?.length ? h("span", { class: "marks" }, row.marks.map(drawnMark)) : null,
      row.note ? h("span", { class: "row-note", text: row.note }) : null,
    );
  }
}

/** `<ast-sheet>`: the sheet of one character; `.character` is its key. */
class Sheet extends Part {
  static watches = ["characters", "proposals", "campaign", "you", "open"];
  #key = "";
  #sections = null;

  connectedCallback() {
    super.connectedCallback();
    this.onShow = (event) => (this.character = event.detail);
    this.onPrint = () => this.#preparePrint();
    document.addEventListener("show-sheet", this.onShow);
    addEventListener("beforeprint", this.onPrint);
    addEventListener("afterprint", this.afterPrint = () => document.querySelector(".print-page")?.remove());
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    document.removeEventListener("show-sheet", this.onShow);
    removeEventListener("beforeprint", this.onPrint);
    removeEventListener("afterprint", this.afterPrint);
  }

  get character() {
    return this.#key;
  }

  set character(key) {
    this.#key = key;
    this.renderIfSeated();
  }

  render() {
    const all = cast();
    const shown = this.table.view.characters[this.#key] ?? this.#current(all);
    if (!this.head) this.#build();
    this.#choose(all, shown);
    this.empty.hidden = all.some((each) => each.mine) || this.table.isGM || this.table.isSpectator;
    if (!this.empty.hidden && !this.empty.hasChildNodes()) {
      fill(this.empty, h("h3", { text: "Choose or create a character" }), addCharacter());
    } else if (this.empty.hidden) fill(this.empty);
    if (!shown) {
      fill(this.head, this.table.isGM ? h("p", { class: "soft", text: "No characters yet. Add one in the GM tab." }) : null);
      fill(this.body);
      return;
    }
    this.#drawHead(shown);
    if (this.#sections?.target !== shown.key) this.#sections = new Sections(shown.key);
    if (shown.page) this.#sections.show(shown.page.sections ?? []);
    if (this.body.firstChild !== this.#sections.el || !shown.page) fill(this.body, shown.page ? this.#sections.el : h("p", { class: "soft", text: "Only the GM can see this sheet." }));
    showProposals(this.waiting, (each) => each.character === shown.key);
  }

  /** A player's own character; for the GM the one in play, until another one is. */
  #current(all) {
    const { view, isGM } = this.table;
    const may = all.filter((each) => each.page && (isGM || each.mine));
    const played = view.open.toSorted((one, other) => other.began - one.began).flatMap(({ characters }) => characters);
    const last = may.find((each) => each.key === this.#sections?.target);
    if (last && this.#sections.isEditing) return last;
    const inPlay = played.map((key) => may.find((each) => each.key === key)).find(Boolean);
    return inPlay ?? last ?? may.find((each) => each.mine !== isGM && !each.hidden) ?? may.find((each) => !each.hidden) ?? may[0] ?? all.find((each) => each.page) ?? all[0];
  }

  #build() {
    this.select = h("select", { aria: { label: "Character" }, on: { change: () => (this.character = this.select.value) } });
    this.empty = h("div", { class: "card stack", hidden: true });
    this.head = h("div", { class: "sheet-head" });
    this.waiting = h("div", { class: "stack", role: "status" });
    this.body = h("div");
    fill(this, this.empty, h("div", { class: "sheet-choose" }, this.select), this.head, this.waiting, this.body);
  }

  #choose(all, shown) {
    const as = JSON.stringify(all.map((each) => [each.key, each.name, each.mine]));
    if (as !== this.listed) {
      this.listed = as;
      const option = (each) => h("option", { value: each.key, text: each.name });
      const [mine, others] = [all.filter((each) => each.mine), all.filter((each) => !each.mine)];
      const group = (label, list) => (list.length ? h("optgroup", { label }, list.map(option)) : null);
      fill(this.select, group("Mine", mine), group("Others", others));
    }
    this.select.parentElement.hidden = all.length < 2;
    if (shown) this.select.value = shown.key;
  }

  #drawHead(shown) {
    const { page } = shown;
    const busy = isBusy(shown.key);
    const as = JSON.stringify([shown.key, busy, shown.hidden, page?.name, page?.concept, page?.badges]);
    if (as === this.headed) return;
    this.headed = as;
    const at = `/api/t/${encodeURIComponent(this.table.campaign)}/characters/${encodeURIComponent(shown.key)}`;
    const file = (kind) => h("a", { class: "btn small quiet", href: `${at}.${kind}`, download: `${shown.key}.${kind}` }, kind.toUpperCase());
    const badge = ({ label, value = "", note = null }) => h("li", { class: "badge", title: note }, h("span", { text: label }), " ", h("b", { text: value }));
    fill(
      this.head,
      h("h2", { text: page?.name ?? shown.name }),
      page?.concept ? h("p", { class: "concept", text: page.concept }) : null,
      page?.badges?.length ? h("ul", { class: "badges" }, page.badges.map(badge)) : null,
      page ? h("div", { class: "row no-print" }, button("Print", () => print(), "small quiet"), file("toml"), file("json")) : null,
      shown.hidden ? h("p", { class: "hint", text: "Hidden from players." }) : null,
      busy && page ? h("p", { class: "hint", text: this.table.isGM ? "In use by an open test. Edit it afterwards, or make a ruling." : "In use by an open test. Edit it afterwards." }) : null,
    );
  }

  /** What is printed is a copy without the table around it. */
  #preparePrint() {
    if (!this.checkVisibility?.() || !this.#sections) return;
    document.querySelector(".print-page")?.remove();
    const { campaign } = this.table.view;
    document.body.append(
      h("article", { class: "print-page" }, this.head.cloneNode(true), this.#sections.el.cloneNode(true), h("footer", { text: `${campaign.title}. ${words(campaign.game_title)}` })),
    );
  }
}

define("ast-sheet", Sheet);
