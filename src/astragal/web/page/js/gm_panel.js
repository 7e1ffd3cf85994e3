// The GM panel: everything a GM does beside playing, each in a section of its own.

import { Part, announce, choiceWords, define, fill, h, words } from "./dom.js";
import { attempt, button, cast, clearTyped, errorLine, freshId, gameInfo, keepFocus, labelled, stack, tick } from "./forms.js";
import { handoutsSection } from "./handouts.js";
import { fetchJSON, newMark } from "./net.js";
import { ruleLink } from "./rules.js";
import { addCharacter, choice } from "./seats.js";
import { Sections } from "./sheet.js";
import { rowEditor, showProposals } from "./sheet_edit.js";
import "./session.js";
import { table } from "./table.js";

const TALK = new Set(["said", "noted", "undone", "paused", "resumed", "seated", "founded"]);
const LATEST = 15;

const line = (props) => h("input", { type: "text", autocomplete: "off", ...props });

/** Draw a section again only when its content has changed. */
function whenNew(root, what, draw) {
  let had = null;
  return () => {
    const now = JSON.stringify(what());
    if (now !== had) keepFocus(root, draw);
    had = now;
  };
}

/** A form that sends one command. What was typed is then cleared; ticks stay as the GM left them. */
function commandForm(label, fields, command, done = () => {}) {
  const error = errorLine();
  const go = h("button", { class: "btn main small", text: label });
  const submit = async (event) => {
    event.preventDefault();
    if (!(await attempt(error, () => table.do(command()), go))) return;
    clearTyped(form);
    done();
  };
  const form = h("form", { class: "stack tight", on: { submit } }, fields, error, h("div", null, go));
  return form;
}

// --- The sections: each gives its element, and a function that updates it ----------------------

function rollDice() {
  const dice = line({ placeholder: "5D, G4, 3d6+1, d100", required: true, maxlength: "60" });
  const label = line({ maxlength: "120", placeholder: "does the guard notice" });
  const secret = tick("Secret", true);
  const command = () => ({ do: "throw", dice: dice.value.trim(), label: label.value.trim(), secret: secret.box.checked });
  return { el: commandForm("Roll", [labelled("Dice", dice), labelled("For", label), secret], command) };
}

/** The rows of a page that pass, each with its section. */
function rowsOf(sections, passes) {
  // What a phone shows first is in another section, too.
  const all = (sections ?? []).filter(({ shown }) => shown !== "phone");
  return all.flatMap((section) => (section.rows ?? []).filter(passes).map((row) => ({ section, row })));
}

function awards() {
  const people = () => cast().sort((a, b) => Number(a.mine) - Number(b.mine));
  const all = () => people().map((who) => ({ who, rows: rowsOf(who.page?.sections, (row) => row.award).map(({ row }) => row) })).filter(({ rows }) => rows.length);
  const why = line({ maxlength: "200" });
  const error = errorLine();
  const list = h("ul", { class: "award-list" });
  const award = async (who, { label, path }, reason) => {
    const row = all().find((each) => each.who.key === who.key)?.rows.find((each) => each.path === path);
    const value = Number(row?.raw ?? 0) + 1;
    const isDone = await attempt(error, () => table.do({ do: "rule", reason, values: [{ target: who.key, path, value }] }));
    if (isDone) announce(`${who.name}: ${label} ${value}.`);
  };
  let last = Promise.resolve();
  /** One after another: two quick presses are two awards. */
  const give = (who, row) => {
    const reason = [`1 ${row.label} for ${who.name}`, why.value.trim()].filter(Boolean).join(": ");
    const next = () => award(who, row, reason);
    last = last.then(next, next);
  };
  const one = (who, row) => {
    const has = row.raw ?? 0;
    const label = [`+1 ${row.label}`, h("small", { class: "soft", text: `has ${has}` })];
    return button(label, () => give(who, row), "small", `Give ${who.name} 1 ${row.label} (has ${has})`);
  };
  const item = ({ who, rows }) => h("li", { class: "row" }, h("b", { class: "grow", text: who.name }), rows.map((row) => one(who, row)));
  const none = () => h("li", { class: "soft", text: "No character can be given an award yet." });
  const update = whenNew(list, () => all().map(({ who, rows }) => [who.key, who.name, rows]), () => fill(list, all().length ? all().map(item) : none()));
  return { el: stack(labelled("Reason (optional)", why), list, error), update };
}

