// The page around the table: joining, panels, banners, announcements and errors.

import { Part, announce, define, fill, h, icon, isNarrow, svg } from "./dom.js";
import { Refused, table } from "./table.js";
import { fetchJSON } from "./net.js";
import { gameInfo } from "./forms.js";
import { withRule } from "./rules.js";
import { askKey } from "./questions.js";
import { remember } from "./lobby_tables.js";
import { sound } from "./sounds.js";
import { keysButton, listenForKeys } from "./keys.js";
import { notifications } from "./notifications.js";
import "./tour.js";
import "./play.js";
import { myTurns } from "./turns.js";
import { closePopover, showPopover } from "./popover.js";
import { outcomeOf } from "./story.js";
import "./people.js";
import "./log.js";
import "./sheet.js";
import "./composer.js";
import "./gm_panel.js";
import "./handouts.js";
import "./notes.js";
import "./review.js";

const PANELS = {
  play: ["Play", "M4 18h16M6 18V8l6-4 6 4v10"],
  sheet: ["Sheet", "M6 3h9l4 4v14H6zM9 11h7M9 15h7"],
  log: ["Story", "M5 6h14M5 12h14M5 18h9"],
  rules: ["Rules", "M4 5c3-1.500 6-1 8 1 2-2 5-2.500 8-1v13c-3-1.500-6-1-8 1-2-2-5-2.500-8-1zM12 6v13"],
  notes: ["Notes", "M5 4h14v11l-5 5H5zM14 20v-5h5"],
  review: ["Review", "M4 20V10M10 20V4M16 20v-7M22 20H2"],
  gm: ["GM", "M8 12V5.500a1.500 1.500 0 0 1 3 0V11V4a1.500 1.500 0 0 1 3 0v7V5.500a1.500 1.500 0 0 1 3 0V15c0 4-2 6-5 6s-4-1-6-5l-1.500-3c-.5-1.500 1.500-2.500 2.500-1z"],
};
const SIDE = { sheet: "Sheet", rules: "Rules", notes: "Notes", review: "Review", gm: "GM" };

const BELL = "M6 17V11a6 6 0 0 1 12 0v6l1.500 2h-15zM10 21h4";

/** How many proposals wait for the GM. */
const counter = (panel) => (panel === "gm" ? [" ", h("span", { class: "count", hidden: true })] : null);

class App extends Part {
  static watches = ["campaign", "you", "open", "cards", "link", "log", "proposals"];

  #asked = new Set();
  #heard = null;
  #proposed = null;
  #panel = (isNarrow() && history.state?.panel) || "play";
  #side = "sheet";

