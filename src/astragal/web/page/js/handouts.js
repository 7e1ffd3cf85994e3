// Handouts: a text or an image that the GM shows to some; the GM prepares them here.

import { Part, announce, define, fill, follow, h } from "./dom.js";
import { attempt, button, errorLine, keepFocus, labelled, stack } from "./forms.js";
import { KINDS, imageUrl, thumbnail, upload } from "./images.js";
import { newMark } from "./net.js";
import { table } from "./table.js";
import { typed } from "./typed.js";

const SIDE = 1600;
const DRAFT = "handout";
const place = () => `astragal:handouts:${table.campaign}:${table.seat}`;
const print = ({ id, text, image }) => `${id} ${text.length} ${image.slice(0, 8)}`;

/** A handout to read; a fresh one with the button that puts it away, and how many more there are. */
function handout({ title, text, image }, dismiss = null, more = 0) {
  const shown = image ? h("a", { class: "handout-image", href: imageUrl(image), download: title }, h("img", { src: imageUrl(image), alt: title })) : null;
  const heading = h("h3", { class: "grow", text: title });
  const words = text ? h("p", { class: "handout-text", text }) : null;
  return [dismiss ? h("header", { class: "row nowrap" }, heading, dismiss) : heading, shown, words, dismiss ? h("p", { class: "hint", text: `It stays under Notes.${more ? ` ${more} more ${more === 1 ? "handout" : "handouts"} to read.` : ""}` }) : null];
}

/** `<ast-handouts>`: all that this seat was given; `fresh`: those not put away yet, one by one. */
class Handouts extends Part {
  static watches = ["handouts"];
  #known = null;

