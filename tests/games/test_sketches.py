"""One line, one character: what it says is on the sheet, and what it cannot mean is refused."""

from __future__ import annotations

import contextlib
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from astragal.errors import BadInput
from astragal.games import games
from astragal.play import GM, value_at


def sheet_of(game: str, line: str) -> Any:
    return games()[game].read_sheet(games()[game].sketch(line), "sketch")


SAID = [
    (
        "burning_wheel",
        "guard, 4s, will 5, sword B4, ugly truth g3, steel 5, armour leather",
        {
            "name": "Guard",
            "stats.Will.rating": "B5",
            "stats.Power.rating": "B4",
            "skills.Sword.rating": "B4",
            "skills.Ugly Truth.rating": "G3",
            "attributes.Steel.rating": "B5",
            "attributes.Health.rating": "B4",
            "attributes.Reflexes.rating": "B4",
            "attributes.Mortal Wound.rating": "B10",
            "tolerances.superficial": "B3",
            "tolerances.mortal": "B10",
            "armor/torso/type": "leather",
        },
    ),
    (
        "burning_wheel",
        "the captain's man 2, b6s, circles 3, shield heater, weapon superior sword, trait Loyal, "
        "gear rope, mortal wound 13",
        {
            "name": "The captain's man 2",
            "circles.rating": "B3",
            "shield.kind": "heater",
            "weapons.0.quality": "superior",
            "traits.0.name": "Loyal",
            "gear.0.name": "rope",
            "attributes.Mortal Wound.rating": "B13",
            "tolerances.light": "B7",
        },
    ),
    ("burning_wheel", "rat, speed 5", {"stats.Speed.rating": "B5", "tolerances": "None"}),
    (
        "cores",
        "coach, physical d8, others d6, rocks: Shouting, sucks: Patience (resolve), "
        "factoid: Owes money, angst Guilt 2",
        {
            "core.physical.die": "d8",
            "core.resolve.die": "d6",
            "rocks.Shouting.core": "Physical",
            "sucks.Patience.core": "Resolve",
            "factoids.0": "Owes money",
            "angst.Guilt": "2",
            "gmc": "True",
        },
    ),
    (
        "signs",
        "guard, skill d8, others d6, tag Spear d10",
        {"scores.Skill": "D8", "scores.Rune": "D6", "signs.Spear.die": "D10", "npc": "True"},
    ),
    ("signs", "guard, think d12", {"scores.Think": "D12", "scores.Skill": "None"}),
    (
        "percentile",
        "guard, 35s, WS 40, Dodge 30, Climb (Strength) +10, Swim (S) -20",
        {
            "characteristics.WS": "40",
            "characteristics.Ag": "30",
            "characteristics.Fel": "35",
            "skills.Dodge.characteristic": "Ag",
            "skills.Climb.training": "2",
            "skills.Swim.training": "0",
        },
    ),
]


@pytest.mark.parametrize(("game", "line", "expected"), SAID)
def test_what_a_line_says_is_on_the_sheet(game: str, line: str, expected: dict[str, str]):
    sheet = sheet_of(game, line)
    assert {path: str(value_at(sheet, path)) for path in expected} == expected
    assert sheet.seat("guard") == GM
    assert getattr(sheet, "npc", None) or getattr(sheet, "gmc", None)


MEANINGLESS = [
    ("burning_wheel", "", "", "a name first"),
    ("burning_wheel", "4s", "4s", "a name first"),
    ("burning_wheel", "guard, flies", "flies", "an ability with its exponent"),
    ("burning_wheel", "guard, 4s, 5s", "5s", "only once"),
    ("burning_wheel", "guard, sword 3, Sword B4", "Sword B4", "only once"),
    ("burning_wheel", "guard, sword B11", "sword B11", "from 1 to 10"),
    ("burning_wheel", "guard, 0s", "0s", "from 1 to 10"),
    ("burning_wheel", "guard, armour cheese", "cheese", "a type of armor"),
    ("burning_wheel", "guard, weapon glorp", "glorp", "one of"),
    ("burning_wheel", "guard, tolerances B9", "B9", "six steps, or one of"),
    ("cores", "coach, physical d8", "coach, physical d8", "mental and social and resolve too"),
    ("cores", "coach, others d7", "others d7", "one of d4"),
    ("cores", "coach, others d6, hat", "hat", "a Core with its die"),
    ("cores", "coach, others d6, all d8", "all d8", "only once"),
    ("signs", "guard, skill d7", "skill d7", "one of D4"),
    ("signs", "guard, spear d8", "spear d8", "a Tag"),
    ("signs", "guard, skill d6, skill d8", "skill d8", "only once"),
    ("percentile", "guard, 0s", "0s", "1 to 100"),
    ("percentile", "guard, 35s, Ag 40, Dodge 30", "Dodge 30", "Ag 40"),
    ("percentile", "guard, Climb 30", "Climb 30", "what governs"),
    ("percentile", "guard, Climb (X)", "Climb (X)", "in the brackets"),
    ("percentile", "guard, 30s, 40s", "40s", "only once"),
    ("percentile", "guard, 2d6+1", "2d6+1", "all characteristics"),
]


@pytest.mark.parametrize(("game", "line", "part", "expected"), MEANINGLESS)
def test_what_says_nothing_is_refused_by_name(game: str, line: str, part: str, expected: str):
    with pytest.raises(BadInput) as refused:
        games()[game].sketch(line)
    assert refused.value.value == part
    assert expected in refused.value.expected
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("game", games())
def test_a_line_beyond_all_reason_is_refused(game: str):
    with pytest.raises(BadInput, match="a name first"):
        games()[game].sketch("guard, " + "x" * 600)


WORDS = st.sampled_from(
    [
        "guard",
        "4s",
        "b5",
        "sword",
        "d8",
        "others",
        "rocks:",
        "tag",
        "(S)",
        "+10",
        "-20",
        "35s",
        "/",
        "armour",
        "weapon",
        "trait",
        "really",
        "angst",
        "none",
        "concept",
        ".",
        "0",
        "99",
        "W",
        "ß",
    ]
)
LINES = st.lists(st.lists(WORDS, min_size=1, max_size=4).map(" ".join), max_size=5).map(", ".join)


@pytest.mark.slow
@pytest.mark.parametrize("game", games())
@given(line=LINES | st.text(max_size=60))
def test_any_line_is_a_character_or_a_refusal(game: str, line: str):
    the_game = games()[game]
    try:
        sheet = the_game.sketch(line)
    except BadInput:
        return
    read = the_game.read_sheet(sheet, "sketch")
    assert the_game.page(read, "guard", the_game.table({"guard": read})).name == read.name


@pytest.mark.parametrize("game", games())
@pytest.mark.parametrize("part", ["a " * 240, "1 " * 240, "(" * 480, "rocks: " + "a " * 230])
def test_no_line_takes_long_to_refuse(game: str, part: str):
    began = time.process_time()
    with contextlib.suppress(BadInput):
        games()[game].sketch(f"guard, {part}")
    assert time.process_time() - began < 1
