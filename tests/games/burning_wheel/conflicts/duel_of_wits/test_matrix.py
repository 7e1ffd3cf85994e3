"""All 49 pairs of actions, and an action that meets none, held against a second referee.

The referee below is written from what each action's own text says of itself, action by action;
it never looks at the matrix. Both must agree for every pair and for many fixed successes.
"""

from __future__ import annotations

from itertools import product
from typing import NamedTuple

import pytest

from astragal.games.burning_wheel.conflicts.duel_of_wits.matrix import (
    NOTHING,
    Rolls,
    actions,
    pairing,
)
from games.burning_wheel.dueling import SPEAKER, hall, one_exchange, try_volley

WILL = 5
ACTIONS = ("avoid", "dismiss", "feint", "incite", "obfuscate", "point", "rebuttal")
ATTACKS = ("point", "dismiss", "incite", "rebuttal")


class Hand(NamedTuple):
    """What a side would roll: successes, or those of defence and riposte, or of two rolls."""

    successes: int = 0
    defence: int = 0
    riposte: int = 0
    second: int = 0


def rolled(card: str, other: str, hand: Hand) -> list[int]:
    """The rolls that a side makes, in order."""
    if card in ("dismiss", "incite", "obfuscate", "point"):
        return [hand.successes]
    if card == "avoid" and other in ("incite", "obfuscate", "point"):
        return [hand.successes]
    if card == "feint" and other == "obfuscate":
        return [hand.successes, hand.second]
    if card == "feint" and other == "rebuttal":
        return [hand.successes]
    if card == "rebuttal" and other in ("point", "dismiss", "obfuscate", "rebuttal"):
        return [hand.defence, hand.riposte]
    if card == "rebuttal" and other in ("incite", NOTHING):
        return [hand.riposte]
    return []


class Verdict(NamedTuple):
    losses: tuple[int, int]
    follows: set[tuple[int, str, int]]


def referee(cards: tuple[str, str], hands: tuple[Hand, Hand]) -> Verdict:
    losses = [0, 0]
    follows: set[tuple[int, str, int]] = set()
    sums = [sum(rolled(cards[me], cards[1 - me], hands[me])) for me in (0, 1)]
    stopped = [False, False]
    for me in (0, 1):
        you = 1 - me
        if cards[me] != "obfuscate":
            continue
        if cards[you] == NOTHING:
            if sums[me] >= 1:
                follows.add((you, "obstacle", 1))
        elif sums[me] > sums[you]:
            stopped[you] = True
            follows.add((you, "obstacle", 1))
        elif sums[me] == sums[you] and cards[you] in ATTACKS:
            stopped[you] = True
        elif sums[me] < sums[you] or cards[you] in ("avoid", "feint"):
            follows.add((you, "die", 1))
    for me in (0, 1):
        you = 1 - me
        mine, theirs, against = hands[me], hands[you], cards[you]
        if cards[me] == "dismiss":
            follows.add((me, "hesitates", 1))
        if stopped[me]:
            continue
        if cards[me] in ("point", "dismiss"):
            less = theirs.defence if against == "rebuttal" else 0
            if cards[me] == "point" and against == "avoid":
                less = theirs.successes
            losses[you] += max(0, mine.successes - less)
        elif cards[me] == "rebuttal" and against not in ("feint", "avoid"):
            less = theirs.defence if against == "rebuttal" else 0
            losses[you] += max(0, mine.riposte - less)
        elif cards[me] == "feint" and against == "rebuttal":
            losses[you] += mine.successes
        elif cards[me] == "incite":
            net = max(0, mine.successes - (theirs.successes if against == "avoid" else 0))
            if net >= WILL:
                follows.add((you, "steel", 1))
            else:
                follows.add((you, "advantage", WILL - net))
    return Verdict((losses[0], losses[1]), follows)


