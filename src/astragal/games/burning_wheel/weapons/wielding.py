"""Using a weapon: the skill that is tested, the dice its make adds, and what hinders it.

The first half of every Strike, shot and throw: up to the roll they are tests like any other
(``tests/attempts``).
"""

from __future__ import annotations

from functools import lru_cache

import msgspec

from astragal.dice import Shade, Shaded
from astragal.errors import NotAllowed
from astragal.games.game import Arguments
from astragal.play import GM, Line, Option, PickSeveral, Seat, Step, Tally, ask, consent, note, tell
from astragal.rules import Options, catalogue

from ..artha import on_a_roll as artha
from ..conditions.every_test import conditions_on, with_conditions
from ..conditions.hesitation import check_in_control
from ..conditions.lines import Tester
from ..conditions.shield_cover import check_not_hiding
from ..movement.chase import full_run
from ..sheet.catalogue_keys import key_of
from ..sheet.editions import edition
from ..sheet.facts import TestCame
from ..sheet.ranged_weapons import is_bomb, is_missile, ranged
from ..sheet.scene import BurningTable
from ..sheet.sheet import Sheet
from ..sheet.weapon_tables import (
    FIST,
    SHIELD,
    Weapon,
    balance_dice,
    is_found,
    is_natural,
    melee_lines,
)
from ..sheet.weapons_carried import armed_with, check_whole, to_strike_with
from ..tests.attempts import (
    Attempt,
    TestResult,
    agree_and_prepare,
    full_obstacle,
    result_of,
    throw_attempt,
)
from ..tests.circumstances import disadvantage, sources
from ..tests.conclusions import after_test, pay_for
from ..tests.intent import Context, Declaration
from .damage import balance_for
from .shaded_damage import add_bonus


class Attack(Arguments, frozen=True):
    """An attack with a weapon.

    Without a ``weapon`` it is the bare fist, without a ``skill`` the usual one for the weapon;
    without a ``target`` it is someone that the GM speaks for. ``helpers`` and ``gear`` are as in
    every test.
    """

    character: str
    target: str = ""
    weapon: str = ""
    skill: str = ""
    helpers: tuple[str, ...] = ()
    gear: tuple[str, ...] = ()


def seat_of_target(target: str, table: BurningTable) -> Seat:
    """Who speaks for the target."""
    return table.character(target, "target").seat(target) if target else GM


def name_of_target(target: str, table: BurningTable) -> str:
    """What the target is called."""
    return table.character(target, "target").name if target else "the target"


def location_bears(target: str, table: BurningTable) -> bool:
    """Whether it makes a difference which location of the target is hit.

    It does for armor, and for what hits on limbs and head do, where the table plays with that
    (injury.steel.option_arm).
    """
    return not target or bool(table.character(target).armor) or table.scene.argh_my_arm


# --- The skill -----------------------------------------------------------------------------

USUAL = {
    "hatchet": "Axe",
    "dirk": "Knives",
    "dagger": "Knives",
    "knife or shiv": "Knives",
    "club or staff": "Staff",
    "stone": "Brawling",
    FIST: "Brawling",
    SHIELD: "Brawling",
}
"""Skills that are not named after the weapon (armor.amb.shield_weapon_skill)."""


@lru_cache(512)  # a fight asks for it with every roll
def usual_skill(carried: Weapon, *, thrown: bool, options: Options) -> str:
    """The skill that goes with a weapon (weapons.strike.skill).

    Fists and found weapons use Brawling (weapons.found.skill), and so do natural weapons
    (rogues.burned.natural_weapons) unless the sheet names another skill, as the wolf's does.
    """
    if carried.skill:
        return carried.skill
    if is_missile(carried.weapon):
        if ranged(carried.weapon, options).gunpowder:
            return "Firearms"
        return "Crossbow" if "crossbow" in carried.weapon else "Bow"
    if thrown or is_bomb(carried.weapon) or not melee_lines(carried.weapon):
        return "Throwing"
    if is_found(carried.weapon) or is_natural(carried.weapon):
        return "Brawling"
    return USUAL.get(carried.weapon, carried.weapon.split()[-1].capitalize())


