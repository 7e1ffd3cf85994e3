"""The odds of a Test against icepool, against counting every face, and against a second search.

None of the expected numbers comes from the game's own code: Successes are counted here by the
plain rule (6 or more one, 10 or more two) on icepool's dice, or face by face.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

import icepool
import pytest

from astragal.dice import Distribution
from astragal.errors import BadInput
from astragal.games.signs import GAME, plain_test
from astragal.play import Ask, best, defaults, exact
from games.signs.playing import start, table_of

SIZES = (4, 6, 8, 10, 12)
PAIRS = list(product(SIZES, repeat=2))


def successes(face: int) -> int:
    return (face >= 6) + (face >= 10)


@cache
def count(sides: int) -> icepool.Die:
    return icepool.d(sides).map(successes)


def odds_of(options: dict[str, str] | None = None, **numbers: int | str) -> Distribution[int]:
    """How many Successes a Test brings when whoever rolls goes by the defaults."""
    name, arguments, table, _ = plain_test(**numbers).parts
    table = GAME.table(table.characters, table.scene, options)
    return exact(GAME.procedure(name).start(arguments, table)).map(lambda o: o.successes)


def same(ours: Distribution[int], theirs: icepool.Die) -> bool:
    return {n: ours.chance(n) for n in ours} == {
        n: Fraction(theirs.probability(n)) for n in theirs.outcomes() if theirs.quantity(n)
    }


def once_more(die: icepool.Die) -> icepool.Die:
    """Rerolled once if it shows nothing (icepool's own reroll does not take a D4, all nothing)."""
    return die.map(lambda shown: shown or die)


def oracle(score: int, tag: int, net: int) -> icepool.Die:
    """icepool's answer: nothing is rerolled but a die that shows nothing, the larger one first."""
    if net <= -2:
        return count(6)
    if net == -1:
        return count(max(score, tag))
    one, other = count(max(score, tag)), count(min(score, tag))
    if net == 0:
        return one + other

    def with_one(large: int, small: int) -> Any:
        if not large:
            return one + small
        return large + other if not small else large + small

    if net == 1:
        return icepool.map(with_one, one, other)
    return once_more(one) + once_more(other)


@pytest.mark.rules(
    "signs.roll.two_dice",
    "signs.success.six",
    "signs.success.ten",
    "signs.success.d4",
    "signs.mod.adv",
    "signs.mod.dis",
    "signs.mod.cancel",
    "signs.mod.excess_adv",
    "signs.mod.excess_dis",
)
@pytest.mark.parametrize("net", range(-3, 4))
@pytest.mark.parametrize(("score", "tag"), PAIRS)
def test_the_odds_of_every_test_agree_with_icepool(score: int, tag: int, net: int):
    aids, hinders = max(net, 0) + 1, max(-net, 0) + 1  # one of each cancels
    ours = odds_of(score=score, tag=tag, advantages=aids, disadvantages=hinders)
    assert same(ours, oracle(score, tag, net))


@pytest.mark.rules("signs.roll.no_tag")
@pytest.mark.parametrize("score", SIZES)
def test_without_a_tag_the_odds_are_those_of_a_d4(score: int):
    assert same(odds_of(score=score), count(score) + count(4))


@pytest.mark.rules("signs.bane.effect", "signs.mod.cancel")
@pytest.mark.parametrize("banes", range(4))
@pytest.mark.parametrize("aids", range(4))
def test_banes_are_disadvantages_like_any_other(banes: int, aids: int):
    ours = odds_of(score=8, tag=10, advantages=aids, banes=banes)
    assert same(ours, oracle(8, 10, aids - banes))


# --- The same by counting faces ------------------------------------------------------------


def by_faces(score: int, tag: int, reroll: Callable[[int, int], int | None], better: bool) -> Any:
    """One reroll chosen by a rule on the two faces: every combination of three throws."""
    weights: dict[int, int] = {}
    for a, b, again in product(*(range(1, n + 1) for n in (score, tag, score * tag))):
        which = reroll(a, b)
        shown = [successes(a), successes(b)]
        if which is not None:
            sides = (score, tag)[which]
            new = successes((again - 1) % sides + 1)
            shown[which] = max(new, shown[which]) if better else new
        weights[sum(shown)] = weights.get(sum(shown), 0) + 1
    return Distribution.of(weights)


def policy(which: str) -> Callable[[Ask], Any]:
    return lambda ask: which if ask.key == "reroll" else defaults(ask)


@pytest.mark.rules("signs.mod.adv")
@pytest.mark.parametrize(
    ("signs_reroll", "better"), [("new_face_stands", False), ("keep_the_better", True)]
)
@pytest.mark.parametrize(("score", "tag"), [(4, 6), (6, 8), (10, 12), (12, 10), (8, 8)])
def test_always_rerolling_one_die_by_counting_every_face(
    score: int, tag: int, signs_reroll: str, better: bool
):
    name, arguments, table, _ = plain_test(score=score, tag=tag, advantages=1).parts
    table = GAME.table(table.characters, table.scene, {"signs_reroll": signs_reroll})
    begin = GAME.procedure(name).start(arguments, table)
    for index, which in enumerate(("score", "tag")):
        ours = exact(begin, policy(which)).map(lambda outcome: outcome.successes)
        assert ours == by_faces(score, tag, lambda a, b, at=index: at, better)


# --- Advice against a second search --------------------------------------------------------

ABOUT = {"boon", "boon_after", "boon_die", "reroll", "remove"}


@cache
def one_die(sides: int) -> tuple[tuple[int, Fraction], ...]:
    shown = [successes(face) for face in range(1, sides + 1)]
    return tuple((n, Fraction(shown.count(n), sides)) for n in sorted(set(shown)))


def value(dice: tuple[tuple[int, int, bool], ...], rerolls: int, boon: bool, goal: int) -> Fraction:
    """The best chance from here; a die is its sides, its Successes and whether it was rerolled."""
    worths = [Fraction(sum(shown for _, shown, _ in dice) >= goal)]
    for at, (sides, _, done) in enumerate(dice):
        if done:
            continue
        for use, left in ((rerolls > 0, (rerolls - 1, boon)), (boon, (0, False))):
            if use:
                worths.append(
                    sum(
                        (
                            chance
                            * value((*dice[:at], (sides, n, True), *dice[at + 1 :]), *left, goal)
                            for n, chance in one_die(sides)
                        ),
                        Fraction(0),
                    )
                )
    return max(worths)


def from_the_start(score: int, tag: int, net: int, boon: bool, goal: int) -> Fraction:
    if net <= -2:
        hands = [(6,)]
    elif net == -1:
        hands = [(score,), (tag,)]
    else:
        hands = [(score, tag)]
    return max(
        sum(
            (
                chance_of(shown) * value(lying(hand, shown), max(0, min(2, net)), boon, goal)
                for shown in product(*(one_die(sides) for sides in hand))
            ),
            Fraction(0),
        )
        for hand in hands
    )


def chance_of(shown: Any) -> Fraction:
    total = Fraction(1)
    for _, chance in shown:
        total *= chance
    return total


def lying(hand: tuple[int, ...], shown: Any) -> tuple[tuple[int, int, bool], ...]:
    return tuple((sides, n, False) for sides, (n, _) in zip(hand, shown, strict=True))


@pytest.mark.rules("signs.boon.effect", "signs.boon.retroactive", "signs.boon.one_per_test")
@pytest.mark.parametrize("net", range(-3, 4))
@pytest.mark.parametrize(("score", "tag"), [(6, 4), (8, 6), (10, 8), (12, 12), (4, 12)])
@pytest.mark.parametrize("goal", [1, 2])
def test_advice_is_as_good_as_play_can_be(score: int, tag: int, net: int, goal: int):
    """With two Boons in hand: one before the roll, or one after it, or none; never both."""
    name, arguments, table, _ = plain_test(
        score=score, tag=tag, advantages=max(net, 0), disadvantages=max(-net, 0), boons=2
    ).parts
    begin = GAME.procedure(name).start(arguments, table)
    advice = best(begin, {"somebody": lambda o: int(o.successes >= goal)}, about=ABOUT)
    before = from_the_start(score, tag, net + 1, False, goal)
    without = from_the_start(score, tag, net, True, goal)
    assert advice.ask is not None
    assert advice.ask.key == "boon"
    worths = dict(advice.choices)
    assert worths["none"] == without
    assert worths["Boon 1"] == worths["Boon 2"] == before
    assert advice.worth["somebody"] == max(before, without)


def test_the_default_rerolls_never_hurt():
    """Whoever says nothing does at least as well as whoever lets every die stand."""
    for (score, tag), aids in product(PAIRS, (1, 2)):
        name, arguments, table, _ = plain_test(score=score, tag=tag, advantages=aids).parts
        begin = GAME.procedure(name).start(arguments, table)
        left = exact(begin, policy("stand")).map(lambda outcome: outcome.successes)
        taken = exact(begin).map(lambda outcome: outcome.successes)
        assert all(taken.at_least(n) >= left.at_least(n) for n in range(5))


# --- Plain numbers -------------------------------------------------------------------------


def test_plain_numbers_by_hand():
    """D8 and D6: 5/8 times 5/6 shows nothing; with one Advantage 5/8 of that once more."""
    assert odds_of(score=8, tag=6).chance(0) == Fraction(25, 48)
    assert odds_of(score=8, tag=6, advantages=1).chance(0) == Fraction(25, 48) * Fraction(5, 8)
    assert odds_of(score=12, tag=12).chance(4) == Fraction(1, 16)
    assert odds_of(score=12, tag=12, disadvantages=2).chance(1) == Fraction(1, 6)
    assert odds_of(score="D8", tag="d6", advantages="1") == odds_of(score=8, tag=6, advantages=1)
    assert odds_of(score="8", tag="0") == odds_of(score=8)


@pytest.mark.parametrize(
    ("numbers", "message"),
    [
        ({"score": 20}, "score: found 20, expected one of D4, D6, D8, D10, D12 "),
        ({"score": "D7"}, "score: found 'D7'"),
        ({"score": "none"}, "score: found 'none'"),
        ({"tag": 5}, "tag: found 5, expected one of D4, .*, D12, or 0 for no Tag"),
        ({"advantages": "two"}, "advantages: found 'two', expected 0 to 20"),
        ({"boons": "1.5"}, "boons: found '1.5'"),
        ({"luck": 1}, "luck: found 1, expected one of score, tag"),
        ({"advantages": -1}, "advantages: found -1, expected 0 to 20"),
        ({"banes": 21}, "banes: found 21"),
    ],
)
def test_plain_numbers_that_do_not_fit(numbers: dict[str, int | str], message: str):
    with pytest.raises(BadInput, match=message):
        plain_test(**numbers)


def test_an_attack_has_the_odds_of_a_test():
    sheet = {"scores": "D10 D6 D6 D6", "signs": {"Stag": "D8: Spear"}}
    begin = start(
        table_of(ana=sheet),
        "attack_roll",
        character="ana",
        score="Skill",
        tags=["Spear"],
        target="the troll",
        advantages=["surprise"],
    )
    assert same(exact(begin).map(lambda outcome: outcome.successes), oracle(10, 8, 1))
