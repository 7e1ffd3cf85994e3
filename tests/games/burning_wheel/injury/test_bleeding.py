"""Clocks that run with the calendar: bleeding, and all that waits for its moment."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from astragal.games.burning_wheel.injury.bleeding import bleeding_time
from astragal.games.burning_wheel.sheet.parts import WoundLevel
from astragal.rules import Options
from games.burning_wheel.hurting import STATS, body, hit, man, staunch, tend, the_man, wait
from games.burning_wheel.playing import sheet, table

PLAIN = Options.of("burning_wheel", {})
HOUR = 3600


def levels(at: Any) -> list[str]:
    return [wound.level.value for wound in the_man(at).wounds]


def bled(level: str, hours: float, at: Any = None, **more: Any) -> list[str]:
    """What a wound of the man has become after so many hours."""
    start = at if at is not None else man(wounds=[level], **more)
    return levels(wait(start, f"{round(hours * 60)} minutes").table)


# --- One wound -----------------------------------------------------------------------------


@pytest.mark.rules("injury.bleed.midi")
def test_a_midi_wound_is_severe_after_twice_forte_hours():
    assert bled("Midi", 7.9) == ["Midi"]
    assert bled("Midi", 8) == ["Severe"]


@pytest.mark.rules("injury.bleed.midi_stops")
def test_and_bleeds_no_further():
    assert bled("Midi", 8 + 1000) == ["Severe"]
    assert body(wait(man(wounds=["Midi"]), "9 hours").table).dice == -3


@pytest.mark.rules("injury.bleed.severe")
def test_a_severe_wound_is_traumatic_after_forte_hours():
    assert bled("Severe", 3.9) == ["Severe"]
    assert bled("Severe", 4) == ["Traumatic"]


@pytest.mark.rules("injury.bleed.traumatic")
@pytest.mark.parametrize(("forte", "hours"), [("B4", 2), ("B5", 2.5), ("B3", 1.5)])
def test_a_traumatic_wound_is_mortal_after_half_of_forte_hours(forte: str, hours: float):
    stats = {**STATS, "Forte": forte}
    assert bled("Traumatic", hours - 0.1, stats=stats) == ["Traumatic"]
    assert bled("Traumatic", hours, stats=stats) == ["Mortal"]


@pytest.mark.rules("injury.bleed.mortal")
def test_a_mortal_wound_kills_after_health_minutes():
    at = man(wounds=["Mortal"])
    alive = wait(at, "4 minutes").table
    assert not the_man(alive).dead
    assert the_man(wait(alive, "1 minute").table).dead
    assert "not treated" in wait(at, "5 minutes").told


@pytest.mark.rules("injury.bleed.superficial_light_none")
def test_superficial_and_light_wounds_do_not_bleed():
    at = wait(man(wounds=["Superficial", "Light"]), "10 days").table
    assert levels(at) == ["Superficial", "Light"]
    assert [wound.bled for wound in the_man(at).wounds] == [0, 0]


@pytest.mark.rules("injury.bleed.unmodified_forte")
def test_wounds_do_not_shorten_their_own_time():
    at = man(stats={**STATS, "Forte": "B6"}, wounds=["Severe", "Light", "Light"])
    assert levels(wait(at, "5 hours").table)[0] == "Severe"
    assert levels(wait(at, "6 hours").table)[0] == "Traumatic"


@pytest.mark.rules("injury.bleed.clock_start")
def test_the_clock_starts_with_the_wound():
    later = hit(wait(man(), "100 hours").table, "Severe")
    assert levels(wait(later, "3 hours").table) == ["Severe"]
    assert levels(wait(later, "4 hours").table) == ["Traumatic"]
    # in whatever pieces the time passes
    pieces = later
    for _ in range(4):
        assert levels(pieces) == ["Severe"]
        pieces = wait(pieces, "1 hour").table
    assert levels(pieces) == ["Traumatic"]


@pytest.mark.rules("injury.bleed.progress_replaces_penalty")
def test_a_wound_that_worsens_is_still_one_wound():
    at = wait(man(stats={**STATS, "Will": "B8"}, wounds=["Severe"]), "4 hours").table
    assert levels(at) == ["Traumatic"]
    assert body(at).dice == -4


@pytest.mark.rules("injury.bleed.to_mortal", "injury.zero.bleeding_goes_on")
def test_the_felled_bleed_to_death():
    """Severe, Traumatic after 4 hours, Mortal after 2 more, dead after 5 minutes."""
    at = man(stats={**STATS, "Power": "B3"}, wounds=["Severe"], artha={"persona": 1})
    assert body(at).condition == "helpless"
    down = wait(at, "6 hours", {"will_to_live": "live"})
    assert down.seats["will_to_live"] == "man"  # as if by a blow
    assert body(down.table).condition == "dying"
    assert the_man(down.table).artha.persona == 0
    assert the_man(wait(down.table, "5 minutes").table).dead
    assert the_man(wait(at, "6 hours and 5 minutes").table).dead  # in one go as well


# --- Several -------------------------------------------------------------------------------


@pytest.mark.rules("injury.bleed.cumulative")
@pytest.mark.parametrize(("count", "minutes"), [(1, 240), (2, 120), (3, 80), (4, 60)])
def test_equal_wounds_bleed_as_many_times_as_fast(count: int, minutes: int):
    at = table(man={"stats": {"Forte": "B4"}, "wounds": ["Severe"] * count})
    assert levels(wait(at, f"{minutes - 1} minutes").table) == ["Severe"] * count
    assert levels(wait(at, f"{minutes} minutes").table) == ["Traumatic"] * count


def test_wounds_of_different_levels_have_clocks_of_their_own():
    """injury.amb.bleeding_mixed_wounds: Traumatic after 2 hours, beside a Midi of 8."""
    at = table(man={"stats": {"Forte": "B4"}, "wounds": ["Midi", "Severe"]})
    assert levels(wait(at, "4 hours").table) == ["Midi", "Traumatic"]
    assert levels(wait(at, "6 hours").table) == ["Midi", "Mortal"]
    assert levels(wait(at, "8 hours").table) == ["Severe", "Mortal"]


def test_a_clock_slows_down_when_another_wound_is_tended():
    """Two hours of two wounds would make both Traumatic; one hour leaves two more for one."""
    at = table(
        man={"stats": {"Forte": "B4"}, "wounds": ["Severe", "Severe"]},
        healer={"skills": {"Surgery": "B7"}},
    )
    tended = tend(wait(at, "1 hour").table, 4).table
    later = wait(tended, "119 minutes").table
    assert levels(later) == ["Severe", "Severe"]
    assert levels(wait(later, "1 minute").table) == ["Severe", "Traumatic"]


# --- Shades --------------------------------------------------------------------------------


@pytest.mark.parametrize(("shade", "times"), [("B", 1), ("G", 2), ("W", 3)])
def test_a_lighter_forte_lengthens_every_time(shade: str, times: int):
    he = sheet(stats={"Forte": f"{shade}3"}, attributes={"Health": "B4"})
    expected = {
        WoundLevel.MIDI: 6 * HOUR,
        WoundLevel.SEVERE: 3 * HOUR,
        WoundLevel.TRAUMATIC: 3 * HOUR // 2,
        WoundLevel.MORTAL: 4 * 60,
    }
    for level, seconds in expected.items():
        assert bleeding_time(level, he, PLAIN) == seconds * times
    for choice, factor in (("multiplied", times), ("not_multiplied", 1)):
        options = Options.of("burning_wheel", {"injury_forte_shade_and_mortal": choice})
        assert bleeding_time(WoundLevel.MORTAL, he, options) == 240 * factor
        assert bleeding_time(WoundLevel.SEVERE, he, options) == 3 * HOUR * times
    assert bleeding_time(WoundLevel.LIGHT, he, PLAIN) is None
    assert bleeding_time(WoundLevel.SEVERE, sheet(), PLAIN) is None  # the GM minds that clock


# --- Held ----------------------------------------------------------------------------------


def test_a_clock_stops_while_a_healer_is_at_work_and_runs_on_where_it_stood():
    """injury.amb.treatment_begun: Surgery Ob 4 takes 80 minutes; 2 of 4 hours had gone by."""
    failed = tend(wait(man(wounds=["Severe"]), "2 hours").table, 0)
    assert failed.outcome.seconds == 80 * 60
    later = wait(failed.table, "80 minutes").table
    assert levels(wait(later, "119 minutes").table) == ["Severe"]
    assert levels(wait(later, "120 minutes").table) == ["Traumatic"]


def test_that_holds_for_what_was_staunched_before_as_well():
    """Staunched for 5 hours and 15 minutes; then 2 of 4 hours; then 80 minutes of a healer."""
    at = wait(staunch(man(wounds=["Severe"]), 3).table, "5 hours and 15 minutes").table
    failed = tend(wait(at, "2 hours").table, 0).table
    later = wait(failed, "80 minutes").table
    assert levels(wait(later, "119 minutes").table) == ["Severe"]
    assert levels(wait(later, "120 minutes").table) == ["Traumatic"]


@pytest.mark.rules("injury.bleed.cumulative")
def test_a_staunched_wound_does_not_bleed_beside_another_of_its_level():
    """One of two Severe wounds is staunched: the other alone takes all of its four hours.

    The staunched one has lost nothing by then, so its own four hours are still before it.
    """
    at = staunch(man(wounds=["Severe", "Severe"]), 3).table
    assert levels(wait(at, "239 minutes").table) == ["Severe", "Severe"]
    later = wait(at, "4 hours").table
    assert levels(later) == ["Severe", "Traumatic"]
    assert the_man(later).wounds[0].bled == 0


def test_worse_pain_may_be_tested_again():
    for choice, rolls in (("no", ()), ("yes", [3])):
        options = {"injury_steel_when_bleeding_worsens": choice}
        stats = {**STATS, "Will": "B7"}
        at = table(
            options=options,
            man={"stats": stats, "attributes": {"Steel": "B5"}, "wounds": ["Midi"]},
        )
        worse = wait(at, "8 hours", rolls=rolls)
        assert levels(worse.table) == ["Severe"]
        assert len(worse.rolls) == len(rolls)


def test_time_in_pieces_is_the_same_as_time_in_one():
    at = man(stats={**STATS, "Forte": "B5"}, wounds=["Severe", "Midi", "Midi"])
    cuts = [0, 17, 60, 61, 150, 299, 300, 301, 360]
    pieces = at
    for one, other in pairwise(cuts):
        pieces = wait(pieces, f"{other - one} minutes").table
    assert the_man(pieces) == the_man(wait(at, "360 minutes").table)
    staunched = staunch(at, 3).table
    assert the_man(staunched).wounds[0].held == (15 + 5 * 60) * 60
