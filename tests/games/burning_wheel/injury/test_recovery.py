"""Recovery: Health tests, times, dice that come back and dice that never do."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import msgspec
import pytest

from astragal.errors import BadInput, NotAllowed
from astragal.games.burning_wheel import GAME
from astragal.games.burning_wheel.injury.recovery import LASTING, Recover
from astragal.games.burning_wheel.sheet.parts import WoundLevel
from astragal.games.burning_wheel.sheet.sheet import dice_of
from astragal.play import defaults, exact
from games.burning_wheel.hurting import (
    STATS,
    body,
    hit,
    man,
    recover,
    tend,
    the_man,
    wait,
)
from games.burning_wheel.playing import play, table

HOUR, DAY, WEEK, MONTH = 3600, 86400, 7 * 86400, 30 * 86400


def treated(level: str, options: Any = None, **more: Any) -> Any:
    """A man whose wound has been treated, with the first die back where that is due."""
    first = int(level in ("Midi", "Severe", "Traumatic"))
    wound = {"level": level, "treated": True, "returned": first, "will": level == "Mortal"}
    strong = dict.fromkeys(STATS, "B6")
    return man(options=options, **{"stats": strong, "wounds": [wound], **more})


def healed(at: Any, successes: int, time: int, answers: Any = None) -> Any:
    """After a recovery test for which the GM sets the time."""
    return recover(at, successes, {"recovery_time": time, **(answers or {})})


def dice_over(at: Any, *times: str) -> list[int]:
    """The wound dice now and after each of these times."""
    found = [body(at).dice]
    for time in times:
        at = wait(at, time).table
        found.append(body(at).dice)
    return found


# --- The tests -----------------------------------------------------------------------------


@pytest.mark.rules(
    "injury.recovery.superficial",
    "injury.recovery.light",
    "injury.recovery.midi_test",
    "injury.recovery.severe_test",
    "injury.recovery.traumatic_test",
    "injury.recovery.mortal_test",
)
@pytest.mark.parametrize(
    ("level", "obstacle"),
    [("Superficial", 1), ("Light", 2), ("Midi", 3), ("Severe", 4), ("Traumatic", 5), ("Mortal", 6)],
)
def test_each_level_has_its_obstacle(level: str, obstacle: int):
    at = treated(level, attributes={"Health": "B8"})
    time = (
        {}
        if level in ("Superficial", "Light")
        else {"recovery_time": 4 if level == "Mortal" else 2}
    )
    passed = recover(at, obstacle, time)
    assert (passed.outcome.passed, passed.outcome.obstacle.total) == (True, obstacle)
    answers = (
        {} if level in ("Superficial", "Light", "Mortal") else {**time, "fitting_stat": "Power"}
    )
    assert not recover(at, obstacle - 1, answers).outcome.passed


@pytest.mark.rules("injury.recovery.traumatic_test")
def test_a_traumatic_wound_takes_five_successes_and_treatment_before():
    strong = dict.fromkeys(STATS, "B6")
    at = man(stats=strong, attributes={"Health": "B8"}, wounds=["Traumatic"])
    with pytest.raises(NotAllowed, match="must be treated first"):
        recover(at, 5)
    at = tend(at, 5).table
    time = {"recovery_time": 2}
    passed = recover(at, 5, time)
    assert passed.outcome.passed
    (line,) = passed.outcome.obstacle
    assert (line.amount, line.rule) == (5, "injury.recovery.traumatic_test")
    assert not recover(at, 4, {**time, "fitting_stat": "Power"}).outcome.passed


@pytest.mark.rules("injury.recovery.lesser_alone", "injury.recovery.immediate_effect")
@pytest.mark.parametrize(("level", "needed"), [("Superficial", 1), ("Light", 2)])
def test_a_lesser_wound_needs_no_treatment_and_ends_at_once(level: str, needed: int):
    at = man(wounds=[level])
    over = recover(at, needed)
    assert the_man(over.table).wounds == ()
    assert over.outcome.seconds == 0


@pytest.mark.rules("injury.recovery.superficial", "injury.recovery.light")
@pytest.mark.parametrize(
    ("level", "forte", "hours"),
    [("Superficial", "B4", 6), ("Superficial", "B10", 0), ("Light", "B4", 20), ("Light", "B7", 17)],
)
def test_a_failed_test_lasts_its_hours(level: str, forte: str, hours: int):
    at = man(stats={**STATS, "Forte": forte}, wounds=[level])
    failed = recover(at, 0)
    assert failed.outcome.seconds == hours * HOUR
    if not hours:
        assert the_man(failed.table).wounds == ()
        return
    almost = wait(failed.table, f"{hours * 60 - 1} minutes").table
    assert len(the_man(almost).wounds) == 1
    assert the_man(wait(almost, "1 minute").table).wounds == ()
    assert the_man(failed.table).scars == ()  # a scar is for what was treated


@pytest.mark.rules("injury.recovery.superficial")
def test_without_a_forte_on_the_sheet_a_failed_test_lasts_all_its_hours():
    frail = {name: stat for name, stat in STATS.items() if name != "Forte"}
    assert recover(man(stats=frail, wounds=["Superficial"]), 0).outcome.seconds == 10 * HOUR


@pytest.mark.rules("injury.recovery.greater_need_treatment")
@pytest.mark.parametrize("level", ["Midi", "Severe", "Traumatic"])
def test_a_greater_wound_waits_for_treatment(level: str):
    rule = r"must be treated first \[injury\.recovery\.greater_need_treatment"
    with pytest.raises(NotAllowed, match=rule):
        recover(man(wounds=[level]), 5)


@pytest.mark.rules("injury.recovery.mortal_test")
def test_a_mortal_wound_waits_for_the_will_too():
    at = man(wounds=[{"level": "Mortal", "treated": True}])
    with pytest.raises(NotAllowed, match=r"Will to Live.*\[injury\.recovery\.mortal_test"):
        recover(at, 6)


def test_one_test_for_each_wound_and_not_in_its_scene():
    """injury.amb.when_to_test_recovery."""
    fresh = hit(man(), "Light")
    with pytest.raises(NotAllowed, match="until the scene is over"):
        recover(fresh, 2)
    with pytest.raises(NotAllowed, match="until the scene is over"):
        recover(hit(man(), "Superficial", "Superficial", "Superficial"), 2)  # one Light wound
    later = play("end_scene", {}, fresh).table
    fight = {"series": [{"title": "another fight", "characters": ["man"]}]}
    in_conflict = GAME.table(later.characters, GAME.read(fight, GAME.scene, "scene"))
    with pytest.raises(NotAllowed, match="until the scene is over"):
        recover(in_conflict, 2)
    failed = recover(later, 0).table
    with pytest.raises(NotAllowed, match="has been made"):
        recover(failed, 2)
    with pytest.raises(BadInput, match=r"wound: found 2"):
        recover(later, 2, wound=2)
    with pytest.raises(NotAllowed, match="Man is dead and cannot act"):
        recover(man(dead=True, wounds=["Light"]), 2)


@pytest.mark.rules("injury.recovery.artha")
def test_artha_helps_to_recover():
    at = man(wounds=["Light"], attributes={"Health": "B2"}, artha={"persona": 1, "fate": 1})
    run = recover(at, [6, 1, 1], {"boon": 1, "after_roll#1": "luck"}, [[4]])
    assert run.outcome.passed
    assert run.outcome.dice.total == 3
    assert the_man(run.table).attributes["Health"].spent.persona == 1
    plain = recover(man(wounds=["Light"], attributes={"Health": "B2"}), [6, 1])
    assert plain.asked == ["disadvantages", "advantage", "gm_advantage"]  # no more than the dice


@pytest.mark.rules("injury.recovery.artha", "injury.recovery.time_reduction")
def test_luck_is_offered_after_a_success_where_extra_successes_count():
    """A Midi wound has obstacle 3 and heals in ten weeks; the six brings a fourth success."""
    at = treated("Midi", attributes={"Health": "B4"}, artha={"fate": 1})
    answers = {"recovery_time": 10, "after_roll#1": "luck"}
    run = recover(at, [6, 4, 4, 1], answers, [[4]])
    assert run.asks["after_roll"].kind == "offered"
    assert run.outcome.margin == 1
    assert run.outcome.seconds == 9 * WEEK
    lesser = man(wounds=["Light"], attributes={"Health": "B4"}, artha={"fate": 1})
    assert recover(lesser, [6, 4, 4, 1]).asks["after_roll"].kind == "aside"


# --- When dice come back -------------------------------------------------------------------


@pytest.mark.rules("injury.recovery.midi_time", "injury.treatment.both_succeed")
def test_a_midi_wound_gives_its_second_die_back_in_the_end():
    at = healed(treated("Midi"), 3, 10).table
    assert dice_over(at, "69 days", "1 day") == [-1, -1, 0]
    assert the_man(wait(at, "70 days").table).wounds == ()


@pytest.mark.rules("injury.recovery.severe_time")
def test_a_severe_wound_gives_dice_back_at_half_and_at_the_end():
    at = healed(treated("Severe"), 4, 3).table
    assert dice_over(at, "44 days", "1 day", "44 days", "1 day") == [-2, -2, -1, -1, 0]


@pytest.mark.rules("injury.recovery.traumatic_time")
def test_a_traumatic_wound_gives_dice_back_at_each_third():
    healing = healed(treated("Traumatic"), 5, 3)
    assert "Dice come back after 1 month, 2 months and 3 months." in healing.told
    at = healing.table
    assert dice_over(at, "29 days", "1 day", "30 days", "29 days", "1 day") == [
        -3,
        -3,
        -2,
        -1,
        -1,
        0,
    ]


@pytest.mark.rules("injury.recovery.time_reduction")
@pytest.mark.parametrize(("extra", "tenths"), [(0, 10), (1, 9), (4, 6), (9, 1), (11, 1)])
def test_extra_successes_shorten_the_time_by_a_tenth_each(extra: int, tenths: int):
    at = treated("Midi", attributes={"Health": "B10"}, artha={"deeds": 1})
    run = recover(at, 3 + extra, {"recovery_time": 10, "divine_inspiration": True})
    assert run.outcome.seconds == 10 * WEEK * tenths // 10


@pytest.mark.rules("injury.recovery.time_set_by")
@pytest.mark.parametrize(
    ("level", "faces", "time"),
    [
        ("Midi", [[3, 4]], 7 * WEEK),  # 2D6
        ("Severe", [[3]], 2 * MONTH),  # half of 1D6, rounded up
        ("Severe", [[6]], 3 * MONTH),
        ("Traumatic", [[1], [6]], 4 * MONTH),  # two of those
        ("Mortal", [[1, 2, 3, 4]], 10 * MONTH),  # 4D6
    ],
)
def test_the_time_is_rolled_or_set(level: str, faces: Any, time: int):
    at = treated(level, options={"injury_recovery_time": "rolled"}, attributes={"Health": "B8"})
    needed = {"Midi": 3, "Severe": 4, "Traumatic": 5, "Mortal": 6}[level]
    assert recover(at, needed, more_rolls=faces).outcome.seconds == time
    # in a single case the GM may set it, within the range
    assert recover(at, needed, {"recovery_time": 4 if level == "Mortal" else 2}).outcome.seconds
    if level != "Severe":
        with pytest.raises(BadInput, match=r"recovery_time: found 1.*time_set_by"):
            recover(at, needed, {"recovery_time": 1})
    gm = treated(level, options={"injury_recovery_time": "gm_sets"}, attributes={"Health": "B8"})
    asked = recover(gm, needed, {"recovery_time": 4 if level == "Mortal" else 2})
    assert asked.seats["recovery_time"] == "gm"
    assert asked.asks["recovery_time"].question.default is None


@pytest.mark.rules("injury.zero.wakes")
def test_the_felled_come_round_as_dice_come_back():
    at = treated("Severe", stats={**STATS, "Power": "B2"})
    assert body(at).condition == "helpless"
    healing = healed(at, 4, 2).table
    assert body(wait(healing, "29 days").table).condition == "helpless"
    awake = wait(healing, "30 days")
    assert body(awake.table).condition == "fit"
    assert "comes to" in awake.told


def test_whoever_could_not_get_up_may_try_again_when_dice_have_come_back():
    """injury.amb.shrug_retries."""
    at = treated("Traumatic", stats={**STATS, "Power": "B2"}, staggered=True)
    healing = healed(at, 5, 3).table
    assert the_man(healing).staggered
    assert not the_man(wait(healing, "30 days").table).staggered


# --- Failure -------------------------------------------------------------------------------


@pytest.mark.rules("injury.fail.recovery_lesser")
@pytest.mark.parametrize("level", ["Superficial", "Light"])
def test_a_treated_lesser_wound_leaves_a_scar(level: str):
    wound = {"level": level, "treated": True, "source": "a knife"}
    failed = recover(man(wounds=[wound]), 0)
    assert the_man(failed.table).scars == ("a knife",)
    assert failed.outcome.seconds > 0
    assert body(failed.table).wounds[0].state.startswith("heals in ")


@pytest.mark.rules(
    "injury.fail.recovery_greater_half", "injury.fail.recovery_greater_stops_bleeding"
)
@pytest.mark.parametrize(
    ("choice", "level", "lost", "over_time"),
    [
        ("rounded_down", "Midi", 1, [-1, -1]),
        ("rounded_down", "Severe", 2, [-2, -2]),
        ("rounded_down", "Traumatic", 2, [-3, -2]),
        ("rounded_up", "Midi", 1, [-1, -1]),
        ("rounded_up", "Severe", 1, [-2, -1]),
        ("rounded_up", "Traumatic", 2, [-3, -2]),
    ],
)
def test_half_the_dice_never_come_back(choice: str, level: str, lost: int, over_time: list[int]):
    options = {"injury_half_dice_recovered": choice}
    at = treated(level, options=options)
    failed = healed(at, 0, 2, {"fitting_stat": "Power"})
    assert (failed.outcome.lost, failed.outcome.stat) == (lost, "Power")
    assert f"Lost for good then: {lost}D of Power." in failed.told
    assert failed.seats["fitting_stat"] == "gm"
    unit = 7 if level == "Midi" else 30
    # the half that comes back does so by the schedule: at a half or a third of the time
    part = {"Midi": 13, "Severe": 30, "Traumatic": 20}[level]
    assert dice_over(failed.table, f"{part} days") == over_time
    closed = wait(failed.table, f"{2 * unit} days").table
    assert the_man(closed).wounds == ()
    assert the_man(closed).stats["Power"].rating.exponent == 6 - lost
    assert the_man(closed).stats["Forte"].rating.exponent == 6
    # meanwhile nothing has bled
    assert level in body(failed.table).wounds[0].level


@pytest.mark.rules("injury.fail.comatose")
def test_a_stat_lost_altogether_is_a_coma_for_good():
    at = treated("Traumatic", stats={**STATS, "Power": "B2"})
    failed = healed(at, 0, 2, {"fitting_stat": "Power"}).table
    asleep = wait(failed, "60 days").table
    assert the_man(asleep).stats["Power"].rating.exponent == 0
    assert body(asleep).condition == "comatose"
    assert body(wait(asleep, "1000 days").table).condition == "comatose"


@pytest.mark.rules("injury.fail.comatose")
def test_with_a_die_left_nobody_falls_into_a_coma():
    at = treated("Traumatic", stats={**STATS, "Power": "B3"})  # two of the four dice are lost
    failed = healed(at, 0, 2, {"fitting_stat": "Power"}).table
    awake = wait(failed, "60 days").table
    assert the_man(awake).stats["Power"].rating.exponent == 1
    assert body(awake).condition == "fit"


def test_what_is_built_on_a_lost_stat_follows_or_not():
    """injury.amb.fitting_stat: (4 + 4) / 2 is 4, and (4 + 2) / 2 is 3."""
    for choice, health in (("not_recomputed", "B5"), ("recomputed", "B4")):
        options = {"injury_attributes_after_permanent_loss": choice}
        at = treated("Severe", options=options, stats=STATS)
        failed = healed(at, 0, 2, {"fitting_stat": "Forte"}).table
        after = the_man(wait(failed, "60 days").table)
        assert str(after.stats["Forte"].rating) == "B2"
        assert str(after.attributes["Health"].rating) == health
        assert str(after.attributes["Reflexes"].rating) == "B4"  # not built on Forte


@pytest.mark.rules("injury.amb.fitting_stat", "tests.attributes.mortal_wound")
@pytest.mark.parametrize(("traumatic", "mortal"), [("B8", "B9"), ("B9", "B10")])
def test_the_last_tolerance_moves_with_the_mortal_wound(traumatic: str, mortal: str):
    """(4 + 4) / 2 + 6 was B10, (4 + 2) / 2 + 6 is B9; but not where the Traumatic step is."""
    options = {"injury_attributes_after_permanent_loss": "recomputed"}
    attributes = {"Health": "B5", "Reflexes": "B4", "Mortal Wound": "B10"}
    steps = ["B3", "B5", "B6", "B7", traumatic, "B10"]
    at = treated("Severe", options, stats=STATS, attributes=attributes, tolerances=steps)
    failed = healed(at, 0, 2, {"fitting_stat": "Forte"}).table
    after = the_man(wait(failed, "60 days").table)
    assert str(after.attributes["Mortal Wound"].rating) == "B9"
    assert str(after.tolerances.mortal) == mortal


# --- Mortal Wounds -------------------------------------------------------------------------


@pytest.mark.rules("injury.recovery.mortal_stage_one")
def test_the_first_stage_is_spent_unconscious():
    at = treated("Mortal", attributes={"Health": "B8"})
    run = healed(at, 8, 10)
    assert run.outcome.seconds == 10 * MONTH * 8 // 10  # two extra successes
    assert body(run.table).condition == "unconscious"
    assert body(wait(run.table, "239 days").table).condition == "unconscious"
    assert body(wait(run.table, "240 days").table).condition == "fit"


@pytest.mark.rules("injury.recovery.mortal_stages", "injury.recovery.mortal_later_stages")
@pytest.mark.parametrize("choice", ["by_stage", "literal"])
def test_six_stages_each_with_its_test_and_its_penalty(choice: str):
    """injury.amb.mortal_stage_penalties: by stage the penalty never rises; taken literally all
    dice of a stage come back within it, and the next one begins with its own."""
    options = {"injury_mortal_stage_penalties": choice}
    at = treated("Mortal", options=options, attributes={"Health": "B8"})
    at = healed(at, 6, 4).table
    at = wait(at, "120 days").table
    seen = []
    for level, needed, time, days in (
        ("Traumatic", 5, 3, 90),
        ("Severe", 4, 2, 60),
        ("Midi", 3, 2, 14),
    ):
        (wound,) = the_man(at).wounds
        assert (wound.level, wound.course) == (WoundLevel(level), True)
        seen.append(body(at).dice)
        at = healed(at, needed, time).table
        late = wait(at, f"{days - 1} days").table
        seen.append(body(late).dice)
        at = wait(late, "1 day").table
    assert seen == ([-4, -4, -3, -3, -2, -2] if choice == "by_stage" else [-4, -1, -3, -1, -2, -1])
    assert body(at).dice == -1
    at = recover(at, 2).table
    assert (body(at).dice, body(at).obstacle) == (0, 1)
    at = recover(at, 1).table
    assert the_man(at).wounds == ()


def test_a_later_stage_that_fails_takes_its_full_time_and_its_toll():
    """injury.amb.mortal_stage_treatment: half its dice are lost, and the course goes on."""
    wound = {"level": "Traumatic", "treated": True, "will": True, "course": True}
    at = man(stats=dict.fromkeys(STATS, "B7"), wounds=[wound])
    failed = healed(at, 0, 2, {"fitting_stat": "Speed"}).table
    assert dice_over(failed, "59 days") == [-4, -4]
    after = wait(failed, "60 days").table
    assert the_man(after).wounds[0].level is WoundLevel.SEVERE
    assert the_man(after).stats["Speed"].rating.exponent == 7 - 2
    # the hours of the last stages
    light = man(wounds=[{**wound, "level": "Light"}])
    slow = recover(light, 0).table
    assert the_man(slow).scars == ()
    assert the_man(wait(slow, "20 hours").table).wounds[0].level is WoundLevel.SUPERFICIAL


@pytest.mark.rules("injury.fail.mortal_hard")
def test_the_hard_way_is_death():
    at = treated("Mortal", options={"injury_mortal_variant": "hard"})
    failed = recover(at, 5)
    assert the_man(failed.table).dead
    assert failed.outcome.condition == "dead"


@pytest.mark.rules("gold.result.cheat_death", "gold.diff.cheat_death_status")
@pytest.mark.parametrize(
    ("edition", "scene", "asked"),
    [
        ("revised", {}, False),
        ("revised", {"complications": True}, True),
        ("gold", {}, True),
    ],
)
def test_death_by_a_failed_recovery_is_bought_off(edition, scene, asked):
    """Of 4 persona 1 goes into the test; what is paid for life counts for Health as well."""
    options = {"edition": edition, "injury_mortal_variant": "hard"}
    at = treated("Mortal", options=options, artha={"persona": 4})
    at = msgspec.structs.replace(at, scene=msgspec.structs.replace(at.scene, **scene))
    said = {"boon": 1, "complication": "he will never ride again"}
    if not asked:
        dead = recover(at, 5, {"boon": 1})
        assert "complication" not in dead.asked
        assert the_man(dead.table).dead
        return
    spared = healed(at, 5, 4, said)
    after = the_man(spared.table)
    assert (after.dead, spared.outcome.passed) == (False, False)
    assert spared.outcome.averted == "he will never ride again"
    assert (after.artha.persona, after.attributes["Health"].spent.persona) == (2, 2)
    assert (after.traits, dict(after.caps)) == ((), {})
    assert spared.outcome.seconds == 4 * MONTH  # the full time
    assert the_man(recover(at, 5, {"boon": 3}).table).dead  # no more than 3 on one test
    assert "complication" not in healed(at, 6, 4, {"boon": 1}).asked


@pytest.mark.rules("injury.fail.mortal_soft")
def test_the_soft_way_is_a_trait_and_a_cap():
    assert LASTING == ("Frail", "Lame", "Missing Limb", "Blind", "Deaf", "Sickly")
    log = {"difficult": 3, "challenging": 3}
    stats = {**dict.fromkeys(STATS, "B7"), "Power": {"rating": "B5", "log": log}}
    at = treated("Mortal", options={"injury_mortal_variant": "soft"}, stats=stats)
    answers = {
        "lasting_trait#1": "Blind",
        "agree_on_trait#1": False,
        "lasting_trait#2": "Lame",
        "fitting_stat": "Speed",
    }
    failed = healed(at, 5, 4, answers)
    after = the_man(failed.table)
    assert not after.dead
    assert [trait.name for trait in after.traits] == ["Lame"]
    assert str(after.stats["Speed"].rating) == "B5"  # what was above drops to it
    assert dict(after.caps) == {"Speed": 5}
    assert failed.outcome.seconds == 4 * MONTH  # the full time
    assert the_man(wait(failed.table, "120 days").table).wounds[0].level is WoundLevel.TRAUMATIC


@pytest.mark.rules("injury.fail.mortal_soft")
def test_a_capped_stat_never_rises_again():
    log = {"difficult": 5, "challenging": 4}
    for caps, rating in (({}, "B6"), ({"Power": 5}, "B5")):
        at = table(man={"stats": {"Power": {"rating": "B5", "log": log}}, "caps": caps})
        run = play(
            "standard_test",
            {"character": "man", "ability": "Power", "intent": "lift it", "task": "heaves"},
            at,
            {"obstacle": 6, "on_failure": "it falls"},
            [0],
        )
        assert str(the_man(run.table).stats["Power"].rating) == rating


# --- Odds ----------------------------------------------------------------------------------


def test_the_odds_of_recovery_are_the_odds_of_the_dice():
    """Health B3 against Ob 2: (3 + 1) / 8."""
    at = table(man={"attributes": {"Health": "B3"}, "wounds": ["Light"]})
    start = GAME.procedure("recover").start(Recover("man"), at)
    passed = exact(start, defaults).map(lambda outcome: outcome.passed)
    assert passed.chance(True) == Fraction(1, 2)


def test_every_level_has_a_time_for_each_die():
    from astragal.games.burning_wheel.injury.healing_tables import recovery_of

    for level in (WoundLevel.MIDI, WoundLevel.SEVERE, WoundLevel.TRAUMATIC):
        parts = recovery_of(level).returns
        assert len(parts) == dice_of(level) - 1  # the first is back with the treatment
        assert parts[-1] == 1
        assert parts == tuple(Fraction(n, len(parts)) for n in range(1, len(parts) + 1))


def test_the_last_stage_of_a_mortal_wound_is_no_part_of_a_set():
    """injury.recovery.mortal_stages: it ends with its own Health test, not in a Light wound."""
    stage = {"level": "Superficial", "treated": True, "will": True, "course": True}
    two = hit(man(wounds=[stage, "Superficial"]), "B3")
    assert [(w.level.value, w.course) for w in the_man(two).wounds] == [
        ("Superficial", True),
        ("Superficial", False),
        ("Superficial", False),
    ]
    three = hit(two, "B3")
    assert [w.level.value for w in the_man(three).wounds] == ["Superficial", "Light"]


def test_a_wound_whose_pain_is_borne_is_treated_and_recovered_from_by_its_plain_name():
    at = man(wounds=[{"level": "Light", "borne": True}])
    tended = tend(at, 2)
    assert "against Ob 2 = 2 Light wound" in tended.told
    done = recover(tended.table, 2)
    assert "against Ob 2 = 2 Light wound" in done.told
    assert "has recovered from the Light wound." in done.told
