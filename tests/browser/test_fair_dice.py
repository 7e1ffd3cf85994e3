"""The page checks the log and the dice by itself, and says what it finds."""

from __future__ import annotations

import copy
import json
import re
from random import Random

import msgspec
from playwright.sync_api import expect

from browser.people import People, Person
from table.test_tampering import BY_HAND, WITH_ALL_HASHES, evening, rechained

CHECK = """async ([seen, receipt]) => {
  const { check } = await import("/page/js/fairness.js");
  try { return check(seen, receipt); } catch (error) { return { wrong: [String(error)] }; }
}"""

SPOIL_RECEIPT = """(change) => {
  const key = Object.keys(localStorage).find((each) => each.startsWith("astragal:receipt:"));
  const kept = JSON.parse(localStorage.getItem(key));
  const last = kept.heads.at(-1);
  if (change === "later") last[0] += 50; else last[1] = "00".repeat(32);
  localStorage.setItem(key, JSON.stringify(kept));
}"""


def at_a_table(people: People) -> Person:
    campaign = people.server.create("burning_wheel")
    campaign.seat("Anna", "mara")
    campaign.do({"do": "begin_session"})
    anna = people.sits(campaign, "anna")
    expect(anna.panel("Notes").get_by_text("Added to the dice: Anna.")).to_be_visible()
    return anna


def test_the_page_finds_what_the_command_line_finds(people: People) -> None:
    anna = at_a_table(people)
    seen, receipts, _ = evening()
    receipt = {**json.loads(msgspec.json.encode(receipts[0])), "gave": {}}
    found = anna.page.evaluate(CHECK, [seen, receipt])
    assert found["wrong"] == []
    assert (found["fit"], found["typed"], found["undone"]) == (12, 1, 1)
    for kind, tamper in BY_HAND.items():
        spoilt = copy.deepcopy(seen)
        tamper(spoilt, Random(kind))
        assert anna.page.evaluate(CHECK, [spoilt, {}])["wrong"], kind
    for kind, tamper in WITH_ALL_HASHES.items():
        spoilt = copy.deepcopy(seen)
        tamper(spoilt, Random(kind))
        if spoilt["chain"]:
            rechained(spoilt)
        assert anna.page.evaluate(CHECK, [spoilt, receipt])["wrong"], kind


def test_a_device_that_was_away_goes_on_from_its_own_head(people: People) -> None:
    campaign = people.server.create("burning_wheel")
    campaign.seat("Anna", "mara")
    campaign.do({"do": "begin_session"})
    anna = people.sits(campaign, "anna")
    expect(anna.panel("Notes").get_by_text("Added to the dice: Anna.")).to_be_visible()
    anna.page.goto("about:blank")
    for number in range(100):
        campaign.do({"do": "say", "text": f"Message {number}"})
    anna.page.go_back()
    notes = anna.panel("Notes")
    notes.get_by_role("button", name="Check the dice").click()
    expect(notes.get_by_text("Checked by this device: 0 rolls match.")).to_be_visible()
    expect(notes.get_by_role("alert")).to_have_count(0)


def test_a_log_that_has_lost_entries_or_was_changed_is_noticed(people: People) -> None:
    anna = at_a_table(people)
    for change, said in (
        ("later", r"The server's log has lost entries: it ends with entry \d+"),
        ("other", r"The server's log was changed: it is not the one that this device saw"),
    ):
        anna.page.evaluate(SPOIL_RECEIPT, change)
        anna.page.reload()
        notes = anna.panel("Notes")
        trouble = notes.get_by_role("alert")
        expect(trouble).to_have_text(re.compile(said))
        anna.shot(f"log_{change}")
        notes.get_by_role("button", name="Follow this log from here").click()
        expect(trouble).to_have_count(0)
