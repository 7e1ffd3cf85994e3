"""The odds of a casting with its Tax, beside a count of every way the dice can fall."""

from __future__ import annotations

import random
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

import pytest

from astragal.errors import BadInput
from astragal.games.burning_wheel import GAME
from astragal.odds import odds, plain
from astragal.odds.chances import success

FAILS = {"B": 3, "G": 2, "W": 1}
"""How many of six faces are no success, by shade."""


@cache
def casts(black: int, shaded: int, shade: str, obstacle: int) -> Fraction:
    """The chance that dice reach an obstacle: die by die, a six bringing one die more."""
    if obstacle <= 0:
        return Fraction(1)
    if not black and not shaded:
        return Fraction(0)
    kind, left = ("B", (black - 1, shaded)) if black else (shade, (black, shaded - 1))
    whole = Fraction(0)
    for face in range(1, 7):
        if face == 6:  # a success, and the die is rolled again: it is as if it were still there
            whole += _after_six(black, shaded, shade, obstacle) / 6
        else:
            hit = face > FAILS[kind]
            whole += casts(*left, shade, obstacle - hit) / 6
    return whole


def _after_six(black: int, shaded: int, shade: str, obstacle: int) -> Fraction:
    return casts(black, shaded, shade, obstacle - 1)


@cache
def stays_up(dice: int, obstacle: int, forte: int) -> Fraction:
    """The chance that Tax leaves some Forte: every way in which the dice can fall."""
    if dice <= 0:
        return Fraction(int(obstacle < forte))
    falls = list(product((0, 1), repeat=dice))
    good = sum(max(0, obstacle - sum(fall)) < forte for fall in falls)
    return Fraction(good, len(falls))


def cases() -> list[dict[str, Any]]:
    fortune = random.Random("spells")
    found: list[dict[str, Any]] = []
    while len(found) < 200:
        case: dict[str, Any] = {
            "sorcery": fortune.randint(1, 7),
            "will": fortune.randint(2, 7),
            "forte": fortune.randint(2, 7),
            "ob": fortune.randint(1, 6),
            "shade": fortune.choice("BBG"),
            "wider": fortune.choice((0, 0, 1, 3)),
            "disadvantages": fortune.choice((0, 0, 1)),
        }
        case["taxed"] = fortune.choice((0, 0, 1, min(2, case["forte"] - 1)))
        case["sustained"] = fortune.randint(0, min(3, case["will"] - 2))
        method = fortune.choice(("normally", "carefully", "patiently", "hastily"))
        most = {
            "normally": 0,
            "carefully": min(case["ob"], case["sorcery"]),
            "patiently": min(case["ob"], case["forte"]),
            "hastily": 5,
        }[method]
        case |= {"method": method, "steps": fortune.randint(1, most) if most else 0}
        case["actions"] = 10
        found.append(case)
    return found


def by_hand(case: dict[str, Any]) -> tuple[Fraction, Fraction]:
    """The chance to cast, and to cast and stay up, from the rules as they are written."""
    steps, method = case["steps"], case["method"]
    careful = steps if method == "carefully" else 0
    patient = steps if method == "patiently" else 0
    hasty = steps if method == "hastily" else 0
    free = case["will"] - case["sustained"]
    ob = case["ob"] + case["wider"] + case["disadvantages"] + hasty
    # Sorcery and its careful dice have its shade, Will is black.
    cast = casts(free, case["sorcery"] + careful, case["shade"], ob)
    forte = case["forte"] - case["taxed"]
    up = stays_up(forte + patient, case["ob"] + max(0, hasty - 1), forte)
    return cast, cast * up


@pytest.mark.parametrize("case", cases(), ids=lambda case: "-".join(map(str, case.values())))
def test_cast_and_stay_up_is_what_counting_every_fall_of_the_dice_gives(case: dict[str, Any]):
    assert success(plain("burning_wheel", **case)) == by_hand(case)[1]


def test_there_are_chances_of_every_kind_among_them():
    chances = [by_hand(case) for case in cases()]
    assert len(chances) == 200
    assert sum(both < cast for cast, both in chances) > 80
    assert sum(0 < both < 1 for _, both in chances) > 120
    assert any(not both for _, both in chances)


def test_the_odds_show_dice_and_tax_and_read_the_whole_casting():
    found = odds(plain("burning_wheel", sorcery=5, will=5, forte=3, ob=4))
    assert found.exact_chance == casts(10, 0, "B", 4) / 2
    assert found.reasons == {
        "dice": "10 = 5 Sorcery + 5 Will",
        "obstacle": "4 = 4 The spell",
        "tax dice": "3 = 3 Forte",
        "tax obstacle": "4 = 4 The spell",
    }
    assert found.hope == "chance to cast it and stay on one's feet"
    assert {row.good for row in found.rows if row.number == 4} == {True, False}


def test_from_a_sheet_and_by_the_whole_procedure():
    raw = {
        "name": "Han",
        "stats": {"Will": "B3", "Forte": "B3"},
        "attributes": {"Health": "B4"},
        "skills": {"Sorcery": "B2"},
        "traits": ["Gifted"],
        "idiom": "gesture",
        "spells": [{"name": "Mist", "obstacle": 4}],
    }
    sheets = {"han": GAME.read_sheet(raw, "han")}
    trial = plain("burning_wheel", sheets=sheets, spell="Mist")
    assert trial.title == "Han casts Mist, with Tax"
    assert success(trial) == casts(5, 0, "B", 4) / 2


@pytest.mark.parametrize(
    ("numbers", "place"),
    [
        ({"sorcery": 5, "will": 5, "forte": 6}, "ob"),
        ({"sorcery": 11, "will": 5, "forte": 6, "ob": 3}, "sorcery"),
        ({"sorcery": 5, "will": 5, "forte": 6, "ob": 3, "method": "boldly"}, "method"),
        ({"sorcery": 5, "will": 5, "forte": 6, "ob": 3, "dice": 4}, "dice"),
        ({"sorcery": 5, "will": 5, "forte": 6, "ob": 3, "spell": "Mist"}, "spell"),
        ({"sorcery": 5, "will": 5, "forte": 6, "ob": 3, "boon": 4}, "boon"),
        ({"sheets": {}, "spell": ""}, "sorcery"),
    ],
)
def test_numbers_that_cannot_be_are_refused(numbers: dict[str, Any], place: str):
    with pytest.raises(BadInput) as refused:
        plain("burning_wheel", **numbers)
    assert refused.value.place == place


def test_persona_adds_dice_to_the_casting():
    numbers = {"sorcery": 2, "will": 2, "forte": 6, "ob": 3}
    assert success(plain("burning_wheel", **numbers, boon=2)) == casts(6, 0, "B", 3)
