"""A server that dies in the middle, and somebody who comes back days later."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from browser.answering import row
from browser.people import People
from browser.server import Server
from browser.test_accessibility import faults

SMALL_PHONE = (360, 480)
DAYS_AGO = """
for (const key of Object.keys(localStorage)) {
  if (!key.startsWith("astragal:seen:")) continue;
  const seen = JSON.parse(localStorage.getItem(key));
  localStorage.setItem(key, JSON.stringify({ ...seen, at: seen.at - 3 * 86400 * 1000 }));
}
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that is killed here, and that nobody else uses."""
    server = Server(tmp_path_factory.mktemp("server"))
    yield server
    server.stop()


def test_killed_server_comes_back_and_nothing_is_lost(people: People) -> None:
    campaign = people.server.create("burning_wheel")
    campaign.seat("Anna", "mara")
    gus, anna = people.sits(campaign, "gm"), people.sits(campaign, "anna")
    for person in (gus, anna):
        person.forgive("WebSocket connection", "ERR_CONNECTION", "Failed to load resource")
    anna.suggestion("Mara looks for the smugglers' door")
    card = gus.is_asked()
    said = row(card, "on_failure").get_by_role("textbox")
    said.fill("the door, and who built")
    anna.play.get_by_role("textbox", name="Message").fill("Wait, I think I")
    gus.frames.clear()

    people.server.kill()
    for person in (gus, anna):
        expect(person.page.get_by_text("Connection lost.")).to_be_visible()
    anna.shot("lost")
    assert faults(anna) == []
    expect(said).to_have_value("the door, and who built")
    said.press_sequentially(" it")

    people.server.start()
    for person in (gus, anna):
        expect(person.page.get_by_text("Connection lost.")).to_be_hidden()
    expect(said).to_have_value("the door, and who built it")
    words = anna.play.get_by_role("textbox", name="Message")
    expect(words).to_have_value("Wait, I think I")

    people.play_out(gus, anna)
    for person in (gus, anna):
        expect(person.page.get_by_role("region", name="Result")).to_be_visible()
    expect(gus.reads_details()).to_contain_text("the door, and who built it")
    words.fill("Wait, I think I heard something")
    anna.play.get_by_role("button", name="Send", exact=True).click()
    gus.hears("Wait, I think I heard something")


def test_what_is_said_while_the_line_is_down_is_sent_once(people: People) -> None:
    campaign = people.server.create("signs")
    campaign.seat("Anna", "ysolde")
    gus = people.sits(campaign, "gm")
    anna = people.sits(campaign, "anna", size=SMALL_PHONE, touch=True)
    for person in (gus, anna):
        person.forgive("WebSocket connection", "ERR_CONNECTION", "Failed to load resource")
    people.server.kill()
    lost = anna.page.get_by_text("Connection lost.")
    expect(lost).to_be_visible()
    anna.page.evaluate("scrollTo(0, document.body.scrollHeight)")
    assert anna.page.evaluate("scrollY") > 100
    expect(lost).to_be_in_viewport(ratio=1)
    anna.shot("lost_phone")
    anna.say("Is anybody there?")
    people.server.start()
    gus.hears("Is anybody there?")
    expect(anna.log.get_by_text("Is anybody there?")).to_have_count(1)
    expect(gus.log.get_by_text("Is anybody there?")).to_have_count(1)


def test_coming_back_later_shows_what_happened_since(people: People) -> None:
    campaign = people.server.create("burning_wheel")
    campaign.seat("Anna", "mara")
    campaign.do({"do": "say", "text": "Until next week."})
    anna = people.sits(campaign, "anna")
    anna.hears("Until next week.")
    expect(anna.log.get_by_text("New since your last visit")).to_have_count(0)
    anna.page.evaluate(DAYS_AGO)
    here = anna.page.url
    anna.page.goto("about:blank")
    campaign.do({"do": "say", "text": "Orrin has left the town."})
    campaign.do({"do": "say", "text": "His house is empty."})

    anna.page.goto(here)
    since = anna.log.get_by_text("New since your last visit")
    expect(since).to_be_visible()
    new = "New since your last visit", "Orrin has left the town.", "His house is empty."
    expect(anna.log).to_contain_text(
        re.compile(".*".join(map(re.escape, ("Until next week.", *new))), re.DOTALL)
    )
    anna.shot("since")
