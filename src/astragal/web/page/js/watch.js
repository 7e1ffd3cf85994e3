// A scenario to watch, moment by moment: what happens, who is where, the dice, and the rule behind it.

import { conflict, reveal } from "./conflict.js";
import { announce, fill, h } from "./dom.js";
import { fetchJSON } from "./net.js";
import { drawPicture } from "./picture.js";
import { ruleArticle, ruleLink, withRule } from "./rules.js";
import { story } from "./story.js";

const [, , game, name] = location.pathname.split("/");
const [stage, moment, behind] = ["stage", "moment", "behind"].map((each) => document.querySelector(`.${each}`));
const [back, next, step] = ["back", "next", "step"].map((id) => document.getElementById(id));
const chosen = document.querySelector(".scene-choice select");
const entries = new Map();
let moments = [];
let at = 0;

// --- What is drawn -------------------------------------------------------------------------

/** Everything of this scene up to here. */
const soFar = () => moments.slice(0, at + 1).filter(({ scene }) => scene === moments[at].scene).flatMap(({ items }) => items);

/** The picture of a conflict, and the cards of the volley in progress. */
function drawStage() {
  const { picture, shown, effect } = conflict(soFar());
  stage.hidden = !picture && !shown;
  fill(stage, shown ? h("div", { class: "shown" }, reveal(shown, effect?.meetings ? null : effect)) : null, picture ? drawPicture(picture) : null);
}

/** What belongs to the moment beside its sentence and the cards, which are on the stage. */
function details({ items, sentence }) {
  const isShown = (item) => item.cards || item.kind === "sealed" || (item.role === "effect" && !item.meetings) || (item.item === "told" && !item.numbers && sentence.includes(item.sentence));
  const rest = items.filter((item) => !isShown(item));
  const changes = rest.filter(({ kind }) => kind === "changed");
  return [
    story(rest.filter(({ kind }) => kind !== "changed"), false),
    changes.length ? h("ul", { class: "sheet-changes soft", aria: { label: "On the sheets" } }, changes.map(({ sentence: text, rule }) => h("li", null, withRule(text, rule)))) : null,
  ];
}

function drawMoment() {
  const now = moments[at];
  fill(
    moment,
    h("p", { class: "soft scene-title", text: now.title }),
    h("h2", { class: "said", text: now.sentence }),
    h("div", { class: "details" }, details(now)),
  );
}

/** The rule behind the moment, or another one that was pressed. */
async function drawRule(id) {
  behind.dataset.rule = id;
  behind.hidden = !id;
  if (!id) return;
  try {
    if (!entries.has(id)) entries.set(id, await fetchJSON(`/api/rules/${encodeURIComponent(id)}`));
    if (behind.dataset.rule !== id) return; // another one has been asked for meanwhile
    const [article] = ruleArticle(entries.get(id));
    const own = moments[at].rule;
    fill(behind, h("p", { class: "soft", text: id === own ? "The rule behind it" : "Another rule" }), article, id === own ? null : h("p", null, ruleLink(own, "Back to the rule behind it")));
  } catch (refused) {
    fill(behind, h("p", { class: "field-error", text: refused.line }));
  }
}

// --- Moving --------------------------------------------------------------------------------

function show(wanted, aloud = true) {
  at = Math.max(0, Math.min(moments.length - 1, wanted));
  const { scene, sentence, rule } = moments[at];
  drawStage();
  drawMoment();
  drawRule(rule);
  chosen.value = String(scene);
  step.textContent = `Step ${at + 1} of ${moments.length}`;
  // A button that has the focus keeps it, so that the keyboard does not lose its place.
  back.setAttribute("aria-disabled", String(at === 0));
  next.setAttribute("aria-disabled", String(at === moments.length - 1));
  next.textContent = at === moments.length - 1 ? "The end" : "Next";
  history.replaceState(null, "", `#${at + 1}`);
  if (aloud) announce(sentence);
  scrollTo(0, 0);
}

const KEYS = { ArrowRight: () => at + 1, ArrowLeft: () => at - 1, Home: () => 0, End: () => moments.length - 1 };

back.addEventListener("click", () => show(at - 1));
next.addEventListener("click", () => show(at + 1));
chosen.addEventListener("change", () => show(moments.findIndex(({ scene }) => String(scene) === chosen.value)));
addEventListener("keydown", (event) => {
  const move = KEYS[event.key];
  const isTyped = event.target.closest?.("select, input, .rule-table") || event.ctrlKey || event.metaKey || event.altKey;
  if (!move || isTyped || !moments.length) return;
  event.preventDefault();
  show(move());
});
document.addEventListener("open-rule", (event) => drawRule(event.detail));

// --- The scenario --------------------------------------------------------------------------

try {
  const said = await fetchJSON(`/api/watch/${game}/${name}`);
  document.documentElement.dataset.game = said.game;
  document.title = `${said.title} · Astragal`;
  document.querySelector("h1").textContent = said.title;
  moments = said.scenes.flatMap(({ title, moments: of }, scene) => of.map((each) => ({ ...each, scene, title })));
  fill(chosen, said.scenes.map(({ title }, scene) => h("option", { value: String(scene), text: `${scene + 1}. ${title}` })));
  chosen.parentElement.hidden = false;
  for (const button of [back, next]) button.disabled = false;
  show((Number(location.hash.slice(1)) || 1) - 1, false);
} catch (refused) {
  document.querySelector("h1").textContent = "Nothing to watch";
  fill(moment, h("p", { class: "field-error", text: refused.line ?? String(refused) }));
}
