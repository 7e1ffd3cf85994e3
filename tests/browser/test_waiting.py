"""Those who wait see the pool being gathered and who does what; who is asked for help is told."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from browser.people import PHONE, People, Person
from browser.test_accessibility import faults

LARGE = (1400, 900)
SMUGGLERS = "Mara looks for the smugglers' door"

NOTIFIED = """
globalThis.told = [];
globalThis.Notification = class extends EventTarget {
  static permission = "granted";
  constructor(title, { body }) { super(); told.push(`${title} / ${body}`); }
  close() {}
};
localStorage.setItem("astragal:notifications", "on");
Object.defineProperty(document, "hidden", { get: () => true });
"""


def is_marked(person: Person, name: str, said: str) -> None:
    """How somebody stands in the list of people."""
    row = person.page.locator("ast-people .person").filter(has_text=name)
    expect(row.locator(".who")).to_contain_text(said)


def test_who_is_asked_for_help_is_told(people: People) -> None:
    campaign = people.server.create("burning_wheel")
    campaign.seat("Anna", "mara")
    campaign.seat("Bert", "tam")
    anna = people.sits(campaign, "anna", size=LARGE)
    bert = people.sits(campaign, "bert", size=PHONE, touch=True, script=NOTIFIED)
    anna.suggestion(SMUGGLERS)
    expect(bert.page).to_have_title(re.compile("^● "))
    is_marked(bert, "Bert", "your turn")
    is_marked(anna, "Bert", "deciding")
    bert.until(lambda: bool(bert.page.evaluate("told.length")), "no notification")
    (told,) = bert.page.evaluate("told")
    assert told.startswith("Your turn: ")
    assert told.endswith("Help from Tam")
    asked = anna.shared_card.get_by_role("list", name="What the others do")
    expect(asked).to_contain_text("BertHelp from Tamasked")
    bert.shot("asked_for_help")
    # Who does not help says so with one press, though it is what happens anyway.
    bert.shared_card.get_by_text("Don't help").click()
    expect(bert.page).not_to_have_title(re.compile("^● "))
    expect(asked).to_contain_text("Help from Tam: Don't help")
    is_marked(anna, "Bert", "online")


def test_those_who_wait_see_the_pool_being_gathered(people: People) -> None:
    campaign = people.server.create("burning_wheel")
    for name, character in (("Anna", "mara"), ("Bert", "tam"), ("Cora", "")):
        campaign.seat(name, *[character] * bool(character))
    gus = people.sits(campaign, "gm")
    anna = people.sits(campaign, "anna", size=LARGE)
    bert = people.sits(campaign, "bert")
    cora = people.sits(campaign, "cora", size=PHONE, touch=True)
    ola = people.sits(campaign, "cora", size=LARGE)
    anna.suggestion(SMUGGLERS)
    for person in (cora, ola):
        pool = person.shared_card.get_by_role("list", name="The pool so far")
        others = person.shared_card.get_by_role("list", name="What the others do")
        # What a player said begins with a capital, too.
        about = person.play.locator("ast-procedure .about")
        expect(about).to_have_text(re.compile("^Get into the customs house unseen"))
        # Before anybody has said how hard it is.
        expect(pool.get_by_role("listitem")).to_have_text([re.compile("^4D.*Streetwise")])
        expect(others.get_by_role("listitem")).to_have_text(
            ["GusObstacleopen", "BertHelp from Tamasked", "Annarolls Mara, Streetwise"]
        )
    anna.drafts("forks", ["Stealthy"])
    bert.drafts("help", "Observation")
    gus.drafts("obstacle", 3)
    for person in (cora, ola):
        pool = person.shared_card.get_by_role("list", name="The pool so far")
        expect(pool.get_by_role("listitem")).to_have_text(
            [re.compile("^4D"), re.compile(r"^\+1D.*Stealthy"), re.compile(r"^\+2D.*Observation")]
        )
        expect(person.shared_card).to_contain_text("Help from Tam: Observation")
        expect(person.play.locator("ast-odds .large b")).to_be_visible()
        person.shot(f"waiting_{person.page.viewport_size['width']}")
        assert faults(person, "ast-play") == []
    # Who gathers the pool has it in the bar.
    expect(anna.shared_card.get_by_role("list", name="The pool so far")).to_be_hidden()
