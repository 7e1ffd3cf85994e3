"""Materials: hacking at a door, a window or a wall, and striking somebody through it.

A material is hurt much as a character is, but no dice are rolled for it. Every section that has
been damaged is kept in the scene. Shooting through something is in
``materials/shooting_through``, being thrown against it in
``materials/thrown_against``. Scripted conflicts call :func:`hacked` for
each Strike at a material, and the rules for riding use its Strength.
"""

from __future__ import annotations

import difflib
from enum import Enum
from functools import cache

import msgspec

from astragal.dice import Shade
from astragal.errors import BadInput, NotAllowed
from astragal.games.burning_wheel.sheet.durations import parse_duration
from astragal.games.burning_wheel.sheet.ratings import Coordinate
from astragal.games.burning_wheel.sheet.scene import BurningTable, Section
from astragal.games.burning_wheel.sheet.sheet import Sheet
from astragal.games.burning_wheel.sheet.weapon_tables import (
    FIST,
    Melee,
    Weapon,
    is_reloaded,
    ranged,
    ways,
)
from astragal.games.burning_wheel.sheet.weapons_carried import armed_with, check_whole
from astragal.games.burning_wheel.weapons.blows import (
    BASE,
    Strike,
    StrikeOutcome,
    Swung,
    after_strike,
    open_location,
)
from astragal.games.burning_wheel.weapons.damage import struck_with, way_to_strike
from astragal.games.burning_wheel.weapons.missiles import allowed_to, head_of, numbers_of
from astragal.games.burning_wheel.weapons.shaded_damage import add_bonus, roll_over
from astragal.games.burning_wheel.weapons.shooting import unload
from astragal.games.burning_wheel.weapons.speed import check_great_strike
from astragal.games.burning_wheel.weapons.wielding import aim_with, hindrances, roll_weapon
from astragal.games.game import SCENE, Arguments, Outcome, Procedure
from astragal.play import (
    GM,
    Line,
    Noted,
    Number,
    Play,
    Step,
    Tally,
    Text,
    ask,
    call,
    confirm,
    tell,
)
from astragal.rules import Options, catalogue

# --- What things are made of -----------------------------------------------------------------


class Material(msgspec.Struct, frozen=True):
    """What a material withstands: five statistics (materials.stat.five).

    Three are steps of the grayscale: from ``surface`` on it is scratched
    (materials.stat.surface), from ``breach`` on it has a hole (materials.stat.breach), from
    ``destroyed`` on it is wrecked (materials.stat.destroyed). ``integrity`` is how many holes one
    section takes (materials.stat.integrity), ``strength`` how stiff it is
    (materials.stat.strength).
    """

    name: str
    surface: Coordinate
    breach: Coordinate
    destroyed: Coordinate
    integrity: int
    strength: int


@cache
def materials() -> dict[str, Material]:
    """Every material of ``materials.table.statistics``, by its name in small letters.

    >>> materials()["heavy door"].integrity
    2
    """
    found = {}
    for row in catalogue().table("materials.table.statistics").records():
        name = str(row["material"]).casefold()
        surface, breach, destroyed = (
            Coordinate.parse(row[column]) for column in ("surface", "breach", "destroyed")
        )
        integrity, strength = row.number("integrity"), row.number("strength")
        found[name] = Material(name, surface, breach, destroyed, integrity, strength)
    return found


def material_named(name: str, place: str = "material") -> Material:
    """The material of that name."""
    found = materials().get(" ".join(name.casefold().split()))
    if found is None:
        near = difflib.get_close_matches(name.casefold(), materials(), n=3) or materials()
        raise BadInput(place, name, f"a material: {', '.join(near)}", "materials.stat.five")
    return found


# --- A section -------------------------------------------------------------------------------


def find_section(table: BurningTable, name: str) -> Section | None:
    """The section of that name, if anybody has damaged it yet."""
    wanted = name.casefold().strip()
    return next((s for s in table.scene.sections if s.name.casefold() == wanted), None)


