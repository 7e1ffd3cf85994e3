// What somebody missed, or what happened last time; and the end of a session, for everybody.

import { h, showPanel } from "./dom.js";
import { button } from "./forms.js";
import { paragraphsOf } from "./paragraphs.js";
import { picturesOf } from "./pictures.js";
import { table } from "./table.js";
import { seen } from "./visits.js";

const MOST = 6;
/** After so long somebody would like to know what happened last time, too. */
const LONG_AGO = 6 * 60 * 60 * 1000;
const CLOSED = "astragal:session-closed";

const isTold = ({ isPlay, kept, scene, entries }) => (isPlay ? kept.length > 0 : Boolean(scene) || (entries[0].kind === "said" && !entries[0].undone));

function line({ isPlay, tale, scene, entries: [entry] }) {
  if (scene) return h("li", { class: "scene-head", text: scene });
  if (isPlay) return h("li", null, h("b", { text: tale.outcome ? `${tale.about}: ` : tale.about }), tale.outcome);
  return h("li", { class: "said", text: entry.text });
}

/** What is told to somebody who comes back: what is new, or else the end of the last session. */
function news() {
  if (!seen.last) return null;
  const all = paragraphsOf(table.view.log);
  const missed = all.filter((part) => isTold(part) && part.last > seen.last.seq);
  if (missed.length) return { title: "Since you were here", told: missed };
  const began = all.findLastIndex(({ session }) => session);
  const before = all.slice(Math.max(began, 0)).filter((part) => isTold(part) && part.isPlay);
  const isLongAgo = Date.now() - seen.last.at > LONG_AGO;
  return isLongAgo && before.length ? { title: "Last time", told: before } : null;
}

/** The recap as a card, or nothing. */
export function recap() {
  const found = news();
  if (!found) return null;
  const { title, told } = found;
  const more = told.length - MOST;
  const close = () => card.remove();
  const card = h(
    "section",
    { class: "card recap", aria: { label: title } },
    h("header", { class: "row nowrap" }, h("h2", { class: "grow", text: title }), button("Dismiss", close, "small")),
    more > 0 ? button(`${more} more in the story`, () => showPanel("log"), "small quiet") : null,
    h("ul", null, told.slice(-MOST).map(line)),
  );
  return card;
}

/** A session that has just ended: its number, unless this device has dismissed it. */
export function endedSession() {
  const last = table.view.log.findLast(({ kind, undone }) => ["session_began", "session_ended"].includes(kind) && !undone);
  const isOver = last?.kind === "session_ended" && last.seq > Number(localStorage.getItem(`${CLOSED}:${table.campaign}`) ?? 0);
  return isOver ? last : null;
}

/** The end of a session: its pictures, and the story to take home. */
export function sessionEnd({ session, seq }) {
  const at = `/api/t/${encodeURIComponent(table.campaign)}`;
  const file = (suffix, label) => h("a", { class: "btn small", href: `${at}/story.${suffix}`, download: `story.${suffix}`, text: label });
  const close = () => {
    if (!table.as) localStorage.setItem(`${CLOSED}:${table.campaign}`, String(seq));
    card.remove();
  };
  const pictures = picturesOf(session);
  // It comes with its pictures, so that nothing moves when they are there.
  pictures.drawn.then(() => (card.hidden = false));
  const card = h(
    "section",
    { class: "card session-end", hidden: true, aria: { label: `The end of session ${session}` } },
    h("header", { class: "row nowrap" }, h("h2", { class: "grow", text: `Session ${session} is over` }), button("Dismiss", close, "small")),
    pictures,
    h("div", { class: "row" }, h("span", { class: "soft", text: "Save the story:" }), file("html", "HTML"), file("md", "Markdown")),
  );
  return card;
}
