"""Refusals of raw data: the place, the value there, and what was expected."""

from __future__ import annotations

import enum

import msgspec
import pytest

from astragal.errors import BadInput
from astragal.games.decoding import bad_input


class Colour(enum.Enum):
    RED = "red"
    BLUE = "blue"


class Part(msgspec.Struct, forbid_unknown_fields=True):
    size: int
    colour: Colour | None = None


class Whole(msgspec.Struct, forbid_unknown_fields=True):
    name: str
    parts: list[Part] = []
    named: dict[str, Part] = {}
    sure: bool = True


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        ({}, "it.name: found nothing, expected a value (it is required)"),
        ({"name": 3}, "it.name: found 3, expected a text"),
        ({"name": "x", "sure": "y"}, "it.sure: found 'y', expected true or false"),
        ({"name": "x", "parts": 3}, "it.parts: found 3, expected a list"),
        ({"name": "x", "parts": [3]}, "it.parts[0]: found 3, expected a table with fields"),
        (
            {"name": "x", "parts": [{"size": 1}, {"size": "big"}]},
            "it.parts[1].size: found 'big', expected a whole number",
        ),
        (
            {"name": "x", "parts": [{"size": 1, "colour": "green"}]},
            "it.parts[0].colour: found 'green', expected one of red, blue",
        ),
        (
            {"name": "x", "named": {"a": {"size": 1}, "b": {"size": None}}},
            "it.named.b.size: found nothing, expected a whole number",
        ),
        (
            {"name": "x", "named": {"a": {"size": 1, "colr": "red"}}},
            "it.named.a.colr: found 'colr', expected a known field: colour",
        ),
        ({"name": "x", "zzz": 1}, "expected a known field: name, parts, named, sure"),
    ],
)
def test_the_place_the_value_and_what_was_expected(raw, said):
    with pytest.raises(msgspec.ValidationError) as refused:
        msgspec.convert(raw, Whole)
    made = bad_input(str(refused.value), raw, Whole, "it")
    assert isinstance(made, BadInput)
    assert said in str(made)
