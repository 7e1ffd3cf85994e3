"""Using a weapon: the skill that is tested, the dice its make adds, and what hinders it.

The first half of every Strike, shot and throw: up to the roll they are tests like any other
(``tests/attempts``). A weapon that paid for a Complication is here,
too.
"""

from __future__ import annotations

import msgspec

from astragal.dice import Shade, Shaded
from astragal.errors import NotAllowed
from astragal.games.burning_wheel.artha import on_a_roll as artha
from astragal.games.burning_wheel.conditions.hesitation import check_in_control
from astragal.games.burning_wheel.sheet.catalogue_keys import key_of
from astragal.games.burning_wheel.sheet.facts import DiceGathered
from astragal.games.burning_wheel.sheet.scene import BurningTable
from astragal.games.burning_wheel.sheet.sheet import Sheet
from astragal.games.burning_wheel.sheet.weapon_tables import (
    FIST,
    Weapon,
    balance_dice,
    is_bomb,
    is_found,
    is_missile,
    melee_lines,
    ranged,
)
from astragal.games.burning_wheel.sheet.weapons_carried import armed_with, check_whole
from astragal.games.burning_wheel.tests.attempts import Attempt, obstacle_of, prepare
from astragal.games.burning_wheel.tests.intent import Context, Declaration, agree
from astragal.games.burning_wheel.tests.terms import RollTerms
from astragal.games.burning_wheel.weapons.damage import balance_for
from astragal.games.game import Arguments
from astragal.play import (
    GM,
    Line,
    Noted,
    Option,
    PickSeveral,
    Seat,
    Step,
    Tally,
    ask,
    call,
    confirm,
    tell,
)
from astragal.rules import Options, catalogue


class Attack(Arguments, frozen=True):
    """Somebody goes for somebody with a weapon.

    Without a ``weapon`` it is the bare fist, without a ``skill`` the usual one for the weapon;
    without a ``target`` whatever the GM speaks for is meant. ``helpers`` and ``gear`` are as in
    every test.
    """

    character: str
    target: str = ""
    weapon: str = ""
    skill: str = ""
    helpers: tuple[str, ...] = ()
    gear: tuple[str, ...] = ()


def seat_of_target(target: str, table: BurningTable) -> Seat:
    """Whoever speaks for the target."""
    return table.character(target, "target").seat(target) if target else GM


def name_of_target(target: str, table: BurningTable) -> str:
    """What the target is called."""
    return table.character(target, "target").name if target else "the target"


# --- The skill -----------------------------------------------------------------------------

USUAL = {
    "hatchet": "Axe",
    "dirk": "Knives",
    "dagger": "Knives",
    "knife or shiv": "Knives",
    "club or staff": "Staff",
    "stone": "Brawling",
    FIST: "Brawling",
}
"""Skills that are not called as the weapon is."""


def usual_skill(carried: Weapon, *, thrown: bool, options: Options) -> str:
    """The skill that goes with a weapon (weapons.strike.skill).

    Fists and found things are for Brawling (weapons.found.skill).
    """
    if carried.skill:
        return carried.skill
    if is_missile(carried.weapon):
        if ranged(carried.weapon, options).gunpowder:
            return "Firearms"
        return "Crossbow" if "crossbow" in carried.weapon else "Bow"
    if thrown or is_bomb(carried.weapon) or not melee_lines(carried.weapon):
        return "Throwing"
    if is_found(carried.weapon):
        return "Brawling"
    return USUAL.get(carried.weapon, carried.weapon.split()[-1].capitalize())


def _resembles(carried: Weapon, skill: str, sheet: Sheet) -> Step[None]:
    """With a weapon skill one may use a found thing that resembles its weapon.

    weapons.found.skill: the GM says whether it does. Brawling is good for all of them.
    """
    if not is_found(carried.weapon) or skill == "Brawling" or sheet.find(skill) is None:
        return
    alike = yield from confirm(
        GM,
        "resembles",
        f"Is the {carried.called} enough like a weapon of {skill}?",
        default=True,
        because="weapons.found.skill",
    )
    if not alike:
        what = f"the {carried.called} is nothing like a weapon of {skill}"
        raise NotAllowed(what, "weapons.found.skill")