function ruling() {
  const who = choice([]);
  const what = choice([]);
  const spot = h("div");
  const sections = () => (who.value === "scene" ? table.view.scene : table.view.characters[who.value]?.page?.sections);
  const rows = () => rowsOf(sections(), (row) => row.path);
  const list = () => {
    const option = ({ section, row }, at) => h("option", { value: at, text: `${section.title}: ${row.label} (${row.value ?? ""})` });
    fill(what, h("option", { value: "", text: "Choose…" }), rows().map(option));
    fill(spot);
  };
  who.addEventListener("change", list);
  what.addEventListener("change", () => {
    const found = what.value === "" ? null : rows()[what.value];
    fill(spot, found ? rowEditor(found.row, found.section, who.value, list, "rule") : null);
    spot.querySelector("input, select, textarea")?.focus();
  });
  const update = whenNew(who, () => cast().map((each) => [each.key, each.name]), () => {
    const had = who.value;
    fill(who, cast().map((each) => h("option", { value: each.key, text: each.name })), h("option", { value: "scene", text: "Scene" }));
    if (had) who.value = had;
    if (!spot.hasChildNodes()) list();
  });
  return { el: stack(h("p", { class: "hint", text: "Set any value on a sheet or in the scene, with a reason that everyone can read." }), labelled("Character", who), labelled("Value", what), spot), update };
}

function scene() {
  const sections = new Sections("scene");
  const none = h("p", { class: "soft", text: "Nothing is set for this scene." });
  const update = () => {
    sections.show(table.view.scene);
    none.hidden = table.view.scene.length > 0;
  };
  return { el: h("div", null, sections.el, none), update };
}

function vote() {
  const question = line({ required: true, maxlength: "300", placeholder: "Where do we go next?" });
  const choices = h("textarea", { rows: "3", placeholder: "one per line" });
  const voters = h("div", { class: "row", role: "group", aria: { label: "Voters" } });
  const voter = (chair) => h("label", { class: "chip" }, h("input", { type: "checkbox", value: chair.seat, checked: chair.role === "player" }), chair.name);
  const chairs = () => table.view.chairs.filter((chair) => chair.role !== "spectator");
  const update = whenNew(voters, () => chairs().map((chair) => [chair.seat, chair.name]), () => fill(voters, chairs().map(voter)));
  const command = () => ({
    do: "begin",
    procedure: "vote",
    arguments: {
      question: question.value.trim(),
      choices: choices.value.split("\n").map((each) => each.trim()).filter(Boolean),
      voters: [...voters.querySelectorAll("input:checked")].map((box) => box.value),
    },
  });
  return { el: commandForm("Start vote", [labelled("Question", question), labelled("Choices", choices), h("span", { class: "label", text: "Voters" }), voters], command), update };
}

function undo() {
  const error = errorLine();
  const list = h("ol", { class: "undo-list" });
  const steps = () => table.view.log.filter((entry) => !entry.undone && !TALK.has(entry.kind)).slice(-LATEST).reverse();
  const summary = (entry) => entry.text || entry.items?.find((item) => item.sentence)?.sentence || words(entry.kind);
  const back = (to, what) => {
    const reason = prompt(`${what}\nThis applies to everyone. Reason:`, "Mistake");
    if (reason !== null) attempt(error, () => table.do({ do: "undo", to, reason }));
  };
  const item = (entry, at) => {
    const what = summary(entry);
    const last = () => button("Undo", () => back(entry.seq - 1, `Undo “${what}” and everything after it.`), "small", `Undo: ${what}`);
    const earlier = () => button("Undo to here", () => back(entry.seq, `Undo everything after “${what}”.`), "small quiet", `Undo everything after: ${what}`);
    return h("li", { class: "row nowrap" }, h("span", { class: "grow", text: what }), at === 0 ? last() : earlier());
  };
  const none = () => h("li", { class: "soft", text: "Nothing has happened yet." });
  const update = whenNew(list, () => steps().map((entry) => [entry.seq, summary(entry)]), () => fill(list, steps().length ? steps().map(item) : none()));
  return { el: stack(error, list), update };
}

