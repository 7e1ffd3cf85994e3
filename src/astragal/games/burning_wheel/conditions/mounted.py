"""In the saddle: who rides what, and what riding does to every test of the rider.

Riding itself is in ``riding``. What a moving beast adds to the actions of a fight is here, too,
for all conflicts (``riding.table.rider_penalties``).
"""

from __future__ import annotations

from enum import Enum
from functools import cache

from astragal.errors import NotAllowed
from astragal.play import Line, Option
from astragal.rules import Record, catalogue

from ..sheet.scene import BurningTable, InSaddle
from ..sheet.sheet import Sheet
from .armor_weight import MISSILE_SKILLS, has_training, is_fighting
from .lines import Lines, Tester

RIDING = "Riding"

RIDER_TRAINING = "Rider Training"
"""What a beast needs to be ridden (riding.test.rider_training, riding.amb.training_name)."""

MOUNTED_COMBAT = "Mounted Combat Training"
"""What knights and their mounts have."""

MOUNTED_BOWMAN = "Mounted Combat Training (bowman)"

TACK = ("saddle", "stirrup", "bit", "bridle", "harness", "tack", "riding gear")
WHOLE_TACK = ("tack", "riding gear")
"""Words for all of it."""


# --- Who rides what --------------------------------------------------------------------------


def saddle_of(table: BurningTable, rider: str) -> InSaddle | None:
    """The saddle that a character sits in, if any."""
    return next((each for each in table.scene.riders if each.rider == rider), None)


def mount_of(table: BurningTable, rider: str) -> str:
    """What a character rides; empty for one on foot."""
    saddle = saddle_of(table, rider)
    return "" if saddle is None else saddle.mount


def rider_of(table: BurningTable, mount: str) -> str:
    """Who rides a beast; empty if nobody does."""
    return next((each.rider for each in table.scene.riders if each.mount == mount), "")


def seated(table: BurningTable, rider: str, place: str = "character") -> InSaddle:
    """The saddle that a character sits in, or a refusal."""
    sheet = table.character(rider, place)
    saddle = saddle_of(table, rider)
    if saddle is None:
        what = f"{sheet.name} is not in the saddle: mount up first"
        raise NotAllowed(what, "riding.test.obstacle")
    return saddle


def check_seated(rider: str, table: BurningTable) -> InSaddle:
    """The saddle that somebody sits in who can ride on; or a refusal."""
    return seated(table, rider)


# --- Gear and training -----------------------------------------------------------------------


def tack_of(mount: Sheet) -> frozenset[str]:
    """What riding gear a beast wears, by the words in ``TACK``."""
    worn = " ".join(gear.name.casefold() for gear in mount.gear)
    return frozenset(word for word in TACK if word in worn)


def has_saddle(mount: Sheet) -> bool:
    """Whether it has what fighting from its back takes: saddle and stirrups.

    riding.combat.saddle_stirrups.
    """
    tack = tack_of(mount)
    return bool(tack & set(WHOLE_TACK)) or {"saddle", "stirrup"} <= tack


def has_harness(mount: Sheet) -> bool:
    """Whether it has what a lance takes: saddle, stirrups and harness.

    riding.lance.charge_requirements.
    """
    tack = tack_of(mount)
    return has_saddle(mount) and bool(tack & {"harness", "bridle", *WHOLE_TACK})


def is_knight(sheet: Sheet) -> bool:
    """Whether somebody, or a beast, is trained to fight mounted."""
    return has_training(sheet, MOUNTED_COMBAT)


def is_bowman(sheet: Sheet) -> bool:
    """Whether somebody is trained to shoot from the saddle."""
    return has_training(sheet, MOUNTED_BOWMAN)


