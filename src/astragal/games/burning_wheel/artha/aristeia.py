"""Aristeia and epiphany: when artha changes the very shade of an ability.

An Aristeia is bought outright and lasts for a scene or a goal; an epiphany comes by itself
when enough artha has been spent on one ability over the years, and stays.
"""

from __future__ import annotations

from enum import Enum

import msgspec

from astragal.dice import Shade
from astragal.errors import BadInput, NotAllowed
from astragal.games.burning_wheel.conditions.borne_pain import pain_returns
from astragal.games.burning_wheel.sheet.editions import Edition, artha_price, edition
from astragal.games.burning_wheel.sheet.parts import AbilityKind, Artha
from astragal.games.burning_wheel.sheet.ratings import Rating
from astragal.games.burning_wheel.sheet.scene import Aristeia, BurningTable
from astragal.games.burning_wheel.sheet.shades import follow_shade
from astragal.games.burning_wheel.sheet.sheet import Rated, Sheet
from astragal.games.game import SCENE, Arguments, Outcome, Procedure
from astragal.play import GM, Noted, Play, Step, confirm, tell

# --- Epiphany ------------------------------------------------------------------------------


def credit(
    table: BurningTable, character: str, path: str, kind: AbilityKind, spent: Artha
) -> Step[BurningTable]:
    """Count artha spent toward the shade of an ability, and let the epiphany come.

    Only what was spent on tests of that ability counts (artha.epiphany.spent_on_tests), and what
    an Aristeia took (artha.epiphany.aristeia_counts).
    """
    because = "artha.basics.steps_toward_epiphany"
    for field in ("fate", "persona", "deeds"):
        points = getattr(spent, field)
        table = yield from table.add(character, f"{path}.spent.{field}", points, because=because)
    if spent == Artha():
        return table
    return (yield from _epiphany(table, character, path, kind))


def _epiphany(
    table: BurningTable, character: str, path: str, kind: AbilityKind
) -> Step[BurningTable]:
    """The moment all three totals are reached, the shade shifts for good, even in mid-scene.

    artha.epiphany.effect, artha.epiphany.immediate. The tallies then start anew; white cannot
    shift (artha.amb.epiphany_accounting). Stats and skills shift by themselves, others as the
    table has it (artha.amb.epiphany_scope).
    """
    rated = _at(table.character(character), path)
    whole = artha_price("Epiphany")
    reached = all(
        getattr(rated.ability.spent, field) >= getattr(whole, field)
        for field in ("fate", "persona", "deeds")
    )
    if not reached or rated.rating.shade is Shade.WHITE:
        return table
    if kind not in (AbilityKind.STAT, AbilityKind.SKILL):
        custom = table.options["artha_epiphany_of_other_abilities"]
        if custom == "no":
            return table
        if custom == "gm_confirms_each":
            confirmed = yield from confirm(
                GM,
                "epiphany",
                f"The totals for {rated.name} are reached. Does its shade shift?",
                default=False,
                because="artha.amb.epiphany_scope",
            )
            if not confirmed:
                return table
    lighter = Rating(rated.rating.shade.lighter(), rated.rating.exponent)
    because = "artha.epiphany.immediate"
    table = yield from table.amend(character, f"{path}.rating", lighter, because=because)
    table = yield from table.amend(character, f"{path}.spent", Artha(), because=because)
    name = table.character(character).name
    text = f"An epiphany: {name}'s {rated.name} is {lighter} from now on."
    yield from tell(Noted(text, "artha.epiphany.effect"))
    return (yield from follow_shade(table, character, rated.name))


def lightened(table: BurningTable, character: str, rated: Rated) -> Rated:
    """An ability as it is rolled now: a shade lighter during a Minor Epiphany.

    artha.aristeia.minor_epiphany_effects. Only rolls of the ability itself change, nothing that
    is derived from it (artha.amb.minor_epiphany_derived_values).
    """
    for aristeia in table.scene.aristeias:
        mine = (aristeia.character, aristeia.ability) == (character, rated.name)
        if mine and aristeia.form == Form.MINOR_EPIPHANY.value:
            lighter = Rating(rated.rating.shade.lighter(), rated.rating.exponent)
            ability = msgspec.structs.replace(rated.ability, rating=lighter)
            return msgspec.structs.replace(rated, ability=ability)
    return rated


