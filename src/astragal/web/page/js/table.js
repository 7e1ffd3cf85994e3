// The table as this seat sees it: the view, its updates, and what can be asked of it.

import { Connection, Refused, fetchJSON } from "./net.js";

export { Refused };

const PARTS = ["campaign", "you", "chairs", "characters", "scene", "open", "notes", "proposals", "handouts", "saved", "log", "head"];
/** The mark of requests for cards: a refusal of one is no refusal of odds. */
const CARD = "card";

class Table {
  /** The whole view, or null before the first. */
  view = null;
  /** "live", "connecting" or "lost". */
  link = "connecting";
  /** The seats that have the page open. */
  present = [];
  /** The latest odds of each open procedure, by its id. */
  foreseen = {};
  /** The card of each open procedure, by its id. */
  cards = {};
  /** Why this seat is lost, if it is. */
  gone = "";
  campaign = "";
  /** The seat as which the GM looks at the table; nothing can be changed meanwhile. */
  as = "";
  /** How often the whole view has arrived: after a lost connection everything is fetched again. */
  arrivals = 0;
  /** The last entry when the page was opened: dice that lay there do not fall again. */
  opened = null;

  #watchers = new Set();
  #oddsWanted = [];
  #oddsAsked = null;
  #connection = null;

  get seat() {
    return this.view?.you.seat ?? "";
  }

  get isGM() {
    return this.view?.you.role === "gm";
  }

  get isSpectator() {
    return this.view?.you.role === "spectator";
  }

  /** The name of somebody at the table. */
  nameOf(seat) {
    return this.view?.chairs.find((chair) => chair.seat === seat)?.name ?? seat;
  }

