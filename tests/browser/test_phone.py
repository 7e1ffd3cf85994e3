"""One of them is on a phone: everything within reach of a thumb, and nothing to the side."""

from __future__ import annotations

from contextlib import suppress
from functools import partial

from playwright.sync_api import expect

from browser.answering import starting
from browser.people import PHONE, People, Person

SMALL = """
(root) => [...root.querySelectorAll("button, a.btn, select, summary, input")]
  .filter((each) => each.checkVisibility() && !each.closest("label, p, .hash, .row-label"))
  .map((each) => [each, each.getBoundingClientRect()])
  .filter(([each, box]) => box.height < 43.5 && box.width > 0 && !each.matches(".rule-link"))
  .map(([each, box]) => `${each.localName}.${each.className} "${each.innerText}" ${box.height}`)
"""
"""Controls that are too low for a thumb; those inside a line of text are left to it."""


def fits(person: Person, where: str) -> None:
    def is_narrow() -> bool:
        return bool(person.page.evaluate("document.documentElement.scrollWidth") <= PHONE[0])

    person.settle()
    person.until(is_narrow, f"{where} is too wide")


def is_for_thumbs(person: Person, where: str) -> None:
    app = person.page.locator("ast-app")
    person.settle()
    with suppress(AssertionError):
        person.until(lambda: not app.evaluate(SMALL), "something is too low for a thumb")
    assert app.evaluate(SMALL) == [], where


def test_every_panel_is_reachable_and_fits(people: People) -> None:
    campaign = people.server.create("burning_wheel")
    campaign.seat("Anna", "mara")
    campaign.do({"do": "say", "text": "W" * 300})
    campaign.do({"do": "title", "title": "M" * 120})
    campaign.do({"do": "seat", "seat": "long", "name": "N" * 60})
    for seat, panels in (
        ("gm", ("Play", "Sheet", "Story", "Rules", "Notes", "GM")),
        ("anna", ("Play", "Sheet", "Story", "Rules", "Notes")),
    ):
        person = people.sits(campaign, seat, size=PHONE, touch=True)
        line = person.page.get_by_role("group", name="People at the table")
        expect(line).to_contain_text("N" * 60)
        is_cut = "(line) => line.scrollWidth > line.clientWidth"
        person.until(partial(line.evaluate, is_cut), "everybody is on the screen")
        line.focus()
        expect(line).to_be_focused()
        for name in panels:
            person.whole_gm_panel() if name == "GM" else person.panel(name)
            fits(person, f"{name} of {seat}")
            is_for_thumbs(person, f"{name} of {seat}")
            person.shot(f"{seat}_{name.lower()}", whole=name != "Sheet")


def test_question_stands_on_top_whatever_is_open(people: People) -> None:
    campaign = people.server.create("burning_wheel")
    campaign.seat("Anna", "mara")
    anna = people.sits(campaign, "anna", size=PHONE, touch=True)
    anna.panel("Story")
    campaign.do(
        {
            "do": "begin",
            "procedure": "steel_test",
            "arguments": {"character": "mara", "cause": "surprise", "source": "a cat"},
        }
    )
    gus = people.sits(campaign, "gm")
    people.play_until(lambda who: who is anna, gus, anna)
    strip = anna.page.get_by_role("button", name="Answer")
    expect(strip).to_be_in_viewport()
    anna.shot("strip")
    strip.click()
    card = anna.is_asked()
    expect(card).to_be_in_viewport()
    anna.until(lambda: card.bounding_box()["y"] < PHONE[1] / 2, "the question is not on top")
    fits(anna, "the question")
    is_for_thumbs(anna, "the question")
    anna.shot("question", whole=True)
    people.play_out(gus, anna)
    expect(anna.page.get_by_role("region", name="Result")).to_be_visible()
    fits(anna, "the result")
    anna.shot("result")


def test_script_is_written_with_a_thumb(people: People) -> None:
    campaign = people.server.create("burning_wheel")
    campaign.seat("Anna", "mara")
    gus = people.sits(campaign, "gm", size=PHONE, touch=True)
    anna = people.sits(campaign, "anna", size=PHONE, touch=True)
    gus.suggestion("Mara argues with the harbourmaster")
    people.play_until(lambda who: who.card.locator("ast-script").count(), anna, gus)
    expect(anna.play.locator("ast-script")).to_be_visible()
    fits(anna, "the script")
    is_for_thumbs(anna, "the script")
    # What was said before does not stand between the question and the slots.
    script = anna.page.get_by_role("group", name="Your script")
    expect(script).to_be_visible()

    def is_on_the_screen() -> bool:
        slot = script.bounding_box()
        return slot is not None and slot["y"] + slot["height"] < PHONE[1]

    anna.until(is_on_the_screen, "the slots are below the screen")
    hand = anna.page.get_by_role("group", name="Your cards")
    for name in ("Point", "Rebuttal", "Dismiss"):
        hand.get_by_role("button", name=starting(name)).tap()
        # What is chosen stays in view, and so does what comes after the last card.
        for part in (script, anna.card.get_by_role("button", name="Lock in")):
            expect(part).to_be_in_viewport(ratio=1)
    slots = script.get_by_role("button")
    expect(slots).to_have_text(
        ["Volley 1 Point", "Volley 2 Rebuttal", "Volley 3 Dismiss"], use_inner_text=True
    )
    anna.shot("script", whole=True)