def in_the_way(name: str, material: str, table: BurningTable) -> Step[tuple[Section, Material]]:
    """The section that is attacked, and what it is made of.

    The scene knows it by its ``name`` once it has been damaged; before that its ``material`` is
    enough. It is something that one character could sensibly attack, and no building
    (materials.scope.sections): the GM says so.
    """
    known = find_section(table, name or material)
    if known is None:
        made_of = material_named(material)
        new = Section(name.strip() or made_of.name, made_of.name)
        rule = "materials.scope.sections"
        sensible = yield from confirm(
            GM,
            "one_section",
            f"Is it a section that one character could attack? ({new.name})",
            default=True,
            because=rule,
        )
        if not sensible:
            raise NotAllowed(f"{new.name} is more than one character could attack", rule)
        return new, made_of
    made_of = material_named(known.material, f"scene.sections.{known.name}.material")
    if material and material_named(material) != made_of:
        raise BadInput("material", material, f"{made_of.name}, as before", "materials.stat.five")
    if known.destroyed:
        what = f"{known.name} is destroyed, and no longer in the way"
        raise NotAllowed(what, "materials.hack.destroyed_outright")
    return known, made_of


def set_section(table: BurningTable, section: Section, *, because: str) -> Step[BurningTable]:
    """Keep in the scene what a section has suffered."""
    before = table.scene.sections
    known = find_section(table, section.name)
    if known is None:
        after: tuple[Section, ...] = (*before, section)
    else:
        after = tuple(section if each == known else each for each in before)
    return (yield from table.amend(SCENE, "sections", after, because=because))


# --- Hacking at it ---------------------------------------------------------------------------

SCRATCHES = 3
"""So many scratches are one Breach (materials.hack.three_scratches)."""


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


def hacked(section: Section, made_of: Material, mark: Coordinate) -> tuple[Section, HackResult]:
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


def breached(section: Section, made_of: Material) -> Section:
    """One Breach more; as many as its Integrity destroy it (materials.hack.integrity_spent).

    materials.stat.integrity.
    """
    breaches = section.breaches + 1
    destroyed = breaches >= made_of.integrity
    return msgspec.structs.replace(section, breaches=breaches, destroyed=destroyed)


