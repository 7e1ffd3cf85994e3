"""The GM's hand: undoing for all, rolling in secret, overruling, pausing, ending the session."""

from __future__ import annotations

import hashlib
import re

import pytest
from playwright.sync_api import expect

from browser.house import Gathering
from browser.people import People, Person

pytestmark = pytest.mark.xdist_group("browser-hand")


def both(people: People) -> tuple[Gathering, Person, Person]:
    """A GM and a player, who plays Mara."""
    gathering = people.house.found("burning_wheel")
    gathering.seat("Anna", "mara")
    return gathering, people.sits(gathering, "gm"), people.sits(gathering, "anna")


def badge(person: Person, character: str, name: str) -> str:
    """What stands beside a character among the people: `Fate 2`."""
    shown = person.page.locator("ast-people button.character", has_text=character).inner_text()
    found = re.search(rf"{name}\s+(\S+)", shown)
    assert found, shown
    return found[1]


def test_undo_takes_it_back_for_all_and_the_log_says_so(people: People) -> None:
    _, gus, anna = both(people)
    awards = gus.hand("Awards")
    assert badge(anna, "Mara", "Fate") == "2"
    awards.get_by_role("button", name="One more Fate for Mara").click()
    expect(anna.page.locator("ast-people").get_by_text(re.compile(r"Fate 3")).first).to_be_visible()
    anna.hears(re.compile("Fate for Mara"))

    gus.will_say("It was Tam's idea")
    gus.hand("Undo").get_by_role("button", name="Undo this").first.click()
    for person in (gus, anna):
        expect(person.log.get_by_text("It was Tam's idea").first).to_be_visible()
        person.log.get_by_text("1 entry was taken back").click()
        expect(person.log.locator("s", has_text="Fate for Mara").first).to_be_visible()
    assert badge(anna, "Mara", "Fate") == badge(gus, "Mara", "Fate") == "2"
    gus.shot("undone")


def test_undo_of_a_test_takes_its_marks_back(people: People) -> None:
    gathering, gus, anna = both(people)
    gus.suggestion("Tam finds the night watchman")
    people.play_out(gus)
    play = anna.log.locator("article.play")
    expect(play).to_have_count(1)
    gus.will_say("The watchman was asleep")
    undo = gus.hand("Undo")
    undo.get_by_role("button", name=re.compile("^Back to: .*Mara")).first.click()
    for person in (gus, anna):
        expect(person.log.locator("article.play.undone")).to_have_count(1)
        expect(person.page.get_by_role("region", name="What came of it")).to_have_count(0)
    assert gathering.do({"do": "say", "text": "Once more, then."}) > 0


def test_secret_throw_is_nowhere_on_the_players_pages(people: People) -> None:
    _, gus, anna = both(people)
    dice = gus.hand("Throw dice")
    dice.get_by_role("textbox", name="Dice").fill("3d6+1")
    dice.get_by_role("textbox", name="What for").fill("does the widow lie")
    expect(dice.get_by_role("checkbox", name="in secret")).to_be_checked()
    dice.get_by_role("button", name="Throw").click()
    expect(gus.log.get_by_text("does the widow lie").first).to_be_visible()
    gus.shot("secret")

    gus.say("Where were we?")
    anna.hears("Where were we?")
    for trace in ("widow", "3d6"):
        assert any(trace in frame for frame in gus.frames)
        assert not any(trace in frame for frame in anna.frames)
        assert trace not in anna.dom

    dice.get_by_role("textbox", name="Dice").fill("2d6")
    dice.get_by_role("textbox", name="What for").fill("the weather")
    dice.get_by_role("checkbox", name="in secret").uncheck()
    dice.get_by_role("button", name="Throw").click()
    anna.hears(re.compile("the weather"))


def test_secret_procedure_and_hidden_characters_stay_with_the_gm(people: People) -> None:
    _, gus, anna = both(people)
    form = gus.compose("A test of somebody's nerves")
    form.get_by_role("combobox", name="Character").first.select_option(label="Harbourmaster Dunn")
    form.get_by_role("combobox", name="Cause").select_option("surprise")
    form.get_by_role("textbox", name="Source").fill("the empty safe")
    gus.stage.get_by_role("checkbox", name="in secret").check()
    gus.begin()
    people.play_out(gus)
    expect(gus.log.locator("article.play")).to_have_count(1)
    gus.say("A door creaks.")
    anna.hears("A door creaks.")
    assert anna.log.locator("article.play").count() == 0
    told = [frame for frame in anna.frames if "Dunn" in frame or "empty safe" in frame]
    assert told == []
    assert "Dunn" not in anna.dom


def test_ruling_has_a_reason_that_all_can_read(people: People) -> None:
    _, gus, anna = both(people)
    ruling = gus.hand("A ruling")
    ruling.get_by_role("combobox", name="Whose").select_option(label="Mara")
    which = ruling.get_by_role("combobox", name="Which value")
    fate = which.get_by_role("option", name=re.compile("Artha: Fate")).inner_text()
    which.select_option(label=fate)
    ruling.get_by_role("spinbutton").fill("5")
    ruling.get_by_role("textbox").last.fill("For the speech on the quay")
    ruling.locator("button.main").click()
    anna.hears(re.compile("For the speech on the quay"))
    expect(anna.page.locator("ast-people").get_by_text(re.compile("Fate 5")).first).to_be_visible()
    gus.shot("ruling")


def test_pause_holds_everybody_until_it_goes_on(people: People) -> None:
    _, gus, anna = both(people)
    going = gus.hand("What is going on")
    going.get_by_role("textbox", name="Pause the game, because").fill("Pizza is here")
    going.get_by_role("button", name="Pause", exact=True).click()
    for person in (gus, anna):
        banner = person.page.locator(".banner", has_text="The game is paused.")
        expect(banner).to_contain_text("Pizza is here")
    expect(anna.stage.get_by_role("button", name="I want to…")).to_be_hidden()
    anna.shot("paused")
    gus.page.locator(".banner").get_by_role("button", name="Go on").click()
    expect(anna.page.locator(".banner")).to_have_count(0)
    expect(anna.stage.get_by_role("button", name="I want to…")).to_be_visible()


def test_end_of_the_session_shows_the_seed_that_was_promised(people: People) -> None:
    _, gus, anna = both(people)
    gus.suggestion("Tam finds the night watchman")
    people.play_out(gus)
    session = gus.hand("The session and its dice")
    promised = session.locator("details.hash", has_text="Fingerprint")
    promised.locator("summary").click()
    commitment = promised.locator("code.whole").inner_text()
    assert re.fullmatch("[0-9a-f]{64}", commitment)

    gus.will_say(None)
    session.get_by_role("button", name="End the session").click()
    notes = anna.panel("Notes")
    notes.get_by_text("Earlier sessions").click()
    assert commitment in notes.inner_html()
    seed = notes.locator("details.hash", has_text="Seed")
    expect(seed).to_be_visible()
    seed.locator("summary").click()
    told = seed.locator("code.whole").inner_text()
    assert hashlib.sha256(bytes.fromhex(told)).hexdigest() == commitment
    assert not any(told in frame for frame in anna.frames[:-1])
    anna.shot("seed")
