"""Aristeia: bought outright, it lightens an ability or lifts wounds, for a scene or a goal.

The shift that stays is in ``artha/epiphany``.
"""

from __future__ import annotations

from enum import Enum

import msgspec

from astragal.dice import Shade
from astragal.errors import BadInput, NotAllowed
from astragal.games.game import SCENE, Arguments, Outcome, Procedure
from astragal.play import GM, Play, Step, consent, note

from ..conditions.borne_pain import pain_returns
from ..conditions.every_test import conditions_on
from ..conditions.lines import Tester
from ..conditions.prayers import end_boons
from ..conditions.wounds import AWAKE, check_condition, in_aura, note_state, state_of
from ..sheet.editions import Edition, edition
from ..sheet.parts import AbilityKind, Artha
from ..sheet.ratings import Rating
from ..sheet.scene import Aristeia, BurningTable
from ..sheet.sheet import Rated
from .epiphany import add_artha, credit
from .spending import mark_bits


def lightened(table: BurningTable, character: str, rated: Rated) -> Rated:
    """An ability as it is rolled now: a shade lighter during a Minor Epiphany.

    artha.aristeia.minor_epiphany_effects. Only rolls of the ability itself change, nothing that
    is derived from it (artha.amb.minor_epiphany_derived_values). If the ability itself has become
    white meanwhile, there is nothing lighter (artha.amb.aristeia_gray_only).
    """
    if rated.rating.shade is Shade.WHITE:
        return rated
    for aristeia in table.scene.aristeias:
        mine = (aristeia.character, aristeia.ability) == (character, rated.name)
        if mine and aristeia.form == AristeiaForm.MINOR_EPIPHANY.value:
            lighter = Rating(rated.rating.shade.lighter(), rated.rating.exponent)
            ability = msgspec.structs.replace(rated.ability, rating=lighter)
            return msgspec.structs.replace(rated, ability=ability)
    return rated


# --- Aristeia ------------------------------------------------------------------------------


class AristeiaForm(Enum):
    """The two forms of an Aristeia (artha.aristeia.choose_form)."""

    MINOR_EPIPHANY = "minor_epiphany"
    DIVINE_AURA = "divine_aura"


class EnterAristeia(Arguments, frozen=True):
    """Who enters an Aristeia, in which form and with which ability.

    A Divine Aura needs a ``goal``; ``opponent`` is who is to be killed, if that is the goal.
    """

    character: str
    form: AristeiaForm
    ability: str
    goal: str = ""
    opponent: str = ""


class AristeiaOutcome(Outcome, frozen=True):
    """The Aristeia that has begun."""

    aristeia: Aristeia


def _affordable(character: str, table: BurningTable) -> Artha:
    """The price, which is paid all at once, or a refusal (artha.aristeia.cost)."""
    sheet, cost = table.character(character), edition(table.options).aristeia_price
    for field in Artha.__struct_fields__:
        held, needed = getattr(sheet.artha, field), getattr(cost, field)
        if held < needed:
            what = f"An Aristeia costs {needed} {field}, and {sheet.name} has {held}"
            raise NotAllowed(what, "artha.aristeia.cost")
    return cost