HANDS = (
    Hand(0, 0, 0, 0),
    Hand(2, 1, 1, 0),
    Hand(3, 2, 3, 1),
    Hand(3, 1, 2, 2),
    Hand(5, 3, 2, 2),
)


def played(cards: tuple[str, str], hands: tuple[Hand, Hand], options=None) -> Verdict:
    rolls = rolled(cards[0], cards[1], hands[0]) + rolled(cards[1], cards[0], hands[1])
    steel = [what for _, what, _ in referee(cards, hands).follows if what == "steel"]
    answers = {}
    for name, side in (("ann", 0), ("bob", 1)):
        if cards[side] == "rebuttal" and cards[1 - side] in (
            "point",
            "dismiss",
            "obfuscate",
            "rebuttal",
        ):
            # Five dice: enough in each half for the successes wanted.
            answers[f"{name}/split"] = [
                5 - max(2, hands[side].riposte),
                max(2, hands[side].riposte),
            ]
    outcome = try_volley(*cards, rolls + [0] * len(steel), answers, hall(options=options)).outcome
    side_of = {"ann": 0, "bob": 1}
    follows = {(side_of[name], what, much) for name, what, much in outcome.follows if much}
    failed = [(side, "steel", 1) in follows or (side, "hesitates", 1) in follows for side in (0, 1)]
    assert outcome.hesitates == tuple(failed)  # no success at all on Steel: nobody holds
    return Verdict(outcome.losses, follows)


@pytest.mark.slow
@pytest.mark.rules(
    "duel_of_wits.actions.seven",
    "duel_of_wits.exchange.one_action_per_volley",
    "duel_of_wits.exchange.simultaneous",
    "duel_of_wits.avoid.subtract",
    "duel_of_wits.avoid.automatic",
    "duel_of_wits.avoid.not_dismiss",
    "duel_of_wits.avoid.no_harm",
    "duel_of_wits.dismiss.effect",
    "duel_of_wits.dismiss.defends_nothing",
    "duel_of_wits.dismiss.countered_by",
    "duel_of_wits.feint.only_two_targets",
    "duel_of_wits.feint.beats_rebuttal",
    "duel_of_wits.feint.free_point",
    "duel_of_wits.feint.useless_against_attacks",
    "duel_of_wits.feint.useless_against_avoid",
    "duel_of_wits.feint.double_roll_against_obfuscate",
    "duel_of_wits.incite.obstacle",
    "duel_of_wits.incite.success",
    "duel_of_wits.incite.failure",
    "duel_of_wits.incite.works_whatever_victim_does",
    "duel_of_wits.incite.no_defence",
    "duel_of_wits.incite.no_body_loss",
    "duel_of_wits.obfuscate.versus",
    "duel_of_wits.obfuscate.win",
    "duel_of_wits.obfuscate.exceed",
    "duel_of_wits.obfuscate.lose",
    "duel_of_wits.obfuscate.stops_dismiss",
    "duel_of_wits.obfuscate.not_vs_feint",
    "duel_of_wits.obfuscate.no_body_loss",
    "duel_of_wits.point.effect",
    "duel_of_wits.point.reduced_by",
    "duel_of_wits.point.no_defence",
    "duel_of_wits.point.counters",
    "duel_of_wits.rebuttal.defence",
    "duel_of_wits.rebuttal.riposte",
    "duel_of_wits.rebuttal.countered_by_feint",
    "duel_of_wits.rebuttal.countered_by_avoid",
    "duel_of_wits.actions.counters",
    "duel_of_wits.actions.defends_against",
)
@pytest.mark.parametrize("cards", list(product(ACTIONS, repeat=2)), ids="-".join)
def test_every_pair_comes_out_as_its_actions_say(cards):
    for hands in product(HANDS, repeat=2):
        assert played(cards, hands) == referee(cards, hands), hands


