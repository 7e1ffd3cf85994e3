// Dice: successes filled, sixes ringed, extra dice below the die that gave them.

import { define, fill, h, svg } from "./dom.js";
import { sound } from "./sounds.js";

const PIPS = {
  1: [[0, 0]],
  2: [[-1, -1], [1, 1]],
  3: [[-1, -1], [0, 0], [1, 1]],
  4: [[-1, -1], [1, -1], [-1, 1], [1, 1]],
  5: [[-1, -1], [1, -1], [0, 0], [-1, 1], [1, 1]],
  6: [[-1, -1], [1, -1], [-1, 0], [1, 0], [-1, 1], [1, 1]],
};

/** The outline of each kind of die, around (20, 20). */
const SHAPES = {
  4: "20,3 37,33 3,33",
  8: "20,2 37,20 20,38 3,20",
  10: "20,2 37,16 34,27 20,38 6,27 3,16",
  12: "20,2 31,6 38,15 38,26 31,34 20,38 9,34 2,26 2,15 9,6",
  20: "20,2 36,11 36,29 20,38 4,29 4,11",
};

function body(sides) {
  if (sides === 6) return svg("rect", { class: "body", x: 4, y: 4, width: 32, height: 32, rx: 7 });
  if (SHAPES[sides]) return svg("polygon", { class: "body", points: SHAPES[sides] });
  return svg("circle", { class: "body", cx: 20, cy: 20, r: 17 });
}

function shown(face, sides) {
  if (sides === 6 && PIPS[face]) {
    return PIPS[face].map(([x, y]) => svg("circle", { class: "pip", cx: 20 + 8.5 * x, cy: 20 + 8.5 * y, r: 3.2 }));
  }
  const low = sides === 4 ? 28 : 25.5;
  return svg("text", { class: "pip", x: 20, y: low, "text-anchor": "middle", text: String(face) });
}

/** One die. */
export function die({ face, sides, success = null }) {
  const kind = success === null ? "plain" : success ? "success" : "failure";
  const ringed = sides === 6 && face === 6 && success !== null;
  return svg(
    "svg",
    { class: `die ${kind}`, viewBox: "0 0 40 40", aria: { hidden: "true" } },
    ringed ? svg("rect", { class: "ring", x: 1, y: 1, width: 38, height: 38, rx: 10 }) : null,
    body(sides),
    shown(face, sides),
  );
}

/** The same for screen readers: "6 (success), 2". */
function facesInWords(faces) {
  return faces
    .map(({ face, success = null, of = null }) => {
      const about = [success ? "success" : "", of === null ? "" : "extra die"].filter(Boolean);
      return about.length ? `${face} (${about.join(", ")})` : String(face);
    })
    .join(", ");
}

class Dice extends HTMLElement {
  #faces = [];

  set faces(faces) {
    this.#faces = faces;
    if (this.isConnected) this.render();
  }

  connectedCallback() {
    this.render();
  }

  render() {
    this.setAttribute("role", "img");
    this.setAttribute("aria-label", `Dice: ${facesInWords(this.#faces)}`);
    const places = this.#faces.map((face) => h("span", { class: "die-place" }, die(face)));
    const roots = [];
    this.#faces.forEach(({ of = null }, at) => {
      if (of !== null && places[of]) places[of].append(places[at]);
      else roots.push(places[at]);
    });
    fill(this, roots);
  }
}

define("ast-dice", Dice);

/** Milliseconds from die to die, for all dice at most, and from the last one to the verdict. */
const STEP = 110;
const MOST = 1100;
const BEAT = 450;
/** Dice that have fallen on this page already. */
const fallen = new Set();

/**
 * Let the dice in a part of the page fall one after another, successes last, and the verdict appear
 * after a beat: only those that have not been here before, and not where less motion is wanted.
 * Everything has its place from the beginning, so that nothing moves.
 */
export function fall(root, procedure, isOld = false) {
  const isNew = (el) => {
    const key = `${procedure} ${el.closest(".rolled").textContent} ${el.getAttribute("aria-label")}`;
    return !fallen.has(key) && fallen.add(key);
  };
  const found = [...root.querySelectorAll("ast-dice")].filter(isNew);
  if (isOld || !found.length) return;
  const places = found.flatMap((el) => [...el.querySelectorAll(".die-place")]);
  const isGood = (place) => place.firstChild.classList.contains("success");
  const order = [...places.filter((place) => !isGood(place)), ...places.filter(isGood)];
  const step = Math.min(STEP, MOST / order.length);
  const times = order.map((_, at) => at * step);
  sound.clatter(times);
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  order.forEach((place, at) => place.style.setProperty("--at", `${times[at]}ms`));
  for (const el of found) el.classList.add("falls");
  root.style.setProperty("--beat", `${times.at(-1) + BEAT}ms`);
  root.classList.add("awaits");
  setTimeout(() => root.classList.remove("awaits"), times.at(-1) + 2 * BEAT);
}

/** Dice as an element. */
export function dice(faces) {
  const el = document.createElement("ast-dice");
  el.faces = faces;
  return el;
}
