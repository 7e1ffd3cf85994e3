"""How many taps it takes: counted in real browsers, so that it stays so.

A tap is a click that somebody makes; a hand-off is the moment when somebody else has to act.
"""

from __future__ import annotations

from itertools import pairwise

import pytest
from playwright.sync_api import expect

from browser.answering import put, release, row
from browser.people import PHONE, People, Person

COUNT = """
window.taps = [];
addEventListener("click", (event) => { if (event.isTrusted) window.taps.push(Date.now()); }, true);
"""

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
    for line in person.shared_card.locator(".ask-row.missing").all():
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
