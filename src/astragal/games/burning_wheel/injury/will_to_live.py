"""Mortal Wounds and the Will to Live.

The player says whether the character has the will to live, and pays a point of persona for it;
only then can a healer do anything (injury.will_to_live.needs_treatment).
In the later edition the point buys the Health test itself (gold.diff.will_to_live_detail).
"""

from __future__ import annotations

from astragal.errors import NotAllowed
from astragal.games.game import Arguments, Outcome, Procedure
from astragal.play import (
    GM,
    Number,
    Option,
    Play,
    Seat,
    Step,
    ask,
    call,
    choose,
    confirm,
    note,
    tell,
)
from astragal.rules import catalogue

from ..artha.aristeia import lightened
from ..artha.epiphany import credit
from ..artha.spending import mark_bits
from ..conditions.wounds import dies, set_wound
from ..sheet.editions import edition
from ..sheet.facts import AtStake
from ..sheet.parts import Artha, Wound, WoundLevel
from ..sheet.scene import BurningTable
from ..sheet.sheet import Sheet
from ..tests.attempts import prepare
from ..tests.intent import CALLED_FOR, Agreement, Declaration
from ..tests.results import StandardOutcome
from ..tests.terms import RollTerms
from ..tests.tests import roll_standard

LIVE = Option("live", "Claim the Will to Live", "injury.will_to_live.claim", cost="1 persona")
WAIT = Option("wait", "Decide when a healer comes", "injury.amb.will_to_live_timing")
DIE = Option("die", "Die", "injury.will_to_live.decline")


def felled(table: BurningTable, character: str, index: int) -> Step[BurningTable]:
    """A Mortal Wound has been taken, by a blow or by bleeding (injury.bleed.to_mortal).

    The character is down at once and dying (injury.mortal.drops). The player may answer now or
    wait for a healer (injury.amb.will_to_live_timing); without persona the answer can only wait.
    """
    sheet = table.character(character)
    yield from note(f"{sheet.name} falls, mortally wounded.", "injury.mortal.drops")
    options = (LIVE, WAIT, DIE) if sheet.artha.persona else (WAIT, DIE)
    said = yield from _ask(sheet.seat(character), sheet, options, WAIT)
    if said == WAIT.key:
        return table
    return (yield from _answered(said, table, character, index))


def will_when_tended(table: BurningTable, character: str, index: int) -> Step[BurningTable]:
    """A healer begins: the last moment to claim the Will to Live.

    Without a point of persona the character dies in any case
    (injury.will_to_live.no_persona). For the GM's characters the GM pays; one without persona
    dies, or lives as the GM likes (injury.amb.will_to_live_timing).
    """
    sheet = table.character(character)
    wound = sheet.wounds[index]
    if wound.level is not WoundLevel.MORTAL or wound.will:
        return table
    if not sheet.artha.persona:
        lives = False
        if sheet.npc and table.options["injury_npc_without_persona"] == "gm_choice":
            lives = yield from confirm(
                GM,
                "npc_lives",
                f"{sheet.name} has no persona for the Will to Live. Allow treatment anyway?",
                default=False,
                because="injury.amb.will_to_live_timing",
            )
        if not lives:
            rule = "injury.will_to_live.no_persona"
            how = "no persona for the Will to Live"
            return (yield from dies(table, character, because=rule, how=how))
        rule = "injury.amb.will_to_live_timing"
        return (yield from set_wound(table, character, index, because=rule, will=True))
    said = yield from _ask(sheet.seat(character), sheet, (LIVE, DIE), LIVE)
    return (yield from _answered(said, table, character, index))


def _ask(seat: Seat, sheet: Sheet, options: tuple[Option, ...], default: Option) -> Step[str]:
    rule, prompt = "injury.will_to_live.claim", f"{sheet.name}: Will to Live?"
    return choose(seat, "will_to_live", prompt, options, default=default.key, because=rule)


def _answered(said: str, table: BurningTable, character: str, index: int) -> Step[BurningTable]:
    if said == DIE.key:
        rule = "injury.will_to_live.decline"
        return (yield from dies(table, character, because=rule, how="no Will to Live"))
    return (yield from claim_life(table, character, index))


def claim_life(table: BurningTable, character: str, index: int) -> Step[BurningTable]:
    """Claim the Will to Live, and pay 1 persona (injury.will_to_live.claim).

    It heals nothing, but treatment may now work (injury.will_to_live.needs_treatment). Each
    Mortal Wound needs a point of its own (injury.amb.will_to_live_timing).
    """
    rule = "injury.will_to_live.claim"
    sheet = table.character(character)
    table = yield from table.add(character, "artha.persona", -1, because=rule)
    health = sheet.find("Health")
    # Without a roll it counts toward no epiphany (artha.amb.epiphany_accounting); in the later
    # edition it buys a test of Health, and is noted as such (gold.artha.belief_instinct).
    if health is not None and edition(table.options).persona_buys_life:
        table = yield from credit(table, character, health.path, health.kind, Artha(persona=1))
        table = yield from mark_bits(table, character, Artha(persona=1))
    yield from note(f"{sheet.name} has the Will to Live, and needs treatment.", rule)
    return (yield from set_wound(table, character, index, because=rule, will=True))


