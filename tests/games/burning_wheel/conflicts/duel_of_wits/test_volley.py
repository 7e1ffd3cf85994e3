"""The dice of a volley: the split of a Rebuttal, the exact odds, and how soon they are there."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import comb

import pytest

from astragal.dice import Seeded
from astragal.errors import BadInput
from astragal.games.burning_wheel import GAME
from astragal.games.burning_wheel.conflicts.duel_of_wits.actions import Speech
from astragal.games.burning_wheel.conflicts.duel_of_wits.matrix import actions
from astragal.play import DecisionEvent, RollEvent, Tell, exact, run
from games.burning_wheel.dueling import SPEAKER, hall, one_exchange, speaker, try_volley
from games.burning_wheel.playing import play, somehow


@pytest.mark.rules(
    "duel_of_wits.rebuttal.split", "duel_of_wits.rebuttal.defence", "duel_of_wits.rebuttal.riposte"
)
def test_all_dice_are_divided_bonus_dice_included():
    at = hall(ann={**SPEAKER, "skills": {"Oratory": "B5", "Etiquette": "B3"}})
    answers = {"ann/forks": ["Etiquette"], "split": [2, 4]}
    volley = try_volley("rebuttal", "point", [2, 3, 3], answers, at)
    assert volley.asks["split"].question.amount == 6
    assert [roll.expression.dice.total for roll in volley.rolls] == [2, 4, 5]
    assert volley.outcome.losses == (1, 3)


@pytest.mark.rules("duel_of_wits.rebuttal.split_timing")
def test_the_split_is_made_with_the_actions_shown_and_before_any_die_is_rolled():
    volley = try_volley("point", "rebuttal", [2, 1, 1], {"split": [2, 3]})
    kinds = [
        e.ask.key if isinstance(e, DecisionEvent) else "roll"
        for e in volley.events
        if isinstance(e, DecisionEvent | RollEvent)
    ]
    assert kinds.index("speech") < kinds.index("split") < kinds.index("roll")
    assert volley.seats["split"] == "bob"
    assert volley.asks["split"].prompt == "Bob, Rebuttal: divide 5D between defence and riposte"


@pytest.mark.rules("duel_of_wits.rebuttal.minimum_dice")
@pytest.mark.parametrize("split", [[0, 5], [5, 0], [2, 2], [3, 3]])
def test_at_least_one_die_goes_into_each_half_and_all_of_them_somewhere(split):
    with pytest.raises(BadInput, match=r"\[duel_of_wits|expected"):
        try_volley("rebuttal", "point", None, {"split": split})


@pytest.mark.parametrize(("split", "losses"), [([1, 0], (3, 0)), ([0, 1], (4, 1))])
def test_a_single_die_goes_into_one_half_and_the_other_is_empty(split, losses):
    at = hall(ann=speaker("Oratory B1"))
    rolls = [1, 0, 4] if split == [1, 0] else [0, 1, 4]
    assert try_volley("rebuttal", "point", rolls, {"split": split}, at).outcome.losses == losses


# --- The exact odds --------------------------------------------------------------------------


def start(a: str, b: str, at):
    procedure = GAME.procedure("rehearse_volley")
    sides = [
        {"character": "ann", "skill": "Oratory", "action": a},
        {"character": "bob", "skill": "Oratory", "action": b},
    ]
    return procedure.start(GAME.read({"sides": sides}, procedure.arguments, "arguments"), at)


def binomial(dice: int) -> dict[int, Fraction]:
    """The successes of black dice, counted by hand: each shows 4 to 6 half the time."""
    return {n: Fraction(comb(dice, n), 2**dice) for n in range(dice + 1)}


def test_the_odds_of_a_point_against_an_avoid_are_those_of_ten_coins():
    odds = exact(
        start("point", "avoid", hall(ann=speaker("Oratory B5"), bob=speaker("Oratory B5"))), somehow
    )
    expected: Counter[int] = Counter()
    for mine, chance in binomial(5).items():
        for theirs, other in binomial(5).items():
            expected[max(0, mine - theirs)] += chance * other  # type: ignore[assignment]
    for loss, chance in expected.items():
        assert odds.where(lambda o, loss=loss: o.losses == (0, loss)) == chance


def test_the_odds_of_a_rebuttal_against_a_dismiss_by_brute_force():
    at = hall(ann=speaker("Oratory B5"), bob=speaker("Oratory B4", "Command B3"))
    odds = exact(start("rebuttal", "dismiss", at), somehow)
    expected: Counter[tuple[int, int]] = Counter()
    for defence, one in binomial(2).items():
        for riposte, two in binomial(3).items():
            for blow, three in binomial(4 + 2).items():
                expected[max(0, blow - defence), riposte] += one * two * three  # type: ignore[assignment]
    found = odds.map(lambda o: o.losses)
    assert {losses: found.chance(losses) for losses in found.weights} == expected


PAIRS = [("point", "rebuttal"), ("obfuscate", "feint"), ("incite", "avoid"), ("dismiss", "incite")]


@pytest.mark.slow
@pytest.mark.parametrize(("a", "b"), PAIRS)
def test_simulated_volleys_agree_with_the_exact_odds(a, b):
    at = hall(
        ann=speaker("Oratory B4", "Falsehood B4"),
        bob=speaker("Oratory B5", "Falsehood B4", "Command B4"),
    )
    begin, runs = start(a, b, at), 1500
    odds = exact(begin, somehow)
    chance = Seeded(f"{a} {b}")
    seen = Counter(run(begin, chance, somehow) for _ in range(runs))
    assert set(seen) <= set(odds.weights)
    expected = {o: float(odds.chance(o)) * runs for o in odds.weights}
    common = [o for o, number in expected.items() if number >= 5]
    statistic = sum((seen[o] - expected[o]) ** 2 / expected[o] for o in common)
    assert statistic < len(common) + 5 * (2 * len(common)) ** 0.5 + 5


@pytest.mark.slow
@pytest.mark.parametrize("a", actions())
def test_nothing_in_a_volley_depends_on_artha_that_is_not_used(a):
    plain = speaker("Oratory B4", "Falsehood B3", "Command B4")
    trait = {"name": "Stubborn", "kind": "call_on"}
    rich = {**plain, "artha": {"fate": 2, "persona": 3, "deeds": 1}, "traits": [trait]}
    for b in actions():
        odds = exact(start(a, b, hall(ann=plain, bob=plain)), somehow)
        for ann, bob in ((rich, plain), (rich, rich)):
            assert exact(start(a, b, hall(ann=ann, bob=bob)), somehow) == odds


@pytest.mark.rules("duel_of_wits.rebuttal.requirement")
@pytest.mark.parametrize("attack", ["point", "dismiss"])
@pytest.mark.parametrize("rebutter", ["ann", "bob"])
def test_a_rebuttal_answers_what_was_said_before_it(attack, rebutter):
    """The attack is spoken first, on whichever side it is; then the answer, with both its dice."""
    cards = ("rebuttal", attack) if rebutter == "ann" else (attack, "rebuttal")
    run = try_volley(*cards, answers={"speech": "Listen to me."})
    speeches = [
        e.ask.seat for e in run.events if isinstance(e, DecisionEvent) and e.ask.key == "speech"
    ]
    attacker = {"ann": "bob", "bob": "ann"}[rebutter]
    assert speeches == [attacker, rebutter]
    assert run.seats["split"] == rebutter
    said = [e.fact.action for e in run.events if isinstance(e, Tell) and isinstance(e.fact, Speech)]
    assert said == [attack, "rebuttal"]


@pytest.mark.rules("duel_of_wits.feint.free_point")
@pytest.mark.parametrize("successes", range(6))
def test_a_feint_that_meets_a_rebuttal_is_a_point_without_defence(successes):
    """One roll, the feinter's; all of it is lost, and the rebutter has no dice against it."""
    for cards, losses in (
        (("feint", "rebuttal"), (0, successes)),
        (("rebuttal", "feint"), (successes, 0)),
    ):
        run = try_volley(*cards, [successes])
        assert run.outcome.losses == losses
        assert len(run.rolls) == 1
        assert "split" not in run.asked
        assert run.outcome.follows == ()


