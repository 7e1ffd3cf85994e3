"""A whole Duel of Wits between two players, each with a script that nobody else sees."""

from __future__ import annotations

import json
import re
from typing import Any

from playwright.sync_api import expect

from browser.people import People, Person

ANNAS = ["Point", "Feint", "Obfuscate"]
BERTS = ["Incite", "Dismiss", "Something else"]
DUEL = {
    "about": "whether the roll of dues may be seen",
    "sides": [
        {
            "character": "mara",
            "skill": "Persuasion",
            "case": "It belongs to all who pay.",
            "wins": "Dunn opens the roll",
            "loses": "Mara goes home",
        },
        {
            "character": "harbourmaster_dunn",
            "skill": "Oratory",
            "case": "Nobody has read it but the sworn.",
            "wins": "Mara goes home",
            "loses": "Dunn opens the roll",
        },
    ],
}


def heard(frame: str) -> str:
    """What a message tells, without the question that offers every card to whoever is asked.

    The id of a rule tells nothing either: it may have the name of a card in it.
    """

    def told(part: Any) -> Any:
        if isinstance(part, dict):
            return {
                key: told(value)
                for key, value in part.items()
                if key not in ("question", "because")
            }
        return [told(each) for each in part] if isinstance(part, list) else part

    return json.dumps(told(json.loads(frame))).lower()


def seen(person: Person) -> str:
    """What stands anywhere on the page, without the action cards and the pages of the rules."""
    person.page.evaluate("window.bare = document.documentElement.cloneNode(true)")
    person.page.evaluate(
        "bare.querySelectorAll('ast-script, ast-rules').forEach((each) => each.remove())"
    )
    return str(person.page.evaluate("bare.outerHTML")).lower()


def knows(person: Person, card: str, since: int) -> list[str]:
    """Where a card is to be found: in a message from this one on, or on the page."""
    told = [frame for frame in map(heard, person.frames[since:]) if card.lower() in frame]
    page = seen(person)
    at = page.find(card.lower())
    return told + ([page[max(0, at - 80) : at + 80]] if at >= 0 else [])


def test_duel_with_secret_scripts_to_its_end(people: People) -> None:
    campaign = people.server.create("burning_wheel")
    campaign.seat("Anna", "mara")
    campaign.seat("Bert", "harbourmaster_dunn")
    gus, anna, bert = (people.sits(campaign, seat) for seat in ("gm", "anna", "bert"))
    for seat in ("anna", "bert"):
        campaign.do({"do": "own_dice", "on": True}, seat)
    campaign.do({"do": "begin", "procedure": "duel_of_wits", "arguments": DUEL})

    people.play_until(lambda who: who.card.locator("ast-script").count(), gus, anna, bert)
    began = {person.name: len(person.frames) for person in people.all}

    expect(anna.is_asked()).to_contain_text("Secret until everyone has answered")
    expect(bert.play.locator("ast-script")).to_be_visible()
    anna.shot("script")
    anna.answer(ANNAS)
    expect(gus.play).to_contain_text(re.compile("Bert.* script"))
    gus.shot("waiting")
    for card in ANNAS[1:]:
        assert knows(bert, card, began["bert"]) == []
        assert knows(gus, card, began["gm"]) == []
    bert.answer(BERTS)

    # The first volley is turned over, and no more than that.
    for person in people.all:
        expect(person.play.locator(".reveal").first).to_contain_text("Point")
        expect(person.play.locator(".reveal").first).to_contain_text("Incite")
        # Between the cards it says what they do to each other, and by which rule.
        effect = person.play.locator(".reveal .effect").first
        expect(effect).to_contain_text("Incite is rolled against Mara's Will")
        expect(effect.get_by_title(re.compile("interaction matrix"))).to_be_visible()
        assert knows(person, ANNAS[0], began[person.name]), "what is shown would be found"
    # Whoever has just locked in a script sees at once how the cards are turned over.
    expect(bert.play.locator(".reveal").first).to_be_in_viewport()
    bert.shot("reveal")
    for person, unseen in ((bert, ANNAS[1:]), (gus, [*ANNAS[1:], BERTS[1]]), (anna, BERTS[1:2])):
        for card in unseen:
            assert knows(person, card, began[person.name]) == [], (person.name, card)

    def faces(who: Person, asked: str) -> list[int] | list[str] | None:
        if "Lock in" in asked:
            return ["Point"] if who is anna else ["Something else"]
        return ([6] if who is anna else [1]) if who.card.locator(".face-box").count() else None

    people.play_out(gus, anna, bert, choose=faces)

    result = anna.page.get_by_role("region", name="Result")
    expect(result).to_contain_text(
        re.compile(r"Mara wins the duel with \d+ of \d+ left; .* ends at")
    )
    expect(result.get_by_role("img", name=re.compile(r"^Mara: \d+ of \d+$"))).to_be_visible()
    for person in people.all:
        duel = person.reads_details()
        # What was played can be read afterwards.
        for words in ("Dunn opens the roll", ANNAS[0], BERTS[0]):
            expect(duel).to_contain_text(words, use_inner_text=True)
    anna.shot("over", whole=True)


TOLD = """
async () => {
  const { gist, outcomeOf, story } = await import("/page/js/story.js");
  const told = (role, sentence, bars) => ({ item: "told", role, sentence, bars });
  const items = [
    told("", "Volley 2 leaves both standing.", [["Mara", 1, 5], ["Dunn", 2, 6]]),
    told("conclusion", "Mara wins the duel.", [["Mara", 1, 5], ["Dunn", -3, 6]]),
    told("outcome", "Dunn: 2 successes. hesitates."),
  ];
  const shown = document.createElement("div");
  shown.append(...story(gist(items)));
  const heading = (each) => each.textContent;
  return [
    outcomeOf(items),
    [...shown.querySelectorAll(".outcome > p")].map(heading),
    [...shown.querySelectorAll(".told > p")].map(heading),
    [...shown.querySelectorAll(".side-bar > b")].map(heading),
  ];
}
"""


def test_conclusion_is_the_headline_whatever_is_rolled_after_it(people: People) -> None:
    gus = people.sits(people.server.create("burning_wheel"), "gm")
    headline, shouted, told, bars = gus.page.evaluate(TOLD)
    assert headline == "Mara wins the duel."
    assert shouted == [headline]
    assert told == [headline, "Dunn: 2 successes. Hesitates."]
    assert bars == ["1 of 5", "0 of 6"]


ROLLED = """
async () => {
  const { story } = await import("/page/js/story.js");
  const faces = (...all) => all.map((face) => ({ face, sides: 10 }));
  const one = { item: "rolled", owner: "anna", label: "x" };
  const rolled = (notation, ...all) => ({ ...one, notation, faces: faces(...all) });
  const shown = document.createElement("div");
  document.body.append(shown);
  shown.append(...story([rolled("d100", 10, 4), rolled("2d10", 10, 4)]));
  return [...shown.querySelectorAll(".die text")].map((face) => face.textContent);
}
"""


def test_a_ten_of_a_d100_is_read_as_the_digit_that_is_printed_on_it(people: People) -> None:
    gus = people.sits(people.server.create("percentile"), "gm")
    assert gus.page.evaluate(ROLLED) == ["0", "4", "10", "4"]
