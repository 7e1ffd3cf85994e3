"""Riders in Range and Cover: whose abilities, keeping the mount in hand, and shots at both."""

from __future__ import annotations

from typing import Any

import pytest

from astragal.games.burning_wheel import GAME
from astragal.games.burning_wheel.armor.hits import IncomingHit
from astragal.games.burning_wheel.conflicts.range_and_cover.mounts_hit import ask_shot_at
from astragal.games.burning_wheel.conflicts.range_and_cover.shots import (
    PlannedHit,
    apply_hits,
)
from astragal.games.burning_wheel.conflicts.range_and_cover.skirmish import (
    StartSkirmish,
    begin,
)
from astragal.games.burning_wheel.weapons.damage import Damage, Stage
from astragal.play import Change, Script, Scripted, Session, then
from games.burning_wheel.on_horseback import HORSE, by_label, riders
from games.burning_wheel.playing import Played, somehow
from games.burning_wheel.skirmishing import archer, field, one_volley, sides, skirmish

STEED = {**HORSE, "tolerances": ["B10", "B12", "B13", "B14", "B15", "B16"]}
STAY = ("speed_maintain",) * 3
KNIGHT = archer(skills={"Riding": "B4"}, training=["Mounted Combat Training"])
BOWMAN = archer(skills={"Riding": "B4"}, training=["Mounted Combat Training (bowman)"])
UNTRAINED = archer(skills={"Riding": "B4"})
SLY = archer(skills={"Stealthy": "B4"})


def ride(
    card: str,
    rolls: Any,
    ann: dict[str, Any] = KNIGHT,
    horse: dict[str, Any] = STEED,
    bob: tuple[str, ...] = STAY,
    answers: dict[str, Any] | None = None,
    **more: Any,
) -> Played:
    at = field(ann, more.pop("man", None), scene=riders("ann:horse"), horse=horse)
    script = [card, "speed_maintain", "speed_maintain"]
    return skirmish([script], [bob], rolls, answers, at, more.pop("start", "extreme/extreme"))


def first_labels(played: Played, many: int) -> list[str]:
    return [roll.label for roll in played.rolls[:many]]


@pytest.mark.rules("riding.combat.position_mount_speed", "riding.combat.position_multiplier")
def test_who_is_in_the_saddle_closes_with_the_speed_of_the_mount():
    done = ride("speed_close", None)
    assert first_labels(done, 1) == ["Horse, Speed Close, Speed"]
    assert "5 Speed + 1 Speed multiplier x8" in done.told


@pytest.mark.rules("advancement.series.one_test", "riding.combat.position_mount_speed")
def test_a_mount_earns_one_test_in_a_skirmish_however_often_it_is_rolled():
    done = ride("speed_close", None)
    labels = [roll.label for roll in done.rolls]
    assert sum(label.startswith("Horse, Speed") for label in labels) > 1
    log = done.table.characters["horse"].stats["Speed"].log
    assert log.routine + log.difficult + log.challenging == 1
    changes = [name for name in done.changed if name.startswith("horse.stats.Speed.log")]
    assert len(changes) == 1


@pytest.mark.rules("riding.combat.position_reflexes")
def test_the_reflexes_of_the_mount_count_if_they_are_higher():
    quick = {**STEED, "attributes": {**STEED["attributes"], "Reflexes": "B6"}}
    assert "1 higher Reflexes" in ride("speed_close", None, horse=quick).told
    assert "1 higher Reflexes" not in ride("speed_close", None).told


@pytest.mark.rules("riding.combat.position_mount_speed")
def test_a_stealthy_mount_may_be_used_for_it():
    sly = {**STEED, "skills": {"Stealthy": "B5"}}
    done = ride("stealthy_close", None, horse=sly, bob=("stealthy_close",) * 3, man=SLY)
    assert first_labels(done, 1) == ["Horse, Stealthy Close, Stealthy"]


@pytest.mark.rules("riding.test.when", "riding.bowman.avoid_position")
@pytest.mark.parametrize("who", [UNTRAINED, BOWMAN])
@pytest.mark.parametrize(("riding", "said"), [(4, "+ 1 Riding"), (2, "against Ob 1 = 1 Riding")])
def test_the_untrained_cue_the_mount_first(who: dict[str, Any], riding: int, said: str):
    at = field(who, scene=riders("ann:horse"), horse=STEED)
    done = ride_with(at, {"Ann, Riding": riding})
    assert done.rolls[0].label == "Ann, Riding"
    assert said in done.told


