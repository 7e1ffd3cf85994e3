from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from astragal.dice import (
    Count,
    CountWithOnes,
    OpenEnded,
    Pool,
    Recorded,
    Rolled,
    Shade,
    Shaded,
    TypedIn,
)
from astragal.errors import BadInput

NO, SIXES, ONES, HARSH = OpenEnded


def thrown(pool: Pool, *faces: int) -> Count:
    recorded = Recorded(faces)
    rolled = pool.sample(recorded)
    recorded.finish()
    assert rolled.faces == faces
    return rolled.value


@pytest.mark.rules("tests.dice.success_black", "tests.dice.count_successes")
def test_the_worked_example_of_five_black_dice():
    assert thrown(Pool.of(5), 1, 2, 2, 4, 5) == Count(2, Shaded(), Shaded(3))


@pytest.mark.rules(
    "tests.shade.difficulty_number", "tests.shade.only_thing_that_moves_dn", "tests.dice.d6_only"
)
@pytest.mark.parametrize("shade", Shade)
@pytest.mark.parametrize("face", range(1, 7))
def test_a_die_succeeds_from_its_difficulty_number_on(shade, face):
    good = face >= {"black": 4, "gray": 3, "white": 2}[shade.value]
    one = Shaded.of(shade, 1)
    expected = Count(int(good), one if face == 6 else Shaded(), Shaded() if good else one)
    assert thrown(Pool.of(1, shade), face) == expected


def test_dice_are_thrown_black_then_gray_then_white():
    found = thrown(Pool(Shaded(2, 1, 1)), 3, 6, 3, 1)
    assert found == Count(2, Shaded(black=1), Shaded(black=1, white=1))


@pytest.mark.rules("tests.open_ended.six_gives_a_die", "tests.amb.open_ended_chain")
def test_each_six_brings_a_die_of_its_own_shade_wave_by_wave():
    # black 6, gray 6 | black 3 (a traitor), gray 6 | gray 3 (a success)
    found = thrown(Pool(Shaded(1, 1), SIXES), 6, 6, 3, 6, 3)
    assert found == Count(4, Shaded(), Shaded(black=1))


@pytest.mark.rules("gold.roll.astrology_ones")
def test_open_on_ones_a_one_stays_a_traitor_and_brings_a_die():
    # 1, 6, 3 | of the 1: 5; of the 6: 1 | of that 1: 2
    found = thrown(Pool(Shaded(3), ONES), 1, 6, 3, 5, 1, 2)
    assert found == Count(2, Shaded(), Shaded(4))
    # and on sixes only, as in a linked test, ones bring nothing
    assert thrown(Pool(Shaded(3), SIXES), 1, 6, 3, 5) == Count(2, Shaded(), Shaded(2))


@pytest.mark.rules("gold.amb.astrology_ones")
@pytest.mark.parametrize(
    ("faces", "expected"),
    [
        ((5, 5, 1, 2), Count(1, Shaded(), Shaded(1))),  # the threat fails: one success less
        ((5, 5, 1, 4), Count(2, Shaded(), Shaded(1))),  # the threat passes by
        ((5, 5, 1, 6), Count(2, Shaded(), Shaded(1))),  # ... and brings nothing, even with a 6
        ((5, 5, 1, 1, 1, 3), Count(0, Shaded(), Shaded(1))),  # three traitors, two successes
        ((5, 6, 1, 1, 2, 4), Count(1, Shaded(), Shaded(2))),  # extra die 1, threat 2; 4 passes
    ],
)
def test_harsh_ones_are_rolled_again_and_traitors_there_cancel(faces, expected):
    assert thrown(Pool(Shaded(3), HARSH), *faces) == expected


@pytest.mark.rules("gold.amb.astrology_ones")
def test_a_harsh_threat_is_judged_by_the_shade_of_its_die():
    assert thrown(Pool(Shaded(1, 0, 1), HARSH), 5, 1, 2).successes == 1
    assert thrown(Pool(Shaded(1, 0, 1), HARSH), 1, 5, 2).successes == 0


@pytest.mark.rules("artha.luck.rerolled_traitor_not_open_ended", "artha.luck.open_end")
def test_luck_and_rerolls_are_pools_of_what_the_count_tells():
    first = thrown(Pool.of(4), 6, 6, 2, 5)
    luck = thrown(Pool(first.sixes, SIXES), 6, 1, 4)
    assert first.successes + luck.successes == 5
    grace = thrown(Pool(first.traitors + luck.traitors), 6, 3)
    assert grace == Count(1, Shaded(1), Shaded(1))


