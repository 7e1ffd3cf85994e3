"""Sustained spells: Will set aside, may-nots, concentration, and Tax that comes again."""

from __future__ import annotations

from typing import Any

import pytest

from astragal.errors import BadInput, NotAllowed
from games.burning_wheel.playing import a_test, play, table
from games.burning_wheel.spellcasting import (
    LIGHT,
    SUSTAINED,
    at_table,
    cast,
    han,
    keeping,
    wizard,
)

HOUR = 3600
WARD = {"name": "Ward", "obstacle": 3}
VEIL = {"name": "Veil", "obstacle": 2}
BLADE = {"name": "Turn Aside the Blade", "obstacle": 4}


def kept(at: Any) -> list[str]:
    return [spell.name for spell in han(at).sustained]


def keep(at: Any, rolls: Any, event: str = "hurt", **more: Any) -> Any:
    return play("keep_spells", {"character": "han", "event": event}, at, rolls=rolls, **more)


# --- The Will die --------------------------------------------------------------------------


@pytest.mark.rules("sorcery.sustain.will_die", "sorcery.amb.sustain_die_typo")
def test_one_will_die_is_set_aside():
    raised = cast(at_table(SUSTAINED, LIGHT), "Ward", [3, 3])
    assert raised.outcome.effect.sustained
    assert "Han sustains Ward (Will: 4D left)." in raised.told
    assert a_test(raised.table, "Will", 1, [1]).outcome.dice.total == 4
    again = cast(raised.table, "Glow", [3, 3])
    assert again.outcome.dice.total == 9
    assert a_test(raised.table, "Perception", 1, [1]).outcome.dice.total == 4


@pytest.mark.rules("sorcery.sustain.only_if_listed")
def test_only_a_sustained_spell_is_kept_up():
    assert not cast(at_table(LIGHT), "Glow", [3, 3]).outcome.effect.sustained
    timed = cast(at_table({**LIGHT, "duration": "hours"}), "Glow", [3, 3]).table
    assert a_test(timed, "Will", 1, [1]).outcome.dice.total == 5
    with pytest.raises(NotAllowed, match="Han sustains no spell") as refused:
        play("drop_spell", {"character": "han", "spell": "Glow"}, timed)
    assert refused.value.rule == "sorcery.sustain.only_if_listed"


@pytest.mark.rules("sorcery.sustain.limit")
def test_the_same_spell_is_not_sustained_twice():
    at = cast(at_table(SUSTAINED), "Ward", [3, 3]).table
    with pytest.raises(NotAllowed, match="already sustaining"):
        cast(at, "Ward", [3, 3])


@pytest.mark.rules("sorcery.sustain.drop_action", "sorcery.shield.voluntary_drop")
def test_dropping_a_spell_takes_one_action_and_nothing_else():
    shield = {"name": "Eldritch Shield", "obstacle": 3, "does": "shield", "effect": 3}
    at = keeping(shield, WARD)
    played = play("drop_spell", {"character": "han", "spell": "eldritch shield"}, at, rolls=[])
    assert (played.outcome.actions, played.outcome.sustained) == (1, ("Ward",))
    assert a_test(played.table, "Will", 1, [1]).outcome.dice.total == 4


# --- May and may not -----------------------------------------------------------------------


@pytest.mark.rules("sorcery.sustain.may")
def test_ordinary_activity_is_no_risk():
    at = keeping(WARD)
    played = keep(at, [], "ordinary_activity")
    assert played.outcome.tests == ()
    assert kept(a_test(at, "Power", 2, [0]).table) == ["Ward"]
    assert han(cast(at, "Glow", [3, 3]).table).distractions == ()


@pytest.mark.rules("sorcery.sustain.may_not")
@pytest.mark.parametrize(
    "event",
    [
        "failed_steel",
        "hurt",
        "fell_hard",
        "failed_tax",
        "shield_destroyed",
        "asleep",
        "unconscious",
    ],
)
def test_what_threatens_every_spell(event: str):
    assert keep(keeping(WARD, VEIL), [3, 2], event).outcome.lost == ()


