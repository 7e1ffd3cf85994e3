// On a phone Back closes what was opened last, then the panel, and only then leaves the table.
// Everything that is open has an entry of its own in the browser's history. An entry whose dialog
// was closed in another way stays there, is used again for the next, and is passed over by Back.

import { isNarrow } from "./dom.js";

/** What is open and how to close it, by the mark of its entry; the latest last. */
const open = new Map();
let here = history.state ?? {};
let marks = Date.now();
/** Whether the page goes back to play, past whatever lies in between. */
let isLeaving = false;
/** Whether the page itself goes back once more, over an entry that nobody needs. */
let isPassing = false;

function keep(state, isNew) {
  here = state;
  if (isNew) history.pushState(state, "");
  else history.replaceState(state, "");
}

/**
 * Whether something is still there: what was drawn anew has gone without a word, and a dialog or
 * popover is closed some time before it says so.
 */
const isShown = (el) => el.isConnected && !el.matches("dialog:not([open]), [popover]:not(:popover-open)");
/** Whether the owner of an entry is still open. */
const isOpen = ({ over }) => open.has(over) && isShown(open.get(over).el);
/** Whether an entry belongs to something that is closed by now. */
const isLeft = (state) => state.over !== undefined && !isOpen(state);

/** Something has opened; gives what is to be called when it was closed in whatever way. */
export function opened(el, close) {
  const mark = (marks += 1);
  open.set(mark, { el, close });
  if (isNarrow()) keep({ ...here, over: mark }, !isLeft(here));
  return () => void open.delete(mark);
}

/** Open a dialog over the page; when it is closed, it is gone. */
export function showDialog(dialog) {
  document.body.append(dialog);
  dialog.showModal();
  const closed = opened(dialog, () => dialog.close());
  dialog.addEventListener("close", () => {
    closed();
    dialog.remove();
  });
}

/** Close what was opened last; whether there was anything. */
export function closeLatest() {
  const last = [...open.values()].findLast(({ el }) => isShown(el));
  last?.close();
  return Boolean(last);
}

/** A panel is shown: from play it is a step in the history, from another panel it takes its place. */
export function showsPanel(name) {
  const isAway = Boolean(here.panel);
  if (name === "play") {
    isLeaving = isAway;
    return isAway ? history.back() : null;
  }
  if (isAway && (here.over === undefined || isLeft(here))) return keep({ ...here, panel: name }, false);
  if (isLeft(here)) return keep({ panel: name }, false);
  return isNarrow() ? keep({ panel: name }, true) : null;
}

addEventListener("popstate", (event) => {
  const left = here;
  here = event.state ?? {};
  // A step back from such an entry does nothing by itself, unless the page made it to arrive at play.
  const isStep = isLeft(left) && !(isPassing && !here.panel);
  isLeaving &&= Boolean(here.panel);
  isPassing = false;
  if (!isLeaving && isOpen(left)) open.get(left.over).close();
  else if (isLeaving || isStep || isLeft(here)) {
    isPassing = true;
    history.back();
  } else return;
  event.stopImmediatePropagation(); // The panel stays as it is.
});
