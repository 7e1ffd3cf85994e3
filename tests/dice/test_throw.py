from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from astragal.dice import OpenEnded, Pool, Recorded, Seeded, Shade, Shaded, ThrownDie, parse
from astragal.dice.throw import judge
from dice.oracles import dice_by_shade


@pytest.mark.slow
@given(dice_by_shade, st.data())
def test_judging_a_throw_is_judging_its_dice(dice, data):
    faces = data.draw(st.lists(st.integers(1, 6), min_size=dice.total, max_size=dice.total))
    judged = judge(dice, faces)
    pairs = list(zip(dice, faces, strict=True))

    def of_shade(test):
        return Shaded(
            *(sum(s is shade and test(s, f) for s, f in pairs) for shade, _ in dice.items())
        )

    assert judged.traitors == of_shade(lambda s, f: f < s.difficulty)
    assert judged.sixes == of_shade(lambda s, f: f == 6)
    assert judged.ones == of_shade(lambda s, f: f == 1)
    assert judged.successes + judged.traitors.total == dice.total


@given(dice_by_shade, st.sampled_from(OpenEnded), st.integers(0, 999))
def test_recorded_faces_give_the_same_roll_again(dice, kind, seed):
    rolled = Pool(dice, kind).sample(Seeded(seed))
    again = Recorded(rolled.faces)
    assert Pool(dice, kind).sample(again) == rolled
    again.finish()


NEEDED = {Shade.BLACK: 4, Shade.GRAY: 3, Shade.WHITE: 2}


@given(
    st.integers(0, 5),
    st.integers(0, 5),
    st.integers(0, 5),
    st.sampled_from([OpenEnded.NO, OpenEnded.SIXES, OpenEnded.ONES_AND_SIXES]),
    st.integers(0, 10_000),
)
def test_every_extra_die_has_a_parent_of_its_own_shade(black, gray, white, open, seed):
    pool = Pool(Shaded(black, gray, white), open)
    rolled = pool.sample(Seeded(seed))
    faces = rolled.faces
    dice = list(pool.laid_out(faces))
    assert [die.face for die in dice] == list(faces)
    assert sum(bool(die.success) for die in dice) == rolled.value.successes
    # The first throw has no parents; each six (or one) has exactly one child.
    first = black + gray + white
    assert all(die.parent is None for die in dice[:first])
    again = {OpenEnded.NO: (), OpenEnded.SIXES: (6,), OpenEnded.ONES_AND_SIXES: (6, 1)}[open]
    parents = [die.parent for die in dice[first:]]
    assert sorted(parents) == [n for n, die in enumerate(dice) if die.face in again]

    def root(place: int) -> int:
        return place if dice[place].parent is None else root(dice[place].parent)

    # A die needs what its parent needs, in the order of the pool's shades.
    shades = [shade for shade, count in pool.dice.items() for _ in range(count)]
    for place, die in enumerate(dice):
        assert die.success == (die.face >= NEEDED[shades[root(place)]]), (place, dice)


def test_extra_dice_of_black_and_gray_sixes():
    pool = Pool(Shaded(black=2, gray=1), OpenEnded.SIXES)
    faces = (6, 1, 6, 3, 3)
    rolled = pool.sample(Recorded(faces))
    dice = list(pool.laid_out(faces))
    # The two threes: the first was thrown for a black six, the second for a gray one.
    assert [(die.parent, die.success) for die in dice[3:]] == [(0, False), (2, True)]
    assert rolled.value.successes == 3


def test_a_pool_looked_at_otherwise_is_laid_out_as_the_pool():
    pool = Pool.of(2, open_ended=OpenEnded.SIXES)
    dice = [ThrownDie(6, True), ThrownDie(1, False), ThrownDie(4, True, 0)]
    for expression in (pool, pool.successes(), pool.with_ones()):
        assert list(expression.laid_out((6, 1, 4))) == dice


def test_faces_that_are_added_up_or_threatened_are_laid_out_as_faces():
    harsh = Pool.of(2, open_ended=OpenEnded.HARSH_ONES)
    for expression in (harsh, parse("2d6+1")):
        assert list(expression.laid_out((6, 1))) == [ThrownDie(6), ThrownDie(1)]
