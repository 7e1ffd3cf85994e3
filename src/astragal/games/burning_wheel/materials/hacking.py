"""Hacking at a door, a window or a wall until it gives way.

A part of the chapter on materials (``materials/materials``). Scripted conflicts call
:func:`hacked` for each Strike at a material.
"""

from __future__ import annotations

from enum import Enum

import msgspec

from astragal.dice import Shade
from astragal.errors import BadInput, NotAllowed
from astragal.games.game import Arguments, Outcome, Procedure
from astragal.play import GM, Play, Step, Text, ask, consent, note
from astragal.rules import Options, catalogue

from ..sheet.durations import parse_duration
from ..sheet.ranged_weapons import ranged
from ..sheet.ratings import Coordinate
from ..sheet.scene import BurningTable, MaterialSection
from ..sheet.weapon_tables import FIST, Weapon, ways
from ..weapons.damage import way_to_strike
from ..weapons.loading import check_loaded, unload
from ..weapons.missiles import check_may_use, head_of, numbers_of
from ..weapons.shaded_damage import roll_over
from ..weapons.speed import check_great_strike
from ..weapons.wielding import lighter_power, take_up
from .materials import Material, breached, in_the_way, mark_of, set_section

# --- What one attack does --------------------------------------------------------------------

SCRATCHES = 3
"""The scratches that make one Breach (materials.hack.three_scratches)."""


class HackResult(Enum):
    """What one attack does to a material (``materials.table.hack_result``)."""

    NOTHING = "nothing"
    SCRATCH = "one scratch"
    BREACH = "one Breach"
    DESTROYED = "destroyed at once"


RULE_OF = {
    HackResult.NOTHING: "materials.hack.below_surface",
    HackResult.SCRATCH: "materials.hack.scratch",
    HackResult.BREACH: "materials.hack.breach",
    HackResult.DESTROYED: "materials.hack.destroyed_outright",
}


def struck_by(made_of: Material, mark: Coordinate) -> HackResult:
    """What an attack with this Mark does; to reach a rating is enough.

    materials.hack.like_wounding, materials.stat.surface, materials.stat.breach,
    materials.stat.destroyed.

    >>> from astragal.games.burning_wheel.materials.materials import material_named
    >>> struck_by(material_named("thin wall"), Coordinate.parse("B6"))
    <HackResult.BREACH: 'one Breach'>
    """
    reached = "none"
    for code, step in (
        ("surface", made_of.surface),
        ("breach", made_of.breach),
        ("destroyed", made_of.destroyed),
    ):
        if mark.place >= step.place:
            reached = code
    table = catalogue().table("materials.table.hack_result")
    return HackResult(table.value("result", reached_code=reached))


def hacked(
    section: MaterialSection, made_of: Material, mark: Coordinate
) -> tuple[MaterialSection, HackResult]:
    """A section after one attack, by its Mark alone (materials.hack.use_mark).

    VA and Strength play no part (materials.amb.attack_kinds).
    """
    done = struck_by(made_of, mark)
    if done is HackResult.DESTROYED:
        return msgspec.structs.replace(section, destroyed=True), done
    if done is HackResult.SCRATCH:
        section = msgspec.structs.replace(section, scratches=section.scratches + 1)
        if section.scratches < SCRATCHES:
            return section, done
        section = msgspec.structs.replace(section, scratches=0)
        return breached(section, made_of), done
    return (breached(section, made_of) if done is HackResult.BREACH else section), done


# --- Played ----------------------------------------------------------------------------------


class Hack(Arguments, frozen=True):
    """Who hacks at what, and with what.

    ``section`` is what the thing is called, ``material`` what it is made of: needed the first
    time, and enough where there is only one of its kind. ``attacks`` is how many are made, 0 for
    as many as it takes. ``shot`` says that a weapon that could also strike is thrown.
    """

    character: str
    section: str = ""
    material: str = ""
    weapon: str = ""
    way: str = ""
    attacks: int = 1
    great_strike: bool = False
    shot: bool = False


class HackOutcome(Outcome, frozen=True):
    """What the attacks did; in a conflict each is one Strike action.

    materials.amb.time_each_hack. Outside a conflict the GM sets the ``seconds``.
    """

    mark: str
    results: tuple[str, ...]
    attacks: int
    scratches: int
    breaches: int
    destroyed: bool
    seconds: int = 0


MOST_ATTACKS = 100
"""A larger number is a slip of the keyboard."""


