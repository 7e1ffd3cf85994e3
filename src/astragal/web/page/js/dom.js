// Making elements, announcing things, and parts of the page that follow the table.

import { table } from "./table.js";

const SVG = "http://www.w3.org/2000/svg";

function setProps(el, props) {
  for (const [key, value] of Object.entries(props ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (key === "class") el.setAttribute("class", value);
    else if (key === "text") el.textContent = value;
    else if (key === "on") for (const [name, fn] of Object.entries(value)) el.addEventListener(name, fn);
    else if (key === "aria") {
      for (const [name, said] of Object.entries(value)) {
        if (said !== null && said !== undefined) el.setAttribute(`aria-${name}`, said);
      }
    } else if (key === "data") Object.assign(el.dataset, value);
    else if (key === "vars") {
      for (const [name, said] of Object.entries(value)) el.style.setProperty(name, said);
    } else el.setAttribute(key, value === true ? "" : value);
  }
  return el;
}

function flat(children) {
  return children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false && child !== "");
}

/**
 * An element. Props: `class`, `text`, `on` (listeners), `aria`, `data`, `vars` (CSS custom
 * properties); any other key is an attribute (true: present; false or null: absent). Children are
 * nodes, texts, or lists of them; texts are only ever text.
 */
export function h(tag, props, ...children) {
  const el = setProps(document.createElement(tag), props);
  el.append(...flat(children));
  return el;
}

/** The same for drawings. */
export function svg(tag, props, ...children) {
  const el = setProps(document.createElementNS(SVG, tag), props);
  el.append(...flat(children));
  return el;
}

/** A small drawing on a button, from the data of a path. */
export function icon(path) {
  return svg("svg", { viewBox: "0 0 24 24", class: "icon", aria: { hidden: "true" } }, svg("path", { d: path }));
}

/** Replace the children of an element. */
export function fill(el, ...children) {
  el.replaceChildren(...flat(children));
  return el;
}

/**
 * Make the children of an element follow a list: a child that is there already (by its key) is kept,
 * so that nothing half typed is lost, and updated with `update(node, item)`.
 */
export function follow(el, list, key, make, update = () => {}) {
  const had = new Map([...el.children].map((child) => [child.dataset.key, child]));
  let before = null;
  for (const item of list) {
    const name = String(key(item));
    let node = had.get(name);
    if (node) had.delete(name);
    else {
      node = make(item);
      node.dataset.key = name;
    }
    update(node, item);
    const place = before ? before.nextSibling : el.firstChild;
    if (place !== node) el.insertBefore(node, place);
    before = node;
  }
  for (const gone of had.values()) gone.remove();
  return el;
}

const drawn = new WeakMap();

/** Whether an element has not shown this yet; from now on it has. */
export function isNew(el, shown) {
  const print = JSON.stringify(shown) ?? "";
  const had = drawn.get(el);
  drawn.set(el, print);
  return had !== print;
}

/** Tell screen readers. */
export function announce(text, urgent = false) {
  const id = urgent ? "say-now" : "say";
  let region = document.getElementById(id);
  if (!region) {
    region = h("div", { id, class: "visually-hidden", aria: { live: urgent ? "assertive" : "polite" } });
    document.body.append(region);
  }
  region.append(h("p", { text }));
  while (region.children.length > 4) region.firstChild.remove();
}

/** A choice of a house rule, such as "plus_1_ob", as people write it: "+1 Ob". */
export function choiceWords(key) {
  const shorter = { gm: "GM", ob: "Ob", va: "VA", "plus ": "+", "times ": "\u00d7" };
  const text = words(key).replace(/\b(gm|ob|va)\b|\b(plus|times) (?=\d)/g, (found) => shorter[found]).replace(/\b(\d)d\b/g, "$1D");
  return text[0].toUpperCase() + text.slice(1);
}

/** "body_of_argument" as words: "body of argument". */
export function words(key) {
  return String(key).replaceAll("_", " ");
}

const LISTED = new Intl.ListFormat("en-GB");

/** Names in a row: "Ann, Ben and Cleo". */
export const listed = (names) => LISTED.format(names);

/** Whether the page has one column, as on a phone. */
export function isNarrow() {
  return matchMedia("(max-width: 999px)").matches;
}

/** Open one of the panels: play, log, sheet, rules, notes, gm; of the GM's also a section. */
export function showPanel(name, part = "") {
  document.dispatchEvent(new CustomEvent("show-panel", { detail: name }));
  if (part) document.dispatchEvent(new CustomEvent("show-part", { detail: part }));
}

/** Open the page for a new character, which is fetched only now. */
export async function makeCharacter() {
  const { newCharacter } = await import("./new_character.js");
  return newCharacter();
}

/** Open a character's sheet. */
export function showSheet(character) {
  document.dispatchEvent(new CustomEvent("show-sheet", { detail: character }));
}

/**
 * A part of the page. `static watches` names the parts of the view that it shows; `render()` is
 * called when it comes onto the page and whenever one of those has changed.
 */
export class Part extends HTMLElement {
  static watches = [];

  get table() {
    return table;
  }

  connectedCallback() {
    this.stopWatching?.();
    this.stopWatching = table.watch(this.constructor.watches, () => this.renderIfSeated());
    this.renderIfSeated();
  }

  disconnectedCallback() {
    this.stopWatching?.();
    this.stopWatching = null;
  }

  renderIfSeated() {
    if (table.view && this.isConnected) this.render();
  }

  render() {}
}

/** Register a custom element, once. */
export function define(name, cls) {
  if (!customElements.get(name)) customElements.define(name, cls);
}

/** What belongs together is one tab stop; the arrow keys lead from one to the next in it. */
export function roving(box, what = "button") {
  const all = [...box.querySelectorAll(what)];
  all.forEach((each, at) => (each.tabIndex = at ? -1 : 0));
  box.addEventListener("keydown", (event) => {
    const by = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
    const at = all.indexOf(event.target);
    if (!by || at < 0) return;
    event.preventDefault();
    const next = all[Math.max(0, Math.min(all.length - 1, at + by))];
    event.target.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  });
  return box;
}
