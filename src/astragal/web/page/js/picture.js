// Where everybody is in a conflict between several: a bar and a state for each, and for each two
// opponents how far apart they are, with what they hold drawn to its length; or both sides on a line.

import { distanceLine } from "./distance_line.js";
import { h, svg } from "./dom.js";

/** The drawing's units: what reaches as far as the gap ends at the other's body. */
const NEAR = 44;
const STEP = 20;
const INSIDE = 26;
const WIDTH = 210;
const HEIGHT = 46;
const GROUND = 42;
const HAND = 24;
const BODY = 7;

const apart = (gap) => (gap < 0 ? INSIDE : Math.min(WIDTH - 40, NEAR + STEP * gap));

/** Somebody standing, kneeling or down, with what is in hand pointing at the other. */
function figure({ pose = "standing", reach = 0, holds = "", side }, x, towards, away) {
  const length = NEAR + STEP * reach - BODY;
  const far = Math.max(4, away - BODY);
  // What is longer than the distance points upwards.
  const flat = Math.min(length, far);
  const rise = Math.min(HAND - 3, Math.sqrt(Math.max(0, length * length - flat * flat)));
  const low = { standing: 0, kneeling: 9, down: 20 }[pose] ?? 0;
  const hand = HAND + low * 0.8 + (towards > 0 ? 0 : 4);
  const body =
    pose === "down"
      ? [svg("circle", { cx: x - towards * 12, cy: GROUND - 5, r: 4.5 }), svg("path", { d: `M${x - towards * 7} ${GROUND - 3}h${towards * 18}` })]
      : [svg("circle", { cx: x, cy: 9 + low, r: 5 }), svg("path", { d: `M${x} ${14 + low}V${Math.min(GROUND - 6, 30 + low)}M${x} ${Math.min(GROUND - 8, 30 + low)}l-6 ${Math.max(6, GROUND - 30 - low)}m6 ${-Math.max(6, GROUND - 30 - low)}l6 ${Math.max(6, GROUND - 30 - low)}` })];
  const weapon = holds ? svg("path", { class: "weapon", d: `M${x + towards * 3} ${hand}l${towards * (flat - 3)} ${-Math.min(rise, hand - 2)}` }) : null;
  return svg("g", { class: `figure side-${side % 4}` }, body, weapon);
}

function strip(one, other, span) {
  const away = apart(span.gap);
  const left = (WIDTH - away) / 2;
  return svg(
    "svg",
    { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "gap-strip", aria: { hidden: "true" } },
    svg("path", { class: "ground", d: `M8 ${GROUND}h${WIDTH - 16}` }),
    figure(one, left, 1, away),
    figure(other, left + away, -1, away),
  );
}

/** Two opponents, and how far apart they are. */
function pair(figures, span) {
  const [one, other] = [figures.get(span.one), figures.get(span.other)];
  const at = (name, where, isOther) => h("span", { class: isOther ? "at other" : "at" }, h("b", { text: name }), h("small", { class: `distance ${where}`, text: where }));
  return h("li", { class: "gap" }, at(one.name, span.one_at), strip(one, other, span), at(other.name, span.other_at, true));
}

/** Name, what is left, what is in hand, and the state of somebody. */
function person({ name, left, full, holds = "", marks = [], out = "", side }) {
  const share = full > 0 ? Math.max(0, Math.min(1, left / full)) : 0;
  return h(
    "li",
    { class: `fighter side-${side % 4}${out ? " is-out" : ""}` },
    h("span", { class: "fighter-name" }, h("b", { text: name }), holds && !out ? h("small", { class: "soft", text: ` ${holds}` }) : null),
    h("span", { class: "trough", role: "img", aria: { label: `${name}: ${left} of ${full} dice left` } }, h("span", { class: "level", vars: { "--share": share } })),
    h("span", { class: "fighter-left", aria: { hidden: "true" }, text: `${left}/${full}` }),
    marks.length || out ? h("span", { class: "fighter-marks" }, out ? h("span", { class: "tag bad", text: out }) : marks.map((mark) => h("span", { class: "tag", text: mark }))) : null,
  );
}

/** More distances than this are folded away: those of others, and those farther off. */
const MOST_GAPS = 4;

const isFar = ({ one_at: one, other_at: other }) => one === "outside" && other === "outside";

/** The whole picture; `mine` are the keys of those whose distances come first. */
export function drawPicture({ figures, spans = [], line = null }, mine = new Set()) {
  const known = new Map(figures.map((each) => [each.key, each]));
  const sides = [...new Set(figures.map(({ side }) => side))];
  const near = spans.filter((span) => !isFar(span));
  const far = spans.filter(isFar);
  const weight = ({ one, other, gap }) => (mine.has(one) || mine.has(other) ? 0 : 100) + gap;
  const inOrder = [...near].sort((one, other) => weight(one) - weight(other));
  const shown = inOrder.slice(0, MOST_GAPS);
  const folded = inOrder.slice(MOST_GAPS);
  const list = (some) => h("ul", { class: "gaps", aria: { label: "Distances" } }, some.map((span) => pair(known, span)));
  const names = ({ one, other }) => `${known.get(one).name} and ${known.get(other).name}`;
  return h(
    "div",
    { class: "fight-picture" },
    h("div", { class: "fight-sides" }, sides.map((side) => h("ul", { class: "fighters", aria: { label: `Side ${side + 1}` } }, figures.filter((each) => each.side === side).map(person)))),
    line ? distanceLine(line, figures) : null,
    shown.length ? list(shown) : null,
    folded.length ? h("details", null, h("summary", { class: "soft small", text: `${folded.length} more ${folded.length === 1 ? "distance" : "distances"}` }), list(folded)) : null,
    far.length ? h("p", { class: "soft small", text: `Out of reach of each other: ${far.map(names).join("; ")}` }) : null,
  );
}