  connectedCallback() {
    document.addEventListener("show-panel", (event) => this.#show(event.detail));
    document.addEventListener("open-rule", () => this.#show("rules"));
    document.addEventListener("show-sheet", () => this.#show("sheet"));
    document.addEventListener("widen-sheet", ({ detail }) => this.board.classList.toggle("is-wide", detail));
    document.addEventListener("refused", (event) => this.#toast(event.detail));
    addEventListener("unhandledrejection", (event) => {
      if (!(event.reason instanceof Refused)) return;
      event.preventDefault();
      this.#toast(event.reason);
    });
    addEventListener("popstate", (event) => this.#show(event.state?.panel ?? "play", true, true));
    this.toasts = h("div", { class: "toasts", role: "alert" });
    document.body.append(this.toasts);
    super.connectedCallback();
    listenForKeys();
    this.#arrive();
  }

  /** Join by the link that was followed, or with the seat this device has already. */
  async #arrive() {
    const [, where, what] = location.pathname.split("/");
    if (where !== "join") return table.open(decodeURIComponent(what ?? ""), new URLSearchParams(location.search).get("as") ?? "");
    this.#alone("Joining\u2026");
    try {
      const { campaign } = await fetchJSON("/api/join", { method: "POST", body: { token: decodeURIComponent(what ?? "") } });
      history.replaceState(null, "", `/t/${encodeURIComponent(campaign)}`);
      table.open(campaign);
    } catch (refused) {
      this.#alone("This link is not valid.", refused.line ?? "Ask the GM for a new one.");
    }
    return null;
  }

  /** What the game offers is known before the table is drawn, so that nothing moves later. */
  async #learnGame() {
    if (this.isLearning) return;
    this.isLearning = true;
    await gameInfo().catch(() => null);
    this.knowsGame = true;
    this.renderIfSeated();
  }

  #alone(heading, line = "") {
    this.built = false;
    fill(this, h("main", { class: "lone" }, h("h1", { text: heading }), line ? h("p", { text: line }) : null, h("a", { class: "btn", href: "/", text: "Back to the lobby" })));
  }

  renderIfSeated() {
    if (table.gone) return this.#alone("You are not at this table.", table.gone);
    if (table.view && !this.knowsGame) return this.#learnGame();
    if (table.view) return this.render();
    if (table.link === "lost") return this.#alone("The server cannot be reached.", "Trying again…");
    return null;
  }

  render() {
    const { campaign, you } = table.view;
    document.documentElement.dataset.game = campaign.game;
    document.documentElement.classList.toggle("is-looking", Boolean(table.as));
    if (!this.built || this.isGM !== table.isGM) this.#build();
    this.heading.textContent = campaign.title;
    this.about.textContent = [campaign.game_title, campaign.evening && !campaign.evening.ended ? `session ${campaign.evening.number}` : ""].filter(Boolean).join(", ");
    this.state.dataset.link = table.link;
    this.state.textContent = table.link === "live" ? you.name : table.link === "lost" ? "disconnected" : "connecting";
    fill(this.banners, this.#banners(campaign));
    if (!table.as) remember({ campaign: campaign.id, title: campaign.title, game: campaign.game_title, seat: you.name });
    this.#notice(campaign);
    this.#countProposals();
    this.#announceNews();
  }

  #banners({ paused }) {
    const out = [];
    if (table.as) {
      const back = h("a", { class: "btn small", href: location.pathname, text: "Back to your seat" });
      out.push(h("div", { class: "banner as-player", role: "status" }, h("span", null, h("strong", { text: `Viewing as ${table.view.you.name}.` }), h("span", { class: "wide-only", text: " This is what they see, except what they keep secret from you. Nothing can be changed here." })), back));
    }
    if (table.link === "lost") out.push(h("p", { class: "banner bad", role: "status" }, h("strong", { text: "Connection lost." }), " Reconnecting… What you typed is kept."));
    if (paused !== null) {
      out.push(
        h(
          "div",
          { class: "banner", role: "status" },
          h("span", null, h("strong", { text: "The game is paused." }), paused ? ` ${paused}` : ""),
          table.isGM ? h("button", { type: "button", class: "btn small", text: "Resume", on: { click: () => table.do({ do: "resume" }) } }) : null,
        ),
      );
    }
    return out;
  }

  /** A dot in the title, an announcement and a sound when there is a new question. */
  #notice(campaign) {
    const asks = myTurns();
    const fresh = asks.filter((ask) => !this.#asked.has(askKey(ask)));
    this.#asked = new Set(asks.map(askKey));
    document.title = `${asks.length ? "\u25cf " : ""}${campaign.title} \u00b7 Astragal`;
    this.strip.hidden = !asks.length || (this.#panel === "play" && !this.strip.classList.contains("is-over"));
    this.strip.firstChild.textContent = asks[0]?.prompt ?? "";
    for (const button of this.bar.children) button.classList.toggle("asks", button.dataset.panel === "play" && asks.length > 0);
    if (!fresh.length) return;
    if (!table.as) {
      announce(`Your turn: ${fresh[0].prompt}`);
      sound.play();
      notifications.tell(`Your turn: ${campaign.title}`, fresh[0].prompt);
    }
    this.#showTurn(fresh[0].procedure);
  }

  /** What is asked may be above what is in view. Whoever is typing is not moved: the strip tells. */
  #showTurn(procedure) {
    const typing = document.activeElement;
    this.isTyping = typing?.matches("input[type=text], input[type=search], textarea") && typing.value !== "" && Boolean(typing.closest(".middle"));
    this.strip.classList.toggle("is-over", this.isTyping);
    if (this.isTyping) this.strip.hidden = false;
    else if (this.#panel === "play" || !isNarrow()) this.querySelector("ast-play").showTurn(procedure);
  }

  /** Go to what is asked. */
  #answer() {
    this.#show("play");
    this.strip.classList.remove("is-over");
    this.strip.hidden = true;
    this.querySelector("ast-play").focusNext();
  }

  /** The number of proposals that wait for the GM stands at the GM tab. */
  #countProposals() {
    const { proposals } = table.view;
    const had = this.#proposed;
    this.#proposed = new Set(proposals.map(({ id }) => id));
    if (!table.isGM) return;
    const waiting = proposals.length;
    for (const count of this.querySelectorAll(".count")) {
      count.hidden = !waiting;
      fill(count, String(waiting), h("span", { class: "visually-hidden", text: ` waiting for your approval` }));
    }
    const fresh = proposals.find(({ id }) => !had?.has(id));
    if (fresh) announce(`${table.nameOf(fresh.seat)} proposes a change to a sheet. See the GM tab.`);
  }

  /** Tell screen readers what happened. */
  #announceNews() {
    const { log, seq } = table.view;
    const heard = this.#heard;
    this.#heard = seq;
    if (heard === null) return;
    for (const entry of log.filter((each) => each.seq > heard).slice(-3)) {
      const said = entry.items?.length ? outcomeOf(entry.items) : entry.text;
      if (said) announce(said);
    }
  }

