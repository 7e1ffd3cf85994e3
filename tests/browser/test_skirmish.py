"""Range and Cover from the far end of bow range into a Fight!, and out of it again."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import expect

from browser.answering import row
from browser.people import PHONE, People, Person
from browser.server import Campaign
from browser.test_accessibility import faults
from browser.test_duel import heard, seen
from browser.test_fight import FIGHTER, Fighting
from browser.test_phone import fits, is_for_thumbs
from browser.test_taps import COUNT, LARGE, taps

ARCHER: dict[str, Any] = {
    **FIGHTER,
    "npc": False,
    "skills": {"Bow": "B4", "Sword": "B4", "Brawling": "B3"},
    "weapons": [{"weapon": "hunting bow"}, {"weapon": "sword"}],
}
PEOPLE = {
    "anneke": ("Anneke", "anna"),
    "bo": ("Bo", "bert"),
    "scar": ("Scar", "gm"),
    "nix": ("Nix", "gm"),
}
SKIRMISH = {
    "about": "the ford",
    "start": "extreme/extreme",
    "sides": [
        {"shooters": [{"character": "anneke"}, {"character": "bo"}]},
        {"shooters": [{"character": "scar"}, {"character": "nix"}], "cover": "reasonable"},
    ],
}
HOLD = ["Speed Maintain", "Perception Maintain", "Speed Maintain"]
CLOSE = ["Speed Close"] * 3
GIVE_UP = ["Give up"] * 3
APART = ["Withdraw", "Block", *["Withdraw", "Avoid"] * 2]
"""With one action of the weapon that helped in the first positioning."""


def begin(campaign: Campaign) -> None:
    campaign.seat("Anna")
    campaign.seat("Bert")
    for key, (name, seat) in PEOPLE.items():
        campaign.do({"do": "join", "character": key, "sheet": {**ARCHER, "name": name}})
        campaign.do({"do": "give", "character": key, "seat": seat})
        campaign.do({"do": "own_dice", "on": True}, seat)
    campaign.do({"do": "begin", "procedure": "range_and_cover", "arguments": SKIRMISH})


def is_writing(person: Person) -> bool:
    script = ".mine > ast-question :is(ast-script, ast-volley-script)"
    return bool(person.play.locator(script).count())


def knows(person: Person, card: str, since: int) -> bool:
    """Whether a card is to be found in a message from this one on, or on the page."""
    told = [*map(heard, person.frames[since:]), seen(person)]
    return any(card.lower() in text for text in told)


class Skirmishing(Fighting):
    """The players' dice succeed, the bandits' do not, and nobody shoots."""

    def until_scripts(self) -> None:
        while not is_writing(self.people.next_of(*self.seated)):
            self.answer(self.people.next_of(*self.seated))

    def until_over(self, script: list[str]) -> None:
        """Until the result is there; whoever has to write a script takes this one."""
        for _ in range(200):
            who = self.people._next(self.seated)
            if who is None:
                return
            if is_writing(who):
                who.answer(script)
            else:
                self.answer(who)
        raise AssertionError("it does not end")

    def answer(self, who: Person) -> None:
        who.is_asked()
        holds = row(who.card, "shoot").get_by_role("radio", name="Hold fire")
        if holds.count() and not holds.first.is_checked():
            who.drafts("shoot", "Hold fire")  # then perhaps somebody else has the next dice
        elif who.asks("out_of_reach"):
            who.answer("Continue with missiles")
        elif who.card.locator(".face-box").count():
            who.answer([2] if who.name == "gm" else [4])
        else:
            self.cards[who.name] += 1
            who.answer()


def test_from_bow_range_into_a_fight_and_out_again(people: People) -> None:
    campaign = people.server.create(
        "burning_wheel", demo=False, range_and_cover_groups="shared_margin"
    )
    begin(campaign)
    gus, anna = (people.sits(campaign, seat, size=LARGE, script=COUNT) for seat in ("gm", "anna"))
    bert = people.sits(campaign, "bert", size=PHONE, touch=True, scheme="dark", script=COUNT)
    playing = Skirmishing(people, gus, anna, bert)
    playing.until_scripts()

    # The line of ranges, with both teams on it.
    for person in people.all:
        line = person.play.get_by_role("img", name="Anneke and Bo: extreme; Scar and Nix")
        expect(line).to_have_accessible_name(re.compile("extreme, reasonable cover$"))
        expect(line.locator(".band.is-here")).to_have_text(["extreme", "extreme"])
    anna.is_asked()
    anna.shot("script")
    assert faults(anna, "ast-play") == []
    began = {person.name: len(person.frames) for person in people.all}
    before = taps(anna)
    anna.answer(HOLD)
    assert taps(anna) - before <= 1 + len(HOLD)
    for person in (bert, gus):
        assert not knows(person, "Perception Maintain", began[person.name])

    # The GM's side takes a suggestion: one tap, and another to lock it in.
    before = taps(gus)
    gus.is_asked()
    suggested = gus.card.get_by_role("group", name="Suggest a script")
    suggested.get_by_role("button", name="Steady").click()
    lock = gus.card.get_by_role("button", name="Lock in")
    gus.until_heard(lock.click)
    assert taps(gus) - before <= 2

    # Both cards lie open, with what they do; the odds are for those who may see all the sheets.
    while not gus.play.locator(".reveal").count():
        playing.answer(people.next_of(*playing.seated))
    for person in people.all:
        shown = person.play.locator(".reveal").first
        expect(shown).to_contain_text("Speed Maintain")
        expect(shown.locator(".effect")).to_contain_text("Anneke wins: the range stays")
        expect(shown.locator(".effect").get_by_title("Rule: ")).to_be_visible()
    odds = gus.play.get_by_role("list", name="Odds")
    expect(odds).to_contain_text(re.compile(r"\d%Anneke, Speed Maintain"))
    expect(odds).to_contain_text(re.compile(r"\d%Scar, "))
    # Who may not read the other sheet sees what the own dice are good for, and no more.
    own = anna.play.get_by_role("list", name="Odds")
    expect(own).to_contain_text(re.compile(r"\d%Anneke, .*\d+D: \d+ or more"))
    expect(own).not_to_contain_text("Scar")
    gus.shot("odds", whole=True)
    anna.shot("revealed", whole=True)
    fits(bert, "the cards")
    is_for_thumbs(bert, "the cards")
    bert.shot("revealed", whole=True)
    assert faults(bert, "ast-play") == []

    # Whoever wins may shoot, and the GM sees the odds of the shot before it is made.
    while not anna.asks("shoot"):
        playing.answer(people.next_of(*playing.seated))
    anna.drafts("shoot", "Nix")
    expect(odds).to_contain_text(re.compile(r"\d%Anneke, Bow"))
    anna.shot("shot", whole=True)
    playing.until_scripts()

    # Three volleys: each side has the dice of its positions, and then those of what it bought.
    for seat in ("gm", "anna", "bert"):
        assert playing.cards[seat] <= 1 + 3 * 2, seat

    # A second exchange brings them too close to shoot, and on to a Fight!
    playing.until_over(CLOSE)
    result = gus.page.get_by_role("region", name="Result")
    expect(result).to_contain_text("The conflict goes on hand to hand.")
    gus.shot("too_close", whole=True)
    result.get_by_role("button", name="Go on with Fight!").click()
    playing.until_scripts()
    for person in people.all:
        expect(person.play.locator(".fight-picture .gaps").first).to_contain_text("Anneke")
        expect(person.play.locator(".fight-picture")).to_contain_text("hunting bow")
    bert.shot("fight", whole=True)

    # Out of reach again, they go on with missiles, until the bandits have had enough.
    playing.until_over(APART)
    expect(result).to_contain_text("The melee is over: it goes on with missiles")
    result.get_by_role("button", name="Go on with Range and Cover").click()
    playing.until_scripts()
    expect(gus.play.locator(".distance-line")).to_be_visible()
    anna.answer(HOLD)
    gus.answer(GIVE_UP)
    expect(anna.page.get_by_role("region", name="Result")).to_contain_text(
        "The conflict is over: Anneke and Bo won."
    )
    anna.shot("over", whole=True)