@pytest.mark.rules("sorcery.sustain.may_not")
@pytest.mark.parametrize("event", ["blinded", "restrained", "hit_in_the_mouth", "laughed_at", ""])
def test_what_does_not(event: str):
    with pytest.raises(BadInput, match="one of failed_steel"):
        keep(keeping(WARD), [], event)


@pytest.mark.rules("sorcery.sustain.may_not", "sorcery.amb.may_not_hurt")
def test_a_wound_calls_for_will_tests_and_a_scratch_does_not():
    at = keeping(WARD, attributes={"Health": "B6"}, stats={"Will": "B5"})
    hurt = play("take_wound", {"character": "han", "at": "B3"}, at, rolls=[])
    assert "Han must test Will to keep up 1 spell." in hurt.told
    assert han(hurt.table).distractions == ("hurt",)
    scratch = play("take_wound", {"character": "han", "at": "B2"}, at, rolls=[])
    assert han(scratch.table).distractions == ()


@pytest.mark.rules("sorcery.sustain.may_not")
def test_a_failed_steel_test_calls_for_will_tests():
    at = keeping(WARD)
    fright = {"character": "han", "cause": "fear", "source": "a ghost"}
    failed = play("steel_test", fright, at, rolls=[4])  # hesitation 5
    assert han(failed.table).distractions == ("failed_steel",)
    passed = play("steel_test", fright, at, rolls=[5])
    assert han(passed.table).distractions == ()


@pytest.mark.rules("sorcery.sustain.may_not")
def test_what_is_due_comes_before_anything_else():
    at = keeping(WARD, distractions=["hurt"])
    casting = cast(at, "Glow", [2, 3, 3])
    assert casting.rolls[0].label == "Han, Will"
    assert casting.outcome.dice.total == 10  # Ward was lost first
    assert han(casting.table).distractions == ()
    waiting = play("let_time_pass", {"time": "1 minute"}, at, rolls=[3])
    assert kept(waiting.table) == ["Ward"]
    noted = play("keep_spells", {"character": "han"}, at, rolls=[3])
    assert noted.outcome.tests[0].kept


# --- Concentration -------------------------------------------------------------------------


@pytest.mark.rules("sorcery.sustain.concentration_test")
@pytest.mark.parametrize(("successes", "left"), [(3, ["Ward"]), (2, [])])
def test_will_against_the_spells_own_obstacle(successes: int, left: list[str]):
    played = keep(keeping(WARD), [successes])
    (test,) = played.outcome.tests
    assert (test.dice, test.obstacle) == (4, 3)
    assert kept(played.table) == left


@pytest.mark.rules("sorcery.sustain.test_order", "sorcery.sustain.dice_available")
def test_the_oldest_first_with_the_dice_that_are_left():
    played = keep(keeping(WARD, VEIL), [3, 2])
    assert [(test.spell, test.dice) for test in played.outcome.tests] == [("Ward", 3), ("Veil", 3)]


@pytest.mark.rules("sorcery.amb.freed_die_during_tests")
def test_the_die_of_a_lost_spell_is_there_for_the_next_test():
    played = keep(keeping(WARD, VEIL), [0, 2])
    assert [test.dice for test in played.outcome.tests] == [3, 4]
    assert kept(played.table) == ["Veil"]


@pytest.mark.rules("sorcery.sustain.drop_no_backlash")
def test_losing_a_spell_costs_nothing_else():
    played = keep(keeping(WARD), [0])
    assert [roll.label for roll in played.rolls] == ["Han, Will"]
    assert han(played.table).forte_tax == ()


@pytest.mark.rules("sorcery.amb.may_not_unconscious")
@pytest.mark.parametrize("event", ["asleep", "unconscious"])
def test_sleep_ends_all_spells_where_the_group_reads_it_so(event: str):
    option = "sorcery_spells_of_the_unconscious"
    tested = keep(keeping(WARD, VEIL, options={option: "will_tests"}), [3, 2], event)
    assert kept(tested.table) == ["Ward", "Veil"]
    ended = keep(keeping(WARD, VEIL, options={option: "all_dropped"}), [], event)
    assert ended.outcome.lost == ("Ward", "Veil")
    awake = keep(keeping(WARD, options={option: "all_dropped"}), [3], "hurt")
    assert kept(awake.table) == ["Ward"]


