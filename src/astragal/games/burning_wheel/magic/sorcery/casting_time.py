"""How long a casting takes: actions, and what they come to in and outside of conflicts."""

from __future__ import annotations

from fractions import Fraction
from math import ceil

from astragal.errors import BadInput, NotAllowed, check_between
from astragal.games.game import Arguments, Outcome, Procedure
from astragal.play import Play, note
from astragal.rules import Options, catalogue

from ...conditions.reflexes import actions_in_exchange
from ...sheet.scene import BurningTable
from ...sheet.sheet import Sheet
from ...sheet.spells import Spell
from .methods import CastingMethod, MethodEffect, method_effect
from .obstacle import least_obstacle
from .spell_tables import casting_skill, spell_of

ACTIONS_PER_VOLLEY = 20
"""What fits into a volley of Range and Cover or the Duel of Wits (sorcery.time.volley_20)."""


def basic_actions(spell: Spell, obstacle: int) -> int:
    """The listed casting time in actions (sorcery.actions.unit); 0 where it is not known.

    An x-actions spell takes its number times the obstacle (sorcery.actions.x_actions).
    """
    return spell.actions * obstacle if spell.times_obstacle else spell.actions


def actions_per_minute(exponent: int) -> int:
    """How many actions a sorcerer performs in a minute outside of conflicts.

    sorcery.time.actions_per_minute: 20 for each point of Reflexes.

    >>> [actions_per_minute(reflexes) for reflexes in (3, 4, 5, 6)]
    [60, 80, 100, 120]
    """
    row = catalogue().table("sorcery.table.actions_per_minute").records()[0]
    return row.number("actions_per_minute") // 3 * exponent


def seconds_of(actions: int, sheet: Sheet) -> int:
    """A casting time outside of conflicts, in seconds.

    By Reflexes where they are known, else a second for each action
    (sorcery.amb.minutes_vs_seconds).
    """
    marker = sheet.find("Reflexes")
    if marker is None or not marker.exponent:
        return actions
    return ceil(Fraction(actions * 60, actions_per_minute(marker.exponent)))


def maintain_volleys(actions: int) -> int:
    """How many volleys of Maintain come before the one in which the spell is cast.

    sorcery.time.volley_20, sorcery.time.rc_over_20, sorcery.time.rc_over_40; and so on beyond the
    table (sorcery.amb.rc_over_60).

    >>> [maintain_volleys(actions) for actions in (20, 21, 40, 41, 61)]
    [0, 1, 1, 2, 3]
    """
    if actions <= 3 * ACTIONS_PER_VOLLEY:
        row = (
            catalogue().table("sorcery.table.rc_volleys").in_band(max(1, actions), "total_actions")
        )
        return row.number("maintain_volleys_first")
    return ceil(Fraction(actions, ACTIONS_PER_VOLLEY)) - 1


def duel_volleys(actions: int, options: Options) -> int:
    """How many volleys of a Duel of Wits are spent before the one of the casting.

    Longer spells are allowed there, or refused, as the group reads it (sorcery.amb.rc_over_60).
    """
    volleys = maintain_volleys(actions)
    if volleys and options["sorcery_long_spells_in_duel_of_wits"] == "refused":
        what = (
            f"A spell of {actions} actions is too long for a Duel of Wits: cast one of 20 or fewer"
        )
        raise NotAllowed(what, "sorcery.time.volley_20")
    return volleys


def fight_exchanges(actions: int, per_exchange: int, left: int) -> tuple[int, int]:
    """In which exchange of a Fight! a spell is completed, and on which action of it.

    Each scripted action pays for one (sorcery.time.fight); what does not fit into the actions that
    are ``left`` in this exchange goes on in the next without a break (sorcery.time.carries_over).

    >>> fight_exchanges(3, 4, 4), fight_exchanges(9, 4, 2)
    ((1, 3), (3, 3))
    """
    if actions <= left:
        return 1, per_exchange - left + actions
    exchange, action = divmod(actions - left - 1, per_exchange)
    return exchange + 2, action + 1


# --- Looking it up -------------------------------------------------------------------------


class SpellTime(Arguments, frozen=True):
    """Whose spell, cast how; ``left`` are the actions left in this exchange of a Fight!.

    ``steps`` are the bonus dice of a method, or the actions that haste takes off; ``obstacle`` is
    that of the spell where there are several, ``skill`` what it is cast with.
    """

    character: str
    spell: str
    obstacle: int = 0
    method: CastingMethod = CastingMethod.NORMALLY
    steps: int = 0
    left: int = 0
    skill: str = "Sorcery"


class SpellTimeOutcome(Outcome, frozen=True):
    """The actions of a casting and what they come to.

    ``exchange`` and ``action`` are when it is completed in a Fight!, ``maintain`` the volleys
    spent on Maintain first in Range and Cover, ``duel`` those of a Duel of Wits.
    """

    actions: int
    seconds: int
    per_minute: int
    exchange: int
    action: int
    maintain: int
    duel: int


def spell_time(arguments: SpellTime, table: BurningTable) -> Play[SpellTimeOutcome]:
    """Work out the time of a casting in every kind of play (sorcery.duel.normal_maneuvers).

    In Fight! it is counted by actions, in Range and Cover by volleys of 20 actions.
    """
    sheet = table.character(arguments.character)
    spell = spell_of(sheet, arguments.spell)
    own = arguments.obstacle or least_obstacle(spell, sheet) or 1
    timing = timing_of(arguments.method, arguments.steps, spell, own, sheet, arguments.skill)
    if not timing.actions:
        expected = "a spell whose actions are known: write them on the sheet"
        raise BadInput("spell", spell.name, expected, "sorcery.actions.unit")
    marker = sheet.find("Reflexes")
    each = actions_in_exchange(table, arguments.character).total if marker is not None else 0
    left = arguments.left or each
    check_between("left", left, 0, each, "sorcery.time.fight", unit="actions")
    exchange, action = fight_exchanges(timing.actions, each, left) if each else (0, 0)
    outcome = SpellTimeOutcome(
        actions=timing.actions,
        seconds=seconds_of(timing.actions, sheet),
        per_minute=actions_per_minute(marker.exponent) if marker is not None else 60,
        exchange=exchange,
        action=action,
        maintain=maintain_volleys(timing.actions),
        duel=duel_volleys(timing.actions, table.options),
    )
    yield from note(f"{spell.name}: {timing.actions} actions.", "sorcery.actions.unit")
    # Sight of the whole volley is free when the spell is cast
    # (sorcery.time.rc_casting_volley_free, sorcery.amb.close_while_casting).
    text = (
        "Range and Cover: Maintain first, then Close, Withdraw or Maintain in the casting volley."
    )
    yield from note(text, "sorcery.time.rc_casting_volley_free")
    return outcome


def timing_of(
    method: CastingMethod, steps: int, spell: Spell, own: int, sheet: Sheet, skill: str
) -> MethodEffect:
    """What a method does to a spell in somebody's hands; without Forte nobody is patient.

    One of the GM's may have no Forte yet, where nothing but the time is looked up.
    """
    forte = sheet.find("Forte")
    return method_effect(
        method,
        steps,
        basic_actions(spell, own),
        own,
        casting_skill(sheet, skill).exponent,
        0 if forte is None else forte.exponent,
    )


PROCEDURES = (Procedure("spell_time", "Casting time", SpellTime, spell_time),)
