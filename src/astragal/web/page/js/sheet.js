// The sheet of a character in any game: to read, with a pencil to edit it in place, and to print.

import { opened } from "./back.js";
import { Part, define, fill, h, icon, makeCharacter, words } from "./dom.js";
import { attempt, button, cast, errorLine, keepFocus, labelled } from "./forms.js";
import { KINDS, portrait, upload } from "./images.js";
import { closePopover, showEditor, showPopover } from "./popover.js";
import { ruleLink } from "./rules.js";
import { addCharacter } from "./seats.js";
import { addEditor, isBusy, rowEditor, showProposals, wayToChange } from "./sheet_edit.js";
import { viewSection } from "./sheet_view.js";

const PENCIL = "M4 20l1-4L16 5l3 3L8 19zM14 7l3 3";
const WIDEN = "M4 9V4h5M20 15v5h-5M4 4l6 6M20 20l-6-6";
/** How many pixels wide or high a portrait is kept. */
const PORTRAIT = 320;
const TIES = "M6 6.500a2.500 2.500 0 1 0 0-.01M18 9.500a2.500 2.500 0 1 0 0-.01M9.500 18.500a2.500 2.500 0 1 0 0-.01M8 7l8 2M7 8.500l2 7.500M16 11.500l-5 5.500";
const MORE = "M4.500 12h1M11.500 12h1M18.500 12h1";

/** A button with a drawing on it. */
function tool(label, path, click) {
  return h("button", { type: "button", class: "btn quiet tool", title: label, aria: { label }, on: { click } }, icon(path));
}

/** How much larger short lists are printed than those that fill a page, or shown over the whole table. */
function fit(list) {
  const length = [...list.querySelectorAll("li")].reduce((sum, { textContent }) => sum + Math.max(30, textContent.length), 1);
  return Math.min(2, Math.max(1, Math.sqrt(2000 / length)));
}

/**
 * Sections of a page, to read or (`isOpen`) to edit where the values stand. Only what changed is
 * drawn again.
 */
export class Sections {
  #drawn = new Map();
  #editor = null;

  constructor(target, isOpen = true) {
    this.target = target;
    this.isOpen = isOpen;
    this.el = h("div", { class: `sections${isOpen ? " is-open" : ""}` });
  }

  show(sections) {
    const way = this.isOpen ? wayToChange(this.target) : null;
    const edit = way ? { row: (...given) => this.#edit(rowEditor, ...given), add: (section, anchor) => this.#edit(addEditor, null, section, anchor) } : null;
    const kept = new Map();
    // What is there only to be edited comes last, so that all else stays in its place.
    const isApart = ({ shown }) => shown === "edit";
    [...sections.filter((each) => !isApart(each)), ...sections.filter(isApart)].forEach((section, at) => {
      if (this.isOpen && section.shown === "phone") return;
      const key = `${at} ${section.title}`;
      const as = JSON.stringify([section, way]);
      const had = this.#drawn.get(key);
      kept.set(key, had?.as === as ? had : { as, el: viewSection(section, this.target, edit) });
    });
    const wanted = [...kept.values()].map((each) => each.el).filter(Boolean);
    const isOther = wanted.length !== this.el.children.length || wanted.some((el, at) => el !== this.el.children[at]);
    if (isOther) keepFocus(this.el, () => fill(this.el, wanted));
    this.el.style.setProperty("--fit", fit(this.el));
    this.#drawn = kept;
  }

  get isEditing() {
    return Boolean(this.#editor?.isConnected);
  }

  /** An editor beside what was pressed; afterwards the focus is back there. */
  #edit(make, row, section, anchor) {
    const key = anchor.dataset.edit;
    const close = () => {
      this.#editor.hidePopover();
      this.el.querySelector(`[data-edit="${CSS.escape(key)}"]`)?.focus({ preventScroll: true });
    };
    const form = row ? make(row, section, this.target, close) : make(section, this.target, close);
    this.#editor = showEditor(anchor, form.getAttribute("aria-label"), form);
    const first = form.querySelector("input, select, textarea");
    first?.focus();
    first?.select?.();
  }
}

/** `<ast-sheet>`: the sheet of one character; `.character` is its key. */
class Sheet extends Part {
  static watches = ["characters", "proposals", "campaign", "you", "open"];
  #key = "";
  #sections = null;
  /** To be called when it is no longer over the whole table. */
  #narrowed = null;
  /** Whether the sheet is open for editing. */
  #isOpen = false;

