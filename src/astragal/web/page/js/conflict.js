// A conflict: the cards that are turned over, what they do to each other, and a bar for each side.

import { follow, h } from "./dom.js";
import { withRule } from "./rules.js";

/** Whether it says what the cards that were just shown do to each other. */
export const isEffect = (item) => item?.role === "effect";

/** Whether it says how all sides stand. */
export const isStanding = (item) => item.bars?.length > 1;

/** Whose card, and what it says; what comes before the actions is smaller. */
function card([name, said]) {
  const [first, ...rest] = said.split("; ");
  return h("div", { class: "turned-card" }, h("small", { text: name }), rest.length ? h("span", { class: "opens", text: first }) : null, h("b", { text: rest.length ? rest.join("; ") : said }));
}

/** Cards that were shown at once, under their headline, and between them what they do. */
export function reveal({ headline, sentence, cards, rule = "" }, effect = null) {
  const [first, ...others] = cards.map(card);
  const does = effect ? h("p", { class: "effect" }, withRule(effect.sentence, effect.rule)) : null;
  return h(
    "div",
    { class: "item reveal" },
    h("p", { class: "volley" }, withRule(headline || sentence, rule)),
    h("div", { class: `pair${others.length === 1 && does ? " with-effect" : others.length > 1 ? " many" : ""}` }, first, others.length === 1 ? [does, others] : [others, does]),
  );
}

/** Cards that meet, two by two, each pair with what it does. */
export function meetings({ headline, meetings: pairs, rule = "" }) {
  return h(
    "div",
    { class: "item reveal meetings" },
    h("p", { class: "volley" }, withRule(headline, rule)),
    pairs.map(({ one, one_card: mine, other, other_card: theirs, effect }) =>
      h("div", { class: "pair with-effect small-cards" }, card([one, mine]), h("p", { class: "effect", text: effect }), card([other, theirs])),
    ),
  );
}

/** How sides stand. */
export function bars(sides) {
  return stand(h("div", { class: "bars" }), sides);
}

/** Move the bars that are there to where the sides stand now. */
export function stand(el, sides) {
  return follow(el, sides, ([name]) => name, bar, move);
}

function bar([name]) {
  return h("div", { class: "side-bar", role: "img" }, h("span", { text: name }), h("span", { class: "trough" }, h("span", { class: "level" })), h("b"));
}

function move(node, [name, left, full]) {
  const now = Math.max(0, left);
  const share = full > 0 ? Math.min(1, now / full) : 0;
  node.setAttribute("aria-label", `${name}: ${now} of ${full}`);
  node.querySelector(".level").style.setProperty("--share", share);
  node.lastChild.textContent = `${now} of ${full}`;
}

/**
 * The present state of a conflict: its sides or the picture of them, the cards of the volley in
 * progress, and what meets what in it.
 */
export function conflict(items) {
  const standing = new Map();
  let shown = null;
  let effect = null;
  let picture = null;
  for (const item of items) {
    for (const each of item.bars ?? []) standing.set(each[0], each);
    if (item.picture) picture = item.picture;
    else if (item.cards) [shown, effect] = [item, null];
    else if (isEffect(item)) effect = item;
    else if (item.bars || item.role === "heading") shown = null;
  }
  return { sides: picture ? [] : [...standing.values()], picture, shown, effect };
}
