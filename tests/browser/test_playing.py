"""At the table: real dice typed in, a keyboard alone, markup that is only ever text."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from browser.answering import row, starting
from browser.people import People, Person

pytestmark = pytest.mark.xdist_group("browser-playing")

MARKUP = """<img src=x onerror="alert('run')"><script>alert('run')</script><b>bold</b>"""
"""What would run, or stand out, if it were ever taken for anything but text."""


def test_faces_of_real_dice_are_typed_in(people: People) -> None:
    gathering = people.house.found("burning_wheel")
    gathering.seat("Anna", "mara")
    gus, anna = people.sits(gathering, "gm"), people.sits(gathering, "anna")
    anna.stage.get_by_role("checkbox", name="I throw real dice").check()
    gus.hears(re.compile("Anna.*real dice"))
    anna.suggestion("Mara looks for the smugglers' door")
    people.play_until(lambda who: who.card.locator(".face-box").count(), gus, anna)

    asked = anna.is_asked()
    boxes = asked.get_by_role("textbox", name=re.compile("^Die "))
    count = boxes.count()
    assert count >= 4
    boxes.first.fill("7")
    expect(asked).to_contain_text("A d6 has the faces 1 to 6.")
    asked.get_by_role("textbox", name="All faces in one line").fill("6 " + "1 " * (count - 1))
    assert [box.input_value() for box in boxes.all()] == ["6", *"1" * (count - 1)]
    anna.shot("faces")
    asked.get_by_role("button", name="They lie like this").click()
    anna.settle()
    people.play_out(gus, anna)
    for person in (gus, anna):
        expect(person.page.get_by_role("region", name="What came of it")).to_contain_text(
            "1 success"
        )
        expect(person.stage.locator(".die")).to_have_count(count)


def test_choices_show_what_they_would_do_to_the_odds(people: People) -> None:
    gathering = people.house.found("burning_wheel")
    gathering.seat("Anna", "mara")
    gathering.seat("Bert", "tam")
    gus, anna = people.sits(gathering, "gm"), people.sits(gathering, "anna")
    anna.suggestion("Mara looks for the smugglers' door")
    # Of four dice at 4 or more: 15, 11 and 5 in 16 bring at least one, two and three successes.
    rungs = row(gus.is_asked(), "Obstacle").locator("button.rung")
    for at, chance in enumerate(("94%", "69%", "31%", "6%", "0%")):
        expect(rungs.nth(at)).to_contain_text(chance)
    gus.answer({"Obstacle": 3})

    card = anna.is_asked()
    skills = row(card, "your other skills")
    large = anna.stage.locator("ast-odds .large")
    expect(large).to_contain_text("31%")
    stealthy, lockpick = (
        skills.locator("label", has_text=starting(name)) for name in ("Stealthy", "Lockpick")
    )
    expect(stealthy).to_contain_text("50%")
    expect(stealthy.get_by_title("31% to 50%")).to_be_visible()
    place = lockpick.bounding_box()
    stealthy.get_by_role("checkbox").check()
    expect(large).to_contain_text("50%")
    # 42 in 64 of six dice, and the chip has not moved.
    expect(lockpick.get_by_title("50% to 66%")).to_contain_text("66%")
    assert lockpick.bounding_box() == place
    expect(stealthy.locator(".chance")).to_be_empty()
    anna.shot("weighed")


LATE = """
const listen = WebSocket.prototype.addEventListener;
WebSocket.prototype.addEventListener = function (kind, hear, ...rest) {
  const isLate = (event) => String(event.data).includes('"type":"ahead"');
  const late = (event) => (isLate(event) ? setTimeout(() => hear(event), 2000) : hear(event));
  return listen.call(this, kind, kind === "message" ? late : hear, ...rest);
};
"""
"""What lies ahead comes two seconds late."""


@pytest.mark.parametrize("typed", ["I know the night porters", ""])
def test_what_is_typed_outlives_what_comes_late(people: People, typed: str) -> None:
    gathering = people.house.found("burning_wheel")
    gathering.seat("Anna", "mara")
    gus, anna = people.sits(gathering, "gm"), people.sits(gathering, "anna", script=LATE)
    anna.suggestion("Mara looks for the smugglers' door")
    gus.answer({"Obstacle": 3})
    single, together = anna.stage.locator(".mine ast-question"), anna.stage.locator("ast-ahead")
    expect(single).to_be_visible()
    single.get_by_role("textbox").press_sequentially(typed)
    if not typed:
        expect(together).to_be_visible()
        return
    anna.page.wait_for_timeout(2500)
    expect(single.get_by_role("textbox")).to_have_value(typed)
    assert together.count() == 0
    people.play_out(gus, anna)


def test_long_list_says_what_is_common_once_and_the_scene_speaks_in_words(people: People) -> None:
    gathering = people.house.found("burning_wheel")
    gathering.seat("Anna", "mara")
    gus, anna = people.sits(gathering, "gm"), people.sits(gathering, "anna")
    steel = {"character": "mara", "cause": "surprise", "source": "a cat"}
    gathering.do({"do": "begin", "procedure": "steel_test", "arguments": steel})
    asked = row(gus.is_asked(), "Which of the listed conditions")
    assert asked.get_by_role("checkbox").count() == 19
    assert asked.inner_text().count("base hesitation") == 1
    worse = asked.get_by_role("group", name="+3 Ob", exact=True)
    assert worse.get_by_role("checkbox").count() == 3
    worse.get_by_role("checkbox", name="Seeing a ghost").check()
    gus.shot("conditions")
    people.play_out(gus, anna)
    log = anna.log.locator("article.play")
    expect(log).to_contain_text("Let it Ride: Mara's Steel stands")
    told = log.inner_text()
    assert "handed_out" not in told
    assert "handed out" not in told
    assert not re.search(r"[a-z][.!?] [a-z]", told), "a sentence begins with a small letter"


ANSWERING = ".mine button.option, .mine .btn.main"


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
    assert person.page.evaluate(FOCUS), person.page.evaluate("document.activeElement.outerHTML")


def test_keyboard_alone_plays_a_test_to_its_end(people: People) -> None:
    gus = people.sits(people.house.found("signs"), "gm")
    expect(gus.stage.get_by_role("button", name="Ysolde goes in")).to_be_visible()
    reach(gus, ".idea")
    shows_focus(gus)
    gus.page.keyboard.press("Enter")
    result = gus.page.get_by_role("region", name="What came of it")
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


def test_markup_is_shown_and_never_run(people: People) -> None:
    gathering = people.house.found("burning_wheel", demo=False, title=f"T {MARKUP}")
    gathering.do({"do": "seat", "seat": "anna", "name": MARKUP[:60]})
    gathering.seat("Bert")
    gathering.do({"do": "join", "character": "mara", "ready": "mara", "seat": "bert"})
    gus, bert = people.sits(gathering, "gm"), people.sits(gathering, "bert")
    gus.say(MARKUP)
    bert.say(f"Tell me: {MARKUP}")
    gathering.do({"do": "note", "id": "gm-1", "text": MARKUP, "shared": True})
    gathering.do({"do": "pause", "reason": MARKUP})
    gathering.do({"do": "resume"})
    path = "beliefs.0"
    gathering.do(
        {
            "do": "rule",
            "reason": MARKUP,
            "values": [{"target": "mara", "path": path, "value": MARKUP}],
        }
    )
    gathering.do({"do": "throw", "dice": "2d6", "label": MARKUP[:120]})
    for person in (gus, bert):
        person.hears(MARKUP)
        expect(person.page.get_by_role("heading", level=1)).to_have_text(f"T {MARKUP}")
        expect(person.page.locator("ast-people")).to_contain_text(MARKUP[:60])
        notes = person.panel("Notes")
        if person is gus:
            expect(notes.get_by_role("textbox", name="A note of mine")).to_have_value(MARKUP)
        else:
            expect(notes).to_contain_text(MARKUP)
        person.panel("Sheet")
        expect(person.sheet).to_contain_text(MARKUP)
        for tag in ("img", "ast-app b > b", "ast-app script"):
            assert person.page.locator(tag).count() == 0
        assert person.page.locator("ast-log b", has_text=re.compile("^bold$")).count() == 0
    gus.shot("markup")