/** Obstacles that are known before anybody asks: on a card they are one tap. */
function obstacles() {
  const name = line({ required: true, maxlength: "60", placeholder: "the customs house wall" });
  const number = h("input", { type: "number", required: true, min: "1", max: "30", inputmode: "numeric" });
  const command = () => ({ do: "save_test", id: `o${newMark().slice(0, 12)}`, name: name.value.trim(), arguments: { obstacle: Number(number.value) } });
  const form = commandForm("Save", [labelled("For", name), labelled("Obstacle", number)], command, () => (number.value = ""));
  const list = h("ul", { class: "stack tight" });
  const error = errorLine();
  const all = () => table.view.saved.filter((each) => !each.procedure);
  const remove = ({ id }) => attempt(error, () => table.do({ do: "save_test", id }));
  const item = (each) => h("li", { class: "row nowrap" }, h("span", { class: "grow" }, each.name, " ", h("b", { text: `Ob ${each.arguments.obstacle}` })), button("Remove", () => remove(each), "small quiet bad", `Remove ${each.name}`));
  return { el: stack(h("p", { class: "hint", text: "When a test asks for its obstacle, these are one tap. Only you see them." }), form, list, error), update: whenNew(list, all, () => fill(list, all().map(item))) };
}

function viewAs() {
  const list = h("div", { class: "row" });
  const others = () => table.view.chairs.filter((chair) => chair.role !== "gm");
  const link = ({ seat, name }) => h("a", { class: "btn small", href: `?as=${encodeURIComponent(seat)}`, text: name, aria: { label: `View as ${name}` } });
  const update = whenNew(list, () => others().map(({ seat, name }) => [seat, name]), () => fill(list, others().length ? others().map(link) : h("p", { class: "soft", text: "Nobody else is at the table yet." })));
  return { el: stack(h("p", { class: "hint", text: "See the table as a player sees it. Nothing can be changed there." }), list), update };
}

function pause() {
  const error = errorLine();
  const why = line({ maxlength: "200", placeholder: "a short break" });
  const form = h("div", { class: "inline-form" });
  const list = h("ul", { class: "stack tight" });
  const el = stack(form, list, error);
  const call = (command) => attempt(error, () => table.do(command));
  const item = (each) => {
    const cancel = () => confirm(`Cancel ${each.title}? Everything in it will be undone.`) && call({ do: "withdraw", procedure: each.id });
    const what = h("span", { class: "grow" }, h("b", { text: each.title }), " ", each.about);
    return h("li", { class: "row nowrap" }, what, button("Cancel", cancel, "small quiet bad", `Cancel ${each.title}`));
  };
  const update = whenNew(el, () => [table.view.campaign.paused, table.view.open.map((each) => [each.id, each.title, each.about])], () => {
    const { campaign, open } = table.view;
    const rest = () => [labelled("Reason (optional)", why), button("Pause", () => call({ do: "pause", reason: why.value.trim() }), "small")];
    const resume = () => [h("p", { class: "grow", text: `Paused. ${campaign.paused}` }), button("Resume", () => call({ do: "resume" }), "small main")];
    fill(form, campaign.paused === null ? rest() : resume());
    fill(list, open.map(item));
  });
  return { el, update };
}

function houseRules() {
  const error = errorLine();
  const box = h("input", { type: "search", placeholder: "help, wounds…", autocomplete: "off" });
  const list = h("ul", { class: "option-list" });
  let all = [];
  gameInfo().then((game) => ((all = game.options), show()), (refused) => error.say(refused));
  const item = (option) => {
    const now = table.view.campaign.options[option.name] ?? option.default;
    const select = choice(option.choices.map((each) => [each, choiceWords(each) + (each === option.default ? " (default)" : "")]), now);
    select.id = freshId("option");
    select.addEventListener("change", () => attempt(error, () => table.do({ do: "read", options: { [option.name]: select.value } })));
    const label = h("label", { for: select.id }, words(option.name), now === option.default ? null : h("span", { class: "tag", text: "changed" }));
    return h("li", { class: "field" }, label, select, h("small", { class: "soft" }, option.question, " ", ruleLink(option.rule)));
  };
  const show = () => {
    const wanted = box.value.toLowerCase().split(/\s+/).filter(Boolean);
    const has = (each) => wanted.every((word) => `${words(each.name)} ${each.question} ${each.chapter}`.toLowerCase().includes(word));
    const found = all.filter((each) => (wanted.length ? has(each) : each.name in table.view.campaign.options));
    const hint = wanted.length ? "No house rule matches that." : `All ${all.length} house rules are at their default. Search for one to change it.`;
    fill(list, found.length ? found.slice(0, 12).map(item) : h("li", { class: "soft", text: hint }));
  };
  box.addEventListener("input", show);
  return { el: stack(labelled("Search house rules", box), list, error), update: whenNew(list, () => table.view.campaign.options, show) };
}

