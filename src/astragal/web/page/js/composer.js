// "I want to…": starting a test or any other procedure; and a line for talking.

import { opened } from "./back.js";
import { Part, announce, define, fill, h, listed, showPanel } from "./dom.js";
import { Contest, asSentence, opponents, playedBy } from "./against.js";
import { found, whyNot } from "./finding.js";
import { attempt, brief, button, errorLine, gameInfo, isDemo, tick } from "./forms.js";
import { Refused, newMark } from "./net.js";
import { closePopover, showPopover } from "./popover.js";
import { choice } from "./seats.js";
import { isBusy } from "./sheet_edit.js";
import { typed } from "./typed.js";

const MOST_CHIPS = 8;
const MESSAGE = "message";
/** Milliseconds after a change before it is asked whether the form could be sent. */
const SOON = 250;
const formOf = ({ name }) => `form ${name}`;
/** Where one's own side of a contest is kept, with who opposes. */
const halfOf = ({ name }) => `half ${name}`;
/** Where a message of the GM's goes that is the heading of a scene. */
const SCENE = "\u0000scene";

class Composer extends Part {
  static watches = ["you", "chairs", "campaign", "characters", "open", "saved"];
  #forms = new Map();
  #game = null;
  /** The contest that is being begun: against whom is known, or asked first. */
  #contest = null;
  /** Counts what was tried, so that no answer comes too late. */
  #tries = 0;
  /** To be called when the form or the list is closed. */
  #closed = null;
  /** Draws the open list again, where something has become possible or impossible. */
  #listAgain = () => {};

  connectedCallback() {
    super.connectedCallback();
    this.composing = (event) => {
      showPanel("play");
      this.begin(event.detail.procedure, event.detail.values);
    };
    this.trying = (event) => {
      showPanel("play");
      this.#try(event.detail);
    };
    this.finding = () => {
      showPanel("play");
      this.#openList();
    };
    document.addEventListener("compose", this.composing);
    document.addEventListener("find-procedure", this.finding);
    document.addEventListener("try-procedure", this.trying);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    document.removeEventListener("compose", this.composing);
    document.removeEventListener("find-procedure", this.finding);
    document.removeEventListener("try-procedure", this.trying);
  }

  render() {
    if (!this.foot) this.#build();
    const { you, chairs, campaign } = this.table.view;
    const mayPlay = you.role !== "spectator" && (campaign.paused === null || this.table.isGM);
    this.play.hidden = !mayPlay;
    this.secret.hidden = !this.table.isGM;
    this.own.hidden = you.role === "spectator" || campaign.server_dice;
    if (!this.isSwitching) this.own.box.checked = you.own_dice;
    const others = chairs.filter((chair) => chair.seat !== you.seat);
    const as = JSON.stringify(others.map((chair) => [chair.seat, chair.name]));
    if (as !== this.others) {
      this.others = as;
      const chosen = this.to.value;
      const scene = this.table.isGM ? h("option", { value: SCENE, text: "New scene" }) : null;
      fill(this.to, h("option", { value: "", text: "Everyone" }), others.map((chair) => h("option", { value: chair.seat, text: chair.name })), scene);
      this.to.value = others.some((chair) => chair.seat === chosen) ? chosen : "";
    }
    this.#showSaved();
    this.#suggest();
    this.#listAgain();
  }

