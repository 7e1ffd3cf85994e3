"""At the table: real dice typed in, a keyboard alone, markup that is only ever text."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from browser.answering import row, starting
from browser.people import People, Person

MARKUP = """<img src=x onerror="alert('run')"><script>alert('run')</script><b>bold</b>"""
"""What would run, or stand out, if it were ever taken for anything but text."""


def test_faces_of_real_dice_are_typed_in(people: People) -> None:
    campaign = people.server.create("burning_wheel")
    campaign.seat("Anna", "mara")
    gus, anna = people.sits(campaign, "gm"), people.sits(campaign, "anna")
    anna.play.get_by_role("checkbox", name="I'll roll my own dice").check()
    gus.hears(re.compile("Anna.*real dice"))
    anna.suggestion("Mara looks for the smugglers' door")
    people.play_until(lambda who: who.card.locator(".face-box").count(), gus, anna)

    asked = anna.is_asked()
    boxes = asked.get_by_role("textbox", name=re.compile("^Die "))
    expect(boxes.nth(3)).to_be_visible()
    count = boxes.count()
    boxes.first.fill("7")
    expect(asked).to_contain_text("A d6 shows 1 to 6.")
    asked.get_by_role("textbox", name="All faces in one line").fill("6 " + "1 " * (count - 1))
    for at in range(count):
        expect(boxes.nth(at)).to_have_value("1" if at else "6")
    anna.shot("faces")
    anna.until_heard(asked.get_by_role("button", name="Use these").click)
    people.play_out(gus, anna)
    for person in (gus, anna):
        expect(person.page.get_by_role("region", name="Result")).to_contain_text("1 success")
        expect(person.play.locator(".die")).to_have_count(count)


def test_choices_show_what_they_would_do_to_the_odds(people: People) -> None:
    campaign = people.server.create("burning_wheel")
    campaign.seat("Anna", "mara")
    campaign.seat("Bert", "tam")
    gus, anna = people.sits(campaign, "gm"), people.sits(campaign, "anna")
    anna.suggestion("Mara looks for the smugglers' door")
    # Of four dice at 4 or more: 15, 11 and 5 in 16 bring at least one, two and three successes.
    rungs = row(gus.is_asked(), "obstacle").locator("button.rung")
    for at, chance in enumerate(("94%", "69%", "31%", "6%", "0%")):
        expect(rungs.nth(at)).to_contain_text(chance)
    gus.drafts("obstacle", 3)

    card = anna.is_asked()
    skills = row(card, "forks")
    large = anna.play.locator("ast-odds .large")
    expect(large).to_contain_text("31%")
    stealthy, lockpick = (
        skills.locator("label", has_text=starting(name)) for name in ("Stealthy", "Lockpick")
    )
    expect(stealthy).to_contain_text("50%")
    expect(stealthy.get_by_title("31% to 50%")).to_be_visible()
    expect(lockpick).to_contain_text("50%")
    place = lockpick.bounding_box()
    stealthy.get_by_role("checkbox").check()
    expect(large).to_contain_text("50%")
    # 42 in 64 of six dice, and the chip has not moved.
    expect(lockpick.get_by_title("50% to 66%")).to_contain_text("66%")
    assert lockpick.bounding_box() == place
    expect(stealthy.locator(".chance")).to_be_empty()
    anna.shot("weighed")


def test_what_is_typed_outlives_what_others_change(people: People) -> None:
    campaign = people.server.create("burning_wheel")
    campaign.seat("Anna", "mara")
    campaign.seat("Bert", "tam")
    gus, anna = people.sits(campaign, "gm"), people.sits(campaign, "anna")
    anna.suggestion("Mara looks for the smugglers' door")
    expect(anna.shared_card).to_be_visible()
    words = row(anna.shared_card, "advantage").get_by_role("textbox")
    words.press_sequentially("I know the night")
    gus.drafts("obstacle", 3)
    expect(anna.play.locator(".tally", has_text="Ob 3")).to_be_visible()
    words.press_sequentially(" porters")
    expect(words).to_have_value("I know the night porters")
    expect(gus.shared_card).to_contain_text("I know the night porters")
    # A reload, and another device, show the draft.
    anna.page.reload()
    expect(row(anna.shared_card, "advantage").get_by_role("textbox")).to_have_value(
        "I know the night porters"
    )
    people.play_out(gus, anna)


def test_long_list_says_what_is_common_once_and_the_scene_speaks_in_words(people: People) -> None:
    campaign = people.server.create("burning_wheel")
    campaign.seat("Anna", "mara")
    gus, anna = people.sits(campaign, "gm"), people.sits(campaign, "anna")
    steel = {"character": "mara", "cause": "surprise", "source": "a cat"}
    campaign.do({"do": "begin", "procedure": "steel_test", "arguments": steel})
    expect(gus.shared_card).to_be_visible()
    asked = row(gus.shared_card, "conditions")
    expect(asked).to_be_visible()
    fold = asked.locator("details:not([open]) > summary")
    if fold.count():
        fold.click()
    expect(asked.get_by_role("checkbox")).to_have_count(19)
    expect(asked).not_to_contain_text(re.compile("base hesitation.*base hesitation", re.DOTALL))
    expect(asked).to_contain_text("base hesitation")
    worse = asked.get_by_role("group", name="+3 Ob", exact=True)
    expect(worse.get_by_role("checkbox")).to_have_count(3)
    worse.get_by_role("checkbox", name="Seeing a ghost").check()
    gus.shot("conditions")
    people.play_out(gus, anna)
    log = anna.reads_details()
    expect(log).to_contain_text("Let it Ride: Mara's Steel stands")
    told = log.inner_text()
    assert "handed_out" not in told
    assert "handed out" not in told
    assert not re.search(r"[a-z][.!?] [a-z]", told), "a sentence begins with a small letter"


ANSWERING = ".mine button.option, .mine .btn.main, ast-release .roll:enabled"


def reach(person: Person, wanted: str, most: int = 150) -> None:
    """Go on with the Tab key until what has the focus is one of these."""
    passed = []
    for _ in range(most):
        person.page.keyboard.press("Tab")
        if person.page.evaluate("(wanted) => document.activeElement.matches(wanted)", wanted):
            return
        passed.append(person.page.evaluate("document.activeElement.innerText").strip()[:30])
    raise AssertionError(f"no {wanted} after {passed}")


FOCUS = """
() => {
  const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement);
  const { top, bottom } = document.activeElement.getBoundingClientRect();
  const isDrawn = outlineStyle !== "none" && parseFloat(outlineWidth) >= 2;
  return isDrawn && bottom > 0 && top < innerHeight;
}
"""


def shows_focus(person: Person) -> None:
    person.until(lambda: bool(person.page.evaluate(FOCUS)), "the focus is not drawn on the screen")


def test_keyboard_alone_plays_a_test_to_its_end(people: People) -> None:
    gus = people.sits(people.server.create("signs"), "gm")
    expect(gus.play.get_by_role("button", name="Ysolde goes in")).to_be_visible()
    reach(gus, ".idea")
    shows_focus(gus)
    gus.page.keyboard.press("Enter")
    result = gus.page.get_by_role("region", name="Result")
    for turn in range(20):
        expect(gus.card.or_(result).first).to_be_visible()
        if result.count():
            break
        gus.is_asked()
        reach(gus, ANSWERING)
        shows_focus(gus)
        gus.press("Space" if turn % 2 else "Enter")
    expect(result).to_be_visible()
    reach(gus, ".result-card .btn")
    shows_focus(gus)
    gus.page.keyboard.press("Space")
    expect(result).to_have_count(0)


@pytest.mark.parametrize("seat", ["gm", "anna"])
def test_thirty_tab_stops_at_most_lead_to_roll(people: People, seat: str) -> None:
    """From the top of the page, on the card of a test with FoRKs, help and artha."""
    campaign = people.server.create("burning_wheel")
    campaign.seat("Anna")
    if seat == "anna":
        for character in ("mara", "tam"):
            campaign.do({"do": "give", "character": character, "seat": seat})
    arguments = {"character": "mara", "ability": "Streetwise", "helpers": ["tam"]}
    begun = {"do": "begin", "procedure": "standard_test", "arguments": arguments}
    campaign.do(begun, seat)
    person = people.sits(campaign, seat)
    person.is_asked()
    if seat == "gm":
        person.drafts("obstacle", 3)
        person.page.reload()
        person.is_asked()
    expect(person.play.locator("ast-release .roll")).to_be_enabled()
    reach(person, "ast-release .roll", most=30)


def test_markup_is_shown_and_never_run(people: People) -> None:
    campaign = people.server.create("burning_wheel", demo=False, title=f"T {MARKUP}")
    campaign.do({"do": "begin_session"})
    campaign.do({"do": "seat", "seat": "anna", "name": MARKUP[:60]})
    campaign.seat("Bert")
    campaign.do({"do": "join", "character": "mara", "ready": "mara", "seat": "bert"})
    gus, bert = people.sits(campaign, "gm"), people.sits(campaign, "bert")
    gus.say(MARKUP)
    bert.say(f"Tell me: {MARKUP}")
    campaign.do({"do": "note", "id": "gm-1", "text": MARKUP, "shared": True})
    campaign.do({"do": "pause", "reason": MARKUP})
    campaign.do({"do": "resume"})
    path = "beliefs.0"
    campaign.do(
        {
            "do": "rule",
            "reason": MARKUP,
            "values": [{"target": "mara", "path": path, "value": MARKUP}],
        }
    )
    campaign.do({"do": "throw", "dice": "2d6", "label": MARKUP[:120]})
    for person in (gus, bert):
        person.hears(MARKUP)
        expect(person.page.get_by_role("heading", level=1)).to_have_text(f"T {MARKUP}")
        expect(person.page.locator("ast-people")).to_contain_text(MARKUP[:60])
        notes = person.panel("Notes")
        if person is gus:
            expect(notes.get_by_role("textbox", name="My note")).to_have_value(MARKUP)
        else:
            expect(notes).to_contain_text(MARKUP)
        person.panel("Sheet")
        expect(person.sheet).to_contain_text(MARKUP)
        for tag in ("img", "ast-app b > b", "ast-app script"):
            expect(person.page.locator(tag)).to_have_count(0)
        expect(person.page.locator("ast-log b", has_text=re.compile("^bold$"))).to_have_count(0)
    gus.shot("markup")