function campaign() {
  const title = line({ required: true, maxlength: "120" });
  const free = tick("Players can edit their own sheets without approval");
  const asks = tick("Ask me first about everything that needs my consent (for play by post)");
  const server = tick("Only the server rolls dice: nobody types in real ones");
  const review = tick("Reviews may use the sheets of my characters");
  const advice = tick("Anyone who scripts a Duel of Wits can ask for advice");
  advice.hidden = !table.view.campaign.can_solve;
  const fresh = () => {
    const now = table.view.campaign;
    title.value = now.title;
    free.box.checked = now.free_edits;
    asks.box.checked = now.asks_consent;
    server.box.checked = now.server_dice;
    review.box.checked = now.open_review;
    advice.box.checked = now.advice;
  };
  const command = () => ({ do: "title", title: title.value.trim(), free_edits: free.box.checked, asks_consent: asks.box.checked, server_dice: server.box.checked, open_review: review.box.checked, advice: advice.box.checked });
  const form = commandForm("Save", [labelled("Campaign name", title), free, asks, server, review, advice], command, fresh);
  const at = `/api/t/${encodeURIComponent(table.campaign)}`;
  const link = (path, label) => h("a", { class: "btn small", href: `${at}/${path}`, download: path }, label);
  const file = h("input", { type: "file", accept: ".json,application/json" });
  const error = errorLine();
  const load = async () => {
    const body = await file.files[0].text().then(JSON.parse).catch(() => null);
    if (!body) return error.say("This is not a campaign file. Choose a .json file exported from Astragal.");
    return attempt(error, async () => location.assign((await fetchJSON("/api/import", { method: "POST", body })).link));
  };
  file.addEventListener("change", load);
  const files = h("div", { class: "row" }, link("export.json", "Export campaign (JSON)"), link("log.md", "Export log (Markdown)"));
  const el = h("div", { class: "stack" }, form, files, labelled("Import a campaign", file, "It opens as a separate campaign."), error);
  const settings = ({ title, free_edits, asks_consent, server_dice, open_review, advice: isOn }) => [title, free_edits, asks_consent, server_dice, open_review, isOn];
  return { el, update: whenNew(form, () => settings(table.view.campaign), fresh) };
}

const PARTS = [
  ["Roll dice", rollDice],
  ["Awards", awards],
  ["Add a character", () => ({ el: addCharacter() })],
  ["Handouts", handoutsSection],
  ["Obstacles", obstacles],
  ["View as a player", viewAs],
  ["Ruling", ruling],
  ["Scene", scene],
  ["Pause", pause],
  ["Undo", undo],
  ["Vote", vote],
  ["Players and links", () => ({ el: h("ast-seats") })],
  ["Session and dice", () => ({ el: h("ast-session") })],
  ["House rules", houseRules],
  ["Campaign and files", campaign],
];

/** `<ast-gm>`: only the GM has it. */
class GMPanel extends Part {
  static watches = ["campaign", "characters", "scene", "open", "proposals", "log", "chairs", "handouts", "saved"];
  #parts = null;

  connectedCallback() {
    super.connectedCallback();
    this.onPart = (event) => this.#showPart(event.detail);
    document.addEventListener("show-part", this.onPart);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    document.removeEventListener("show-part", this.onPart);
  }

  /** Open a section and go to its first field. */
  #showPart(title) {
    const part = [...this.querySelectorAll(".gm-part")].find((each) => each.dataset.part === title);
    if (!part) return;
    part.open = true;
    part.scrollIntoView({ block: "start" });
    part.querySelector("input, textarea, select")?.focus({ preventScroll: true });
  }

  render() {
    if (!this.table.isGM) return fill(this);
    if (!this.#parts) this.#build();
    showProposals(this.proposals);
    for (const part of this.#parts) part.update?.();
  }

  #build() {
    this.proposals = h("div", { class: "stack", role: "status" });
    this.#parts = PARTS.map(([title, make]) => ({ title, ...make() }));
    const body = (part) => h("div", { class: "gm-body" }, part.el);
    fill(this, h("h2", { class: "visually-hidden", text: "GM" }), this.proposals, this.#parts.map((part) => h("details", { class: "gm-part", data: { part: part.title } }, h("summary", null, h("h3", { text: part.title })), body(part))));
    const obstacles = this.querySelector("[data-part=Obstacles]");
    gameInfo().then((game) => game.has_obstacles || obstacles.remove(), () => {});
  }
}

define("ast-gm", GMPanel);
