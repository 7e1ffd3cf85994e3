// The log as a story: oldest first, a paragraph for each test, sessions and scenes as headings.

import { Part, announce, define, fill, follow, h, isNarrow, showPanel } from "./dom.js";
import { attempt, button, errorLine } from "./forms.js";
import { paragraphsOf, undoable } from "./paragraphs.js";
import { picturesOf } from "./pictures.js";
import { story } from "./story.js";
import { table } from "./table.js";
import { seen } from "./visits.js";

/** So near to its end the log counts as read to the end. */
const NEAR = 60;

function when(at) {
  const time = new Date(at);
  if (Number.isNaN(time.getTime())) return null;
  const today = time.toDateString() === new Date().toDateString();
  const format = today ? { hour: "2-digit", minute: "2-digit" } : { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" };
  return h("time", { datetime: at, text: time.toLocaleString([], format) });
}

const day = (at) => new Date(at).toLocaleDateString([], { weekday: "long", day: "numeric", month: "long" });
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

/** What people changed at the table, one after another: the latest, and the others when unfolded. */
function quietEntries(entries) {
  if (entries.length < 4) return entries.map(plainEntry);
  const others = h("details", { class: "entry quiet" }, h("summary", { text: `${entries.length - 1} earlier changes at the table` }), entries.slice(0, -1).map(plainEntry));
  return [others, plainEntry(entries.at(-1))];
}

/** A test or another procedure: one paragraph, and everything that happened in it on a tap. */
function play({ entries, kept, items, tale }) {
  const undone = entries.filter((entry) => entry.undone);
  const whole = h("details", { class: "whole" }, h("summary", { text: "Details" }));
  whole.addEventListener("toggle", () => {
    if (!whole.open || whole.children.length > 1) return;
    whole.append(
      ...story(items),
      undone.length
        ? h("details", { class: "undone" }, h("summary", { class: "soft", text: `${undone.length} ${undone.length === 1 ? "step" : "steps"} undone` }), h("div", { class: "struck" }, story(undone.flatMap((entry) => entry.items ?? []))))
        : "",
    );
  });
  const about = kept.length ? tale.about : h("s", { text: tale.about });
  return h(
    "article",
    { class: `entry play${kept.length ? "" : " undone"}` },
    h("p", { class: "tale" }, h("b", null, about, tale.outcome ? ": " : "."), h("span", { class: "result", text: tale.outcome }), " ", privateTag(entries[0]), " ", when(entries.at(-1).at)),
    items.length || undone.length ? whole : null,
  );
}

function undoneEntries(groups) {
  const count = groups.reduce((sum, group) => sum + group.entries.length, 0);
  return h("details", { class: "entry undone" }, h("summary", { text: count === 1 ? "1 entry undone" : `${count} entries undone` }), groups.map((group) => (group.isPlay ? play(group) : plainEntry(group.entries[0]))));
}

/** A session is over: its pictures are one tap away. */
function sessionOver({ entries: [entry] }) {
  const pictures = h("details", null, h("summary", { text: "The session in pictures" }));
  pictures.addEventListener("toggle", () => pictures.children.length > 1 || pictures.append(picturesOf(entry.session)));
  return h("article", { class: "entry session-over" }, h("p", null, entry.text, " ", when(entry.at)), pictures);
}

/** One part of the story, by its kind. */
function drawn(part) {
  if (part.since) return h("p", { class: "since" }, h("span", { text: "New since your last visit" }));
  if (part.undone) return undoneEntries(part.undone);
  if (part.quiet) return quietEntries(part.entries);
  if (part.session) return h("h3", { class: "session-head" }, `Session ${part.session}`, h("small", { class: "soft", text: day(part.entries[0].at) }));
  if (part.scene) return h("h4", { class: "scene-head", text: part.scene });
  if (part.over) return sessionOver(part);
  return part.isPlay ? play(part) : plainEntry(part.entries[0]);
}

class Log extends Part {
  static watches = ["log"];

  #drawn = new WeakMap();
  /** Whether the end of the story is in view, and stays there when something is added. */
  #isFollowing = true;
  #top = 0;

  render() {
    if (!this.list) this.#build();
    const { log, older } = table.view;
    const parts = paragraphsOf(log);
    const isNew = (part) => seen.last && part.last > seen.last.seq;
    const from = parts.findIndex(isNew);
    if (from > 0) parts.splice(from, 0, { key: "since", last: 0, entries: [], since: true });
    follow(
      this.list,
      parts,
      (part) => part.key,
      () => h("div", null),
      (node, part) => {
        const print = `${part.last} ${part.entries.length} ${part.undone?.length} ${part.entries.map((entry) => Number(Boolean(entry.undone))).join("")}`;
        if (this.#drawn.get(node) === print) return;
        this.#drawn.set(node, print);
        const isOpen = Boolean(node.querySelector("details.whole")?.open);
        fill(node, drawn(part));
        if (isOpen && node.querySelector("details.whole")) node.querySelector("details.whole").open = true;
      },
    );
    this.none.hidden = parts.length > 0;
    this.more.hidden = !older;
    this.#offerUndo(parts);
    seen.keep();
    if (this.#isFollowing) this.showLatest();
  }

  #build() {
    this.list = h("div", { class: "entries" });
    this.none = h("p", { class: "soft", text: "Nothing has happened yet." });
    this.error = errorLine();
    this.undo = button("Undo", () => this.#undo(), "small quiet undo-latest");
    this.more = button("Show earlier entries", () => this.#older());
    this.box = h("div", { class: "log-box", tabindex: "0", role: "group", aria: { label: "What happened" } }, this.more, this.list, this.none);
    this.box.addEventListener("scroll", () => this.#scrolled());
    new ResizeObserver(() => this.#isFollowing && this.showLatest()).observe(this.box);
    const review = button("Review", () => showPanel("review"), "small quiet narrow-only");
    const at = `/api/t/${encodeURIComponent(table.campaign)}`;
    const file = (suffix, text, label = null) => h("a", { class: "btn small quiet", href: `${at}/story.${suffix}`, download: `story.${suffix}`, text, aria: { label } });
    const files = h("span", { class: "row nowrap story-files" }, file("html", "Save the story"), file("md", "Markdown", "Save the story as Markdown"));
    fill(this, h("div", { class: "row log-head" }, h("h2", { text: "Story" }), h("span", { class: "grow" }), review, files), this.box, this.error);
  }

  /** What scrolls: the story by itself, or the whole page on a phone. */
  get #scroller() {
    return isNarrow() ? document.scrollingElement : this.box;
  }

  /** Who scrolls up stops following; a box that has become smaller is no reason to. */
  #scrolled() {
    const isBack = this.box.scrollTop < this.#top;
    this.#top = this.box.scrollTop;
    if (isBack || this.#isAtEnd()) this.#isFollowing = this.#isAtEnd();
  }

  #isAtEnd() {
    return this.box.scrollTop + this.box.clientHeight > this.box.scrollHeight - NEAR;
  }

  /** Go to the end of the story; on a phone only by way of its panel. */
  showLatest(isAsked = false) {
    if (isNarrow() && !isAsked) return;
    this.#scroller.scrollTop = this.#scroller.scrollHeight;
  }

  /** The GM can take back the latest step, beside it. */
  #offerUndo(parts) {
    const step = table.isGM ? undoable(table.view.log) : null;
    const node = step && [...this.list.children].find((each) => each.dataset.key === parts.findLast(({ entries }) => entries.includes(step))?.key);
    const place = node && (node.querySelector(".tale") ?? node.querySelector("article:last-child > p"));
    this.undo.remove();
    this.step = step;
    if (place) place.append(" ", this.undo);
  }

  async #undo() {
    const isDone = await attempt(this.error, () => table.do({ do: "undo", to: this.step.seq - 1, reason: "" }), this.undo);
    if (isDone) announce("Undone.");
  }

  /** What was in view stays where it is. */
  async #older() {
    const before = this.#scroller.scrollHeight;
    const at = this.#scroller.scrollTop;
    this.more.disabled = true;
    try {
      await table.older();
    } finally {
      this.more.disabled = false;
    }
    this.#scroller.scrollTop = at + this.#scroller.scrollHeight - before;
  }
}

define("ast-log", Log);
