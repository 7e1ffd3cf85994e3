"""Looking after armor: repairing it, putting it on and off, stripping to half pieces, mixing.

A section of the chapter on armor (``armor/armor``). Dice that a piece has lost come back by repair,
and by nothing else. None of this happens inside an exchange or a volley; the GM says how long it
takes (armor.amb.strip_time).
"""

from __future__ import annotations

from collections.abc import Container

import msgspec

from astragal.errors import BadInput, NotAllowed, check_one_of
from astragal.games.game import SCENE, Arguments, Outcome, Procedure
from astragal.play import GM, Play, Step, Text, ask, call, consent, note, path_of, tell, then
from astragal.rules import catalogue

from ..sheet.armor_tables import (
    GROUPS,
    LIMBS,
    LOCATIONS,
    ArmorPiece,
    LocationDice,
    check_piece,
    full_dice,
    is_metal,
    location_dice,
    normal_piece,
    piece_dice,
)
from ..sheet.catalogue_keys import check_key, key_of
from ..sheet.durations import parse_duration, say_duration
from ..sheet.editions import edition
from ..sheet.facts import AtStake
from ..sheet.scene import BurningTable
from ..sheet.sheet import Sheet
from ..tests.attempts import prepare
from ..tests.intent import WORK, Declaration, agree, not_rolled_before
from ..tests.let_it_ride import riding
from ..tests.results import StandardOutcome
from ..tests.terms import RollTerms, set_time, threaten
from ..tests.tests import roll_standard

# --- Repair ----------------------------------------------------------------------------------


class ArmorRepair(Arguments, frozen=True):
    """Who repairs which location of whose armor, with what skill, and how many of its lost dice.

    Without an ``owner`` it is the repairer's own armor. Pieces that are packed can be repaired,
    too.
    """

    character: str
    location: str
    skill: str
    dice: int = 1
    owner: str = ""
    helpers: tuple[str, ...] = ()
    gear: tuple[str, ...] = ()
    tools: str = ""
    time: str = ""


class RepairOutcome(Outcome, frozen=True):
    """How the test went, how many dice were restored, and how many the location has after it."""

    passed: bool
    restored: int
    left: int
    test: StandardOutcome


def repair_armor(arguments: ArmorRepair, table: BurningTable) -> Play[RepairOutcome]:
    """Repair one location with a test of a fitting skill (armor.repair.by_location).

    The player names how many lost dice to restore; the obstacle is the entry of the last of them,
    and one test settles it (armor.amb.repair_obstacle_meaning). A failure rides until conditions
    change. The GM says how long it takes.
    """
    owner = arguments.owner or arguments.character
    path, piece = _to_repair(arguments, table.character(owner, "owner"))
    skill = check_key(arguments.skill, _repair_skills(), "skill", "armor.repair.by_location")
    obstacle = repair_obstacle(skill, piece, arguments.dice)
    whose = table.character(owner).name
    intent = f"repair the {piece.called} of {whose} ({piece.location.replace('_', ' ')})"
    declaration = Declaration(
        character=arguments.character,
        intent=intent,
        task="repairs it",
        ability=_repair_skills()[skill],
        helpers=arguments.helpers,
        gear=arguments.gear,
        time=arguments.time,
        tools=arguments.tools,
    )
    agreed = yield from agree(declaration, WORK, table)
    table = yield from not_rolled_before(agreed, WORK, table)
    threat, death = yield from threaten("it stays damaged", edition(table.options))
    seconds = yield from set_time(agreed, arguments.time or "a day")
    promise = f"{arguments.dice}D restored"
    yield from tell(AtStake(promise, threat, say_duration(seconds)))
    rule = f"armor.repair.{'tailor_tanner' if skill in ('tailor', 'tanner') else skill}"
    terms = RollTerms(obstacle, promise, threat, death, seconds, 1, rule=rule)
    attempt = yield from prepare(declaration, agreed, seconds, WORK, table)
    test, table = yield from call(roll_standard, attempt, terms, table)
    return then(repaired, arguments, agreed.name, intent, path, test, table)


