// The review: what decisions were worth, the most costly first, and the luck of the dice.

import { Part, announce, define, fill, h, words } from "./dom.js";
import { attempt, button, errorLine } from "./forms.js";
import { percent } from "./odds.js";

const SHOWN = 20;
const ABOUT = "What each decision was worth, given what was known at the time, and what would have been better. Where that would have cost a point, 10% is taken off. Only tests and duels that you can see in full are reviewed.";

const many = (count, one, more = `${one}s`) => `${count} ${count === 1 ? one : more}`;
const signed = (number) => `${number < 0 ? "\u2212" : "+"}${Math.abs(number).toFixed(2)}`;

/** `<ast-review>`: nothing is worked out before somebody asks for it. */
class Review extends Part {
  static watches = ["log"];
  #found = null;
  #over = 0;

  render() {
    if (!this.error) this.#build();
    this.go.textContent = this.#found ? "Review again" : "Review";
    this.news.hidden = !this.#found || this.#finished() === this.#over;
  }

  #build() {
    this.error = errorLine();
    this.go = button("Review", () => this.#ask(), "small main");
    this.news = h("small", { class: "soft", text: "More has happened since." });
    this.body = h("div", { class: "stack" });
    fill(this, h("h2", { class: "visually-hidden", text: "Review" }), h("p", { class: "hint", text: ABOUT }), h("div", { class: "row" }, this.go, this.news), this.error, this.body);
  }

  #finished() {
    return this.table.view.log.filter((entry) => entry.over && !entry.undone).length;
  }

  async #ask() {
    const over = this.#finished();
    const ask = async () => (this.#found = await this.table.get("review"));
    if (!(await attempt(this.error, ask, this.go))) return;
    this.#over = over;
    this.#draw();
    this.render();
    announce(`${many(this.#found.reviewed, "procedure")} reviewed.`);
  }

  #draw() {
    const { decisions, seats, reviewed, left_out: leftOut, unsolved } = this.#found;
    const dear = decisions.filter(({ cost }) => cost > 0.0005).slice(0, SHOWN);
    const nothing = h("p", { class: "soft", text: reviewed ? "Nothing was given away." : "Nothing to review yet." });
    fill(
      this.body,
      dear.length ? h("ol", { class: "review-list", aria: { label: "What was given away, the most costly first" } }, dear.map((each) => this.#item(each))) : nothing,
      seats.length ? this.#luck(seats) : null,
      leftOut ? h("p", { class: "hint", text: `${many(leftOut, "procedure is", "procedures are")} left out: not tests, or with something hidden from you.` }) : null,
      unsolved ? h("p", { class: "hint", text: `${many(unsolved, "duel is", "duels are")} not solved yet, which takes longer than a review.` }) : null,
    );
  }

  #item({ cost, seat, key, prompt, answer, chance, best, best_chance: bestChance, procedure }) {
    const own = (text) => text.replace(`${words(key)}: `, "");
    return h(
      "li",
      null,
      h("p", null, h("b", { text: `\u2212${percent(cost)}` }), ` ${this.table.nameOf(seat)}: ${own(answer)} (${percent(chance)})`),
      h("p", null, h("span", { class: "soft", text: "Better: " }), `${own(best)} (${percent(bestChance)})`),
      h("small", { class: "soft", text: `${prompt}${/[.?!]$/.test(prompt) ? "" : "."} ${procedure}` }),
    );
  }

  #luck(seats) {
    const head = ["", "Played", "Luck", "Given away"];
    const row = ({ seat, tests, luck, given_away: given }) => h("tr", null, h("th", { scope: "row", text: this.table.nameOf(seat) }), [tests, signed(luck), given.toFixed(2)].map((text) => h("td", { text: String(text) })));
    return [
      h("table", { class: "review-luck" }, h("caption", { class: "visually-hidden", text: "Luck and skill" }), h("thead", null, h("tr", null, head.map((text) => (text ? h("th", { scope: "col", text }) : h("td", null))))), h("tbody", null, seats.map(row))),
      h("p", { class: "hint", text: "Luck and what was given away are counted in tests and duels won." }),
    ];
  }
}

define("ast-review", Review);
