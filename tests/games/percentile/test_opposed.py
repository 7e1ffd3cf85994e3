"""Opposed tests against brute force: every pair of rolls, every tie-break, every choice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import product
from math import prod

import pytest

from astragal.dice import Seeded
from astragal.errors import BadInput
from astragal.games.percentile.standings import DecidedBy, Entrant, RollOff
from games.percentile.playing import d100, odds, play, table_of

# --- A second implementation, by sorting ------------------------------------------------------


def degrees(rolled: int, target: int) -> int:
    """Degrees of success, or 0 for a failure."""
    if rolled == 100 or (rolled > target and rolled != 1):
        return 0
    return max(1, 1 + int(target / 10) - rolled // 10)


def best_of(rolls: list[int], targets: list[int], bonuses: list[int]) -> list[int]:
    """The sides that nothing tells apart at the top; none if all fail."""
    keys = {
        side: (degrees(rolled, target), bonus, -rolled)
        for side, (rolled, target, bonus) in enumerate(zip(rolls, targets, bonuses, strict=True))
        if degrees(rolled, target)
    }
    return [side for side in keys if keys[side] == max(keys.values())]


@cache
def classes(target: int) -> dict[int, int]:
    """Rolls that matter, with how many faces stand for each; 100 stands for all failures."""
    return Counter(rolled if degrees(rolled, target) else 100 for rolled in range(1, 101))


def chances(
    sides: tuple[int, ...], targets: list[int], bonuses: list[int], on_fail: str, on_tie: str
) -> dict[int | None, Fraction]:
    """Who wins, with what chance: rounds that change nothing drop out of the proportions."""
    ends: Counter[int | None] = Counter()
    again: Counter[tuple[int, ...]] = Counter()
    mine, own = [targets[side] for side in sides], [bonuses[side] for side in sides]
    for faces in product(*(classes(target).items() for target in mine)):
        weight = prod(count for _, count in faces)
        best = tuple(sides[at] for at in best_of([rolled for rolled, _ in faces], mine, own))
        if len(best) == 1:
            ends[best[0]] += weight
        elif (on_tie if best else on_fail) == "stalemate":
            ends[None] += weight
        elif best and best != sides:
            again[best] += weight
    found = {winner: Fraction(weight) for winner, weight in ends.items()}
    for fewer, weight in again.items():
        for winner, chance in chances(fewer, targets, bonuses, on_fail, on_tie).items():
            found[winner] = found.get(winner, Fraction(0)) + weight * chance
    whole = sum(found.values())
    return {winner: chance / whole for winner, chance in found.items()}


def winners(values: list[int], modifiers: list[int], **answers: str) -> dict[int | None, Fraction]:
    """The same from the real procedure."""
    names = "abcdef"[: len(values)]
    table = table_of(**{n: {"S": value} for n, value in zip(names, values, strict=True)})
    sides = [
        {"character": n, "ability": "S", "modifiers": [{"label": "x", "amount": modifier}]}
        for n, modifier in zip(names, modifiers, strict=True)
    ]
    found: Counter[int | None] = Counter()
    distribution = odds(table, "opposed_test", answers, sides=sides)
    for outcome, weight in distribution.weights.items():
        winner = None if outcome.winner is None else names.index(outcome.winner)
        found[winner] += Fraction(weight, distribution.total)
    return dict(found)


CASES = [
    ([50, 50], [0, 0]),
    ([45, 38], [0, 0]),
    ([38, 35], [0, 10]),
    ([31, 39], [-60, -60]),
    ([95, 90], [60, 40]),
    ([20, 71], [30, -20]),
]


@pytest.mark.slow
@pytest.mark.rules(
    "percentile.opposed.one_succeeds",
    "percentile.opposed.both_succeed",
    "percentile.opposed.tie_bonus",
    "percentile.opposed.tie_roll",
    "percentile.opposed.both_fail",
)
@pytest.mark.parametrize(("values", "modifiers"), CASES)
@pytest.mark.parametrize("on_fail", ["stalemate", "reroll"])
@pytest.mark.parametrize("on_tie", ["stalemate", "reroll"])
def test_the_odds_of_two_sides_are_those_of_all_rolls(values, modifiers, on_fail, on_tie):
    targets = [value + modifier for value, modifier in zip(values, modifiers, strict=True)]
    bonuses = [value // 10 for value in values]
    answers = {"if_both_fail": on_fail, "if_tied": on_tie}
    if bonuses[0] != bonuses[1]:
        del answers["if_tied"]
    found = winners(values, modifiers, **answers)
    assert found == chances((0, 1), targets, bonuses, on_fail, on_tie)


@pytest.mark.slow
@pytest.mark.parametrize("on_fail", ["stalemate", "reroll"])
@pytest.mark.parametrize("on_tie", ["stalemate", "reroll"])
@pytest.mark.parametrize("values", [[14, 12, 11], [14, 9, 15], [12, 12, 12]])
def test_the_odds_of_three_sides_are_those_of_all_rolls(values, on_fail, on_tie):
    """The same order decides, those who fail are out, and only those who tie roll again."""
    bonuses = [value // 10 for value in values]
    found = winners(values, [0, 0, 0], if_both_fail=on_fail, if_tied=on_tie)
    assert found == chances((0, 1, 2), values, bonuses, on_fail, on_tie)


def test_a_known_value():
    """Target 50 against 50, stalemates allowed: a wins as often as b, and (1/2)^2 is a draw."""
    found = winners([50, 50], [0, 0], if_both_fail="stalemate", if_tied="stalemate")
    assert found[None] == Fraction(1, 4) + Fraction(50, 10000)
    assert found[0] == found[1]


# --- Single contests ----------------------------------------------------------------------------


def contest(rolls: list[int], answers=None, options=None, again=(), **values: int):
    table = table_of(options, **{name: {"S": value} for name, value in values.items()})
    sides = [{"character": name, "ability": "S"} for name in values]
    faces: list[tuple[int, ...]] = list(d100(*rolls))
    if again:
        faces.append(tuple(face for pair in d100(*again) for face in pair))
    return play(table, "opposed_test", faces, answers, sides=sides)


@pytest.mark.rules("percentile.opposed.each_tests")
def test_each_side_makes_its_own_test_with_its_own_ability_and_modifiers():
    table = table_of(a={"S": 40}, b={"npc": True, "characteristics": {"Per": 30}})
    sides = [
        {"character": "a", "ability": "S", "difficulty": "Hard"},
        {"character": "b", "ability": "Per", "difficulty": "Easy", "assistants": ["a"]},
    ]
    played = play(table, "opposed_test", d100(20, 70), sides=sides)
    assert [roll.owner for roll in played.rolls] == ["a", "gm"]
    assert "A rolls 20 against 20: 1 degree of success" in played.told
    assert "B rolls 70 against 70: 1 degree of success" in played.told
    assert played.outcome.winner == "a"
    assert played.outcome.decided_by is DecidedBy.BONUS


@pytest.mark.rules("percentile.opposed.both_fail")
def test_the_gm_says_before_the_first_roll_what_happens_if_both_fail():
    played = contest([90, 95], a=40, b=45)
    asked = [ask for ask in played.asked if ask.key == "if_both_fail"]
    assert [ask.seat for ask in asked] == ["gm"]
    kinds = [getattr(getattr(e, "ask", None), "key", type(e).__name__) for e in played.events]
    assert kinds.index("if_both_fail") < kinds.index("if_tied") < kinds.index("RollEvent")


@pytest.mark.rules("percentile.opposed.both_fail")
def test_degrees_of_failure_are_not_compared():
    assert contest([41, 100], a=40, b=45).outcome.winner is None
    assert contest([100, 46], a=40, b=45).outcome.winner is None


@pytest.mark.parametrize(
    ("choice", "again", "winner"), [("stalemate", (), None), ("reroll", (99, 98, 30, 90), "a")]
)
def test_the_tables_choice_for_both_fail_is_the_gms_default(choice, again, winner):
    options = {"percentile_opposed_both_fail": choice}
    played = contest([90, 95], options=options, again=again, a=40, b=45)
    assert played.outcome.winner == winner
    assert played.outcome.rolled_again is bool(again)


@pytest.mark.parametrize(
    ("choice", "again", "winner"), [("stalemate", (), None), ("reroll", (30, 12), "b")]
)
def test_the_tables_choice_for_a_full_tie_is_the_gms_default(choice, again, winner):
    options = {"percentile_opposed_full_tie": choice}
    played = contest([22, 22], options=options, again=again, a=40, b=40)
    assert played.outcome.winner == winner
    assert played.outcome.decided_by is (DecidedBy.DEGREES if again else DecidedBy.NOTHING)


def test_in_a_roll_off_both_choices_go_on_holding():
    """Tied, so they roll again; then both fail, which was to be a stalemate."""
    answers = {"if_tied": "reroll", "if_both_fail": "stalemate"}
    assert contest([22, 22], answers, again=(90, 90), a=40, b=40).outcome.winner is None
    answers = {"if_tied": "stalemate", "if_both_fail": "reroll"}
    played = contest([90, 90], answers, again=(80, 80, 22, 22), a=40, b=40)
    assert played.outcome.winner is None
    assert played.outcome.rolled_again


def test_a_roll_off_keeps_the_target_numbers_and_throws_no_more_than_needed():
    answers = {"if_both_fail": "reroll"}
    with pytest.raises(BadInput, match=r"roll-off.*until one wins"):
        contest([90, 90], answers, again=(80, 80), a=40, b=40)
    with pytest.raises(BadInput, match="roll-off"):
        contest([90, 90], answers, again=(10, 80, 5, 5), a=40, b=40)


def test_of_three_only_those_who_tie_roll_again():
    played = contest([22, 30, 22], again=(35, 31), a=40, b=40, c=40)
    assert played.outcome.winner == "c"
    assert "A and C roll again" in played.told


def test_what_decided_among_three_is_the_finest_thing_that_had_to_be_looked_at():
    assert contest([22, 95, 96], a=40, b=40, c=40).outcome.decided_by is DecidedBy.SUCCESS
    assert contest([12, 25, 96], a=40, b=40, c=40).outcome.decided_by is DecidedBy.DEGREES
    assert contest([12, 15, 35], a=40, b=40, c=40).outcome.decided_by is DecidedBy.ROLL
    assert contest([29, 25, 12], a=40, b=40, c=40).outcome.decided_by is DecidedBy.DEGREES


def test_sampled_roll_offs_follow_their_distribution():
    off = RollOff((Entrant(0, 30, 3), Entrant(1, 45, 3)), True, True, True)
    chance, runs = Seeded("roll-off"), 4000
    seen = Counter(off.sample(chance).value.sides for _ in range(runs))
    exact = off.distribution()
    for sides in ((0,), (1,)):
        wanted = float(exact.where(lambda lead, sides=sides: lead.sides == sides))
        assert abs(seen[sides] / runs - wanted) < 0.035
    assert set(seen) == {(0,), (1,)}


def test_an_opposed_test_takes_two_different_sides():
    table = table_of(a={"S": 40}, b={"S": 40})
    for sides in ([], [{"character": "a"}], [{"character": "a"}, {"character": "a"}]):
        with pytest.raises(BadInput, match="two different characters"):
            play(table, "opposed_test", sides=sides)


def pairs() -> Iterator[tuple[int, int]]:
    yield from product((1, 20, 39, 40, 41, 100), repeat=2)


@pytest.mark.parametrize("rolls", list(pairs()))
def test_hand_checked_pairs_of_rolls(rolls: tuple[int, int]):
    """Both with 40: a lower successful roll never loses, since it has no fewer degrees."""
    first, second = rolls
    wins = [1 if rolled in (1, 20, 39, 40) else 0 for rolled in rolls]
    played = contest([*rolls], {"if_tied": "stalemate"}, a=40, b=40)
    if wins == [0, 0] or (wins == [1, 1] and first == second):
        assert played.outcome.winner is None
    elif wins == [1, 1]:
        assert played.outcome.winner == ("a" if first < second else "b")
    else:
        assert played.outcome.winner == ("a" if wins[0] else "b")
