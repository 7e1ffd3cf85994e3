// Single keys for what is done most, and the list of them, with the page's other settings.

import { closeLatest, showDialog } from "./back.js";
import { h } from "./dom.js";
import { tick } from "./forms.js";
import { notifications } from "./notifications.js";
import { tour } from "./tour.js";

const OFF = "astragal:keys";

const LIST = [
  ["r", "Roll, or Ready"],
  ["0 to 9", "Set the obstacle, or another number that is asked for"],
  ["/", "Search tests and actions"],
  ["?", "Show this list"],
  ["Esc", "Close what is open"],
  ["\u2190 \u2192", "Go through a group of choices"],
];

const isShown = (el) => el.checkVisibility?.() ?? el.offsetParent !== null;
const first = (selector) => [...document.querySelectorAll(selector)].find(isShown);

function roll() {
  const button = first("ast-release .roll:not(:disabled)");
  button?.click();
  return Boolean(button);
}

/** The first number that is still needed, or else the first that was. */
function setNumber(number) {
  const row = first("ast-card .ask-row.missing .ladder") ?? first("ast-card .ask-row.required .ladder");
  const rung = [...(row?.querySelectorAll(".rung") ?? [])].find((each) => each.getAttribute("aria-label").split(":")[0] === number);
  rung?.click();
  return Boolean(rung);
}

function search() {
  document.dispatchEvent(new CustomEvent("find-procedure"));
  return true;
}

let list = null;

/** The keys, and what this device may be told about. */
export function showKeys() {
  list?.close();
  const close = h("button", { class: "btn main", text: "Close" });
  const again = h("button", { class: "btn quiet", text: "Show me around", on: { click: () => tour.again() } });
  const use = tick("Use these keys", areUsed(), (on) => (on ? localStorage.removeItem(OFF) : localStorage.setItem(OFF, "off")));
  use.classList.add("for-keys");
  const notify = notifications.isPossible ? tick("Notify me when it is my turn and I am on another page", notifications.on, (on) => notifications.set(on)) : null;
  list = h(
    "dialog",
    { class: "keys", aria: { label: "Keys and help" } },
    h("h2", { text: "Keys and help" }),
    h("dl", null, LIST.map(([key, what]) => [h("dt", null, h("kbd", { text: key })), h("dd", { text: what })])),
    h("div", { class: "stack tight" }, use, notify),
    h("form", { method: "dialog", class: "row" }, again, close),
  );
  showDialog(list);
  close.focus();
  return true;
}

const areUsed = () => localStorage.getItem(OFF) !== "off";
const WITH_TEXT = "input:not([type=checkbox]):not([type=radio]), textarea, select, [contenteditable]";

/** What is open above the page. What has just been closed may have the focus until the page is drawn again. */
const ABOVE = "dialog[open], [popover]:popover-open";

/** Whether the key is meant for something else: text, a menu, a dialog, the browser. */
function isTaken({ target, ctrlKey, metaKey, altKey, isComposing, repeat, defaultPrevented }) {
  return ctrlKey || metaKey || altKey || isComposing || repeat || defaultPrevented || target.closest?.(`${WITH_TEXT}, ${ABOVE}`);
}

export function listenForKeys() {
  addEventListener("keydown", (event) => {
    if (isTaken(event) || !areUsed()) return;
    const { key } = event;
    const isDone = key === "r" ? roll() : key === "/" ? search() : key === "?" ? showKeys() : key === "Escape" ? closeLatest() : /^\d$/.test(key) && setNumber(key);
    if (isDone) event.preventDefault();
  });
}

/** The button that shows the list. */
export function keysButton() {
  return h("button", { type: "button", class: "btn quiet help", text: "?", aria: { label: "Keys and help" }, on: { click: () => showKeys() } });
}