def needs_will(sheet: Sheet) -> int | None:
    """The place of the first Mortal Wound whose Will to Live has not been paid for."""
    return next((at for at, wound in _mortal(sheet) if not wound.will), None)


# --- Clinging to life ----------------------------------------------------------------------


class ClingToLife(Arguments, frozen=True):
    """The mortally wounded character who claims the Will to Live."""

    character: str
    helpers: tuple[str, ...] = ()


class SurvivalOutcome(Outcome, frozen=True):
    """Whether the character lives so far, and whether the wound has yet to be treated."""

    lives: bool
    awaits_treatment: bool
    test: StandardOutcome | None = None


def _to_cling_to(character: str, table: BurningTable) -> int:
    """The Mortal Wound that the Will to Live is for, and that can be paid for; or a refusal."""
    rule = "gold.result.will_to_live"
    sheet = table.character(character)
    unpaid = None if edition(table.options).persona_buys_life else needs_will(sheet)
    wound = _untreated(sheet) if unpaid is None else unpaid
    if wound is None:
        raise NotAllowed(f"{sheet.name} has no untreated Mortal Wound", rule)
    if not sheet.wounds[wound].will and not sheet.artha.persona:
        raise NotAllowed(f"{sheet.name} has no persona for the Will to Live", rule)
    return wound


def cling_to_life(arguments: ClingToLife, table: BurningTable) -> Play[SurvivalOutcome]:
    """Spend 1 persona to have a chance against a Mortal Wound (gold.result.will_to_live).

    A point that was paid when the wound was taken is not paid again. Where only a healer helps,
    each Mortal Wound takes a point of its own (injury.amb.will_to_live_timing).
    """
    character, rule = arguments.character, "gold.result.will_to_live"
    sheet = table.character(character)
    played = edition(table.options)
    wound = _to_cling_to(character, table)
    health = lightened(table, character, sheet.ability("Health", "attributes.Health"))
    if not sheet.wounds[wound].will:
        table = yield from claim_life(table, character, wound)
    if not played.persona_buys_life:
        return SurvivalOutcome(lives=True, awaits_treatment=True)
    agreed = Agreement(character, "live", "clings to life", health)
    terms = yield from _terms(sheet.name)
    declaration = Declaration(
        character=character,
        intent=agreed.intent,
        task=agreed.task,
        ability=health.name,
        helpers=arguments.helpers,
    )
    attempt = yield from prepare(declaration, agreed, 0, CALLED_FOR, table)
    outcome, table = yield from call(roll_standard, attempt, terms, table)
    lives = outcome.passed or bool(outcome.averted)
    if lives:
        yield from set_wound(table, character, wound, because=rule, treated=True)
    else:
        yield from dies(table, character, because=rule, how="the Health test failed")
    return SurvivalOutcome(lives=lives, awaits_treatment=False, test=outcome)


def _untreated(sheet: Sheet) -> int | None:
    """The place of the first Mortal Wound that has not been treated."""
    return next((at for at, wound in _mortal(sheet) if not wound.treated), None)


def _mortal(sheet: Sheet) -> list[tuple[int, Wound]]:
    return [
        (at, wound) for at, wound in enumerate(sheet.wounds) if wound.level is WoundLevel.MORTAL
    ]


def _terms(name: str) -> Step[RollTerms]:
    """How hard it is to live on, which the later guide does not say."""
    obstacle = yield from ask(
        GM,
        "health_obstacle",
        f"Obstacle of {name}'s Health test to survive",
        Number(least=1, most=10, default=mortal_obstacle()),
        because="injury.recovery.mortal_test",
    )
    terms = RollTerms(obstacle, f"{name} lives", "", f"{name} dies of the wound", 0, 1)
    yield from tell(AtStake(terms.success, terms.death, "a moment"))
    return terms


def mortal_obstacle() -> int:
    """The obstacle of recovering from a Mortal Wound (injury.recovery.mortal_test).

    >>> mortal_obstacle()
    6
    """
    return catalogue().table("injury.table.recovery").number("health_ob", wound="Mortal")


PROCEDURES = (
    Procedure("cling_to_life", "Will to Live", ClingToLife, cling_to_life, check=_to_cling_to),
)
