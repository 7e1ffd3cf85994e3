from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from astragal.dice import OpenEnded, Pool, Recorded, Seeded, Shaded
from astragal.dice.throw import judge
from dice.oracles import dice_by_shade


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
