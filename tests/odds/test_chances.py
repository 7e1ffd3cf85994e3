"""The odds of whole tests against counting faces, icepool, and the frequency of sampled runs."""

from __future__ import annotations

from fractions import Fraction

import icepool
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from astragal.errors import BadInput
from astragal.odds import find_game, from_sheets, odds, plain, sampled, success
from astragal.play import Throwing
from odds.by_hand import at_least, beats, by_faces, exactly

SHADES = ("black", "gray", "white")


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(st.integers(1, 5), st.sampled_from(SHADES), st.integers(1, 6))
@pytest.mark.rules("tests.standard.pass", "tests.dice.judged_singly")
def test_flat_odds_are_what_the_faces_say(dice, shade, ob):
    found = odds(plain("burning_wheel", dice=dice, shade=shade, ob=ob))
    faces = by_faces(dice, shade)
    assert found.exact_chance == sum((c for n, c in faces.items() if n >= ob), Fraction(0))
    assert {row.number: row.chance for row in found.rows} == {n: float(c) for n, c in faces.items()}
    for row in found.rows:
        assert row.margin == row.number - ob
        assert row.good is (row.number >= ob)
    assert found.rows[0].at_least == 1


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(
    dice=st.integers(1, 7),
    shade=st.sampled_from(SHADES),
    ob=st.integers(1, 6),
    open_ended=st.booleans(),
    fork=st.integers(0, 2),
    helpers=st.lists(st.integers(1, 8), max_size=3),
    advantage=st.booleans(),
    disadvantages=st.integers(0, 2),
    boon=st.integers(0, 3),
    careful=st.booleans(),
)
@pytest.mark.rules(
    "tests.help.dice_exponent_4_or_less", "tests.fork.one_die", "tests.disadvantage.cumulative"
)
def test_everything_that_is_said_counts(
    dice, shade, ob, open_ended, fork, helpers, advantage, disadvantages, boon, careful
):
    trial = plain(
        "burning_wheel",
        dice=dice,
        shade=shade,
        ob=ob,
        open_ended=open_ended,
        fork=fork,
        helpers=tuple(helpers),
        advantage=advantage,
        disadvantages=disadvantages,
        boon=boon,
        careful=careful,
    )
    helped = sum(1 if exponent <= 4 else 2 for exponent in helpers)
    rolled = dice + fork + helped + advantage + boon + careful
    expected = at_least(rolled, shade, ob + disadvantages, open_ended)
    assert success(trial) == expected
    found = odds(trial)
    assert found.exact_chance == expected
    assert found.reasons["dice"].startswith(f"{rolled} = ")
    for row in found.rows[:8]:
        chance = float(exactly(rolled, shade, row.number, open_ended))
        assert row.chance == pytest.approx(chance, rel=1e-9, abs=1e-12)


@pytest.mark.rules("tests.beginner.double_base_obstacle", "tests.beginner.modifiers_after_doubling")
@pytest.mark.parametrize("dice", range(1, 7))
@pytest.mark.parametrize("open_ended", [False, True])
def test_untrained_doubles_the_base_obstacle_only(dice, open_ended):
    trial = plain(
        "burning_wheel", dice=dice, ob=2, disadvantages=1, untrained=True, open_ended=open_ended
    )
    assert odds(trial).exact_chance == at_least(dice, "black", 5, open_ended)


@pytest.mark.parametrize("shade", SHADES)
@pytest.mark.parametrize("dice", [1, 2, 3, 5, 8, 12, 18])
def test_odds_as_icepool_has_them(shade, dice):
    difficulty = {"black": 4, "gray": 3, "white": 2}[shade]
    success_die = icepool.d6.map(lambda face: int(face >= difficulty))
    chain = success_die
    for _ in range(10):
        chain = icepool.Die([*(int(face >= difficulty) for face in range(1, 6)), chain + 1])
    for ob in (1, 2, 3, 5, 8):
        flat = dice @ success_die
        rolled = dice @ chain
        trial = plain("burning_wheel", dice=dice, shade=shade, ob=ob)
        assert success(trial) == (flat >= ob).probability(True)
        assert success(trial.changed(open_ended=True)) == (rolled >= ob).probability(True)


@pytest.mark.rules("tests.versus.most_successes_win", "tests.versus.tie_to_defender")
@pytest.mark.parametrize(("mine", "theirs"), [(1, 1), (2, 1), (3, 3), (4, 2), (2, 4)])
def test_a_contest_is_won_by_more_successes(mine, theirs):
    found = odds(plain("burning_wheel", dice=mine, versus=theirs))
    assert found.exact_chance == beats(mine, theirs)
    assert found.unit == "margin"
    tie = next(row for row in found.rows if row.number == 0)
    assert not tie.good  # the tie goes to the other side, which only defends