@pytest.mark.rules("sorcery.amb.may_not_unconscious")
def test_a_wound_that_fells_is_more_than_a_wound():
    options = {"sorcery_spells_of_the_unconscious": "all_dropped"}
    at = keeping(WARD, wounds=["Severe", "Midi"], distractions=["hurt"], options=options)
    fallen = play("let_time_pass", {"time": "1 minute"}, at, rolls=[])
    assert kept(fallen.table) == []


@pytest.mark.rules("sorcery.sustain.may_not")
def test_the_dead_sustain_nothing_and_recover_nothing():
    at = keeping(WARD, dead=True, forte_tax=[{"seconds": HOUR}], distractions=["hurt"])
    later = play("let_time_pass", {"time": "50 years"}, at, rolls=[])
    assert kept(later.table) == []


def test_a_spell_written_onto_a_sheet_late_is_taxed_once_not_for_all_the_time_before():
    scene = {"calendar": {"day": 900}}
    active = [{**WARD, "lasts": "Sustained"}]
    at = table(scene, han={**wizard(LIGHT), "active_spells": active})
    assert len(play("let_time_pass", {"time": "1 minute"}, at, rolls=[3]).rolls) == 1


# --- Advancement ---------------------------------------------------------------------------


@pytest.mark.rules("sorcery.advance.will_from_concentration", "sorcery.advance.actual_dice")
@pytest.mark.parametrize("successes", [4, 0])
def test_concentration_counts_for_will_by_the_dice_rolled(successes: int):
    changed = keep(keeping(BLADE), [successes]).changed
    assert changed["han.stats.Will.log.difficult"] == 1  # 4D against Ob 4


@pytest.mark.rules("sorcery.advance.log_hardest_only")
def test_of_several_only_the_hardest_is_logged():
    changed = keep(keeping(WARD, VEIL, BLADE), [0, 2, 0]).changed
    logged = {path: n for path, n in changed.items() if path.startswith("han.stats.Will.log")}
    assert logged == {"han.stats.Will.log.challenging": 1}  # 2D against Ob 3
    assert "scene.series" in changed  # opened for this event, and closed again


@pytest.mark.rules("sorcery.advance.log_hardest_only")
def test_in_a_conflict_the_series_of_the_conflict_keeps_it():
    at = keeping(WARD, VEIL)
    at = play("begin_series", {"title": "The fight", "characters": ["han"]}, at).table
    played = keep(at, [3, 2])
    assert "han.stats.Will.log.routine" not in played.changed
    ended = play("end_series", {"title": "The fight"}, played.table).changed
    assert sum(n for path, n in ended.items() if ".Will.log" in path) == 1


# --- Tax and sustaining --------------------------------------------------------------------


@pytest.mark.rules("sorcery.sustain.own_tax_exempt")
def test_the_spell_that_is_raised_is_not_in_danger_from_its_own_tax():
    alone = cast(at_table(SUSTAINED), "Ward", [3, 2, 1])
    assert kept(alone.table) == ["Ward"]
    assert [roll.label for roll in alone.rolls] == ["Han, Sorcery", "Han, Forte", "Han, Health"]
    beside = at_table(
        {**SUSTAINED, "name": "Aegis"}, active_spells=[{**VEIL, "lasts": "Sustained"}]
    )
    played = cast(beside, "Aegis", [3, 2, 0, 1])
    assert [roll.label for roll in played.rolls] == [
        "Han, Sorcery",
        "Han, Forte",
        "Han, Will",
        "Han, Health",
    ]
    assert kept(played.table) == ["Aegis"]


@pytest.mark.rules("sorcery.amb.tax_on_failed_cast")
def test_a_caster_felled_by_tax_gets_the_effect_but_sustains_nothing():
    at = at_table({**SUSTAINED, "impetus": "Destroy"}, stats={"Forte": "B3"})
    felled = cast(at, "Ward", [3, 0, [3], 0, 1, 1, 1], targets=["foe"])
    assert not felled.outcome.awake
    assert felled.outcome.effect.hits[0].affected
    assert kept(felled.table) == []


