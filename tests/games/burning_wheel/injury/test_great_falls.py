"""Falls from great heights: what the die says, and the wound that follows."""

from __future__ import annotations

from typing import Any

import pytest

from astragal.errors import BadInput, NotAllowed
from astragal.games.burning_wheel.sheet.parts import Artha
from games.burning_wheel.playing import Played, play, table

STEPS = ["B3", "B5", "B7", "B8", "B9", "B10"]
"""Superficial, Light, Midi, Severe, Traumatic, Mortal."""

WOUNDS = {"superficial": 3, "light": 5, "midi": 7, "severe": 8, "traumatic": 9, "mortal": 10}


def falls(
    face: int, answers: dict[str, Any] | None = None, reading: str = "mortal", **sheet: Any
) -> Played:
    raw = {"player": "anna", "tolerances": STEPS, **sheet}
    at = table({}, {"die_of_fate_fall_wound": reading}, mara=raw)
    return play("fatal_fall", {"character": "mara", "height": "the spire"}, at, answers, [[face]])


def wounds(played: Played) -> list[tuple[str, str]]:
    return [(w.level.value.casefold(), str(w.at[0])) for w in played.table.character("mara").wounds]


@pytest.mark.rules("die_of_fate.fall.roll", "die_of_fate.fall.otherwise")
@pytest.mark.parametrize("reading", ["mortal", "traumatic", "severe"])
@pytest.mark.parametrize("face", range(2, 7))
def test_a_fall_wounds_as_the_table_reads_it(face: int, reading: str):
    played = falls(face, reading=reading)
    assert (played.outcome.spared, played.outcome.wound) == (False, reading)
    assert wounds(played) == [(reading, f"B{WOUNDS[reading]}")]
    assert "fall_wound" not in played.asked


@pytest.mark.rules("die_of_fate.fall.on_one")
def test_on_a_one_it_leaves_no_wound_or_one_that_is_not_mortal():
    assert (falls(1).outcome.spared, falls(1).outcome.wound, wounds(falls(1))) == (True, "", [])
    for wound, step in WOUNDS.items():
        if wound == "mortal":
            continue
        played = falls(1, {"fall_wound": wound})
        assert (played.outcome.spared, played.outcome.wound) == (True, wound)
        assert wounds(played) == [(wound, f"B{step}")]
    with pytest.raises(BadInput, match="fall_wound"):
        falls(1, {"fall_wound": "mortal"})


@pytest.mark.rules("die_of_fate.fall.otherwise")
def test_or_the_gm_grades_it_from_severe_to_mortal():
    for wound in ("severe", "traumatic", "mortal"):
        assert falls(2, {"fall_wound": wound}, "gm_each_time").outcome.wound == wound
    assert falls(2, {}, "gm_each_time").outcome.wound == "mortal"
    for wound in ("light", "midi", "unhurt"):
        with pytest.raises(BadInput, match="fall_wound"):
            falls(2, {"fall_wound": wound}, "gm_each_time")


@pytest.mark.rules("die_of_fate.fall.otherwise", "artha.will_to_live.required")
def test_the_will_to_live_applies_as_usual():
    played = falls(6, {"will_to_live": "live"}, artha={"persona": 1})
    mara = played.table.character("mara")
    assert (mara.artha, mara.wounds[0].will) == (Artha(), True)


def test_a_body_without_tolerances_is_given_some():
    played = falls(4, tolerances=None)
    assert played.seats["tolerances"] == "gm"
    assert [level for level, _ in wounds(played)] == ["mortal"]


def test_a_fall_that_a_test_could_prevent_is_first_that_test():
    with pytest.raises(NotAllowed, match="Roll the test"):
        falls(1, {"preventable": True})


def test_the_dead_do_not_fall():
    with pytest.raises(BadInput, match="Mara is dead"):
        falls(1, dead=True)
