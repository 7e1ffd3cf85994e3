"""How it feels: dice fall one after another, the verdict after a beat, and nothing jumps."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from browser.people import PHONE, People, Person
from browser.test_quick_people import HELD, hold, let_all_through
from browser.test_story import STREETWISE

LARGE = (1400, 900)
MOST_SHIFT, MOST_PIXELS = 0.05, 4

SHIFTS = """
globalThis.shifts = [];
new PerformanceObserver((list) => {
  for (const each of list.getEntries()) {
    const inPlay = ({ node }) => (node?.closest ? node : node?.parentElement)?.closest(".middle");
    const far = ({ node, previousRect: was, currentRect: is }) => [
      node.localName ?? node.data, Math.round(Math.hypot(is.x - was.x, is.y - was.y))];
    const moved = each.sources.filter(inPlay).map(far);
    if (!each.hadRecentInput) shifts.push({ value: each.value, at: each.startTime, moved });
  }
}).observe({ type: "layout-shift", buffered: true });
"""
HEARD = """
globalThis.knocks = [];
const real = AudioContext.prototype.createOscillator;
AudioContext.prototype.createOscillator = function () {
  const tone = real.call(this);
  const start = tone.start.bind(tone);
  tone.start = (at) => (tone.type === "triangle" && knocks.push(at - this.currentTime), start(at));
  return tone;
};
"""
FELL = """
globalThis.fell = new Map();
const note = () => {
  for (const each of document.getAnimations()) {
    const { delay } = each.effect.getTiming();
    const success = each.effect.target.matches(".success");
    fell.set(each, { name: each.animationName, delay, success });
  }
};
const all = { subtree: true, childList: true, attributes: true };
new MutationObserver(note).observe(document, all);
"""
"""Notes every animation of the page: its name, and when it begins."""
SEEN = "[...fell.values()]"


NEVER_LATE = """
const before = window.setTimeout;
window.setTimeout = (work, after, ...rest) => (after === 400 ? 0 : before(work, after, ...rest));
"""
"""However long the card takes, it is waited for: this machine may be slow."""
PLACES = """() => [...document.querySelectorAll("ast-play :is(button, input, textarea, summary)")]
  .filter((each) => each.checkVisibility())
  .map((each) => {
    const { x, y, width } = each.getBoundingClientRect();
    return [each.ariaLabel || each.innerText || each.type, ...[x, y, width].map(Math.round)];
  })"""
"""Everything in the middle of the table that can be pressed, and where it is on the screen."""


def moving(person: Person) -> None:
    """Somebody whose device does not ask for less motion."""
    person.page.emulate_media(reduced_motion="no-preference")


def is_still(person: Person, most: int) -> None:
    """Nothing has moved more often than this, and nothing moves any more.

    Waits for all that is on its way, drawn or falling.
    """
    person.settle()
    ended = "Promise.all(document.getAnimations().map((each) => each.finished.catch(() => null)))"
    person.page.evaluate(f"{ended}.then(() => new Promise(requestAnimationFrame))")
    moved = person.page.evaluate("shifts")
    far = [each for each in moved if any(by > MOST_PIXELS for _, by in each["moved"])]
    assert len(far) <= most, far
    assert sum(each["value"] for each in moved if each not in far) <= MOST_SHIFT, moved


def a_roll(people: People, gus: Person, campaign) -> None:
    campaign.do({"do": "begin", "procedure": "standard_test", "arguments": STREETWISE})
    people.play_out(gus)


def test_dice_fall_one_after_another_and_the_verdict_comes_last(people: People) -> None:
    campaign = people.server.create("burning_wheel")
    gus = people.sits(campaign, "gm", size=LARGE, script=FELL)
    moving(gus)
    a_roll(people, gus, campaign)
    result = gus.play.get_by_role("region", name="Result")
    expect(result.locator(".outcome")).to_be_attached()
    found = gus.page.evaluate(SEEN)
    dice = [each for each in found if each["name"] in ("land", "bounce")]
    assert len(dice) == result.locator(".die").count() >= 4
    delays = sorted(each["delay"] for each in dice)
    assert len(set(delays)) == len(dice), "two dice fall at the same time"
    worst = max((each["delay"] for each in dice if not each["success"]), default=-1)
    assert all(each["delay"] > worst for each in dice if each["success"])
    verdict = [each["delay"] for each in found if each["name"] == "appear"]
    assert verdict
    assert min(verdict) > delays[-1]
    # Whoever comes later finds the dice lying there.
    late = people.sits(campaign, "gm", size=LARGE, script=FELL)
    moving(late)
    expect(late.play.get_by_role("region", name="Result").locator(".die").first).to_be_visible()
    assert not {each["name"] for each in late.page.evaluate(SEEN)} & {"land", "bounce", "appear"}


def test_nothing_falls_where_less_motion_is_wanted(people: People) -> None:
    campaign = people.server.create("burning_wheel")
    gus = people.sits(campaign, "gm", size=LARGE, script=FELL)
    a_roll(people, gus, campaign)
    expect(gus.play.get_by_role("region", name="Result").locator(".outcome")).to_be_visible()
    assert gus.page.evaluate(SEEN) == []


def test_dice_are_heard_only_where_somebody_has_switched_it_on(people: People) -> None:
    campaign = people.server.create("burning_wheel")
    gus = people.sits(campaign, "gm", script=HEARD)
    a_roll(people, gus, campaign)
    assert gus.page.evaluate("knocks") == []
    gus.page.get_by_role("button", name="Sound").click()
    again = {**STREETWISE, "intent": "get out again"}  # or else the first result stands
    campaign.do({"do": "begin", "procedure": "standard_test", "arguments": again})
    people.play_out(gus)
    count = gus.play.get_by_role("region", name="Result").locator(".die").count()
    knocks = gus.page.evaluate("knocks")
    assert len(knocks) == count
    assert knocks == sorted(knocks)


@pytest.mark.parametrize("size", [LARGE, PHONE], ids=["wide", "phone"])
def test_nothing_jumps_after_it_was_drawn(people: People, size: tuple[int, int]) -> None:
    """Somebody watches a test from its beginning to its result without touching anything."""
    campaign = people.server.create("burning_wheel")
    campaign.seat("Anna", "mara", "tam")
    campaign.seat("Cora")
    gus = people.sits(campaign, "gm")
    anna = people.sits(campaign, "anna")
    cora = people.sits(campaign, "cora", size=size, script=SHIFTS, on_new_page=True)
    moving(cora)
    is_still(cora, 0)
    anna.suggestion("Mara looks for the smugglers' door")
    expect(cora.shared_card).to_be_visible()
    expect(cora.shared_card.get_by_role("list", name="The pool so far")).to_be_visible()
    # The card comes with all that is on it: what was there makes way for it once.
    is_still(cora, 1)
    people.play_out(gus, anna)
    expect(cora.play.get_by_role("region", name="Result").locator(".outcome")).to_be_visible()
    # While dice fall, everything has its place already.
    cora.catches_up(gus, anna)
    is_still(cora, cora.page.evaluate("shifts.length"))


def press(person: Person, button: str) -> None:
    """Press a button that is in view; Playwright would scroll to where it would be without that."""
    found = person.play.get_by_role("button", name=button, exact=True)
    found.evaluate("(button) => { button.focus({ preventScroll: true }); button.click(); }")


@pytest.mark.parametrize("size", [LARGE, PHONE], ids=["wide", "phone"])
def test_what_can_be_pressed_moves_once_after_a_roll(people: People, size: tuple[int, int]) -> None:
    """What is told, the card and the odds come one after another, as late as they like."""
    campaign = people.server.create("burning_wheel")
    campaign.seat("Anna", "mara", "tam")
    campaign.do({"do": "own_dice", "on": True}, "anna")
    gus = people.sits(campaign, "gm")
    anna = people.sits(campaign, "anna", size=size, script=HELD + NEVER_LATE)
    anna.suggestion("Mara looks for the smugglers' door")
    anna.is_asked()
    gus.is_asked()
    gus.drafts("obstacle", 3)
    anna.catches_up(gus)
    expect(anna.play.locator("ast-odds")).to_contain_text("31%")

    def goes_on_with(button: str, what_follows: str, odds: str) -> None:
        before = anna.page.evaluate(PLACES)
        hold(anna, "({ type }) => type === 'card' || type === 'odds'")
        press(anna, button)
        anna.until(lambda: anna.page.evaluate("waiting()") >= 1, "no card comes of it")
        anna.until(lambda: anna.is_answered, "it is not told")
        assert anna.page.evaluate(PLACES) == before, "something moves before the card is there"
        hold(anna, "({ type }) => type === 'odds'")
        anna.page.evaluate("letThrough()")
        expect(anna.play.locator(".mine")).to_contain_text(what_follows)
        anna.until(lambda: anna.page.evaluate("waiting()") >= 1, "no odds come")
        after = anna.page.evaluate(PLACES)
        let_all_through(anna)
        anna.settle()
        expect(anna.play.locator("ast-procedure")).to_contain_text(odds)
        assert anna.page.evaluate(PLACES) == after, "odds move something"

    goes_on_with("Roll", "What do they show?", "")
    anna.play.get_by_role("textbox", name="All faces in one line").fill("6 1 1 1")
    goes_on_with("Use these", "Spend artha or call on a trait?", "to succeed")
