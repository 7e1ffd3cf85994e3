"""Shots in a skirmish: who may shoot at whom, against which obstacle, and what it does.

A section of the chapter on Range and Cover (``conflicts/range_and_cover/skirmish``). The roll, the
Die of Fate, misfires and damage are those of ``weapons/shooting``; armor and wounds those of
``armor/hits``.
"""

from __future__ import annotations

from functools import cache, lru_cache

import msgspec

from astragal.play import (
    GM,
    Line,
    Option,
    PickSeveral,
    Play,
    Step,
    Tally,
    ask,
    call,
    consent,
    note,
    then,
)
from astragal.rules import catalogue

from ...armor.hits import IncomingHit, take_hit
from ...armor.shield_cover import STEPS, CoverStep, cover_step
from ...artha.on_a_roll import ThrownDice
from ...conditions.hesitation import RUN
from ...conditions.mounted import elevation, rider_of
from ...conditions.wounds import Condition, state_of
from ...sheet.catalogue_keys import key_of
from ...sheet.ranged_weapons import RangedWeapon, is_bomb, is_reloaded, ranged
from ...sheet.scene import BurningTable
from ...sheet.weapon_tables import Weapon
from ...tests.attempts import full_obstacle, throw_attempt
from ...tests.intent import Context, Declaration
from ...weapons.bombs_at_range import goes_off_in_hand, harm_bomber, spend
from ...weapons.gunpowder import Misfire, gunpowder_die
from ...weapons.missiles import Head, head_of, obstacle_at, throw_fate, va_of
from ...weapons.openings import hidden_by_cover
from ...weapons.shooting import (
    ShotInFlight,
    ShotOutcome,
    is_bow,
    misfire_of,
    place_and_modify,
    shot_rolled,
)
from ...weapons.wielding import WeaponTest, balanced, lighter_power, location_bears, usual_skill
from ..rolls import gathered
from .hesitation import after_steel, is_in_sight
from .maneuvers import maneuver
from .mounts_hit import after_mount_hit, ask_shot_at
from .positioning import has_dice
from .ranges import EXTREME, OPTIMAL
from .state import Skirmish

OBSTACLES = {
    (OPTIMAL, 0): "range_and_cover.range.optimal.ob_open",
    (OPTIMAL, 1): "range_and_cover.range.optimal.ob_reasonable_cover",
    (OPTIMAL, 2): "range_and_cover.range.optimal.ob_dense_cover",
    (EXTREME, 0): "range_and_cover.range.extreme.ob_open",
    (EXTREME, 1): "range_and_cover.range.extreme.ob_reasonable_cover",
    (EXTREME, 2): "range_and_cover.range.extreme.ob_dense_cover",
}
"""The rule of each obstacle; each step of cover adds one (range_and_cover.cover.three_levels)."""


class PlannedShot(msgspec.Struct, frozen=True, cache_hash=True):
    """A shot that somebody will make: at whom, at which range, and with which dice for aim.

    ``ducks`` says that the target holds fire and ducks; ``maneuver`` is what the target does in
    this volley, ``answers`` whether the target shoots as well; ``position`` how the shooter's
    positioning came out.
    """

    shooter: str
    target: str
    range: str
    aim: int = 0
    ducks: bool = False
    maneuver: str = ""
    answers: bool = False
    position: str = "won"


class PlannedHit(msgspec.Struct, frozen=True):
    """A hit on its way."""

    hit: IncomingHit
    shooter: str


Shots = tuple[Skirmish, tuple[PlannedHit, ...]]
"""The skirmish after a shot, and what it hit."""


# --- Who may shoot ---------------------------------------------------------------------------


@lru_cache(1024)  # odds ask for it again with every margin
def may_shoot(skirmish: Skirmish, character: str, category: str) -> bool:
    """Whether somebody can shoot from a range of his own weapon.

    Not out of range (range_and_cover.range.out_of_range.meaning), nor while hesitating, nor with a
    crossbow or gun that is not loaded (range_and_cover.reload.one_volley), not even for nothing
    (range_and_cover.amb.reload_and_free_shots).
    """
    one, carried = skirmish.one(character), skirmish.carried(character)
    if one.out or one.is_hesitating or carried is None:
        return False
    if category not in (OPTIMAL, EXTREME):
        return False
    if is_reloaded(carried.weapon) and not carried.loaded:
        return False
    skill = _skill(skirmish, carried)
    rated = skirmish.sheet(character).find(skill)
    return has_dice(skirmish, character, skill if rated and rated.exponent else "Agility")


