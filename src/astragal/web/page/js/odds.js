// The odds: one large number, and a small chart of the possible results.

import { define, fill, h, svg } from "./dom.js";

/** A chance as people say it: 61%, under 1%, over 99%; in short also <1% and >99%. */
export function percent(chance, short = false) {
  if (chance === 0 || chance === 1) return `${100 * chance}%`;
  if (chance < 0.005) return short ? "<1%" : "under 1%";
  if (chance > 0.995) return short ? ">99%" : "over 99%";
  return `${Math.round(100 * chance)}%`;
}

/** At most this many columns: neighbours with the same verdict are merged. */
function columns(rows, most = 24) {
  const size = Math.ceil(rows.length / most);
  if (size <= 1) return rows.map(([number, chance, enough]) => ({ from: number, to: number, chance, enough }));
  const out = [];
  for (const [number, chance, enough] of rows) {
    const last = out.at(-1);
    if (last && last.enough === enough && last.count < size) {
      Object.assign(last, { to: number, chance: last.chance + chance, count: last.count + 1 });
    } else out.push({ from: number, to: number, chance, enough, count: 1 });
  }
  return out;
}

/** The rows without their long thin tails. */
function likely(rows) {
  const first = rows.findIndex(([, chance]) => chance >= 0.002);
  const last = rows.findLastIndex(([, chance]) => chance >= 0.002);
  return first < 0 ? rows : rows.slice(first, last + 1);
}

function inWords(foresight, bars) {
  const most = bars.reduce((best, bar) => (bar.chance > best.chance ? bar : best), bars[0]);
  const said = foresight.chance == null ? "" : `${percent(foresight.chance)} ${foresight.hope || "to succeed"}. `;
  return `${said}Most likely ${most.from === most.to ? most.from : `${most.from} to ${most.to}`} ${foresight.unit ?? ""}`.trim();
}

function chart(foresight) {
  const bars = columns(likely(foresight.rows ?? []));
  if (bars.length < 2) return null;
  const wide = Math.min(22, Math.max(9, 230 / bars.length));
  const tall = 40;
  const most = Math.max(...bars.map((bar) => bar.chance)) || 1;
  const every = Math.ceil(17 / wide);
  const enoughAt = bars.findIndex((bar) => bar.enough);
  const width = wide * bars.length;
  const low = foresight.rows.findIndex(([, , enough]) => enough) <= foresight.rows.findIndex(([, , enough]) => !enough);
  const edge = low ? bars.findLastIndex((bar) => bar.enough) : enoughAt;
  return svg(
    "svg",
    { class: "chart", viewBox: `0 0 ${width} ${tall + 26}`, width, height: tall + 26, role: "img", aria: { label: inWords(foresight, bars) } },
    bars.map((bar, at) => {
      const height = Math.max(1, (bar.chance / most) * tall);
      return [
        svg(
          "rect",
          { class: bar.enough ? "enough" : "short", x: at * wide + 1.5, y: tall - height + 1, width: wide - 3, height, rx: 2 },
          svg("title", { text: `${bar.from === bar.to ? bar.from : `${bar.from}\u2013${bar.to}`}: ${percent(bar.chance)}` }),
        ),
        at % every === 0 || at === edge
          ? svg("text", { x: at * wide + wide / 2, y: tall + 13, "text-anchor": "middle", class: at === edge ? "edge" : "", text: String(low ? bar.to : bar.from) })
          : null,
      ];
    }),
    edge < 0 ? null : svg("path", { class: "edge", d: `M${edge * wide + wide / 2 - 4} ${tall + 24}l4 -6l4 6z` }),
  );
}

/** The dice that are thrown next, each with its chance. */
function rolls(all) {
  return h("ul", { class: "roll-odds", aria: { label: "Odds" } }, all.map(([name, chance]) => h("li", null, h("b", { text: percent(chance) }), h("small", { text: name }))));
}

class Odds extends HTMLElement {
  #foresight = null;

  set foresight(foresight) {
    this.#foresight = foresight;
    if (this.isConnected) this.render();
  }

  connectedCallback() {
    this.render();
  }

  render() {
    const foresight = this.#foresight;
    if (!foresight) return fill(this);
    if (foresight.rolls?.length) return fill(this, rolls(foresight.rolls));
    const chance = foresight.chance ?? null;
    if (chance === null && !foresight.rows?.length) {
      return fill(this, foresight.why_not ? h("small", { class: "soft", text: `No odds: ${foresight.why_not[0].toLowerCase()}${foresight.why_not.slice(1)}` }) : null);
    }
    const drawn = chart(foresight);
    return fill(
      this,
      chance === null ? null : h("p", { class: "large" }, h("b", { text: percent(chance) }), h("small", { text: foresight.hope || "to succeed" })),
      drawn ? h("figure", null, drawn, foresight.unit ? h("figcaption", { text: foresight.unit }) : null) : null,
    );
  }
}

define("ast-odds", Odds);
