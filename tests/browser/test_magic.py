"""A sorcerer and a priest: the cards of a casting and of a prayer, and both in a Fight!"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

from playwright.sync_api import Locator, expect

from browser.answering import row
from browser.people import PHONE, People
from browser.server import Campaign
from browser.test_accessibility import faults
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
    assert faults(anna, "ast-play") == []
    phone.shot("cast_phone", whole=True)
    assert faults(phone, "ast-play") == []

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


def test_card_of_a_prayer_has_its_obstacle_its_helpers_and_its_odds(people: People) -> None:
    campaign = seated(people)
    beda = {**ANSELM, "name": "Beda", "attributes": {**ANSELM["attributes"], "Faith": "B4"}}
    for key, sheet in (("beda", beda), ("dorn", {**SCAR, "npc": False, "name": "Dorn"})):
        campaign.do({"do": "join", "character": key, "sheet": sheet})
        campaign.do({"do": "give", "character": key, "seat": "anna"})
    gus, anna, bert = (people.sits(campaign, seat, size=LARGE) for seat in ("gm", "anna", "bert"))
    phone = people.sits(campaign, "bert", size=PHONE, touch=True, scheme="dark")
    said = {
        "character": "anselm",
        "prayer": "hindrance",
        "intent": "hold them back",
        "targets": ["han", "dorn"],
        "crowd": [{"people": 15, "will": 4}],
    }
    campaign.do({"do": "begin", "procedure": "pray", "arguments": said}, "bert")
    for person in (bert, phone):
        expect(person.play).to_contain_text("Hold them back (Anselm prays for Hindrance)")

    # Faith B5 and three dice of a congregation with 60 Will dice; two foes are Ob 5.
    tallies = bert.play.locator(".tally")
    expect(tallies.locator("summary")).to_have_text(["8D", "Ob 5"])
    expect(bert.play.locator("ast-odds .large")).to_contain_text(percent(8, 5))
    bert.drafts("ask_priests", ["Beda"])
    expect(anna.play.locator(".others-lines")).to_contain_text("Pray together with: Beda")
    anna.drafts("help", "Faith")
    expect(tallies.locator("summary")).to_have_text(["9D", "Ob 5"])
    expect(bert.play.locator("ast-odds .large")).to_contain_text(percent(9, 5))
    gus.drafts("outlandish", 1)
    expect(tallies.locator("summary")).to_have_text(["9D", "Ob 6"])
    for tally in tallies.all():
        tally.locator("summary").click()
    dice, obstacle = tallies.nth(0).locator(".lines"), tallies.nth(1).locator(".lines")
    for line in ("5Faith", "+1help: Faith B4", "+3believers: 60 Will dice"):
        expect(dice).to_contain_text(line)
    for line in ("5Hindrance, 2 foes", "+1outlandish intent"):
        expect(obstacle).to_contain_text(line)
    card, roll = (bert.play.locator(each).first for each in ("ast-procedure", "ast-release .roll"))
    assert right(roll) <= right(card), "what is unfolded pushes the button out of the card"
    fits(phone, "the prayer")
    bert.shot("pray", whole=True)
    assert faults(bert, "ast-play") == []
    phone.shot("pray_phone", whole=True)
    people.play_out(gus, anna, bert)
    expect(bert.page.get_by_role("region", name="Result")).to_contain_text("Anselm")
    bert.shot("prayed", whole=True)


def right(shown: Locator) -> float:
    box = shown.bounding_box()
    assert box is not None
    return box["x"] + box["width"]


def percent(dice: int, wanted: int) -> str:
    """The chance by hand: each die is a success with 4 and 5, a six also rolls again."""
    # One die: none 1/2; otherwise n successes are n - 1 sixes, then a 4 or 5, or a last six that
    # is followed by a failure.
    most = 40
    one = [Fraction(1, 2)]
    one += [Fraction(1, 6) ** (n - 1) * (Fraction(1, 3) + Fraction(1, 12)) for n in range(1, most)]
    total = [Fraction(1)]
    for _ in range(dice):
        total = [
            sum(
                (
                    total[k] * one[n - k]
                    for k in range(max(0, n - most + 1), min(n + 1, len(total)))
                ),
                Fraction(0),
            )
            for n in range(wanted)
        ]
    return f"{round(100 * (1 - sum(total)))}%"


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

    # A prayer costs no action: it is offered beside the cards of the volley, not folded away.
    bert.is_asked()
    offered = row(bert.card, "prayer")
    expect(offered).to_be_visible()
    expect(offered).to_contain_text("Anselm prays for")
    bert.drafts("prayer", "Hindrance")
    expect(row(bert.card, "speech").get_by_role("textbox")).to_have_attribute("maxlength", "400")
    bert.drafts("speech", "Stay thy hand")
    expect(anna.play.locator(".others-lines")).to_contain_text("Anselm prays for: Hindrance")
    # Scar's sheet is the GM's, so that there are no odds against him, but those of one's own dice.
    odds = anna.play.get_by_role("list", name="Odds")
    expect(odds).to_contain_text(re.compile(r"^(\d+%Han, [^%]*\dD[^%]*: \d or more successes)+$"))
    bert.shot("prayer_phone", whole=True)
    fits(bert, "the prayer of a volley")

    # Hindrance of one foe is Ob 4, and five dice come up 4; half of Faith B5 are two actions.
    held = "Scar can neither move nor act for 2 actions."
    while not gus.play.get_by_text(held).count():
        fighting.answer(people.next_of(*fighting.seated))
    for person in people.all:
        expect(person.play).to_contain_text(held)
        scar = person.play.locator(".fight-picture .fighter", has_text="Scar").first
        expect(scar).to_contain_text("hesitates")
    bert.shot("prayed_phone", whole=True)
    gus.shot("prayed", whole=True)
    fighting.until_scripts()
    for person in people.all:
        person.page.get_by_text("Full history").first.click()
        expect(person.play).to_contain_text("Han casts Shards")
        expect(person.play).to_contain_text("Anselm prays for Hindrance: Stay thy hand.")
    gus.shot("after", whole=True)