@pytest.mark.rules("riding.test.when", "range_and_cover.start.initial_test")
@pytest.mark.parametrize(
    ("who", "riding", "dice", "tied"),
    [
        (UNTRAINED, 4, 9, False),
        (UNTRAINED, 3, 8, False),
        (UNTRAINED, 2, 8, True),
        (BOWMAN, 4, 9, False),
        (KNIGHT, None, 8, False),
    ],
)
def test_the_untrained_cue_the_mount_before_the_first_positioning_too(
    who: dict[str, Any], riding: int | None, dice: int, tied: bool
):
    """riding.amb.untrained_positioning: a linked test, whenever the mount's Speed positions.

    Speed 5, the multiplier's 1 and the bow's 2. What failed costs the one success that Ann has.
    """
    at = field(who, scene=riders("ann:horse"), horse=STEED)
    cue = [] if riding is None else [riding]
    answers = {"ann/first_positioning": "Speed"}
    done = skirmish(rolls=[*cue, 1, 0], answers=answers, at=at, start="")
    assert [roll.label for roll in done.rolls].count("Ann, Riding") == len(cue)
    assert done.rolls[len(cue)].expression.dice.total == dice
    assert ("A tie" in done.told) is tied
    looks = {"ann/first_positioning": "Perception"}
    assert "Riding" not in skirmish(rolls=[1, 0], answers=looks, at=at, start="").told


def ride_with(at: Any, successes: dict[str, int], card: str = "speed_close") -> Played:
    """A skirmish with dice by their labels."""

    procedure = GAME.procedure("range_and_cover")
    raw = {"sides": sides(), "start": "extreme/extreme"}
    session = Session(
        procedure.start(GAME.read(raw, procedure.arguments, "arguments"), at),
        by_label(successes),
    )
    written = 0
    while session.waiting:
        ask = session.waiting[0]
        if not isinstance(ask.question, Script):
            session.answer(ask.seat, somehow(ask))
            continue
        written += 1
        mine = (card, "speed_maintain", "speed_maintain") if written < 3 else ("give_up",) * 3
        session.answer(ask.seat, mine if ask.seat == "ann" else STAY)
    changes = [event for event in session.events if isinstance(event, Change)]
    return Played(session.result, tuple(session.events), at.changed(*changes))


@pytest.mark.rules("riding.combat.position_steel", "riding.combat.position_steel_fail")
def test_a_steel_close_is_the_riders_own_nerve_and_needs_a_riding_test():
    at = field(KNIGHT, scene=riders("ann:horse"), horse=STEED)
    kept = ride_with(at, {"Ann, Riding": 3, "Ann, Steel Close": 5}, "steel_close")
    assert kept.rolls[0].label == "Ann, Riding"
    assert any(roll.label.startswith("Ann, Steel Close") for roll in kept.rolls)
    lost = ride_with(at, {"Ann, Riding": 2}, "steel_close")
    assert "Horse bolts or shies, and does not obey." in lost.told
    assert not any(roll.label.startswith("Ann, Steel Close") for roll in lost.rolls)


@pytest.mark.rules("range_and_cover.cover.dice.lost_by_moving")
def test_a_steel_close_that_the_mount_refuses_loses_the_cover_all_the_same():
    at = field(KNIGHT, scene=riders("ann:horse"), horse=STEED)
    script = ["speed_maintain", "steel_close", "speed_maintain"]
    said = {"ann/shoot": "hold", "ann/aim_dice": 0, "ann/cover_dice": 2, "bob/shoot": "hold"}
    # She wins and takes cover; the Riding test fails; then both roll once more.
    rolls = [3, 1, 2, 0, 1, 2]
    played = skirmish([script], [STAY], rolls, said, at, "extreme/extreme")
    own = [r.expression.dice.total for r in played.rolls if r.label.startswith("Horse, ")]
    assert own == [5 + 1 + 2] * 2  # Speed, multiplier and range dice, and no cover