def test_an_obstacle_beyond_the_horizon_has_its_true_chance():
    found = odds(plain("burning_wheel", dice=1, open_ended=True, ob=20))
    assert found.exact_chance == Fraction(5, 2) * Fraction(1, 6**20) / (1 - Fraction(1, 6))
    assert 0 < found.chance < 1e-12


def test_a_test_is_classed_for_advancement():
    assert odds(plain("burning_wheel", dice=4, ob=2)).difficulty == {"routine": 1.0}
    assert odds(plain("burning_wheel", dice=4, ob=4)).difficulty == {"difficult": 1.0}
    assert odds(plain("burning_wheel", dice=4, ob=5)).difficulty == {"challenging": 1.0}
    # Help counts for the class, dice from artha do not (advancement.artha.never_counts).
    assert odds(plain("burning_wheel", dice=4, ob=5, helpers=(5,))).difficulty == {"difficult": 1.0}
    assert odds(plain("burning_wheel", dice=4, ob=5, boon=2)).difficulty == {"challenging": 1.0}
    contest = odds(plain("burning_wheel", dice=4, versus=4)).difficulty
    assert sum(contest.values()) == pytest.approx(1)
    assert len(contest) > 1


EVERY_GAME = [
    plain("burning_wheel", dice=6, ob=3),
    plain("burning_wheel", dice=4, shade="gray", open_ended=True, ob=4, fork=1),
    plain("burning_wheel", dice=4, versus=3),
    plain("percentile", target=43),
    plain("percentile", value=45, against=40),
    plain("signs", score=8, tag=6, advantages=1),
    plain("cores", core="d8", dn=9, rock=1),
]


@pytest.mark.slow
@pytest.mark.parametrize("trial", EVERY_GAME, ids=lambda trial: trial.title)
@pytest.mark.parametrize("throwing", Throwing)
def test_the_same_procedure_comes_off_as_often_as_its_odds_say(trial, throwing):
    runs = 20_000
    exactly_so = odds(trial)
    seen = sampled(trial, runs, "as often", throwing=throwing)
    assert seen.runs == runs
    spread = (exactly_so.chance * (1 - exactly_so.chance) / runs) ** 0.5
    assert abs(seen.chance - exactly_so.chance) < 4.5 * spread
    likely = {(row.number, row.good): row.chance for row in exactly_so.rows}
    for row in seen.rows:
        chance = likely[row.number, row.good]
        assert abs(row.chance - chance) < 4.5 * (chance / runs) ** 0.5 + 4 / runs


def test_the_other_games_by_hand():
    assert odds(plain("percentile", target=43)).exact_chance == Fraction(43, 100)
    # d8 shows 6 or more on three faces, d6 on one
    assert odds(plain("signs", score=8, tag=6)).exact_chance == 1 - Fraction(5, 8) * Fraction(5, 6)
    # d6 + d8 at least 9: 21 of 48
    assert odds(plain("cores", core="d8", dn=9)).exact_chance == Fraction(21, 48)


def test_any_procedure_can_be_had_from_sheets():
    game = find_game("bw")
    sheet = game.read_sheet({"name": "Ann", "skills": {"Sword": "B4"}}, "ann")
    said = {"intent": "win", "task": "by fencing", "ability": "Sword"}
    trial = from_sheets("bw", "standard_test", {"ann": sheet}, said, {"obstacle": 2})
    assert odds(trial).exact_chance == at_least(4, "black", 2, False)
    assert success(trial.changed(obstacle=3)) == at_least(4, "black", 3, False)


@pytest.mark.parametrize(
    ("numbers", "place"),
    [
        ({"dice": 0, "ob": 1}, "dice"),
        ({"dice": 1000, "ob": 1}, "dice"),
        ({"dice": 3, "ob": 0}, "ob"),
        ({"dice": 3}, "ob"),
        ({"dice": 3, "ob": 2, "versus": 4}, "ob"),
        ({"ob": 3}, "dice"),
        ({"dice": 3, "ob": 2, "shade": "pink"}, "shade"),
        ({"dice": 3, "ob": 2, "boon": 4}, "boon"),
        ({"dice": 3, "ob": 2, "helpers": (11,)}, "helper"),
        ({"dice": 3, "ob": 2, "untrained": True, "fork": 1}, "fork"),
        ({"dice": 3, "ob": 2, "luck": 1}, "luck"),
    ],
)
def test_numbers_that_do_not_fit_are_refused_by_name(numbers, place):
    with pytest.raises(BadInput) as refused:
        odds(plain("burning_wheel", **numbers))
    assert refused.value.place == place


def test_what_is_never_asked_is_refused():
    sheet = find_game("bw").read_sheet({"name": "Ann", "stats": {"Will": "B4"}}, "ann")
    trial = plain("burning_wheel", sheets={"ann": sheet}, ability="Will", ob=2, forks=("Sword",))
    with pytest.raises(BadInput, match="a question that this test asks"):
        odds(trial)
