"""The log as a story, the recap, undoing the latest step, and the end of a session."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, expect

from browser.answering import put
from browser.people import PHONE, People, Person
from browser.server import Campaign
from browser.test_accessibility import faults, in_the_dark
from browser.test_taps import LARGE

STREETWISE = {
    "character": "mara",
    "intent": "get into the customs house unseen",
    "task": "asks the night porters",
    "ability": "Streetwise",
}
LATER = "Date.now = ((now) => () => now() + {} * 60 * 1000)(Date.now);"
"""A clock that is so many minutes ahead."""


CORNER = """(image) => {
  const canvas = document.createElement("canvas").getContext("2d");
  canvas.drawImage(image, 0, 0);
  return [...canvas.getImageData(20, 3, 1, 1).data].slice(0, 3);
}"""
"""The colour of an image near its edge."""


def paragraphs(person: Person) -> Locator:
    return person.log.locator("article.play .tale")


def is_at_end(person: Person) -> None:
    """The story is scrolled to its latest line."""
    at_end = "(box) => box.scrollTop + box.clientHeight >= box.scrollHeight - 2"
    box = person.log.locator(".log-box")
    person.until(lambda: bool(box.evaluate(at_end)), "the end of the story is not in view")


def a_test(campaign: Campaign, people: People, *seated: Person, **more: str) -> None:
    """A plain test of Mara's, whose dice all fail: whoever rolls has typed them in."""
    campaign.do(
        {"do": "begin", "procedure": "standard_test", "arguments": {**STREETWISE, **more}}, "anna"
    )
    people.play_out(*seated)


def a_table(people: People, size: tuple[int, int] = LARGE) -> tuple[Campaign, Person, Person]:
    campaign = people.server.create("burning_wheel")
    campaign.seat("Anna", "mara")
    campaign.do({"do": "begin_session"})
    campaign.do({"do": "own_dice", "on": True}, "anna")
    gus = people.sits(campaign, "gm", size=size)
    anna = people.sits(campaign, "anna", size=size)
    return campaign, gus, anna


def test_the_log_is_a_story_oldest_first(people: People) -> None:
    campaign, gus, anna = a_table(people)
    expect(anna.log.get_by_role("heading", name=re.compile("^Session 1"))).to_be_visible()
    gus.play.get_by_role("combobox", name="Send to").select_option(label="New scene")
    gus.say("The quay, at night")
    expect(anna.log.get_by_role("heading", name="The quay, at night")).to_be_visible()
    a_test(campaign, people, anna, gus)
    a_test(campaign, people, anna, gus, intent="hear who bought the debts")
    first, second = paragraphs(anna).nth(0), paragraphs(anna).nth(1)
    expect(first).to_contain_text(
        re.compile(
            r"Get into the customs house unseen: asks the night porters \(Mara's Streetwise\): "
            r"0 of 3\. Failed, 3 short\."
        )
    )
    expect(second).to_contain_text("Hear who bought the debts")
    expect(first.locator("xpath=following::*[contains(@class, 'tale')]").first).to_contain_text(
        "Hear who bought the debts"
    )
    # The latest is in view at the end of the story, and details open on a tap.
    is_at_end(anna)
    article = anna.log.locator("article.play").last
    expect(article.locator(".die")).to_have_count(0)
    article.locator("summary", has_text="Details").click()
    expect(article.locator(".die")).to_have_count(4)
    anna.shot("story")
    gus.shot("story_gm")
    expect(anna.log.locator("details.quiet")).to_have_count(1)
    anna.say("And now?")
    expect(anna.log.locator(".entry.said").last).to_contain_text("And now?")


def test_earlier_entries_come_before_the_others_and_nothing_moves(people: People) -> None:
    campaign, gus, _ = a_table(people)
    for number in range(80):
        campaign.do({"do": "say", "text": f"word {number}"}, "anna")
    gus.page.reload()
    said = gus.log.locator(".entry.said")
    expect(said.last).to_contain_text("word 79")
    is_at_end(gus)
    earlier = gus.log.get_by_role("button", name="Show earlier entries")
    earlier.scroll_into_view_if_needed()
    had = said.first.inner_text()
    top = said.filter(has_text=had.split("\n")[0]).first
    before = top.bounding_box()
    earlier.click()
    expect(gus.log.locator(".entry.said").filter(has_text=re.compile(r"word 0\b"))).to_be_attached()
    kept = gus.log.locator(".entry.said").filter(has_text=had.split("\n")[0]).first
    after = kept.bounding_box()
    assert before is not None
    assert after is not None
    assert abs(before["y"] - after["y"]) < 60  # the button above it has gone