def _resembles(carried: Weapon, skill: str, sheet: Sheet) -> Step[None]:
    """A weapon skill also serves for a found weapon that resembles its weapon.

    weapons.found.skill: the GM says whether it does. Brawling serves for all of them.
    """
    if not is_found(carried.weapon) or skill == "Brawling" or sheet.find(skill) is None:
        return
    alike = yield from consent(
        GM,
        "resembles",
        f"Can {skill} be used with the {carried.called}?",
        because="weapons.found.skill",
    )
    if not alike:
        what = f"{skill} cannot be used with the {carried.called}: use Brawling"
        raise NotAllowed(what, "weapons.found.skill")


# --- The obstacle --------------------------------------------------------------------------


IN_THE_LISTS = ("darkness", "smoke", "slippery")
"""Sources of disadvantage for which the lists of Fight! have lines of their own."""


def hindrances(
    table: str,
    prompt: str,
    rule: str,
    *,
    without: tuple[str, ...] = (),
    lasting: bool = False,
    with_others: bool = False,
) -> Step[tuple[Line, ...]]:
    """The GM picks from a list of martial disadvantages.

    ``table`` is one of the two lists of Fight! (weapons.amb.disadvantage_section_name), ``without``
    the codes of what is settled elsewhere. In a fight what the GM says is ``lasting``.
    ``with_others`` all that counts against any test can be named here as well
    (tests.disadvantage.gm_must_raise), so that the GM is asked once.
    """
    rows = {
        key_of(row["condition"]): (str(row["condition"]), row.number("ob_penalty"))
        for row in catalogue().table(table).records()
        if row.get("condition_code") not in without
    }
    options = tuple(
        Option(key=key, label=condition, rule=rule, note=f"+{penalty} Ob")
        for key, (condition, penalty) in rows.items()
    )
    others = tuple(each for each in sources() if each.key not in IN_THE_LISTS)
    chosen = yield from ask(
        GM,
        "hindrances",
        prompt,
        PickSeveral(
            options=(*options, *others) if with_others else options,
            write_in=with_others,
            default=(),
        ),
        because=rule,
        kind="aside" if lasting else "offered",
        standing=lasting,
    )
    return tuple(
        Line(rows[key][1], rows[key][0], rule) if key in rows else disadvantage(key)
        for key in chosen
    )


# --- Dice ----------------------------------------------------------------------------------


class WeaponTest(msgspec.Struct, frozen=True, cache_hash=True):
    """A test of a weapon just before the roll, with its dice and its obstacle."""

    attempt: Attempt
    obstacle: Tally
    base: int


def aim_with(
    attack: Attack,
    carried: Weapon,
    base: Line,
    against: tuple[Line, ...],
    table: BurningTable,
    *,
    thrown: bool = False,
    roots: tuple[str, ...] = ("Agility",),
    intent: str = "",
    named: bool = False,
    dice: tuple[Line, ...] = (),
) -> Step[WeaponTest]:
    """Gather the dice of a weapon's test and what counts against it.

    Where the GM has ``named`` every disadvantage already (:func:`hindrances` with others), they
    are all in ``against``, but for that of a pursuer who attacks at full run
    (movement.chase.pursuer_wins.penalty). ``dice`` are those that the saddle adds.

    Without the skill the test is of Agility (weapons.strike.skill), by Beginner's Luck: the base
    is doubled, penalties come after (weapons.amb.agility_doubling). Balance dice are rolled in
    the weapon's own shade (shades.gear.own_shade) and count for the class of the test.
    """
    sheet = table.character(attack.character)
    skill = attack.skill or usual_skill(carried, thrown=thrown, options=table.options)
    yield from _resembles(carried, skill, sheet)
    said = Declaration(
        character=attack.character,
        intent=intent or f"hurt {name_of_target(attack.target, table)}",
        task=f"uses the {carried.called}",
        ability=skill,
        helpers=attack.helpers,
        gear=attack.gear,
        target=attack.target,
    )
    context = Context(
        dice=dice,
        obstacle=against + full_run(table, attack.character),
        called_for=True,
        laid_down=True,
        roots=roots,
        disadvantages_named=named,
    )
    attempt = yield from agree_and_prepare(said, context, table)
    attempt = balanced(attempt, carried, table.options)
    return WeaponTest(attempt, full_obstacle(Tally((base,)), attempt), base.amount)


