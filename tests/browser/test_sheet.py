"""The sheet: changed in place with the GM's approval, refused before it is sent, and printed."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from browser.people import People


def test_wrong_value_is_told_before_it_is_saved(people: People) -> None:
    campaign = people.server.create("burning_wheel")
    campaign.seat("Anna", "mara")
    gus, anna = people.sits(campaign, "gm"), people.sits(campaign, "anna")
    anna.forgive("status of 4")
    sheet = anna.panel("Sheet")
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
    expect(anna.panel("Sheet").locator(".proposal")).to_have_count(0)
    expect(anna.sheet.get_by_role("button", name="Fate: 2. Edit")).to_be_visible()


def test_others_sheets_cannot_be_changed_and_the_gms_are_not_shown(people: People) -> None:
    campaign = people.server.create("burning_wheel")
    campaign.seat("Anna", "mara")
    campaign.seat("Bert", "tam")
    bert = people.sits(campaign, "bert")
    sheet = bert.panel("Sheet")
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
def test_sheet_is_printed_on_a_page_or_two(
    people: People, game: str, hero: str, skills: tuple[str, ...]
) -> None:
    campaign = people.server.create(game)
    campaign.seat("Anna", hero)
    anna = people.sits(campaign, "anna")
    anna.panel("Sheet")
    pdf = anna.page.pdf(format="A4", prefer_css_page_size=True)
    assert len(re.findall(rb"/Type\s*/Page\b", pdf)) in (1, 2)
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
    sheet = anna.panel("Sheet")
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