def repaired(
    arguments: ArmorRepair,
    skill: str,
    intent: str,
    path: str,
    test: StandardOutcome,
    table: BurningTable,
) -> Play[RepairOutcome]:
    """Success restores all the dice named, failure none."""
    owner = arguments.owner or arguments.character
    restored = arguments.dice if test.passed else 0
    because = "armor.repair.by_location"
    table = yield from table.add(owner, path, -restored, because=because)
    if test.passed:  # the intent is settled; new damage is a new matter
        ride = riding(table, arguments.character, skill, intent)
        rides = table.scene.results.without(ride) if ride is not None else table.scene.rides
        table = yield from table.amend(SCENE, "rides", rides, because="tests.amb.ride_extent")
    _, piece = _to_repair(arguments, table.character(owner), damaged=False)
    return RepairOutcome(test.passed, restored, piece_dice(piece).total, test)


def _repair_skills() -> dict[str, str]:
    """The skills that repair armor, by key."""
    names = catalogue().table("armor.table.repair").column("skill")
    return {key_of(name): str(name) for name in names}


def _to_repair(
    arguments: ArmorRepair, owner: Sheet, *, damaged: bool = True
) -> tuple[str, ArmorPiece]:
    """The path of the lost dice, and the piece; a worn piece comes before a packed one."""
    at, rule = arguments.location, "armor.repair.by_location"
    check_one_of("location", at, LOCATIONS, "armor.location.six")
    found = [(path_of("armor", at, "lost"), owner.armor[at])] if at in owner.armor else []
    found += [
        (path_of("packed", index, "lost"), piece)
        for index, piece in enumerate(owner.packed)
        if piece.location == at
    ]
    if not found:
        raise BadInput("location", at, f"a location for which {owner.name} has armor", rule)
    path, piece = next(((path, piece) for path, piece in found if piece.lost), found[0])
    if damaged and not 1 <= arguments.dice <= piece.lost:
        expected = f"1 to {piece.lost}: the dice it has lost"
        raise BadInput("dice", arguments.dice, expected, "armor.amb.repair_die_counting")
    return path, piece


def repair_obstacle(skill: str, piece: ArmorPiece, dice: int) -> int:
    """The obstacle to restore this many dice, whatever number is missing.

    armor.repair.mending, armor.repair.tailor_tanner, armor.repair.blacksmith,
    armor.repair.armorer. Some skills are for light types or for metal only
    (armor.repair.skills_light, armor.repair.skills_metal), and none goes beyond its list
    (armor.amb.repair_beyond_table).
    """
    row = catalogue().table("armor.table.repair").where(skill=_repair_skills()[skill])
    if piece.type not in row.texts("armor_types"):
        what = f"{row['skill']} cannot repair {piece.type.replace('_', ' ')}: use another skill"
        metal = is_metal(piece.type)
        rule = "armor.repair.skills_metal" if metal else "armor.repair.skills_light"
        raise NotAllowed(what, rule)
    column = f"die_{dice}"
    obstacle = row.number(column) if column in row else 0
    if not obstacle:
        what = f"{row['skill']} cannot restore {dice} dice of one location: try fewer dice"
        raise NotAllowed(what, "armor.amb.repair_beyond_table")
    return obstacle


# --- On and off ------------------------------------------------------------------------------


class ArmorChange(Arguments, frozen=True):
    """Whose armor is changed, and where: locations, or ``arms``, ``legs``, ``body``, ``suit``."""

    character: str
    locations: tuple[str, ...]


class ArmorChangeOutcome(Outcome, frozen=True):
    """How many dice each location has after the change, and the time it took."""

    locations: LocationDice
    seconds: int


def _full_pieces(character: str, table: BurningTable) -> list[str]:
    """The limbs that can be stripped to half pieces (armor.half.strip)."""
    sheet = table.character(character)
    pieces = [(at, piece) for at, piece in sheet.armor.items() if at in LIMBS]
    found = [at for at, piece in pieces if not (piece.is_half or piece.natural)]
    return _some(found, f"{sheet.name} wears no full pieces on arms or legs", "armor.half.strip")


def _stripped(character: str, table: BurningTable) -> list[str]:
    """The limbs that were stripped to half pieces (armor.half.refit)."""
    sheet = table.character(character)
    found = [at for at, piece in sheet.armor.items() if piece.stripped]
    return _some(found, f"{sheet.name} has not stripped to half pieces", "armor.half.refit")


def _worn(character: str, table: BurningTable) -> list[str]:
    """Where there is armor to take off (armor.location.any_subset)."""
    sheet = table.character(character)
    found = [at for at, piece in sheet.armor.items() if not piece.natural]
    return _some(found, f"{sheet.name} wears no armor to take off", "armor.location.any_subset")


