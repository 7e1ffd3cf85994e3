// The door: the tables one has a seat at, a demo of each game, founding one's own.

import { announce, fill, h } from "./dom.js";
import { fetchJSON } from "./net.js";
import { forget, remember, seatsHere } from "./door_seats.js";

const NAME = "astragal:name";
const trouble = document.getElementById("trouble");
const who = document.getElementById("name");
who.value = localStorage.getItem(NAME) ?? "";
who.addEventListener("input", () => localStorage.setItem(NAME, who.value.trim()));

function complain(refused) {
  const line = refused.line ?? String(refused);
  fill(trouble, h("p", { class: "card refusal", text: line }));
  announce(line, true);
  trouble.scrollIntoView({ block: "nearest" });
}

/** Sit down with the token of a new table, and go there. */
async function sitDown({ campaign, token, link }, title, game) {
  await fetchJSON("/api/join", { method: "POST", body: { token: token ?? link.split("/").at(-1) } });
  remember({ campaign, title, game, seat: who.value.trim() || "GM" });
  location.assign(`/t/${encodeURIComponent(campaign)}`);
}

async function found(body, button, title, game) {
  button.disabled = true;
  try {
    const name = who.value.trim() || "GM";
    await sitDown(await fetchJSON("/api/campaigns", { method: "POST", body: { ...body, name } }), title, game);
  } catch (refused) {
    complain(refused);
    button.disabled = false;
  }
}

function drawSeats() {
  const place = document.getElementById("seats");
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
          text: "Forget",
          aria: { label: `Forget ${title} on this device` },
          on: {
            click: () => {
              fetchJSON(`/api/leave/${encodeURIComponent(campaign)}`, { method: "POST", body: {} }).catch(() => {});
              forget(campaign);
              drawSeats();
            },
          },
        }),
      ),
    ),
  );
}

function demoCard({ name, title, demo }) {
  const button = h("button", { type: "button", class: "btn main", text: "Try it", aria: { label: `Try ${title}: ${demo?.title ?? "demo"}` } });
  button.addEventListener("click", () => found({ game: name, demo: true }, button, demo?.title ?? title, title));
  return h(
    "article",
    { class: "card demo", data: { game: name } },
    h("small", { class: "kind", text: title }),
    h("h3", { text: demo?.title ?? title }),
    demo?.premise ? h("p", { class: "soft", text: demo.premise }) : null,
    h("div", { class: "row" }, button),
  );
}

/** How a group reads the rules: folded away, each with what is usual chosen. */
function readings(options) {
  if (!options?.length) return null;
  return h(
    "details",
    null,
    h("summary", { text: `How you read the rules (${options.length} choices, all as usual)` }),
    h(
      "div",
      { class: "stack readings" },
      options.map((option) => {
        const choices = option.choices.map((choice) => {
          const [key, label] = typeof choice === "string" ? [choice, choice.replaceAll("_", " ")] : [choice.key ?? choice.name, choice.label ?? choice.text ?? choice.key ?? choice.name];
          return h("option", { value: key, text: label, selected: key === option.default });
        });
        return h("label", { class: "field" }, h("span", { class: "label", text: option.question ?? option.name.replaceAll("_", " ") }), h("select", { data: { option: option.name, usual: option.default } }, choices));
      }),
    ),
  );
}

function drawFounding(games) {
  const form = document.getElementById("found");
  const game = form.elements.game;
  const place = document.getElementById("readings");
  fill(game, games.map(({ name, title }) => h("option", { value: name, text: title })));
  const drawReadings = () => fill(place, readings(games.find((each) => each.name === game.value)?.options));
  game.addEventListener("change", drawReadings);
  drawReadings();
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const chosen = [...place.querySelectorAll("select")].filter((each) => each.value !== each.dataset.usual);
    const options = Object.fromEntries(chosen.map((each) => [each.dataset.option, each.value]));
    const title = form.elements.title.value.trim();
    found({ game: game.value, title, options, demo: false }, form.querySelector("button"), title, game.selectedOptions[0].text);
  });
}

document.getElementById("import").addEventListener("change", async (event) => {
  const file = event.target.files[0];
  if (!file) return;
  try {
    const body = JSON.parse(await file.text());
    await sitDown(await fetchJSON("/api/import", { method: "POST", body }), body.title ?? file.name, body.game ?? "");
  } catch (refused) {
    complain(refused instanceof SyntaxError ? { line: `${file.name} is not a campaign that was saved here (it is not JSON).` } : refused);
  }
  event.target.value = "";
});

drawSeats();
try {
  const said = await fetchJSON("/api/games");
  const games = Array.isArray(said) ? said : said.games;
  fill(document.getElementById("demos"), games.map(demoCard));
  drawFounding(games);
} catch (refused) {
  complain(refused);
}
