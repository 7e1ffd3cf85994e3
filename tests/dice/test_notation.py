from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from astragal.dice import (
    AnyExpression,
    Die,
    Each,
    ExplodeOnce,
    HalfDie,
    Keep,
    OpenEnded,
    Percentile,
    Pool,
    Shaded,
    Sum,
    Which,
    parse,
)
from astragal.errors import BadInput
from dice.oracles import expressions

D6, D8, D10 = Die(6), Die(8), Die(10)


@pytest.mark.parametrize(
    ("text", "expression"),
    [
        ("3d10+5", Sum((D10, D10, D10), 5)),
        ("1d5-1", Sum((HalfDie(),), -1)),
        ("d100", Percentile()),
        ("2d6", Sum((D6, D6))),
        ("1d10", Sum((D10,))),
        ("d10", D10),
        (" D 10 ", D10),
        ("5B", Pool(Shaded(5))),
        ("4G open", Pool(Shaded(gray=4), OpenEnded.SIXES)),
        ("3b + 2g", Pool(Shaded(3, 2))),
        ("2G+3B+1B", Pool(Shaded(4, 2))),
        ("2B OPEN  on ones", Pool(Shaded(2), OpenEnded.ONES_AND_SIXES)),
        ("2B open on harsh ones", Pool(Shaded(2), OpenEnded.HARSH_ONES)),
        ("5B open: successes", Pool(Shaded(5), OpenEnded.SIXES).successes()),
        ("3W: with ones", Pool(Shaded(white=3)).with_ones()),
        ("d6!", ExplodeOnce(D6)),
        ("d6! + d8 - d4", Sum((ExplodeOnce(D6), D8), minus=(Die(4),))),
        ("1d5-3 floor 0", Sum((HalfDie(),), -3, 0)),
        ("5+d6-2", Sum((D6,), 3)),
        ("-d4", Sum((), minus=(Die(4),))),
        ("(d8, d6)", Each((D8, D6))),
        ("(d8,d8)kh1", Keep(Each((D8, D8)), Which.HIGHEST, 1)),
        ("(d8, d8)kl1+2", Sum((Keep(Each((D8, D8)), Which.LOWEST, 1),), 2)),
        ("0B", Pool(Shaded())),
    ],
)
def test_plain_notation_is_read(text, expression):
    assert parse(text) == expression


@pytest.mark.slow
@given(expressions)
def test_notation_goes_out_and_comes_back(expression):
    assert parse(expression.notation) == expression


@pytest.mark.slow
@given(expressions)
def test_expressions_go_to_json_and_come_back(expression):
    encoded = msgspec.json.encode(expression)
    decoded = msgspec.json.decode(encoded, type=AnyExpression)
    assert decoded == expression
    assert hash(decoded) == hash(expression)


@pytest.mark.parametrize(
    "json",
    [
        b'{"kind":"die","sides":7}',
        b'{"kind":"pool","dice":{"black":-1}}',
        b'{"kind":"pool","dice":{"black":1001}}',
        b'{"kind":"dagger"}',
    ],
)
def test_json_that_is_no_dice_is_refused(json):
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(json, type=AnyExpression)


@pytest.mark.parametrize(
    ("text", "position", "expected"),
    [
        ("", 1, "a die, as in d6"),
        ("2d7", 3, "one of d4"),
        ("d", 2, "one of d4"),
        ("d100!", 5, "the end"),
        ("3d10+", 6, "a die"),
        ("3d10++5", 6, "a die"),
        ("5B+", 4, "dice of a shade"),
        ("5B+3", 5, "dice of a shade"),
        ("5B+d6", 4, "dice of a shade"),
        ("5B shut", 4, "the end"),
        ("5B: traitors", 4, "'successes' or 'with ones'"),
        ("5B open on ones: with ones", 16, "not open-ended on ones"),
        ("1001B", 1, "at most 1000 dice"),
        ("600B+600G", 1, "at most 1000 dice"),
        ("99999999999999999999B", 1, "at most 1000 dice"),
        ("101d6", 1, "1 to 100 dice"),
        ("60d6+60d6", 1, "1 to 100 dice"),
        ("0d6", 1, "1 to 100 dice"),
        ("7", 1, "a die"),
        ("(d8, d6", 8, "',' or '\\)'"),
        ("(d8, 2B)", 6, "a die"),
        ("(d8, d6)kh", 11, "kh or kl and a number"),
        ("(d8, d6)kh3", 1, "1 to 2 of 2 dice"),
        ("d6+(d8, d6)", 12, "kh or kl"),
        ("d6 floor", 9, "a whole number"),
        ("d6 and d8", 4, "the end"),
    ],
)
def test_mistakes_are_named_with_their_position(text, position, expected):
    with pytest.raises(BadInput, match=f"at position {position}: found .*expected.*{expected}"):
        parse(text)


def test_very_long_texts_are_refused_at_once():
    with pytest.raises(BadInput, match="at most 1000 characters"):
        parse("d6+" * 1000)


@given(st.text(alphabet="0123456789dBGWkhl+-!(), open:floorsuc", max_size=20))
def test_any_text_is_read_or_refused_in_one_line(text):
    try:
        expression = parse(text)
    except BadInput as refused:
        lines = str(refused).splitlines()
    else:
        lines = [expression.notation]
        assert parse(expression.notation) == expression
    assert len(lines) == 1
