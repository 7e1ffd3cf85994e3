// The log as a story: the latest first, each procedure as one article.

import { Part, define, fill, follow, h, showPanel } from "./dom.js";
import { outcomeOf, story } from "./story.js";
import { table } from "./table.js";

const A_WHILE = 15 * 60 * 1000;

/** The entries of a procedure form a group; every other entry is a group of its own. */
function groups(log) {
  const found = new Map();
  for (const entry of log) {
    const key = entry.procedure || `entry-${entry.seq}`;
    if (!found.has(key)) found.set(key, { key, entries: [] });
    found.get(key).entries.push(entry);
  }
  return [...found.values()]
    .map((group) => ({ ...group, last: group.entries.at(-1).seq, isPlay: Boolean(group.entries[0].procedure) }))
    .sort((one, other) => other.last - one.last);
}

/** Undone entries in a row are folded into one line. */
function folded(all) {
  const out = [];
  for (const group of all) {
    const isUndone = group.entries.every((entry) => entry.undone);
    if (isUndone && out.at(-1)?.undone) out.at(-1).undone.push(group);
    else out.push(isUndone ? { key: `undone-${group.key}`, last: group.last, entries: group.entries, undone: [group] } : group);
  }
  return out;
}

function when(at) {
  const time = new Date(at);
  if (Number.isNaN(time.getTime())) return null;
  const today = time.toDateString() === new Date().toDateString();
  const format = today ? { hour: "2-digit", minute: "2-digit" } : { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" };
  return h("time", { datetime: at, text: time.toLocaleString([], format) });
}

const privateTag = (entry) => (entry.private ? h("span", { class: "tag", text: "private" }) : null);

function plainEntry(entry) {
  const { text } = entry;
  return h(
    "article",
    { class: `entry ${entry.kind}${entry.undone ? " undone" : ""}` },
    h("p", null, entry.undone ? h("s", { text }) : text, " ", privateTag(entry), " ", when(entry.at)),
    entry.items?.length && !entry.undone ? story(entry.items) : null,
  );
}

/** A procedure: its title, its outcome, and everything that happened in it. */
function play(group, open) {
  const { entries } = group;
  const kept = entries.filter((entry) => !entry.undone);
  const undone = entries.filter((entry) => entry.undone);
  const items = kept.flatMap((entry) => entry.items ?? []);
  const over = kept.some((entry) => entry.over);
  const off = kept.find((entry) => entry.kind === "withdrawn");
  const says = off ? off.text || "Cancelled." : over ? outcomeOf(items) : kept.length ? "In progress." : "Undone.";
  const whole = h("details", { class: "whole", open }, h("summary", { text: "Details" }));
  const tell = () => {
    if (!whole.open || whole.children.length > 1) return;
    whole.append(
      ...story(items),
      undone.length
        ? h("details", { class: "undone" }, h("summary", { class: "soft", text: `${undone.length} ${undone.length === 1 ? "step" : "steps"} undone` }), h("div", { class: "struck" }, story(undone.flatMap((entry) => entry.items ?? []))))
        : "",
    );
  };
  whole.addEventListener("toggle", tell);
  tell();
  const title = entries[0].text || "Started";
  return h(
    "article",
    { class: `entry play${kept.length ? "" : " undone"}` },
    h("h3", null, kept.length ? title : h("s", { text: title }), " ", privateTag(entries[0]), " ", when(entries.at(-1).at)),
    h("p", { class: "result", text: says }),
    items.length || undone.length ? whole : null,
  );
}

function undoneEntries(all) {
  const count = all.reduce((sum, group) => sum + group.entries.length, 0);
  return h(
    "details",
    { class: "entry undone" },
    h("summary", { text: count === 1 ? "1 entry undone" : `${count} entries undone` }),
    all.map((group) => (group.isPlay ? play(group, false) : plainEntry(group.entries[0]))),
  );
}

class Log extends Part {
  static watches = ["log"];

  #drawn = new Map();

  connectedCallback() {
    const kept = JSON.parse(localStorage.getItem(this.#place) ?? "null");
    this.seen = kept && Date.now() - kept.at > A_WHILE ? kept : null;
    super.connectedCallback();
  }

  get #place() {
    return `astragal:seen:${table.campaign}`;
  }

  render() {
    if (!this.list) {
      this.list = h("div", { class: "entries" });
      this.more = h("button", { type: "button", class: "btn", text: "Show earlier entries", on: { click: () => this.#older() } });
      const review = h("button", { type: "button", class: "btn small quiet narrow-only", text: "Review", on: { click: () => showPanel("review") } });
      fill(this, h("h2", { class: "visually-hidden", text: "Log" }), review, this.list, this.more);
    }
    const { log, older, seq } = table.view;
    const all = folded(groups(log.filter((entry) => entry.text || entry.items?.length || entry.procedure)));
    const rows = [...all];
    const since = this.seen ? all.filter((group) => group.last > this.seen.seq).length : 0;
    if (since && since < all.length) rows.splice(since, 0, { key: "since", last: 0, entries: [], since: true });
    const newest = all.find((group) => group.isPlay && group.entries.some((entry) => entry.over))?.key;
    follow(
      this.list,
      rows,
      (group) => group.key,
      () => h("div", null),
      (node, group) => {
        const print = `${group.last} ${group.undone?.length} ${group.entries.map((entry) => Number(Boolean(entry.undone))).join("")}`;
        if (this.#drawn.get(node) === print) return;
        const had = node.querySelector("details.whole");
        const open = had?.open || (group.key === newest && !node.dataset.over);
        if (group.entries.some((entry) => entry.over)) node.dataset.over = "yes";
        this.#drawn.set(node, print);
        fill(node, group.since ? this.#since() : group.undone ? undoneEntries(group.undone) : group.isPlay ? play(group, open) : plainEntry(group.entries[0]));
      },
    );
    if (!all.length) fill(this.list, h("p", { class: "soft", text: "Nothing has happened yet." }));
    this.more.hidden = !older;
    if (!document.hidden && !table.as) localStorage.setItem(this.#place, JSON.stringify({ seq, at: Date.now() }));
  }

  #since() {
    return h("p", { class: "since" }, h("span", { text: "\u2191 New since your last visit" }));
  }

  async #older() {
    this.more.disabled = true;
    try {
      await table.older();
    } finally {
      this.more.disabled = false;
    }
  }
}

define("ast-log", Log);
