// Who sits at the table: people and their links, and the characters they are given.

import { Part, announce, define, fill, follow, h } from "./dom.js";
import { attempt, button, cast, errorLine, gameInfo, keepFocus, keyFrom, labelled, tick } from "./forms.js";
import { table } from "./table.js";

const ROLES = { player: "Player", spectator: "Spectator", gm: "GM" };

/** A list to choose from. */
export function choice(options, value = "") {
  const el = h("select", null, options.map(([key, label]) => h("option", { value: key, text: label })));
  el.value = value;
  return el;
}

const seatsToPlay = () => table.view.chairs.filter((chair) => chair.role !== "spectator").map((chair) => [chair.seat, chair.name]);

/** Bring a character: one that is ready, one from a file, or (for the GM) one in a line. */
export function bringCharacter() {
  const error = errorLine();
  const ready = choice([["", "Choose…"]]);
  const file = h("input", { type: "file", accept: ".json,application/json" });
  const line = h("input", { type: "text", maxlength: "500", autocomplete: "off", placeholder: "guard, 4s, sword B4" });
  const hidden = tick("Hidden: players do not know of it", false);
  let sheets = [];
  gameInfo().then(
    (game) => {
      sheets = game.ready;
      ready.append(...sheets.map((sheet) => h("option", { value: sheet.name, text: sheet.concept ? `${sheet.title}: ${sheet.concept}` : sheet.title })));
    },
    (refused) => error.say(refused),
  );
  const told = async () => {
    if (table.isGM && line.value.trim()) return [line.value.split(",")[0], { sketch: line.value.trim() }];
    if (file.files[0]) {
      const sheet = JSON.parse(await file.files[0].text());
      return [String(sheet.name ?? "somebody"), { sheet }];
    }
    const sheet = sheets.find((each) => each.name === ready.value);
    return sheet ? [sheet.name, { ready: sheet.name }] : null;
  };
  const submit = async (event) => {
    event.preventDefault();
    const said = await told().catch(() => null);
    if (!said) return error.say(file.files[0] ? "This file is no sheet in JSON." : "Choose a sheet first.");
    const [name, what] = said;
    const character = keyFrom(name, [...Object.keys(table.view.characters), "gm", "scene"]);
    const command = { do: "join", character, ...what, seat: table.seat, hidden: table.isGM && hidden.box.checked };
    if (!(await attempt(error, () => table.do(command), save))) return;
    announce(`${name} is at the table.`);
    form.reset();
  };
  const save = h("button", { class: "btn main small", text: table.isGM ? "Bring in" : "Play this one" });
  const form = h(
    "form",
    { class: "stack tight", on: { submit } },
    table.isGM ? labelled("In one line", line, "A name, then what counts: the rest follows from the rules.") : null,
    labelled(table.isGM ? "Or a ready one" : "A ready one", ready),
    labelled("Or from a file (JSON)", file),
    table.isGM ? hidden : null,
    error,
    h("div", null, save),
  );
  return form;
}

/** The link of a seat, shown once: the server keeps no copy of it. */
function linkBox(chair, link) {
  const url = new URL(link, location.href).href;
  const box = h("input", { type: "text", readonly: true, value: url, aria: { label: `Link for ${chair.name}` }, on: { focus: () => box.select() } });
  const copy = button("Copy", async () => {
    try {
      await navigator.clipboard.writeText(url);
      copy.textContent = "Copied";
    } catch {
      box.select();
    }
  }, "small main");
  const told = `Whoever opens this sits as ${chair.name}. It is shown only now; a new link ends this one.`;
  return h("div", { class: "link-box", role: "status" }, h("div", { class: "row nowrap" }, box, copy), h("small", { class: "soft", text: told }));
}

/** `<ast-seats>`: for the GM. */
class Seats extends Part {
  static watches = ["chairs", "characters", "present"];