  /** Connect to a campaign; the GM may look at it as another seat. */
  open(campaign, as = "") {
    this.#connection?.close();
    this.campaign = campaign;
    this.as = as;
    this.#connection = new Connection(campaign, {
      hear: (message) => this.#hear(message),
      state: (link) => {
        if (this.link === link) return;
        this.link = link;
        this.#changed("link");
      },
      gone: (why) => {
        this.gone = why;
        this.#changed("link");
      },
    });
  }

  /** End the connection. */
  close() {
    this.#connection?.close();
  }

  /**
   * Be told when one of the parts has changed: campaign, you, chairs, characters, scene, open,
   * notes, proposals, handouts, saved, log, odds, cards, link, present. Gives a function that ends it.
   */
  watch(parts, fn) {
    const watcher = { parts: new Set(parts), fn };
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  /** A command; resolves to the number of its entry, or rejects with `Refused`. */
  do(command) {
    if (this.as) return Promise.reject(this.onlyLooking());
    return this.#connection.command(command);
  }

  /**
   * Ask for the odds of an open procedure with these answers (by the questions' keys); they arrive
   * in `foreseen`, for watchers of "odds", with how much was `told` when they were asked for.
   */
  odds(procedure, supposing = {}) {
    this.#dropOdds((each) => each.procedure === procedure);
    const told = this.view.open.find(({ id }) => id === procedure)?.told;
    const tell = (foresight) => {
      if (!foresight) return;
      this.foreseen = { ...this.foreseen, [procedure]: { ...foresight, told } };
      this.#changed("odds");
    };
    this.#oddsWanted.unshift({ procedure, supposing, tell });
    this.#askOdds();
  }

  /** The same with low priority: resolves to the odds, or null. */
  suppose(procedure, supposing) {
    return new Promise((tell) => {
      this.#oddsWanted.push({ procedure, supposing, tell });
      this.#askOdds();
    });
  }

  /** Fetch the card of a procedure; it arrives in `cards`, for watchers of "cards". */
  fetchCard(procedure) {
    if (this.as) return this.#getAs(`/card/${procedure}`).then((card) => this.#hear(card), () => null);
    return this.#connection.request({ card: procedure, mark: CARD });
  }

  /** What the server tells this seat, or tells the GM of the seat as which the table is viewed. */
  get(path) {
    return this.as ? this.#getAs(`/${path}`) : fetchJSON(this.#address(path));
  }

  post(path, body = {}) {
    if (this.as) return Promise.reject(this.onlyLooking());
    return fetchJSON(this.#address(path), { method: "POST", body });
  }

  delete(path) {
    if (this.as) return Promise.reject(this.onlyLooking());
    return fetchJSON(this.#address(path), { method: "DELETE" });
  }

  /** Earlier entries of the log, put before those that are here. */
  async older(limit = 60) {
    const first = this.view.log[0]?.seq ?? this.view.seq + 1;
    const entries = await this.get(`log?before=${first}&limit=${limit}`);
    const log = [...entries.filter((entry) => entry.seq < first), ...this.view.log];
    this.view = { ...this.view, log, older: entries.length >= limit };
    this.#changed("log");
  }

  /** Why nothing is sent while the GM views the table as somebody else. */
  onlyLooking() {
    return new Refused({ line: `You are viewing the table as ${this.nameOf(this.as)}. Go back to your own seat to do that.` });
  }

  #getAs(path = "") {
    return fetchJSON(this.#address(`view-as/${encodeURIComponent(this.as)}${path}`));
  }

  /** The table as the other seat sees it now: asked for whenever something has happened. */
  async #look() {
    if (this.isLooking) return void (this.looksAgain = true);
    this.isLooking = true;
    try {
      this.#begin(await this.#getAs());
    } catch (refused) {
      this.gone = refused.line;
      this.#changed("link");
    }
    this.isLooking = false;
    if (!this.looksAgain) return null;
    this.looksAgain = false;
    return this.#look();
  }

  #address(path) {
    return `/api/t/${encodeURIComponent(this.campaign)}/${path.replace(/^\//, "")}`;
  }

  #hear(message) {
    // After a lost connection no answer comes to what was asked before.
    if (message.type === "view") this.#dropOdds();
    if (this.as && (message.type === "view" || message.type === "update")) this.#look();
    else if (message.type === "view") this.#begin(message);
    else if (message.type === "update") this.#goOn(message);
    else if (message.type === "odds") this.#hearOdds(message);
    else if (message.type === "refused" && message.mark !== CARD) this.#dropOdds();
    else if (message.type === "card") {
      this.cards = { ...this.cards, [message.procedure]: message };
      this.#changed("cards");
    } else if (message.type === "present") {
      this.present = message.seats;
      this.#changed("present");
    }
  }

  /** One request at a time: the server keeps only the latest, and its answers do not say which. */
  #askOdds() {
    if (this.#oddsAsked || !this.#oddsWanted.length) return;
    this.#oddsAsked = this.#oddsWanted.shift();
    const { procedure, supposing } = this.#oddsAsked;
    this.#connection.request({ odds: procedure, supposing, ...(this.as ? { seen_as: this.as } : {}) });
  }

  #hearOdds(foresight) {
    const asked = this.#oddsAsked;
    if (asked?.procedure !== foresight.procedure) return;
    this.#oddsAsked = null;
    asked.tell(foresight);
    this.#askOdds();
  }

  /** Drop these requests; with none named, all of them and the one that is under way. */
  #dropOdds(which = null) {
    const stopped = this.#oddsWanted.filter(which ?? (() => true));
    this.#oddsWanted = this.#oddsWanted.filter((each) => !stopped.includes(each));
    if (!which && this.#oddsAsked) stopped.push(this.#oddsAsked);
    if (!which) this.#oddsAsked = null;
    for (const { tell } of stopped) tell(null);
  }

  #begin({ type, ...view }) {
    const had = this.view;
    const first = view.log[0]?.seq ?? 0;
    // Older entries that were fetched before a reconnect stay, if nothing is missing in between.
    if (had && had.log.length && had.log.at(-1).seq + 1 >= first && had.log[0].seq < first) {
      view.log = [...had.log.filter((entry) => entry.seq < first), ...view.log];
      view.older = had.older;
    }
    this.view = view;
    this.opened ??= view.seq;
    this.arrivals += 1;
    this.#forget();
    this.#changed(...PARTS, "odds");
  }

  /** An update tells only what is new of a story; `told` says how much there is in all. */
  #withStory(procedure) {
    const before = this.view.open.find((each) => each.id === procedure.id)?.story ?? [];
    const kept = before.slice(0, procedure.told - procedure.story.length);
    return { ...procedure, story: [...kept, ...procedure.story] };
  }

  #goOn({ type, seq, log = [], characters, undone_after: undoneAfter, ...parts }) {
    const view = { ...this.view, ...parts, seq };
    const changed = Object.keys(parts);
    if (parts.open) view.open = parts.open.map((procedure) => this.#withStory(procedure));
    if (characters) {
      const kept = Object.entries({ ...view.characters, ...characters }).filter(([, each]) => each !== null);
      view.characters = Object.fromEntries(kept);
      changed.push("characters");
    }
    if (undoneAfter !== undefined && undoneAfter !== null) {
      const upto = log[0]?.seq ?? Infinity;
      const isUndone = (entry) => entry.seq > undoneAfter && entry.seq < upto;
      view.log = view.log.map((entry) => (isUndone(entry) ? { ...entry, undone: true } : entry));
      changed.push("log");
    }
    const last = view.log.at(-1)?.seq ?? 0;
    const fresh = log.filter((entry) => entry.seq > last);
    if (fresh.length) {
      view.log = [...view.log, ...fresh];
      changed.push("log");
    }
    this.view = view;
    this.#forget();
    this.#changed(...changed);
  }

  /** Forget the odds and cards of procedures that are over. */
  #forget() {
    const open = new Set(this.view.open.map((procedure) => procedure.id));
    const still = (known) => Object.fromEntries(Object.entries(known).filter(([id]) => open.has(id)));
    this.foreseen = still(this.foreseen);
    this.cards = still(this.cards);
  }

  #changed(...parts) {
    for (const watcher of [...this.#watchers]) {
      if (this.#watchers.has(watcher) && parts.some((part) => watcher.parts.has(part))) watcher.fn(parts);
    }
  }
}

/** The one table that this page is about. */
export const table = new Table();
