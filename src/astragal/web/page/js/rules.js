// The rules: search, entries, and the dotted underlines that open one.

import { Part, announce, choiceWords, define, fill, h, words } from "./dom.js";
import { fetchJSON } from "./net.js";
import { showPopover } from "./popover.js";
import { table } from "./table.js";

const ID = /\b[a-z][a-z0-9_]*(?:\.[a-z0-9_]+){2,}\b/g;
/** A longer word may be broken. */
const LONGEST_WORD = 24;
const KINDS = {
  mechanic: "Rule",
  procedure: "Procedure",
  data: "Numbers",
  option: "Optional rule",
  guidance: "Advice",
  table: "Table",
  example: "Worked example",
  reading: "Reading",
};

const SPELLED = { npcs: "NPCs", ob: "Ob", fork: "FoRK", forks: "FoRKs" };

/** An id in words: "steel.test.open_ended" is "steel: open ended", "gm_calls" is "GM calls". */
function title(id) {
  const parts = id.split(".");
  const short = /\b(gm|npcs?|ob|mvp|dn|va|ims|ptgs|forks?|\d+d|[bgw]\d+)\b/g;
  return `${words(parts[0])}: ${words(parts.at(-1))}`.replace(short, (word) => SPELLED[word] ?? word.toUpperCase());
}

/** A word that opens a rule in the panel. */
function panelLink(id) {
  const open = () => document.dispatchEvent(new CustomEvent("open-rule", { detail: id, bubbles: true }));
  return h("button", { type: "button", class: "rule-link worded", aria: { label: `Rule: ${title(id)}` }, on: { click: open } }, title(id));
}

/** What a rule says, for a popover. */
export async function ruleParts(id) {
  const entry = await fetchJSON(`/api/rules/${encodeURIComponent(id)}`);
  const text = entry.text ?? entry.question;
  return [
    h("h4", { class: "rule-title", text: title(id) }),
    text ? h("p", { class: "rule-text" }, linked(text)) : null,
    entry.columns ? drawnTable(entry) : null,
    entry.reading ? h("p", { class: "hint" }, linked(entry.reading)) : null,
  ];
}

/** A button that leads from a popover to the rules panel. */
export function ruleOpener(id) {
  const open = () => document.dispatchEvent(new CustomEvent("open-rule", { detail: id, bubbles: true }));
  return h("button", { type: "button", class: "btn small quiet", text: "Open in Rules", on: { click: open } });
}

/** Show a rule beside what was pressed. */
async function openRule(id, anchor) {
  try {
    showPopover(anchor, title(id), await ruleParts(id), ruleOpener(id));
  } catch (refused) {
    document.dispatchEvent(new CustomEvent("refused", { detail: refused }));
  }
}

/** A word with a dotted underline that opens a rule beside it; null without an id. */
export function ruleLink(id, word = "rule") {
  if (!id) return null;
  const open = (event) => openRule(id, event.currentTarget);
  const said = `Rule: ${title(id)}`;
  return h("button", { type: "button", class: "rule-link term", title: said, aria: { label: word === "rule" ? said : null }, on: { click: open } }, word);
}

/** A word that opens several rules, one below the other. */
export function rulesLink(word, ids) {
  const open = async ({ currentTarget }) => showPopover(currentTarget, word, await Promise.all(ids.map(ruleParts)));
  return h("button", { type: "button", class: "rule-link term", on: { click: open } }, word);
}

/** Text whose end opens its rule: the last word, or several until it says something. */
export function withRule(text, rule) {
  if (!rule) return text;
  const words = text.trimEnd().split(" ");
  let count = 1;
  while (count < words.length && !/\p{L}{3}/u.test(words.slice(-count).join(" "))) count += 1;
  const [, last, end] = words.slice(-count).join(" ").match(/^(.*?)([.,:;!?)\u201d]*)$/s);
  const before = [...words.slice(0, -count), ""].join(" ");
  if (!last || last.length > LONGEST_WORD) return [text, " ", ruleLink(rule)];
  return [before, h("span", { class: "unbroken" }, ruleLink(rule, last), end)];
}

/** Text in which every id of an entry is a link. */
function linked(text) {
  const parts = [];
  let from = 0;
  for (const match of text.matchAll(ID)) {
    parts.push(text.slice(from, match.index), panelLink(match[0]));
    from = match.index + match[0].length;
  }
  return [...parts, text.slice(from)];
}

function where({ kind, chapter_title: chapter }, tag) {
  return h(tag, { class: "rule-where", text: `${KINDS[kind] ?? words(kind)}, ${chapter}` });
}

function cell(value) {
  if (value === true) return "yes";
  if (value === false) return "no";
  return Array.isArray(value) ? value.map(cell).join(", ") : String(value ?? "");
}

function drawnTable(entry) {
  const head = h("tr", null, entry.columns.map((name) => h("th", { scope: "col", text: words(name) })));
  const rows = entry.rows.map((row) =>
    h("tr", null, row.map((each) => h("td", { class: typeof each === "number" ? "number" : null }, linked(cell(each))))),
  );
  return h(
    "div",
    { class: "rule-table", tabindex: "0", role: "region", aria: { label: title(entry.id) } },
    h("table", null, h("caption", { class: "visually-hidden", text: title(entry.id) }), h("thead", null, head), h("tbody", null, rows)),
  );
}

function told(term, text) {
  return text ? [h("dt", { text: term }), h("dd", null, linked(text))] : null;
}