# --- The obstacle --------------------------------------------------------------------------


def hindrances(
    table: str, prompt: str, rule: str, *, without: tuple[str, ...] = ()
) -> Step[tuple[Line, ...]]:
    """What of a list of martial disadvantages holds; the GM says so.

    ``table`` is one of the two lists of Fight! (weapons.amb.disadvantage_section_name), ``without``
    the codes of what is settled elsewhere.
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
    chosen = yield from ask(
        GM, "hindrances", prompt, PickSeveral(options=options, default=()), because=rule
    )
    return tuple(Line(rows[key][1], rows[key][0], rule) for key in chosen)


# --- Dice ----------------------------------------------------------------------------------


class Aimed(msgspec.Struct, frozen=True, cache_hash=True):
    """A weapon in use, with its dice and its obstacle, when the roll is about to be made."""

    attempt: Attempt
    obstacle: Tally
    base: int


def aim_with(
    attack: Attack,
    carried: Weapon,
    base: int,
    against: tuple[Line, ...],
    table: BurningTable,
    *,
    thrown: bool = False,
    roots: tuple[str, ...] = ("Agility",),
    intent: str = "",
) -> Step[Aimed]:
    """Gather the dice of a weapon's test and what counts against it.

    Without the skill one tests Agility (weapons.strike.skill), by Beginner's Luck: the base is
    doubled, penalties come after (weapons.amb.agility_doubling). Balance dice are rolled in the
    weapon's own shade (shades.gear.own_shade) and count for the class of the test.
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
    context = Context(obstacle=against, called_for=True, laid_down=True, roots=roots)
    agreed = yield from agree(said, context, table)
    attempt = yield from prepare(said, agreed, 0, context, table)
    attempt = balanced(attempt, carried, table.options)
    terms = RollTerms(base, said.intent, "it misses", "", 0, 1)
    return Aimed(attempt, obstacle_of(terms, attempt), base)


def balanced(attempt: Attempt, carried: Weapon, options: Options) -> Attempt:
    """The dice with those that the weapon's make adds."""
    if melee_lines(carried.weapon):
        line = balance_for(carried, "Strike", options)
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


def roll_weapon(aimed: Aimed, table: BurningTable) -> Step[artha.Throw]:
    """Throw the dice; every success counts, for more than hitting may be bought with them."""
    attempt = aimed.attempt
    name = table.character(attempt.agreed.character).name
    yield from tell(DiceGathered(name, attempt.all_dice, aimed.obstacle))
    label = f"{name}, {attempt.agreed.name}"
    lying = yield from call(
        artha.throw,
        attempt.pool,
        label,
        attempt.seat,
        attempt.hand,
        attempt.spent,
        aimed.obstacle.total,
    )
    return lying


# --- A weapon pays -------------------------------------------------------------------------


def take_up(table: BurningTable, character: str, weapon: str) -> Weapon:
    """A weapon that somebody can use now: whole, in hand, and not out of action himself."""
    carried = armed_with(table.character(character), weapon)
    check_in_control(table, character, (carried.called, carried.weapon))
    check_whole(carried)
    return carried


def shatter(table: BurningTable, character: str, carried: Weapon) -> Step[BurningTable]:
    """A weapon that bore more than it could is gone (shades.power.weapon_shatters)."""
    sheet = table.character(character)
    rule = "shades.power.weapon_shatters"
    yield from tell(Noted(f"{sheet.name}'s {carried.called} shatters.", rule))
    if carried not in sheet.weapons:
        return table
    left = tuple(each for each in sheet.weapons if each != carried)
    return (yield from table.amend(character, "weapons", left, because=rule))
