"""Anatomy of injury: where a hit falls on the grayscale, and what it does at once.

Range and Cover, Fight!, spells and falls come in by :func:`wounded`, with a step of the grayscale.
What wounds cost is in ``conditions/wounds``, bleeding in ``injury/bleeding``, bearing pain in
``injury/shrugging_off`` and ``artha/bearing_pain``, treatment and recovery in the modules of
those names. How hard a hit was is in ``weapons``.
"""

from __future__ import annotations

from enum import Enum

import msgspec

from astragal.errors import BadInput
from astragal.games.game import SCENE, Arguments, Outcome, Procedure
from astragal.play import GM, Option, Play, Step, call, choose, note, then

from ..conditions.hesitation import RUN, hesitation_of, set_hesitation
from ..conditions.spell_tax import threaten_spells
from ..conditions.wounds import (
    AWAKE,
    Condition,
    add_wound,
    drop_wounds,
    level_at,
    name_of,
    note_condition,
    pain,
    softened,
    state_of,
    tolerances_of,
)
from ..sheet.editions import edition
from ..sheet.parts import Tolerances, Wound, WoundLevel
from ..sheet.ratings import Coordinate
from ..sheet.reading import preset_tolerances
from ..sheet.scene import BurningTable, Hesitation
from ..sheet.sheet import Sheet, dice_of, superficials_in_a_set
from ..steel.dice_and_hesitation import Cause, SteelTest
from ..steel.steel import SteelOutcome, nerves_tried
from .will_to_live import felled


class Location(Enum):
    """Where a hit can matter beyond the wound itself (injury.steel.option_arm and the others)."""

    ANYWHERE = ""
    ARM = "arm"
    LEG = "leg"
    HEAD = "head"


class TakeWound(Arguments, frozen=True):
    """A wound at a step of the grayscale (injury.ptgs.wound_is_coordinate).

    ``source`` is what caused it, ``location`` where it hit, ``weapon`` what the character holds
    (in that arm, if it was an arm) and ``strapped`` whether it cannot be dropped, ``opponent`` who
    faces the character; ``in_script`` is for scripted conflicts, which count hesitation
    themselves.
    """

    character: str
    at: Coordinate
    source: str = ""
    location: Location = Location.ANYWHERE
    weapon: str = ""
    strapped: bool = False
    opponent: str = ""
    in_script: bool = False


class WoundOutcome(Outcome, frozen=True):
    """The level of a wound, what all wounds cost with it, and the Steel test.

    ``wound`` is its number on the sheet; ``heartbeats`` are lost from the character's next
    action on. ``withdraw`` is what being on the ground adds to the obstacle of a Withdraw.
    """

    level: str
    wound: int = 0
    dice: int = 0
    obstacle: int = 0
    condition: str = Condition.FIT.value
    steel: SteelOutcome | None = None
    heartbeats: int = 0
    dropped: str = ""
    kneeling: bool = False
    prone: bool = False
    withdraw: int = 0


def take_wound(arguments: TakeWound, table: BurningTable) -> Play[WoundOutcome]:
    """Mark a hit on the grayscale, with all its consequences."""
    outcome, _ = yield from call(wounded, arguments, table)
    return outcome


def wounded(arguments: TakeWound, table: BurningTable) -> Play[tuple[WoundOutcome, BurningTable]]:
    """A wound is taken, in a conflict or outside of one; the table after it.

    It is given as a step of the grayscale (injury.ptgs.wound_is_coordinate).
    """
    character = arguments.character
    sheet = table.character(character)
    if sheet.dead:
        raise BadInput("character", character, f"a living character: {sheet.name} is dead")
    table = yield from with_tolerances(character, table)
    tolerances = tolerances_of(table.character(character), table.options)
    assert tolerances is not None
    step = yield from _lowered(sheet, arguments.at)
    level = None if step is None else level_at(tolerances, step)
    arguments = arguments if step is None else msgspec.structs.replace(arguments, at=step)
    if level is None:
        text = f"{sheet.name} is only scratched ({step or 'below the grayscale'})."
        yield from note(text, "injury.register.left_of_superficial")
        return _hurt(character, "", 0, table), table
    table = yield from mark(arguments, level, table)
    # A bruise below Superficial threatens no spell (sorcery.amb.may_not_hurt).
    table = yield from threaten_spells(table, character, "hurt")
    if level is WoundLevel.MORTAL:
        # No Steel test for the mortally wounded (injury.amb.steel_on_bleeding_or_mortal).
        table = yield from felled(table, character, len(sheet.wounds))
        return _hurt(character, level.value, len(sheet.wounds) + 1, table), table
    taken = table.character(character).wounds[-1]
    return then(suffer, arguments, level, taken, table)


