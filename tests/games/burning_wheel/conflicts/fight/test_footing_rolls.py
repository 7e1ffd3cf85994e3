"""The dice of a positioning test: their odds, and ties that a trait breaks."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import msgspec
import pytest

from astragal.games.burning_wheel.conflicts.fight.positioning import engage, position
from astragal.games.burning_wheel.conflicts.fight.state import Gap, Positioning, Posture
from astragal.play import Ask, Change, Tell, chances_of_rolls, defaults, then
from astragal.play.machine import Frame, Machine
from games.burning_wheel.editions_beside import both, either
from games.burning_wheel.in_a_fight import FIGHTER, fight, run
from games.burning_wheel.meeting import dice, moment, ring, sheet

CLOSE, MAINTAIN, WITHDRAW, STAY = Positioning
LUCKY = {"name": "Lucky", "kind": "call_on", "effects": ["break_tie"]}
CALLS = {**FIGHTER, "traits": [LUCKY]}


def moving(at, ann=MAINTAIN, bob=MAINTAIN):
    return at.change("ann", moves=ann).change("bob", moves=bob)


def charging(at, card: str = "charge_tackle", bob=MAINTAIN, answered: tuple[str, ...] = ()):
    at = at.change("ann", moves=CLOSE, announced=(card,), targets=("bob",), charges=True)
    return at.change("bob", moves=bob, announced=answered, avoids="avoid" in answered)


# --- Odds ------------------------------------------------------------------------------------


def odds(at, step=position) -> dict[str, Fraction]:
    """The chances at the first dice."""

    def whole():
        return (yield from step(at))

    machine = Machine((Frame(then(whole)),))
    while isinstance(machine.effect, Ask | Tell | Change):
        effect = machine.effect
        machine.answer(defaults(effect) if isinstance(effect, Ask) else None)
    return {each.name: each.chance for each in chances_of_rolls(machine.state, defaults)}


def at_exactly(dice: int, wanted: int) -> Fraction:
    return Fraction(comb(dice, wanted), 2**dice) if 0 <= wanted <= dice else Fraction(0)


def wins(mine: int, theirs: int, less: int = 0) -> Fraction:
    """By hand: more of my dice succeed than of theirs, when so many of mine do not count."""
    return sum(
        at_exactly(mine, n) * at_exactly(theirs, m)
        for n in range(mine + 1)
        for m in range(theirs + 1)
        if max(0, n - less) > m
    )


@pytest.mark.rules("fight.position.versus_all", "fight.position.tie")
def test_a_positioning_test_has_odds_for_both():
    plain = odds(moving(fight(gap=3), CLOSE, WITHDRAW))
    assert plain == {"Ann, positioning": wins(4, 4), "Bob, positioning": wins(4, 4)}
    down = odds(moving(fight(gap=3), CLOSE).change("ann", posture=Posture.DOWN))
    assert down["Ann, positioning"] == wins(4, 4, less=2)
    assert odds(fight(gaps=()), engage)["Ann, first positioning"] == wins(4, 4)


@pytest.mark.rules("fight.nd.tie_foils", "fight.charge.avoid_adds")
def test_a_charge_has_the_odds_of_beating_positioning_and_avoid():
    """Five dice against four, and against four and four more."""
    plain = odds(charging(fight(gap=3)))
    assert plain == {"Ann, Charge": wins(5, 4), "Bob, positioning": 1 - wins(5, 4)}
    tackled = odds(charging(fight(gap=2), "tackle", answered=("avoid",)))
    assert tackled["Ann, Tackle"] == wins(5, 8)
    mutual = charging(fight(gap=3), bob=CLOSE, answered=("charge_tackle",))
    both = odds(mutual.change("bob", targets=("ann",), charges=True))
    assert both == {"Ann, Charge": wins(5, 5), "Bob, Charge": wins(5, 5)}


@pytest.mark.rules("fight.amb.many_fighters")
def test_with_several_opponents_the_odds_are_against_each():
    at = fight(gap=3, cat={})
    at = at.put(msgspec.structs.replace(at.fighter("cat"), side=1))
    at = msgspec.structs.replace(at, gaps=(Gap("ann", "bob", 3), Gap("ann", "cat", 3)))
    found = odds(moving(at, CLOSE, STAY).change("cat", moves=WITHDRAW))
    assert set(found) == {"Ann, positioning", "Cat, positioning"}, "Bob lets her come"
    all_three = odds(moving(at, CLOSE).change("cat", moves=WITHDRAW))
    assert all_three["Ann, positioning against Bob"] == wins(4, 4)
    assert all_three["Cat, positioning"] == wins(4, 4)


# --- Ties --------------------------------------------------------------------------------------


@pytest.mark.rules("beliefs.trait.call_on.break_tie", "fight.position.tie")
@pytest.mark.parametrize(
    ("callers", "gap"), [(("ann",), 2), (("bob",), 4), (("ann", "bob"), 3), ((), 3)]
)
def test_a_trait_breaks_a_tie_and_two_offset_each_other(callers, gap):
    """Ann Closes and Bob Withdraws, from lunging distance; it is won by one step."""
    at = moving(fight(gap=3, ann=CALLS, bob=CALLS), CLOSE, WITHDRAW)
    said = {f"{who}/break_tie": "Lucky" for who in callers}
    after = run(position, at, rolls=[2, 2], answers=said)
    assert after.fight.gap("ann", "bob") == gap
    assert "steps" not in after.played.asked
    for who in ("ann", "bob"):
        (trait,) = after.fight.sheet(who).traits
        assert trait.called_this_session is (who in callers)
    assert "break_tie" not in run(position, at, rolls=[2, 1]).played.asked


@pytest.mark.rules("beliefs.trait.call_on.break_tie", "fight.amb.start_tie")
def test_a_trait_breaks_the_tie_of_the_first_test():
    at = fight(gaps=(), ann=CALLS)
    said = {"ann/break_tie": "Lucky", "ann/starting_distance": "lunging"}
    assert run(engage, at, rolls=[2, 2], answers=said).fight.gap("ann", "bob") == 3


@pytest.mark.rules("beliefs.trait.call_on.break_tie", "fight.amb.mutual_charge")
def test_a_trait_breaks_the_tie_of_a_charge():
    """As if it were won by one; of two who charge each other only one has failed then."""
    said = {"ann/break_tie": "Lucky"}
    after = run(position, charging(fight(gap=3, ann=CALLS)), rolls=[2, 2], answers=said)
    assert [each.line.amount for each in after.who("bob").hindrances] == [1]
    assert after.fight.gap("ann", "bob") == 2
    assert not after.who().hesitates
    mutual = charging(fight(gap=3, ann=CALLS), bob=CLOSE, answered=("charge_tackle",))
    mutual = mutual.change("bob", targets=("ann",), charges=True)
    won = run(position, mutual, rolls=[3, 3], answers=said)
    assert (won.who().hesitates, won.who("bob").hesitates) == (0, 1)


@pytest.mark.rules("beliefs.trait.call_on.break_tie", "fight.nd.tie_foils")
@pytest.mark.parametrize("callers", [(), ("ann",), ("bob",), ("ann", "bob")])
def test_a_trait_breaks_a_tie_with_natural_defenses(callers):
    """Two against two: Ann's Push is won by one, unless Bob calls on a trait as well."""
    lucky = sheet(traits=[LUCKY])
    said = {f"{who}/break_tie": "Lucky" for who in callers}
    at = ring(ann=lucky, bob=lucky)
    after = moment(at, "ann push bob", rolls=[2, 2], answers=said)
    assert dice(after.played) == [4, 4]
    assert len(after.who("bob").hindrances) == (callers == ("ann",))
    for who in ("ann", "bob"):
        assert after.fight.sheet(who).traits[0].called_this_session is (who in callers)
    struck = moment(at, "ann strike bob", "bob block", rolls=[2, 2])
    assert "break_tie" not in struck.played.asked, "a Strike has an obstacle"


