// Rings within rings, with what is chosen on each of them.

import { h, svg, words } from "./dom.js";
import { withRule } from "./rules.js";

const SIZE = 150;
const HUB = 12;

/** A piece of a ring, from one angle to another, clockwise from the top. */
function sector(inner, outer, from, to) {
  const at = (radius, angle) => `${SIZE / 2 + radius * Math.sin(angle)} ${SIZE / 2 - radius * Math.cos(angle)}`;
  const far = to - from > Math.PI ? 1 : 0;
  return `M${at(inner, from)}L${at(outer, from)}A${outer} ${outer} 0 ${far} 1 ${at(outer, to)}L${at(inner, to)}A${inner} ${inner} 0 ${far} 0 ${at(inner, from)}Z`;
}

export function drawWheel({ rings, rule = "" }) {
  const width = (SIZE / 2 - HUB - 2) / rings.length;
  const drawn = rings.map(({ places, chosen = "" }, at) => {
    const turn = (2 * Math.PI) / places.length;
    const inner = HUB + at * width;
    return places.map((place, step) =>
      svg("path", { class: place === chosen ? "chosen" : "", d: sector(inner, inner + width - 1.5, step * turn, (step + 1) * turn) }, svg("title", { text: place })),
    );
  });
  const said = rings.filter(({ chosen }) => chosen);
  return h(
    "figure",
    { class: "wheel" },
    svg("svg", { viewBox: `0 0 ${SIZE} ${SIZE}`, width: SIZE, height: SIZE, aria: { hidden: "true" } }, drawn),
    h(
      "figcaption",
      null,
      h("ul", { aria: { label: "Facets" } }, said.map(({ name, chosen }) => h("li", null, h("small", { class: "soft", text: words(name) }), " ", h("b", { text: chosen })))),
      rule ? h("p", { class: "soft small" }, withRule("Rings from the inside out", rule)) : null,
    ),
  );
}
