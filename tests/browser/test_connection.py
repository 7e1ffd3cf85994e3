"""A server that dies in the middle, and somebody who comes back days later."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from browser.answering import row
from browser.people import People

pytestmark = pytest.mark.xdist_group("browser-connection")

DAYS_AGO = """
for (const key of Object.keys(localStorage)) {
  if (!key.startsWith("astragal:seen:")) continue;
  const seen = JSON.parse(localStorage.getItem(key));
  localStorage.setItem(key, JSON.stringify({ ...seen, at: seen.at - 3 * 86400 * 1000 }));
}
"""


def test_killed_server_comes_back_and_nothing_is_lost(people: People) -> None:
    gathering = people.house.found("burning_wheel")
    gathering.seat("Anna", "mara")
    gus, anna = people.sits(gathering, "gm"), people.sits(gathering, "anna")
    for person in (gus, anna):
        person.forgive("WebSocket connection", "ERR_CONNECTION", "Failed to load resource")
    anna.suggestion("Mara looks for the smugglers' door")
    card = gus.is_asked()
    said = row(card, "What does success bring").get_by_role("textbox")
    said.fill("the door, and who built")
    anna.stage.get_by_role("textbox", name="Say something").fill("Wait, I think I")
    gus.frames.clear()

    people.house.kill()
    for person in (gus, anna):
        expect(person.page.get_by_text("The connection is lost.")).to_be_visible()
    anna.shot("lost")
    assert said.input_value() == "the door, and who built"
    said.press_sequentially(" it")

    people.house.start()
    for person in (gus, anna):
        expect(person.page.get_by_text("The connection is lost.")).to_be_hidden()
    assert said.input_value() == "the door, and who built it"
    words = anna.stage.get_by_role("textbox", name="Say something")
    assert words.input_value() == "Wait, I think I"

    people.play_out(gus, anna)
    for person in (gus, anna):
        expect(person.page.get_by_role("region", name="What came of it")).to_be_visible()
    told = gus.log.locator("article.play")
    assert "the door, and who built it" in (told.text_content() or "")
    words.fill("Wait, I think I heard something")
    anna.stage.get_by_role("button", name="Say", exact=True).click()
    gus.hears("Wait, I think I heard something")


def test_what_is_said_while_the_line_is_down_is_sent_once(people: People) -> None:
    gathering = people.house.found("signs")
    gathering.seat("Anna", "ysolde")
    gus, anna = people.sits(gathering, "gm"), people.sits(gathering, "anna")
    for person in (gus, anna):
        person.forgive("WebSocket connection", "ERR_CONNECTION", "Failed to load resource")
    people.house.kill()
    expect(anna.page.get_by_text("The connection is lost.")).to_be_visible()
    anna.say("Is anybody there?")
    people.house.start()
    gus.hears("Is anybody there?")
    expect(anna.log.get_by_text("Is anybody there?")).to_have_count(1)
    assert gus.log.get_by_text("Is anybody there?").count() == 1


def test_coming_back_later_shows_what_happened_since(people: People) -> None:
    gathering = people.house.found("burning_wheel")
    gathering.seat("Anna", "mara")
    gathering.do({"do": "say", "text": "Until next week."})
    anna = people.sits(gathering, "anna")
    anna.hears("Until next week.")
    assert anna.log.get_by_text("since you were here").count() == 0
    anna.page.evaluate(DAYS_AGO)
    here = anna.page.url
    anna.page.goto("about:blank")
    gathering.do({"do": "say", "text": "Orrin has left the town."})
    gathering.do({"do": "say", "text": "His house is empty."})

    anna.page.goto(here)
    since = anna.log.get_by_text("since you were here")
    expect(since).to_be_visible()
    entries = anna.log.inner_text()
    assert entries.index("His house is empty.") < entries.index("Orrin has left the town.")
    assert entries.index("Orrin has left the town.") < entries.index("since you were here")
    assert entries.index("since you were here") < entries.index("Until next week.")
    anna.shot("since")