def _packed(character: str, table: BurningTable) -> list[str]:
    """Where there is packed armor to put on (armor.location.any_subset)."""
    sheet = table.character(character)
    found = sorted({piece.location for piece in sheet.packed})
    return _some(found, f"{sheet.name} has no packed armor", "armor.location.any_subset")


def _some(found: list[str], otherwise: str, rule: str) -> list[str]:
    if not found:
        raise NotAllowed(otherwise, rule)
    return found


def strip_armor(arguments: ArmorChange, table: BurningTable) -> Play[ArmorChangeOutcome]:
    """Strip to half pieces on arms or legs, at a suitable moment (armor.half.strip)."""
    sheet = table.character(arguments.character)
    where = _named(arguments)
    what, rule = f"{sheet.name} strips to half pieces", "armor.half.strip"
    _check_each(where, LIMBS, f"one of {', '.join(LIMBS)}", "armor.half.where")
    _check_each(
        where,
        _full_pieces(arguments.character, table),
        f"limbs on which {sheet.name} wears full pieces",
        rule,
    )
    return (yield from _set_stripped(arguments, where, what, rule, table, stripped=True))


def refit_armor(arguments: ArmorChange, table: BurningTable) -> Play[ArmorChangeOutcome]:
    """Put the full pieces back on when there is time (armor.half.refit)."""
    sheet = table.character(arguments.character)
    where = _named(arguments)
    what, rule = f"{sheet.name} puts the full pieces back on", "armor.half.refit"
    _check_each(
        where,
        _stripped(arguments.character, table),
        f"limbs that {sheet.name} has stripped to half pieces",
        rule,
    )
    return (yield from _set_stripped(arguments, where, what, rule, table, stripped=False))


def _set_stripped(
    arguments: ArmorChange,
    where: tuple[str, ...],
    what: str,
    rule: str,
    table: BurningTable,
    *,
    stripped: bool,
) -> Step[ArmorChangeOutcome]:
    seconds = yield from _time_for_it(what, rule)
    for location in where:
        path = path_of("armor", location, "stripped")
        table = yield from table.amend(arguments.character, path, stripped, because=rule)
    return _changed(arguments, seconds, table)


def take_off_armor(arguments: ArmorChange, table: BurningTable) -> Play[ArmorChangeOutcome]:
    """Take pieces off and pack them; any locations may be bare (armor.location.any_subset)."""
    sheet = table.character(arguments.character)
    where = _named(arguments)
    rule = "armor.location.any_subset"
    _check_each(
        where, _worn(arguments.character, table), f"a location where {sheet.name} wears armor", rule
    )
    seconds = yield from _time_for_it(f"{sheet.name} takes armor off", rule)
    for location in where:
        table = yield from _take_off(arguments.character, location, table, because=rule)
    return _changed(arguments, seconds, table)


def put_on_armor(arguments: ArmorChange, table: BurningTable) -> Play[ArmorChangeOutcome]:
    """Put packed pieces on, in place of what is worn there (armor.location.any_subset)."""
    sheet = table.character(arguments.character)
    where = _named(arguments)
    rule = "armor.location.any_subset"
    has = _packed(arguments.character, table)
    packed_for = f"a location for which {sheet.name} has packed armor"
    _check_each(where, has, f"{packed_for}: {', '.join(has)}", rule)
    seconds = yield from _time_for_it(f"{sheet.name} puts armor on", rule)
    for location in where:
        packed = table.character(arguments.character).packed
        index = next(at for at, piece in enumerate(packed) if piece.location == location)
        piece = packed[index]
        left = packed[:index] + packed[index + 1 :]
        table = yield from table.amend(arguments.character, "packed", left, because=rule)
        table = yield from _take_off(arguments.character, location, table, because=rule)
        path = path_of("armor", location)
        table = yield from table.amend(arguments.character, path, piece, because=rule)
    return _changed(arguments, seconds, table)


def _named(arguments: ArmorChange) -> tuple[str, ...]:
    """The locations meant, each once."""
    found: dict[str, None] = {}
    for name in arguments.locations:
        check_one_of("locations", name, GROUPS, "armor.location.six")
        found |= dict.fromkeys(GROUPS[name])
    if not found:
        raise BadInput("locations", (), "at least one location", "armor.location.six")
    return tuple(found)


