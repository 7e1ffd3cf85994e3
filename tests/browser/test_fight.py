"""A whole Fight! of two against three: scripts that nobody else sees, wounds, a Lock, a Disarm."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

from playwright.sync_api import expect

from browser.answering import in_hand
from browser.people import PHONE, People, Person
from browser.server import Campaign
from browser.test_accessibility import faults
from browser.test_duel import heard
from browser.test_phone import fits, is_for_thumbs
from browser.test_taps import COUNT, LARGE, taps

FIGHTER: dict[str, Any] = {
    "npc": True,
    "stats": dict.fromkeys(("Will", "Perception", "Power", "Forte", "Agility", "Speed"), "B4"),
    "attributes": {"Health": "B4", "Steel": "B3", "Reflexes": "B3", "Mortal Wound": "B10"},
    "skills": {"Sword": "B4", "Brawling": "B3"},
    "weapons": [{"weapon": "sword"}],
}
PEOPLE = {
    "anneke": ("Anneke", "anna", {"skills": {"Sword": "B6", "Brawling": "B4"}}),
    "bo": ("Bo", "bert", {}),
    "scar": ("Scar", "gm", {}),
    "nix": ("Nix", "gm", {"weapons": [{"weapon": "dagger"}]}),
    "pell": ("Old Pell", "gm", {}),
}
FIGHT = {
    "about": "the toll",
    "sides": [
        {"fighters": [{"character": "anneke"}, {"character": "bo"}]},
        {"fighters": [{"character": key} for key in ("scar", "nix", "pell")]},
    ],
}
ANNAS = ["Maintain", "Disarm", "Maintain", "Lock", "Maintain", "Avoid"]
BERTS = ["Maintain", "Avoid", "Maintain", "Strike", "Maintain", "Avoid"]
BANDITS = ["Maintain", "Block"] * 3
SURRENDER = ["Maintain", "Give up", "Maintain", "Block", "Maintain", "Block"]


def begin(campaign: Campaign) -> None:
    campaign.seat("Anna")
    campaign.seat("Bert")
    for key, (name, seat, more) in PEOPLE.items():
        sheet = {**FIGHTER, "name": name, **more}
        campaign.do({"do": "join", "character": key, "sheet": sheet})
        campaign.do({"do": "give", "character": key, "seat": seat})
    campaign.do({"do": "begin", "procedure": "fight", "arguments": FIGHT})


def seen(person: Person) -> str:
    """What stands anywhere on the page, without the action cards and the pages of the rules."""
    page = """(root) => {
      const bare = root.cloneNode(true);
      bare.querySelectorAll("ast-volley-script, ast-rules").forEach((each) => each.remove());
      return bare.outerHTML;
    }"""
    return str(person.page.locator("html").evaluate(page)).lower()


def knows(person: Person, card: str, since: int) -> list[str]:
    """Where a card is to be found: in a message from this one on, or on the page."""
    word = re.compile(rf"\b{card.lower()}\b")
    told = [frame for frame in map(heard, person.frames[since:]) if word.search(frame)]
    return told + [page.group() for page in word.finditer(seen(person))]


def is_writing(person: Person) -> bool:
    return bool(person.play.locator(".mine > ast-question ast-volley-script").count())


class Fighting:
    """Everybody presses what has to be pressed; the players' dice succeed, the bandits' do not."""

    def __init__(self, people: People, *seated: Person) -> None:
        self.people = people
        self.seated = seated
        self.cards: Counter[str] = Counter()
        """How often each seat released a card."""

    def until_scripts(self) -> None:
        while not is_writing(who := self.people.next_of(*self.seated)):
            self.answer(who)

    def answer(self, who: Person) -> None:
        if who.card.locator(".face-box").count():
            who.answer([2] if who.name == "gm" else [4])
            return
        keep = who.play.get_by_label("Keep rolling")
        if keep.is_visible():
            keep.check()
        self.cards[who.name] += 1
        who.answer()

    def to_the_end(self, script: Sequence[str]) -> None:
        for _ in range(300):
            who = self.people._next(self.seated)
            if who is None:
                return
            if is_writing(who):
                who.answer(list(script) if who.name == "gm" else BERTS)
            else:
                self.answer(who)
        raise AssertionError("it does not end")


def test_fight_of_two_against_three_to_its_end(people: People) -> None:
    campaign = people.server.create("burning_wheel", demo=False)
    begin(campaign)
    gus, anna, bert = (
        people.sits(campaign, seat, size=LARGE, script=COUNT) for seat in ("gm", "anna", "bert")
    )
    for seat in ("gm", "anna", "bert"):
        campaign.do({"do": "own_dice", "on": True}, seat)
    fighting = Fighting(people, gus, anna, bert)
    fighting.until_scripts()
    began = {person.name: len(person.frames) for person in people.all}

    # A script stays with its writer, until its volley is read out.
    anna.is_asked()
    expect(anna.card).to_contain_text("Secret until everyone has answered")
    anna.shot("script")
    assert faults(anna, "ast-play") == []
    before = taps(anna)
    anna.answer(ANNAS)
    assert taps(anna) - before <= 1 + 2 * len(ANNAS)
    for person in (bert, gus):
        expect(person.play).to_contain_text(re.compile("Anna|script"))
        assert knows(person, "Lock", began[person.name]) == []
    bert.answer(BERTS)
    for _ in range(3):
        gus.answer(BANDITS)
    pressed = Counter(fighting.cards)
    while not gus.play.locator(".reveal").count():
        fighting.answer(people.next_of(*fighting.seated))
    for person in people.all:
        expect(person.play.locator(".reveal").first).to_contain_text("Disarm")
    for person in (bert, gus):
        assert knows(person, "Lock", began[person.name]) == []

    # In three volleys each side releases one card for each, and once the dice of all to come.
    fighting.until_scripts()
    for seat in ("gm", "anna", "bert"):
        assert fighting.cards[seat] - pressed[seat] <= 3 + 1, seat
    gus.until(
        lambda: all(knows(person, "Lock", began[person.name]) for person in people.all),
        "what is shown would be found",
    )
    picture = gus.play.locator(".fight-picture").first
    expect(picture).to_contain_text(re.compile(r"locked, \dD"))
    expect(picture).to_contain_text("hesitates")
    expect(picture.locator(".fighter", has_text="Scar")).not_to_contain_text("sword")
    hurt = picture.get_by_role("img", name=re.compile(r"Scar: [0-3] of 4 dice left"))
    expect(hurt).to_be_visible()
    gus.shot("after_exchange", whole=True)
    assert faults(gus, "ast-play") == []
    anna.shot("after_exchange_anna", whole=True)

    fighting.to_the_end(SURRENDER)
    result = anna.page.get_by_role("region", name="Result")
    expect(result).to_contain_text("The fight is over: Anneke and Bo won.")
    anna.shot("over", whole=True)


def test_script_is_written_with_a_thumb_and_says_what_is_not_allowed(people: People) -> None:
    campaign = people.server.create("burning_wheel", demo=False)
    begin(campaign)
    gus, anna = (people.sits(campaign, seat) for seat in ("gm", "anna"))
    bert = people.sits(campaign, "bert", size=PHONE, touch=True, scheme="dark")
    Fighting(people, gus, anna, bert).until_scripts()
    bert.is_asked()
    fits(bert, "the script")
    is_for_thumbs(bert, "the script")
    lock = bert.card.get_by_role("button", name="Lock in")
    expect(lock).to_be_in_viewport(ratio=1)
    expect(lock).to_be_disabled()
    expect(bert.card).to_contain_text("Open: 3 positions, 3 actions")

    # A position is kept in later volleys, and a Great Strike brings its Set along.
    slots = bert.card.get_by_role("group", name="Your script").get_by_role("button")
    in_hand(bert.card, "Close").tap()
    in_hand(bert.card, "Great Strike").tap()
    expect(slots).to_have_text(
        [
            "Position Close",
            "Action Set",
            "Position Close",
            "Action Great Strike",
            "Position Close",
            "Action empty",
        ],
        use_inner_text=True,
    )
    slots.first.scroll_into_view_if_needed()
    bert.shot("script", whole=True)
    assert faults(bert, "ast-play") == []

    # What cannot stand here says so, with the rule, and changes nothing.
    strike = in_hand(bert.card, "Strike")
    expect(strike).to_have_attribute("aria-disabled", "true")
    strike.click(force=True)
    expect(bert.card.locator(".hint-line")).to_contain_text("another action between two Strikes")
    expect(bert.card.locator(".hint-line").get_by_title("Rule: ")).to_be_visible()
    expect(slots.last).to_have_text("Action empty", use_inner_text=True)
    in_hand(bert.card, "Great Strike").click()
    expect(bert.card.locator(".hint-line")).to_contain_text("2 actions in a row")
    expect(bert.card.locator(".barred-cards")).to_contain_text("Not here: Block and Strike")

    # A gap that is made later is marked at its place.
    slots.nth(1).tap()
    in_hand(bert.card, "Avoid").tap()
    expect(bert.card.locator(".wrong-cards")).to_contain_text(
        "Volley 2, action 1: expected a Set directly before each Great Strike."
    )
    bert.shot("wrong")

    # It survives a reload; a suggestion takes its place, and can be locked in as it is.
    bert.page.reload()
    expect(slots.nth(1)).to_have_text("Action Avoid", use_inner_text=True)
    suggested = bert.card.get_by_role("group", name="Suggest a script")
    suggested.get_by_role("button", name="Sly").tap()
    expect(lock).to_be_enabled()
    fits(bert, "the suggestion")
    bert.until_heard(lock.tap)
    expect(bert.play.locator("ast-volley-script")).to_have_count(0)


def test_demo_offers_a_fight(people: People) -> None:
    campaign = people.server.create("burning_wheel")
    gus = people.sits(campaign, "gm", size=LARGE)
    gus.suggestion("Mara and Serjeant Hale meet Ketil the Loud")
    Fighting(people, gus).until_scripts()
    expect(gus.play.locator(".fight-picture")).to_contain_text("footman's axe")
    gus.shot("demo")