def balanced(
    attempt: Attempt, carried: Weapon, options: Options, maneuver: str = "Strike"
) -> Attempt:
    """The dice with the weapon's balance dice, in melee if they count for the maneuver."""
    if melee_lines(carried.weapon):
        line = balance_for(carried, maneuver, options)
    else:
        dice, rule = balance_dice(carried, options), "weapons.balance.missile_superior"
        line = Line(dice, f"balance: {carried.called}", rule) if dice else None
    if line is None:
        return attempt
    return msgspec.structs.replace(
        attempt,
        dice=attempt.dice + line,
        gear_dice=attempt.gear_dice + Shaded.of(Shade.parse(carried.shade), line.amount),
    )


def roll_weapon(test: WeaponTest, table: BurningTable) -> Step[artha.ThrownDice]:
    """Throw the dice of a weapon's test."""
    return (yield from throw_attempt(test.attempt, test.obstacle, table))


def say_whether_it_hits(
    test: WeaponTest, throw: artha.ThrownDice, table: BurningTable
) -> Step[TestResult]:
    """Say whether an attack hits, before any defence."""
    result = result_of(test.attempt, throw, test.obstacle)
    name = table.character(test.attempt.agreed.character).name
    verdict = "Hit." if result.passed else "Miss."
    yield from tell(TestCame(name, throw.successes, verdict, result.passed))
    return result


def hit_or_miss(
    test: WeaponTest,
    throw: artha.ThrownDice,
    table: BurningTable,
    *,
    logged: bool = True,
) -> Step[tuple[TestResult, BurningTable]]:
    """Say whether an attack hits, and log the one test, unless it is only rehearsed."""
    result = yield from say_whether_it_hits(test, throw, table)
    if not logged:
        return result, (yield from pay_for(test.attempt, throw, table))
    table, earned = yield from after_test(
        test.attempt, throw, test.obstacle.total, table, passed=result.passed, base=test.base
    )
    return result_of(test.attempt, throw, test.obstacle, earned), table


# --- The weapon itself ---------------------------------------------------------------------


def take_up(table: BurningTable, character: str, weapon: str, *, strikes: bool = False) -> Weapon:
    """A weapon that the character can use: whole, in hand, and the wielder free to use it.

    Who ``strikes`` may do so with a shield.
    """
    sheet = table.character(character)
    carried = to_strike_with(sheet, weapon) if strikes else armed_with(sheet, weapon)
    check_not_hiding(table, character)
    check_in_control(table, character, (carried.called, carried.weapon))
    check_whole(carried)
    return carried


def check_skill_left(table: BurningTable, character: str, skill: str) -> None:
    """Refuse at once a skill that wounds and the like leave no dice of (tests.amb.zero_dice).

    Not where persona may bear the pain on the test itself (gold.wounds.persona_ignore).
    """
    sheet = table.character(character)
    rated = sheet.find(skill)
    may_pay = bool(sheet.artha.persona) and edition(table.options).pain_is_borne_on_the_test
    if rated is None or not rated.exponent or may_pay:
        return
    tester = Tester(character, rated, table)
    dice = Tally.of(rated.exponent, rated.name, "tests.exponent.dice_rolled")
    with_conditions(dice, conditions_on(tester), tester)


def lighter_power(character: str, carried: Weapon, table: BurningTable) -> Step[bool]:
    """Whether a lighter shade of Power goes into the weapon, where the two differ."""
    if is_natural(carried.weapon):
        return False
    sheet = table.character(character)
    power = sheet.ability("Power", "stats").rating
    shade = Shade.parse(carried.shade)
    return (yield from add_bonus(sheet.seat(character), power, shade, carried.called))


def shatter(table: BurningTable, character: str, carried: Weapon) -> Step[BurningTable]:
    """A weapon that a lighter Power was too much for is gone (shades.power.weapon_shatters)."""
    sheet = table.character(character)
    rule = "shades.power.weapon_shatters"
    yield from note(f"{sheet.name}'s {carried.called} shatters.", rule)
    if carried not in sheet.weapons:
        return table
    left = tuple(each for each in sheet.weapons if each != carried)
    return (yield from table.amend(character, "weapons", left, because=rule))
