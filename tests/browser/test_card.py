"""Quick hands on the shared card: what is on its way is not undone by what comes late."""

from __future__ import annotations

from playwright.sync_api import expect

from browser.answering import put, row
from browser.people import People, Person
from browser.server import Campaign
from browser.test_taps import tap_ability

CARD = """
const { table } = await import("/page/js/table.js");
const element = document.querySelector("ast-card");
const card = Object.values(table.cards)[0];
"""


def at_the_card(people: People) -> tuple[Person, Person]:
    """The GM, and Anna with a test before her."""
    campaign: Campaign = people.server.create("burning_wheel")
    campaign.seat("Anna", "mara")
    gus, anna = (people.sits(campaign, seat) for seat in ("gm", "anna"))
    tap_ability(anna, "Streetwise")
    expect(gus.shared_card).to_be_visible()
    return gus, anna


def test_a_card_that_comes_late_changes_no_choice_back(people: People) -> None:
    gus, anna = at_the_card(people)
    put(anna.shared_card, "forks", ["Stealthy"])
    expect(gus.shared_card).to_contain_text("Stealthy")
    anna.page.wait_for_function(
        "async () => {" + CARD + "return card.lines.some((line) => line.drafted); }"
    )
    anna.page.evaluate("async () => {" + CARD + "window.late = structuredClone(card); }")
    put(anna.shared_card, "forks", ["Lockpick"])
    expect(gus.shared_card).to_contain_text("Lockpick")
    lockpick = row(anna.shared_card, "forks").get_by_role("checkbox", name="Lockpick")
    anna.page.evaluate("async () => {" + CARD + "element.card = window.late; }")
    assert lockpick.is_checked()
    anna.page.evaluate("async () => {" + CARD + "element.card = card; }")
    expect(lockpick).to_be_checked()


def test_a_row_is_not_drawn_anew_under_a_finger(people: People) -> None:
    _, anna = at_the_card(people)
    one = row(anna.shared_card, "boon").get_by_role("button", name="1", exact=True)
    one.hover()
    anna.page.mouse.down()
    is_still_there = anna.page.evaluate(
        "async () => {"
        + CARD
        + """
        const button = element.querySelector('[data-ask="boon"] button.rung');
        const other = structuredClone(card);
        const { question } = other.lines.find(({ key }) => key === "boon");
        question.names = [[0, "nothing"], [1, "one die"]];
        element.card = other;
        return button.isConnected;
        }"""
    )
    anna.page.mouse.up()
    assert is_still_there
    expect(one.or_(anna.page.get_by_role("button", name="1: one die"))).to_have_attribute(
        "aria-pressed", "true"
    )
