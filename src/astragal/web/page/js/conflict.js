// A conflict as it is drawn: cards that are turned over, what they do to each other, and bars.

import { follow, h } from "./dom.js";
import { withRule } from "./rules.js";

/** The fact that says what the cards do, if it is this one. */
export const isMeeting = (item) => item?.kind === "met";

/** Whether it says how all sides stand. */
export const isStanding = (item) => item.bars?.length > 1;

function card([name, said]) {
  return h("div", { class: "turned" }, h("small", { text: name }), h("b", { text: said }));
}

/** The cards of a volley, and between them what they do; its first sentence is its heading. */
export function reveal({ sentence, cards, rule = "" }, meeting = null) {
  const [first, ...others] = cards.map(card);
  const does = meeting ? h("p", { class: "meeting" }, withRule(meeting.sentence, meeting.rule)) : null;
  return h(
    "div",
    { class: "item reveal" },
    h("p", { class: "volley" }, withRule(sentence.split(". ")[0], rule)),
    h("div", { class: `pair${others.length === 1 && does ? " with-meeting" : ""}` }, first, others.length === 1 ? [does, others] : [others, does]),
  );
}

/** How sides stand. */
export function bars(sides) {
  return stand(h("div", { class: "bodies" }), sides);
}

/** Let bars that are there already move to where sides stand now. */
export function stand(el, sides) {
  return follow(el, sides, ([name]) => name, bar, move);
}

function bar([name]) {
  return h("div", { class: "body-bar", role: "img" }, h("span", { text: name }), h("span", { class: "trough" }, h("span", { class: "level" })), h("b"));
}

function move(node, [name, left, full]) {
  const now = Math.max(0, left);
  const share = full > 0 ? Math.min(1, now / full) : 0;
  node.setAttribute("aria-label", `${name}: ${now} of ${full}`);
  node.querySelector(".level").style.setProperty("--share", share);
  node.lastChild.textContent = `${now} of ${full}`;
}

/** A conflict as it stands: the sides, and of the volley that is being played its cards. */
export function conflict(items) {
  const standing = new Map();
  let shown = null;
  let meeting = null;
  for (const item of items) {
    for (const each of item.bars ?? []) standing.set(each[0], each);
    if (item.cards) [shown, meeting] = [item, null];
    else if (isMeeting(item)) meeting = item;
    else if (item.bars || item.kind === "exchange_begins") shown = null;
  }
  return { sides: [...standing.values()], shown, meeting };
}
