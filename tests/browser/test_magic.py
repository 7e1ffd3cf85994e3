"""A sorcerer and a priest: the cards of a casting and of a prayer, and both in a Fight!"""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import expect

from browser.people import PHONE, People
from browser.server import Campaign
from browser.test_fight import BANDITS, FIGHTER, Fighting
from browser.test_phone import fits
from browser.test_taps import LARGE

WALL = {
    "name": "Breath of Wind",
    "obstacle": 3,
    "actions": 2,
    "element": "Air",
    "impetus": "Create",
    "origin": "Presence",
    "duration": "Sustained",
    "area": "Presence",
}
SHARDS = {
    "name": "Shards",
    "actions": 2,
    "origin": "Sight",
    "area": "Single Target",
    "duration": "Instantaneous",
}
HAN: dict[str, Any] = {
    **FIGHTER,
    "npc": False,
    "name": "Han",
    "stats": {**FIGHTER["stats"], "Forte": "B6"},
    "skills": {**FIGHTER["skills"], "Sorcery": "B4"},
    "traits": ["Gifted"],
    "idiom": "speech",
    "spells": [WALL, SHARDS],
}
ANSELM: dict[str, Any] = {
    **FIGHTER,
    "npc": False,
    "name": "Anselm",
    "attributes": {**FIGHTER["attributes"], "Faith": "B5"},
    "traits": ["Faithful"],
    "beliefs": [{"text": "God is the father of us all.", "faith": "the Church"}],
}
SCAR: dict[str, Any] = {**FIGHTER, "name": "Scar"}
FIGHT = {
    "sides": [
        {"fighters": [{"character": "han"}, {"character": "anselm"}]},
        {"fighters": [{"character": "scar"}]},
    ],
}
HANS = ["Maintain", "Incant Shards", "Maintain", "Incant Shards", "Maintain", "Block"]
ANSELMS = ["Maintain", "Block"] * 3


def seated(people: People) -> Campaign:
    campaign = people.server.create("burning_wheel", demo=False)
    campaign.seat("Anna")
    campaign.seat("Bert")
    for key, sheet, seat in (
        ("han", HAN, "anna"),
        ("anselm", ANSELM, "bert"),
        ("scar", SCAR, "gm"),
    ):
        campaign.do({"do": "join", "character": key, "sheet": sheet})
        campaign.do({"do": "give", "character": key, "seat": seat})
    for seat in ("gm", "anna", "bert"):
        campaign.do({"do": "own_dice", "on": True}, seat)
    return campaign


def test_card_of_a_casting_has_its_tax_its_odds_and_its_facets(people: People) -> None:
    campaign = seated(people)
    gus, anna = (people.sits(campaign, seat, size=LARGE) for seat in ("gm", "anna"))
    phone = people.sits(campaign, "anna", size=PHONE, touch=True, scheme="dark")
    said = {"character": "han", "spell": WALL["name"], "intent": "keep them off"}
    campaign.do({"do": "begin", "procedure": "cast_spell", "arguments": said}, "anna")

    # 8 dice of Sorcery and Will; Tax of a spell of Ob 3 takes 3 dice at most.
    for person in (anna, phone):
        test = person.play.locator(".test")
        expect(test.locator(".tally summary")).to_have_text(["8D", "Ob 3", "Tax 6D", "Tax Ob 3"])
        expect(test.locator("ast-odds .large")).to_contain_text("to cast it and stay on your feet")
        facets = person.play.get_by_role("list", name="Facets").get_by_role("listitem")
        expect(facets).to_have_text(
            [
                "element Air",
                "impetus Create",
                "origin Presence",
                "duration Sustained",
                "area Presence",
            ]
        )
        expect(person.play.locator(".wheel path.chosen")).to_have_count(5)
        expect(person.play.locator("ast-release .roll")).to_be_in_viewport(ratio=1)
    obstacle = anna.play.locator(".tally", has_text="Ob 3").first
    obstacle.locator("summary").click()
    expect(obstacle.locator(".lines")).to_contain_text("Breath of Wind")
    fits(phone, "the casting")
    anna.shot("cast", whole=True)
    phone.shot("cast_phone", whole=True)

    # Cast, and taxed: both stand beside the character, with their rules.
    for _ in range(20):
        who = people._next((gus, anna))
        if who is None:
            break
        if who.card.locator(".face-box").count():
            is_tax = "Forte" in who.card.inner_text()
            who.answer([4, 4, 2, 2, 2, 2] if is_tax else [4])
        else:
            who.answer()
    expect(anna.page.get_by_role("region", name="Result")).to_contain_text("Han")
    badges = anna.sheet.locator(".badge")
    expect(badges.filter(has_text="Sustains")).to_contain_text("-1D Will Breath of Wind")
    expect(badges.filter(has_text="Tax")).to_contain_text("-1D Forte")
    expect(badges.filter(has_text="Tax").get_by_title("Rule: ")).to_be_visible()
    expect(gus.page.locator("ast-people")).to_contain_text("Tax -1D Forte")
    anna.shot("sustained", whole=True)


def test_card_of_a_prayer_has_its_obstacle_and_its_odds(people: People) -> None:
    campaign = seated(people)
    gus, bert = (people.sits(campaign, seat, size=LARGE) for seat in ("gm", "bert"))
    said = {"character": "anselm", "prayer": "guidance", "intent": "find the way out"}
    campaign.do({"do": "begin", "procedure": "pray", "arguments": said}, "bert")
    expect(bert.play.locator("ast-odds .large")).to_contain_text(re.compile(r"\d%"))
    tallies = bert.play.locator(".tally summary")
    expect(tallies.first).to_have_text("5D")
    bert.shot("pray", whole=True)
    people.play_out(gus, bert)
    expect(bert.page.get_by_role("region", name="Result")).to_contain_text("Anselm")


def test_fight_of_a_sorcerer_and_a_priest(people: People) -> None:
    campaign = seated(people)
    campaign.do({"do": "begin", "procedure": "fight", "arguments": FIGHT})
    gus, anna = (people.sits(campaign, seat, size=LARGE) for seat in ("gm", "anna"))
    bert = people.sits(campaign, "bert", size=PHONE, touch=True, scheme="dark")
    fighting = Fighting(people, gus, anna, bert)
    fighting.until_scripts()
    anna.answer(HANS)
    bert.answer(ANSELMS)
    gus.answer(BANDITS)
    while not gus.play.locator(".reveal").count():
        fighting.answer(people.next_of(*fighting.seated))
    for person in people.all:
        expect(person.play.locator(".reveal").first).to_contain_text("Shards")
    anna.shot("fight", whole=True)
    fighting.until_scripts()
    for person in people.all:
        person.page.get_by_text("Full history").first.click()
        expect(person.play).to_contain_text("Han casts Shards")
    gus.shot("after", whole=True)
