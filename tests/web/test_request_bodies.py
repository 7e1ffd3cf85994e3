"""What is wrong with a body of a request is said in one line, with its place."""

import pytest

from astragal.errors import BadInput
from astragal.table.commands.commands import AnyCommand
from astragal.web.request_bodies import parse_json


@pytest.mark.parametrize(
    ("sent", "place", "value", "expected"),
    [
        (b'{"do": "dance"}', "do", "dance", "one of the values that are known there"),
        (b'{"do": "title", "name": "x"}', "name", "name", "no field of that name"),
        (b'{"do": "hold", "procedure": "p1"}', "on", "nothing", "a value"),
        (b'{"do": "hold", "procedure": "p1", "on": 3}', "on", "int", "`bool`"),
        (b'{"do"', "body", "something else", None),
    ],
)
def test_what_is_wrong_has_its_place_its_value_and_what_was_expected(
    sent: bytes, place: str, value: str, expected: str | None
):
    with pytest.raises(BadInput) as refused:
        parse_json(sent, AnyCommand)
    assert (refused.value.place, refused.value.value) == (place, value)
    assert expected is None or refused.value.expected == expected
