// Seats: the people at the table with their links, and who plays which character.

import { Part, announce, define, fill, follow, h, makeCharacter } from "./dom.js";
import { attempt, button, cast, clearTyped, errorLine, gameInfo, keepFocus, keyFrom, labelled, tick } from "./forms.js";
import { giveToTable } from "./script_help.js";
import { table } from "./table.js";

const ROLES = { player: "Player", spectator: "Spectator", gm: "GM" };

/** A list to choose from. */
export function choice(options, value = "") {
  const el = h("select", null, options.map(([key, label]) => h("option", { value: key, text: label })));
  el.value = value;
  return el;
}

const seatsToPlay = () => table.view.chairs.filter((chair) => chair.role !== "spectator").map((chair) => [chair.seat, chair.name]);

/** Add a character: pre-made, from a file, or (for the GM) from one line. */
export function addCharacter() {
  const error = errorLine();
  const ready = choice([["", "Choose…"]]);
  const file = h("input", { type: "file", accept: ".toml,.json,application/toml,application/json" });
  const line = h("input", { type: "text", maxlength: "500", autocomplete: "off", placeholder: "guard, 4s, sword B4" });
  const hidden = tick("Hidden from players", false);
  let sheets = [];
  gameInfo().then(
    (game) => {
      sheets = game.ready;
      ready.append(...sheets.map((sheet) => h("option", { value: sheet.name, text: sheet.concept ? `${sheet.title}: ${sheet.concept}` : sheet.title })));
    },
    (refused) => error.say(refused),
  );
  const chosen = async () => {
    if (table.isGM && line.value.trim()) return [line.value.split(",")[0], { sketch: line.value.trim() }];
    if (file.files[0]) {
      const text = await file.files[0].text();
      const [, name] = text.match(/^\s*"?name"?\s*[=:]\s*["']([^"'\n]+)/m) ?? [null, "character"];
      return [name, { file: text }];
    }
    const sheet = sheets.find((each) => each.name === ready.value);
    return sheet ? [sheet.name, { ready: sheet.name }] : null;
  };
  const submit = async (event) => {
    event.preventDefault();
    const said = await chosen().catch(() => null);
    if (!said) return error.say("Choose a character first.");
    const [name, what] = said;
    const character = keyFrom(name, [...Object.keys(table.view.characters), "gm", "scene"]);
    const command = { do: "join", character, ...what, seat: table.seat, hidden: table.isGM && hidden.box.checked };
    if (!(await attempt(error, () => table.do(command), save))) return;
    announce(`${name} joins.`);
    clearTyped(form);
  };
  const save = h("button", { class: "btn main small", text: table.isGM ? "Add" : "Play this character" });
  const form = h(
    "form",
    { class: "stack tight", on: { submit } },
    table.isGM ? h("div", null, button("New character", makeCharacter)) : null,
    table.isGM ? labelled("Or in one line", line, "Name, then ratings. The rules fill in the rest.") : null,
    labelled(table.isGM ? "Or pre-made" : "Pre-made", ready),
    labelled("Or from a file (.toml or .json)", file),
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
  const copy = button("Copy link", async () => {
    try {
      await navigator.clipboard.writeText(url);
      copy.textContent = "Copied";
    } catch {
      box.select();
    }
  }, "small main");
  const help = `Send this to ${chair.name}. Copy it now: it will not be shown again. A new link replaces it.`;
  return h("div", { class: "link-box", role: "status" }, h("div", { class: "row nowrap" }, box, copy), h("small", { class: "soft", text: help }));
}

/** `<ast-seats>`: for the GM. */
class Seats extends Part {
  static watches = ["chairs", "characters", "present"];
  /** The links that were made here, by seat: one may be there before its seat is on the page. */
  #links = new Map();

  render() {
    if (!this.list) this.#build();
    const chairs = this.table.view.chairs;
    follow(this.list, chairs, (chair) => chair.seat, () => h("li", { class: "seat" }), (node, chair) => this.#show(node, chair));
    this.#showLinks();
    const owners = JSON.stringify([cast().map((each) => [each.key, each.name, each.seat, each.hidden, each.partner]), seatsToPlay()]);
    if (owners === this.owners) return;
    this.owners = owners;
    keepFocus(this.characters, () => fill(this.characters, cast().map((each) => this.#owner(each))));
  }

  #build() {
    this.error = errorLine();
    this.list = h("ul", { class: "seat-list" });
    this.characters = h("ul", { class: "owner-list" });
    const name = h("input", { type: "text", maxlength: "60", autocomplete: "off", placeholder: "Anna" });
    const role = choice([["player", "Player"], ["spectator", "Spectator"]], "player");
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
    const form = h("form", { class: "inline-form", on: { submit: invite } }, labelled("Name", name), labelled("Role", role), save);
    fill(this, this.list, form, this.error, h("h4", { text: "Characters" }), this.characters);
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
        h("span", { class: "grow" }, h("b", { text: chair.name }), h("span", { class: "soft", text: ` ${ROLES[chair.role]}${isHere ? ", online" : ""}` })),
        button("New link", () => this.#link(chair), "small quiet", `New link for ${chair.name}`),
        isMe ? null : button("Revoke", () => this.#revoke(chair), "small quiet", `Revoke ${chair.name}'s link`),
        isMe ? null : button("Remove player", () => this.#remove(chair), "small quiet bad", `Remove ${chair.name}`),
      ),
      node.spot,
    );
  }

  async #link(chair) {
    await attempt(this.error, async () => {
      const made = await this.table.post(`links/${encodeURIComponent(chair.seat)}`);
      const box = linkBox(chair, made.link);
      this.#links.set(chair.seat, box);
      this.#showLinks();
      box.scrollIntoView({ block: "nearest" });
    });
  }

  #showLinks() {
    for (const [seat, box] of this.#links) {
      const node = this.list.querySelector(`[data-key="${CSS.escape(seat)}"]`);
      if (node && node.spot.firstChild !== box) fill(node.spot, box);
    }
  }

  async #revoke(chair) {
    if (!confirm(`Revoke ${chair.name}'s link? Anyone using it is disconnected at once.`)) return;
    if (await attempt(this.error, () => this.table.delete(`links/${encodeURIComponent(chair.seat)}`))) announce("Link revoked.");
  }

  async #remove(chair) {
    if (!confirm(`Remove ${chair.name} from the table? Their link stops working.`)) return;
    const done = await attempt(this.error, () => this.table.do({ do: "seat", seat: chair.seat, name: chair.name, role: chair.role, gone: true }));
    if (done) this.#links.delete(chair.seat);
    if (done) this.table.delete(`links/${encodeURIComponent(chair.seat)}`).catch(() => {});
  }

  #owner(character) {
    const who = choice(seatsToPlay(), character.seat);
    who.setAttribute("aria-label", `Who plays ${character.name}`);
    const give = () => attempt(this.error, () => this.table.do({ do: "give", character: character.key, seat: who.value, hidden: hidden.box.checked }));
    const hidden = tick("Hidden", character.hidden, give);
    who.addEventListener("change", give);
    const leave = () => confirm(`Remove ${character.name} from the table?`) && attempt(this.error, () => this.table.do({ do: "leave", character: character.key }));
    const away = button("Remove", leave, "small quiet bad", `Remove ${character.name}`);
    const scripts = character.seat === "gm" && this.table.view.campaign.scripts ? button(character.partner ? "Astragal scripts" : "Let Astragal script", () => giveToTable(character, scripts), "small quiet", `${character.partner ? "Astragal scripts for" : "Let Astragal script for"} ${character.name}`) : null;
    return h("li", { class: "row" }, h("b", { class: "grow", text: character.name }), who, hidden, scripts, away);
  }
}

define("ast-seats", Seats);