@pytest.mark.rules("sorcery.sustain.retax_interval", "sorcery.sustain.retax_obstacle")
def test_tax_comes_again_every_forte_less_obstacle_hours():
    at = keeping(BLADE)
    quiet = play("let_time_pass", {"time": "119 minutes"}, at, rolls=[])
    assert quiet.rolls == []
    due = play("let_time_pass", {"time": "2 hours"}, at, rolls=[4])
    assert due.rolls[0].label == "Han, Forte"
    assert "against Ob 4" in due.told
    twice = play("let_time_pass", {"time": "4 hours"}, at, rolls=[4, 4])
    assert len(twice.rolls) == 2
    assert kept(twice.table) == ["Turn Aside the Blade"]


@pytest.mark.rules("sorcery.sustain.retax_interval", "sorcery.sustain.will_die")
def test_the_hours_of_a_spell_are_counted_from_its_casting():
    """Forte 6 less Ob 3 are three hours, whatever the hour of the day was."""
    later = play("let_time_pass", {"time": "10 hours"}, at_table(SUSTAINED)).table
    raised = cast(later, "Ward", [3, 3]).table
    assert play("let_time_pass", {"time": "179 minutes"}, raised, rolls=[]).rolls == []
    assert len(play("let_time_pass", {"time": "3 hours"}, raised, rolls=[3]).rolls) == 1


@pytest.mark.rules("sorcery.sustain.retax_is_may_not")
def test_failing_it_threatens_every_spell_this_one_too():
    at = keeping(VEIL, BLADE)
    # After 2 hours: Tax fails by 1, then Will for both, then Health.
    played = play("let_time_pass", {"time": "2 hours"}, at, rolls=[3, 0, 4, 2])
    labels = [roll.label for roll in played.rolls]
    assert labels == ["Han, Forte", "Han, Will", "Han, Will", "Han, Health"]
    assert kept(played.table) == ["Turn Aside the Blade"]
    assert han(played.table).forte_left == 5


@pytest.mark.rules("sorcery.amb.retax_current_forte")
def test_the_interval_follows_the_forte_that_tax_has_left():
    at = keeping(BLADE, forte_tax=[{"seconds": 100 * HOUR}])
    assert play("let_time_pass", {"time": "59 minutes"}, at, rolls=[]).rolls == []
    assert len(play("let_time_pass", {"time": "1 hour"}, at, rolls=[4]).rolls) == 1
    wounded = keeping(BLADE, wounds=["Light"])
    assert play("let_time_pass", {"time": "119 minutes"}, wounded, rolls=[]).rolls == []


@pytest.mark.rules("sorcery.sustain.retax_impossible")
def test_where_forte_is_too_low_nothing_is_sustained():
    at = at_table({**SUSTAINED, "obstacle": 6})
    played = cast(at, "Ward", [6, 6])
    assert played.outcome.passed
    assert not played.outcome.effect.sustained
    assert "Forte is too low" in played.told
    lower = keeping({"name": "Aegis", "obstacle": 5})
    failing = cast(lower, "Glow", [3, 2, 1])  # one die of Forte lost: 5 less 5 is nothing
    assert kept(failing.table) == []
    assert "Han, Will" not in [roll.label for roll in failing.rolls]


@pytest.mark.rules("sorcery.sustain.limit")
def test_a_sheet_cannot_sustain_more_than_will_allows():
    with pytest.raises(BadInput, match="at most 1 with Will 2"):
        keeping(WARD, VEIL, stats={"Will": "B2"})


def test_no_dice_of_will_left_is_no_success():
    at = keeping(WARD, {"name": "Veil", "obstacle": 1}, stats={"Will": "B3"}, wounds=["Light"])
    played = keep(at, [1])
    assert [(t.dice, t.successes, t.kept) for t in played.outcome.tests] == [
        (0, 0, False),
        (1, 1, True),
    ]


def test_sustaining_is_refused_for_somebody_who_sustains_nothing():
    with pytest.raises(NotAllowed, match="Han sustains no spell"):
        keep(at_table(LIGHT), [])
    assert table(han=wizard()).character("han").sustained == ()
