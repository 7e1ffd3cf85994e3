"""How dice lie: each with its success, and with the six that it was thrown for."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from astragal.dice import OpenEnded, Pool, Recorded, Seeded, Shade, Shaded
from astragal.games.burning_wheel.conflicts.duel_of_wits.bodies import Established
from astragal.games.burning_wheel.conflicts.scripting import Shown
from astragal.play import Noted as Remark
from astragal.play import Tally
from astragal.table.log.items import Told
from astragal.table.running.recording import lying, mentions, told

NAMES = st.sampled_from(["mara", "ma", 'a "b"', "ü", "\\", "", "x\n"])
PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | NAMES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=8,
)


@given(PLAIN, st.sets(NAMES, max_size=3))
def test_what_is_mentioned_is_named_as_a_whole_somewhere(plain, keys):
    def words(plain):
        if isinstance(plain, dict):
            return {*plain, *(word for each in plain.values() for word in words(each))}
        if isinstance(plain, list):
            return {word for each in plain for word in words(each)}
        return {plain} if isinstance(plain, str) else set()

    assert mentions(plain, keys) == bool(words(plain) & keys)


NEEDED = {Shade.BLACK: 4, Shade.GRAY: 3, Shade.WHITE: 2}


class Noted:
    """A source that notes each handful it was asked for."""

    def __init__(self, source) -> None:
        self.source, self.handfuls = source, []

    def dice(self, sides: int, count: int) -> list[int]:
        faces = self.source.dice(sides, count)
        self.handfuls.append(list(faces))
        return faces


@given(
    st.integers(0, 5),
    st.integers(0, 5),
    st.integers(0, 5),
    st.sampled_from([OpenEnded.NO, OpenEnded.SIXES, OpenEnded.ONES_AND_SIXES]),
    st.integers(0, 10_000),
)
def test_every_die_that_was_thrown_on_hangs_from_a_die_of_its_shade(black, gray, white, open, seed):
    pool = Pool(Shaded(black, gray, white), open)
    source = Noted(Seeded(seed))
    rolled = pool.sample(source)
    faces = rolled.faces
    lie = list(lying(pool, faces, (6,) * len(faces)))
    assert [die.face for die in lie] == list(faces)
    assert sum(bool(die.success) for die in lie) == rolled.value.successes
    # By hand: the first throw has no parents; each six (or one) has exactly one child.
    first = black + gray + white
    assert all(die.of is None for die in lie[:first])
    again = {OpenEnded.NO: (), OpenEnded.SIXES: (6,), OpenEnded.ONES_AND_SIXES: (6, 1)}[open]
    parents = [die.of for die in lie[first:]]
    assert sorted(parents) == [n for n, die in enumerate(lie) if die.face in again]

    def root(place: int) -> int:
        return place if lie[place].of is None else root(lie[place].of)

    # A die needs what the die needs from which it hangs: in the order of the pool's shades.
    shades = [shade for shade, count in pool.dice.items() for _ in range(count)]
    for place, die in enumerate(lie):
        assert die.success == (die.face >= NEEDED[shades[root(place)]]), (place, lie)


def test_gray_and_black_sixes():
    pool = Pool(Shaded(black=2, gray=1), OpenEnded.SIXES)
    faces = (6, 1, 6, 3, 3)
    rolled = pool.sample(Recorded(faces))
    lie = list(lying(pool, faces, (6,) * 5))
    # The two threes: the first hangs from a black six, the second from a gray one.
    assert [(die.of, die.success) for die in lie[3:]] == [(0, False), (2, True)]
    assert rolled.value.successes == 3


def test_a_fact_brings_its_cards_bars_and_numbers_along():
    sides = (("Ann", "Point"), ("Bob", "no action"))
    shown = told(Shown(1, 2, sides, "some.rule"), ("gm",))
    assert shown == Told(
        "Volley 2. Ann: Point; Bob: no action.",
        "shown",
        "some.rule",
        cards=sides,
        audience=("gm",),
        headline="Volley 2",
    )
    body = told(Established("Ann", Tally.of(5, "Will", "some.rule")), ())
    assert (body.bars, body.cards) == ((("Ann", 5, 5),), ())
    assert [number.total for number in body.numbers] == [5]
    assert (body.role, body.pattern) == ("aside", "Ann, body of argument: {body}")
    plain = told(Remark("Nothing more.", "some.rule"), ())
    assert (plain.cards, plain.bars, plain.numbers) == ((), (), ())