@cache
def limits(body_type: str) -> Record:
    """What a beast may do in a fight (``riding.table.mount_action_limits``).

    Great Wolves and Great Spiders have lines of their own; every other beast is limited as a horse
    is (riding.combat.horse_limits).
    """
    table = catalogue().table("riding.table.mount_action_limits")
    rows = table.all_where(mount=body_type)
    return rows[0] if rows else table.where(mount="horse")


def has_own_mind(mount: Sheet) -> bool:
    """Whether a beast scripts for itself, as those that no horse's limits hold for do.

    riding.script.wolves_spiders.
    """
    return limits(mount.body_type)["avoid_code"] == "always"


# --- Every test ------------------------------------------------------------------------------


def mounted_on_test(tester: Tester) -> Lines:
    """What being in the saddle does to a test of the rider.

    Riding gear is a die to control the mount (riding.test.gear), one for all of it
    (riding.amb.gear_dice). Half out of the saddle everything is harder
    (riding.lance.unhorse_one_pace), and melee is for a rider without training
    (riding.untrained.plus_one).
    """
    saddle = saddle_of(tester.table, tester.character)
    if saddle is None:
        return Lines()
    dice: tuple[Line, ...] = ()
    obstacle: tuple[Line, ...] = ()
    mount = tester.table.characters.get(saddle.mount)
    if tester.name.casefold() == RIDING.casefold() and mount is not None and tack_of(mount):
        dice = (Line(1, "riding gear", "riding.test.gear"),)
    if saddle.half_out:
        obstacle += half_out_line()
    if _is_melee(tester):
        obstacle += untrained_line(tester.sheet)
    return Lines(dice, obstacle)


def _is_melee(tester: Tester) -> bool:
    fights = is_fighting(tester.tested, tester.missing_skill)
    return fights and tester.name not in MISSILE_SKILLS


def melee_doublings(tester: Tester) -> tuple[Line, ...]:
    """What doubles the base obstacle of a test: melee without saddle and stirrups.

    riding.combat.saddle_stirrups. The amount is how many times more it counts.
    """
    return bareback(tester.table, tester.character) if _is_melee(tester) else ()


def bareback(table: BurningTable, rider: str) -> tuple[Line, ...]:
    """What the lack of saddle and stirrups does to melee (riding.combat.saddle_stirrups)."""
    mount = table.characters.get(mount_of(table, rider))
    if mount is None or has_saddle(mount):
        return ()
    return (Line(1, "no saddle and stirrups", "riding.combat.saddle_stirrups"),)


@cache
def half_out_line() -> tuple[Line, ...]:
    """What it costs to be half out of the saddle (``riding.table.unhorse``)."""
    row = catalogue().table("riding.table.unhorse").where(result_code="half_out")
    rule = "riding.lance.unhorse_one_pace"
    return (Line(row.number("ob_penalty"), "half out of the saddle", rule),)


def untrained_line(rider: Sheet) -> tuple[Line, ...]:
    """What melee costs a rider without Mounted Combat training (riding.untrained.plus_one).

    The training of a knight lifts it (riding.knight.no_mounted_penalty), and so does that of a
    bowman (riding.bowman.no_mounted_penalty).
    """
    if is_knight(rider) or is_bowman(rider):
        return ()
    amount = _penalties("none", "melee maneuver").number("standing")
    return (Line(amount, "fights mounted", "riding.untrained.plus_one"),)


# --- While the beast moves -------------------------------------------------------------------

STANDING, WALKING = "standing", "walking_or_maintaining"
CLOSING, WITHDRAWING = "closing", "withdrawing"


class RiderAct(Enum):
    """What a rider does, as far as it matters to the penalties of a moving beast."""

    SHOT = "shooting"
    OTHER = "any other action"


@cache
def _penalties(training: str, action: str) -> Record:
    table = catalogue().table("riding.table.rider_penalties")
    return table.where(training=training, action=action)


