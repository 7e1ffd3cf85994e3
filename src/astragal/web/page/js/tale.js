// What a procedure came to, in one paragraph; the story as a file says it the same way
// (table/story/tale.py).

import { listed } from "./dom.js";
import { capitals, closing, isOutcome, isPool } from "./story.js";

const COUNTED = /(-?\d+) success(es)?\b/;
const ALLOWED_HELP = "allow_help";
const plain = (text) => text.trim().replace(/[.!?]+$/, "").toLowerCase();

/** Whose help counted. */
function helpers(items) {
  const allowed = items.findLast(({ item, key }) => item === "decided" && key === ALLOWED_HELP);
  if (!allowed?.answer?.length) return [];
  return allowed.words.split(", ").map((each) => each.split(": ")[0].trim()).slice(0, allowed.answer.length);
}

/** Successes of the obstacle, and who helped: only where one roll met one obstacle. */
function score(items, outcomes) {
  const against = items.filter((item) => item.item === "told" && isPool(item)).flatMap(({ numbers = [] }) => numbers.filter(({ name }) => name === "obstacle"));
  const counted = COUNTED.exec(outcomes.at(-1));
  if (against.length !== 1 || outcomes.length !== 1 || !counted) return "";
  const helped = helpers(items);
  return `${counted[1]} of ${against[0].total}${helped.length ? `, ${listed(helped)} helped` : ""}.`;
}

/** The sentences that say more than the score and what it was about. */
function news(text, about, isCounted) {
  const isKnown = (each) => plain(about).startsWith(plain(each)) || (isCounted && /^[^.]*: -?\d+ success(es)?\.$/.test(each));
  return text.split(/(?<=[.!?])\s+/).filter((each) => !isKnown(each));
}

function outcome(about, items) {
  const told = items.filter((item) => item.item === "told" && !isPool(item));
  const end = closing(told);
  if (end >= 0) return capitals(told[end].sentence);
  const outcomes = told.filter(isOutcome).slice(-2).map(({ sentence }) => sentence);
  const last = told.at(-1)?.sentence ?? "";
  if (!outcomes.length) return capitals(news(last, about).join(" ") || last);
  const counted = score(items, outcomes);
  return [counted, ...outcomes.flatMap((each) => news(each, about, counted)).map(capitals)].filter(Boolean).join(" ");
}

/** The name of whoever it is about, where it is one alone: it need not be said again. */
function who(about) {
  if (/ against | and /.test(about)) return "";
  return about.replace(/^.*\(([^()]*)\)$/, "$1").replace(/'s [^']*$/, "");
}

/** What it was about, and how it came out: from the line with which it began and all that happened. */
export function taleOf(text, items) {
  const at = text.indexOf(": ");
  const said = at < 0 ? "" : text.slice(at + 2).trim();
  const title = (at < 0 ? text : text.slice(0, at)).trim().replace(/\.$/, "");
  const about = capitals(said || title);
  const came = outcome(about, items);
  if (came.startsWith(`${about} `)) return { about: title, outcome: came };
  const name = `${who(about)}: `;
  return { about, outcome: capitals(came.startsWith(name) ? came.slice(name.length) : came) };
}