def with_tolerances(character: str, table: BurningTable) -> Step[BurningTable]:
    """The tolerances on the sheet, or a row that the GM picks for a minor character.

    injury.ptgs.tolerance_placement, injury.amb.tolerance_placement.
    """
    sheet = table.character(character)
    if sheet.tolerances is not None:
        return table
    rule = "injury.ptgs.tolerance_placement"
    presets = preset_tolerances()
    options = tuple(
        Option(key=stats, label=f"Average stat {stats}", rule=rule, note=" ".join(steps))
        for stats, steps in presets.items()
    )
    picked = yield from choose(
        GM,
        "tolerances",
        f"{sheet.name}'s tolerances",
        options,
        default="B4" if "B4" in presets else None,
        because=rule,
    )
    steps = Tolerances(*(Coordinate.parse(step) for step in presets[picked]))
    return (yield from table.amend(character, "tolerances", steps, because=rule))


def _lowered(sheet: Sheet, at: Coordinate) -> Step[Coordinate | None]:
    """Iron scales lower every wound before it is marked (rogues.burned.iron_scales)."""
    step, traits = softened(sheet, at)
    if traits:
        names = " and ".join(trait.name for trait in traits)
        left = "nothing" if step is None else str(step)
        yield from note(f"{names}: {at} becomes {left}.", "rogues.burned.iron_scales")
    return step


# --- Registering wounds --------------------------------------------------------------------


def mark(arguments: TakeWound, level: WoundLevel, table: BurningTable) -> Step[BurningTable]:
    """Mark a wound on its own; numbers of different wounds never add up (injury.register.separate).

    The third superficial wound makes one light wound of all three, for its penalty and for
    recovery (injury.superficial.three, injury.superficial.three_is_light), and so does every
    further set (injury.superficial.further_sets, injury.amb.fourth_superficial). Only those that
    are still there count (injury.amb.superficial_recovered_then_new), also when they are shrugged
    off (injury.cobwebs.wound_stays).
    """
    character = arguments.character
    before = table.character(character)
    now = table.scene.calendar.moment
    new = Wound(level, (arguments.at,), arguments.source, taken=now, fresh=True)
    rule = "injury.register.separate"
    wounds = (*before.wounds, new)
    single = [
        at for at, w in enumerate(wounds) if w.level is WoundLevel.SUPERFICIAL and not w.course
    ]
    table = yield from add_wound(table, character, new, because=rule)
    text = f"{before.name} takes a {name_of(new)} at {arguments.at}: {_effect(level)}."
    yield from note(text, f"injury.effect.{level.value.casefold()}")
    if len(single) == superficials_in_a_set():
        marks = tuple(step for at in single for step in wounds[at].at)
        rule = "injury.superficial.three_is_light"
        table = yield from drop_wounds(table, character, single, because=rule)
        merged = Wound(
            WoundLevel.LIGHT, marks, arguments.source, merged=True, taken=now, fresh=True
        )
        table = yield from add_wound(table, character, merged, because=rule)
        yield from note("Three Superficial wounds count as one Light wound.", rule)
    return (yield from note_condition(before, character, table))


def _effect(level: WoundLevel) -> str:
    if level is WoundLevel.MORTAL:
        return "down and dying"
    return f"-{dice_of(level)}D" if dice_of(level) else "+1 Ob"


def _hurt(character: str, level: str, number: int, table: BurningTable) -> WoundOutcome:
    sheet = table.character(character)
    dice, obstacle = pain(sheet)
    return WoundOutcome(
        level=level,
        wound=number,
        dice=sum(line.amount for line in dice),
        obstacle=sum(line.amount for line in obstacle),
        condition=state_of(table, character).value,
    )


# --- Steel and pain ------------------------------------------------------------------------


def suffer(
    arguments: TakeWound, level: WoundLevel, taken: Wound, table: BurningTable
) -> Play[tuple[WoundOutcome, BurningTable]]:
    """Every wound that costs a die calls for a Steel test at once (injury.steel.trigger).

    So does the third superficial one (injury.steel.third_superficial), but not the first two; in
    the later edition every wound does (gold.steel.each_wound).
    """
    character = arguments.character
    sheet = table.character(character)
    hurt = _hurt(character, level.value, len(sheet.wounds), table)
    shakes = dice_of(taken.level) > 0 or edition(table.options).every_wound_shakes
    awake = state_of(table, character) in AWAKE
    if not (shakes and awake) or sheet.find("Steel") is None:
        return hurt, table
    rule = "injury.steel.trigger" if dice_of(taken.level) else "gold.steel.each_wound"
    if taken.merged:
        rule = "injury.steel.third_superficial"
    test = SteelTest(
        character=character,
        cause=Cause.PAIN,
        source=arguments.source.strip() or f"a {level.value} wound",
        forced_by=rule,
        opponent=arguments.opponent,
        weapon=arguments.weapon if sheet.has_in_hand(arguments.weapon) else "",
        in_script=arguments.in_script,
    )
    steel, table = yield from call(nerves_tried, test, table)
    return then(reel, arguments, hurt, steel, table)