def targets(skirmish: Skirmish, side: int) -> tuple[str, ...]:
    """Whom a side can shoot at."""
    return tuple(
        each.character
        for each in skirmish.active(1 - side)
        if is_in_sight(skirmish, each.character)
    )


def _skill(skirmish: Skirmish, carried: Weapon) -> str:
    thrown = ranged(carried.weapon, skirmish.table.options).thrown
    return usual_skill(carried, thrown=thrown, options=skirmish.table.options)


# --- The obstacle ----------------------------------------------------------------------------


def cover_of(skirmish: Skirmish, shot: PlannedShot, victim: str, va: int) -> Step[int]:
    """The step of a target's cover: that of the place, and one more behind a shield.

    range_and_cover.cover.level_from_setting, range_and_cover.amb.shield_scope. Cover dice are
    something else and never count here (range_and_cover.cover.dice.next_volley). Who hesitates
    makes no maneuver, and has no use of a shield, unless he runs
    (range_and_cover.shield.only_speed_or_steel). A mount that is shot at is not its bearer
    (range_and_cover.shield.raises_cover_one_step).
    """
    one = skirmish.one(shot.target)
    level = STEPS.index(skirmish.teams[one.side].level)
    shielded = victim == shot.target and skirmish.sheet(victim).shield is not None
    if not shielded or not shot.maneuver:
        return level
    if one.is_hesitating and one.reaction != RUN:
        return level
    ability = maneuver(shot.maneuver).ability
    said = CoverStep(shot.target, STEPS[level], va, ability, shot.answers)
    raised = yield from call(cover_step, said, skirmish.table)
    return STEPS.index(raised.cover)


def _hindrances() -> Step[tuple[Line, ...]]:
    """Weather and light raise the obstacle of every shot, by the GM's word.

    range_and_cover.penalty.only_wounds_weather_light: nothing else about the situation does, least
    of all movement (range_and_cover.penalty.no_movement_range_cover). What belongs to the shooter
    counts as always (range_and_cover.amb.own_penalties).
    """
    rule = "range_and_cover.penalty.only_wounds_weather_light"
    options = tuple(
        Option(key, label.capitalize(), rule, note=f"+{amount} Ob")
        for key, (label, amount) in weather().items()
    )
    chosen = yield from ask(
        GM,
        "weather_and_light",
        "Weather and light on shots",
        PickSeveral(options=options, default=()),
        because=rule,
        kind="aside",
        standing=True,
    )
    return tuple(Line(weather()[key][1], weather()[key][0], rule) for key in chosen)


_CONDITIONS = (
    ("fight.table.missile_obstacles", "dim light (lantern)"),
    ("fight.table.missile_obstacles", "smoke or haze"),
    ("fight.table.missile_obstacles", "near-complete darkness or thick smoke"),
    ("fight.table.melee_obstacles", "driving rain or snow"),
    ("fight.table.melee_obstacles", "poor visibility (candlelight, heavy rain)"),
)
"""What the lists of Fight! have about light and weather, which has no list of its own here."""


@cache
def weather() -> dict[str, tuple[str, int]]:
    """The conditions of weather and light, by key.

    >>> sorted(weather())[0]
    'dim_light_lantern'
    """
    return {
        key_of(said): (said, catalogue().table(table).number("ob_penalty", condition=said))
        for table, said in _CONDITIONS
    }


# --- The shot --------------------------------------------------------------------------------