function drawnEntry(entry) {
  const body = [];
  const text = entry.text ?? entry.question;
  if (text) body.push(h("p", { class: "rule-text" }, linked(text)));
  if (entry.columns) body.push(drawnTable(entry));
  if (entry.note) body.push(h("p", { class: "hint" }, linked(entry.note)));
  const terms = [
    told("Decision", entry.reading),
    told("What is unclear", entry.issue),
    told("Given", entry.given),
    told("Dice", entry.rolls),
    told("Result", entry.expect),
  ].filter(Boolean);
  if (terms.length) body.push(h("dl", { class: "rule-terms" }, terms));
  if (entry.choices?.length) body.push(choices(entry));
  const lists = [
    ["Shows", entry.rules],
    ["See also", entry.related],
    ["How unclear rules are read", entry.readings],
    ["Worked examples", entry.examples],
    ["Mentioned by", entry.mentioned_by],
  ];
  for (const [heading, list] of lists) {
    const ids = (list ?? []).map((other) => other.id ?? other);
    if (ids.length) body.push(h("h4", { text: heading }), h("ul", { class: "rule-related" }, ids.map((id) => h("li", null, panelLink(id)))));
  }
  return body;
}

function choices(entry) {
  const chosen = table.view?.campaign.options[entry.option] ?? entry.default;
  const item = (choice) =>
    h("li", { class: choice === chosen ? "chosen" : null }, choiceWords(choice), choice === chosen ? " (this table)" : null);
  return [h("h4", { text: "Choices" }), h("ul", { class: "rule-choices" }, entry.choices.map(item))];
}

/** An entry as an article under its name, and its heading. */
export function ruleArticle(entry) {
  const heading = h("h3", { class: "rule-title", tabindex: "-1", text: title(entry.id) });
  return [h("article", { class: "rule" }, heading, where(entry, "p"), drawnEntry(entry)), heading];
}

/** The rules panel: a search, its results, and one entry at a time. */
class Rules extends Part {
  static watches = ["campaign"];
  #seen = [];
  #asked = 0;

  connectedCallback() {
    super.connectedCallback();
    this.opener = (event) => this.open(event.detail);
    document.addEventListener("open-rule", this.opener);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    document.removeEventListener("open-rule", this.opener);
  }

  render() {
    if (this.body) return;
    this.box = h("input", {
      type: "search",
      id: "rules-search",
      placeholder: "name or keyword",
      autocomplete: "off",
      on: { input: () => this.#soon() },
    });
    this.body = h("div", { class: "rules-body", tabindex: "-1" });
    const form = h(
      "form",
      { role: "search", class: "rules-search", on: { submit: (event) => (event.preventDefault(), this.search()) } },
      h("label", { for: "rules-search", text: "Search the rules" }),
      this.box,
    );
    fill(this, h("h2", { class: "visually-hidden", text: "Rules" }), form, this.body);
    this.#hint();
  }

  #hint() {
    fill(this.body, h("p", { class: "hint", text: "Search for a rule, or press a dotted underline to see the rule behind it." }));
  }

  #soon() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.search(), 250);
  }

  async search() {
    clearTimeout(this.timer);
    const wanted = this.box.value.trim();
    const asked = ++this.#asked;
    this.#seen = [];
    if (wanted.length < 2) return this.#hint();
    try {
      const game = encodeURIComponent(table.view.campaign.game);
      const found = await fetchJSON(`/api/rules/search?q=${encodeURIComponent(wanted)}&game=${game}`);
      if (asked === this.#asked) this.#results(found);
    } catch (refused) {
      if (asked === this.#asked) fill(this.body, h("p", { class: "field-error", text: refused.line }));
    }
  }

  #results({ results, found }) {
    announce(found ? `${found} found.` : "No rules found.");
    if (!found) {
      fill(this.body, h("p", { class: "hint", text: "No rule contains all of these words. Try fewer." }));
      return;
    }
    const item = (hit) =>
      h(
        "li",
        null,
        h(
          "button",
          { type: "button", class: "rule-hit", on: { click: () => this.open(hit.id) } },
          h("span", { class: "rule-name", text: title(hit.id) }),
          h("span", { class: "rule-excerpt", text: hit.excerpt }),
          where(hit, "span"),
        ),
      );
    const rest = found > results.length ? h("p", { class: "hint", text: `${found - results.length} more. Add a word to narrow the search.` }) : null;
    fill(this.body, h("ul", { class: "rule-hits" }, results.map(item)), rest);
    this.results = [...this.body.childNodes];
  }

  async open(id, isBack = false) {
    this.renderIfSeated();
    const asked = ++this.#asked;
    try {
      const entry = await fetchJSON(`/api/rules/${encodeURIComponent(id)}`);
      if (asked !== this.#asked) return;
      if (!isBack) this.#seen.push(id);
      this.#show(entry);
    } catch (refused) {
      if (asked === this.#asked) fill(this.body, this.#backButton(), h("p", { class: "field-error", text: refused.line }));
    }
  }

  #show(entry) {
    const [article, heading] = ruleArticle(entry);
    fill(this.body, this.#backButton(), article);
    heading.focus({ preventScroll: true });
    this.body.scrollIntoView?.({ block: "nearest" });
  }

  #backButton() {
    if (this.#seen.length < 2 && !this.results) return null;
    return h("button", { type: "button", class: "btn small quiet", on: { click: () => this.#back() } }, "← Back");
  }

  #back() {
    this.#seen.pop();
    const before = this.#seen.at(-1);
    if (before) this.open(before, true);
    else if (this.results) fill(this.body, this.results);
    else this.#hint();
  }
}

define("ast-rules", Rules);
