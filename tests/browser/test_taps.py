"""How many taps it takes: counted in real browsers, so that it stays so.

A tap is a click that somebody makes; a hand-off is the moment when somebody else has to act.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import pytest
from playwright.sync_api import expect

from browser.answering import missing, put, release, row
from browser.people import PHONE, Choose, People, Person
from browser.server import Campaign
from browser.test_duel import DUEL
from table.test_cards_of_conflicts import GUARD

COUNT = """
window.taps = [];
addEventListener("click", (event) => {
  const typed = event.target.closest("button")?.innerText === "Use these";
  if (event.isTrusted && !typed) window.taps.push(Date.now());
}, true);
"""
"""Counts every tap; typing in the faces of one's own dice stands for the throw, and is none."""

LARGE = (1400, 900)

PLAIN = {
    "burning_wheel": ("mara", "Streetwise"),
    "cores": ("robin", "Physical"),
    "signs": ("ysolde", "Skill"),
    "percentile": ("ilse", "Scrutiny"),
}
"""For each game somebody, and what is tested by a tap on the sheet."""


def taps(*people: Person) -> int:
    """How often these have tapped since they came."""
    return sum(len(person.page.evaluate("window.taps")) for person in people)


def hand_offs(*people: Person) -> int:
    """How often somebody else had to act than the one before."""
    tapped = sorted((at, p.name) for p in people for at in p.page.evaluate("window.taps"))
    return sum(one != other for (_, one), (_, other) in pairwise(tapped))


def tap_ability(person: Person, ability: str) -> None:
    person.page.get_by_role("button", name=f"Test {ability}").first.click()
    expect(person.shared_card).to_be_visible()


def needed(person: Person) -> None:
    """Set whatever the game needs of this person, one tap each."""
    for _, line in missing(person.shared_card):
        line.locator("button.rung").nth(2).click()


def roll(person: Person) -> None:
    button = release(person.shared_card)
    expect(button).to_be_enabled()
    expect(button).to_be_in_viewport(ratio=1)
    button.click()


def is_rolled(*people: Person) -> None:
    for person in people:
        expect(person.page.locator(".die").first).to_be_visible()


@pytest.mark.parametrize("game", PLAIN)
def test_a_lone_gm_rolls_in_three_taps(people: People, game: str) -> None:
    hero, ability = PLAIN[game]
    campaign = people.server.create(game)
    gus = people.sits(campaign, "gm", size=LARGE, script=COUNT)
    gus.page.get_by_role("combobox", name="Character").select_option(hero)
    tap_ability(gus, ability)
    needed(gus)
    roll(gus)
    is_rolled(gus)
    assert taps(gus) <= 3


@pytest.mark.parametrize("size", [LARGE, PHONE], ids=["wide", "phone"])
def test_two_taps_for_the_player_and_one_for_the_gm(people: People, size: tuple[int, int]) -> None:
    campaign = people.server.create("burning_wheel")
    campaign.seat("Anna", "mara")
    gus = people.sits(campaign, "gm", script=COUNT)
    anna = people.sits(campaign, "anna", size=size, script=COUNT)
    if anna.is_on_phone:
        anna.panel("Sheet")
    before = taps(anna)
    tap_ability(anna, "Streetwise")
    roll(anna)  # ready: it waits for the obstacle
    expect(anna.play.locator("ast-release")).to_contain_text("Waiting for the GM: Obstacle")
    expect(gus.shared_card).to_be_visible()
    needed(gus)
    is_rolled(gus, anna)
    assert taps(anna) - before <= 2
    assert taps(gus) <= 1


def test_help_forks_and_persona_in_nine_taps_and_two_hand_offs(people: People) -> None:
    campaign = people.server.create("burning_wheel")
    for name, character in (("Anna", "mara"), ("Bert", "tam"), ("Cleo", "")):
        campaign.seat(name, *filter(None, [character]))
    gus, anna, bert, cleo = (
        people.sits(campaign, seat, script=COUNT) for seat in ("gm", "anna", "bert", "cleo")
    )
    tap_ability(anna, "Streetwise")
    put(anna.shared_card, "ask_help", ["Tam"])
    put(anna.shared_card, "forks", ["Stealthy", "Lockpick"])
    row(anna.shared_card, "boon").get_by_role("button", name="1", exact=True).click()
    roll(anna)
    put(bert.shared_card, "help", "Observation")
    for person in (gus, anna, cleo):
        expect(person.shared_card).to_contain_text("Observation")
    needed(gus)
    is_rolled(gus, anna, bert, cleo)
    # Four dice of the skill, two FoRKs, two for help with a 5, and one for persona.
    expect(cleo.page.locator(".die")).to_have_count(9)
    assert taps(gus, anna, bert, cleo) <= 9
    assert hand_offs(gus, anna, bert, cleo) <= 2