@pytest.mark.rules("riding.combat.position_steel")
def test_on_foot_nobody_tests_riding():
    at = field(KNIGHT, horse=STEED)
    done = ride_with(at, {"Ann, Steel Close": 5}, "steel_close")
    assert "Ann, Riding" not in [roll.label for roll in done.rolls]


# --- Shots ---------------------------------------------------------------------------------


@pytest.mark.rules("riding.shoot.choose_target", "riding.shoot.location")
@pytest.mark.parametrize("victim", ["ann", "horse"])
def test_a_shooter_aims_at_rider_or_mount(victim: str):
    at = field(KNIGHT, scene=riders("ann:horse"), horse={**HORSE})

    raw = GAME.read({"sides": sides(), "start": "optimal/optimal"}, StartSkirmish, "arguments")

    def whole() -> Any:
        fight = yield from begin(raw, at)
        return (yield from ask_shot_at(fight, "bob", "ann"))

    session: Session[Any] = Session(then(whole), lambda roll: roll)  # type: ignore[arg-type,return-value]
    scripted = Scripted({"shoot_at": victim}, somehow)
    while session.waiting:
        session.answer(session.waiting[0].seat, scripted(session.waiting[0]))
    assert session.result == victim


@pytest.mark.rules("riding.bowman.elevation")
def test_a_mounted_bowman_shoots_from_above():
    def dice(ann: dict[str, Any]) -> str:
        at = field(ann, scene=riders("ann:horse"), horse=STEED)
        return ride_with(at, {"Ann, Riding": 3, "Horse": 5}, "speed_maintain").told

    assert "+ 1 from the saddle" in dice(BOWMAN)
    assert "from the saddle" not in dice(KNIGHT)


@pytest.mark.rules("riding.steel.mount_reacts", "riding.test.when")
@pytest.mark.parametrize(
    ("number", "reaction", "mounted"), [(12, "", False), (7, "rear", False), (7, "shy", True)]
)
def test_a_mount_that_is_hit(number: int, reaction: str, mounted: bool):

    at = field(KNIGHT, scene=riders("ann:horse"), horse=HORSE)
    raw = GAME.read({"sides": sides(), "start": "optimal/optimal"}, StartSkirmish, "arguments")

    def whole() -> Any:
        fight = yield from begin(raw, at)
        hit = IncomingHit("horse", Damage("torso", Stage.MARK, "B", number, 0), "bob")
        return (yield from apply_hits(fight, (PlannedHit(hit, "bob"),)))

    session: Session[Any] = Session(then(whole), by_label({}))
    answers = {"mount_reaction": reaction} if reaction else {}
    scripted = Scripted(answers, somehow)
    while session.waiting:
        session.answer(session.waiting[0].seat, scripted(session.waiting[0]))
    after = session.result
    assert (after.one("ann").mount == "horse") is mounted
    assert bool(after.table.scene.riders) is mounted
    assert after.one("ann").is_hesitating is mounted


GREEN = {**STEED, "training": ["Rider Training"]}
WILD = {**STEED, "training": ["Mounted Combat Training"]}


@pytest.mark.rules("riding.untrained.mount_steel")
def test_a_mount_without_training_tests_steel_as_each_exchange_begins():
    at = field(KNIGHT, scene=riders("ann:horse"), horse=GREEN)
    calm = ride_with(at, {"Horse, Steel": 7})
    tests = [roll.label for roll in calm.rolls].count("Horse, Steel")
    assert tests == 2  # the exchange that is played, and the one in which Ann gives up
    # Will 3: hesitation 7.
    assert "Horse rolls 5D = 5 Steel against Ob 7" in calm.told
    trained = ride_with(field(KNIGHT, scene=riders("ann:horse"), horse=STEED), {})
    assert "Horse, Steel" not in [roll.label for roll in trained.rolls]


@pytest.mark.rules("riding.untrained.mount_steel", "riding.steel.mount_reacts")
def test_while_it_shies_the_rider_does_nothing():
    at = field(KNIGHT, scene=riders("ann:horse"), horse=GREEN)
    assert "Ann hesitates for 1 volley." in ride_with(at, {"Horse, Steel": 0}).told


