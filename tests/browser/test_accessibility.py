"""Everybody can use it: axe finds nothing, and a keyboard reaches everything."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from browser.people import PHONE, WIDE, People, Person

AXE = Axe()
VIOLATIONS = """async ([within, options]) =>
  (await axe.run(within || document, { resultTypes: ["violations"], ...options })).violations"""
"""What is not a violation is neither described at length nor sent here."""


def faults(person: Person, within: str = "") -> list[str]:
    """What axe finds by day or in the dark, with the first places of each.

    In the dark only the colours are different, so only they are looked at again.
    """
    if not person.page.evaluate("'axe' in window"):
        person.page.evaluate(AXE.axe_script)
    found = _found(person, within, {})
    with in_the_dark(person):
        person.shot(f"{person.shown}_dark")
        found += _found(person, within, COLOURS)
    return found


COLOURS = {"runOnly": ["color-contrast"]}


def _found(person: Person, within: str, options: dict[str, Any]) -> list[str]:
    found: list[dict[str, Any]] = person.page.evaluate(VIOLATIONS, [within, options])
    return [
        f"{each['id']}: {each['help']}: {[node['target'] for node in each['nodes']][:4]}"
        for each in found
    ]


@contextmanager
def in_the_dark(person: Person) -> Iterator[None]:
    """The page as a device shows it that asks for dark colours: the style sheets follow at once."""
    person.page.emulate_media(color_scheme="dark")
    yield
    person.page.emulate_media(color_scheme="light")


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
def test_nothing_serious_in_the_lobby(people: People, size: tuple[int, int]) -> None:
    ann = people.comes(size=size)
    expect(ann.page.get_by_role("button", name="The Roll of Dues")).to_be_visible()
    ann.shot("lobby", whole=True)
    assert faults(ann) == []


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
def test_nothing_serious_at_the_table(people: People, size: tuple[int, int]) -> None:
    campaign = people.server.create("burning_wheel")
    campaign.seat("Anna", "mara")
    gus = people.sits(campaign, "gm", size=size)
    gus.shot("quiet")
    expect(gus.compose()).to_be_visible()
    gus.shot("composer")
    assert faults(gus, "ast-composer") == []
    gus.play.get_by_role("button", name="Cancel").click()
    gus.suggestion("Tam finds the night watchman")
    gus.is_asked()
    gus.shot("asked")
    assert faults(gus) == []
    people.play_out()
    gus.shot("result")
    for name in ("Play", "Story", "Sheet", "Rules", "Notes", "GM"):
        panel = gus.whole_gm_panel() if name == "GM" else gus.panel(name)
        if name == "Rules":
            panel.get_by_role("searchbox").first.fill("steel")
            expect(panel.get_by_text("Steel").first).to_be_visible()
        if name == "Notes":
            panel.get_by_role("button", name="New note").click()
        gus.shot(name.lower())
        assert faults(gus, f"#{panel.get_attribute('id')}") == [], name


@pytest.mark.parametrize("game", ["cores", "signs", "percentile"])
def test_colours_of_each_game_can_be_read(people: People, game: str) -> None:
    gus = people.sits(people.server.create(game), "gm")
    gus.shot(game)
    assert faults(gus) == []
