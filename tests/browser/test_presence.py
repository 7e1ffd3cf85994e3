"""A GM and three players: invited by link, given characters, and a test in each of the games."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from browser.answering import choose
from browser.people import PHONE, People, Person
from browser.server import Server
from table.stores import postgres_server


@pytest.fixture(scope="module")
def server(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with two processes: people at one table are connected to either of them."""
    postgres = postgres_server()
    database = postgres.borrow_database()
    server = Server(tmp_path_factory.mktemp("server"), database, workers=2)
    yield server
    server.stop()
    postgres.give_back(database)


def invited(gm: Person, name: str, role: str = "Player") -> str:
    """The GM invites somebody; the link that is to be sent to them."""
    seats = gm.gm_section("Players and links")
    seats.get_by_role("textbox", name="Name").fill(name)
    seats.get_by_role("combobox", name="Role").select_option(label=role)
    seats.get_by_role("button", name="Invite", exact=True).click()
    link = seats.get_by_role("textbox", name=f"Link for {name}")
    expect(link).to_have_value(re.compile("/join/"))
    return link.input_value()


def test_gm_creates_invites_three_and_gives_them_characters(people: People) -> None:
    gus = people.comes("Gus")
    gus.page.get_by_role("textbox", name="Your name").fill("Gus")
    gus.page.get_by_role("combobox", name="Game").select_option("burning_wheel")
    gus.page.get_by_role("textbox", name="Campaign name").fill("Low tide")
    gus.page.get_by_role("button", name="Create").click()
    expect(gus.page.get_by_role("heading", name="A new table")).to_be_visible()

    adding = gus.gm_section("Add a character")
    for ready in ("mara", "tam"):
        adding.get_by_role("combobox", name="Or pre-made").select_option(ready)
        adding.get_by_role("button", name="Add").click()
        expect(gus.page.locator("ast-people").get_by_text(ready.title()).first).to_be_visible()
    adding.get_by_role("textbox", name="In one line").fill("guard, 4s, sword B4")
    adding.get_by_role("button", name="Add").click()
    expect(gus.page.locator("ast-people").get_by_text(re.compile("guard", re.I))).to_be_visible()

    anna = people.comes("Anna", invited(gus, "Anna"))
    bert = people.comes("Bert", invited(gus, "Bert"), size=PHONE)
    walt = people.comes("Walt", invited(gus, "Walt", "Spectator"))
    gus.shot("links")
    seats = gus.gm_section("Players and links")
    seats.get_by_role("combobox", name="Who plays Mara").select_option(label="Anna")
    gus.page.keyboard.press("Tab")
    seats.get_by_role("combobox", name="Who plays Tam").select_option(label="Bert")

    expect(anna.sheet.get_by_role("heading", name="Mara")).to_be_visible()
    expect(bert.play.get_by_role("button", name="I want to…")).to_be_visible()
    expect(bert.panel("Sheet").get_by_role("heading", name="Tam")).to_be_visible()
    expect(walt.play.get_by_role("button", name="I want to…")).to_be_hidden()
    for person in (anna, walt):  # The link itself is shown no more.
        expect(person.page).to_have_url(re.compile(rf"^{re.escape(people.server.url)}/t/"))
    expect(gus.page.locator("ast-people li.person", has_text="Anna")).to_contain_text("online")
    anna.shot("seated")


def test_link_that_was_revoked_opens_nothing(people: People) -> None:
    gus = people.sits(people.server.create("signs"), "gm")
    link = invited(gus, "Anna")
    anna = people.comes("Anna", link)
    expect(anna.play).to_be_visible()
    anna.forgive("status of 40", "WebSocket connection")
    gus.will_say(None)
    gus.gm_section("Players and links").get_by_role("button", name="Revoke Anna's link").click()
    expect(anna.page.get_by_role("heading", name="You are not at this table.")).to_be_visible()
    again = people.comes("whoever finds the link", link)
    again.forgive("status of 40")
    expect(again.page.get_by_role("heading")).to_have_text("This link is not valid.")


FOUR = {
    "burning_wheel": (
        "Mara looks for the smugglers' door",
        ("mara", "tam"),
        ("help", "Observation"),
    ),
    "cores": (
        "Robin takes the stairs by skateboard",
        ("robin", "jo"),
        ("support", "Direct support"),
    ),
    "signs": (
        "Ysolde goes in over the roofs",
        ("ysolde", "bram"),
        ("help", "Help with Strong Arms"),
    ),
}


@pytest.mark.parametrize("game", FOUR)
def test_test_with_help_is_played_to_its_end_by_all(people: People, game: str) -> None:
    label, (hero, helper), (key, help_given) = FOUR[game]
    campaign = people.server.create(game)
    campaign.seat("Anna", hero)
    campaign.seat("Bert", helper)
    campaign.seat("Walt", role="spectator")
    gus, anna, bert, walt = (people.sits(campaign, seat) for seat in ("gm", "anna", "bert", "walt"))

    anna.suggestion(label)
    bert.drafts(key, help_given)
    for person in (gus, anna, walt):  # all see it at once
        expect(person.shared_card).to_contain_text(help_given.split()[-1], ignore_case=True)
    expect(walt.play.locator("ast-card :is(input, select, textarea)")).to_have_count(0)
    people.play_out(gus, anna, bert)

    all_read_the_same(people)
    expect(walt.play.locator(".mine > *")).to_have_count(0)
    # The help stands in the log.
    expect(walt.reads_details()).to_contain_text(help_given.split()[-1], ignore_case=True)
    anna.shot("player")
    gus.shot("gm")


def test_players_are_not_offered_what_names_somebody_hidden(people: People) -> None:
    campaign = people.server.create("percentile")
    campaign.seat("Anna", "ilse")
    gus, anna = people.sits(campaign, "gm"), people.sits(campaign, "anna")
    expect(gus.play.get_by_role("button", name="Ilse sees through")).to_be_visible()
    expect(anna.play.get_by_role("button", name="Ilse breaks the cipher")).to_be_visible()
    expect(anna.play.get_by_role("button", name="Ilse sees through")).to_have_count(0)


def test_percentile_test_is_composed_and_played_by_all(people: People) -> None:
    campaign = people.server.create("percentile", demo=False)
    for name, ready in (("Anna", "tobin"), ("Bert", "ilse")):
        seat = campaign.seat(name)
        campaign.do({"do": "join", "character": ready, "ready": ready}, seat)
    gus, anna, bert = (people.sits(campaign, seat) for seat in ("gm", "anna", "bert"))
    form = anna.compose()
    form.get_by_role("textbox", name="I want to").fill("lift the pump's lid")
    choose(form.get_by_role("combobox", name=re.compile("^with")), "Strength")
    form.get_by_role("group", name="Assistants", exact=True).get_by_label("Ilse").check()
    anna.shot("composed")
    anna.begin()
    people.play_out(gus, anna, bert)
    all_read_the_same(people)
    expect(bert.reads_details()).to_contain_text("Ilse")


def all_read_the_same(people: People) -> None:
    # The GM has one more button there.
    results = [person.page.locator(".result-card > :not(header)").first for person in people.all]
    for result in results:
        expect(result).to_be_visible()
    people.all[0].until(
        lambda: len({result.inner_text() for result in results}) == 1, "they read different things"
    )
    for person in people.all:
        expect(person.log.locator("article.play")).to_have_count(1)
        expect(person.page.locator(".die")).not_to_have_count(0)