def shoot(skirmish: Skirmish, shot: PlannedShot) -> Play[Shots]:
    """One shot, from the gunpowder to the hit (range_and_cover.basics.winner_tests_weapon_skill).

    A bomb may go off in the hand of one who has not won.
    """
    carried = skirmish.carried(shot.shooter)
    assert carried is not None
    weapon = ranged(carried.weapon, skirmish.table.options, carried.quality)
    sheet = skirmish.sheet(shot.shooter)
    if is_bomb(carried.weapon):
        early = shot.position != "won" and (
            yield from goes_off_in_hand(shot.shooter, skirmish.table)
        )
        table = yield from spend(skirmish.table, shot.shooter, carried)
        gone = skirmish.on(table).change(shot.shooter, weapon="")
        if early:
            outcome = yield from call(harm_bomber, carried, table)
            source = f"the {carried.called}"
            assert outcome.backfire is not None
            own = IncomingHit(shot.shooter, outcome.backfire, GM, source=source)
            return gone, (PlannedHit(own, shot.shooter),)
        _, harms = yield from call(fly, skirmish, shot, carried, weapon)
        return gone, harms
    if weapon.gunpowder:
        misfire = yield from gunpowder_die(carried.called, sheet.seat(shot.shooter))
        if misfire is not None:
            return (yield from _misfire(skirmish, shot, carried, weapon, misfire))
    return then(fly, skirmish, shot, carried, weapon)


def _misfire(
    skirmish: Skirmish, shot: PlannedShot, carried: Weapon, weapon: RangedWeapon, misfire: Misfire
) -> Step[Shots]:
    outcome, table = yield from misfire_of(shot.shooter, carried, weapon, misfire, skirmish.table)
    skirmish = skirmish.on(table)
    if outcome.backfire is None:
        return skirmish, ()
    source = f"the backfire of the {carried.called}"
    hit = IncomingHit(shot.shooter, outcome.backfire, GM, source=source)
    return skirmish, (PlannedHit(hit, shot.shooter),)


def fly(
    skirmish: Skirmish, shot: PlannedShot, carried: Weapon, weapon: RangedWeapon
) -> Play[Shots]:
    """Gather the dice, and throw them."""
    head = head_of(carried, skirmish.one(shot.shooter).head)
    victim = yield from ask_shot_at(skirmish, shot.shooter, shot.target)
    test, bonus = yield from _gather(skirmish, shot, victim, carried, weapon, head)
    hidden: tuple[str, ...] = ()
    if skirmish.teams[skirmish.one(shot.target).side].level != STEPS[0]:
        hidden = yield from hidden_by_cover(victim, skirmish.table)
    flight = ShotInFlight(
        shot.shooter,
        carried,
        weapon,
        head,
        shot.range,
        hidden,
        bonus,
        bears=location_bears(victim, skirmish.table),
    )
    return then(loosed, skirmish, victim, flight, test)


def loosed(skirmish: Skirmish, target: str, flight: ShotInFlight, test: WeaponTest) -> Play[Shots]:
    """The dice of a shot."""
    throw = yield from throw_attempt(test.attempt, test.obstacle, skirmish.table)
    return then(landed, skirmish, target, flight, test, throw)


def landed(
    skirmish: Skirmish, target: str, flight: ShotInFlight, test: WeaponTest, throw: ThrownDice
) -> Play[Shots]:
    """Whether it hits."""
    outcome, table = yield from shot_rolled(
        flight.character,
        flight.carried,
        test,
        throw,
        skirmish.table,
        with_bonus=flight.bonus,
        logged=bool(skirmish.series),
    )
    skirmish = skirmish.on(table)
    if not outcome.passed:
        return skirmish, ()
    # Where it hits and how hard depends on nothing else of the roll.
    bare = ShotOutcome(
        passed=True,
        successes=outcome.successes,
        margin=outcome.margin,
        obstacle=outcome.obstacle,
    )
    hit: IncomingHit = yield from call(struck, table, target, flight, bare)
    return skirmish, (PlannedHit(hit, flight.character),)


def struck(
    table: BurningTable, target: str, flight: ShotInFlight, outcome: ShotOutcome
) -> Play[IncomingHit]:
    """Where it hits; what it does there depends on the Die of Fate alone."""
    location, modifiers = yield from place_and_modify(flight, outcome, table)
    return then(fated, table, target, flight, location, modifiers)


def fated(
    table: BurningTable, target: str, flight: ShotInFlight, location: str, modifiers: Tally
) -> Play[IncomingHit]:
    """What it does."""
    sheet = table.character(flight.character)
    fate = yield from throw_fate(flight.weapon, modifiers, sheet.seat(flight.character))
    damage = flight.damage(sheet, fate, location)
    yield from note(f"{sheet.name} hits: {damage}.", "weapons.dof.decides_stage")
    source = f"{sheet.name}'s {flight.carried.called}"
    return IncomingHit(target, damage, sheet.seat(flight.character), source=source)


