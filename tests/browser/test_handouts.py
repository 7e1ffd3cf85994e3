"""Handouts and portraits: chosen by the GM, seen by those who may, and by nobody else."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, expect

from browser.people import PHONE, People, Person
from browser.pictures import a_picture, no_picture
from browser.test_accessibility import faults

LARGE = (1400, 900)
LETTER = "Meet me at the mill after dark.\nTell nobody, and bring the roll."


def is_drawn(image: Locator) -> None:
    """An image has arrived, and is not broken."""
    expect(image).to_be_visible()
    expect(image).to_have_js_property("complete", True)
    expect(image).not_to_have_js_property("naturalWidth", 0)


def hands_out(gus: Person, title: str, text: str, *to: str, picture: bool = False) -> None:
    part = gus.gm_section("Handouts")
    part.get_by_label("Title").fill(title)
    part.get_by_label("Text").fill(text)
    if picture:
        part.get_by_label("Image").set_input_files(a_picture())
    for name in to:
        part.get_by_role("group", name="Show to").get_by_text(name, exact=True).click()
    part.get_by_role("button", name="Show" if to else "Save for later", exact=True).click()
    expect(part.locator("li").filter(has_text=title)).to_be_visible()


def test_a_handout_reaches_those_who_are_chosen_and_nobody_else(people: People) -> None:
    campaign = people.server.create("burning_wheel")
    campaign.seat("Anna", "mara")
    campaign.seat("Ben", "tam")
    gus = people.sits(campaign, "gm", size=LARGE)
    anna = people.sits(campaign, "anna", size=PHONE)
    ben = people.sits(campaign, "ben")
    hands_out(gus, "A letter", LETTER, "Anna", picture=True)
    gus.shot("gm_1400")
    card = anna.play.get_by_role("article", name="A letter")
    expect(card).to_contain_text("Meet me at the mill")
    is_drawn(card.get_by_role("img"))
    anna.shot("phone_390")
    card.get_by_role("button", name="Dismiss").click()
    expect(card).to_have_count(0)
    kept = anna.panel("Notes").get_by_role("article", name="A letter")
    expect(kept).to_contain_text("Meet me at the mill")
    anna.shot("notes_390")
    gus.say("Look at that, Ben.")
    ben.hears("Look at that, Ben.")
    for trace in ("mill", "A letter", "handed_out"):
        assert trace not in ben.dom, trace
        assert not any(trace in frame for frame in ben.frames), trace
    # The same image by its address, with another seat's cookie.
    address = str(kept.get_by_role("img").get_attribute("src"))
    assert anna.page.request.get(people.server.url + address).status == 200
    assert ben.page.request.get(people.server.url + address).status == 404
    part = gus.gm_section("Handouts")
    gus.will_say(None)
    part.get_by_role("button", name="Remove A letter").click()
    expect(kept).to_have_count(0)
    assert anna.page.request.get(people.server.url + address).status == 404


@pytest.mark.parametrize("size", [LARGE, PHONE], ids=["wide", "phone"])
def test_several_handouts_are_read_one_after_another(people: People, size: tuple[int, int]) -> None:
    campaign = people.server.create("burning_wheel")
    campaign.seat("Anna", "mara")
    titles = ("A letter", "A map", "A seal")
    for at, title in enumerate(titles):
        shown = {"id": f"h{at}", "title": title, "text": LETTER, "to": ["anna"]}
        campaign.do({"do": "hand_out", **shown})
    anna = people.sits(campaign, "anna", size=size)
    fresh = anna.play.locator("ast-handouts .handout")
    for title, more in zip(titles, ("2 more handouts", "1 more handout", ""), strict=True):
        expect(fresh).to_have_count(1)
        expect(fresh).to_contain_text(title)
        expect(fresh).to_contain_text(f"It stays under Notes.{f' {more} to read.' if more else ''}")
        anna.shot(title)
        go = fresh.get_by_role("button", name="Next" if more else "Dismiss")
        if title != titles[0]:
            expect(go).to_be_focused()
        go.click()
    expect(fresh).to_have_count(0)
    expect(anna.panel("Notes").locator(".handout h3")).to_have_text(list(reversed(titles)))


def test_a_handout_is_prepared_first_and_changed_later(people: People) -> None:
    campaign = people.server.create("signs")
    campaign.seat("Anna")
    gus = people.sits(campaign, "gm")
    anna = people.sits(campaign, "anna", size=LARGE)
    hands_out(gus, "The omen", "Three crows.")
    part = gus.gm_section("Handouts")
    expect(part.locator("li")).to_contain_text("Nobody yet")
    part.get_by_role("button", name="Edit The omen").click()
    expect(part.get_by_label("Text")).to_have_value("Three crows.")
    part.get_by_role("group", name="Show to").get_by_text("Everyone").click()
    part.get_by_role("button", name="Show", exact=True).click()
    expect(part.locator("li")).to_contain_text("Everyone")
    expect(anna.play.get_by_role("article", name="The omen")).to_contain_text("Three crows.")
    anna.shot("text_1400")
    part.get_by_label("Title").fill("A trick")
    part.get_by_label("Image").set_input_files(no_picture())
    part.get_by_role("button", name="Save for later").click()
    expect(part).to_contain_text("This is not a PNG, JPEG, WebP or GIF image.")


@pytest.mark.parametrize("size", [LARGE, PHONE], ids=["wide", "phone"])
def test_nothing_serious_in_handouts_and_portraits(people: People, size: tuple[int, int]) -> None:
    campaign = people.server.create("burning_wheel")
    campaign.seat("Anna", "mara")
    gus = people.sits(campaign, "gm", size=size)
    anna = people.sits(campaign, "anna", size=size)
    hands_out(gus, "A letter", LETTER, "Anna", picture=True)
    gus.shot("gm")
    assert faults(gus, "#panel-gm") == []
    is_drawn(anna.play.get_by_role("article", name="A letter").get_by_role("img"))
    anna.shot("card")
    assert faults(anna, "#panel-play") == []
    choose_portrait(anna)
    is_drawn(anna.sheet.locator(".sheet-head .portrait"))
    anna.shot("sheet")
    assert faults(anna, "#panel-sheet") == []


def choose_portrait(person: Person) -> None:
    panel = person.panel("Sheet")
    panel.get_by_role("button", name="Print and files").click()
    menu = person.page.get_by_role("dialog", name="Print and files")
    menu.get_by_label("Portrait").set_input_files(a_picture("mara.png", hue=1, height=480))
    expect(menu).to_have_count(0)


def test_a_portrait_is_on_the_sheet_and_beside_the_rolls(people: People) -> None:
    campaign = people.server.create("burning_wheel")
    campaign.seat("Anna", "mara")
    gus = people.sits(campaign, "gm", size=LARGE)
    anna = people.sits(campaign, "anna", size=LARGE)
    choose_portrait(anna)
    is_drawn(anna.sheet.locator(".sheet-head .portrait"))
    anna.shot("sheet_1400")
    is_drawn(gus.page.locator("ast-people .character .portrait").first)
    anna.suggestion("Mara looks for the smugglers' door")
    is_drawn(anna.play.locator("ast-procedure header .portrait").first)
    anna.shot("card_1400")
    people.play_out()
    result = gus.page.get_by_role("region", name="Result")
    is_drawn(result.locator(".rolled .portrait").first)
    box = result.locator(".rolled .portrait").first.bounding_box()
    assert box
    assert (box["width"], box["height"]) == (24, 24)
    gus.shot("roll_1400")
    panel = anna.panel("Sheet")
    panel.get_by_role("button", name="Print and files").click()
    anna.page.get_by_role("button", name="Remove portrait").click()
    expect(anna.sheet.locator(".sheet-head .portrait")).to_have_count(0)
    expect(gus.page.locator("ast-people .portrait")).to_have_count(0)
    gus.hears(re.compile("removes the portrait of Mara"))
