"""Finding what one wants to do: chips, groups, the book's words and others, and why not."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, expect

from browser.people import PHONE, WIDE, People, Person
from browser.test_accessibility import faults


def search(person: Person, words: str) -> Locator:
    """What is found; the list is open already, or opened by its chip."""
    composer = person.play.locator("ast-composer")
    if not composer.get_by_role("searchbox").is_visible():
        composer.get_by_role("button", name="All tests and actions").click()
    composer.get_by_role("searchbox").fill(words)
    return composer.locator(".pick-list li")


def test_eight_chips_stand_ready_and_begin_what_they_say(people: People) -> None:
    campaign = people.server.create("burning_wheel")
    campaign.seat("Anna", "mara")
    anna = people.sits(campaign, "anna")
    chips = anna.play.get_by_role("group", name="Common tests").get_by_role("button")
    expect(chips).to_have_count(9)  # and one for all others
    expect(chips.first).to_have_text("Standard test")
    anna.shot("chips")
    chips.filter(has_text="Circles test").click()
    expect(anna.play.get_by_role("heading", name="Circles test")).to_be_visible()


def test_empty_table_offers_nothing_that_needs_characters(people: People) -> None:
    gus = people.sits(people.server.create("burning_wheel", demo=False), "gm")
    chips = gus.play.get_by_role("group", name="Common tests").get_by_role("button")
    expect(chips).to_have_text(["Die of Fate", "Let time pass", "All\u2026"])
    found = search(gus, "bloody versus").filter(has_text="Bloody versus test").first
    expect(found).to_contain_text("You have no character yet.")


@pytest.mark.parametrize(
    ("words", "title"),
    [
        ("practice", "Practice"),
        ("recovery", "Recover"),
        ("let it ride", "Let it Ride"),
        ("buy", "Resources test"),
        ("heal", "Treat"),
        ("argue", "Duel of Wits"),
        ("resources", "Resources test"),
    ],
)
def test_books_words_and_others_find_it(people: People, words: str, title: str) -> None:
    gus = people.sits(people.server.create("burning_wheel"), "gm")
    expect(search(gus, words).filter(has_text=title).first).to_be_visible()


def test_groups_are_those_of_the_book(people: People) -> None:
    campaign = people.server.create("burning_wheel")
    gus = people.sits(campaign, "gm")
    search(gus, "")
    groups = gus.play.locator(".pick-list summary")
    expect(groups).to_have_text(
        [
            "Tests",
            "Conflicts",
            "Harm",
            "Magic",
            "Money",
            "People",
            "Growth",
            "Session",
            "GM",
            "Look up",
        ]
    )
    groups.filter(has_text="Money").click()
    listed = gus.play.locator(".pick-list").get_by_role("button", name="Resources test", exact=True)
    expect(listed).to_be_visible()
    gus.shot("groups")


def test_what_is_not_possible_comes_last_and_says_why(people: People) -> None:
    campaign = people.server.create("burning_wheel")
    campaign.seat("Anna", "mara")
    anna = people.sits(campaign, "anna")
    found = search(anna, "steel")
    expect(found.last).to_contain_text("Only the GM can start this.")
    expect(search(anna, "graduated").first).to_contain_text("this edition has no graduated tests")
    spell = search(anna, "cast a spell").first
    expect(spell).to_contain_text("Mara is not Gifted and cannot cast spells")
    anna.shot("why_not")
    duel = search(anna, "duel of wits").last
    expect(duel.get_by_role("button")).to_be_visible()
    campaign.do(
        {
            "do": "rule",
            "reason": "a fall",
            "values": [{"target": "mara", "path": "comatose", "value": True}],
        }
    )
    expect(duel).to_contain_text("comatose")
    # Nor is it suggested any more.
    expect(anna.play.locator(".ideas .idea")).to_have_count(0)


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
def test_nothing_serious_in_the_list(people: People, size: tuple[int, int]) -> None:
    gus = people.sits(people.server.create("burning_wheel"), "gm", size=size)
    search(gus, "")
    gus.shot("list")
    assert faults(gus, "ast-composer") == []


def test_who_has_no_faith_or_no_wound_is_told_so(people: People) -> None:
    campaign = people.server.create("burning_wheel")
    campaign.seat("Ben", "tam")
    ben = people.sits(campaign, "ben")
    prayer = search(ben, "pray").filter(has=ben.page.get_by_role("button", name="Pray", exact=True))
    expect(prayer).to_contain_text("Tam does not have Faith")
    recovery = search(ben, "recovery").filter(has_text="Recovery: Health test")
    expect(recovery).to_contain_text("Tam is not wounded.")
    expect(search(ben, "beginner's luck").first).to_contain_text("Standard test")


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
def test_what_turns_on_somebody_else_is_said_before_start(
    people: People, size: tuple[int, int]
) -> None:
    campaign = people.server.create("burning_wheel")
    campaign.seat("Anna", "mara")
    campaign.seat("Bert", "tam")
    anna = people.sits(campaign, "anna", size=size)
    form = anna.compose("Treatment")
    form.get_by_role("combobox", name="Patient").select_option(label="Tam")
    helpers = form.get_by_role("group", name="Helpers")
    expect(helpers.get_by_role("checkbox", name="Mara")).to_have_count(0)  # who heals
    # What is still missing is not said before Start.
    anna.until(lambda: any("/check-begin" in each for each in anna.requests), "it is not asked")
    form.get_by_role("combobox", name="Skill").select_option(index=1)
    refusal = form.get_by_text("Expected somebody wounded: Tam is not.")
    expect(refusal).to_be_visible()
    expect(form.get_by_role("combobox", name="Patient")).to_have_attribute("aria-invalid", "true")
    anna.shot("not_wounded")
    assert faults(anna, "ast-composer") == []
    expect(form.locator("[aria-invalid=true]")).to_have_count(1)
    # Nor is what the GM's sheets would tell.
    form.get_by_role("combobox", name="Patient").select_option(label="Serjeant Hale")
    expect(refusal).to_have_count(0)