@pytest.mark.rules("gold.result.tie_defender", "gold.result.tie_call_on")
@both(revised=True, gold=False)
def test_a_trait_against_somebody_who_defends(edition, expected):
    """Natural Defenses and the target of a Charge keep a tie in the later edition."""
    options = {"edition": edition}
    lucky = sheet(traits=[LUCKY])
    said = {"ann/break_tie": "Lucky"} if expected else {}
    pushed = moment(ring(options=options, ann=lucky), "ann push bob", rolls=[2, 2], answers=said)
    assert len(pushed.who("bob").hindrances) == expected
    at = charging(fight(options, gap=3, ann=CALLS))
    charged = run(position, at, rolls=[2, 2], answers=said)
    assert len(charged.who("bob").hindrances) == expected


@pytest.mark.rules("gold.result.tie_call_on")
@either
def test_a_trait_breaks_a_tie_in_which_nobody_defends(edition):
    options, said = {"edition": edition}, {"ann/break_tie": "Lucky"}
    at = moving(fight(options, gap=3, ann=CALLS), CLOSE, WITHDRAW)
    assert run(position, at, rolls=[2, 2], answers=said).fight.gap("ann", "bob") == 2
    mutual = charging(fight(options, gap=3, ann=CALLS), bob=CLOSE, answered=("charge_tackle",))
    mutual = mutual.change("bob", targets=("ann",), charges=True)
    won = run(position, mutual, rolls=[3, 3], answers=said)
    assert (won.who().hesitates, won.who("bob").hesitates) == (0, 1)