  render() {
    if (!this.list) this.#lay();
    const chairs = this.table.view.chairs;
    follow(this.list, chairs, (chair) => chair.seat, () => h("li", { class: "seat" }), (node, chair) => this.#show(node, chair));
    const owners = JSON.stringify([cast().map((each) => [each.key, each.name, each.seat, each.hidden]), seatsToPlay()]);
    if (owners === this.owners) return;
    this.owners = owners;
    keepFocus(this.given, () => fill(this.given, cast().map((each) => this.#given(each))));
  }

  #lay() {
    this.error = errorLine();
    this.list = h("ul", { class: "seat-list" });
    this.given = h("ul", { class: "given-list" });
    const name = h("input", { type: "text", maxlength: "60", autocomplete: "off", placeholder: "Anna" });
    const role = choice([["player", "plays"], ["spectator", "watches"]], "player");
    const invite = async (event) => {
      event.preventDefault();
      const said = name.value.trim();
      if (!said) return name.focus();
      const seat = keyFrom(said, [...this.table.view.chairs.map((chair) => chair.seat), ...Object.keys(this.table.view.characters), "gm", "scene"]);
      if (!(await attempt(this.error, () => this.table.do({ do: "seat", seat, name: said, role: role.value }), save))) return;
      name.value = "";
      this.#link({ seat, name: said });
    };
    const save = h("button", { class: "btn main", text: "Invite" });
    const form = h("form", { class: "inline-form", on: { submit: invite } }, labelled("Invite somebody", name), labelled("who", role), save);
    fill(this, this.list, form, this.error, h("h4", { text: "Who plays whom" }), this.given);
  }

  #show(node, chair) {
    const isHere = this.table.present.includes(chair.seat);
    const as = JSON.stringify([chair.name, chair.role, isHere]);
    if (node.as === as) return;
    node.as = as;
    node.spot ??= h("div");
    const isMe = chair.seat === this.table.seat;
    fill(
      node,
      h(
        "div",
        { class: "row" },
        h("span", { class: "grow" }, h("b", { text: chair.name }), h("span", { class: "soft", text: ` ${ROLES[chair.role]}${isHere ? ", here" : ""}` })),
        button("New link", () => this.#link(chair), "small quiet", `New link for ${chair.name}`),
        isMe ? null : button("Revoke", () => this.#revoke(chair), "small quiet", `Revoke the link of ${chair.name}`),
        isMe ? null : button("Gone", () => this.#gone(chair), "small quiet bad", `${chair.name} leaves the table`),
      ),
      node.spot,
    );
  }

  async #link(chair) {
    await attempt(this.error, async () => {
      const made = await this.table.post(`links/${encodeURIComponent(chair.seat)}`);
      const node = this.list.querySelector(`[data-key="${CSS.escape(chair.seat)}"]`);
      if (node) fill(node.spot, linkBox(chair, made.link));
    });
  }

  async #revoke(chair) {
    if (!confirm(`The link of ${chair.name} will open nothing any more. Revoke it?`)) return;
    if (await attempt(this.error, () => this.table.delete(`links/${encodeURIComponent(chair.seat)}`))) announce("The link is revoked.");
  }

  async #gone(chair) {
    if (!confirm(`${chair.name} leaves the table, and the link ends. Go on?`)) return;
    const done = await attempt(this.error, () => this.table.do({ do: "seat", seat: chair.seat, name: chair.name, role: chair.role, gone: true }));
    if (done) this.table.delete(`links/${encodeURIComponent(chair.seat)}`).catch(() => {});
  }

  #given(character) {
    const who = choice(seatsToPlay(), character.seat);
    who.setAttribute("aria-label", `Who plays ${character.name}`);
    const give = () => attempt(this.error, () => this.table.do({ do: "give", character: character.key, seat: who.value, hidden: hidden.box.checked }));
    const hidden = tick("hidden", character.hidden, give);
    who.addEventListener("change", give);
    const leave = () => confirm(`Take ${character.name} from the table?`) && attempt(this.error, () => this.table.do({ do: "leave", character: character.key }));
    const away = button("Take away", leave, "small quiet bad", `Take ${character.name} from the table`);
    return h("li", { class: "row" }, h("b", { class: "grow", text: character.name }), who, hidden, away);
  }
}

define("ast-seats", Seats);
