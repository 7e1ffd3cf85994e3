// Two sides on one line of distances, from near to far: what each distance is to each of them, where
// they are, and the cover in front of them.

import { h, svg } from "./dom.js";

const HEIGHT = 46;
const GROUND = 44;
const STRIDE = 13;
/** More figures than this stand for all of a side. */
const MOST_FIGURES = 5;

/** Somebody at x. */
function stick(x, isDown) {
  return isDown
    ? [svg("circle", { cx: x - 5, cy: GROUND - 5, r: 4 }), svg("path", { d: `M${x - 1} ${GROUND - 4}h8` })]
    : [svg("circle", { cx: x, cy: 14, r: 4.5 }), svg("path", { d: `M${x} 19V32l-4 ${GROUND - 32}M${x} 32l4 ${GROUND - 32}` })];
}

/** What is in front of a side: a low hedge, or a high one. */
function hedge(x, cover) {
  const tall = [0, 16, 28][cover] ?? 28;
  return tall ? svg("path", { class: "hedge", d: `M${x - 6} ${GROUND}v${6 - tall}q2 -6 6 -6t6 6v${tall - 6}z` }) : null;
}

/** A side, its cover towards the other. */
function team(figures, cover, side) {
  const shown = figures.filter(({ out }) => !out).slice(0, MOST_FIGURES);
  const width = Math.max(1, shown.length) * STRIDE + 22;
  const people = shown.map(({ pose }, at) => stick(side ? 20 + at * STRIDE : width - 20 - at * STRIDE, pose === "down"));
  return svg(
    "svg",
    { viewBox: `0 0 ${width} ${HEIGHT}`, width, height: HEIGHT, class: `team side-${side}` },
    svg("g", { class: "figure" }, people),
    hedge(side ? 7 : width - 7, cover),
  );
}

/** The distances in a row, neighbours that are the same to this side as one. */
function bands({ reaches }, here, side) {
  const out = [];
  reaches.forEach(([label, well], at) => {
    const last = out.at(-1);
    if (last?.label === label) last.to = at;
    else out.push({ label, well, from: at, to: at });
  });
  return out.map(({ label, well, from, to }) =>
    h("span", { class: `band well-${well} lane-${side}${from <= here && here <= to ? " is-here" : ""}`, vars: { "--from": from + 2, "--to": to + 3 }, text: label }),
  );
}

function caption({ name, holds = "", marks = [] }, side) {
  return h(
    "p",
    { class: `lane-name lane-${side} side-${side}` },
    h("b", { text: name }),
    holds ? h("span", { class: "soft", text: ` ${holds}` }) : null,
    marks.map((mark) => [" ", h("span", { class: "tag", text: mark })]),
  );
}

/** The line; the first side stands at its near end, the other where they are. */
export function distanceLine({ lanes, here }, figures) {
  const said = lanes.map(({ name, reaches, marks = [] }) => [`${name}: ${reaches[here][0]}`, ...marks].join(", ")).join("; ");
  return h(
    "div",
    { class: "distance-line" },
    caption(lanes[0], 0),
    h(
      "div",
      { class: "bands", role: "img", aria: { label: said }, vars: { "--stops": lanes[0].reaches.length, "--here": here + 2 } },
      h("span", { class: "here" }),
      bands(lanes[0], here, 0),
      h("span", { class: "ground" }),
      lanes.map(({ cover = 0 }, side) => h("span", { class: `stand stand-${side}` }, team(figures.filter((each) => each.side === side), cover, side))),
      bands(lanes[1], here, 1),
    ),
    caption(lanes[1], 1),
  );
}