def _gather(
    skirmish: Skirmish,
    shot: PlannedShot,
    victim: str,
    carried: Weapon,
    weapon: RangedWeapon,
    head: Head,
) -> Step[tuple[WeaponTest, bool]]:
    """The dice of a shot and its obstacle, by range and cover.

    Aiming dice are for this and nothing else (range_and_cover.aim.not_for_positioning). A target
    who ducks is one harder to hit (range_and_cover.tie.shot.duck).
    """
    sheet = skirmish.sheet(shot.shooter)
    lines = yield from _hindrances()
    lines += head.obstacle
    if shot.ducks:
        lines += (Line(1, "the target ducks", "range_and_cover.tie.shot.duck"),)
    step = yield from cover_of(skirmish, shot, victim, va_of(sheet, weapon, head, shot.range))
    bonus = False
    if weapon.thrown:
        bonus = yield from lighter_power(shot.shooter, carried, skirmish.table)
    aim: tuple[Line, ...] = ()
    if shot.aim:
        aim = (Line(shot.aim, "aiming", "range_and_cover.aim.cost"),)
    if is_bow(carried.weapon):
        aim += elevation(skirmish.table, shot.shooter, shot.target)
    context = Context(
        dice=aim,
        obstacle=lines,
        called_for=True,
        laid_down=True,
        roots=("Agility",),
        several=True,
        lasting=True,
        folded=True,
    )
    said = Declaration(
        character=shot.shooter,
        task=f"uses the {carried.called}",
        ability=_skill(skirmish, carried),
        target=victim,
    )
    attempt = yield from call(gathered, said, context, (), skirmish.table)
    attempt = balanced(attempt, carried, skirmish.table.options)
    base = obstacle_at(shot.range, STEPS[step])
    base = msgspec.structs.replace(base, rule=OBSTACLES[shot.range, step])
    whole = full_obstacle(Tally((base,)), attempt)
    return WeaponTest(attempt, whole, base.amount), bonus


# --- What the hits do ------------------------------------------------------------------------


def apply_hits(skirmish: Skirmish, hits: tuple[PlannedHit, ...]) -> Step[Skirmish]:
    """All hits of a volley, when all shots are made (range_and_cover.tie.shot.simultaneous)."""
    landing = list(hits)
    for each in landing:  # falls from the saddle come after what caused them
        victim = each.hit.character
        if skirmish.sheet(victim).dead:
            continue
        hit = msgspec.structs.replace(each.hit, in_script=True)
        outcome, table = yield from call(take_hit, hit, skirmish.table)
        skirmish = skirmish.on(table)
        if rider_of(table, victim):
            skirmish, falls = yield from after_mount_hit(skirmish, victim, outcome.hurt)
            landing += [PlannedHit(fall, each.shooter) for fall in falls]
            continue
        if outcome.hurt is None or state_of(table, victim) is not Condition.FIT:
            continue
        skirmish = yield from after_steel(skirmish, victim, outcome.hurt)
        skirmish = yield from _distracted(skirmish, victim)
    there = {each.character for each in skirmish.skirmishers}
    hit_here = dict.fromkeys(each.hit.character for each in landing if each.hit.character in there)
    return (yield from leave_if_felled(skirmish, tuple(hit_here)))


def leave_if_felled(skirmish: Skirmish, those: tuple[str, ...]) -> Step[Skirmish]:
    """Who can do nothing more takes no further part (range_and_cover.use.no_body_to_reduce)."""
    for character in those:
        state = state_of(skirmish.table, character)
        if state is not Condition.FIT and not skirmish.one(character).out:
            text = f"{skirmish.name(character)} is out of the conflict: {state.value}."
            yield from note(text, "range_and_cover.use.no_body_to_reduce")
            skirmish = skirmish.change(character, out=state.value, aim=0)
    return skirmish


def _distracted(skirmish: Skirmish, character: str) -> Step[Skirmish]:
    """A distraction spoils what was aimed, unless the GM says otherwise.

    range_and_cover.aim.lost.
    """
    if not skirmish.one(character).aim:
        return skirmish
    spoiled = yield from consent(
        GM,
        "aim_spoiled",
        f"The wound spoils {skirmish.name(character)}'s aim",
        because="range_and_cover.aim.lost",
    )
    return skirmish.change(character, aim=0) if spoiled else skirmish