@pytest.mark.parametrize("cards", list(product(ACTIONS, repeat=2)), ids="-".join)
def test_every_pair_stands_mirrored(cards):
    for hands in ((HANDS[2], HANDS[1]), (HANDS[1], HANDS[1]), (HANDS[0], HANDS[4])):
        seen, mirrored = played(cards, hands), played(cards[::-1], hands[::-1])
        assert mirrored.losses == seen.losses[::-1]
        assert mirrored.follows == {(1 - side, what, much) for side, what, much in seen.follows}


@pytest.mark.rules(
    "duel_of_wits.dismiss.effect", "duel_of_wits.point.effect", "duel_of_wits.rebuttal.riposte"
)
@pytest.mark.parametrize("card", [*ACTIONS, NOTHING], ids=lambda card: card or "nothing")
def test_an_action_against_none_and_none_against_an_action(card):
    for hand in HANDS:
        alone = (card, NOTHING), (hand, Hand())
        assert played(*alone) == referee(*alone)
        turned = (NOTHING, card), (Hand(), hand)
        assert played(*turned) == referee(*turned)


@pytest.mark.rules("duel_of_wits.actions.seven")
def test_there_are_seven_actions_and_a_row_for_each_pair():
    assert actions() == ACTIONS
    for one, other in product((*ACTIONS, NOTHING), repeat=2):
        assert pairing(one, other).actions == (one, other)


# --- Ties ------------------------------------------------------------------------------------


@pytest.mark.rules("duel_of_wits.obfuscate.win")
@pytest.mark.parametrize("action", ["point", "dismiss"])
@pytest.mark.parametrize(("choice", "loss", "die"), [("defender", 0, False), ("victim", 3, True)])
def test_a_tie_with_obfuscate_goes_to_the_defender_or_to_the_victim(action, choice, loss, die):
    options = {"duel_of_wits_obfuscate_tie": choice}
    outcome = try_volley(action, "obfuscate", [3, 3], at=hall(options=options)).outcome
    assert outcome.losses == (0, loss)
    assert (("ann", "die", 1) in outcome.follows) is die
    assert ("ann", "obstacle", 1) not in outcome.follows


@pytest.mark.parametrize("choice", ["defender", "victim"])
def test_a_tie_against_avoid_or_feint_is_lost_by_the_obfuscator_either_way(choice):
    at = hall(options={"duel_of_wits_obfuscate_tie": choice})
    assert try_volley("obfuscate", "avoid", [2, 2], at=at).outcome.follows == (("bob", "die", 1),)
    assert try_volley("obfuscate", "feint", [2, 1, 1], at=at).outcome.follows == (
        ("bob", "die", 1),
    )


@pytest.mark.rules("duel_of_wits.obfuscate.win", "duel_of_wits.obfuscate.stops_dismiss")
@pytest.mark.parametrize(
    ("cards", "rolls", "stopped"),
    [
        (("obfuscate", "dismiss"), [3, 2], "Bob"),
        (("dismiss", "obfuscate"), [2, 3], "Ann"),
        (("obfuscate", "point"), [2, 2], "Bob"),
        (("obfuscate", "point"), [2, 3], ""),
        (("point", "obfuscate"), [3, 2], ""),
        (("obfuscate", "avoid"), [2, 2], ""),
        (("obfuscate", "feint"), [3, 1, 1], "Bob"),
        (("feint", "obfuscate"), [1, 1, 3], "Ann"),
        (("obfuscate", "obfuscate"), [2, 2], ""),
        (("obfuscate", "obfuscate"), [2, 3], "Ann"),
    ],
)
def test_whose_action_is_stopped_is_told(cards, rolls, stopped):
    scripts = [(card, "avoid", "avoid") for card in cards]
    duel = one_exchange(*scripts, rolls)
    told = [line for line in duel.told.splitlines() if "action is stopped" in line]
    assert len(told) == bool(stopped)
    assert all(f". {stopped}'s action is stopped" in line for line in told)