@pytest.mark.rules(
    "duel_of_wits.feint.double_roll_against_obfuscate",
    "artha.boon.effect",
    "artha.divine_inspiration.effect",
)
@pytest.mark.parametrize(
    ("answers", "first"), [({"boon": 3}, 5 + 3), ({"divine_inspiration": True}, 5 + 5)]
)
def test_artha_bought_for_a_feint_is_for_one_of_its_two_rolls(answers, first):
    at = hall(ann={**SPEAKER, "artha": {"persona": 3, "deeds": 1}})
    run = try_volley("feint", "obfuscate", None, answers, at)
    mine = [roll.expression.dice.total for roll in run.rolls if roll.label.startswith("Ann")]
    assert mine == [first, 5]


@pytest.mark.rules("duel_of_wits.incite.failure", "duel_of_wits.obfuscate.lose")
def test_dice_for_the_next_roll_are_for_one_of_two_and_dice_for_the_action_for_both():
    """Ann's Incite lacks three; then Bob's Feint meets an Obfuscate, which loses."""
    duel = one_exchange(
        ("incite", "obfuscate", "obfuscate"), ("feint", "feint", "feint"), [2, 0, 2, 1, 0, 1, 1]
    )
    feints = [roll.expression.dice.total for roll in duel.rolls if "Bob, Feint" in roll.label]
    assert feints == [5 + 3, 5, 5 + 1, 5 + 1]
    for told in (
        "Bob, Feint, rolls 8D = 5 Soothing Platitudes + 3 failed Incite",
        "Bob, Feint, second roll, rolls 5D = 5 Soothing Platitudes\n",
        "Bob, Feint, second roll, rolls 6D = 5 Soothing Platitudes + 1 lost Obfuscate\n",
    ):
        assert told in duel.told


def test_a_rehearsed_volley_leaves_nothing_behind():
    """Neither the artha spent on it nor the Steel test of who was incited."""
    rich = {**SPEAKER, "artha": {"fate": 1, "persona": 3}}
    at = hall(ann=rich, bob=rich)
    run = try_volley("incite", "", [8, 0], {"ann/boon": 3}, at)
    assert run.outcome.hesitates == (False, True)
    assert run.table == at
    assert run.changed == {}


@pytest.mark.rules("duel_of_wits.actions.seven")
def test_a_rehearsal_refuses_what_is_no_action():
    with pytest.raises(BadInput, match=r"sides\[0\].action"):
        try_volley("shout", "point")
    with pytest.raises(BadInput, match="exactly two"):
        play("rehearse_volley", {"sides": []}, hall())
