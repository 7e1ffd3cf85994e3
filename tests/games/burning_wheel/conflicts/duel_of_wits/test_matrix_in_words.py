"""What two actions do to each other, in words, held against the referee of the matrix.

The words are right if they promise whatever may come of a pair, and nothing else.
"""

from __future__ import annotations

import re
from itertools import product

import pytest

from astragal.games.burning_wheel.conflicts.duel_of_wits.exchange import VolleyLosses
from astragal.games.burning_wheel.conflicts.duel_of_wits.matrix import NOTHING
from astragal.games.burning_wheel.conflicts.duel_of_wits.matrix_in_words import Readings, meeting
from astragal.games.burning_wheel.conflicts.scripting import CardEffects, VolleyCards
from astragal.play import Tell
from astragal.rules import catalogue
from games.burning_wheel.conflicts.duel_of_wits.test_matrix import (
    ACTIONS,
    HANDS,
    Verdict,
    referee,
    rolled,
)
from games.burning_wheel.dueling import argue, hall

NAMES = ("Ann", "Bob")
TURNED = {"Ann": "Bob", "Bob": "Ann"}
PAIRS = [pair for pair in product((*ACTIONS, NOTHING), repeat=2) if any(pair)]
CHANGES = "; and vice versa"
PROMISES = {
    "obstacle": r"(?:{0} has|gives {0}) \+1 Ob",
    "die": r"{0} has \+1D",
    "steel": r"{0} must pass a Steel test",
    "advantage": r"{0} gains \+1D on the next test for each success it lacks",
    "hesitates": r"{0} loses the next volley",
}


def in_full(cards: tuple[str, str]) -> str:
    """The sentence, with what holds both ways said both ways."""
    said = meeting(NAMES, cards)
    if CHANGES in said:
        said += re.sub("Ann|Bob", lambda name: TURNED[name[0]], said)
    both = "the winner has +1D on the next action, the loser +1 Ob"
    return said.replace(both, "; ".join(f"{n} has +1D; {n} has +1 Ob" for n in NAMES))


def may_come(cards: tuple[str, str]) -> list[Verdict]:
    return [referee(cards, hands) for hands in product(HANDS, repeat=2)]


@pytest.mark.parametrize("cards", PAIRS, ids="-".join)
def test_the_words_promise_what_may_come_of_a_pair_and_nothing_else(cards):
    said, verdicts = in_full(cards), may_come(cards)
    for side, name in enumerate(NAMES):
        costs = bool(re.search(f"costs {name} a point", said))
        assert costs == any(verdict.losses[side] for verdict in verdicts)
        for what, promise in PROMISES.items():
            follows = any((side, what) == each[:2] for v in verdicts for each in v.follows)
            assert bool(re.search(promise.format(name), said)) == follows, (name, what)
    rolls = [rolled(mine, other, HANDS[1]) for mine, other in (cards, cards[::-1])]
    assert ("obody rolls" in said) == (not any(rolls))


@pytest.mark.parametrize("cards", PAIRS, ids="-".join)
def test_the_words_are_the_same_from_both_sides(cards):
    pieces = set(re.split("; |: ", in_full(cards).casefold().rstrip(".")))
    turned = meeting(NAMES[::-1], cards[::-1])
    for piece in re.split("; |: ", turned.casefold().rstrip(".")):
        assert piece in pieces or cards[0] == cards[1], piece


def test_a_tie_with_an_obfuscate_goes_where_the_table_has_it():
    usual = meeting(NAMES, ("obfuscate", "point"))
    assert "if it ties or wins, the Point is stopped, and a win also gives Bob +1 Ob" in usual
    victims = meeting(NAMES, ("obfuscate", "point"), Readings(tie_to_victim=True))
    assert "if it ties or loses, each success of the Point costs Ann a point" in victims
    # An Avoid has the tie anyhow.
    assert "if it ties or loses, Bob has +1D" in meeting(NAMES, ("obfuscate", "avoid"))


@pytest.mark.parametrize("other", ["incite", "rebuttal", NOTHING])
def test_without_an_attack_there_may_be_no_riposte(other):
    said = meeting(NAMES, ("rebuttal", other), Readings(riposte_needs_attack=True))
    assert "ithout an attack to answer, Ann has no riposte" in said
    assert "costs Bob a point" not in said
    assert "no riposte" not in meeting(
        NAMES, ("rebuttal", "point"), Readings(riposte_needs_attack=True)
    )


def test_it_is_told_once_the_cards_lie_open_and_before_anything_is_rolled():
    answers = {"ann/concede": True, "body_method": "doubled", "other_act": "sighs"}
    duel = argue(
        [("point", "avoid", "rebuttal")], [("other", "feint", "incite")], [2, 1, 1, 5], answers
    )
    told = [e.fact for e in duel.events if isinstance(e, Tell)]
    kinds = [type(f) for f in told if isinstance(f, VolleyCards | CardEffects | VolleyLosses)]
    assert kinds == [VolleyCards, CardEffects, VolleyLosses] * 3
    first, second, third = (fact for fact in told if isinstance(fact, CardEffects))
    assert first.sentence() == "Bob does not act; each success of Ann's Point costs Bob a point."
    assert first.rule == "duel_of_wits.table.against_no_action"
    assert second.rule == third.rule == "duel_of_wits.table.interaction_matrix"
    assert all(fact.rule in catalogue() for fact in (first, second))


def test_the_readings_of_the_table_are_those_that_are_told():
    at = hall(options={"duel_of_wits_unprovoked_riposte": "no_riposte"})
    answers = {"ann/concede": True, "body_method": "doubled"}
    duel = argue([("rebuttal",) * 3], [("incite",) * 3], [1, 1, 1, 1, 1, 1, 5], answers, at)
    assert "Without an attack to answer, Ann has no riposte" in duel.told


def test_cards_and_bars_are_there_to_be_drawn():
    duel = argue([("point",) * 3], [("avoid",) * 3], [4, 1, 5, 0, 3, 1, 5])
    told = [e.fact for e in duel.events if isinstance(e, Tell)]
    shown = [fact.cards for fact in told if fact.cards]
    assert shown[0] == (("Ann", "Point"), ("Bob", "Avoid the Topic"))
    bars = [fact.bars for fact in told if fact.bars]
    assert bars[:2] == [(("Ann", 10, 10),), (("Bob", 10, 10),)]
    assert bars[2:] == [
        (("Ann", 10, 10), ("Bob", left, 10)) for left in (7, 2, 0, 0)
    ]  # after each volley, and in the end
