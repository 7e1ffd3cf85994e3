// A map of who matters to whom, drawn from the sheets that this seat may read.

import { showDialog } from "./back.js";
import { define, fill, h, Part, svg } from "./dom.js";
import { imageUrl, initials } from "./images.js";
import { table } from "./table.js";

const [WIDTH, HEIGHT] = [900, 620];
/** Room for the names around the outermost places. */
const [EDGE_X, EDGE_Y] = [120, 60];
const FARTHEST = 190;
/** How far a line for a Belief bends, so that it is not on top of another one. */
const BEND = 34;
const STEPS = 240;
const LETTERS = 24;

/** What somebody may be called in a text: the whole name, or the part of it that is theirs alone. */
function calls(name) {
  const parts = name.split(/\s+/);
  const isOf = parts.slice(1, -1).some((part) => /^\p{Ll}/u.test(part));
  return [name, isOf ? parts[0] : parts.at(-1)].filter((call) => /^\p{Lu}/u.test(call) && call.length > 2);
}

const names = (text, call) => new RegExp(`(?<![\\p{L}\\d])${call.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}(?![\\p{L}\\d])`, "u").test(text);

/** Everybody who is named, and who is tied to whom: `{ nodes: Map(name, node), ties }`. */
export function tiesOf(characters) {
  const nodes = new Map();
  const ties = [];
  const node = (name, kind) => nodes.get(name) ?? nodes.set(name, { name, kind }).get(name);
  for (const each of characters) node(each.name, "character").portrait = each.portrait;
  // A sheet may call a character by a part of its name.
  const known = (name) => characters.find((each) => each.name === name || calls(each.name).includes(name))?.name ?? name;
  const told = characters.flatMap((each) => (each.page?.sections ?? []).filter((section) => section.ties).map((section) => ({ each, section })));
  for (const { each, section } of told) {
    if (section.ties === "texts") continue;
    for (const { label, value = "", note = "" } of section.rows ?? []) {
      const to = known(label);
      if (to === each.name) continue;
      node(to, section.ties === "people" ? "person" : "group");
      ties.push({ from: each.name, to, kind: section.ties, words: [value, note].filter(Boolean).join(", ") });
    }
  }
  for (const { each, section } of told.filter(({ section }) => section.ties === "texts")) {
    for (const { value: text = "" } of section.rows ?? []) {
      for (const other of nodes.keys()) {
        if (other !== each.name && calls(other).some((call) => names(text, call))) ties.push({ from: each.name, to: other, kind: "texts", words: text });
      }
    }
  }
  const tied = new Set(ties.flatMap(({ from, to }) => [from, to]));
  for (const name of nodes.keys()) if (!tied.has(name)) nodes.delete(name);
  return { nodes, ties };
}

/** Places for all: those who are tied draw each other, all others keep apart. Always the same. */
function placed({ nodes, ties }) {
  const all = [...nodes.values()];
  all.forEach((each, at) => {
    const angle = (2 * Math.PI * at) / all.length;
    Object.assign(each, { x: WIDTH / 2 + 300 * Math.cos(angle), y: HEIGHT / 2 + 200 * Math.sin(angle) });
  });
  const near = Math.min(FARTHEST, Math.sqrt((WIDTH * HEIGHT) / (all.length + 1)) * 0.8);
  const pairs = [...new Set(ties.map(({ from, to }) => [from, to].sort().join("\n")))].map((pair) => pair.split("\n").map((name) => nodes.get(name)));
  for (let step = STEPS; step > 0; step -= 1) {
    const moves = new Map(all.map((each) => [each, [0, 0]]));
    const push = (one, other, force) => {
      // Names are wide: sideways there has to be more room.
      const [dx, dy] = [(one.x - other.x) / 1.2 || 0.1, one.y - other.y || 0.1];
      const far = Math.hypot(dx, dy);
      const by = force(far) / far;
      moves.get(one)[0] += dx * by;
      moves.get(one)[1] += dy * by;
      moves.get(other)[0] -= dx * by;
      moves.get(other)[1] -= dy * by;
    };
    all.forEach((one, at) => all.slice(at + 1).forEach((other) => push(one, other, (far) => near ** 2 / far)));
    for (const [one, other] of pairs) push(one, other, (far) => -(far ** 2) / near);
    for (const [each, [dx, dy]] of moves) {
      // All are drawn to the middle a little, so that those who are not tied do not drift away.
      const [mx, my] = [dx + (WIDTH / 2 - each.x) * 1.5, dy + HEIGHT / 2 - each.y];
      const far = Math.hypot(mx, my) || 1;
      const by = Math.min(far, (60 * step) / STEPS) / far;
      each.x += mx * by;
      each.y += my * by;
    }
  }
  const [left, top] = [Math.min(...all.map(({ x }) => x)) - EDGE_X, Math.min(...all.map(({ y }) => y)) - EDGE_Y];
  const [right, bottom] = [Math.max(...all.map(({ x }) => x)) + EDGE_X, Math.max(...all.map(({ y }) => y)) + EDGE_Y];
  return [left, top, right - left, bottom - top].map(Math.round).join(" ");
}

