"""A GM and three players: invited by link, given characters, and a test in each of the games."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from browser.answering import choose
from browser.house import House
from browser.people import PHONE, People, Person

pytestmark = pytest.mark.xdist_group("browser-company")


@pytest.fixture(scope="module")
def house(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A house with two processes: pages find their table in the one where it is at home."""
    house = House(tmp_path_factory.mktemp("house"), workers=2)
    yield house
    house.stop()


def invited(gm: Person, name: str, role: str = "plays") -> str:
    """The GM invites somebody from the hand; the link that is to be sent to them."""
    seats = gm.hand("People and links")
    seats.get_by_role("textbox", name="Invite somebody").fill(name)
    seats.get_by_role("combobox", name="who", exact=True).select_option(label=role)
    seats.get_by_role("button", name="Invite", exact=True).click()
    link = seats.get_by_role("textbox", name=f"Link for {name}")
    expect(link).to_be_visible()
    return link.input_value()


def test_gm_founds_invites_three_and_gives_them_characters(people: People) -> None:
    gus = people.comes("Gus")
    gus.page.get_by_role("textbox", name="Your name").fill("Gus")
    gus.page.get_by_role("combobox", name="Game").select_option("burning_wheel")
    gus.page.get_by_role("textbox", name="Title").fill("Low tide")
    gus.page.get_by_role("button", name="Found it").click()
    expect(gus.page.get_by_role("heading", name="A new table")).to_be_visible()

    bring = gus.hand("Bring somebody in")
    for ready in ("mara", "tam"):
        bring.get_by_role("combobox", name="Or a ready one").select_option(ready)
        bring.get_by_role("button", name="Bring in").click()
        expect(gus.page.locator("ast-people").get_by_text(ready.title()).first).to_be_visible()
    bring.get_by_role("textbox", name="In one line").fill("guard, 4s, sword B4")
    bring.get_by_role("button", name="Bring in").click()
    expect(gus.page.locator("ast-people").get_by_text(re.compile("guard", re.I))).to_be_visible()

    anna = people.comes("Anna", invited(gus, "Anna"))
    bert = people.comes("Bert", invited(gus, "Bert"), size=PHONE)
    walt = people.comes("Walt", invited(gus, "Walt", "watches"))
    gus.shot("links")
    seats = gus.hand("People and links")
    seats.get_by_role("combobox", name="Who plays Mara").select_option(label="Anna")
    gus.page.keyboard.press("Tab")
    seats.get_by_role("combobox", name="Who plays Tam").select_option(label="Bert")

    expect(anna.sheet.get_by_role("heading", name="Mara")).to_be_visible()
    expect(bert.stage.get_by_role("button", name="I want to…")).to_be_visible()
    expect(bert.panel("Sheet").get_by_role("heading", name="Tam")).to_be_visible()
    expect(walt.stage.get_by_role("button", name="I want to…")).to_be_hidden()
    for person in (anna, walt):
        assert person.page.url.startswith(f"{people.house.url}/t/"), "the link is still shown"
    expect(gus.page.locator("ast-people li.person", has_text="Anna")).to_contain_text("here")
    anna.shot("seated")


def test_link_that_was_revoked_opens_nothing(people: People) -> None:
    gus = people.sits(people.house.found("signs"), "gm")
    link = invited(gus, "Anna")
    anna = people.comes("Anna", link)
    expect(anna.stage).to_be_visible()
    anna.forgive("status of 40", "WebSocket connection")
    gus.will_say(None)
    gus.hand("People and links").get_by_role("button", name="Revoke the link of Anna").click()
    expect(anna.page.get_by_role("heading", name="You have no seat at this table.")).to_be_visible()
    again = people.comes("whoever finds the link", link)
    again.forgive("status of 40")
    expect(again.page.get_by_role("heading")).to_have_text("This link does not lead to a seat.")


FOUR = {
    "burning_wheel": (
        "Mara looks for the smugglers' door",
        ("mara", "tam"),
        ("Help with", "Observation"),
    ),
    "cores": ("Robin takes the stairs by skateboard", ("robin", "jo"), ("help", "Lends a hand")),
    "signs": (
        "Ysolde goes in over the roofs",
        ("ysolde", "bram"),
        ("help Ysolde", {"help Ysolde": "help with Strong Arms"}),
    ),
}


@pytest.mark.parametrize("game", FOUR)
def test_test_with_help_is_played_to_its_end_by_all(people: People, game: str) -> None:
    label, (hero, helper), (asked, help_given) = FOUR[game]
    gathering = people.house.found(game)
    gathering.seat("Anna", hero)
    gathering.seat("Bert", helper)
    gathering.seat("Walt", role="spectator")
    gus, anna, bert, walt = (
        people.sits(gathering, seat) for seat in ("gm", "anna", "bert", "walt")
    )

    def helps(who: Person, card: str) -> Any:
        return help_given if who is bert and asked in card else None

    anna.suggestion(label)
    cards = people.play_out(gus, anna, bert, choose=helps)

    for name in ("gm", "anna"):
        assert any(card.startswith(f"{name}: ") for card in cards), name
    assert any(card.startswith("bert: ") and asked in card for card in cards), cards
    all_read_the_same(people)
    assert walt.stage.locator(".mine > *").count() == 0
    told = walt.log.locator("article.play").text_content() or ""
    given = help_given[asked] if isinstance(help_given, dict) else help_given
    assert given.split()[-1].lower() in told.lower(), "the help stands in the log"
    anna.shot("player")
    gus.shot("gm")


def test_players_are_not_offered_what_names_somebody_hidden(people: People) -> None:
    gathering = people.house.found("percentile")
    gathering.seat("Anna", "ilse")
    gus, anna = people.sits(gathering, "gm"), people.sits(gathering, "anna")
    expect(gus.stage.get_by_role("button", name="Ilse sees through")).to_be_visible()
    expect(anna.stage.get_by_role("button", name="Ilse breaks the cipher")).to_be_visible()
    expect(anna.stage.get_by_role("button", name="Ilse sees through")).to_have_count(0)


def test_percentile_test_is_composed_and_played_by_all(people: People) -> None:
    gathering = people.house.found("percentile", demo=False)
    for name, ready in (("Anna", "tobin"), ("Bert", "ilse")):
        seat = gathering.seat(name)
        gathering.do({"do": "join", "character": ready, "ready": ready}, seat)
    gus, anna, bert = (people.sits(gathering, seat) for seat in ("gm", "anna", "bert"))
    form = anna.compose()
    form.get_by_role("textbox", name="I want to").fill("lift the pump's lid")
    choose(form.get_by_role("combobox", name=re.compile("^with")), "Strength")
    form.get_by_role("group", name="Assistants", exact=True).get_by_label("Ilse").check()
    anna.shot("composed")
    anna.begin()
    people.play_out(gus, anna, bert)
    all_read_the_same(people)
    assert "Ilse" in (bert.log.locator("article.play").text_content() or "")


def all_read_the_same(people: People) -> None:
    results = [person.page.get_by_role("region", name="What came of it") for person in people.all]
    for result in results:
        expect(result).to_be_visible()
    assert len({result.inner_text() for result in results}) == 1
    for person in people.all:
        assert person.log.locator("article.play").count() == 1
        assert person.page.locator(".die").count() > 0