def hack(arguments: Hack, table: BurningTable) -> Play[HackOutcome]:
    """Damage a material: no dice, the attack does its Mark (materials.hack.use_mark)."""
    if not 0 <= arguments.attacks <= MOST_ATTACKS:
        expected = f"1 to {MOST_ATTACKS}, or 0 for as many as it takes"
        raise BadInput("attacks", arguments.attacks, expected, "materials.amb.time_each_hack")
    carried = take_up(table, arguments.character, arguments.weapon, strikes=True)
    shot = arguments.shot or not ways(carried, table.options)
    if arguments.great_strike and not shot:
        _check_great_strike(carried, arguments.way, table.options)
    section, made_of = yield from in_the_way(arguments.section, arguments.material, table)
    if shot:
        mark = yield from _mark_of_shot(arguments, carried, made_of, table)
    else:
        mark = yield from _mark_of_blow(arguments, carried, table)
    after: MaterialSection = section
    done: list[HackResult] = []
    while not after.destroyed and len(done) < (arguments.attacks or MOST_ATTACKS):
        after, result = hacked(after, made_of, mark)
        done.append(result)
        if result is HackResult.NOTHING and not arguments.attacks:
            break
    if after != section:
        table = yield from set_section(table, after, because=RULE_OF[done[-1]])
    if shot:
        yield from unload(table, arguments.character, carried, "fight.shoot.reload_totals")
    yield from note(_said(after, made_of, mark, done), RULE_OF[done[-1]])
    said = yield from ask(
        GM,
        "time",
        f"How long did it take? ({_attacks(len(done))})",
        Text(default="instantaneous"),
        because="materials.amb.time_each_hack",
        kind="aside",
    )
    return HackOutcome(
        mark=str(mark),
        results=tuple(each.value for each in done),
        attacks=len(done),
        scratches=after.scratches,
        breaches=after.breaches,
        destroyed=after.destroyed,
        seconds=parse_duration(said),
    )


def _said(
    section: MaterialSection, made_of: Material, mark: Coordinate, done: list[HackResult]
) -> str:
    """What the attacks did, and the state of the section."""
    state = f"Breaches {section.breaches} of {made_of.integrity}, scratches {section.scratches}."
    if section.destroyed:
        state = "It is destroyed and no longer in the way."
    last = "; the last" if len(done) > 1 else ""
    return (
        f"{section.name}, {_attacks(len(done))} with Mark {mark}{last}: {done[-1].value}. {state}"
    )


def _attacks(number: int) -> str:
    return "1 attack" if number == 1 else f"{number} attacks"


GREAT = 1
"""What a Great Strike adds to Power (fight.great_strike.bonus_choice)."""


def _mark_of_blow(arguments: Hack, carried: Weapon, table: BurningTable) -> Step[Coordinate]:
    """The Mark of a blow with all that raises it (materials.amb.attack_kinds)."""
    sheet = table.character(arguments.character)
    way = way_to_strike(carried, arguments.way, table.options)
    more = GREAT if arguments.great_strike else 0
    bonus = yield from lighter_power(arguments.character, carried, table)
    return mark_of(sheet, carried, way, with_bonus=bonus, more=more)


def _check_great_strike(carried: Weapon, way: str, options: Options) -> None:
    check_great_strike(way_to_strike(carried, way, options))
    only_marked = options["fight_great_strike_unarmed"] == "marked_weapons_only"
    if carried.weapon == FIST and only_marked:
        what = "By this table's house rules, bare hands cannot make a Great Strike"
        raise NotAllowed(what, "fight.amb.great_strike_unarmed")


def _mark_of_shot(
    arguments: Hack, carried: Weapon, made_of: Material, table: BurningTable
) -> Step[Coordinate]:
    """Missiles and thrown weapons hack where the GM allows it, or by house rule.

    materials.amb.attack_kinds.
    """
    sheet = table.character(arguments.character)
    rule = "materials.amb.attack_kinds"
    allowed = table.options["materials_missiles_hack"]
    sensible = allowed == "always"
    if allowed == "gm_each_time":
        sensible = yield from consent(
            GM,
            "missile_hacks",
            f"Can the {carried.called} damage the {made_of.name}?",
            because=rule,
        )
    if not sensible:
        raise NotAllowed(f"The {carried.called} cannot damage the {made_of.name}", rule)
    weapon = ranged(carried.weapon, table.options, carried.quality)
    check_loaded(carried, weapon)
    check_may_use(sheet, carried.weapon)
    numbers = numbers_of(sheet, carried, weapon, head_of(carried, ""))
    return roll_over(Shade.parse(numbers.shade), numbers.mark)


PROCEDURES = (Procedure("hack", "Hack at a door, window or wall", Hack, hack),)