def _at(sheet: Sheet, path: str) -> Rated:
    return next(rated for rated in sheet.abilities() if rated.path == path)


# --- Aristeia ------------------------------------------------------------------------------


class Form(Enum):
    """The two forms of an Aristeia (artha.aristeia.choose_form)."""

    MINOR_EPIPHANY = "minor_epiphany"
    DIVINE_AURA = "divine_aura"


class EnterAristeia(Arguments, frozen=True):
    """Who enters an Aristeia, in which form, with which ability, and (an aura) for which goal.

    ``opponent`` names whoever is to be killed, where that is the goal.
    """

    character: str
    form: Form
    ability: str
    goal: str = ""
    opponent: str = ""


class Entered(Outcome, frozen=True):
    """The Aristeia that holds now."""

    aristeia: Aristeia


def enter_aristeia(arguments: EnterAristeia, table: BurningTable) -> Play[Entered]:
    """Pay all at once and enter an Aristeia (artha.aristeia.cost).

    It is not spent on a roll, so no limit of a roll applies (artha.amb.aristeia_vs_limits,
    gold.tests.artha_cap_aristeia). Its price is that of the edition (gold.diff.aristeia_cost),
    and is noted beside the ability named (gold.amb.aristeia_marking). One form for one payment
    (gold.aristeia.shade_shift).
    """
    sheet = table.character(arguments.character)
    rated = sheet.ability(arguments.ability)
    played = edition(table.options)
    cost = played.aristeia_price
    for field in ("fate", "persona", "deeds"):
        if getattr(sheet.artha, field) < getattr(cost, field):
            expected = f"{getattr(cost, field)} {field}, all paid at once"
            held = getattr(sheet.artha, field)
            raise BadInput(f"artha.{field}", held, expected, "artha.aristeia.cost")
    if arguments.form is Form.MINOR_EPIPHANY:
        _may_lighten(rated, played)
    else:
        yield from _approve_goal(arguments)
    because = "artha.aristeia.cost"
    for field in ("fate", "persona", "deeds"):
        path = f"artha.{field}"
        amount = -getattr(cost, field)
        table = yield from table.add(arguments.character, path, amount, because=because)
    table = yield from credit(table, arguments.character, rated.path, rated.kind, cost)
    entered = Aristeia(
        arguments.character, arguments.form.value, rated.name, arguments.goal, arguments.opponent
    )
    aristeias = (*table.scene.aristeias, entered)
    yield from table.amend(
        SCENE, "aristeias", aristeias, because=f"artha.aristeia.{arguments.form.value}"
    )
    return Entered(entered)


def _may_lighten(rated: Rated, played: Edition) -> None:
    """One stat or skill, one shade lighter for a scene (artha.aristeia.minor_epiphany).

    In the later edition any ability (gold.aristeia.shade_shift). White has nothing lighter
    (artha.amb.aristeia_gray_only).
    """
    if not played.any_ability_lightens and rated.kind not in (AbilityKind.STAT, AbilityKind.SKILL):
        rule = "artha.aristeia.minor_epiphany"
        raise BadInput("ability", rated.name, "a stat or a skill", rule)
    if rated.rating.shade is Shade.WHITE:
        raise BadInput("ability", str(rated), "black or gray", "artha.amb.aristeia_gray_only")


def _approve_goal(arguments: EnterAristeia) -> Step[None]:
    """One simple goal, stated on entering (artha.aristeia.divine_aura_goal); the GM approves it."""
    rule = "artha.aristeia.divine_aura_goal"
    if not arguments.goal.strip():
        raise BadInput("goal", arguments.goal, "one simple goal, stated now", rule)
    simple = yield from confirm(
        GM,
        "simple_goal",
        f"Is this one simple goal? {arguments.goal}",
        default=True,
        because="artha.amb.divine_aura_end",
    )
    if not simple:
        raise NotAllowed(f"not one simple goal: {arguments.goal}", rule)