def enter_aristeia(arguments: EnterAristeia, table: BurningTable) -> Play[AristeiaOutcome]:
    """Pay all at once and enter an Aristeia (artha.aristeia.cost).

    It is not spent on a roll, so no limit of a roll applies (artha.amb.aristeia_vs_limits,
    gold.tests.artha_cap_aristeia). Its price is that of the edition (gold.diff.aristeia_cost),
    and is noted beside the ability named (gold.amb.aristeia_marking), and beside Beliefs and
    Instincts (gold.artha.tally, gold.artha.belief_instinct). One form for one payment
    (gold.aristeia.shade_shift).
    """
    sheet = table.character(arguments.character)
    rated = sheet.ability(arguments.ability)
    played = edition(table.options)
    cost = _affordable(arguments.character, table)
    if arguments.form is AristeiaForm.MINOR_EPIPHANY:
        check_condition(table, arguments.character, AWAKE)
        _may_lighten(rated, played)
    else:
        yield from _approve_goal(arguments)
    character, because = arguments.character, "artha.aristeia.cost"
    table = yield from add_artha(table, character, "artha", Artha() - cost, because=because)
    table = yield from credit(table, character, rated.path, rated.kind, cost)
    table = yield from mark_bits(table, character, cost)
    form = arguments.form.value
    entered = Aristeia(character, form, rated.name, arguments.goal, arguments.opponent)
    aristeias = (*table.scene.aristeias, entered)
    before = state_of(table, character)
    table = yield from table.amend(SCENE, "aristeias", aristeias, because=f"artha.aristeia.{form}")
    does = f"ignores wound dice while pursuing this: {arguments.goal}"
    if arguments.form is AristeiaForm.MINOR_EPIPHANY:
        does = f"tests {lightened(table, character, rated)} for the rest of the scene"
    paid = ", ".join(f"{getattr(cost, each)} {each}" for each in Artha.__struct_fields__)
    text = f"{sheet.name} enters an Aristeia ({paid}) and {does}."
    yield from note(text, f"artha.aristeia.{form}")
    yield from note_state(before, character, table, woken_by="artha.amb.divine_aura_scope")
    return AristeiaOutcome(entered)


def _may_lighten(rated: Rated, played: Edition) -> None:
    """One stat or skill, one shade lighter for a scene (artha.aristeia.minor_epiphany).

    In the later edition any ability (gold.aristeia.shade_shift). White has nothing lighter
    (artha.amb.aristeia_gray_only).
    """
    if not played.any_ability_lightens and rated.kind not in (AbilityKind.STAT, AbilityKind.SKILL):
        rule = "artha.aristeia.minor_epiphany"
        raise BadInput("ability", rated.name, "a stat or a skill", rule)
    if rated.rating.shade is Shade.WHITE:
        raise BadInput(
            "ability", str(rated), "a black or gray ability", "artha.amb.aristeia_gray_only"
        )


def for_the_goal(tester: Tester) -> Step[Tester]:
    """Where a Divine Aura would lift dice, the GM says whether the test serves its goal.

    artha.aristeia.divine_aura_goal: the effect covers the pursuit of that one goal only. In the
    later edition it is for everything, until the goal is reached (gold.aristeia.ignore_wounds).
    """
    table, character = tester.table, tester.character
    if edition(table.options).aura_is_for_the_goal or not in_aura(table, character):
        return tester
    beside = msgspec.structs.replace(tester, for_goal=False)
    if conditions_on(beside) == conditions_on(tester):
        return tester
    goals = [a.goal for a in table.scene.aristeias if a.character == character and a.goal]
    serves = yield from consent(
        GM,
        "serves_goal",
        f"Divine Aura: does this test serve the goal? {'; '.join(goals)}".strip(),
        because="artha.aristeia.divine_aura_goal",
    )
    return tester if serves else beside


def _approve_goal(arguments: EnterAristeia) -> Step[None]:
    """One simple goal, stated on entering (artha.aristeia.divine_aura_goal); the GM approves it."""
    rule = "artha.aristeia.divine_aura_goal"
    if not arguments.goal.strip():
        raise BadInput("goal", arguments.goal, "one simple goal for the Divine Aura", rule)
    simple = yield from consent(
        GM,
        "simple_goal",
        f"Divine Aura: is this one simple goal? {arguments.goal}",
        because="artha.amb.divine_aura_end",
    )
    if not simple:
        what = f"A Divine Aura needs one simple goal; this is not one: {arguments.goal}"
        raise NotAllowed(what, rule)


class EndAristeia(Arguments, frozen=True):
    """Whose Aristeia ends, and why."""

    character: str
    why: str


class EnemyEscapes(Arguments, frozen=True):
    """Who gets away from the fight."""

    opponent: str


class SceneEnd(Arguments, frozen=True):
    """Ends the scene: an Aristeia ends with it, and ignored wounds count again."""


