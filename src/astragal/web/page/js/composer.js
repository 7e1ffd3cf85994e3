// "I want to...": beginning a test or any other procedure; and, below, saying something.

import { Part, announce, define, fill, h, showPanel } from "./dom.js";
import { attempt, brief, button, errorLine, gameInfo, isDemo, tick } from "./forms.js";
import { choice } from "./seats.js";

const SAID = { task: "by…", character: "as", ability: "with", score: "with", core: "with" };

/** The few arguments that read like one sentence come first: I want to ..., by ..., with ... */
function sentence(form) {
  const fields = form.fields ?? [];
  const want = ["intent", "goal", "task"].find((name) => fields.some((field) => field.name === name));
  if (!want) return form;
  const said = { ...SAID, [want]: "I want to…" };
  const order = [want, ...Object.keys(said)];
  const rank = ({ name }) => (order.includes(name) ? order.indexOf(name) : order.length);
  const worded = fields.map((field) => ({ ...field, label: said[field.name] ?? field.label }));
  return { ...form, fields: worded.sort((a, b) => rank(a) - rank(b)) };
}

class Composer extends Part {
  static watches = ["you", "chairs", "campaign", "characters", "open"];
  #forms = new Map();
  #game = null;

  connectedCallback() {
    super.connectedCallback();
    this.composing = (event) => {
      showPanel("stage");
      this.begin(event.detail.procedure, event.detail.values);
    };
    document.addEventListener("compose", this.composing);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    document.removeEventListener("compose", this.composing);
  }

  render() {
    if (!this.foot) this.#lay();
    const { you, chairs, campaign } = this.table.view;
    const mayPlay = you.role !== "spectator" && (campaign.paused === null || this.table.isGM);
    this.play.hidden = !mayPlay;
    this.own.hidden = you.role === "spectator";
    this.own.box.checked = you.own_dice;
    const others = chairs.filter((chair) => chair.seat !== you.seat);
    const as = JSON.stringify(others.map((chair) => [chair.seat, chair.name]));
    if (as !== this.others) {
      this.others = as;
      const chosen = this.to.value;
      fill(this.to, h("option", { value: "", text: "to all" }), others.map((chair) => h("option", { value: chair.seat, text: `to ${chair.name}` })));
      this.to.value = others.some((chair) => chair.seat === chosen) ? chosen : "";
    }
    this.#suggest();
  }

  #lay() {
    this.ideas = h("div", { class: "row ideas" });
    this.start = button("I want to…", () => this.begin(), "wish");
    this.sheet = h("div", { class: "wish-form", hidden: true });
    this.play = h("div", { class: "stack tight" }, this.ideas, this.start, this.sheet);
    this.to = choice([["", "to all"]]);
    this.to.setAttribute("aria-label", "To whom");
    this.words = h("input", { type: "text", maxlength: "2000", placeholder: "Say something", autocomplete: "off", aria: { label: "Say something" } });
    this.error = errorLine();
    this.own = tick("I throw real dice", false, (on) => attempt(this.error, () => this.table.do({ do: "own_dice", on })));
    this.foot = h("form", { class: "say row nowrap", on: { submit: (event) => this.#say(event) } }, this.words, this.to, h("button", { class: "btn", text: "Say" }));
    fill(this, this.play, this.foot, this.error, this.own);
  }

  async #say(event) {
    event.preventDefault();
    const text = this.words.value.trim();
    if (!text) return;
    const to = this.to.value ? [this.to.value] : [];
    if (await attempt(this.error, () => this.table.do({ do: "say", text, to }))) this.words.value = "";
  }

  /** What the demo suggests, while those it speaks of are here. */
  async #suggest() {
    try {
      this.#game ??= await gameInfo();
    } catch {
      return;
    }
    const { characters } = this.table.view;
    const { demo } = this.#game;
    const mine = Object.keys(characters).filter((key) => characters[key].mine);
    const names = (each, keys) => keys.some((key) => JSON.stringify(each.arguments).includes(`"${key}"`));
    const unknown = Object.keys(demo?.characters ?? {}).filter((key) => !(key in characters));
    const isForMe = (each) => this.table.isGM || (names(each, mine) && !names(each, unknown));
    const found = isDemo(this.#game) && !this.table.view.open.length ? demo.suggestions.filter((each) => this.#mayBegin(each.procedure) && isForMe(each)) : [];
    const as = found.map((each) => each.label).join();
    if (this.ideas.dataset.as === as) return;
    this.ideas.dataset.as = as;
    const idea = (each) => button(each.label, () => this.#try(each), "small idea");
    fill(this.ideas, found.length ? [h("span", { class: "soft", text: "Try:" }), found.map(idea)] : null);
  }

  /** One touch begins it; if that is refused, the form says what is missing. */
  async #try({ procedure, arguments: values }) {
    try {
      await this.table.do({ do: "begin", procedure, arguments: values });
    } catch (refused) {
      await this.begin(procedure, values);
      this.#forms.get(procedure)?.fault(refused);
    }
  }

  #procedure(name) {
    return this.#game.procedures.find((each) => each.name === name);
  }