class EndAristeia(Arguments, frozen=True):
    """Whose Aristeia ends, and why."""

    character: str
    why: str


class EnemyEscapes(Arguments, frozen=True):
    """Somebody gets away from a fight."""

    opponent: str


class NewScene(Arguments, frozen=True):
    """The scene is over."""


class Over(Outcome, frozen=True):
    """The Aristeias that no longer hold."""

    ended: tuple[Aristeia, ...]


def end_aristeia(arguments: EndAristeia, table: BurningTable) -> Play[Over]:
    """The goal is reached, has become impossible or is given up (artha.amb.divine_aura_end)."""
    table.character(arguments.character)
    ending = tuple(a for a in table.scene.aristeias if a.character == arguments.character)
    if not ending:
        raise BadInput("character", arguments.character, "somebody in an Aristeia")
    yield from _end(table, ending, arguments.why, "artha.amb.divine_aura_end")
    return Over(ending)


def enemy_escapes(arguments: EnemyEscapes, table: BurningTable) -> Play[Over]:
    """An aura to kill somebody lasts only while the two fight.

    artha.aristeia.divine_aura_combat_goal; in the later edition it goes on until the goal is
    reached (gold.diff.aristeia_scope).
    """
    ending = tuple(
        a
        for a in table.scene.aristeias
        if a.opponent
        and a.opponent == arguments.opponent
        and not edition(table.options).aura_is_for_the_goal
    )
    why = f"{arguments.opponent} got away"
    yield from _end(table, ending, why, "artha.aristeia.divine_aura_combat_goal")
    return Over(ending)


def end_scene(_: NewScene, table: BurningTable) -> Play[Over]:
    """Every Aristeia ends with its scene, and what was shrugged off comes back.

    artha.aristeia.minor_epiphany, artha.amb.divine_aura_end, artha.shrug.effect. What fate has
    settled, it has settled for the scene only (die_of_fate.amb.reroll_same_question), and what
    has shaken somebody may do so again (gold.steel.once_per_scene). In the later edition an aura
    outlasts the scene if its goal does (gold.aristeia.ignore_wounds).
    """
    goes_on = edition(table.options).aura_is_for_the_goal
    ending = tuple(
        a for a in table.scene.aristeias if not (goes_on and a.form == Form.DIVINE_AURA.value)
    )
    rule = "artha.aristeia.minor_epiphany"
    table = yield from _end(table, ending, "the scene is over", rule)
    because = "die_of_fate.amb.reroll_same_question"
    table = yield from table.amend(SCENE, "fates", (), because=because)
    because = "gold.steel.once_per_scene"
    table = yield from table.amend(SCENE, "shaken", (), because=because)
    for name in table.characters:
        table = yield from pain_returns(table, name)
    return Over(ending)


def _end(
    table: BurningTable, ending: tuple[Aristeia, ...], why: str, rule: str
) -> Step[BurningTable]:
    for aristeia in ending:
        name = table.character(aristeia.character).name
        yield from tell(Noted(f"{name}'s Aristeia ends: {why}.", rule))
    left = tuple(a for a in table.scene.aristeias if a not in ending)
    return (yield from table.amend(SCENE, "aristeias", left, because=rule))


PROCEDURES = (
    Procedure("enter_aristeia", "Enter an Aristeia", EnterAristeia, enter_aristeia),
    Procedure("end_aristeia", "An Aristeia ends", EndAristeia, end_aristeia),
    Procedure(
        "enemy_escapes",
        "An enemy gets away from the fight",
        EnemyEscapes,
        enemy_escapes,
        gm_only=True,
    ),
    Procedure(
        "end_scene", "The scene is over", NewScene, end_scene, gm_only=True, touches_all=True
    ),
)