class AristeiaEnd(Outcome, frozen=True):
    """The Aristeias that have ended."""

    ended: tuple[Aristeia, ...]


def _entered(character: str, table: BurningTable) -> tuple[Aristeia, ...]:
    """The Aristeias that a character is in, or a refusal."""
    ending = tuple(a for a in table.scene.aristeias if a.character == character)
    if not ending:
        what = f"{table.character(character).name} is not in an Aristeia"
        raise NotAllowed(what, "artha.amb.divine_aura_end")
    return ending


def end_aristeia(arguments: EndAristeia, table: BurningTable) -> Play[AristeiaEnd]:
    """The goal is reached, has become impossible or is given up (artha.amb.divine_aura_end)."""
    ending = _entered(arguments.character, table)
    yield from _end(table, ending, arguments.why, "artha.amb.divine_aura_end")
    return AristeiaEnd(ending)


def enemy_escapes(arguments: EnemyEscapes, table: BurningTable) -> Play[AristeiaEnd]:
    """A Divine Aura to kill somebody lasts only while the two fight.

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
    why = f"{arguments.opponent} escaped"
    yield from _end(table, ending, why, "artha.aristeia.divine_aura_combat_goal")
    return AristeiaEnd(ending)


def end_scene(_: SceneEnd, table: BurningTable) -> Play[AristeiaEnd]:
    """Every Aristeia ends with its scene, and what was shrugged off counts again.

    artha.aristeia.minor_epiphany, artha.amb.divine_aura_end, artha.shrug.effect. What a
    Die of Fate has decided counts for this scene only
    (die_of_fate.amb.reroll_same_question), and what has startled somebody may do so again
    (steel.amb.repeat_tests, gold.steel.once_per_scene). In the later edition a Divine Aura lasts
    beyond the scene until its goal is reached (gold.aristeia.ignore_wounds). A Boon ends here
    (faith.prayer.boon).
    """
    goes_on = edition(table.options).aura_is_for_the_goal
    ending = tuple(
        a
        for a in table.scene.aristeias
        if not (goes_on and a.form == AristeiaForm.DIVINE_AURA.value)
    )
    rule = "artha.aristeia.minor_epiphany"
    table = yield from _end(table, ending, "the scene is over", rule)
    because = "die_of_fate.amb.reroll_same_question"
    table = yield from table.amend(SCENE, "fates", (), because=because)
    because = "gold.steel.once_per_scene"
    table = yield from table.amend(SCENE, "shaken", (), because=because)
    for ride in tuple(ride for ride in table.scene.rides if ride.ability == "Steel"):
        rides = table.scene.results.without(ride)
        table = yield from table.amend(SCENE, "rides", rides, because="steel.amb.repeat_tests")
    for name in table.characters:
        table = yield from pain_returns(table, name)
        table = yield from end_boons(table, name)
    return AristeiaEnd(ending)


def _end(
    table: BurningTable, ending: tuple[Aristeia, ...], why: str, rule: str
) -> Step[BurningTable]:
    for aristeia in ending:
        name = table.character(aristeia.character).name
        yield from note(f"{name}'s Aristeia ends: {why}.", rule)
    left = tuple(a for a in table.scene.aristeias if a not in ending)
    states = {a.character: state_of(table, a.character) for a in ending}
    table = yield from table.amend(SCENE, "aristeias", left, because=rule)
    for character, before in states.items():
        # Afterwards all penalties return (artha.amb.divine_aura_scope).
        yield from note_state(before, character, table)
    return table


PROCEDURES = (
    Procedure(
        "enter_aristeia", "Enter an Aristeia", EnterAristeia, enter_aristeia, check=_affordable
    ),
    Procedure("end_aristeia", "End an Aristeia", EndAristeia, end_aristeia, check=_entered),
    Procedure("enemy_escapes", "An enemy escapes", EnemyEscapes, enemy_escapes, gm_only=True),
    Procedure("end_scene", "End the scene", SceneEnd, end_scene, gm_only=True, touches_all=True),
)
