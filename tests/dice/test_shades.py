from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from astragal.dice import Shade, Shaded
from astragal.errors import BadInput


@pytest.mark.rules("tests.shade.difficulty_number", "tests.dice.difficulty_number")
@pytest.mark.parametrize(
    ("shade", "letter", "difficulty"),
    [(Shade.BLACK, "B", 4), (Shade.GRAY, "G", 3), (Shade.WHITE, "W", 2)],
)
def test_each_shade_has_a_letter_and_a_difficulty_number(shade, letter, difficulty):
    assert (shade.letter, shade.difficulty, shade.traitor_faces) == (
        letter,
        difficulty,
        difficulty - 1,
    )
    assert Shade.parse(letter) is Shade.parse(letter.lower()) is Shade.parse(shade.value) is shade


def test_shades_get_lighter_up_to_white():
    assert (Shade.BLACK.lighter(), Shade.GRAY.lighter()) == (Shade.GRAY, Shade.WHITE)
    with pytest.raises(BadInput, match="nothing is lighter than white"):
        Shade.WHITE.lighter()


@pytest.mark.rules("tests.shade.every_ability")
def test_only_shades_are_read_as_shades():
    with pytest.raises(BadInput, match=r"shade: found 'X', expected B, G or W.*every_ability"):
        Shade.parse("X")


counts = st.builds(Shaded, *[st.integers(0, 9)] * 3)


@given(counts, counts)
def test_dice_by_shade_add_and_subtract(a, b):
    assert (a + b).total == a.total + b.total
    assert a + b - b == a
    assert bool(a) == (a.total > 0)
    assert [(shade, a[shade]) for shade in Shade] == list(a.items())
    assert [sum(s is shade for s in a) for shade in Shade] == [a.black, a.gray, a.white]
    assert list(a) == sorted(a, key=list(Shade).index), "black, then gray, then white"


@pytest.mark.parametrize("make", [lambda: Shaded(gray=-1), lambda: Shaded(1) - Shaded(2)])
def test_there_are_never_fewer_dice_than_none(make):
    with pytest.raises(BadInput, match=r"dice\.(gray|black): found -1, expected 0 or more dice"):
        make()


def test_dice_by_shade_show_themselves():
    assert [str(d) for d in (Shaded(), Shaded(2, 0, 1), Shaded.of(Shade.GRAY, 3))] == [
        "0B",
        "2B+1W",
        "3G",
    ]
