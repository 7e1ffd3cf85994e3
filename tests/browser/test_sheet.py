"""The sheet: read on one screen, changed with a pencil and the GM's approval, and printed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from browser.people import PHONE, People, Person
from browser.server import Campaign
from browser.test_accessibility import faults, in_the_dark

FULL = Path(__file__).with_name("full_sheet.toml")
"""A character with something in every part of the sheet."""

SCREEN = (1400, 900)


def test_wrong_value_is_told_before_it_is_saved(people: People) -> None:
    campaign = people.server.create("burning_wheel")
    campaign.seat("Anna", "mara")
    gus, anna = people.sits(campaign, "gm"), people.sits(campaign, "anna")
    anna.forgive("status of 4")
    sheet = anna.edits_sheet()
    sheet.get_by_role("button", name=re.compile("^Fate: 2. Edit")).click()
    field = sheet.get_by_role("spinbutton")
    field.fill("-4")
    wrong = sheet.locator(".field-error").filter(has_text=re.compile(r"\S"))
    expect(wrong).to_contain_text("xpected")
    anna.shot("wrong")
    entries = anna.log.locator("article")
    anna.settle()
    before = entries.count()
    field.fill("3")
    expect(wrong).to_have_count(0)
    sheet.get_by_role("textbox", name="Reason (for the GM)").fill("for the rescue")
    sheet.get_by_role("button", name="Propose").click()

    expect(sheet.locator(".proposal")).to_contain_text("Waiting for GM approval: Fate")
    anna.shot("waiting")
    expect(gus.page.get_by_role("tab", name="GM 1 waiting for your approval")).to_be_visible()
    expect(gus.page.locator("#say")).to_contain_text("Anna proposes a change to a sheet")
    asked = gus.panel("GM").locator(".proposal")
    expect(asked).to_contain_text("Anna proposes a change to Mara: Fate")
    gus.shot("approval")
    expect(asked).to_contain_text("for the rescue")
    asked.get_by_role("button", name="Approve").click()
    expect(sheet.get_by_role("button", name="Fate: 3. Edit")).to_be_visible()
    expect(sheet.locator(".proposal")).to_have_count(0)
    expect(gus.page.get_by_role("tab", name="GM", exact=True)).to_be_visible()
    expect(entries.nth(before)).to_be_attached()


def test_sheet_opens_on_my_own_and_the_gms_on_whoever_is_in_play(people: People) -> None:
    campaign = people.server.create("burning_wheel")
    campaign.seat("Bert", "tam")
    gus, bert = people.sits(campaign, "gm"), people.sits(campaign, "bert")
    expect(bert.sheet.get_by_role("heading", level=2)).to_have_text("Tam")
    gus.suggestion("Mara looks for the smugglers' door")
    expect(gus.sheet.get_by_role("heading", level=2)).to_have_text("Mara")
    expect(bert.sheet.get_by_role("heading", level=2)).to_have_text("Tam")
    gus.sheet.get_by_role("combobox", name="Character").select_option(label="Ysmay")
    people.play_out(gus, bert)
    expect(gus.sheet.get_by_role("heading", level=2)).to_have_text("Ysmay")


def test_no_to_a_proposal_leaves_the_sheet_as_it_was(people: People) -> None:
    campaign = people.server.create("burning_wheel")
    campaign.seat("Anna", "mara")
    campaign.do({"do": "edit", "character": "mara", "path": "artha.fate", "value": 9}, "anna")
    gus, anna = people.sits(campaign, "gm"), people.sits(campaign, "anna")
    asked = gus.panel("GM").locator(".proposal")
    expect(asked).to_contain_text("9")
    asked.get_by_role("button", name="Reject").click()
    expect(anna.edits_sheet().locator(".proposal")).to_have_count(0)
    expect(anna.sheet.get_by_role("button", name="Fate: 2. Edit")).to_be_visible()


def test_others_sheets_cannot_be_changed_and_the_gms_are_not_shown(people: People) -> None:
    campaign = people.server.create("burning_wheel")
    campaign.seat("Anna", "mara")
    campaign.seat("Bert", "tam")
    bert = people.sits(campaign, "bert")
    sheet = bert.edits_sheet()
    expect(sheet.get_by_role("heading", name="Tam")).to_be_visible()
    changes = sheet.get_by_role("button", name=re.compile("Edit$"))
    expect(changes.nth(5)).to_be_visible()
    sheet.get_by_role("combobox", name="Character").select_option(label="Ysmay")
    expect(sheet).to_contain_text("Only the GM can see this sheet.")
    sheet.get_by_role("combobox", name="Character").select_option(label="Mara")
    expect(sheet.get_by_role("heading", name="Mara")).to_be_visible()
    expect(changes).to_have_count(0)


@pytest.mark.parametrize(
    ("game", "hero", "skills"),
    [
        ("burning_wheel", "mara", ("Streetwise", "Persuasion", "Will")),
        ("percentile", "ilse", ("Scrutiny", "Old Ciphers")),
        ("cores", "robin", ("Skating", "Physical")),
        ("signs", "ysolde", ("Rooftops", "Skill")),
    ],
)
def test_sheet_is_printed_on_one_page(
    people: People, game: str, hero: str, skills: tuple[str, ...]
) -> None:
    campaign = people.server.create(game)
    campaign.seat("Anna", hero)
    anna = people.sits(campaign, "anna")
    anna.panel("Sheet")
    pdf = anna.page.pdf(format="A4", prefer_css_page_size=True)
    assert pages(pdf) == 1
    anna.page.emulate_media(media="print")
    anna.page.evaluate("dispatchEvent(new Event('beforeprint'))")
    printed = anna.page.locator(".print-page")
    for skill in skills:
        expect(printed.get_by_text(skill).first).to_be_visible()
    for away in ("I want to", "Message"):
        expect(anna.page.get_by_text(away).first).to_be_hidden()
    anna.shot("printed")


def test_two_new_beliefs_that_wait_for_approval_are_both_kept(people: People) -> None:
    campaign = people.server.create("burning_wheel")
    campaign.seat("Anna", "mara")
    gus, anna = people.sits(campaign, "gm"), people.sits(campaign, "anna")
    sheet = anna.edits_sheet()
    beliefs = ("I will find the ledger.", "I will never go home.")
    for count, belief in enumerate(beliefs, 1):
        sheet.get_by_role("button", name="Add to Beliefs").click()
        sheet.get_by_role("textbox", name="New entry").fill(belief)
        sheet.get_by_role("button", name="Propose").click()
        expect(sheet.locator(".proposal")).to_have_count(count)
    anna.shot("two")
    waiting = gus.panel("GM").locator(".proposal")
    expect(waiting.first).to_contain_text("Anna proposes a change to Mara: Beliefs")
    expect(waiting.first).to_contain_text(f"Add: {beliefs[0]}")
    for left in (1, 0):
        waiting.last.get_by_role("button", name="Approve").click()
        expect(waiting).to_have_count(left)
    for belief in beliefs:
        expect(sheet.get_by_role("button", name=re.compile(re.escape(belief)))).to_be_visible()


# --- Where a value stands ------------------------------------------------------------------


@pytest.mark.parametrize("size", [SCREEN, PHONE], ids=["wide", "phone"])
def test_a_value_is_edited_where_it_stands(people: People, size: tuple[int, int]) -> None:
    campaign = people.server.create("burning_wheel")
    campaign.do({"do": "title", "title": "A trial", "free_edits": True})
    campaign.seat("Anna", "mara")
    anna = people.sits(campaign, "anna", size=size)
    anna.forgive("status of 4")
    sheet = anna.panel("Sheet")
    read = sheet.get_by_role("region", name="Beliefs").bounding_box()
    anna.edits_sheet()
    beliefs = sheet.get_by_role("region", name="Beliefs")
    expect(beliefs.get_by_role("button", name=re.compile("Edit$"))).to_have_count(3)
    opened = beliefs.bounding_box()
    assert read
    assert opened
    assert abs(read["y"] - opened["y"]) < 4, "the same sheet, in the same place"
    anna.shot(f"editing_{size[0]}")
    assert faults(anna, "#panel-sheet") == []

    rating = sheet.get_by_role("button", name="Streetwise: B4. Edit")
    rating.click()
    editor = sheet.get_by_role("dialog", name="Edit Streetwise")
    field = editor.get_by_role("textbox", name="Streetwise")
    expect(field).to_be_focused()
    if size == SCREEN:
        value, beside = rating.bounding_box(), editor.bounding_box()
        assert value
        assert beside
        below = beside["y"] - value["y"] - value["height"]
        above = value["y"] - beside["y"] - beside["height"]
        assert max(below, above) < 20, "the editor is beside the value"
    field.fill("B99")
    expect(editor.locator(".field-error")).to_contain_text("xpected")
    anna.shot(f"refused_{size[0]}")
    assert faults(anna, ".pop") == []
    field.fill("B5")
    field.press("Enter")
    expect(editor).to_have_count(0)
    expect(sheet.get_by_role("button", name="Streetwise: B5. Edit")).to_be_focused()

    sheet.get_by_role("button", name="Add to Gear").click()
    adding = sheet.get_by_role("dialog", name="Add to Gear")
    adding.get_by_role("textbox", name="New entry").fill("a coil of rope")
    adding.get_by_role("button", name="Cancel").click()
    expect(adding).to_have_count(0)
    sheet.get_by_role("button", name="Edit", exact=True).click()
    expect(sheet.get_by_role("button", name="Test Streetwise").first).to_be_visible()
    assert "coil of rope" not in anna.dom


# --- To read -------------------------------------------------------------------------------


def with_full_sheet(people: People) -> Campaign:
    """A campaign in which Anna plays somebody who has been through a lot."""
    campaign = people.server.create("burning_wheel", demo=False)
    campaign.do({"do": "join", "character": "osric", "file": FULL.read_text(), "seat": "gm"})
    campaign.seat("Anna", "osric")
    return campaign


def pages(pdf: bytes) -> int:
    return len(re.findall(rb"/Type\s*/Page\b", pdf))


TWO_LINES = 28
"""Pixels that an ability takes at least if its name or its marks go below."""


def is_on_one_screen(person: Person) -> bool:
    """Whether nothing of the sheet has to be scrolled to."""
    panel = person.page.locator("#panel-sheet")
    return bool(panel.evaluate("(panel) => panel.scrollHeight <= panel.clientHeight"))


def test_sheet_of_the_demo_is_on_one_screen_beside_the_table(people: People) -> None:
    campaign = people.server.create("burning_wheel")
    campaign.seat("Anna", "mara")
    anna = people.sits(campaign, "anna", size=SCREEN)
    for shown in ("Beliefs", "Skills", "Grayscale", "Relationships"):
        expect(anna.sheet.get_by_role("heading", name=shown)).to_be_in_viewport()
    anna.until(lambda: is_on_one_screen(anna), "the sheet has to be scrolled")
    anna.shot("beside")


def test_full_character_is_on_one_screen(people: People) -> None:
    anna = people.sits(with_full_sheet(people), "anna", size=SCREEN)
    # Beside the table all that is rolled with is in view, one line for each.
    expect(anna.sheet.get_by_role("button", name="Test Etiquette").first).to_be_in_viewport(ratio=1)
    assert max(heights(anna, ".ability")) < TWO_LINES
    anna.shot("beside")
    anna.sheet.get_by_role("button", name="Full width").click()
    anna.until(lambda: is_on_one_screen(anna), "the sheet has to be scrolled")
    with in_the_dark(anna):
        assert is_on_one_screen(anna)
        anna.shot("full_dark")
    for text in ("bring the proof before", "Etiquette", "-1D +1 Ob, fit", "Knight, Captain"):
        expect(anna.sheet.get_by_text(text).first).to_be_in_viewport(ratio=1)
    assert "\u00a7" not in anna.page.locator("body").inner_text()
    anna.shot("full")
    # A tap on an ability leads back to the table, where its test has begun.
    anna.sheet.get_by_role("button", name="Test Heraldry").click()
    expect(anna.play.locator("ast-procedure")).to_contain_text("Heraldry")
    expect(anna.play).to_be_in_viewport()


def test_phone_shows_beliefs_artha_and_eight_abilities_without_scrolling(people: People) -> None:
    anna = people.sits(with_full_sheet(people), "anna", size=PHONE, touch=True)
    sheet = anna.panel("Sheet")
    above = PHONE[1] - anna.page.get_by_role("navigation", name="Panels").bounding_box()["height"]
    most_used = sheet.get_by_role("region", name="Most used")
    abilities = most_used.get_by_role("button", name=re.compile("^Test "))
    expect(abilities).to_have_count(8)
    expect(abilities.first).to_have_text("Sword")  # the only one with tests in its log
    for shown in (
        sheet.get_by_text("Persona"),
        sheet.get_by_text("truth about her brother's death"),
        *abilities.all(),
    ):
        box = shown.bounding_box()
        assert box["y"] + box["height"] <= above, shown
    anna.shot("phone")
    most_used.get_by_role("button", name="Test Sword").tap()
    expect(anna.play.locator("ast-procedure")).to_contain_text("Sword")


@pytest.mark.parametrize("size", [SCREEN, PHONE], ids=["wide", "phone"])
def test_rule_and_notes_are_behind_a_dotted_underline(
    people: People, size: tuple[int, int]
) -> None:
    anna = people.sits(with_full_sheet(people), "anna", size=size, touch=size == PHONE)
    sheet = anna.panel("Sheet")
    rating = sheet.get_by_role("region", name="Skills").get_by_role("button", name="About Sword")
    rating.scroll_into_view_if_needed()
    rating.click()
    about = anna.page.get_by_role("dialog", name="Sword")
    expect(about).to_contain_text("difficult")
    expect(about).to_contain_text("root Agility")
    expect(about).to_contain_text("A skill is a particular technique")
    anna.shot("about")
    if size == PHONE:
        box = about.bounding_box()
        assert (box["x"], box["width"]) == (0, PHONE[0])
        assert abs(box["y"] + box["height"] - PHONE[1]) < 1
    anna.page.keyboard.press("Escape")
    expect(about).to_have_count(0)
    expect(rating).to_be_focused()
    sheet.get_by_role("button", name="Beliefs").click()
    rule = anna.page.get_by_role("dialog")
    expect(rule).to_contain_text("three")
    rule.get_by_role("button", name="Open in Rules").click()
    expect(anna.page.locator("#panel-rules")).to_contain_text("three")
    expect(rule).to_have_count(0)


def test_a_section_is_one_tab_stop_and_arrows_lead_through_it(people: People) -> None:
    anna = people.sits(with_full_sheet(people), "anna", size=SCREEN)
    stops = anna.sheet.locator("button:visible:not([tabindex='-1']), select:visible")
    assert stops.count() <= 30
    skills = anna.sheet.get_by_role("region", name="Skills")
    skills.get_by_role("button", name="Test Sword").focus()
    anna.page.keyboard.press("ArrowRight")
    expect(skills.get_by_role("button", name="About Sword")).to_be_focused()
    anna.page.keyboard.press("ArrowDown")
    expect(skills.get_by_role("button", name="Test Command")).to_be_focused()


def test_full_character_is_printed_on_one_page_with_its_notes(people: People) -> None:
    anna = people.sits(with_full_sheet(people), "anna", size=SCREEN)
    anna.edits_sheet()  # what is printed is the sheet to read, whatever is open
    assert pages(anna.page.pdf(format="A4", prefer_css_page_size=True)) == 1
    anna.page.emulate_media(media="print")
    anna.page.evaluate("dispatchEvent(new Event('beforeprint'))")
    printed = anna.page.locator(".print-page")
    for text in ("Etiquette", "B4/B8/B12", "for Intimidation", "Free Company"):
        expect(printed.get_by_text(text).first).to_be_visible()
    expect(printed.get_by_text("Most used")).to_have_count(0)


@pytest.mark.parametrize(
    ("game", "hero", "shown"),
    [
        ("cores", "robin", ("Physical", "Skating", "Story Points")),
        ("signs", "ysolde", ("Rooftops", "Boons")),
        ("percentile", "ilse", ("Weapon Skill", "Old Ciphers")),
    ],
)
def test_sheets_of_the_smaller_games_are_on_one_screen(
    people: People, game: str, hero: str, shown: tuple[str, ...]
) -> None:
    campaign = people.server.create(game)
    campaign.seat("Anna", hero)
    anna = people.sits(campaign, "anna", size=SCREEN)
    for text in shown:
        found = anna.sheet.get_by_text(text).locator("visible=true").first
        expect(found).to_be_in_viewport(ratio=1)
    anna.until(lambda: is_on_one_screen(anna), "the sheet has to be scrolled")
    anna.shot(game)
    # With the whole width it fills it, and whoever sits farther away can read it, too.
    anna.sheet.get_by_role("button", name="Full width").click()
    anna.until(lambda: is_on_one_screen(anna), "the sheet has to be scrolled")
    assert max(edges(anna, ".view")) > 0.9 * SCREEN[0]
    assert min(sizes(anna, ".view li")) > 18
    anna.shot(f"{game}_wide")


@pytest.mark.parametrize(
    ("game", "hero", "least"),
    [
        ("burning_wheel", "mara", 10),
        ("cores", "robin", 12),
        ("signs", "ysolde", 12),
        ("percentile", "ilse", 12),
    ],
)
def test_a_short_sheet_is_printed_in_a_size_to_read_at_the_table(
    people: People, game: str, hero: str, least: float
) -> None:
    campaign = people.server.create(game)
    campaign.seat("Anna", hero)
    anna = people.sits(campaign, "anna")
    anna.panel("Sheet")
    anna.page.set_viewport_size({"width": 703, "height": 1032})  # A4 within its margins
    anna.page.evaluate("dispatchEvent(new Event('beforeprint'))")
    anna.page.emulate_media(media="print")
    assert min(sizes(anna, ".print-page .sections li")) * 0.75 > least
    # No name is broken within a word: its words are on as many lines as it has, or fewer.
    name = """(name) => name.getClientRects().length && name.offsetHeight / parseFloat(
      getComputedStyle(name).lineHeight) < name.textContent.split(/[\\s-]/).length + 0.5"""
    names = anna.page.locator(".print-page .ability-name")
    assert names.count()
    assert all(each.evaluate(name) for each in names.all())


def heights(person: Person, selector: str) -> list[float]:
    """How high things are that are shown."""
    high = "(all) => all.map((each) => each.getBoundingClientRect().height)"
    return list(person.sheet.locator(selector).locator("visible=true").evaluate_all(high))


def edges(person: Person, selector: str) -> list[float]:
    """How far to the right things reach that are shown."""
    right = "(all) => all.map((each) => each.getBoundingClientRect().right)"
    return list(person.sheet.locator(selector).locator("visible=true").evaluate_all(right))


def sizes(person: Person, selector: str) -> list[float]:
    """How large things are written that are shown, in pixels."""
    size = "(all) => all.map((each) => parseFloat(getComputedStyle(each).fontSize))"
    return list(person.page.locator(selector).locator("visible=true").evaluate_all(size))