def moving_lines(rider: Sheet, moves: str, act: RiderAct) -> tuple[Line, ...]:
    """What a moving beast adds to the obstacle of its rider's actions.

    One that stands adds nothing (riding.amb.standing_vs_maintaining). Who has both trainings has
    the better of the two.
    """
    found = []
    if is_knight(rider):
        found.append(_knight(moves))
    if is_bowman(rider):
        found.append(_bowman(moves, act))
    if not found:
        return _untrained(moves)
    return min(found, key=lambda lines: sum(line.amount for line in lines))


@cache
def _untrained(moves: str) -> tuple[Line, ...]:
    """A moving beast (riding.untrained.beast_moving), and more if it Closes or Withdraws.

    riding.untrained.beast_close_withdraw; both add up (riding.amb.penalties_stack).
    """
    row = _penalties("none", "melee maneuver")
    if moves == STANDING:
        return ()
    walks = row.number(WALKING) - row.number(STANDING)
    lines = (Line(walks, "moving beast", "riding.untrained.beast_moving"),)
    further = row.number(moves) - row.number(WALKING)
    rule = "riding.untrained.beast_close_withdraw"
    return (*lines, Line(further, f"{moves} beast", rule)) if further else lines


@cache
def _knight(moves: str) -> tuple[Line, ...]:
    """One in all if the mount Closes or Withdraws (riding.knight.close_withdraw).

    riding.amb.knight_close_total; nothing while it walks or Maintains
    (riding.knight.walk_maintain).
    """
    amount = _penalties("Mounted Combat (knight)", "melee maneuver").number(moves)
    rule = "riding.knight.close_withdraw"
    return (Line(amount, f"{moves} mount", rule),) if amount else ()


@cache
def _bowman(moves: str, act: RiderAct) -> tuple[Line, ...]:
    """Shots while the mount Closes or Withdraws (riding.bowman.shooting), and all other actions.

    riding.bowman.other_actions, also while it Maintains; not shots
    (riding.amb.bowman_shoot_maintain).
    """
    amount = _penalties("Mounted Combat (bowman)", act.value).number(moves)
    rule = "riding.bowman.shooting" if act is RiderAct.SHOT else "riding.bowman.other_actions"
    return (Line(amount, f"{moves.replace('_', ' ')} mount", rule),) if amount else ()


@cache
def own_avoid_line() -> tuple[Line, ...]:
    """What it costs to duck in the saddle, for the trained as well.

    riding.avoid.rider, riding.avoid.trained_same; it adds to the rest
    (riding.amb.avoid_penalty_stacks).
    """
    amount = _penalties("any", "rider's own Avoid").number(STANDING)
    return (Line(amount, "Avoids in the saddle", "riding.avoid.rider"),)


def elevation(table: BurningTable, shooter: str, target: str) -> tuple[Line, ...]:
    """What a mounted bowman has for being above a target on foot (riding.bowman.elevation)."""
    sheet = table.character(shooter)
    if not mount_of(table, shooter) or not is_bowman(sheet) or mount_of(table, target):
        return ()
    return (Line(1, "from the saddle", "riding.bowman.elevation"),)


# --- Nerves ----------------------------------------------------------------------------------


@cache
def mount_reactions() -> tuple[Option, ...]:
    """What a mount may do that has failed a Steel test (riding.steel.mount_reactions)."""
    rows = catalogue().table("riding.table.mount_steel_reactions").records()
    return tuple(
        Option(
            key=row.text("mount_reaction"),
            label=row.text("mount_reaction").capitalize(),
            rule="riding.steel.mount_reactions",
            note=_rider_test(row),
        )
        for row in rows
    )


def _rider_test(row: Record) -> str:
    """What a reaction asks of the rider, in words."""
    obstacle = row.number("rider_ob")
    return f"the rider needs an Ob {obstacle} Riding test" if obstacle else ""


def mount_reaction(key: str) -> Record:
    """A mount's reaction: the usual one that it counts as, and the rider's Riding test."""
    return catalogue().table("riding.table.mount_steel_reactions").where(mount_reaction=key)
