// The entries of the log as parts of a story: paragraphs, headings, and what is folded away.

import { taleOf } from "./tale.js";

const SCENE = "Scene: ";
const GM = "gm";
/** What people change at the table, beside playing. */
const QUIET = new Set(["founded", "retitled", "read_otherwise", "seated", "joined", "left", "edited", "proposed", "declined", "noted", "resumed", "paused", "took_back", "portrayed", "saved_test"]);
/** Steps of play, which can be undone. */
const STEPS = new Set(["began", "answered", "withdrawn", "ruled", "threw", "edited", "joined", "left", "read_otherwise"]);
const SESSION = new Set(["session_began", "session_ended"]);

/** The title of a scene, where the GM has announced one. */
function sceneOf({ kind, seat, text = "", private: isPrivate }) {
  const said = text.slice(text.indexOf(": ") + 2);
  return kind === "said" && seat === GM && !isPrivate && said.startsWith(SCENE) ? said.slice(SCENE.length).trim() : "";
}

function told(entries) {
  const kept = entries.filter((entry) => !entry.undone);
  const items = kept.flatMap((entry) => entry.items ?? []);
  const off = kept.find((entry) => entry.kind === "withdrawn");
  const tale = taleOf(entries[0].text || "Started", items);
  if (off) tale.outcome = off.text || "Cancelled.";
  else if (!kept.length) tale.outcome = "Undone.";
  else if (!kept.some((entry) => entry.over)) tale.outcome = "In progress.";
  return { kept, items, tale };
}

function partOf(entries) {
  const [first] = entries;
  const part = { key: first.procedure || `entry-${first.seq}`, entries, last: entries.at(-1).seq };
  if (first.procedure) return { ...part, isPlay: true, ...told(entries) };
  if (first.undone) return part;
  if (first.kind === "session_began") return { ...part, session: first.session };
  if (first.kind === "session_ended") return { ...part, over: first.session };
  const scene = sceneOf(first);
  return scene ? { ...part, scene } : part;
}

/** Entries of one kind in a row are one part. */
function joined(parts) {
  const out = [];
  for (const part of parts) {
    const before = out.at(-1);
    const isUndone = part.entries.every((entry) => entry.undone);
    const isQuiet = !isUndone && !part.isPlay && QUIET.has(part.entries[0].kind);
    if (isUndone && before?.undone) Object.assign(before, { undone: [...before.undone, part], last: part.last, entries: [...before.entries, ...part.entries] });
    else if (isUndone) out.push({ key: `undone-${part.key}`, entries: part.entries, last: part.last, undone: [part] });
    else if (isQuiet && before?.quiet) Object.assign(before, { last: part.last, entries: [...before.entries, ...part.entries] });
    else out.push(isQuiet ? { ...part, key: `quiet-${part.key}`, quiet: true } : part);
  }
  return out;
}

/** The parts of the story, the oldest first; a procedure stands where its last step does. */
export function paragraphsOf(log) {
  const groups = new Map();
  for (const entry of log.filter(({ text, items, procedure }) => text || items?.length || procedure)) {
    const key = entry.procedure || entry.seq;
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push(entry);
  }
  return joined([...groups.values()].map(partOf).sort((one, other) => one.last - other.last));
}

/** The latest step that can be undone; none before a session that has begun or ended since. */
export function undoable(log) {
  const latest = log.findLast(({ kind, undone }) => !undone && (STEPS.has(kind) || SESSION.has(kind)));
  return STEPS.has(latest?.kind) ? latest : null;
}