def _check_each(where: tuple[str, ...], fitting: Container[str], expected: str, rule: str) -> None:
    for location in where:
        if location not in fitting:
            raise BadInput("locations", location, expected, rule)


def _time_for_it(what: str, rule: str) -> Step[int]:
    """The GM says whether there is time, and how long it takes (armor.amb.strip_time)."""
    suitable = yield from consent(
        GM,
        "suitable",
        f"{what}. Is there time? (Never during an exchange or a volley.)",
        because=rule,
    )
    if not suitable:
        raise NotAllowed("There is no time to change armor here", "armor.amb.strip_time")
    said = yield from ask(
        GM,
        "time",
        "How long does it take?",
        Text(default="10 minutes"),
        because="armor.amb.strip_time",
        kind="aside",
    )
    seconds = parse_duration(said)
    yield from note(f"{what}: {say_duration(seconds)}.", rule)
    return seconds


def _take_off(
    character: str, location: str, table: BurningTable, *, because: str
) -> Step[BurningTable]:
    """Pack the piece worn there, if any, and restore it to a full piece if it was stripped."""
    piece = table.character(character).armor.get(location)
    if piece is None:
        return table
    whole = msgspec.structs.replace(piece, stripped=False)
    packed = (*table.character(character).packed, whole)
    path = path_of("armor", location)
    table = yield from table.amend(character, path, None, because=because)
    return (yield from table.amend(character, "packed", packed, because=because))


def _changed(arguments: ArmorChange, seconds: int, table: BurningTable) -> ArmorChangeOutcome:
    return ArmorChangeOutcome(location_dice(table.character(arguments.character).armor), seconds)


# --- Mixing ----------------------------------------------------------------------------------


class ArmorFitting(Arguments, frozen=True):
    """A piece for one location: its type or the name of headgear, as on a sheet.

    The old piece is ``traded`` in, or packed if not.
    """

    character: str
    location: str
    piece: str
    quality: str = "run_of_the_mill"
    traded: bool = True


class FittingOutcome(Outcome, frozen=True):
    """The dice of the location before and after."""

    fitted: bool
    before: int
    dice: int


def fit_armor(arguments: ArmorFitting, table: BurningTable) -> Play[FittingOutcome]:
    """Exchange a piece for a lighter one, or add a heavier one that was bought.

    armor.mix.lighter_piece, armor.mix.heavier_piece: dice and weight of that location are those
    of the new piece. Headgear is a piece like any other (armor.dice.headgear_is_separate_piece).
    """
    sheet = table.character(arguments.character)
    at = arguments.location
    check_one_of("location", at, LOCATIONS, "armor.location.six")
    raw = normal_piece(arguments.piece, at, "piece")
    piece = ArmorPiece(quality=arguments.quality, **raw)
    check_piece(piece, "piece")
    old = sheet.armor.get(at)
    lighter = old is not None and full_dice(piece) < full_dice(old)
    rule = f"armor.mix.{'lighter' if lighter else 'heavier'}_piece"
    how = "Exchanged for the heavier piece?" if lighter else "Has it been bought?"
    granted = yield from consent(
        GM,
        "fit",
        f"{sheet.name}, {at.replace('_', ' ')}: {piece.called}. {how}",
        because=rule,
    )
    before = 0 if old is None else piece_dice(old).total
    if not granted:
        return FittingOutcome(False, before, before)
    if not arguments.traded:
        table = yield from _take_off(arguments.character, at, table, because=rule)
    table = yield from table.amend(arguments.character, path_of("armor", at), piece, because=rule)
    yield from note(f"{sheet.name} puts on {piece.called}: {at.replace('_', ' ')}.", rule)
    return FittingOutcome(True, before, piece_dice(piece).total)


PROCEDURES = (
    Procedure("repair_armor", "Repair armor", ArmorRepair, repair_armor),
    Procedure("strip_armor", "Strip to half pieces", ArmorChange, strip_armor, check=_full_pieces),
    Procedure("refit_armor", "Put full pieces back on", ArmorChange, refit_armor, check=_stripped),
    Procedure("take_off_armor", "Take off armor", ArmorChange, take_off_armor, check=_worn),
    Procedure("put_on_armor", "Put on armor", ArmorChange, put_on_armor, check=_packed),
    Procedure("fit_armor", "Change a piece of armor", ArmorFitting, fit_armor),
)