  /** Tests that this seat has saved: one press starts them. */
  #showSaved() {
    const saved = this.#tests();
    this.saved.hidden = !saved.length || !this.sheet.hidden;
    const as = JSON.stringify(saved);
    if (this.saved.dataset.as === as) return;
    this.saved.dataset.as = as;
    const chip = (each) => button(each.name, () => this.#try(each), "small chip");
    fill(this.saved, h("span", { class: "soft", text: "Saved:" }), saved.map(chip), button("Edit\u2026", (event) => this.#editSaved(event.currentTarget), "small chip", "Edit saved tests"));
  }

  /** What is saved besides obstacles. */
  #tests() {
    return this.table.view.saved.filter((each) => each.procedure);
  }

  #editSaved(anchor) {
    const remove = (each) => {
      closePopover();
      attempt(this.error, () => this.table.do({ do: "save_test", id: each.id }));
    };
    const item = (each) => h("li", { class: "row nowrap" }, h("span", { class: "grow", text: each.name }), button("Remove", () => remove(each), "small quiet bad", `Remove ${each.name}`));
    showPopover(anchor, "Saved tests", h("ul", { class: "stack tight" }, this.#tests().map(item)));
  }

  /** Save the form that is open under a name. */
  #save(anchor, procedure, form) {
    const name = h("input", { type: "text", maxlength: "60", required: true, autocomplete: "off", aria: { label: "Name" } });
    name.value = procedure.title;
    const error = errorLine();
    const submit = async (event) => {
      event.preventDefault();
      const id = `t${newMark().slice(0, 12)}`;
      if (!(await attempt(error, () => this.table.do({ do: "save_test", id, name: name.value.trim(), procedure: procedure.name, arguments: form.read() })))) return;
      closePopover();
      announce("Saved.");
    };
    showPopover(anchor, "Save this test", h("form", { class: "stack tight", on: { submit } }, h("p", { class: "hint", text: "You can start it again with one press. Only you see it." }), h("div", { class: "row nowrap" }, name, h("button", { class: "btn small main", text: "Save" })), error));
    name.focus();
    name.select();
  }

  #build() {
    this.ideas = h("div", { class: "row ideas" });
    this.chips = h("div", { class: "row common", role: "group", aria: { label: "Common tests" } });
    this.saved = h("div", { class: "row common", role: "group", aria: { label: "Saved tests" }, hidden: true });
    this.start = button("I want to…", () => this.begin(), "compose-start");
    this.sheet = h("div", { class: "compose-form", hidden: true, on: { keydown: (event) => this.#escape(event) } });
    // One for everything that is started here, so that it stays as the GM left it.
    this.secret = tick("Secret");
    this.play = h("div", { class: "stack tight" }, this.ideas, this.start, this.chips, this.saved, this.sheet, this.secret);
    this.to = choice([["", "Everyone"]]);
    this.to.setAttribute("aria-label", "Send to");
    this.words = h("input", { type: "text", maxlength: "2000", placeholder: "Message", autocomplete: "off", aria: { label: "Message" }, on: { input: () => typed.keep(MESSAGE, this.words.value) } });
    this.words.value = typed.at(MESSAGE) ?? "";
    this.error = errorLine();
    this.own = tick("I'll roll my own dice", false, (on) => this.#useOwnDice(on));
    this.foot = h("form", { class: "message row nowrap", on: { submit: (event) => this.#say(event) } }, this.words, this.to, h("button", { class: "btn", text: "Send" }));
    fill(this, this.play, this.foot, this.error, this.own);
  }

  /** Until that is answered, what stood before is not shown again. */
  async #useOwnDice(on) {
    this.isSwitching = true;
    await attempt(this.error, () => this.table.do({ do: "own_dice", on }));
    this.isSwitching = false;
    this.renderIfSeated();
  }

  async #say(event) {
    event.preventDefault();
    const text = this.words.value.trim();
    if (!text) return;
    const isScene = this.to.value === SCENE;
    const to = this.to.value && !isScene ? [this.to.value] : [];
    this.to.value = isScene ? "" : this.to.value;
    this.words.value = ""; // At once: the next message may be typed while this one is on its way.
    const isSent = await attempt(this.error, () => this.table.do({ do: "say", text: isScene ? `Scene: ${text}` : text, to }));
    if (!isSent) this.words.value ||= text;
    typed.keep(MESSAGE, this.words.value);
  }

  /** The demo's suggestions, while the characters in them are at the table. */
  async #suggest() {
    try {
      this.#game ??= await gameInfo();
    } catch {
      return;
    }
    this.#common();
    const { characters } = this.table.view;
    const { demo } = this.#game;
    const mine = Object.keys(characters).filter((key) => characters[key].mine);
    const names = (each, keys) => keys.some((key) => JSON.stringify(each.arguments).includes(`"${key}"`));
    const unknown = Object.keys(demo?.characters ?? {}).filter((key) => !(key in characters));
    const isForMe = (each) => this.table.isGM || (names(each, mine) && !names(each, unknown));
    const found = isDemo(this.#game) ? demo.suggestions.filter((each) => this.#mayBegin(each.procedure) && isForMe(each)) : [];
    const as = found.map((each) => each.label).join();
    if (this.ideas.dataset.as === as) return;
    this.ideas.dataset.as = as;
    const idea = (each) => button(each.label, () => this.#try(each), "small idea");
    fill(this.ideas, found.length ? [h("span", { class: "soft", text: "Try:" }), found.map(idea)] : null);
  }

  /** One press starts it; if that is refused, the form says what is missing. */
  async #try({ procedure, arguments: values }) {
    try {
      await this.#begin(procedure, values);
    } catch (refused) {
      await this.begin(procedure, values);
      this.#forms.get(procedure)?.fault(refused);
    }
  }

  #begin(procedure, values) {
    return this.table.do({ do: "begin", procedure, arguments: values, secret: this.table.isGM && this.secret.box.checked });
  }

  #procedure(name) {
    return this.#game.procedures.find((each) => each.name === name);
  }

  #mayBegin(name) {
    const procedure = this.#procedure(name);
    return procedure && !whyNot(procedure);
  }

  /** Open the form of a procedure: the game's main test, if none is named. */
  async begin(name = "", values = null) {
    const isReady = await attempt(this.error, async () => (this.#game ??= await gameInfo()));
    if (!isReady) return;
    const procedure = this.#procedure(name || this.#game.main_test);
    if (!procedure) return this.error.say(`There is no procedure called ${name}. Search for another one.`);
    this.#open(true);
    const sides = procedure.against ?? [];
    if (sides.length && !sides.some((name) => values && name in values)) return this.#oppose(procedure, values);
    this.#contest = null;
    return this.#enter(procedure, values);
  }

  /** Show the form, with the focus in its first field. */
  #enter(procedure, values) {
    this.#show(procedure, values);
    this.sheet.querySelector("ast-form").querySelector("textarea, input, select")?.focus();
    this.sheet.scrollIntoView({ block: "nearest" });
  }

  /** A contest: against whom comes first, then one's own side. */
  #oppose(procedure, values) {
    if (values || this.#contest?.procedure !== procedure) {
      const contest = new Contest(procedure, this.#procedure(this.#game.main_test).form.sentence);
      const known = Object.entries(values ?? {}).filter(([name]) => contest.own.includes(name));
      const kept = values ? null : typed.at(halfOf(procedure));
      const chosen = (kept?.chosen ?? []).filter((key) => key in this.table.view.characters);
      this.#contest = Object.assign(contest, { procedure, chosen, values: kept?.values ?? Object.fromEntries(known) });
      this.#forms.delete(procedure.name);
    }
    if (this.#contest.chosen.length) return this.#enter(procedure, this.#forms.has(procedure.name) ? null : this.#contest.values);
    return this.#askAgainst(procedure);
  }

  /** Who opposes: one tap, and one's own side is next. */
  #askAgainst(procedure) {
    const contest = this.#contest;
    const choose = (key) => {
      contest.chosen.push(key);
      this.#enter(procedure, this.#forms.has(procedure.name) ? null : { character: contest.me, ...contest.values });
    };
    const taken = [...contest.chosen, this.#forms.get(procedure.name)?.read().character ?? contest.values.character];
    const one = (each) => {
      const isAway = isBusy(each.key);
      const chip = button([h("b", { text: each.name }), h("small", { class: "soft", text: isAway ? "in another test" : playedBy(each) })], () => choose(each.key), "opponent", `Against ${each.name}`);
      chip.disabled = isAway;
      return chip;
    };
    const all = opponents(taken);
    const every = () => {
      this.#contest = null;
      typed.keep(halfOf(procedure), null);
      this.#forms.delete(procedure.name);
      this.#enter(procedure, null);
    };
    this.play.append(this.secret);
    fill(
      this.sheet,
      this.#head(procedure.title),
      h("h4", { class: "against", text: "Against whom?" }),
      all.length ? h("div", { class: "row opponents", role: "group", aria: { label: "Against whom?" } }, all.map(one)) : h("p", { class: "soft", text: "There is nobody else at the table yet." }),
      h("div", { class: "row" }, button("Cancel", () => this.#close(), "quiet"), button("Fill in all sides yourself", every, "quiet")),
    );
    this.sheet.querySelector(".opponents button:enabled")?.focus();
    this.sheet.scrollIntoView({ block: "nearest" });
  }

  /** Who was chosen, and how to choose somebody else. */
  #chosen(procedure) {
    const { chosen, isOpen } = this.#contest;
    const names = listed(chosen.map((key) => this.table.view.characters[key]?.name ?? key));
    const again = (keep) => {
      this.#contest.chosen = keep;
      this.#askAgainst(procedure);
    };
    const theirs = chosen.every((key) => this.table.view.characters[key]?.mine) ? "" : ` fills in ${this.#contest.asksForOthers ? "the rest of " : ""}the other side on the card.`;
    return [
      h("div", { class: "row" }, h("p", { class: "grow against" }, "Against ", h("b", { text: names })), button("Change", () => again([]), "small quiet", "Change against whom"), isOpen ? button("Add another", () => again(chosen), "small quiet", "Add another opponent") : null),
      theirs && chosen.length === 1 ? h("p", { class: "hint", text: `${playedBy(this.table.view.characters[chosen[0]])}${theirs}` }) : null,
    ];
  }

  #head(title) {
    return h("div", { class: "row" }, h("h3", { class: "grow", text: title }), button("Other tests and actions…", () => this.#pick(), "small quiet"));
  }

  #show(procedure, values) {
    const contest = this.#contest;
    if (values || !this.#forms.has(procedure.name)) {
      const form = h("ast-form");
      Object.assign(form, { form: contest?.form ?? asSentence(procedure.form), values: values ?? typed.at(formOf(procedure)) ?? {} });
      const keep = () => (contest ? typed.keep(halfOf(procedure), { chosen: contest.chosen, values: form.read() }) : typed.keep(formOf(procedure), form.read()));
      for (const kind of ["input", "change"]) form.addEventListener(kind, keep);
      form.addEventListener("change", () => this.#foresee(procedure, form));
      this.#forms.set(procedure.name, form);
    }
    const form = this.#forms.get(procedure.name);
    const go = h("button", { class: "btn main", text: "Start" });
    const submit = async (event) => {
      event.preventDefault();
      this.#tries += 1;
      form.clear();
      go.disabled = true;
      try {
        await this.#begin(procedure.name, contest ? contest.read(form.read()) : form.read());
        this.#forms.delete(procedure.name);
        typed.keep(contest ? halfOf(procedure) : formOf(procedure), null);
        this.#contest = null;
        this.#close();
        announce(`${procedure.title} started.`);
      } catch (refused) {
        form.fault(contest && refused.line ? contest.placed(refused) : refused);
      } finally {
        go.disabled = false;
      }
    };
    const versus = procedure.name === this.#game.main_test ? this.#versus() : null;
    const oppose = () => this.begin(versus.name, form.read());
    fill(
      this.sheet,
      this.#head(procedure.title),
      contest ? this.#chosen(procedure) : procedure.form.help ? h("p", { class: "hint" }, brief(procedure.form.help)) : null,
      h("form", { class: "stack", novalidate: true, on: { submit } }, form, h("div", { class: "row" }, go, button("Cancel", () => this.#close(), "quiet"), versus ? button("Against somebody…", oppose, "quiet") : null, contest ? null : button("Save\u2026", (event) => this.#save(event.currentTarget, procedure, form), "quiet", "Save this test"), this.secret)),
    );
  }

  /** What the rules would refuse, said beside the form before anybody presses Start; what is still missing is not. */
  async #foresee({ name }, form) {
    const contest = this.#contest;
    const asked = (this.#tries += 1);
    await new Promise((go) => setTimeout(go, SOON)); // one change may lead to another
    if (asked !== this.#tries) return;
    const values = contest ? contest.read(form.read()) : form.read();
    const found = await this.table.post("check-begin", { procedure: name, arguments: values }).catch(() => null);
    if (!found || asked !== this.#tries || !form.isConnected) return;
    form.clear();
    const refused = found.refused && new Refused(found.refused);
    if (refused && (refused.place ? refused.value : refused.rule)) form.fault(contest ? contest.placed(refused) : refused, false);
  }

  /** The first contest that this seat can begin, if the game has one. */
  #versus() {
    return this.#game.procedures.find((each) => each.against?.length && !whyNot(each));
  }

  #open(on) {
    if (on) this.#closed ??= opened(this, () => this.#close());
    else this.#closed = this.#closed?.();
    this.sheet.hidden = !on;
    this.start.hidden = on;
    this.ideas.hidden = this.chips.hidden = on;
    this.saved.hidden = on || !this.#tests().length;
    if (!on) this.play.append(this.secret);
  }

  #escape(event) {
    if (event.key !== "Escape") return;
    event.preventDefault();
    this.#close();
  }

  #close() {
    this.#open(false);
    this.start.focus({ preventScroll: true });
  }

  /** The most common ones, to begin with one press. */
  #common() {
    const { frequent } = this.#game;
    const mine = frequent.map((name) => this.#procedure(name)).filter((each) => each && !whyNot(each));
    const as = mine.map(({ name }) => name).join();
    if (this.chips.dataset.as === as) return;
    this.chips.dataset.as = as;
    const chip = ({ name, title }) => button(title, () => this.begin(name), "small chip");
    fill(this.chips, mine.slice(0, MOST_CHIPS).map(chip), button("All\u2026", () => this.#openList(), "small chip", "All tests and actions"));
  }

  async #openList() {
    if (!(await attempt(this.error, async () => (this.#game ??= await gameInfo())))) return;
    this.#open(true);
    this.#pick();
  }

  /** All procedures: by groups, or those that match; what is not possible last, with the reason. */
  #pick() {
    const list = h("div", { class: "pick-list" });
    const entry = ({ each, why }) => h("li", null, button(each.title, () => this.begin(each.name), "quiet"), why ? h("small", { class: "soft", text: why }) : null);
    const entries = (all) => h("ul", null, all.map(entry));
    let shown = "";
    const show = () => {
      const { isSearch, groups } = found(this.#game, box.value);
      const as = JSON.stringify([box.value, groups.map(({ all }) => all.map(({ each, why }) => [each.name, why]))]);
      if (as === shown) return null;
      shown = as;
      if (!groups.length) return fill(list, h("p", { class: "soft", text: "Nothing matches. Try another word." }));
      const folds = [...list.querySelectorAll("details")];
      const isOpen = ({ group }) => (folds.length ? folds.some((fold) => fold.open && fold.dataset.group === group) : group === groups[0].group);
      return fill(list, groups.map((each) => (isSearch || !each.group ? entries(each.all) : h("details", { open: isOpen(each), data: { group: each.group } }, h("summary", { text: each.group }), entries(each.all)))));
    };
    const box = h("input", { type: "search", placeholder: "name or keyword", autocomplete: "off", aria: { label: "Search tests and actions" }, on: { input: show } });
    show();
    this.#listAgain = () => list.isConnected && show();
    this.play.append(this.secret);
    fill(this.sheet, h("div", { class: "row nowrap" }, box, button("Cancel", () => this.#close(), "quiet")), list);
    box.focus();
  }
}

define("ast-composer", Composer);