  #build() {
    this.built = true;
    this.isGM = table.isGM;
    this.heading = h("h1", null);
    this.about = h("span", { class: "about" });
    this.state = h("span", { class: "link-state", role: "status" });
    this.banners = h("div", { class: "banners" });
    this.strip = h("button", { type: "button", class: "asked-strip", on: { click: () => this.#answer() } }, h("span", null), h("b", { text: "Answer" }));
    const side = Object.keys(SIDE).filter((name) => name !== "gm" || table.isGM);
    this.tabs = side.map((name) =>
      h("button", { type: "button", role: "tab", id: `tab-${name}`, data: { panel: name }, aria: { controls: `panel-${name}` }, on: { click: () => this.#show(name), keydown: (event) => this.#arrow(event) } }, SIDE[name], counter(name)),
    );
    const bar = Object.keys(PANELS).filter((name) => name !== "review" && (name !== "gm" || table.isGM));
    this.bar = h(
      "nav",
      { class: "bar", aria: { label: "Panels" } },
      bar.map((name) => h("button", { type: "button", data: { panel: name }, on: { click: () => this.#show(name) } }, icon(PANELS[name][1]), h("span", { text: PANELS[name][0] }), counter(name))),
    );
    this.board = h(
      "main",
      { class: "board" },
      h("aside", { class: "rail", aria: { label: "People" } }, h("ast-people")),
      h("div", { class: "middle" }, h("section", { id: "panel-play", aria: { label: "Play" } }, h("ast-play")), h("section", { id: "panel-log", aria: { label: "Story" } }, h("ast-log"))),
      h(
        "aside",
        { class: "side", aria: { label: "Sheet, rules and notes" } },
        h("div", { class: "tabs", role: "tablist", aria: { label: "Sheet, rules and notes" } }, this.tabs),
        side.map((name) =>
          h("section", { id: `panel-${name}`, role: "tabpanel", tabindex: "0", aria: { labelledby: `tab-${name}` } }, name === "notes" ? h("ast-handouts") : null, h(`ast-${name}`), name === "notes" && !table.isGM ? h("ast-session") : null),
        ),
      ),
    );
    fill(
      this,
      h("a", { class: "skip btn", href: "#panel-play", text: "Skip to play" }),
      h(
        "header",
        { class: "top" },
        h("a", { class: "mark", href: "/", aria: { label: "Astragal: back to the lobby" } }, svg("svg", { viewBox: "0 0 24 24", width: 26, height: 26, aria: { hidden: "true" } }, svg("rect", { x: 3, y: 3, width: 18, height: 18, rx: 5, fill: "currentColor" }), [[8, 8], [16, 16], [12, 12]].map(([x, y]) => svg("circle", { cx: x, cy: y, r: 1.8, class: "hole" })))),
        this.heading,
        this.about,
        this.#xCard(),
        keysButton(),
        this.#soundSwitch(),
        this.state,
      ),
      this.banners,
      h("ast-tour"),
      this.strip,
      this.board,
      this.bar,
    );
    this.#show(this.#panel, false);
  }

  /** Anybody can stop the game without saying why. */
  #xCard() {
    const raise = () => {
      closePopover();
      table.do({ do: "x_card" });
    };
    const ask = () => showPopover(button, "X-card", h("p", { text: "Pause the game for everyone? Nobody asks why, and nobody is told who it was." }), h("button", { type: "button", class: "btn small bad", text: "Raise the X-card", on: { click: raise } }));
    const button = h("button", { type: "button", class: "btn quiet x-card", title: "X-card", aria: { label: "X-card: pause the game" }, on: { click: ask } }, "X", h("span", { class: "wide-only", text: "-card" }));
    return button;
  }

  #soundSwitch() {
    const button = h("button", { type: "button", class: "btn quiet sound", title: "Sound for your turn and for dice", aria: { label: "Sound for your turn and for dice" }, on: { click: () => say(!sound.on) } });
    const say = (on) => {
      if (on !== sound.on) sound.set(on);
      button.setAttribute("aria-pressed", String(sound.on));
      fill(button, icon(`${BELL}${sound.on ? "" : "M4 4l16 16"}`));
    };
    say(sound.on);
    return button;
  }

  #arrow(event) {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by) return;
    const next = this.tabs[(this.tabs.indexOf(event.currentTarget) + by + this.tabs.length) % this.tabs.length];
    this.#show(next.dataset.panel);
    next.focus();
  }

  /** On a phone Back leads from another panel to play, and only from there out of the table. */
  #keepHistory(name) {
    const isAway = Boolean(history.state?.panel);
    if (name === "play") return isAway ? history.back() : null;
    if (isAway) return history.replaceState({ panel: name }, "");
    return isNarrow() ? history.pushState({ panel: name }, "") : null;
  }

  /** A wide page always shows play and log, and one of the other panels beside them. */
  #show(name, scroll = true, isBack = false) {
    if (!PANELS[name] || !this.built || (name === "gm" && !table.isGM)) return;
    if (name !== this.#panel && !isBack) this.#keepHistory(name);
    this.#panel = name;
    if (SIDE[name]) this.#side = name;
    this.board.dataset.panel = name;
    if (name !== "sheet") this.board.classList.remove("is-wide");
    for (const tab of this.tabs) {
      const chosen = tab.dataset.panel === this.#side;
      tab.setAttribute("aria-selected", String(chosen));
      tab.tabIndex = chosen ? 0 : -1;
      this.querySelector(`#panel-${tab.dataset.panel}`).hidden = !chosen;
    }
    for (const button of this.bar.children) button.setAttribute("aria-current", String(button.dataset.panel === name));
    this.strip.hidden = !this.#asked.size || name === "play";
    if (!scroll) return;
    if (isNarrow() && name === "log") this.querySelector("ast-log").showLatest(true);
    else if (isNarrow()) scrollTo({ top: 0 });
    else if (name === "log" || name === "play") this.querySelector(`#panel-${name}`).scrollIntoView({ block: "start" });
  }

  #toast(refused) {
    const shown = h(
      "div",
      { class: "toast" },
      h("p", { class: "grow" }, withRule(refused.line ?? String(refused), refused.rule)),
      h("button", { type: "button", class: "btn quiet small", text: "OK", on: { click: () => shown.remove() } }),
    );
    this.toasts.append(shown);
    setTimeout(() => shown.remove(), 12000);
  }
}

define("ast-app", App);