@pytest.mark.rules("riding.test.untrained_beast", "riding.steel.rear_or_buck")
@pytest.mark.parametrize(("riding", "stays"), [(2, True), (1, False)])
def test_a_beast_that_was_never_broken_throws_its_rider(riding: int, stays: bool):
    at = field(KNIGHT, scene=riders("ann:horse"), horse=WILD)
    done = ride_with(at, {"Ann, Riding": riding})
    assert done.told.count("Horse tries to throw its rider.") == 1
    assert bool(done.table.scene.riders) is stays


def test_who_is_felled_by_the_fall_is_out_of_it():
    """A horse of Power 8 on rock, Strength 4: an Incidental B6 fells one who has so little."""
    frail = archer(
        skills={"Riding": "B4"},
        training=["Mounted Combat Training"],
        tolerances=["B1", "B2", "B3", "B4", "B5", "B6"],
    )
    strong = {**HORSE, "stats": {**HORSE["stats"], "Power": "B8"}}
    at = field(frail, scene=riders("ann:horse"), horse=strong)
    raw = GAME.read({"sides": sides(), "start": "optimal/optimal"}, StartSkirmish, "arguments")

    def whole() -> Any:
        fight = yield from begin(raw, at)
        hit = IncomingHit("horse", Damage("torso", Stage.MARK, "B", 12, 0), "bob")
        return (yield from apply_hits(fight, (PlannedHit(hit, "bob"),)))

    session: Session[Any] = Session(then(whole), by_label({}))
    scripted = Scripted({"ground": "rock or pavement"}, somehow)
    while session.waiting:
        session.answer(session.waiting[0].seat, scripted(session.waiting[0]))
    assert session.result.one("ann").out == "dying"


@pytest.mark.rules(
    "range_and_cover.shield.raises_cover_one_step", "sorcery.spell.turn_aside_the_blade"
)
@pytest.mark.parametrize(
    ("victim", "ob"),
    [
        ("ann", "5 = 3 optimal range, reasonable cover + 2 Turn"),
        ("horse", "2 = 2 optimal range, open"),
    ],
)
def test_what_protects_the_rider_does_not_protect_the_mount(victim: str, ob: str):
    spell = {"name": "Turn Aside the Blade", "obstacle": 4, "lasts": "Sustained"}
    guarded = {
        **KNIGHT,
        "shield": "target",
        "active_spells": [spell | {"does": "attack_obstacle", "effect": 2}],
    }
    at = field(guarded, scene=riders("ann:horse"), horse=STEED)
    done = one_volley("speed_maintain", "speed_maintain", [1, 4, 0], {"shoot_at": victim}, at)
    assert f"against Ob {ob}" in done.told


# --- One volley by itself --------------------------------------------------------------------


@pytest.mark.rules("riding.amb.untrained_positioning")
@pytest.mark.parametrize(
    ("riding", "said"),
    [
        (2, "rolls 7D = 5 Speed + 1 Speed multiplier x8 + 1 hunting bow, optimal range against"),
        (3, "rolls 7D = 5 Speed + 1 Speed multiplier x8 + 1 hunting bow, optimal range"),
        (4, "rolls 8D = 5 Speed + 1 Speed multiplier x8 + 1 hunting bow, optimal range + 1 Riding"),
    ],
)
def test_in_a_rehearsal_too_the_untrained_cue_the_mount_first(riding, said):
    """Will 3: failed, met and exceeded; then the mount Closes by its Speed."""
    at = field(UNTRAINED, scene=riders("ann:horse"), horse=STEED)
    done = one_volley("speed_close", "speed_maintain", [riding, 0, 1], {"bob/shoot": "hold"}, at)
    assert said in done.told
    assert (" against Ob 1 = 1 Riding" in done.told) == (riding == 2)


@pytest.mark.rules("range_and_cover.fort.dismount_for_last_step")
@pytest.mark.parametrize("dice", [0, 3])
def test_in_a_rehearsal_too_nobody_rides_into_prepared_defences(dice):
    at = field(KNIGHT, scene=riders("ann:horse"), horse=STEED)
    other = {"fortification": dice}
    done = one_volley("speed_close", "speed_maintain", [0, 1, 0], {}, at, other=other)
    label = done.rolls[0].label
    assert label == ("Ann, Speed Close, Speed" if dice else "Horse, Speed Close, Speed")
