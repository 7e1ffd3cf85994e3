// A popover beside what was pressed; on a phone it comes up from the bottom of the screen.

import { opened } from "./back.js";
import { h } from "./dom.js";

const EDGE = 8;
let shown = null;

function place(el, anchor) {
  const at = anchor.getBoundingClientRect();
  const { width, height } = el.getBoundingClientRect();
  const below = at.bottom + EDGE;
  const top = below + height < innerHeight - EDGE ? below : Math.max(EDGE, at.top - height - EDGE);
  el.style.setProperty("--left", `${Math.max(EDGE, Math.min(at.left, innerWidth - width - EDGE))}px`);
  el.style.setProperty("--top", `${top}px`);
}

/**
 * Show something beside an element, with buttons below it. Escape, Back or a press elsewhere
 * closes it.
 */
export function showPopover(anchor, label, content, ...buttons) {
  const close = h("button", { type: "button", class: "btn small quiet", text: "Close", on: { click: () => el.hidePopover() } });
  const el = open(anchor, label, "auto", h("div", { class: "stack tight" }, content), h("div", { class: "row" }, buttons.filter(Boolean), close));
  el.focus({ preventScroll: true });
  return el;
}

/** Show a form beside an element; a press elsewhere does not close it, so nothing typed is lost. */
export function showEditor(anchor, label, form) {
  return open(anchor, label, "manual", form);
}

function open(anchor, label, kind, ...parts) {
  closePopover();
  const el = h("div", { popover: kind, class: "pop", role: "dialog", tabindex: "-1", aria: { label } }, parts);
  el.addEventListener("toggle", ({ newState }) => {
    if (newState !== "closed") return;
    closed();
    el.remove();
    if (shown === el) shown = null;
  });
  // Escape closes this alone, not also the page that it is on.
  el.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    event.preventDefault();
    event.stopPropagation();
    el.hidePopover();
  });
  (anchor.closest("dialog, ast-sheet, .gm-part") ?? document.body).append(el);
  shown = el;
  el.showPopover();
  const closed = opened(el, () => el.hidePopover());
  place(el, anchor);
  return el;
}

export function closePopover() {
  shown?.hidePopover();
}

document.addEventListener("open-rule", closePopover);
