"""Armor: whether it stops a blow, and what the blow does to it.

The chapter on armor and shields. What armor is and how many dice it has is in
``sheet/armor_tables``; repairing, changing and mixing pieces in ``armor/care``; its weight in
``conditions/armor_weight``; shields are in ``armor/shields`` and the modules it names. How a blow
lands and what a wound does belongs to the chapters on weapons and injury: they call
:func:`meets_blow`.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from astragal.dice import Shade
from astragal.errors import BadInput, check_between
from astragal.games.game import Arguments, Outcome, Procedure
from astragal.play import Play, Seat, Step, Tally, call, choose, note, path_of, tell, then
from astragal.rules import Options

from ..artha import on_a_roll as artha
from ..artha.before_the_roll import Boost
from ..artha.spending import pay_for_equipment
from ..conditions.armor_weight import burden, reflexes_worn
from ..sheet.armor_tables import (
    ARMS,
    LEGS,
    LOCATIONS,
    ArmorPiece,
    LocationDice,
    location_dice,
    piece_dice,
    shield_dice,
)
from ..sheet.facts import DiceGathered, TestCame
from ..sheet.parts import AbilityKind, Artha
from ..sheet.scene import BurningTable
from ..sheet.sheet import Rated
from ..sheet.skill_roots import book_roots
from ..tests.helping import check_may_be_tried, known_roots, root_stat
from ..weapons.damage import Damage, with_strength
from ..weapons.shaded_damage import armor_may_test, armor_shade
from .equipment_dice import EquipmentRoller, boost_equipment, dice_lost, ones_at_stake, throw_alone

BASE_OBSTACLE = 1
"""armor.test.base_obstacle."""

MOST_VA = 10
"""No attack has more; a larger number is a slip of the keyboard."""

PAIRS = {"arms": ARMS, "legs": LEGS}
"""The targets of an attack that are two locations (armor.amb.four_targets_six_locations)."""


class LandedBlow(msgspec.Struct, frozen=True):
    """A blow that has landed: its full VA, its shade, and the damage it does if not stopped."""

    va: Tally = Tally()
    shade: Shade = Shade.BLACK
    damage: str = ""


def blow_of(damage: Damage) -> LandedBlow:
    """A hit as the chapter on weapons works it out; its VA is complete."""
    va = damage.va_by
    if not va.lines:
        va = Tally.of(damage.va, "VA", "armor.va.obstacle_penalty")
    return LandedBlow(va, Shade.parse(damage.shade), f"{damage.shade}{damage.number}")


class ArmorOutcome(Outcome, frozen=True):
    """What armor did about a blow.

    ``passed`` if it stopped the blow completely; if not, the ``wound`` is taken in full.
    ``tested`` is false where there was nothing to roll; ``ones`` are those that can count,
    ``lost`` the dice the location loses, ``left`` those it still has.
    """

    passed: bool
    tested: bool
    location: str
    dice: Tally
    obstacle: Tally
    successes: int = 0
    ones: int = 0
    lost: int = 0
    left: int = 0
    wound: str = ""
    spent: Artha = Artha()


# --- A blow lands ----------------------------------------------------------------------------


class ArmorTest(Arguments, frozen=True):
    """A blow that has landed, and where.

    ``location`` is one of the six, or ``arms`` or ``legs`` if no side was declared; if the blow
    was ``moved`` there, the ``attacker`` picks the side. ``va`` and ``shade`` are the
    weapon's, ``more_va`` is what else adds to its VA, ``damage`` what it does if it gets through.
    A blow by ``strength`` is harder to stop if the attacker has Power 7 or more.
    """

    character: str
    location: str
    va: int = 0
    shade: str = "B"
    damage: str = ""
    attacker: str = ""
    strength: bool = True
    more_va: int = 0
    moved: bool = False


def armor_test(arguments: ArmorTest, table: BurningTable) -> Play[ArmorOutcome]:
    """A blow has landed on a known location: its armor is tested, before any wound is marked.

    armor.test.when.
    """
    table.character(arguments.character)
    blow = _blow(arguments, table)
    location = yield from _struck(arguments, table)
    outcome, _ = yield from call(meets_blow, arguments.character, location, blow, table)
    return outcome


def _blow(arguments: ArmorTest, table: BurningTable) -> LandedBlow:
    """The attack's total VA; a weapon without VA adds nothing (armor.va.none).

    Power of 7 or more adds one to a blow by strength (armor.va.power_seven,
    armor.amb.power_seven_scope): the Power on the sheet, whatever the wounds.
    """
    for field in ("va", "more_va"):
        rule = "armor.va.obstacle_penalty"
        check_between(field, getattr(arguments, field), 0, MOST_VA, rule, zero="none")
    va = Tally.of(arguments.va, "weapon", "armor.va.obstacle_penalty")
    if arguments.attacker:
        attacker = table.character(arguments.attacker, "attacker")
        power = attacker.find("Power")
        if arguments.strength and power is not None:
            va = with_strength(arguments.va, power)
    if arguments.more_va:
        va += Tally.of(arguments.more_va, "the attack", "armor.test.obstacle_total").lines
    return LandedBlow(va, Shade.parse(arguments.shade), arguments.damage)


def _struck(arguments: ArmorTest, table: BurningTable) -> Step[str]:
    """The one location that is struck; of a pair, the last to choose the location picks the side.

    armor.amb.four_targets_six_locations.
    """
    location = arguments.location
    if location not in PAIRS:
        if location not in LOCATIONS:
            expected = f"one of {', '.join((*LOCATIONS, *PAIRS))}"
            raise BadInput("location", location, expected, "armor.location.six")
        return location
    by = arguments.attacker if arguments.moved and arguments.attacker else arguments.character
    worn = table.character(arguments.character).armor
    return (yield from pick_side(table.character(by).seat(by), location, worn))


def pick_side(seat: Seat, pair: str, worn: Mapping[str, ArmorPiece]) -> Step[str]:
    """Which of two limbs a blow hits; of no account where both are protected alike."""
    one, other = (worn.get(limb) for limb in PAIRS[pair])
    is_alike = _protection(one) == _protection(other)
    return choose(
        seat,
        "side",
        f"A blow to the {pair}: which side?",
        {limb: limb.replace("_", " ").capitalize() for limb in PAIRS[pair]},
        default=PAIRS[pair][0],
        because="armor.amb.four_targets_six_locations",
        kind="aside" if is_alike else "offered",
    )


def _protection(piece: ArmorPiece | None) -> ArmorPiece | None:
    """A piece as it protects, wherever it is worn."""
    return None if piece is None else msgspec.structs.replace(piece, location="")


# --- The armor test --------------------------------------------------------------------------


def protecting(
    character: str, location: str, attack: Shade, table: BurningTable
) -> tuple[ArmorPiece | None, str]:
    """The piece that may be tested against a blow; or None, and the rule that forbids a test.

    A bare location has no test (armor.location.own_dice), and a shield is not armor for any
    location (armor.shield.role); nor is there a test without dice left (armor.damage.zero_dice),
    or against a weapon of a lighter shade (shades.armor.which_weapons).
    """
    piece = table.character(character).armor.get(location)
    if piece is None:
        return None, "armor.location.own_dice"
    if not piece_dice(piece).total:
        return None, "armor.damage.zero_dice"
    if not armor_may_test(shade_of(piece, table.options), attack):
        return None, "shades.armor.which_weapons"
    return piece, ""


def shade_of(piece: ArmorPiece, options: Options) -> Shade:
    """The shade of a piece: as written, or by its name (shades.armor.default_black)."""
    written = Shade.parse(piece.shade)
    return armor_shade(piece.name, options) if written is Shade.BLACK else written


def armor_obstacle(va: Tally) -> Tally:
    """1 and the attack's whole VA, whatever the damage (armor.test.obstacle_total).

    armor.test.base_obstacle, armor.va.obstacle_penalty.

    >>> print(armor_obstacle(Tally.of(1, "axe", "armor.va.obstacle_penalty")))
    2 = 1 armor + 1 axe
    """
    base = Tally.of(BASE_OBSTACLE, "armor", "armor.test.base_obstacle")
    return base + tuple(line for line in va.lines if line.amount)


def meets_blow(
    character: str, location: str, blow: LandedBlow, table: BurningTable
) -> Play[tuple[ArmorOutcome, BurningTable]]:
    """Roll the armor of that location, once for each hit (armor.test.when)."""
    sheet = table.character(character)
    obstacle = armor_obstacle(blow.va)
    piece, why_not = protecting(character, location, blow.shade, table)
    if piece is None:
        text = f"{sheet.name} has no armor to test"
        if why_not == "shades.armor.which_weapons":
            worn = sheet.armor[location].called
            text = f"{sheet.name}'s {worn} is no protection against a {blow.shade.value} blow"
        yield from note(f"{text}: {location.replace('_', ' ')}.", why_not)
        left = 0 if location not in sheet.armor else piece_dice(sheet.armor[location]).total
        nothing = ArmorOutcome(
            False, False, location, Tally(), obstacle, left=left, wound=blow.damage
        )
        return nothing, table
    shade = shade_of(piece, table.options)
    dice = piece_dice(piece)
    boost = yield from boost_equipment(character, piece.called, shade, dice.total, table)
    yield from tell(DiceGathered(f"{sheet.name}'s {piece.called}", dice + boost.lines, obstacle))
    shaded = msgspec.structs.replace(piece, shade=shade.letter)
    return then(roll_armor, character, shaded, blow, boost, obstacle, table)


def roll_armor(
    character: str,
    piece: ArmorPiece,
    blow: LandedBlow,
    boost: Boost,
    obstacle: Tally,
    table: BurningTable,
) -> Play[tuple[ArmorOutcome, BurningTable]]:
    """Roll the dice of the armor, at its own shade (armor.test.difficulty_number_by_shade)."""
    sheet = table.character(character)
    shade, dice = Shade.parse(piece.shade), piece_dice(piece)
    roller = EquipmentRoller(
        f"{sheet.name}, armor ({piece.location.replace('_', ' ')})",
        sheet.seat(character),
        obstacle.total,
        ones_at_stake(piece, blow.shade, dice.total),
    )
    used = yield from throw_alone(shade, dice.total, boost, roller)
    return then(after_armor, character, piece, blow, dice + boost.lines, obstacle, used, table)


def after_armor(
    character: str,
    piece: ArmorPiece,
    blow: LandedBlow,
    dice: Tally,
    obstacle: Tally,
    used: artha.ThrownDice,
    table: BurningTable,
) -> Play[tuple[ArmorOutcome, BurningTable]]:
    """Stopped completely (armor.test.success_negates_all), or not at all.

    armor.test.failure_full_damage. Each die at or above the difficulty number counts
    (armor.test.acts_like_ability). Ones cost the location dice either way (armor.damage.ones),
    from the next test on (armor.damage.timing), and no other location (armor.damage.location_only).
    """
    sheet = table.character(character)
    passed = used.successes >= obstacle.total
    verdict = "The blow is stopped." if passed else "The blow gets through."
    yield from tell(TestCame(f"{sheet.name}'s {piece.called}", used.successes, verdict, passed))
    table = yield from pay_for_equipment(table, character, used.spent)
    counted = yield from dice_lost(piece, used.ones, blow.shade, sheet.seat(character))
    before = piece_dice(piece).total
    lost = min(counted, before)
    path = path_of("armor", piece.location, "lost")
    table = yield from table.add(character, path, lost, because="armor.damage.ones")
    if lost:
        left = f"{before - lost}D left" if before > lost else "no dice left"
        yield from note(f"{sheet.name}'s {piece.called} is damaged: {left}.", "armor.damage.ones")
    outcome = ArmorOutcome(
        passed=passed,
        tested=True,
        location=piece.location,
        dice=dice,
        obstacle=obstacle,
        successes=used.successes,
        ones=used.ones,
        lost=lost,
        left=before - lost,
        wound="" if passed else blow.damage,
        spent=used.spent,
    )
    return outcome, table


# --- What is worn ----------------------------------------------------------------------------


class ArmorQuery(Arguments, frozen=True):
    """Whose armor, and the ability for which its weight is asked; it may be a skill they lack."""

    character: str
    ability: str = ""


class Harness(Outcome, frozen=True):
    """What protects a character, location by location, and what it costs.

    ``obstacle`` and ``dice`` are what it does to tests of the ability asked for; ``reflexes``
    are those that remain with it on.
    """

    locations: LocationDice
    shield: int
    reflexes: str
    obstacle: Tally = Tally()
    dice: Tally = Tally()


def harness(arguments: ArmorQuery, table: BurningTable) -> Play[Harness]:
    """The armor dice of each location, and what the armor does to a test."""
    sheet = table.character(arguments.character)
    locations = location_dice(sheet.armor)
    shield = 0 if sheet.shield is None else shield_dice(sheet.shield).total
    reflexes = reflexes_worn(sheet, table.options)
    obstacle, dice = Tally(), Tally()
    if arguments.ability:
        tested, skill = yield from _tested(arguments, table)
        weight = burden(sheet, tested, table.options, skill)
        obstacle, dice = Tally(weight.obstacle), Tally(weight.dice)
        text = _weight_said(sheet.name, skill or tested.name, obstacle, dice)
        yield from note(text, "armor.clumsy.applies_to_everyone")
    said = ", ".join(
        f"{where.replace('_', ' ')} {getattr(locations, where)}D"
        for where in LOCATIONS
        if where in sheet.armor
    )
    yield from note(f"{sheet.name}: {said or 'no armor'}.", "armor.location.own_dice")
    return Harness(locations, shield, "" if reflexes is None else str(reflexes), obstacle, dice)


def _weight_said(name: str, ability: str, obstacle: Tally, dice: Tally) -> str:
    """What the armor does to a test, with its reasons."""
    said = [f"obstacle +{obstacle}"] if obstacle.lines else []
    if dice.lines:
        said.append(f"dice {dice}")
    return f"{name}'s armor and {ability}: {'; '.join(said) or 'no penalty'}."


def _tested(arguments: ArmorQuery, table: BurningTable) -> Step[tuple[Rated, str]]:
    """The ability that would be rolled, and the skill it stands for (tests.beginner.root_stat)."""
    character, name = arguments.character, arguments.ability.strip()
    sheet = table.character(character)
    found = sheet.find(name)
    if found is not None and (found.exponent or found.kind is not AbilityKind.SKILL):
        return found, ""
    name = name if found is None else found.name
    check_may_be_tried(name, sheet, table)
    roots = known_roots(name, table) or book_roots(name)
    stat, _ = yield from root_stat(sheet.seat(character), sheet, name, roots)
    return stat, name


PROCEDURES = (
    Procedure("armor_test", "Armor test", ArmorTest, armor_test, gm_only=True),
    Procedure("harness", "Armor: dice and weight", ArmorQuery, harness),
)
