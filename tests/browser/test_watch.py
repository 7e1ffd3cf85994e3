"""A newcomer watches a fight from the lobby, to its end, with the rule behind each step."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, expect

from astragal.rules import catalogue
from astragal.web.watching import WatchedMoment, WatchedScenario, watched
from browser.people import PHONE, WIDE, People, Person
from browser.test_accessibility import faults
from browser.test_phone import SMALL, fits

AT = "/watch/burning_wheel/red_widow"


def story() -> WatchedScenario:
    """What is watched there; it takes long to tell, and is told once."""
    return watched("burning_wheel", "red_widow")


def all_moments() -> list[WatchedMoment]:
    return [moment for scene in story().scenes for moment in scene.moments]


def said(person: Person) -> Locator:
    return person.page.locator(".moment .said")


def number_of(words: str) -> int:
    """The first moment with these words, counted from 1."""
    return next(at for at, moment in enumerate(all_moments(), 1) if words in moment.sentence)


def goes_to(people: People, person: Person, words: str) -> None:
    """Open the page at the moment with these words."""
    person.page.goto("about:blank")
    person.page.goto(f"{people.server.url}{AT}#{number_of(words)}")
    expect(said(person)).to_contain_text(words)


def test_a_newcomer_watches_from_the_lobby_to_the_end(people: People) -> None:
    ann = people.comes("Ann")
    ann.page.get_by_role("link", name="Watch a fight with the Red Widow").click()
    expect(ann.page.get_by_role("heading", level=1)).to_have_text(story().title)
    following = ann.page.get_by_role("button", name="Next")
    for at, moment in enumerate(all_moments(), 1):
        expect(said(ann)).to_have_text(moment.sentence)
        expect(ann.page.locator("#step")).to_have_text(f"Step {at} of {len(all_moments())}")
        expect(ann.page.locator(".behind")).to_have_attribute("data-rule", moment.rule)
        expect(ann.page.locator(".behind .rule-title")).to_be_visible()
        if at < len(all_moments()):
            following.click()
    expect(ann.page.get_by_role("button", name="The end")).to_have_attribute(
        "aria-disabled", "true"
    )
    ann.page.get_by_role("button", name="Back").click()
    expect(said(ann)).to_have_text(all_moments()[-2].sentence)
    ann.shot("end")


def test_every_moment_has_its_rule_and_a_plain_sentence() -> None:
    for moment in all_moments():
        assert moment.rule in catalogue(), moment.sentence
        assert moment.sentence.strip().endswith((".", "!", "?")), moment.sentence


def test_the_keyboard_goes_forward_back_to_the_end_and_the_start(people: People) -> None:
    ann = people.comes("Ann", AT)
    expect(said(ann)).to_have_text(all_moments()[0].sentence)
    for key, at in [("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("End", -1)]:
        ann.page.keyboard.press(key)
        expect(said(ann)).to_have_text(all_moments()[at].sentence)
    ann.page.keyboard.press("ArrowRight")  # there is nothing after the end
    expect(said(ann)).to_have_text(all_moments()[-1].sentence)
    ann.page.keyboard.press("Home")
    ann.page.keyboard.press("ArrowLeft")
    expect(said(ann)).to_have_text(all_moments()[0].sentence)
    ann.page.get_by_role("button", name="Next").focus()
    ann.page.keyboard.press("Enter")
    expect(said(ann)).to_have_text(all_moments()[1].sentence)
    expect(ann.page.locator("#say")).to_contain_text(all_moments()[1].sentence)
    ann.page.reload()
    expect(said(ann)).to_have_text(all_moments()[1].sentence)


def test_scripts_are_turned_over_volley_by_volley(people: People) -> None:
    ann = people.comes("Ann")
    goes_to(people, ann, "writes a script")
    expect(ann.page.locator("body")).not_to_contain_text("Charge, Strike")
    ann.page.get_by_role("button", name="Next").click()
    cards = ann.page.locator(".stage .turned-card")
    expect(cards).to_have_count(2)
    expect(cards.last).to_contain_text("Charge")


def test_distances_and_wounds_are_drawn_as_on_the_page_of_a_fight(people: People) -> None:
    ann = people.comes("Ann")
    goes_to(people, ann, "takes a Superficial wound")
    picture = ann.page.locator(".stage .fight-picture")
    expect(picture.locator(".distance")).to_have_text(["inside", "inside"])
    expect(picture.locator(".fighter")).to_have_count(2)
    expect(picture.locator(".gap-strip")).to_have_count(1)
    expect(picture.locator(".fighter").last).to_contain_text("wounded, +1 Ob")


def test_a_rule_in_a_rule_opens_and_one_comes_back(people: People) -> None:
    ann = people.comes("Ann", AT)
    behind = ann.page.locator(".behind")
    own = all_moments()[0].rule
    expect(behind).to_have_attribute("data-rule", own)
    behind.locator(".rule .rule-link").first.click()
    expect(behind).not_to_have_attribute("data-rule", own)
    behind.get_by_role("button", name=re.compile("^Rule: ")).last.click()
    expect(behind).to_have_attribute("data-rule", own)


def test_what_is_not_there_is_said_in_one_line(people: People) -> None:
    ann = people.comes("Ann", "/watch/burning_wheel/nobody")
    ann.forgive("404")
    expect(ann.page.get_by_role("heading", level=1)).to_have_text("Nothing to watch")
    expect(ann.page.locator(".moment")).to_contain_text("a scenario of The Burning Wheel")


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
def test_everybody_can_watch(people: People, size: tuple[int, int]) -> None:
    ann = people.comes("Ann", AT, size=size, touch=size == PHONE)
    for words in ("is heard before the attack", "Volley 1:", "takes a Superficial wound"):
        goes_to(people, ann, words)
        expect(ann.page.locator(".behind .rule-title")).to_be_visible()
        ann.shot(str(number_of(words)))
        assert faults(ann) == []
    if size == PHONE:
        fits(ann, "watching")
        assert ann.page.locator("body").evaluate(SMALL) == []
    expect(ann.page.get_by_role("button", name="Next")).to_be_in_viewport()