def test_two_obfuscates_that_tie_do_nothing():
    outcome = try_volley("obfuscate", "obfuscate", [2, 2]).outcome
    assert (outcome.losses, outcome.follows) == ((0, 0), ())


CALL_ON = {"traits": [{"name": "Cool-headed", "kind": "call_on", "effects": ["break_tie"]}]}


def test_a_call_on_trait_breaks_a_tied_versus_test():
    at = hall(ann={**SPEAKER, **CALL_ON})
    volley = try_volley("point", "obfuscate", [3, 3], {"break_tie": "Cool-headed"}, at)
    assert volley.outcome.losses == (0, 3)
    assert ("ann", "die", 1) in volley.outcome.follows
    kept = try_volley("point", "obfuscate", [3, 3], {"break_tie": "accept"}, at)
    assert kept.outcome.losses == (0, 0)


@pytest.mark.rules("duel_of_wits.obfuscate.exceed", "beliefs.trait.call_on.break_tie")
@pytest.mark.parametrize("against", ["avoid", "feint", "point", "obfuscate"])
def test_an_obfuscator_who_wins_a_tie_by_a_trait_has_not_exceeded_the_obstacle(against):
    """The other side gains no die then, and has no obstacle either: as many were rolled."""
    at = hall(ann={**SPEAKER, **CALL_ON})
    rolls = [2, 1, 1] if against == "feint" else [2, 2]
    volley = try_volley("obfuscate", against, rolls, {"break_tie": "Cool-headed"}, at)
    gained = (("ann", "die", 1),) if against == "obfuscate" else ()  # who has lost one, too
    assert volley.outcome.follows == gained
    assert volley.outcome.losses == (0, 0)


@pytest.mark.rules("gold.result.tie_defender", "gold.result.tie_call_on", "gold.diff.versus_tie")
def test_in_the_later_edition_a_trait_breaks_only_the_tie_of_two_obfuscates():
    at = hall(ann={**SPEAKER, **CALL_ON}, options={"edition": "gold"})
    for mine, other in (("point", "obfuscate"), ("obfuscate", "avoid")):
        volley = try_volley(mine, other, [3, 3], at=at)
        assert "break_tie" not in volley.asked
        assert volley.outcome.losses == (0, 0)
        assert volley.outcome.follows == (() if other == "obfuscate" else (("bob", "die", 1),))
    both = try_volley("obfuscate", "obfuscate", [3, 3], {"break_tie": "Cool-headed"}, at)
    assert both.outcome.follows == (("ann", "die", 1),)


# --- Riposte without an attack ---------------------------------------------------------------


@pytest.mark.rules("duel_of_wits.rebuttal.riposte_always")
@pytest.mark.parametrize(("choice", "loss"), [("riposte", 3), ("no_riposte", 0)])
def test_a_riposte_without_an_attack(choice, loss):
    at = hall(options={"duel_of_wits_unprovoked_riposte": choice})
    assert try_volley("rebuttal", "", [3], at=at).outcome.losses == (0, loss)
    assert try_volley("rebuttal", "incite", [3, 1], at=at).outcome.losses == (0, loss)
    both = try_volley("rebuttal", "rebuttal", [0, 3, 0, 2], {"split": [2, 3]}, at)
    assert both.outcome.losses == ((2, 3) if loss else (0, 0))
    # A Point is an attack, and so the riposte is there whatever the table says.
    attacked = try_volley("rebuttal", "point", [0, 3, 5], {"split": [2, 3]}, at)
    assert attacked.outcome.losses == (5, 3)


def test_what_is_rolled_follows_from_the_row():
    assert pairing("feint", "obfuscate").rolls == (Rolls.TWICE, Rolls.ONCE)
    assert pairing("feint", "rebuttal").rolls == (Rolls.FREE_POINT, Rolls.NONE)
    assert pairing("rebuttal", NOTHING).rolls == (Rolls.RIPOSTE, Rolls.NONE)