  #mayBegin(name) {
    const procedure = this.#procedure(name);
    return procedure && (this.table.isGM || !procedure.gm_only);
  }

  /** Open the form of a procedure: the game's usual test, if none is named. */
  async begin(name = "", values = null) {
    const isReady = await attempt(this.error, async () => (this.#game ??= await gameInfo()));
    if (!isReady) return;
    const procedure = this.#procedure(name || this.#game.main_test);
    if (!procedure) return this.error.say(`There is no procedure called ${name}.`);
    this.#open(true);
    this.#show(procedure, values);
    this.sheet.querySelector("ast-form").querySelector("textarea, input, select")?.focus();
    this.sheet.scrollIntoView({ block: "nearest" });
  }

  #show(procedure, values) {
    if (values || !this.#forms.has(procedure.name)) {
      const form = h("ast-form");
      Object.assign(form, { form: sentence(procedure.form), values: values ?? {} });
      this.#forms.set(procedure.name, form);
    }
    const form = this.#forms.get(procedure.name);
    const secret = tick("in secret");
    const go = h("button", { class: "btn main", text: "Begin" });
    const submit = async (event) => {
      event.preventDefault();
      form.clear();
      go.disabled = true;
      try {
        await this.table.do({ do: "begin", procedure: procedure.name, arguments: form.read(), secret: secret.box.checked });
        this.#forms.delete(procedure.name);
        this.#close();
        announce(`${procedure.title}: it begins.`);
      } catch (refused) {
        form.fault(refused);
      } finally {
        go.disabled = false;
      }
    };
    fill(
      this.sheet,
      h("div", { class: "row" }, h("h3", { class: "grow", text: procedure.title }), button("Something else…", () => this.#pick(), "small quiet")),
      procedure.form.help ? h("p", { class: "hint" }, brief(procedure.form.help)) : null,
      h("form", { class: "stack", novalidate: true, on: { submit } }, form, h("div", { class: "row" }, go, button("Not now", () => this.#close(), "quiet"), this.table.isGM ? secret : null)),
    );
  }

  #open(on) {
    this.sheet.hidden = !on;
    this.start.hidden = on;
    this.ideas.hidden = on;
  }

  #close() {
    this.#open(false);
    this.start.focus({ preventScroll: true });
  }

  /** Everything that can be done, those that are done most first. */
  #pick() {
    const { frequent, procedures } = this.#game;
    const rank = (each) => (frequent.includes(each.name) ? frequent.indexOf(each.name) : frequent.length);
    const all = procedures.filter((each) => this.#mayBegin(each.name)).sort((a, b) => rank(a) - rank(b));
    const list = h("ul", { class: "pick-list" });
    const show = () => {
      const wanted = box.value.toLowerCase().split(/\s+/);
      const found = all.filter((each) => wanted.every((word) => `${each.title} ${each.name}`.toLowerCase().includes(word)));
      fill(list, found.length ? found.map((each) => h("li", null, button(each.title, () => this.begin(each.name), "quiet"))) : h("li", { class: "soft", text: "Nothing by that name." }));
    };
    const box = h("input", { type: "search", placeholder: "duel, wound, buy…", autocomplete: "off", aria: { label: "Search all procedures" }, on: { input: show } });
    show();
    fill(this.sheet, h("div", { class: "row nowrap" }, box, button("Not now", () => this.#close(), "quiet")), list);
    box.focus();
  }
}

define("ast-composer", Composer);
