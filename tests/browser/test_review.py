"""The review tab: what a decision gave away, on a wide page and on a phone."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from browser.people import PHONE, WIDE, People, Person
from browser.server import Campaign


def asks_around(campaign: Campaign) -> None:
    """Mara leaves all her FoRKs aside."""
    arguments = {
        "character": "mara",
        "intent": "find the door",
        "task": "asks",
        "ability": "Streetwise",
    }
    began = campaign.do({"do": "begin", "procedure": "standard_test", "arguments": arguments})
    procedure = f"p{began}"
    lines = campaign.card(procedure)["lines"]
    prompt = next(line["prompt"] for line in lines if line["key"] == "obstacle")
    answers = [{"key": "obstacle", "prompt": prompt, "answer": 3}]
    campaign.do({"do": "draft", "procedure": procedure, "answers": answers})
    campaign.do({"do": "release", "procedure": procedure}, seat="anna")
    for _ in range(6):  # something may still be spent
        for seat in ("anna", "gm"):
            if campaign.is_open(procedure):
                campaign.do({"do": "release", "procedure": procedure}, seat=seat)
    assert not campaign.is_open(procedure)


def review_of(person: Person) -> None:
    if person.is_on_phone:
        person.panel("Story").get_by_role("button", name="Review").click()
    else:
        person.panel("Review")
    panel = person.page.locator("#panel-review")
    expect(panel).to_be_visible()
    panel.get_by_role("button", name="Review").click()
    given_away = panel.get_by_role("list", name="What was given away, the most costly first")
    expect(given_away.get_by_text("Anna: none (31%)")).to_be_visible()
    expect(given_away.get_by_text("FoRKs (Streetwise). Standard test: ")).to_be_visible()
    expect(panel.get_by_role("button", name="Review again")).to_be_visible()
    expect(panel.get_by_role("row", name="Anna")).to_be_visible()


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
def test_forks_left_unused_are_found(people: People, size: tuple[int, int]) -> None:
    campaign = people.server.create("burning_wheel")
    campaign.seat("Anna", "mara")
    anna = people.sits(campaign, "anna", size=size)
    asks_around(campaign)
    review_of(anna)
    anna.shot(f"review-{'phone' if size == PHONE else 'wide'}")
