"""The first minutes of a new group: what is asked at the start, and what happens by itself."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from browser.people import PHONE, WIDE, People


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
def test_edition_and_a_few_house_rules_are_asked_in_plain_words(
    people: People, size: tuple[int, int]
) -> None:
    ann = people.comes(size=size)
    page = ann.page
    page.get_by_label("Game", exact=True).select_option("burning_wheel")
    questions = page.locator(".first-questions select")
    expect(questions).to_have_count(4)
    page.get_by_label("Which book is on your table?").select_option("The Burning Wheel Gold")
    page.get_by_label("Campaign name").fill("The long winter")
    page.get_by_text("Other house rules").scroll_into_view_if_needed()
    ann.shot("asked", whole=True)
    page.get_by_role("button", name="Create", exact=True).click()
    expect(ann.play).to_be_visible()
    expect(ann.play.get_by_role("heading", name="A new table")).to_be_visible()
    expect(ann.play.get_by_role("button", name="New character")).to_be_visible()
    ann.shot("new_table")
    view = f"fetch('/api/t/{ann.campaign}/view').then((answer) => answer.json())"
    assert ann.page.evaluate(view)["campaign"]["options"]["edition"] == "gold"


def test_session_begins_with_its_first_test(people: People) -> None:
    campaign = people.server.create("burning_wheel")
    campaign.seat("Anna", "mara")
    gus, anna = people.sits(campaign, "gm"), people.sits(campaign, "anna")
    expect(gus.page.locator(".about").first).to_have_text("The Burning Wheel")
    anna.suggestion("Mara looks for the smugglers' door")
    expect(gus.page.locator(".top .about")).to_contain_text("session 1")
    people.play_out(anna, gus)
    expect(anna.reads_details().locator(".die").first).to_be_attached()


def test_choices_of_house_rules_are_written_as_people_write_them(people: People) -> None:
    ann = people.comes()
    page = ann.page
    page.get_by_label("Game", exact=True).select_option("burning_wheel")
    page.get_by_text("Other house rules").click()
    for question, choices in (
        ("What is the VA of a heavy crossbow?", ["VA 3", "VA 2", "VA 4"]),
        ("What do clumsy boots add to the obstacle?", ["None", "+1 Ob"]),
        ("How long does Consecration take?", ["One hour", "GM sets"]),
        ("How many range dice does a pistol have", ["1D 1D", "2D 1D"]),
        ("What is the obstacle without tools", ["\u00d74", "\u00d73"]),
    ):
        select = (
            page.locator(".house-rules label").filter(has_text=question).get_by_role("combobox")
        )
        expect(select.locator("option")).to_have_text(choices)