class Hack(Arguments, frozen=True):
    """Who hacks at what, and with what.

    ``section`` is what the thing is called, ``material`` what it is made of: needed the first
    time, and enough where there is only one of its kind. ``attacks`` is how many are made, 0 for
    as many as it takes. ``shot`` is for weapons that could strike as well but are thrown.
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
    """What it came to; in a conflict each attack is one Strike action.

    materials.amb.time_each_hack. ``seconds`` is the GM's word outside of one.
    """

    mark: str
    results: tuple[str, ...]
    attacks: int
    scratches: int
    breaches: int
    destroyed: bool
    seconds: int = 0


MOST_ATTACKS = 100
"""More at once is a slip of the keyboard."""


def hack(arguments: Hack, table: BurningTable) -> Play[HackOutcome]:
    """Damage a material: no dice, the attack does its Mark (materials.hack.use_mark)."""
    if not 0 <= arguments.attacks <= MOST_ATTACKS:
        expected = f"1 to {MOST_ATTACKS}, or 0 for as many as it takes"
        raise BadInput("attacks", arguments.attacks, expected, "materials.amb.time_each_hack")
    sheet = table.character(arguments.character)
    carried = armed_with(sheet, arguments.weapon)
    check_whole(carried)
    section, made_of = yield from in_the_way(arguments.section, arguments.material, table)
    shot = arguments.shot or not ways(carried, table.options)
    if shot:
        mark = yield from _mark_of_shot(arguments, carried, made_of, table)
    else:
        mark = yield from _mark_of_blow(arguments, carried, table)
    after: Section = section
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
    yield from tell(Noted(_said(after, made_of, mark, done), RULE_OF[done[-1]]))
    said = yield from ask(
        GM,
        "time",
        f"How long did it take? ({len(done)} attacks)",
        Text(default="instantaneous"),
        because="materials.amb.time_each_hack",
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


def _said(section: Section, made_of: Material, mark: Coordinate, done: list[HackResult]) -> str:
    """The section as it stands, and what the last attack did to it."""
    state = f"Breaches {section.breaches} of {made_of.integrity}, scratches {section.scratches}"
    if section.destroyed:
        state = "it is destroyed, and no longer in the way"
    times = "once" if len(done) == 1 else f"{len(done)} times"
    return f"{section.name}, {times} with {mark}, {done[-1].value}: {state}."


GREAT = 1
"""What a Great Strike adds to Power (fight.great_strike.bonus_choice)."""


def _mark_of_blow(arguments: Hack, carried: Weapon, table: BurningTable) -> Step[Coordinate]:
    """The Mark of a blow with all that raises it (materials.amb.attack_kinds)."""
    sheet = table.character(arguments.character)
    way = way_to_strike(carried, arguments.way, table.options)
    more = 0
    if arguments.great_strike:
        _check_great_strike(carried, way, table.options)
        more = GREAT
    bonus = yield from lighter_power(arguments.character, carried, table)
    return mark_of(sheet, carried, way, with_bonus=bonus, more=more)


def _check_great_strike(carried: Weapon, way: Melee, options: Options) -> None:
    check_great_strike(way)
    only_marked = options["fight_great_strike_unarmed"] == "marked_weapons_only"
    if carried.weapon == FIST and only_marked:
        what = "bare hands are not for a Great Strike at this table"
        raise NotAllowed(what, "fight.amb.great_strike_unarmed")


def lighter_power(character: str, carried: Weapon, table: BurningTable) -> Step[bool]:
    """Whether a lighter Power goes into the weapon, where there is one of both."""
    if carried.weapon == FIST:
        return False
    sheet = table.character(character)
    power = sheet.ability("Power", "stats").rating
    shade = Shade.parse(carried.shade)
    return (yield from add_bonus(sheet.seat(character), power, shade, carried.called))


def mark_of(
    sheet: Sheet, carried: Weapon, way: Melee, *, with_bonus: bool = False, more: int = 0
) -> Coordinate:
    """The Mark of a blow as a step of the scale, which is where materials have their ratings."""
    numbers = struck_with(sheet, carried, way, with_bonus=with_bonus)
    return roll_over(Shade.parse(numbers.shade), numbers.mark + more)


def _mark_of_shot(
    arguments: Hack, carried: Weapon, made_of: Material, table: BurningTable
) -> Step[Coordinate]:
    """Missiles and thrown weapons hack where the GM finds it sensible, or as the group has it.

    materials.amb.attack_kinds.
    """
    sheet = table.character(arguments.character)
    rule = "materials.amb.attack_kinds"
    allowed = table.options["materials_missiles_hack"]
    sensible = allowed == "always"
    if allowed == "gm_each_time":
        sensible = yield from confirm(
            GM,
            "missile_hacks",
            f"Can the {carried.called} do anything to it? ({made_of.name})",
            default=True,
            because=rule,
        )
    if not sensible:
        raise NotAllowed(f"the {carried.called} does nothing to the {made_of.name}", rule)
    check_loaded(carried)
    allowed_to(sheet, carried.weapon)
    weapon = ranged(carried.weapon, table.options)
    numbers = numbers_of(sheet, carried, weapon, head_of(carried, ""))
    return roll_over(Shade.parse(numbers.shade), numbers.mark)


def check_loaded(carried: Weapon) -> None:
    """A crossbow or a gun has to be loaded."""
    if is_reloaded(carried.weapon) and not carried.loaded:
        raise NotAllowed(f"the {carried.called} is not loaded", "fight.shoot.reload_totals")


# --- Breaking through ------------------------------------------------------------------------

LEAST, MOST = 2, 10
"""What striking through something adds to the obstacle, at least (materials.break.ob_penalty)."""


class BreakThrough(Strike, frozen=True):
    """A Strike at somebody behind something: its name in the scene, and its material."""

    section: str = ""
    material: str = ""


class BreakThroughOutcome(Outcome, frozen=True):
    """Whether the attack got through, and what the Strike then did.

    ``add`` is the weapon's with the material's Strength; ``strike`` is none if the material held,
    and ``passed`` says whether the person was hit.
    """

    passed: bool
    through: bool
    mark: str
    add: Tally = Tally()
    strike: StrikeOutcome | None = None
    breaches: int = 0
    destroyed: bool = False


def break_through(arguments: BreakThrough, table: BurningTable) -> Play[BreakThroughOutcome]:
    """Strike somebody through a wall or the like.

    The Mark must reach its Breach rating (materials.break.requirement,
    materials.amb.breaking_power_or_mark). The blow makes one Breach, whoever it hits
    (materials.amb.break_damages_wall).
    """
    character = arguments.character
    sheet = table.character(character)
    carried = armed_with(sheet, arguments.weapon)
    check_whole(carried)
    way = way_to_strike(carried, arguments.way, table.options)
    section, made_of = yield from in_the_way(arguments.section, arguments.material, table)
    bonus = yield from lighter_power(character, carried, table)
    mark = mark_of(sheet, carried, way, with_bonus=bonus)
    if mark < made_of.breach:
        text = f"The {made_of.name} holds: {mark} does not reach {made_of.breach}."
        yield from tell(Noted(text, "materials.break.requirement"))
        return BreakThroughOutcome(False, False, str(mark), breaches=section.breaches)
    opening = yield from open_location(arguments.target, table)
    against = yield from hindrances(
        "fight.table.melee_obstacles",
        f"What hampers {sheet.name}'s blow?",
        "weapons.strike.modifiers",
    )
    against += yield from _penalty(made_of)
    aimed = yield from aim_with(arguments, carried, BASE, against, table)
    thrown = yield from roll_weapon(aimed, table)
    section = breached(section, made_of)
    because = "materials.amb.break_damages_wall"
    table = yield from set_section(table, section, because=because)
    add = stiffened(way, made_of)
    # Meeting the obstacle is an Incidental hit at least (materials.break.minimum_incidental).
    swung = Swung(character, carried, msgspec.structs.replace(way, add=add.total), opening, bonus)
    struck = yield from call(after_strike, swung, aimed, thrown, table)
    return BreakThroughOutcome(
        passed=struck.passed,
        through=True,
        mark=str(mark),
        add=add,
        strike=struck,
        breaches=section.breaches,
        destroyed=section.destroyed,
    )


def _penalty(made_of: Material) -> Step[tuple[Line, ...]]:
    rule = "materials.break.ob_penalty"
    penalty = yield from ask(
        GM,
        "through_obstacle",
        f"How much harder is it to strike through the {made_of.name}?",
        Number(least=LEAST, most=MOST, default=LEAST),
        because=rule,
    )
    return (Line(penalty, f"through the {made_of.name}", rule),)


def stiffened(way: Melee, made_of: Material) -> Tally:
    """A weapon's Add when it strikes through something: all of the Strength comes to it.

    materials.break.add_strength_to_add, for each stage (materials.amb.break_superb_cost), and no
    VA takes anything off it (materials.amb.break_va).
    """
    add = Tally.of(way.add, way.name, "weapons.melee.add")
    rule = "materials.break.add_strength_to_add"
    return add + Line(made_of.strength, made_of.name, rule) if made_of.strength else add


PROCEDURES = (
    Procedure("hack", "Damage a door, a window or a wall", Hack, hack),
    Procedure("break_through", "A Strike through a wall or the like", BreakThrough, break_through),
)