def test_the_gm_undoes_the_latest_step_beside_it(people: People) -> None:
    campaign, gus, anna = a_table(people)
    a_test(campaign, people, anna, gus)
    undo = gus.log.get_by_role("button", name="Undo", exact=True)
    expect(undo).to_have_count(1)
    expect(paragraphs(gus).last.get_by_role("button", name="Undo")).to_be_visible()
    expect(anna.log.get_by_role("button", name="Undo")).to_have_count(0)
    gus.shot("undo")
    undo.click()
    expect(gus.log).to_contain_text("undoes")
    expect(anna.play.locator("ast-procedure")).to_have_count(1)  # the last step is open again
    expect(paragraphs(anna).last).to_contain_text("In progress.")


def test_who_comes_back_is_told_what_happened(people: People) -> None:
    campaign, gus, anna = a_table(people)
    campaign.seat("Bert", "tam")
    bert = people.sits(campaign, "bert", size=LARGE, on_new_page=True)  # it gets another clock
    bert.settle()
    bert.page.goto("about:blank")
    campaign.do({"do": "say", "text": "only for the GM", "to": ["gm"]}, "anna")
    a_test(campaign, people, anna, gus)
    campaign.do({"do": "say", "text": "Where is Bert?"}, "anna")
    bert.page.add_init_script(LATER.format(30))
    bert.page.goto(f"{people.server.url}/t/{campaign.id}")
    told = bert.play.get_by_role("region", name="Since you were here")
    expect(told.get_by_role("listitem")).to_have_count(2)
    expect(told).to_contain_text("Get into the customs house unseen")
    expect(told).to_contain_text("Where is Bert?")
    expect(told).not_to_contain_text("only for the GM")
    bert.shot("recap")
    bert.page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    bert.shot("recap_phone")
    told.get_by_role("button", name="Dismiss").click()
    expect(told).to_have_count(0)

    bert.page.goto("about:blank")
    bert.page.add_init_script(LATER.format(60 * 24))
    bert.page.goto(f"{people.server.url}/t/{campaign.id}")
    last = bert.play.get_by_role("region", name="Last time")
    expect(last).to_contain_text("Get into the customs house unseen")


def test_the_end_of_a_session(people: People) -> None:
    campaign, gus, anna = a_table(people)
    campaign.seat("Bert", "tam")
    bert = people.sits(campaign, "bert", size=PHONE, touch=True)
    a_test(campaign, people, anna, gus, bert)
    section = gus.gm_section("Session and dice")
    section.get_by_role("button", name="Artha for the session").click()
    expect(gus.shared_card).to_be_visible()
    gus.shot("artha")
    mara = gus.shared_card.get_by_role("group", name="Artha (Mara)")
    mara.get_by_role("checkbox", name=re.compile("^Belief: Tam is too young")).check()
    mara.get_by_role("checkbox", name="Embodiment").check()
    put(bert.shared_card, "nominations", "Mara for Humor: the goose")
    expect(gus.shared_card).to_contain_text("Mara for Humor: the goose")
    expect(anna.shared_card).to_contain_text(
        "Belief: Tam is too young for this trade. I will get him out of it; Embodiment"
    )
    # Above the ticks each kind of artha, with the rules of all its awards, and no award twice.
    fate = mara.get_by_role("button", name="Fate", exact=True)
    assert mara.inner_text().count("Embodiment") == 1
    fate.click()
    rules = gus.page.get_by_role("dialog", name="Fate")
    expect(rules.locator(".rule-text")).to_have_count(5)
    gus.shot("artha_rules")
    rules.get_by_role("button", name="Close").click()
    gus.settle()
    gus.shot("artha_ticked")
    assert faults(gus, "ast-play") == []
    bert.shot("artha_phone")
    assert faults(bert, "ast-play") == []
    anna.shot("artha_player")
    people.play_out(gus, anna, bert)
    expect(anna.sheet).to_contain_text(re.compile(r"Fate\s*3"), use_inner_text=True)
    expect(anna.sheet).to_contain_text(re.compile(r"Persona\s*2"), use_inner_text=True)
    anna.hears(re.compile("Mara earns 1 fate and 1 persona."))
    expect(anna.play.get_by_role("region", name="Result")).to_contain_text(
        "Mara earns 1 fate and 1 persona."
    )

    gus.will_say(None)
    gus.gm_section("Session and dice").get_by_role("button", name="End session").click()
    for person in (gus, anna, bert):
        ended = person.play.get_by_role("region", name="The end of session 1")
        pictures = ended.get_by_role("img")
        expect(pictures).to_have_count(3)
        for picture in pictures.all():
            expect(picture).to_have_js_property("complete", True)
            assert picture.evaluate("(image) => image.naturalWidth") > 0
        for words in (
            r"^Luck against the odds\. Anna rolled better than 3% of such rolls on average",
            "Mara earned 1 Fate, 1 Persona and spent nothing",
            "Mara logged 1 ",
        ):
            expect(ended.get_by_role("img", name=re.compile(words))).to_be_visible()
    # What lies before the end of a session is not undone from its result.
    result = gus.play.get_by_role("region", name="Result")
    expect(result.get_by_role("button", name="Dismiss")).to_be_visible()
    expect(result.get_by_role("button", name="Undo")).to_have_count(0)
    gus.shot("session_over_gm")
    anna.shot("session_over")
    bert.shot("session_over_phone")
    with anna.page.expect_download() as saved:
        anna.play.get_by_role("link", name="Markdown").click()
    assert "# The Roll of Dues" in saved.value.path().read_text()
    anna.play.get_by_role("region", name="The end of session 1").get_by_role(
        "button", name="Dismiss"
    ).click()
    expect(anna.play.get_by_role("region", name="The end of session 1")).to_have_count(0)
    anna.log.get_by_text("The session in pictures").click()
    expect(anna.log.get_by_role("img")).to_have_count(3)
    anna.shot("pictures_in_the_story")


