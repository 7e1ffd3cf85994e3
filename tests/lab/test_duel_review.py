"""What a script or a split was worth: against the solution, and against the exact driver."""

from __future__ import annotations

from functools import cache

import pytest

from astragal.lab.duel_game import Bodies, Payoff
from astragal.lab.duel_review import _whole, _whole_mix, _Worths, _Written
from astragal.lab.duel_volleys import Between, Volleys
from astragal.lab.solved_duel import SolvedDuel, solve_duel
from lab.duels import DEBATE, every_script, small_hall, walked

Cards = tuple[str, ...]


@pytest.fixture(scope="module")
def solved() -> SolvedDuel:
    return solve_duel(DEBATE, small_hall(), Payoff.WIN, (3, 3))


@pytest.mark.parametrize("position", [0, 1, 5])
@pytest.mark.parametrize("side", [0, 1])
def test_against_the_best_mix_no_script_is_worth_more_than_the_state(solved, position, side):
    bodies = (2, 3)
    worths = _Worths(solved)
    mix = solved.scripts(1 - side, bodies, position)
    against = [(_whole(script, solved, 1 - side), weight) for script, weight in mix]
    lost = solved.positions[position].owed[side]
    scripts = {script[lost:]: script for script in every_script(solved.game.cards[side])}
    worth = {
        written: worths.of(bodies, position, side, whole, against)
        for written, whole in scripts.items()
    }
    value = float(solved.values[(*bodies, position)])
    mine = value if side == 0 else 1 - value
    assert max(worth.values()) == pytest.approx(mine, abs=1e-8)
    for script, _ in solved.scripts(side, bodies, position):
        assert worth[script] == pytest.approx(mine, abs=1e-8)
    assert min(worth.values()) < mine - 0.05


@pytest.mark.parametrize("cards", [("rebuttal", "point"), ("rebuttal", "dismiss")])
@pytest.mark.parametrize("defence", [1, 2, 3])
def test_a_split_leads_to_what_the_exact_driver_says(cards, defence):
    hall = small_hall(ann=4)
    found = Volleys(DEBATE, hall).divided(Between(), cards, 0, defence, 4)
    told = walked(hall, Between(), cards, (defence, 0))
    assert found == pytest.approx(told)


def test_dice_that_came_from_elsewhere_are_divided_as_well():
    cards = ("rebuttal", "point")
    more = Volleys(DEBATE, small_hall(ann=3)).divided(Between(), cards, 0, 2, 4)
    assert more == pytest.approx(walked(small_hall(ann=4), Between(), cards, (2, 0)))


@pytest.mark.parametrize("defence", [1, 2])
@pytest.mark.parametrize("rest", [("point", "avoid"), ("rebuttal", "dismiss")])
def test_a_split_is_worth_what_the_cards_to_come_are_worth(defence, rest):
    """Against a Dismiss of the other's mix, worked out by the engine volley by volley."""
    hall = small_hall(3, 2)
    solved = solve_duel(DEBATE, hall, Payoff.WIN, (2, 2))
    volleys = Volleys(DEBATE, hall)
    ends = solved.game.ends

    @cache
    def odds(between: Between, pair: tuple[str, str]):
        shown = tuple("" if lost else card for card, lost in zip(pair, between.owed, strict=True))
        split = volleys.split(shown, volleys.loads(between, shown))
        return tuple(walked(hall, between, pair, split).items())

    def worth(bodies: Bodies, between: Between, mine: Cards, other: Cards) -> float:
        if 0 in bodies:
            return float(ends[bodies])
        if not mine:
            return float(solved.values[(*bodies, solved.positions.index(between))])
        return sum(
            chance * worth(after(bodies, losses), next_, mine[1:], other[1:])
            for (losses, next_), chance in odds(between, (mine[0], other[0]))
        )

    def after(bodies: Bodies, losses: Bodies) -> Bodies:
        return max(bodies[0] - losses[0], 0), max(bodies[1] - losses[1], 0)

    mix = [each for each in solved.scripts(1, (2, 2)) if each[0][0] == "dismiss"]
    likely = sum(weight for _, weight in mix)
    assert likely > 0
    expected = sum(
        chance * weight / likely * worth(after((2, 2), losses), between, rest, script[1:])
        for (losses, between), chance in walked(
            hall, Between(), ("rebuttal", "dismiss"), (defence, 0)
        ).items()
        for script, weight in mix
    )
    written = _Written(
        _Worths(solved),
        ((("rebuttal",), rest[:1], rest[1:]), (("dismiss",), ("avoid",), ("point",))),
        (_whole_mix(solved, 0, (2, 2), 0), _whole_mix(solved, 1, (2, 2), 0)),
    )
    assert list(written.rests(0, 1)) == [rest]
    outcomes = volleys.divided(Between(), ("rebuttal", "dismiss"), 0, defence, 3)
    found = written.worths.after_volley((2, 2), 0, outcomes, rest, written.rivals(0, 1))
    assert found == pytest.approx(expected)


def test_against_cards_that_no_best_script_has_only_what_comes_after_is_known(solved):
    written = _Written(
        _Worths(solved),
        ((("point",),) * 3, (("obfuscate",),) * 3),
        (_whole_mix(solved, 0, (3, 3), 0), _whole_mix(solved, 1, (3, 3), 0)),
    )
    assert written.rivals(0, 1) == []
    outcomes = {((0, 1), Between()): 0.5, ((1, 0), Between()): 0.5}
    found = written.worths.after_volley((3, 3), 0, outcomes, ("point", "point"), [])
    assert found == pytest.approx((solved.values[3, 2, 0] + solved.values[2, 3, 0]) / 2)


def test_a_card_that_was_not_shown_may_have_been_any(solved):
    written = _Written(_Worths(solved), ((("point",), ("avoid", "point"), ("avoid", "feint")), ()))
    assert set(written.rests(0, 1)) == {
        (second, third) for second in ("avoid", "point") for third in ("avoid", "feint")
    }
    assert list(written.rests(0, 3)) == [()]
