"""The map of relationships: from the sheets that a seat may read, and in words beside it."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, expect

from browser.people import PHONE, People, Person
from browser.server import Campaign
from browser.test_accessibility import faults

LARGE = (1400, 900)


def a_village(people: People) -> Campaign:
    """Mara and Tam with people who matter to them, and a hidden character of the GM's."""
    campaign = people.server.create("burning_wheel")
    campaign.seat("Anna", "mara")
    campaign.seat("Ben", "tam")
    people_of_mara = [{"name": "Old Bess", "note": "a fence"}, {"name": "Tam", "note": "a brother"}]
    values = [
        {"target": "mara", "path": "relationships", "value": people_of_mara},
        {"target": "tam", "path": "relationships", "value": [{"name": "Old Bess", "note": "cook"}]},
        {
            "target": "mara",
            "path": "affiliations",
            "value": [{"name": "the Night Porters", "dice": 1}],
        },
        {
            "target": "captain_orrin",
            "path": "relationships",
            "value": [{"name": "The Drowned Duchess"}],
        },
    ]
    campaign.do({"do": "rule", "reason": "a village", "values": values})
    return campaign


def opened(person: Person) -> Locator:
    person.panel("Sheet").get_by_role("button", name="Relationships").click()
    page = person.page.get_by_role("dialog", name="Relationships")
    expect(page.get_by_role("img", name="Map of relationships")).to_be_visible()
    return page


def test_it_shows_who_matters_to_whom_as_far_as_the_seat_knows(people: People) -> None:
    campaign = a_village(people)
    gus = people.sits(campaign, "gm", size=LARGE)
    ben = people.sits(campaign, "ben", size=LARGE)
    seen = opened(ben)
    drawn = seen.locator("svg.ties")
    words = seen.get_by_role("region", name="Relationships in words")
    for name in ("Mara", "Tam", "Old Bess", "the Night Porters"):
        expect(drawn.get_by_text(name, exact=True)).to_be_visible()
    expect(words.get_by_role("listitem").filter(has_text="a fence")).to_contain_text("Old Bess")
    # "Tam is too young for this trade": a Belief of Mara's.
    expect(words.get_by_role("listitem").filter(has_text="Belief").first).to_contain_text("Tam")
    # Three relationships, one affiliation, and a Belief of each of them that names the other.
    expect(drawn.locator(".tie.people")).to_have_count(3)
    expect(drawn.locator(".tie.groups")).to_have_count(1)
    expect(drawn.locator(".tie.texts")).to_have_count(2)
    for secret in ("Duchess", "Dunn"):
        assert secret not in ben.dom, secret
        assert not any(secret in frame for frame in ben.frames), secret
    ben.shot("ben_1400")
    known = opened(gus)
    expect(known.locator("svg.ties").get_by_text("The Drowned Duchess")).to_be_visible()
    expect(known.locator("svg.ties").get_by_text("Captain Orrin")).to_be_visible()
    gus.shot("gm_1400")
    # It follows the sheets.
    campaign.do({"do": "edit", "character": "tam", "path": "relationships.+", "value": "The Smith"})
    expect(drawn.get_by_text("The Smith")).to_be_visible()
    seen.get_by_role("button", name="Close").click()
    expect(seen).to_have_count(0)


@pytest.mark.parametrize("size", [LARGE, PHONE], ids=["wide", "phone"])
def test_nothing_serious_on_the_map(people: People, size: tuple[int, int]) -> None:
    anna = people.sits(a_village(people), "anna", size=size)
    opened(anna)
    anna.shot("map")
    assert faults(anna, ".ties-page") == []