  get #isFresh() {
    return this.hasAttribute("fresh");
  }

  render() {
    this.hidden = table.isGM;
    if (table.isGM) return fill(this);
    this.#known ??= new Set(JSON.parse(localStorage.getItem(place()) ?? "[]"));
    const all = table.view.handouts.filter((each) => !this.#isFresh || !this.#known.has(print(each)));
    if (this.#isFresh && all.length) this.#tell(all.at(-1));
    this.list ??= h("div", { class: "stack" });
    if (!this.list.isConnected) fill(this, this.#isFresh ? null : h("h2", { text: "Handouts" }), this.list);
    this.hidden = !all.length;
    const more = this.#isFresh ? all.length - 1 : 0;
    const draw = (node, each) => {
      const as = `${print(each)} ${each.title} ${more}`;
      if (node.dataset.print === as) return;
      node.dataset.print = as;
      const dismiss = this.#isFresh ? button(more > 0 ? "Next" : "Dismiss", () => this.#putAway(each), "small") : null;
      keepFocus(node, () => fill(node, handout(each, dismiss, more)));
    };
    return follow(this.list, this.#isFresh ? all.slice(0, 1) : all.toReversed(), (each) => each.id, (each) => h("article", { class: "card handout", aria: { label: each.title } }), draw);
  }

  #tell(each) {
    if (this.told === print(each)) return;
    this.told = print(each);
    announce(`The GM shows you: ${each.title}`);
  }

  #putAway(each) {
    this.#known.add(print(each));
    localStorage.setItem(place(), JSON.stringify([...this.#known].slice(-300)));
    this.render();
    this.querySelector("button")?.focus();
  }
}

define("ast-handouts", Handouts);

const EVERYONE = "*";

/** To whom a handout is shown, in words. */
function shownTo({ everyone, to }) {
  if (everyone) return "Everyone";
  return to.length ? to.map((seat) => table.nameOf(seat)).join(", ") : "Nobody yet";
}

/** The GM's section: a form for a handout, and those there are. */
export function handoutsSection() {
  const title = h("input", { type: "text", maxlength: "120", autocomplete: "off" });
  const text = h("textarea", { rows: "3", maxlength: "10000", class: "grows" });
  const file = h("input", { type: "file", accept: KINDS });
  const seen = h("div", { class: "handout-image small", hidden: true });
  const to = h("div", { class: "row", role: "group", aria: { label: "Show to" } });
  const error = errorLine();
  const list = h("ul", { class: "stack tight" });
  const save = h("button", { class: "btn main small", text: "Save" });
  let [id, image] = ["", ""];
  const chosen = () => [...to.querySelectorAll("input:checked")].map((box) => box.value);
  const name = () => {
    const some = chosen();
    save.textContent = some.length ? "Show" : "Save for later";
  };
  const chip = (value, label) => h("label", { class: "chip" }, h("input", { type: "checkbox", value, on: { change: (event) => pick(event.target) } }), label);
  const pick = (box) => {
    for (const each of to.querySelectorAll("input")) if ((each.value === EVERYONE) !== (box.value === EVERYONE) && box.checked) each.checked = false;
    name();
  };
  const drawSeats = (isTicked) => {
    const others = table.view.chairs.filter((chair) => chair.role !== "gm");
    fill(to, chip(EVERYONE, "Everyone"), others.map((chair) => chip(chair.seat, chair.name)));
    for (const box of to.querySelectorAll("input")) box.checked = isTicked(box.value);
    name();
  };
  const draw = (handout = {}) => {
    ({ id = "", image = "" } = handout);
    title.value = handout.title ?? "";
    text.value = handout.text ?? "";
    file.value = "";
    showImage();
    drawSeats((seat) => (seat === EVERYONE ? Boolean(handout.everyone) : Boolean(handout.to?.includes(seat))));
    form.querySelector(".for-later").hidden = !id;
    error.say(null);
    keep();
  };
  /** What is written here and not saved yet; a file has to be chosen again. */
  const keep = () => {
    const some = chosen();
    const isSome = id || image || some.length || title.value || text.value;
    typed.keep(DRAFT, isSome ? { id, image, title: title.value, text: text.value, everyone: some.includes(EVERYONE), to: some } : null);
  };
  const showImage = () => {
    seen.hidden = !image;
    fill(seen, image ? [h("img", { src: imageUrl(image), alt: "" }), button("Remove image", () => ((image = ""), showImage(), keep()), "small quiet")] : null);
  };
  const submit = async (event) => {
    event.preventDefault();
    const some = chosen();
    const send = async () => {
      if (file.files[0]) image = await upload(file.files[0], SIDE);
      const everyone = some.includes(EVERYONE);
      await table.do({ do: "hand_out", id: id || `h${newMark().slice(0, 12)}`, title: title.value.trim() || "Handout", text: text.value.trim(), image, to: everyone ? [] : some, everyone });
    };
    if (!(await attempt(error, send, save))) return;
    announce(some.length ? "Shown." : "Saved.");
    draw();
  };
  const form = h(
    "form",
    { class: "stack tight", aria: { label: "Handout" }, on: { submit, input: () => keep(), change: () => keep() } },
    labelled("Title", title),
    labelled("Text", text),
    labelled("Image (optional)", file, "PNG, JPEG, WebP or GIF, at most 2 MB."),
    seen,
    h("div", { class: "field" }, h("span", { class: "label", text: "Show to" }), to),
    error,
    h("div", { class: "row" }, save, h("button", { type: "button", class: "btn small quiet for-later", hidden: true, text: "Cancel", on: { click: () => draw() } })),
  );
  const remove = (each) => confirm(`Remove “${each.title}”? Nobody will see it any more.`) && attempt(error, () => table.do({ do: "take_back", id: each.id }));
  const item = (each) =>
    h(
      "li",
      { class: "row nowrap" },
      each.image ? thumbnail(each.image, 32) : null,
      h("span", { class: "grow" }, h("b", { text: each.title }), " ", h("small", { class: "soft", text: shownTo(each) })),
      button("Edit", () => (draw(each), title.focus()), "small quiet", `Edit ${each.title}`),
      button("Remove", () => remove(each), "small quiet bad", `Remove ${each.title}`),
    );
  let had = "";
  let people = "";
  const update = () => {
    const { handouts, chairs } = table.view;
    const seats = JSON.stringify(chairs.map(({ seat, name: called }) => [seat, called]));
    // Somebody joins while a handout is written: what is typed and ticked stays.
    const ticked = chosen();
    if (!people) draw(typed.at(DRAFT) ?? {});
    else if (seats !== people) drawSeats((seat) => ticked.includes(seat));
    people = seats;
    const now = JSON.stringify(handouts) + seats;
    if (now !== had) keepFocus(list, () => fill(list, handouts.toReversed().map(item)));
    had = now;
  };
  return { el: stack(form, list), update };
}
