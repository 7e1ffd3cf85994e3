from __future__ import annotations

import hashlib
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from astragal.dice import (
    Chance,
    Die,
    OpenEnded,
    Pool,
    Recorded,
    Secure,
    Seeded,
    Shaded,
    TooFewFaces,
    TypedIn,
    parse,
)
from astragal.errors import BadInput
from dice.oracles import chi_square, chi_square_limit


def faces_by_the_book(seed: bytes, throws: list[tuple[int, int]]) -> list[int]:
    """A second implementation of the documented stream, written without the first."""
    key = hashlib.sha256(seed).digest()
    stream = (
        byte for n in range(10_000) for byte in hashlib.sha256(key + n.to_bytes(8, "big")).digest()
    )
    faces = []
    for sides, count in throws:
        for _ in range(count):
            byte = next(b for b in stream if b < 256 - 256 % sides)
            faces.append(byte % sides + 1)
    return faces


@pytest.mark.slow
@given(
    st.one_of(st.text(max_size=8), st.integers(), st.binary(max_size=8)),
    st.lists(st.tuples(st.sampled_from([4, 6, 8, 10, 12, 256]), st.integers(0, 90)), max_size=5),
)
def test_seeded_faces_follow_the_documented_algorithm(seed, throws):
    raw = seed if isinstance(seed, bytes) else str(seed).encode()
    source = Seeded(seed)
    faces = [face for sides, count in throws for face in source.dice(sides, count)]
    assert faces == faces_by_the_book(raw, throws)


def test_seeded_sources_of_one_seed_agree_and_of_two_differ():
    assert Seeded(7).dice(6, 50) == Seeded("7").dice(6, 50) == Seeded(b"7").dice(6, 50)
    assert Seeded(7).dice(6, 50) != Seeded(8).dice(6, 50)


@pytest.mark.parametrize("sides", [4, 6, 8, 10, 12])
@pytest.mark.parametrize("source", [Seeded("chi"), Secure()], ids=["seeded", "secure"])
def test_faces_are_in_range_and_all_come_up(source: Chance, sides: int):
    faces = source.dice(sides, 2000)
    assert len(faces) == 2000
    assert set(faces) == set(range(1, sides + 1))


@pytest.mark.parametrize("sides", [4, 6, 8, 10, 12])
def test_seeded_faces_are_uniform(sides):
    counts = Counter(Seeded(f"uniform {sides}").dice(sides, 20_000))
    statistic, freedom = chi_square(counts, Die(sides).distribution())
    assert freedom == sides - 1
    assert statistic < chi_square_limit(freedom)


@pytest.mark.parametrize("limit", [(1, 15.14), (5, 25.74), (30, 67.63)])
def test_the_chi_square_limit_agrees_with_published_tables(limit):
    freedom, published = limit
    assert published < chi_square_limit(freedom) < published * 1.08


@pytest.mark.slow
@pytest.mark.parametrize(
    "expression",
    [
        *(Pool(Shaded(4, 2, 1), kind).successes() for kind in OpenEnded),
        *(Pool(Shaded(4), kind) for kind in OpenEnded),
        Pool(Shaded(3)).with_ones(),
        *map(parse, ["d6!+d8-d4", "(d8, d6)", "3d10+5", "d100", "2d5", "(d12, d10)kh1"]),
    ],
    ids=lambda e: e.notation,
)
def test_seeded_samples_follow_the_exact_distribution(expression):
    source = Seeded(f"samples of {expression.notation}")
    counts = Counter(expression.sample(source).value for _ in range(6000))
    statistic, freedom = chi_square(counts, expression.distribution())
    assert statistic < chi_square_limit(freedom)


# ---------------------------------------------------------------------- recorded


def test_recorded_faces_come_in_order():
    source = Recorded([1, 2, 3, 10])
    assert (source.dice(6, 2), source.dice(6, 0), source.dice(4, 1)) == ([1, 2], [], [3])
    assert source.left == 1
    assert source.dice(10, 1) == [10]
    source.finish()


def test_recorded_faces_that_run_out_say_how_many_are_missing():
    source = Recorded([4])
    with pytest.raises(TooFewFaces, match=r"^2 more faces of a d6 are needed$") as refused:
        source.dice(6, 3)
    assert (refused.value.needed, refused.value.sides) == (2, 6)
    assert source.left == 1, "a refused throw uses nothing up"
    with pytest.raises(TooFewFaces, match=r"^1 more face of a d8 is needed$"):
        Recorded([]).dice(8, 1)


@pytest.mark.parametrize("face", [0, 7, -1, True, 2.0, "3", None])
def test_recorded_faces_must_be_on_the_die(face):
    source = Recorded([5, face])
    assert source.dice(6, 1) == [5]
    with pytest.raises(BadInput, match=r"^faces\[1\]: found .*, expected a face of a d6, 1 to 6$"):
        source.dice(6, 1)


def test_recorded_faces_left_over_are_refused():
    source = Recorded([5, 5, 1])
    source.dice(6, 2)
    with pytest.raises(BadInput, match=r"faces: found \(1,\), expected no more faces"):
        source.finish()


# ---------------------------------------------------------------------- typed in


def test_typed_faces_are_asked_for_throw_by_throw():
    asked = []

    def prompt(sides, count):
        asked.append((sides, count))
        return [6] * count if len(asked) == 1 else [2] * count

    rolled = Pool(Shaded(2), OpenEnded.SIXES).sample(TypedIn(prompt))
    assert asked == [(6, 2), (6, 2)]
    assert rolled.faces == (6, 6, 2, 2)


def test_nobody_is_asked_to_throw_no_dice():
    def prompt(sides, count):
        raise AssertionError("asked for nothing")

    assert Pool(Shaded()).sample(TypedIn(prompt)).value.successes == 0


@pytest.mark.parametrize(
    ("faces", "line"),
    [
        ([1], r"faces: found \[1\], expected 2 faces of a d6, not 1"),
        ([1, 2, 3], r"faces: found \[1, 2, 3\], expected 2 faces of a d6, not 3"),
        ([1, 0], r"faces\[1\]: found 0, expected a face of a d6, 1 to 6"),
        (["x", 1], r"faces\[0\]: found 'x', expected a face of a d6, 1 to 6"),
    ],
)
def test_typed_faces_are_checked_for_number_and_range(faces, line):
    with pytest.raises(BadInput, match=f"^{line}$"):
        TypedIn(lambda sides, count: faces).dice(6, 2)


@pytest.mark.parametrize("source", [Seeded(1), Secure(), Recorded([1]), TypedIn(lambda s, c: [1])])
@pytest.mark.parametrize(("sides", "count"), [(0, 1), (257, 1), (6, -1)])
def test_throws_that_cannot_be_are_refused(source: Chance, sides, count):
    with pytest.raises(BadInput):
        source.dice(sides, count)
