"""What is asked is in view, nothing covers it, and Back stays at the table."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from browser.people import PHONE, WIDE, People, Person
from browser.server import Campaign
from browser.test_duel import DUEL

STEEL = {
    "do": "begin",
    "procedure": "steel_test",
    "arguments": {"character": "mara", "cause": "surprise", "source": "a cat"},
}


def long_log(people: People) -> Campaign:
    """A table with so much in its log that the page can be scrolled."""
    campaign = people.server.create("burning_wheel")
    campaign.seat("Anna", "mara")
    for number in range(25):
        campaign.do({"do": "say", "text": f"Line {number}"})
    return campaign


def scroll_down(person: Person) -> None:
    person.page.evaluate("document.querySelector('.middle').scrollTop = 900")


def test_question_comes_into_view_of_somebody_who_reads_the_log(people: People) -> None:
    campaign = long_log(people)
    anna = people.sits(campaign, "anna", size=(1400, 900))
    scroll_down(anna)
    heading = anna.play.get_by_role("heading", name="Steel test")
    campaign.do(STEEL)
    expect(heading).to_be_in_viewport()
    expect(anna.card).to_be_in_viewport()


def test_whoever_begins_something_sees_its_card(people: People) -> None:
    """Also where somebody else decides first."""
    campaign = long_log(people)
    gus = people.sits(campaign, "gm", size=(1400, 900))
    compose = "(detail) => document.dispatchEvent(new CustomEvent('compose', { detail }))"
    gus.page.evaluate(compose, {"procedure": "duel_of_wits", "values": DUEL})
    gus.begin()
    expect(gus.shared_card).to_be_visible()
    expect(
        gus.play.locator("ast-procedure").get_by_role("heading", name="Duel of Wits")
    ).to_be_in_viewport()
    assert "asks-me" not in str(gus.play.locator("ast-procedure").get_attribute("class"))


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
def test_a_result_that_settles_by_itself_is_in_view(people: People, size: tuple[int, int]) -> None:
    """Whoever has rolled sees what it came to, and the keyboard goes on from there."""
    campaign = people.server.create("burning_wheel")
    campaign.do({"do": "own_dice", "on": True})
    gus = people.sits(campaign, "gm", size=size)
    gus.suggestion("Mara looks for the smugglers' door")
    gus.answer({"obstacle": 2})
    gus.answer([5, 4, 4, 3])
    result = gus.play.get_by_role("region", name="Result")
    expect(result).to_be_in_viewport(ratio=1)
    gus.shot("result")
    assert gus.page.evaluate("document.activeElement !== document.body")


def test_question_does_not_move_somebody_who_types(people: People) -> None:
    campaign = long_log(people)
    anna = people.sits(campaign, "anna", size=(1400, 900))
    message = anna.play.get_by_role("textbox", name="Message")
    message.press_sequentially("While I am wri")
    campaign.do(STEEL)
    strip = anna.page.get_by_role("button", name="Answer")
    expect(strip).to_be_in_viewport()
    expect(message).to_be_focused()
    expect(message).to_be_in_viewport()
    anna.shot("strip")
    strip.click()
    expect(anna.card).to_be_in_viewport()
    expect(strip).to_be_hidden()
    expect(message).to_have_value("While I am wri")


@pytest.mark.parametrize("size", [(1400, 900), (1024, 700), PHONE])
def test_bar_with_the_odds_covers_nothing_and_fits(people: People, size: tuple[int, int]) -> None:
    campaign = people.server.create("burning_wheel")
    campaign.seat("Anna", "mara")
    campaign.seat("Bert", "tam")
    anna = people.sits(campaign, "anna", size=size)
    gus = people.sits(campaign, "gm")
    anna.suggestion("Mara looks for the smugglers' door")
    gus.is_asked()
    gus.drafts("obstacle", 9)
    bar = anna.play.locator(".procedure > .test")
    expect(bar).to_contain_text("Ob 9")
    roll = bar.get_by_role("button", name="Roll")
    expect(roll).to_be_in_viewport(ratio=1)
    anna.shot("bar")
    edges = bar.evaluate(
        "(bar) => [bar, ...bar.querySelectorAll('*')].filter((each) => each.checkVisibility())"
        ".map((each) => each.getBoundingClientRect().right)"
    )
    card = anna.play.locator("ast-procedure").bounding_box()
    assert card is not None
    assert max(edges) <= card["x"] + card["width"] + 1
    options = anna.shared_card.locator("input:visible, textarea:visible, button:visible").all()
    assert len(options) > 5
    for option in options:
        option.focus()
        covered = option.evaluate(
            "(one) => one.getBoundingClientRect().bottom"
            " - document.querySelector('.procedure > .test').getBoundingClientRect().top"
        )
        assert covered <= 1, option


def test_forks_stand_beside_each_other_on_a_phone(people: People) -> None:
    campaign = people.server.create("burning_wheel")
    campaign.seat("Anna", "mara")
    anna = people.sits(campaign, "anna", size=PHONE, touch=True)
    anna.suggestion("Mara looks for the smugglers' door")
    anna.is_asked()
    chips = anna.shared_card.locator("[data-ask=forks] .chip")
    expect(chips.nth(4)).to_be_visible()
    tops = [round(box["y"]) for chip in chips.all() if (box := chip.bounding_box())]
    assert len(set(tops)) < len(tops)
    anna.shot("forks")


def test_back_on_a_phone_closes_the_panel_first(people: People) -> None:
    campaign = people.server.create("burning_wheel")
    campaign.seat("Anna", "mara")
    anna = people.sits(campaign, "anna", size=PHONE, touch=True)
    at = anna.page.url
    anna.panel("Sheet")
    anna.panel("Story")
    anna.page.go_back()
    expect(anna.play).to_be_visible()
    expect(anna.log).to_be_hidden()
    assert anna.page.url == at
    anna.panel("Rules")
    anna.panel("Play")
    expect(anna.play).to_be_visible()
    anna.panel("Sheet")
    anna.page.reload()
    expect(anna.sheet).to_be_visible()
    anna.page.go_back()
    expect(anna.play).to_be_visible()
    assert anna.page.url == at


def test_invitation_opens_its_fold_and_shows_the_link(people: People) -> None:
    gus = people.sits(people.server.create("burning_wheel"), "gm", size=(1400, 900))
    gus.play.get_by_role("button", name="Invite players").click()
    name = gus.page.locator("ast-seats").get_by_role("textbox", name="Name")
    expect(name).to_be_focused()
    expect(name).to_be_in_viewport()
    name.fill("Anna")
    gus.page.locator("ast-seats").get_by_role("button", name="Invite", exact=True).click()
    link = gus.page.get_by_role("textbox", name="Link for Anna")
    expect(link).to_have_value(re.compile("/join/"))
    expect(link).to_be_in_viewport()
    gus.shot("link")


@pytest.mark.parametrize("kind", ["toml", "json"])
def test_exported_sheet_has_its_characters_name_and_can_be_imported(
    people: People, kind: str
) -> None:
    campaign = people.server.create("burning_wheel")
    gus = people.sits(campaign, "gm")
    sheet = gus.panel("Sheet")
    sheet.get_by_role("combobox", name="Character").select_option(label="Tam")
    with gus.page.expect_download() as begun:
        sheet.get_by_role("button", name="Print and files").click()
        gus.page.get_by_role("link", name=kind.upper()).click()
    assert re.fullmatch(rf"Tam \d{{4}}-\d\d-\d\d\.{kind}", begun.value.suggested_filename)
    fresh = people.server.create("burning_wheel", demo=False)
    fresh.seat("Anna")
    anna = people.sits(fresh, "anna")
    panel = anna.panel("Sheet")
    panel.get_by_label("Or from a file").set_input_files(str(begun.value.path()))
    panel.get_by_role("button", name="Play this character").click()
    expect(panel.get_by_role("heading", level=2)).to_have_text("Tam")


def test_campaign_is_exported_under_its_title(people: People) -> None:
    gus = people.sits(people.server.create("burning_wheel", demo=False, title="Ash & Iron"), "gm")
    files = gus.gm_section("Campaign and files")
    for link, name in (
        ("Export campaign (JSON)", r"Ash & Iron \d{4}-\d\d-\d\d\.json"),
        ("Export log (Markdown)", r"Ash & Iron log \d{4}-\d\d-\d\d\.md"),
    ):
        with gus.page.expect_download() as begun:
            files.get_by_role("link", name=link).click()
        assert re.fullmatch(name, begun.value.suggested_filename)


@pytest.mark.parametrize("dice", ["4D", "4d", "B4", "4"])
def test_dice_are_understood_as_people_say_them(people: People, dice: str) -> None:
    campaign = people.server.create("burning_wheel")
    gus = people.sits(campaign, "gm")
    panel = gus.gm_section("Roll dice")
    panel.get_by_role("textbox", name="Dice").fill(dice)
    panel.get_by_role("textbox", name="For").fill("the lock")
    panel.get_by_role("button", name="Roll").click()
    expect(gus.log.locator("article", has_text="the lock").locator(".die")).to_have_count(4)


SHIFTS = """
window.moved = 0;
new PerformanceObserver((list) => {
  for (const each of list.getEntries()) if (!each.hadRecentInput) window.moved += each.value;
}).observe({ type: "layout-shift", buffered: true });
"""
MOST_SHIFT = 0.05


@pytest.mark.parametrize("size", [(1400, 900), PHONE])
@pytest.mark.parametrize("demo", [True, False], ids=["demo", "empty"])
def test_nothing_moves_while_the_table_is_drawn(
    people: People, size: tuple[int, int], demo: bool
) -> None:
    campaign = people.server.create("burning_wheel", demo=demo)
    gus = people.sits(campaign, "gm", size=size, script=SHIFTS, on_new_page=True)
    expect(gus.play.get_by_role("button", name="All tests and actions")).to_be_visible()
    gus.settle()
    assert gus.page.evaluate("window.moved") <= MOST_SHIFT