def test_ones_are_counted_on_the_pools_own_dice_only():
    rolled = Pool(Shaded(3), SIXES).with_ones().sample(Recorded([1, 6, 4, 1]))
    assert rolled == Rolled(CountWithOnes(2, Shaded(), Shaded(2), ones=1), (1, 6, 4, 1))


@pytest.mark.parametrize("kind", [ONES, HARSH])
def test_ones_that_bring_dice_are_not_counted_again(kind):
    with pytest.raises(BadInput, match="a pool that is not open-ended on ones"):
        Pool(Shaded(1), kind).with_ones()


@pytest.mark.parametrize("kind", OpenEnded)
def test_no_dice_are_no_successes(kind):
    pool = Pool(Shaded(), kind)
    assert pool.sample(Recorded([])) == Rolled(Count(0), ())
    assert pool.distribution().weights == {Count(0): 1}
    assert pool.successes().distribution(enough=2).weights == {0: 1}
    assert (pool.at_least(0), pool.at_least(1), pool.chance_of(0)) == (1, 0, 1)


def test_a_thousand_dice_are_the_most():
    assert Pool.of(1000).at_least(1001) == 0
    with pytest.raises(BadInput, match="dice: found 1001, expected at most 1000 dice"):
        Pool(Shaded(1000, 1))


def test_enough_is_never_below_none():
    pool = Pool.of(2)
    for expression in (pool, pool.successes(), pool.with_ones()):
        with pytest.raises(BadInput, match="enough: found -1, expected 0 successes or more"):
            expression.distribution(enough=-1)


@pytest.mark.slow
@given(st.builds(Shaded, *[st.integers(0, 4)] * 3), st.sampled_from(OpenEnded), st.integers(0, 40))
def test_faces_for_give_exactly_so_many_successes(dice, kind, successes):
    pool = Pool(dice, kind)
    fits = pool.chance_of(successes) > 0
    if not fits:
        with pytest.raises(BadInput, match=f"^successes: found {successes}, .* can show"):
            pool.faces_for(successes)
        return
    faces = pool.faces_for(successes)
    assert thrown(pool, *faces).successes == successes
    if successes <= dice.total:
        assert 6 not in faces, "sixes only where the dice do not suffice"


@pytest.mark.parametrize(
    ("pool", "successes", "line"),
    [
        (Pool.of(3), 4, "0 to 3, as many as 3 dice can show"),
        (Pool.of(1), -1, "0 to 1, as many as 1 die can show"),
        (Pool.of(0, open_ended=SIXES), 1, "0 to 0, as many as 0 dice can show"),
        (Pool.of(2, Shade.WHITE, open_ended=ONES), 1, "2 to 1000, as many as 2 dice can show"),
        (Pool.of(2, open_ended=SIXES), 10**30, "0 to 1000, "),
    ],
)
def test_faces_that_cannot_be_are_refused(pool, successes, line):
    with pytest.raises(BadInput, match=line):
        pool.faces_for(successes)


def test_canonical_faces_are_fives_and_twos():
    assert Pool(Shaded(2, 1, 1)).faces_for(2) == (2, 2, 5, 5)
    assert Pool(Shaded(1, 1, 2)).faces_for(0) == (2, 2, 1, 1)
    assert Pool(Shaded(3), SIXES).faces_for(4) == (6, 5, 5, 5)
    assert Pool(Shaded(white=2), HARSH).faces_for(1) == (5, 1, 5)


def test_a_throw_for_each_wave():
    asked = []

    def prompt(sides, count):
        asked.append(count)
        return [6, 1, 4][:count] if len(asked) == 1 else [3] * count

    Pool(Shaded(2, 1), ONES).sample(TypedIn(prompt))
    assert asked == [3, 2]


def test_faces_for_a_pool_with_ones_are_those_of_the_pool_and_show_none_on_dark_dice():
    with_ones = Pool(Shaded(2, 1)).with_ones()
    faces = with_ones.faces_for(2)
    assert faces == Pool(Shaded(2, 1)).faces_for(2)
    assert with_ones.sample(Recorded(faces)).value.successes == 2
    assert with_ones.sample(Recorded(faces)).value.ones == 0
