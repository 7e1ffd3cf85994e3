"""A duel against a character that is given to the table, with advice that is taken."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, expect

from browser.people import PHONE, WIDE, People, Person
from browser.test_accessibility import faults
from table.duelists import DUEL, sheet

SOLVES_WITHIN = 240_000
"""Milliseconds that a small duel may take to be solved on a busy machine."""


def small_duel(people: People, *, advice: bool = True, given: bool = False):
    campaign = people.server.create("burning_wheel", demo=False)
    campaign.seat("Anna")
    campaign.do({"do": "join", "character": "ann", "sheet": sheet("Ann"), "seat": "anna"})
    campaign.do({"do": "join", "character": "bob", "sheet": sheet("Bob")})
    campaign.do({"do": "title", "title": "A trial", "advice": advice})
    if given:
        campaign.do({"do": "give_to_table", "character": "bob", "dial": 60, "temperament": "sly"})
    return campaign


def advice_on(person: Person) -> Locator:
    """The advice, as soon as the duel is solved."""
    person.card.get_by_role("button", name="Advice").click()
    found = person.card.get_by_role("group", name="Advice")
    expect(found.get_by_role("button", name="Take this script")).to_be_visible(
        timeout=SOLVES_WITHIN
    )
    return found


def slots(person: Person) -> list[str]:
    """What is in each slot of the script."""
    return person.card.locator("ast-script .slot-face").all_inner_texts()


def test_duel_against_the_table_with_advice(people: People) -> None:
    campaign = small_duel(people, advice=False)
    gus, anna = people.sits(campaign, "gm"), people.sits(campaign, "anna")

    settings = gus.gm_section("Campaign and files")
    settings.get_by_label("Anyone who scripts a Duel of Wits can ask for advice").check()
    gus.until_heard(lambda: settings.get_by_role("button", name="Save").click())
    seats = gus.gm_section("Players and links")
    seats.get_by_role("button", name="Let Astragal script for Bob").click()
    form = gus.page.get_by_role("dialog", name="Let Astragal script for Bob")
    form.get_by_label("How well").fill("60")
    form.get_by_label("Temperament").select_option("sly")
    gus.shot("give")
    gus.until_heard(lambda: form.get_by_role("button", name="Let Astragal script").click())
    expect(form).to_have_count(0)
    expect(seats.get_by_role("button", name="Astragal scripts for Bob")).to_be_visible()

    campaign.do({"do": "begin", "procedure": "duel_of_wits", "arguments": DUEL})
    people.play_until(lambda who: anna.card.locator("ast-script").count(), gus, anna)

    found = advice_on(anna)
    anna.shot("advice")
    expect(found).to_contain_text("You cannot see the sheet of Bob")
    expect(found).to_contain_text(re.compile(r"Worth \d+(\.\d)?% to you"))
    drawn = found.locator("b").last.inner_text()
    mix = found.get_by_role("listitem").all_inner_texts()
    assert any(line.startswith(drawn) for line in mix)
    found.get_by_role("button", name="Take this script").click()
    assert ", ".join(slots(anna)) == drawn
    assert faults(anna, "ast-play") == []

    # The table has written its script, and the GM is asked for none.
    lock = anna.card.get_by_role("button", name="Lock in")
    anna.until_heard(lambda: lock.click())
    expect(anna.play.locator(".reveal").first).to_be_visible()
    expect(gus.play.locator(".reveal").first).to_contain_text(drawn.split(", ")[0])
    for person in (gus, anna):
        assert '"by":"the table"' not in "".join(person.frames)
    advised = [each for each in anna.requests if "/advice/" in each]
    assert advised
    assert not [each for each in gus.requests if "/advice/" in each]


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
def test_advice_and_a_given_character_can_be_read(people: People, size: tuple[int, int]) -> None:
    campaign = small_duel(people)
    gus = people.sits(campaign, "gm", size=size)
    anna = people.sits(campaign, "anna", size=size)
    campaign.do({"do": "begin", "procedure": "duel_of_wits", "arguments": DUEL})
    people.play_until(lambda who: anna.card.locator("ast-script").count(), gus, anna)

    advice_on(anna)
    anna.shot("advice", whole=True)
    width = anna.page.evaluate("document.documentElement.scrollWidth")
    assert width <= size[0], "nothing is wider than the page"
    assert faults(anna, "ast-play") == []

    gus.is_asked()
    gus.shot("asked", whole=True)
    gus.card.get_by_role("button", name="Let Astragal script").click()
    form = gus.page.get_by_role("dialog", name="Let Astragal script for Bob")
    gus.shot("give")
    assert faults(gus, "[role=dialog]") == []
    # By keyboard alone: the dial has the focus.
    gus.page.keyboard.press("End")
    expect(form.locator("output")).to_have_text("100")
    gus.until_heard(lambda: gus.page.keyboard.press("Enter"))
    gus.shot("writing")
    # Sooner or later the script is written, and nobody waits for the GM.
    expect(gus.play.locator("ast-script")).to_have_count(0, timeout=SOLVES_WITHIN)
    gus.shot("written", whole=True)
    expect(gus.play.locator(".waiting")).to_contain_text("Anna")


def test_a_script_is_written_for_a_character_of_the_gm(people: People) -> None:
    """Whether by the GM or by the table: nobody else is told, and both can be said like this."""
    campaign = small_duel(people, advice=False)
    gus, anna = people.sits(campaign, "gm"), people.sits(campaign, "anna")
    campaign.do({"do": "begin", "procedure": "duel_of_wits", "arguments": DUEL})
    people.play_until(lambda who: anna.card.locator("ast-script").count(), gus, anna)
    expect(anna.card.locator(".face-down")).to_have_text("A script is being written for Bob")
    expect(gus.card.locator(".face-down")).to_have_text("Anna is writing a script")
    expect(anna.play.locator(".waiting")).to_have_text("Waiting for Bob: script")
    expect(gus.play.locator(".waiting")).to_have_text("Waiting for Anna: script")
    gus.is_asked()
    gus.answer(["Point", "Point", "Point"])
    expect(anna.play.locator(".waiting")).to_be_empty()
    expect(anna.card.locator(".face-down")).to_have_count(0)
    anna.play.get_by_text("Full history").click()
    expect(anna.play.locator(".earlier")).to_contain_text("The GM's side has decided in secret.")
    anna.shot("alone")