  connectedCallback() {
    super.connectedCallback();
    this.onShow = (event) => (this.character = event.detail);
    this.onPrint = () => this.#preparePrint();
    document.addEventListener("show-sheet", this.onShow);
    this.onWiden = ({ detail }) => this.widen && this.#widened(detail);
    document.addEventListener("widen-sheet", this.onWiden);
    addEventListener("beforeprint", this.onPrint);
    addEventListener("afterprint", this.afterPrint = () => document.querySelector(".print-page")?.remove());
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    document.removeEventListener("show-sheet", this.onShow);
    document.removeEventListener("widen-sheet", this.onWiden);
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
    this.shown = shown?.key;
    this.#choose(all, shown);
    this.empty.hidden = all.some((each) => each.mine) || this.table.isGM || this.table.isSpectator;
    if (!this.empty.hidden && !this.empty.hasChildNodes()) {
      fill(this.empty, h("h3", { text: "Choose or create a character" }), h("div", { class: "row" }, button("New character", makeCharacter, "main")), addCharacter());
    } else if (this.empty.hidden) fill(this.empty);
    if (!shown) {
      fill(this.head, this.table.isGM ? [h("p", { class: "soft", text: "No characters yet." }), button("New character", makeCharacter, "main")] : null);
      fill(this.body);
      return;
    }
    this.#drawHead(shown);
    if (this.#sections?.target !== shown.key || this.#sections.isOpen !== this.#isOpen) this.#sections = new Sections(shown.key, this.#isOpen);
    if (shown.page) this.#sections.show(shown.page.sections ?? []);
    if (this.body.firstChild !== this.#sections.el || !shown.page) fill(this.body, shown.page ? this.#sections.el : h("p", { class: "soft", text: "Only the GM can see this sheet." }));
    this.bare.hidden = !shown.page || this.#isOpen || this.pencil.hidden || Boolean(this.#sections.el.querySelector(".view"));
    showProposals(this.waiting, (each) => each.character === shown.key);
  }

  /** A player's own character; for the GM the one in play, until another one is. */
  #current(all) {
    const { view, isGM } = this.table;
    const may = Object.values(view.characters).filter((each) => each.page && (isGM || each.mine));
    const played = view.open.toSorted((one, other) => other.began - one.began).flatMap(({ characters }) => characters);
    const last = may.find((each) => each.key === this.#sections?.target);
    if (last && this.#sections.isEditing) return last;
    const inPlay = played.map((key) => may.find((each) => each.key === key)).find(Boolean);
    return inPlay ?? last ?? may.find((each) => each.mine !== isGM && !each.hidden) ?? may.find((each) => !each.hidden) ?? may[0] ?? all.find((each) => each.page) ?? all[0];
  }

  #build() {
    this.select = h("select", { aria: { label: "Character" }, on: { change: () => (this.character = this.select.value) } });
    this.empty = h("div", { class: "card stack", hidden: true });
    this.pencil = tool("Edit", PENCIL, () => this.#edit(!this.#isOpen));
    this.widen = tool("Full width", WIDEN, () => this.#widen(this.widen.getAttribute("aria-pressed") !== "true"));
    this.widen.classList.add("wide-only");
    this.tools = h("div", { class: "sheet-tools" }, this.select, this.pencil, this.widen, tool("Relationships", TIES, async () => (await import("./relationships.js")).showRelationships()), tool("Print and files", MORE, () => this.#more()));
    this.head = h("div", { class: "sheet-head" });
    this.waiting = h("div", { class: "stack", role: "status" });
    this.body = h("div");
    this.bare = h("p", { class: "soft", hidden: true, text: "There is nothing on this sheet yet. Press the pencil to fill it in." });
    fill(this, this.empty, this.tools, this.head, this.waiting, this.bare, this.body);
    this.#widened(false);
  }

  #edit(on) {
    this.#isOpen = on;
    this.headed = "";
    this.pencil.setAttribute("aria-pressed", String(on));
    this.renderIfSeated();
  }

  /** Beside the table, or over the whole of it. */
  #widen(on) {
    document.dispatchEvent(new CustomEvent("widen-sheet", { detail: on }));
  }

  /** Whoever has asked for it: the button says so, and Escape ends it. */
  #widened(on) {
    this.widen.setAttribute("aria-pressed", String(on));
    if (on) this.#narrowed ??= opened(this, () => this.#widen(false));
    else this.#narrowed = this.#narrowed?.();
  }

  #more() {
    const key = this.#sections.target;
    const at = `/api/t/${encodeURIComponent(this.table.campaign)}/characters/${encodeURIComponent(key)}`;
    const file = (kind) => h("a", { class: "btn small", href: `${at}.${kind}`, download: `${key}.${kind}` }, `Save as ${kind.toUpperCase()}`);
    const printed = () => {
      closePopover();
      print();
    };
    showPopover(this.tools.lastChild, "Print and files", [button("Print", printed, "small"), file("toml"), file("json"), wayToChange(key) ? this.#portrait(key) : null]);
  }

  /** To choose a portrait, or to remove it. */
  #portrait(character) {
    const error = errorLine();
    const file = h("input", { type: "file", accept: KINDS });
    const change = (image) => attempt(error, async () => (await this.table.do({ do: "portray", character, image: await image() }), closePopover()));
    file.addEventListener("change", () => change(() => upload(file.files[0], PORTRAIT)));
    const has = Boolean(this.table.view.characters[character].portrait);
    return [labelled("Portrait", file, "PNG, JPEG, WebP or GIF, at most 2 MB."), has ? button("Remove portrait", () => change(() => ""), "small quiet bad") : null, error];
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
    this.select.hidden = all.length < 2;
    if (shown) this.select.value = shown.key;
    const isRead = Boolean(shown?.page);
    this.pencil.hidden = !isRead || !wayToChange(shown.key);
    this.tools.hidden = all.length < 2 && !isRead;
    this.tools.lastChild.hidden = this.widen.hidden = !isRead;
  }

  #drawHead(shown) {
    const { page } = shown;
    const busy = isBusy(shown.key);
    const as = JSON.stringify([shown.key, busy, shown.hidden, shown.portrait, page?.name, page?.concept, page?.badges]);
    if (as === this.headed) return;
    this.headed = as;
    const badge = ({ label, value = "", note = "", rule = "" }) =>
      h("li", { class: "badge" }, rule ? ruleLink(rule, label) : h("span", { text: label }), " ", h("b", { text: value }), note ? h("small", { class: "soft", text: ` ${note}` }) : null);
    fill(
      this.head,
      portrait(shown.key, 56),
      h("h2", { text: page?.name ?? shown.name }),
      page?.badges?.length ? h("ul", { class: "badges" }, page.badges.map(badge)) : null,
      page?.concept ? h("p", { class: "concept", text: page.concept }) : null,
      shown.hidden ? h("p", { class: "hint", text: "Hidden from players." }) : null,
      busy && page && this.#isOpen ? h("p", { class: "hint", text: this.table.isGM ? "In use by an open test. Edit it afterwards, or make a ruling." : "In use by an open test. Edit it afterwards." }) : null,
    );
  }

  /** What is printed is a copy without the table around it. */
  #preparePrint() {
    if (!this.checkVisibility?.() || !this.#sections) return;
    document.querySelector(".print-page")?.remove();
    const { campaign, characters } = this.table.view;
    const read = new Sections(this.#sections.target, false);
    read.show((characters[read.target]?.page?.sections ?? []).filter(({ shown }) => shown !== "phone"));
    document.body.append(
      h("article", { class: "print-page" }, this.head.cloneNode(true), read.el, h("footer", { text: `${campaign.title}. ${words(campaign.game_title)}` })),
    );
  }
}

define("ast-sheet", Sheet);
