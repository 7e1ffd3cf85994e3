"""What a quick person taps counts: before an older card, between press and release, twice."""

from __future__ import annotations

from playwright.sync_api import expect

from browser.answering import row
from browser.people import People, Person
from browser.test_gm_panel import has_badge

HELD = """
const listen = WebSocket.prototype.addEventListener;
const send = WebSocket.prototype.send;
const held = [];
window.isHeld = () => false;
window.letThrough = (most = held.length) => { for (const go of held.splice(0, most)) go(); };
window.waiting = () => held.length;
const late = (data, go) => (window.isHeld(JSON.parse(data)) ? held.push(go) : go());
WebSocket.prototype.addEventListener = function (kind, hear, ...rest) {
  const hears = (event) => late(event.data, () => hear(event));
  return listen.call(this, kind, kind === "message" ? hears : hear, ...rest);
};
WebSocket.prototype.send = function (data) {
  late(data, () => send.call(this, data));
};
"""
"""Messages that the page receives or sends wait, in their order, as long as they are held."""

PATIENT = """
const soon = window.setTimeout;
window.setTimeout = (work, after, ...rest) => (after === 700 ? 0 : soon(work, after, ...rest));
"""
"""However long something is pressed, it is meant: this machine may be slow."""


def hold(person: Person, which: str) -> None:
    """From now on these messages are held."""
    person.page.evaluate(f"() => {{ window.isHeld = {which}; }}")


def let_all_through(person: Person) -> None:
    """Nothing is held any more; what comes meanwhile does not overtake what was."""
    person.page.evaluate("() => { window.isHeld = () => false; letThrough(); }")


def test_an_older_card_does_not_undo_what_was_ticked(people: People) -> None:
    campaign = people.server.create("burning_wheel")
    campaign.seat("Anna", "mara")
    gus = people.sits(campaign, "gm")
    anna = people.sits(campaign, "anna", script=HELD)
    anna.suggestion("Mara looks for the smugglers' door")
    anna.is_asked()
    forks = row(anna.shared_card, "forks")
    stealthy, lockpick = (forks.get_by_label(name) for name in ("Stealthy", "Lockpick"))

    hold(anna, "({ type }) => type === 'card' || type === 'ack'")
    gus.is_asked()
    gus.drafts("obstacle", 3)
    anna.until(lambda: anna.page.evaluate("waiting()") >= 1, "there is no card from before")
    stealthy.check()
    anna.until(lambda: anna.page.evaluate("waiting()") >= 3, "there is no card from after it")
    anna.page.evaluate("letThrough(1)")
    expect(anna.shared_card.locator(".others-lines")).to_contain_text("Obstacle: 3 · Difficult")
    expect(stealthy).to_be_checked()
    lockpick.check()
    let_all_through(anna)
    expect(gus.shared_card).to_contain_text("Stealthy B3, Lockpick B2")
    expect(stealthy).to_be_checked()
    expect(lockpick).to_be_checked()


def test_a_card_from_between_two_ticks_does_not_undo_the_second(people: People) -> None:
    campaign = people.server.create("burning_wheel")
    anna = people.sits(campaign, "gm", script=HELD)
    anna.suggestion("Mara looks for the smugglers' door")
    anna.is_asked()
    forks = row(anna.shared_card, "forks")
    stealthy, lockpick = (forks.get_by_label(name) for name in ("Stealthy", "Lockpick"))

    hold(anna, "({ type }) => type === 'card' || type === 'ack'")
    stealthy.check()
    anna.until(lambda: anna.page.evaluate("waiting()") == 2, "the first tick has no card")
    lockpick.check()
    anna.until(lambda: anna.page.evaluate("waiting()") == 4, "the second tick has no card")
    for _ in ("ack", "card"):
        anna.page.evaluate("letThrough(1)")
    # Both are there as soon as the card from between them is drawn, not only when the next one is.
    assert [stealthy.is_checked(), lockpick.is_checked()] == [True, True]
    let_all_through(anna)
    expect(stealthy).to_be_checked()
    expect(lockpick).to_be_checked()


def test_what_is_drawn_again_while_it_is_pressed_still_hears_the_click(people: People) -> None:
    campaign = people.server.create("burning_wheel")
    gus = people.sits(campaign, "gm", script=PATIENT)
    award = gus.gm_section("Awards").get_by_role("button", name="Give Mara 1 Fate")
    award.hover()
    gus.page.mouse.down()
    values = [{"target": "tam", "path": "artha.fate", "value": 7}]
    seq = campaign.do({"do": "rule", "reason": "a trial", "values": values})
    gus.until(lambda: gus.heard[0] >= seq, "the ruling is not told")
    gus.page.mouse.up()
    has_badge(gus, "Tam", "Fate", "7")
    has_badge(gus, "Mara", "Fate", "3")


def test_two_quick_presses_are_two_awards(people: People) -> None:
    gus = people.sits(people.server.create("burning_wheel"), "gm")
    award = gus.gm_section("Awards").get_by_role("button", name="Give Mara 1 Fate")
    award.evaluate("(button) => { button.click(); button.click(); }")
    has_badge(gus, "Mara", "Fate", "4")


def test_a_tick_stays_while_it_is_on_its_way(people: People) -> None:
    campaign = people.server.create("burning_wheel")
    campaign.seat("Anna", "mara")
    gus, anna = people.sits(campaign, "gm"), people.sits(campaign, "anna", script=HELD)
    own = anna.play.get_by_role("checkbox", name="I'll roll my own dice")
    hold(anna, "({ command }) => command?.do === 'own_dice'")
    own.check()
    campaign.do({"do": "title", "title": "Low tide"})
    expect(anna.page.get_by_role("heading", level=1)).to_have_text("Low tide")
    expect(own).to_be_checked()
    anna.page.evaluate("letThrough()")
    gus.hears("Anna rolls real dice")
    expect(own).to_be_checked()