def with_own_dice(campaign: Campaign, *seats: str) -> None:
    """These type in what they throw; and the GM shows everybody who Dunn is."""
    campaign.do({"do": "give", "character": "harbourmaster_dunn", "seat": "gm"})
    for seat in seats:
        campaign.do({"do": "own_dice", "on": True}, seat)


def with_scripts(scripts: dict[str, Sequence[list[str]]], **successes: int) -> Choose:
    """Each seat locks in its scripts one after the other, and types in so many successes."""
    left = {name: iter(each) for name, each in scripts.items()}

    def chosen(who: Person, asked: str) -> Sequence[str] | Sequence[int] | None:
        if "Lock in" in asked:
            return next(left[who.name])
        keep = who.play.get_by_label("Keep rolling")
        if who.name == "gm" and keep.is_visible():
            keep.check()
        if who.card.locator(".face-box").count():
            many = next((many for name, many in successes.items() if name in asked), 0)
            return [4] * many + [2] * 20
        return None

    return chosen


def test_a_duel_of_two_exchanges_in_thirty_cards(people: People) -> None:
    campaign = people.server.create("burning_wheel")
    campaign.seat("Anna", "mara")
    gus, anna = (people.sits(campaign, seat, script=COUNT) for seat in ("gm", "anna"))
    with_own_dice(campaign, "gm", "anna")
    campaign.do({"do": "begin", "procedure": "duel_of_wits", "arguments": DUEL}, "anna")
    scripts = {
        "anna": [["Point", "Rebuttal", "Point"], ["Avoid the Topic", "Point", "Point"]],
        "gm": [["Rebuttal", "Point", "Avoid the Topic"], ["Point", "Rebuttal", "Point"]],
    }
    asked = people.play_out(gus, anna, choose=with_scripts(scripts, Mara=2, Dunn=2))
    cards = [each for each in asked if "What do they show" not in each]
    assert sum("Lock in" in each for each in cards) == 4, "it went into a second exchange"
    assert len(cards) <= 30
    assert sum(each.startswith("gm:") for each in cards) <= 8
    assert len(cards) > 12, "there were dice in both exchanges"


def test_a_bloody_versus_test_to_the_wound_in_twelve_taps(people: People) -> None:
    campaign = people.server.create("burning_wheel")
    campaign.seat("Bert", "tam")
    gus, bert = (people.sits(campaign, seat, script=COUNT) for seat in ("gm", "bert"))
    with_own_dice(campaign, "gm", "bert")
    campaign.do({"do": "join", "character": "guard", "sheet": GUARD})
    campaign.do(
        {
            "do": "begin",
            "procedure": "bloody_versus",
            "arguments": {
                "attacker": {"character": "tam"},
                "defender": {"character": "guard", "weapon": "sword"},
            },
        },
        "bert",
    )
    begun = 1
    people.play_out(gus, bert, choose=with_scripts({}, Tam=4))
    result = bert.page.get_by_role("region", name="Result")
    expect(result).to_contain_text("wound")
    assert begun + taps(gus, bert) <= 12


@pytest.mark.parametrize("game", PLAIN)
@pytest.mark.parametrize("size", [LARGE, PHONE], ids=["wide", "phone"])
def test_roll_is_in_view_without_scrolling(
    people: People, game: str, size: tuple[int, int]
) -> None:
    campaign = people.server.create(game)
    hero, _ = PLAIN[game]
    campaign.seat("Anna", hero)
    anna = people.sits(campaign, "anna", size=size)
    gus = people.sits(campaign, "gm", size=size)
    anna.play.locator("ast-composer .idea").first.click()
    for person in (anna, gus):
        expect(person.shared_card).to_be_visible()
        expect(person.play.locator("ast-procedure > .test")).to_be_in_viewport(ratio=1)
    button = release(anna.shared_card)
    expect(button).to_be_in_viewport(ratio=1)
    anna.shot(f"{game}_player")
    gus.shot(f"{game}_gm")
