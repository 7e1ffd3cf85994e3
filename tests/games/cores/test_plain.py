"""Tests from plain numbers."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from astragal.errors import BadInput
from astragal.games.cores import GAME, plain_test
from astragal.play import Scripted, exact


def odds(**numbers: Any) -> Fraction:
    name, arguments, table, answers = plain_test(**numbers).parts
    start = GAME.procedure(name).start(arguments, table)
    return exact(start, Scripted(answers)).where(lambda outcome: outcome.passed)


def count(dn: int, core: int, d4: int = 0, flat: int = 0) -> Fraction:
    fourth = range(1, 5) if d4 else (0,)
    faces = list(product(range(1, 7), range(1, core + 1), fourth))
    return Fraction(sum(a + b + d4 * c + flat >= dn for a, b, c in faces), len(faces))


@pytest.mark.parametrize(
    ("numbers", "expected"),
    [
        ({"core": "d6", "dn": 7}, count(7, 6)),
        ({"core": "10", "dn": "7"}, count(7, 10)),
        ({"core": 12, "dn": 13, "rock": 2}, count(13, 12, 1)),
        ({"core": "d8", "dn": 9, "suck": 1}, count(9, 6)),
        ({"core": "d8", "dn": 9, "relationship": "D", "angst": 5}, count(9, 8, 0, -3)),
        ({"core": "d8", "dn": 9, "relationship": "A-"}, count(9, 8, 0, 2)),
        ({"core": "d8", "dn": 9, "help": 3, "moral": "A"}, count(9, 8, 0, 4)),
        ({"core": "d8", "dn": 9, "tap": "positive"}, count(9, 8, 1)),
        ({"core": "d8", "dn": 9, "tap": "negative", "angst": 4}, count(9, 8, -1, -1)),
    ],
)
def test_plain_numbers_give_true_odds(numbers: dict[str, Any], expected: Fraction):
    assert odds(**numbers) == expected


@pytest.mark.parametrize(
    ("numbers", "place"),
    [
        ({"core": "d6"}, "dn"),
        ({"dn": 9}, "core"),
        ({"core": "d20", "dn": 9}, "core.physical.die"),
        ({"core": "d6", "dn": 18}, "dn"),
        ({"core": "d6", "dn": "hard"}, "dn"),
        ({"core": "d6", "dn": 9, "rock": 3}, "rock"),
        ({"core": "d6", "dn": 9, "tap": "sideways"}, "tap"),
        ({"core": "d6", "dn": 9, "relationship": "Z"}, "relationships.someone"),
        ({"core": "d6", "dn": 9, "luck": 1}, "luck"),
    ],
)
def test_what_does_not_fit_is_named(numbers: dict[str, Any], place: str):
    with pytest.raises(BadInput) as refusal:
        plain_test(**numbers)
    assert refusal.value.place == place
