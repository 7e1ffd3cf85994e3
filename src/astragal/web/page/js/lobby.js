// The lobby: campaigns this device has a seat in, a demo of each game, creating and importing campaigns.

import { announce, choiceWords, fill, h } from "./dom.js";
import { fetchJSON } from "./net.js";
import { forget, remember, seatsHere } from "./lobby_tables.js";

const NAME = "astragal:name";
const errors = document.getElementById("errors");
const nameField = document.getElementById("name");
nameField.value = localStorage.getItem(NAME) ?? "";
nameField.addEventListener("input", () => localStorage.setItem(NAME, nameField.value.trim()));

function showError(refused) {
  const line = refused.line ?? String(refused);
  fill(errors, h("p", { class: "card refusal", text: line }));
  announce(line, true);
  errors.scrollIntoView({ block: "nearest" });
}

/** Join a new campaign with its token, and open its table. */
async function join({ campaign, token, link }, title, game) {
  await fetchJSON("/api/join", { method: "POST", body: { token: token ?? link.split("/").at(-1) } });
  remember({ campaign, title, game, seat: nameField.value.trim() || "GM" });
  location.assign(`/t/${encodeURIComponent(campaign)}`);
}

async function create(body, button, title, game) {
  button.disabled = true;
  try {
    const name = nameField.value.trim() || "GM";
    await join(await fetchJSON("/api/campaigns", { method: "POST", body: { ...body, name } }), title, game);
  } catch (refused) {
    showError(refused);
    button.disabled = false;
  }
}

function drawCampaigns() {
  const place = document.getElementById("campaigns");
  const seats = seatsHere();
  place.hidden = !seats.length;
  fill(
    place.querySelector("ul"),
    seats.map(({ campaign, title, game, seat }) =>
      h(
        "li",
        { class: "card seat-card" },
        h("a", { class: "grow", href: `/t/${encodeURIComponent(campaign)}` }, h("b", { text: title }), h("small", { class: "soft", text: `${game}, as ${seat}` })),
        h("button", {
          type: "button",
          class: "btn quiet small",
          text: "Remove",
          aria: { label: `Remove ${title} from this device` },
          on: {
            click: () => {
              fetchJSON(`/api/leave/${encodeURIComponent(campaign)}`, { method: "POST", body: {} }).catch(() => {});
              forget(campaign);
              drawCampaigns();
            },
          },
        }),
      ),
    ),
  );
}

/** A link to watch a scenario, such as "Watch a fight with the Red Widow". */
function watchLink(game, { name, title }) {
  const text = `Watch ${title[0].toLowerCase()}${title.slice(1)}`;
  return h("a", { class: "btn", href: `/watch/${encodeURIComponent(game)}/${encodeURIComponent(name)}`, text });
}

function demoCard({ name, title, demo, scenarios = [] }) {
  const button = h("button", { type: "button", class: "btn main", text: "Play", aria: { label: `Play ${title}: ${demo?.title ?? "demo"}` } });
  button.addEventListener("click", () => create({ game: name, demo: true }, button, demo?.title ?? title, title));
  return h(
    "article",
    { class: "card demo", data: { game: name } },
    h("small", { class: "kind", text: title }),
    h("h3", { text: demo?.title ?? title }),
    demo?.premise ? h("p", { class: "soft", text: demo.premise }) : null,
    h("div", { class: "row" }, button, scenarios.map((each) => watchLink(name, each))),
  );
}

/** The few house rules that matter from the beginning, in plain words. */
function firstQuestions(questions, options) {
  return (questions ?? []).map(({ option, question, choices }) => {
    const usual = options.find((each) => each.name === option)?.default;
    const select = h("select", { data: { option, default: usual } }, Object.entries(choices).map(([key, label]) => h("option", { value: key, text: label, selected: key === usual })));
    return h("label", { class: "field" }, h("span", { class: "label", text: question }), select);
  });
}

/** All others: folded away, each with its default chosen. */
function houseRules(all, asked) {
  const options = all.filter(({ name }) => !asked.includes(name));
  if (!options.length) return null;
  const summary = h("summary", { text: "Other house rules (all default)" });
  const count = (event) => {
    const changed = [...event.currentTarget.querySelectorAll("select")].filter((each) => each.value !== each.dataset.default).length;
    summary.textContent = `Other house rules (${changed ? `${changed} changed` : "all default"})`;
  };
  return h(
    "details",
    { on: { change: count } },
    summary,
    h(
      "div",
      { class: "stack house-rules" },
      options.map((option) => {
        const choices = option.choices.map((choice) => h("option", { value: choice, text: choiceWords(choice), selected: choice === option.default }));
        return h("label", { class: "field" }, h("span", { class: "label", text: option.question }), h("select", { data: { option: option.name, default: option.default } }, choices));
      }),
    ),
  );
}

function drawCreating(games) {
  const form = document.getElementById("create");
  const game = form.elements.game;
  const place = document.getElementById("house-rules");
  fill(game, games.map(({ name, title }) => h("option", { value: name, text: title })));
  const drawRules = () => {
    const { options = [], first_questions: first = [] } = games.find((each) => each.name === game.value) ?? {};
    fill(place, h("div", { class: "first-questions" }, firstQuestions(first, options)), houseRules(options, first.map(({ option }) => option)));
  };
  game.addEventListener("change", drawRules);
  drawRules();
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const chosen = [...place.querySelectorAll("select")].filter((each) => each.value !== each.dataset.default);
    const options = Object.fromEntries(chosen.map((each) => [each.dataset.option, each.value]));
    const title = form.elements.title.value.trim();
    create({ game: game.value, title, options, demo: false }, form.querySelector("button"), title, game.selectedOptions[0].text);
  });
}

document.getElementById("import").addEventListener("change", async (event) => {
  const file = event.target.files[0];
  if (!file) return;
  try {
    const body = JSON.parse(await file.text());
    await join(await fetchJSON("/api/import", { method: "POST", body }), body.title ?? file.name, body.game ?? "");
  } catch (refused) {
    showError(refused instanceof SyntaxError ? { line: `${file.name} is not a campaign file. Choose a .json file exported from Astragal.` } : refused);
  }
  event.target.value = "";
});

drawCampaigns();
try {
  const said = await fetchJSON("/api/games");
  const games = Array.isArray(said) ? said : said.games;
  fill(document.getElementById("demos"), games.map(demoCard));
  drawCreating(games);
} catch (refused) {
  showError(refused);
}
