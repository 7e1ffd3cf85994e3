// The people at the table with their characters: who is online, whose turn it is.

import { Part, define, fill, h, isNarrow, roving, showSheet } from "./dom.js";
import { keepFocus } from "./forms.js";
import { initials, portrait } from "./images.js";
import { table } from "./table.js";
import { turns } from "./turns.js";

function character({ key, name, hidden, mine, page }) {
  const busy = table.view.open.some((open) => open.characters.includes(key));
  return h(
    "li",
    null,
    h(
      "button",
      { type: "button", class: `character${mine ? " mine" : ""}`, disabled: !page, on: { click: () => showSheet(key) }, aria: { label: `${name}: open the sheet` } },
      portrait(key, 24),
      h("b", { text: name }),
      hidden ? h("span", { class: "tag", text: "hidden" }) : null,
      busy ? h("span", { class: "tag", text: "in play" }) : null,
      page?.badges?.length
        ? h("span", { class: "badges" }, page.badges.map(({ label, value }) => h("span", null, `${label} `, h("b", { text: value }))))
        : null,
    ),
  );
}

class People extends Part {
  static watches = ["chairs", "characters", "present", "you", "open", "cards"];

  render() {
    const { chairs, characters, you } = table.view;
    const all = Object.values(characters);
    const seated = new Set(chairs.map((chair) => chair.seat));
    const order = [...chairs].sort((one, other) => (other.seat === you.seat) - (one.seat === you.seat));
    const nobodys = all.filter((each) => !seated.has(each.seat));
    // On a phone people stand in one line that scrolls.
    this.line ??= h("div", { class: "line", role: "group", aria: { label: "People at the table" } });
    if (isNarrow()) this.line.tabIndex = 0;
    else this.line.removeAttribute("tabindex");
    const list = () => h("ul", { class: "people" }, order.map((chair) => this.#chair(chair, all.filter((each) => each.seat === chair.seat))));
    keepFocus(this, () => fill(this.line, roving(list(), "button:enabled")));
    this.rest ??= h("div");
    if (!this.line.isConnected) fill(this, h("h2", { class: "visually-hidden", text: "At the table" }), this.line, this.rest);
    keepFocus(this.rest, () => fill(
      this.rest,
      nobodys.length ? [h("p", { class: "soft small", text: "Not assigned" }), h("ul", { class: "characters" }, nobodys.map(character))] : null,
    ));
  }

  #chair({ seat, name, role }, characters) {
    const asked = turns().some((turn) => turn.seat === seat);
    const here = table.present.includes(seat);
    const title = role === "player" ? "" : role === "gm" ? "GM" : role;
    // A GM who gave no name is called GM already.
    const about = [seat === table.seat ? "you" : "", title === name ? "" : title].filter(Boolean).join(", ");
    return h(
      "li",
      { class: `person${asked ? " asked" : ""}` },
      h(
        "div",
        { class: "who" },
        h("span", { class: `avatar${here ? " here" : ""}`, aria: { hidden: "true" } }, initials(name)),
        h(
          "span",
          { class: "grow" },
          h("b", { text: name }),
          about ? h("small", { class: "soft", text: ` ${about}` }) : null,
          asked ? h("small", { class: "turn", text: seat === table.seat ? "your turn" : "deciding" }) : h("small", { class: "soft is-here", text: here ? "online" : "offline" }),
        ),
      ),
      characters.length ? h("ul", { class: "characters" }, characters.map(character)) : null,
    );
  }
}

define("ast-people", People);
