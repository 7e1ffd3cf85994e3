"""Back on a phone and Escape at a keyboard close what is open, and nothing else."""

from __future__ import annotations

from playwright.sync_api import expect

from browser.people import PHONE, People, Person
from browser.test_new_character import Maker
from browser.test_newcomer import press


def on_a_phone(people: People) -> Person:
    campaign = people.server.create("burning_wheel")
    campaign.seat("Anna", "mara")
    return people.sits(campaign, "anna", size=PHONE, touch=True)


def test_back_on_a_phone_closes_whatever_is_open_and_stays_at_the_table(people: People) -> None:
    anna = on_a_phone(people)
    at = anna.page.url
    search = anna.play.get_by_role("searchbox", name="Search tests and actions")
    anna.play.get_by_role("button", name="All tests and actions").tap()
    expect(search).to_be_visible()
    anna.page.go_back()
    expect(search).to_be_hidden()
    helped = anna.page.get_by_role("dialog", name="Keys and help")
    anna.page.get_by_role("button", name="Keys and help").tap()
    expect(helped).to_be_visible()
    anna.page.go_back()
    expect(helped).to_have_count(0)
    # A note on a sheet, and a dialog above it: each Back closes one thing.
    sheet = anna.panel("Sheet")
    sheet.get_by_role("button", name="Relationships").tap()
    ties = anna.page.get_by_role("dialog", name="Relationships")
    expect(ties).to_be_visible()
    anna.page.go_back()
    expect(ties).to_have_count(0)
    expect(anna.sheet).to_be_visible()
    sheet.get_by_role("button", name="Beliefs").tap()
    note = anna.page.get_by_role("dialog")
    expect(note).to_be_visible()
    anna.page.go_back()
    expect(note).to_have_count(0)
    expect(anna.sheet).to_be_visible()
    anna.page.go_back()
    expect(anna.play).to_be_visible()
    assert anna.page.url == at


def test_what_was_closed_by_its_own_button_costs_no_second_back(people: People) -> None:
    anna = on_a_phone(people)
    at = anna.page.url
    sheet = anna.panel("Sheet")
    for name in ("Beliefs", "Instincts"):
        sheet.get_by_role("button", name=name).tap()
        note = anna.page.get_by_role("dialog")
        note.get_by_role("button", name="Close").tap()
        expect(note).to_have_count(0)
    anna.page.go_back()
    expect(anna.play).to_be_visible()
    # From a note into the rules, and from there to play.
    anna.panel("Sheet")
    sheet.get_by_role("button", name="Beliefs").tap()
    anna.page.get_by_role("dialog").get_by_role("button", name="Open in Rules").tap()
    expect(anna.page.locator("#panel-rules")).to_be_visible()
    anna.page.go_back()
    expect(anna.play).to_be_visible()
    assert anna.page.url == at


def test_a_test_that_is_begun_on_a_new_sheet_stays_at_the_table(people: People) -> None:
    """The dialog of the new character has left its entry below that of the sheet."""
    campaign = people.server.create("burning_wheel", demo=False)
    campaign.seat("Bert")
    bert = people.sits(campaign, "bert", size=PHONE, touch=True)
    maker = Maker(bert)
    maker.opens()
    maker.page.get_by_label("Start from").select_option("complicated_con_man")
    expect(maker.page.get_by_label("Name", exact=True)).not_to_have_value("")
    maker.creates()
    bert.page.get_by_role("button", name="Test Streetwise").first.tap()
    expect(bert.shared_card).to_be_visible()
    assert bert.page.url.startswith(people.server.url)


def test_escape_closes_what_is_open_wherever_the_focus_is(people: People) -> None:
    gus = people.sits(people.server.create("burning_wheel"), "gm", size=(1400, 900))
    search = gus.play.get_by_role("searchbox", name="Search tests and actions")
    press(gus, "/")
    expect(search).to_be_focused()
    gus.log.get_by_role("heading", name="Story").click()
    expect(search).not_to_be_focused()
    press(gus, "Escape")
    expect(search).to_be_hidden()
    press(gus, "/")  # and so the second time
    expect(search).to_be_focused()
    gus.log.get_by_role("heading", name="Story").click()
    press(gus, "Escape")
    expect(search).to_be_hidden()
    widen = gus.sheet.get_by_role("button", name="Full width")
    widen.click()
    expect(gus.play).to_be_hidden()
    gus.page.evaluate("document.activeElement.blur()")
    press(gus, "Escape")
    expect(gus.play).to_be_visible()
    expect(widen).to_have_attribute("aria-pressed", "false")


def test_full_width_is_one_press_again_after_a_test_has_begun_there(people: People) -> None:
    gus = people.sits(people.server.create("burning_wheel"), "gm", size=(1400, 900))
    widen = gus.sheet.get_by_role("button", name="Full width")
    widen.click()
    gus.sheet.get_by_role("button", name="Test Will").click()
    expect(gus.play.locator("ast-procedure")).to_contain_text("Will")
    expect(widen).to_have_attribute("aria-pressed", "false")
    widen.click()
    expect(gus.play).to_be_hidden()


def test_a_key_counts_as_soon_as_a_dialog_is_closed(people: People) -> None:
    """The focus stays in a closed dialog until the page is drawn again: no key may be lost then."""
    gus = people.sits(people.server.create("burning_wheel"), "gm")
    press(gus, "?")
    expect(gus.page.get_by_role("dialog").get_by_role("button", name="Close")).to_be_focused()
    is_inside = gus.page.evaluate(
        """() => {
          document.querySelector("dialog").close();
          const at = document.activeElement;
          at.dispatchEvent(new KeyboardEvent("keydown", { key: "/", bubbles: true }));
          return at.closest("dialog") !== null;
        }"""
    )
    assert is_inside
    expect(gus.play.get_by_role("searchbox", name="Search tests and actions")).to_be_focused()
