// Notes: private ones, and those that somebody has shared.

import { Part, announce, define, fill, follow, h } from "./dom.js";
import { newMark } from "./net.js";
import { table } from "./table.js";

const PAUSE = 900;

class MyNote extends HTMLElement {
  note = null;
  #text = null;
  #state = null;
  #timer = 0;
  #sent = null;

  /** Show the note as the table has it, unless something newer is being typed here. */
  bring(note) {
    this.note = note;
    if (!this.#text) this.#draw();
    const dirty = this.#timer || this.#sent !== null;
    if (!dirty && this.#text.value !== note.text) this.#text.value = note.text;
    if (!dirty) this.#shared.checked = Boolean(note.shared);
    this.#fit();
  }

  #shared = h("input", { type: "checkbox", on: { change: () => this.#save() } });

  #draw() {
    this.#text = h("textarea", {
      rows: "3",
      maxlength: "20000",
      placeholder: "Names, debts, suspicions…",
      aria: { label: "My note" },
      on: { input: () => this.#typed(), blur: () => this.#timer && this.#save() },
    });
    this.#text.value = this.note.text;
    this.#state = h("span", { class: "hint", role: "status" });
    const away = h("button", { type: "button", class: "btn small quiet", on: { click: () => this.#delete() } }, "Delete");
    fill(this, this.#text, h("div", { class: "note-foot" }, h("label", { class: "check" }, this.#shared, "Shared with everyone"), this.#state, away));
  }

  #typed() {
    this.#fit();
    this.#state.textContent = "";
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#save(), PAUSE);
  }

  #fit() {
    this.#text.rows = Math.min(24, Math.max(3, this.#text.value.split("\n").length + 1));
  }

  async #save() {
    clearTimeout(this.#timer);
    this.#timer = 0;
    const text = this.#text.value;
    if (!text.trim()) return;
    this.#sent = text;
    this.#state.textContent = "Saving…";
    try {
      await table.do({ do: "note", id: this.note.id, text, shared: this.#shared.checked });
      this.#state.textContent = "Saved";
    } catch (refused) {
      this.#state.textContent = refused.line;
    } finally {
      if (this.#sent === text) this.#sent = null;
    }
  }

  async #delete() {
    clearTimeout(this.#timer);
    this.#timer = 0;
    if (this.#text.value.trim() && !confirm("Delete this note?")) return;
    this.closest("ast-notes").forget(this.note.id);
    if (!table.view.notes.some((note) => note.id === this.note.id)) return;
    try {
      await table.do({ do: "note", id: this.note.id, text: "" });
      announce("Note deleted.");
    } catch (refused) {
      this.#state.textContent = refused.line;
    }
  }
}

class Notes extends Part {
  static watches = ["notes", "chairs"];
  #fresh = [];

  render() {
    if (!this.mine) {
      this.mine = h("div", { class: "notes-mine" });
      this.others = h("div", { class: "notes-others" });
      const add = h("button", { type: "button", class: "btn small", on: { click: () => this.#begin() } }, "New note");
      fill(this, h("div", { class: "panel-head" }, h("h2", { text: "Notes" }), add), this.mine, this.others);
    }
    const notes = this.table.view.notes;
    const known = new Set(notes.map((note) => note.id));
    this.#fresh = this.#fresh.filter((note) => !known.has(note.id));
    const mine = [...this.#fresh, ...notes.filter((note) => note.seat === this.table.seat)];
    follow(this.mine, mine, (note) => note.id, () => h("ast-note", { class: "note" }), (node, note) => node.bring(note));
    this.classList.toggle("is-empty", !mine.length);
    const others = notes.filter((note) => note.seat !== this.table.seat);
    fill(this.others, others.length ? h("h3", { text: "Shared by others" }) : null, others.map((note) => this.#shared(note)));
    if (!mine.length && !others.length) {
      fill(this.others, h("p", { class: "hint", text: "No notes yet. A note is private until you share it." }));
    }
  }

  #shared(note) {
    const paragraphs = note.text.split(/\n{2,}/).map((text) => h("p", { text }));
    const name = this.table.nameOf(note.seat);
    const away = this.table.isGM ? h("button", { type: "button", class: "btn small quiet bad", text: "Delete", aria: { label: `Delete ${name}'s note` }, on: { click: () => this.#deleteShared(note, name) } }) : null;
    return h("article", { class: "note shared" }, paragraphs, h("div", { class: "row" }, h("p", { class: "hint grow", text: name }), away));
  }

  /** The GM may delete what others share. */
  async #deleteShared(note, name) {
    if (!confirm(`Delete ${name}'s note for everyone?`)) return;
    await this.table.do({ do: "note", id: note.id, text: "" });
    announce("Note deleted.");
  }

  #begin() {
    this.#fresh.unshift({ id: `${this.table.seat}-${newMark().slice(0, 10)}`, seat: this.table.seat, text: "", shared: false });
    this.render();
    this.mine.querySelector("textarea").focus();
  }

  forget(id) {
    this.#fresh = this.#fresh.filter((note) => note.id !== id);
    this.render();
  }
}

define("ast-note", MyNote);
define("ast-notes", Notes);
