"""A versus test: whoever begins it says against whom, and each seat fills in its own half."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, expect

from browser.answering import row
from browser.people import PHONE, People, Person
from browser.test_accessibility import faults
from browser.test_taps import LARGE, roll


def against(person: Person) -> Locator:
    """The characters that could oppose, as buttons in their order."""
    group = person.play.get_by_role("group", name="Against whom?")
    expect(group).to_be_visible()
    return group.get_by_role("button")


def begins(person: Person) -> None:
    person.play.get_by_role("group", name="Common tests").get_by_role(
        "button", name="Versus test"
    ).click()


def test_each_seat_fills_in_its_own_half(people: People) -> None:
    campaign = people.server.create("burning_wheel")
    campaign.seat("Anna", "mara")
    campaign.seat("Bert", "tam")
    for seat in ("anna", "bert"):
        campaign.do({"do": "own_dice", "on": True}, seat)
    anna = people.sits(campaign, "anna", size=LARGE)
    bert = people.sits(campaign, "bert", size=PHONE, touch=True)
    gus = people.sits(campaign, "gm", size=LARGE)

    begins(anna)
    expect(against(anna).first).to_have_text(re.compile(r"^Tam\s*Bert$"), use_inner_text=True)
    expect(against(anna).filter(has_text="yours")).to_have_count(0)  # Mara opposes nobody here
    anna.shot("against_whom")
    against(anna).first.click()

    form = anna.play.locator("ast-form")
    expect(form.get_by_role("combobox", name="as", exact=True)).to_have_value("mara")
    expect(anna.play.get_by_text("Bert fills in the other side on the card.")).to_be_visible()
    form.get_by_role("textbox", name="I want to…").fill("slip past him")
    form.get_by_role("combobox", name="with").select_option(label="Stealthy B3")
    anna.shot("own_half")
    anna.begin()

    expect(bert.shared_card).to_be_visible()
    theirs = row(bert.shared_card, "ability")
    expect(theirs).to_contain_text("Ability (Tam)")
    expect(row(anna.shared_card, "ability").get_by_role("combobox")).to_have_count(0)
    # Nobody knows yet with what he rolls.
    expect(anna.shared_card).not_to_contain_text("rolls Tam")
    roll(anna)  # she is ready; it waits for Bert
    expect(anna.play.locator("ast-release")).to_contain_text("Bert")
    bert.shot("other_half_phone")
    bert.drafts("ability", "Observation")
    expect(anna.shared_card).to_contain_text("Observation")
    bert.shot("other_half_filled_phone")
    anna.shot("both_halves")
    gus.settle()
    gus.shot("both_halves_gm")
    people.play_out(anna, bert, gus)
    expect(anna.reads_details()).to_contain_text("Observation")
    anna.shot("over")


def test_it_begins_from_the_sheet_and_from_a_plain_test(people: People) -> None:
    campaign = people.server.create("burning_wheel")
    campaign.seat("Anna", "mara")
    campaign.seat("Bert", "tam")
    anna = people.sits(campaign, "anna", size=LARGE)
    anna.sheet.get_by_role("button", name=re.compile("^About Stealthy")).first.click()
    anna.page.get_by_role("button", name="Versus test with Stealthy").click()
    against(anna).filter(has_text="Tam").click()
    form = anna.play.locator("ast-form")
    expect(form.get_by_role("combobox", name="with")).to_have_value("Stealthy")
    anna.play.get_by_role("button", name="Cancel").click()

    form = anna.compose()
    form.get_by_role("textbox", name="I want to…").fill("hear what he whispers")
    anna.play.get_by_role("button", name="Against somebody…").click()
    against(anna).filter(has_text="Tam").click()
    expect(form.get_by_role("textbox", name="I want to…")).to_have_value("hear what he whispers")
    anna.play.get_by_role("button", name="Change against whom").click()
    against(anna).nth(1).click()
    expect(form.get_by_role("textbox", name="I want to…")).to_have_value("hear what he whispers")


def test_a_lone_gm_chooses_both_and_can_fill_in_every_side(people: People) -> None:
    gus = people.sits(people.server.create("burning_wheel"), "gm", size=LARGE)
    begins(gus)
    against(gus).filter(has_text="Mara").click()
    expect(gus.play.locator("ast-form").get_by_role("combobox", name="as")).not_to_have_value(
        "mara"
    )
    gus.play.get_by_role("button", name="Add another opponent").click()
    against(gus).filter(has_text="Tam").click()
    expect(gus.play.get_by_text("Against Mara and Tam")).to_be_visible()
    gus.shot("three_sides")
    gus.play.get_by_role("button", name="Change against whom").click()
    gus.play.get_by_role("button", name="Fill in all sides yourself").click()
    expect(gus.play.locator("ast-form").get_by_role("group", name="Side 2")).to_be_visible()


@pytest.mark.parametrize(
    ("game", "title", "asked"),
    [("cores", "Opposed test", "Core of the other side"), ("percentile", "Opposed test", "")],
)
def test_other_games_ask_it_too(people: People, game: str, title: str, asked: str) -> None:
    campaign = people.server.create(game)
    gus = people.sits(campaign, "gm", size=LARGE)
    gus.play.get_by_role("button", name="All tests and actions").click()
    gus.play.get_by_role("searchbox").fill(title)
    gus.play.locator(".pick-list").get_by_role("button", name=title, exact=True).click()
    against(gus).first.click()
    form = gus.play.locator("ast-form")
    if asked:
        expect(form.get_by_role("combobox", name=asked)).to_be_visible()
        for box in form.get_by_role("combobox", name=re.compile("Core|with")).all():
            box.select_option(index=1)
    gus.shot(game)
    gus.begin()
    expect(gus.shared_card).to_be_visible()
    gus.shot(f"{game}_card")


@pytest.mark.parametrize("size", [LARGE, PHONE], ids=["wide", "phone"])
def test_nothing_serious_while_one_chooses(people: People, size: tuple[int, int]) -> None:
    campaign = people.server.create("burning_wheel")
    campaign.seat("Anna", "mara")
    anna = people.sits(campaign, "anna", size=size)
    begins(anna)
    expect(against(anna)).not_to_have_count(0)
    anna.shot("against")
    assert faults(anna, "ast-composer") == []
    against(anna).first.click()
    expect(anna.play.locator("ast-form")).to_be_visible()
    anna.shot("half")
    assert faults(anna, "ast-composer") == []