def reel(
    arguments: TakeWound, hurt: WoundOutcome, steel: SteelOutcome, table: BurningTable
) -> Play[tuple[WoundOutcome, BurningTable]]:
    """Hesitation from pain starts at once and breaks off what was being done.

    injury.steel.hesitation_immediate: the next action is lost, and those that follow; one in the
    same moment as the wound still takes place (injury.amb.simultaneous_actions_and_hesitation).
    """
    hurt = msgspec.structs.replace(
        hurt, steel=steel, heartbeats=steel.heartbeats, dropped=steel.dropped, prone=steel.prone
    )
    if not steel.tested or steel.passed:
        return hurt, table
    if table.scene.argh_my_arm:
        hurt = yield from _argh(arguments, hurt, steel, table)
        table = yield from _kept_in_scene(arguments, hurt, table)
    return hurt, table


# --- Argh, my arm! -------------------------------------------------------------------------

PRONE_FROM = 2
"""Hesitating this long after a hit on the leg means prone (injury.steel.option_leg_prone)."""

GROUND = 2
"""What fighting from the ground adds to the obstacle (injury.steel.option_leg_run)."""


def _argh(
    arguments: TakeWound, hurt: WoundOutcome, steel: SteelOutcome, table: BurningTable
) -> Step[WoundOutcome]:
    """Hits on limbs and head, where the table plays with them.

    By what this test failed by: a hesitation that was longer before goes on as it was
    (steel.amb.tests_while_hesitating).
    """
    name = table.character(arguments.character).name
    lacking = -steel.margin
    match arguments.location:
        case Location.ARM if arguments.weapon and not arguments.strapped:
            # What that arm holds, but nothing strapped to it (injury.amb.argh_arm_which_hand).
            hurt = msgspec.structs.replace(hurt, dropped=arguments.weapon)
            yield from note(f"{name} drops {arguments.weapon}.", "injury.steel.option_arm")
        case Location.LEG if lacking >= PRONE_FROM:
            hurt = msgspec.structs.replace(hurt, prone=True)
            yield from note(f"{name} falls prone.", "injury.steel.option_leg_prone")
        case Location.LEG:
            hurt = msgspec.structs.replace(hurt, kneeling=True)
            yield from note(f"{name} falls to one knee.", "injury.steel.option_leg_kneel")
        case Location.HEAD:
            added = table.options["steel_overlapping_hesitation"] == "added"
            longer = hurt.heartbeats + 1 if added else max(hurt.heartbeats, lacking + 1)
            hurt = msgspec.structs.replace(hurt, heartbeats=longer)
            yield from note(f"{name} hesitates for one more action.", "injury.steel.option_head")
        case _:
            pass
    if arguments.location is Location.LEG and steel.reaction == RUN:
        hurt = msgspec.structs.replace(hurt, withdraw=GROUND)
        text = f"{name} is on the ground: +{GROUND} Ob to Withdraw."
        yield from note(text, "injury.steel.option_leg_run")
    return hurt


def _kept_in_scene(
    arguments: TakeWound, hurt: WoundOutcome, table: BurningTable
) -> Step[BurningTable]:
    """Keep in the scene what the hit has done, unless a scripted conflict keeps count itself."""
    left = hesitation_of(table, arguments.character)
    if left is None or arguments.in_script:
        return table
    after: Hesitation = msgspec.structs.replace(
        left,
        heartbeats=hurt.heartbeats,
        prone=left.prone or hurt.prone,
        kneeling=left.kneeling or hurt.kneeling,
        dropped=hurt.dropped or left.dropped,
    )
    because = "injury.steel.hesitation_immediate"
    return (yield from set_hesitation(table, arguments.character, after, because=because))


class PlayWithArghMyArm(Arguments, frozen=True):
    """Whether hits on arm, leg and head have further effects."""

    allowed: bool = True


class ArghMyArm(Outcome, frozen=True):
    """Whether the table plays with them."""

    argh_my_arm: bool


def play_with_argh_my_arm(arguments: PlayWithArghMyArm, table: BurningTable) -> Play[ArghMyArm]:
    """The table agrees to play with Argh, My Arm!, or to stop."""
    because = "injury.steel.option_arm"
    yield from table.amend(SCENE, "argh_my_arm", arguments.allowed, because=because)
    return ArghMyArm(arguments.allowed)


PROCEDURES = (
    Procedure("take_wound", "Take a wound", TakeWound, take_wound, gm_only=True, frequent=12),
    Procedure(
        "play_with_argh_my_arm",
        "Argh, My Arm!: on or off",
        PlayWithArghMyArm,
        play_with_argh_my_arm,
        gm_only=True,
    ),
)