@pytest.mark.parametrize("game", ["cores", "signs", "percentile"])
def test_the_smaller_games_simply_end(people: People, game: str) -> None:
    campaign = people.server.create(game)
    gus = people.sits(campaign, "gm", size=LARGE)
    suggestion = gus.play.locator(".ideas button").first
    suggestion.click()
    gus.is_asked()
    people.play_out(gus)
    gus.will_say(None)
    gus.gm_section("Session and dice").get_by_role("button", name="End session").click()
    ended = gus.play.get_by_role("region", name="The end of session 1")
    expect(ended.get_by_role("img", name=re.compile("Luck against the odds"))).to_be_visible()
    expect(ended.get_by_role("img")).to_have_count(1)
    gus.shot(game)


def background(person: Person) -> list[int]:
    """The colour of the card that has the pictures of a session."""
    card = person.page.locator(".session-end")
    colour = card.evaluate("(card) => getComputedStyle(card).backgroundColor")
    return [int(part) for part in re.findall(r"\d+", colour)]


@pytest.mark.parametrize("size", [LARGE, PHONE], ids=["wide", "phone"])
def test_nothing_serious_in_story_and_pictures(people: People, size: tuple[int, int]) -> None:
    campaign = people.server.create("burning_wheel")
    campaign.do({"do": "own_dice", "on": True})
    gus = people.sits(campaign, "gm", size=size)
    campaign.do({"do": "begin", "procedure": "standard_test", "arguments": STREETWISE})
    people.play_out(gus)
    campaign.do({"do": "begin", "procedure": "session_artha", "arguments": {}})
    gus.is_asked()
    gus.shot("artha")
    assert faults(gus, "ast-play") == []
    people.play_out(gus)
    campaign.do({"do": "end_session"})
    expect(
        gus.play.get_by_role("region", name="The end of session 1").get_by_role("img").first
    ).to_be_visible()
    gus.shot("session_over")
    assert faults(gus, "ast-play") == []
    # The pictures have the colours of the page, by day and in the dark.
    picture = gus.play.locator(".session-pictures img").first
    by_day = background(gus)
    assert picture.evaluate(CORNER) == by_day
    with in_the_dark(gus):
        assert background(gus) != by_day
        gus.until(lambda: picture.evaluate(CORNER) == background(gus), "it is not dark")
    panel = gus.panel("Story")
    panel.get_by_text("The session in pictures").click()
    expect(panel.get_by_role("img").first).to_be_visible()
    gus.shot("log")
    assert faults(gus, "#panel-log") == []
