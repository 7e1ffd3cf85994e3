"""Time passes, and Cores come back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from astragal.errors import BadInput
from astragal.games.cores.recovery import rested
from astragal.games.cores.sheet import Core
from games.cores.playing import play, table_of

WEEK = 168


def physical(table):
    return table.character("ann").core.physical


def hurt(**core):
    return table_of(ann={"core": {"physical": {"die": "d10", **core}}})


@pytest.mark.rules("cores.recovery.non_deadly", "cores.recovery.temporary")
@pytest.mark.parametrize(
    ("hours", "now"), [(0, "d0"), (1, "d4"), (2, "d6"), (3, "d8"), (4, "d10"), (400, "d10")]
)
def test_a_die_type_every_hour_up_to_its_own(hours: int, now: str):
    played = play(hurt(lowered=4), "time_passes", hours=hours)
    assert physical(played.table).now == now
    assert [r.after for r in played.outcome.recovered] == ([now] if hours else [])


@pytest.mark.rules("cores.recovery.deadly", "cores.recovery.temporary")
@pytest.mark.parametrize(
    ("time", "now"),
    [
        ({"hours": 4}, "d6"),
        ({"days": 6, "hours": 23}, "d6"),
        ({"weeks": 1}, "d8"),
        ({"days": 14}, "d10"),
        ({"years": 1}, "d10"),
    ],
)
def test_a_die_type_every_week_after_deadly_tests(time: dict[str, int], now: str):
    assert physical(play(hurt(lowered_deadly=2), "time_passes", **time).table).now == now


@pytest.mark.rules("cores.recovery.deadly")
def test_days_add_up_to_a_week():
    table = hurt(lowered_deadly=1)
    for day in range(7):
        assert physical(table).now == "d8", day
        table = play(table, "time_passes", days=1).table
    assert physical(table).now == "d10"
    assert physical(table).hours == 0


def test_other_steps_come_back_before_the_deadly_ones():
    """cores.amb.mixed_damage_recovery."""
    table = hurt(lowered=2, lowered_deadly=1)
    after = play(table, "time_passes", hours=2).table
    assert physical(after) == Core("d10", lowered_deadly=1)
    assert physical(play(after, "time_passes", hours=WEEK - 1).table).now == "d8"
    assert physical(play(after, "time_passes", weeks=1).table).now == "d10"
    assert physical(play(table, "time_passes", weeks=1).table) == Core(
        "d10", lowered_deadly=1, hours=WEEK - 2
    )


@pytest.mark.rules("cores.recovery.spared")
def test_who_was_spared_mends_after_years_if_the_gm_says_so():
    table = hurt(lasting=4)
    weeks = play(table, "time_passes", weeks=51)
    assert (physical(weeks.table).now, "mends" in weeks.keys) == ("d0", False)
    years = play(table, "time_passes", years=3)
    assert years.seat("mends") == "gm"
    assert physical(years.table).now == "d0"  # unless the GM says otherwise
    better = play(table, "time_passes", [], {"mends": True}, years=3)
    assert physical(better.table).now == "d4"
    # Hardly ever further: once more only if the GM says so again.
    stays = play(better.table, "time_passes", years=10)
    assert physical(stays.table).now == "d4"
    assert "against the odds" in next(a.prompt for a in stays.asked if a.key == "mends")
    # What is lost later to other tests comes back as ever.
    again = table_of(ann={"core": {"physical": {"die": "d10", "lasting": 3, "lowered": 1}}})
    assert physical(play(again, "time_passes", hours=1).table).now == "d4"


def test_every_core_of_everyone_recovers_but_the_dead():
    raw = {
        "core": {"physical": {"die": "d6", "lowered": 1}, "resolve": {"die": "d8", "lowered": 3}}
    }
    table = table_of(ann=raw, ben=raw | {"dead": True})
    played = play(table, "time_passes", hours=2)
    found = [(r.character, r.core.value, r.before, r.after) for r in played.outcome.recovered]
    assert found == [("ann", "physical", "d4", "d6"), ("ann", "resolve", "d0", "d6")]
    assert played.table.character("ben") == table.character("ben")


@pytest.mark.parametrize("field", ["hours", "days", "weeks", "years"])
def test_time_does_not_run_backwards(field: str):
    with pytest.raises(BadInput) as refusal:
        play(hurt(), "time_passes", **{field: -1})
    assert refusal.value.place == field


@pytest.mark.slow
@pytest.mark.rules("cores.recovery.temporary", "cores.recovery.non_deadly", "cores.recovery.deadly")
@given(
    st.integers(0, 2),
    st.integers(0, 2),
    st.lists(st.integers(0, 300), max_size=5),
)
def test_how_the_time_is_cut_up_does_not_matter(lowered: int, deadly: int, parts: list[int]):
    core = Core("d10", lowered=lowered, lowered_deadly=deadly)
    piecewise = core
    for hours in parts:
        piecewise = rested(piecewise, hours)
    whole = rested(core, sum(parts))
    assert piecewise == whole
    left = max(0, sum(parts) - lowered) // WEEK
    assert whole.lost == max(0, lowered - sum(parts)) + max(0, deadly - left)