/** A line from one to another; those of Beliefs are bent. */
function line(nodes, { from, to, kind }) {
  const [a, b] = [nodes.get(from), nodes.get(to)];
  const far = Math.hypot(b.x - a.x, b.y - a.y) || 1;
  const bend = kind === "texts" ? BEND / far : 0;
  const [x, y] = [(a.x + b.x) / 2 - (b.y - a.y) * bend, (a.y + b.y) / 2 + (b.x - a.x) * bend];
  return svg("path", { class: `tie ${kind}`, d: `M${a.x} ${a.y}Q${x} ${y} ${b.x} ${b.y}` });
}

function drawn(found) {
  const viewBox = placed(found);
  const { nodes, ties } = found;
  const dot = ({ name, kind, portrait, x, y }) =>
    svg(
      "g",
      { class: `knot ${kind}`, transform: `translate(${x} ${y})` },
      kind === "group" ? svg("rect", { x: -13, y: -13, width: 26, height: 26, rx: 5 }) : svg("circle", { r: kind === "character" ? 23 : 15 }),
      portrait ? svg("image", { href: imageUrl(portrait), x: -21, y: -21, width: 42, height: 42, preserveAspectRatio: "xMidYMid slice", class: "face" }) : kind === "character" ? svg("text", { class: "short", y: 6, text: initials(name) }) : null,
      svg("text", { y: kind === "character" ? 42 : 33, text: name.length > LETTERS ? `${name.slice(0, LETTERS - 1)}\u2026` : name }),
    );
  return svg("svg", { viewBox, class: "ties", role: "img", aria: { label: `Map of relationships: ${nodes.size} names. The list has all of them in words.` } }, ties.map((tie) => line(nodes, tie)), [...nodes.values()].map(dot));
}

const KINDS = { people: "relationship", groups: "standing", texts: "Belief" };

function listed({ ties }) {
  const from = [...new Set(ties.map((tie) => tie.from))];
  const item = (tie) => h("li", null, h("b", { text: tie.to }), h("small", { class: "soft", text: ` ${KINDS[tie.kind]}` }), tie.words ? h("span", { text: ` ${tie.words}` }) : null);
  return h("div", { class: "tie-list", tabindex: "0", role: "region", aria: { label: "Relationships in words" } }, from.map((name) => [h("h3", { text: name }), h("ul", null, ties.filter((tie) => tie.from === name).map(item))]));
}

/** `<ast-relationships>`: the map and the list, as the sheets are at the moment. */
class Relationships extends Part {
  static watches = ["characters"];

  render() {
    const found = tiesOf(Object.values(table.view.characters));
    const as = JSON.stringify([[...found.nodes], found.ties]);
    if (as === this.as) return;
    this.as = as;
    const none = h("p", { class: "soft", text: "No sheet that you can see names anybody yet. Relationships, affiliations, reputations and Beliefs appear here." });
    fill(this, found.ties.length ? [h("div", { class: "tie-map" }, drawn(found), h("p", { class: "hint", text: "Line: relationship or standing. Dashes: named in a Belief." })), listed(found)] : none);
  }
}

define("ast-relationships", Relationships);

/** Open the map over the table. */
export function showRelationships() {
  const close = h("button", { type: "button", class: "btn small", text: "Close", on: { click: () => page.close() } });
  const page = h("dialog", { class: "ties-page", aria: { label: "Relationships" } }, h("header", { class: "row nowrap" }, h("h2", { class: "grow", text: "Relationships" }), close), h("ast-relationships"));
  showDialog(page);
  return page;
}
