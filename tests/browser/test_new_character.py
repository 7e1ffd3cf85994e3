"""A character from nothing, from a ready one and from a file: made on one page, and played."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from browser.people import PHONE, WIDE, People, Person
from browser.test_accessibility import faults

MOST_INPUTS = 40
"""From an empty table to the first roll, with a full sheet."""

STATS = {"Will": "4", "Perception": "5", "Agility": "4", "Speed": "4", "Power": "3", "Forte": "4"}
LINES = {
    "Belief": ("I will find who sold out my father.", "Nobody owns me.", "I will get Tam out."),
    "Instinct": ("Always know a way out.", "Never work unpaid.", "If cornered, talk first."),
}
ACTOR = Path(__file__).parents[1] / "games/burning_wheel/pages/actor.json"


class Maker:
    """Somebody at the page for a new character, who counts every input."""

    def __init__(self, person: Person) -> None:
        self.person = person
        self.inputs = 0

    @property
    def page(self) -> Locator:
        return self.person.page.get_by_role("dialog", name="New character")

    def opens(self) -> None:
        self.presses(self.person.play.get_by_role("button", name="New character"))
        expect(self.page.get_by_label("Name", exact=True)).to_be_focused()

    def presses(self, button: Locator) -> None:
        button.click()
        self.inputs += 1

    def fills(self, label: str, text: str) -> None:
        self.page.get_by_label(label, exact=True).fill(text)
        self.inputs += 1

    def adds(self, label: str, text: str) -> None:
        """Type something into a list, and press Enter."""
        self.fills(label, text)
        self.page.get_by_label(label, exact=True).press("Enter")
        self.inputs += 1

    def field(self, label: str) -> Locator:
        named = self.person.page.get_by_label(label, exact=True)
        return self.page.locator(".field").filter(has=named)

    def creates(self) -> None:
        self.presses(self.page.get_by_role("button", name="Create"))


def at_an_empty_table(
    people: People, game: str = "burning_wheel", **more: Any
) -> tuple[Person, Maker]:
    gus = people.sits(people.server.create(game, demo=False), "gm", **more)
    return gus, Maker(gus)


def test_full_character_from_nothing_to_the_first_roll_in_forty_inputs(people: People) -> None:
    gus, maker = at_an_empty_table(people, size=(1400, 900))
    maker.opens()
    maker.fills("Name", "Mara")
    maker.fills("Concept", "Smuggler's daughter, now a courier")
    for what, texts in LINES.items():
        for number, text in enumerate(texts, 1):
            maker.fills(f"{what} {number}", text)
    for stat, exponent in STATS.items():
        maker.fills(stat, exponent)
    health = maker.page.get_by_label("Health", exact=True)
    expect(health).to_have_attribute("placeholder", "B4")  # what follows is there at once
    maker.fills("Steel", "5")
    maker.fills("Resources", "2")
    maker.adds("Add to Skills", "Streetwise 4, Stealthy 3, Lockpick 2, Persuasion 4, Knives 3")
    maker.adds("Add to Skills", "harbour-wise 5")
    maker.fills("Traits", "Cool-headed, Scar across the chin")
    maker.fills("Relationships", "Tam: her younger brother")
    maker.fills("Gear", "lantern, lock picks")
    maker.fills("Weapons", "dagger")
    expect(maker.page.get_by_text("Ready")).to_be_visible()
    gus.shot("filled_in", whole=True)
    maker.creates()
    expect(maker.page).to_have_count(0)
    sheet = gus.sheet
    expect(sheet.get_by_role("heading", level=2)).to_have_text("Mara")
    for shown in ("Tam", "her younger brother", "Cool-headed", "dagger", "Unhurt"):
        expect(sheet.get_by_text(shown).first).to_be_visible()
    gus.shot("created")
    maker.presses(sheet.get_by_role("button", name="Test Persuasion"))
    gus.is_asked()
    gus.drafts("obstacle", 2)
    maker.inputs += 1
    maker.presses(gus.play.get_by_role("button", name="Roll"))
    expect(gus.log.get_by_text("Persuasion").first).to_be_visible()
    # In the log if that settled it; a failed test still has to be told of by the GM.
    expect(gus.page.locator("ast-log .die, ast-play .die").first).to_be_attached()
    gus.shot("rolled")
    assert maker.inputs <= MOST_INPUTS, maker.inputs


def test_impossible_number_is_named_beside_its_field_with_its_rule(people: People) -> None:
    gus, maker = at_an_empty_table(people)
    maker.opens()
    maker.fills("Name", "Bert")
    maker.fills("Will", "44")
    maker.fills("Power", "strong")
    maker.fills("Weapons", "lightsaber")
    maker.adds("Add to Skills", "Falconry 3")
    will = maker.field("Will")
    expect(will.locator(".field-error")).to_contain_text("an exponent up to 10")
    will.locator(".field-error").get_by_role("button").click()
    rule = maker.page.get_by_role("dialog")
    expect(rule).to_be_focused()
    gus.page.keyboard.press("Escape")
    expect(rule).to_have_count(0)
    expect(maker.page).to_be_visible()
    for label, what in (("Power", "as in B4"), ("Weapons", "one of bare fist")):
        field = maker.field(label)
        expect(field.locator(".field-error")).to_contain_text(what)
    expect(maker.page.get_by_text("Root unknown: Falconry")).to_be_visible()
    expect(maker.page.get_by_text("To fix or fill in: Will, Power, Weapons")).to_be_visible()
    gus.shot("impossible")
    maker.creates()
    expect(maker.page.get_by_label("Will", exact=True)).to_be_focused()
    assert not gus.page.locator("ast-people .character").count()
    maker.fills("Will", "4")
    expect(will.locator(".field-error")).to_be_empty()


def test_what_was_typed_survives_a_reload(people: People) -> None:
    gus, maker = at_an_empty_table(people)
    maker.opens()
    maker.fills("Name", "Wilda")
    maker.fills("Will", "6")
    expect(maker.page.get_by_text("Hesitation 4")).to_be_visible()
    gus.page.reload()
    maker.opens()
    expect(maker.page.get_by_label("Name", exact=True)).to_have_value("Wilda")
    expect(maker.page.get_by_label("Will", exact=True)).to_have_value("6")


def test_ready_character_is_a_start_and_its_player_edits_it_freely_until_a_test(
    people: People,
) -> None:
    campaign = people.server.create("burning_wheel", demo=False)
    campaign.seat("Anna")
    gus, anna = people.sits(campaign, "gm"), people.sits(campaign, "anna")
    maker = Maker(anna)
    maker.opens()
    maker.page.get_by_label("Start from").select_option("courtier")
    expect(maker.page.get_by_label("Name", exact=True)).to_have_value("Courtier")
    expect(maker.page.get_by_label("Court Gossip-wise", exact=True)).to_have_value("B4")
    maker.fills("Name", "Isaak")
    maker.creates()
    expect(anna.sheet.get_by_role("heading", level=2)).to_have_text("Isaak")
    expect(anna.sheet.get_by_text("Schemer").first).to_be_visible()
    sheet = anna.edits_sheet()
    sheet.get_by_role("button", name="Fate: 0. Edit").click()
    sheet.get_by_role("spinbutton").fill("1")
    sheet.get_by_role("button", name="Save").click()
    expect(sheet.get_by_role("button", name="Fate: 1. Edit")).to_be_visible()
    assert not gus.panel("GM").locator(".proposal").count()
    sheet.get_by_role("button", name="Edit", exact=True).click()
    sheet.get_by_role("button", name="Test Etiquette").click()
    anna.is_asked()
    gus.drafts("obstacle", 1)
    anna.answer()
    people.play_out(anna, gus)
    sheet = anna.edits_sheet()
    sheet.get_by_role("button", name="Persona: 0. Edit").click()
    expect(sheet.get_by_role("button", name="Propose")).to_be_visible()


def test_foundry_actor_is_read_and_what_was_not_understood_is_listed(people: People) -> None:
    gus, maker = at_an_empty_table(people)
    maker.opens()
    maker.page.get_by_label("Or from a file").set_input_files(ACTOR)
    expect(maker.page.get_by_label("Name", exact=True)).to_have_value("Aldric")
    expect(maker.page.get_by_label("Will", exact=True)).to_have_value("B5")
    expect(maker.page.get_by_label("Sword", exact=True)).to_have_value("B4")
    unread = maker.page.get_by_text("Not understood")
    expect(unread).to_be_visible()
    expect(maker.page.locator(".unread")).to_contain_text("Homeland: the Marches")
    gus.shot("foundry", whole=True)
    maker.creates()
    expect(gus.sheet.get_by_role("heading", level=2)).to_have_text("Aldric")
    expect(gus.sheet.get_by_text("Light wound").last).to_be_visible()


def test_own_toml_and_json_are_read_and_unknown_fields_listed(
    people: People, tmp_path: Path
) -> None:
    gus, maker = at_an_empty_table(people)
    maker.opens()
    toml = tmp_path / "sheet.toml"
    toml.write_text('name = "Hild"\nhome = "a mill"\n[stats]\nWill = "B4"\nLuck = "B9"\n')
    maker.page.get_by_label("Or from a file").set_input_files(toml)
    expect(maker.page.get_by_label("Name", exact=True)).to_have_value("Hild")
    for lost in ("home", "stats.Luck"):
        expect(maker.page.locator(".unread")).to_contain_text(lost)
    plain = tmp_path / "sheet.json"
    plain.write_text(json.dumps({"name": "Ott", "stats": {"Will": "B3"}}))
    maker.page.get_by_label("Or from a file").set_input_files(plain)
    expect(maker.page.get_by_label("Name", exact=True)).to_have_value("Ott")
    expect(maker.page.locator(".unread")).to_have_count(0)
    gus.forgive("status of 4")
    plain.write_text("no sheet at all")
    maker.page.get_by_label("Or from a file").set_input_files(plain)
    expect(maker.page.get_by_text("a sheet in TOML or JSON")).to_be_visible()


OTHER_GAMES: dict[str, tuple[dict[str, str], dict[str, str], str]] = {
    "cores": (
        {"Physical": "d8", "Mental": "d6", "Social": "d6", "Resolve": "d6"},
        {"Add to Rocks": "Skating: really physical", "Add to Relationships": "Jo: A"},
        "Test Physical",
    ),
    "signs": (
        {"Skill": "D8", "Think": "D6", "Social": "D6", "Rune": "D4"},
        {"Add to Signs": "Raven: D8: Rooftops, Lockpicks"},
        "Test Skill",
    ),
    "percentile": (
        {},
        {"Agility (Ag)": "38", "Perception (Per)": "45", "Add to Skills": "Dodge: Ag +10"},
        "Test Dodge",
    ),
}


@pytest.mark.parametrize("game", OTHER_GAMES)
def test_characters_of_the_smaller_games_are_made_and_tested(people: People, game: str) -> None:
    gus, maker = at_an_empty_table(people, game)
    chosen, typed, test = OTHER_GAMES[game]
    maker.opens()
    maker.fills("Name", "Kim")
    for label, value in chosen.items():
        maker.page.get_by_label(label, exact=True).select_option(value)
    for label, value in typed.items():
        (maker.adds if label.startswith("Add") else maker.fills)(label, value)
    gus.shot(game)
    maker.creates()
    expect(gus.sheet.get_by_role("heading", level=2)).to_have_text("Kim")
    gus.sheet.get_by_role("button", name=test).locator("visible=true").first.click()
    expect(gus.play.locator("ast-procedure").or_(gus.play.locator("ast-form"))).to_be_visible()


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
def test_long_value_beside_a_name_is_read_as_a_whole(people: People, size: tuple[int, int]) -> None:
    gus, maker = at_an_empty_table(people, "signs", size=size, touch=size == PHONE)
    maker.opens()
    maker.adds("Add to Signs", "Moon: D12: Old Songs")
    maker.adds("Add to Signs", "Owl: D6")
    moon, owl = (maker.page.get_by_label(name, exact=True) for name in ("Moon", "Owl"))
    is_cut = "(box) => box.scrollWidth > box.clientWidth"
    assert not moon.evaluate(is_cut)
    owl.fill("D6: Night Eyes, Silence")
    assert not owl.evaluate(is_cut)
    gus.shot("signs")


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
def test_nothing_serious_on_the_page_for_a_new_character(
    people: People, size: tuple[int, int]
) -> None:
    gus, maker = at_an_empty_table(people, size=size, touch=size == PHONE)
    maker.opens()
    maker.fills("Name", "Mara")
    maker.fills("Will", "44")
    maker.adds("Add to Skills", "Sword 4, Persuasion 3")
    expect(maker.page.get_by_text("an exponent up to 10")).to_be_visible()
    gus.shot("page")
    assert faults(gus, ".new-character") == []
