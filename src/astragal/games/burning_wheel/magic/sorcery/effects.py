"""The effect of a spell that was cast: where its successes go, and what it does to whom.

Extra successes are counted above the obstacle actually faced, whatever has raised it.
"""

from __future__ import annotations

import msgspec

from astragal.errors import BadInput
from astragal.games.game import Outcome
from astragal.play import Line, Option, Play, Seat, Split, Step, ask, call, note
from astragal.rules import catalogue

from ...sheet.scene import BurningTable
from ...sheet.spells import ELAPSED, MEASURED, NATURAL, PRESENCE, Spell, SpellEffect
from ...sheet.words import counted
from .casting import DeclaredSpell
from .damage import MOST_BONUS
from .lasting import keep_in_effect
from .reach import presence_paces
from .targets import SpellHit, TargetEffect, affect_targets

EFFECT, SECOND, DURATION = "effect", "second_effect", "duration"
DIE_OF_FATE = "die_of_fate"


class SuccessesPlaced(msgspec.Struct, frozen=True):
    """Where the extra successes of a casting went (sorcery.effect.record_allocation)."""

    effect: int = 0
    second_effect: int = 0
    duration: int = 0
    die_of_fate: int = 0

    @property
    def used(self) -> int:
        """All that went anywhere."""
        return self.effect + self.second_effect + self.duration + self.die_of_fate


class SpellOutcome(Outcome, frozen=True):
    """What a spell did: successes in its effects, duration and the Die of Fate, and whom it hit.

    ``ims`` is its damage in three stages, ``degree`` the size of a Natural Effect, ``paces`` how
    far a measured area or a Presence reaches; ``sustained`` whether it goes on, ``lasts`` for how
    many increments of Elapsed Time.
    """

    effect: int = 0
    second_effect: int = 0
    duration: int = 0
    die_of_fate: int = 0
    ims: str = ""
    stage: str = ""
    hits: tuple[SpellHit, ...] = ()
    degree: str = ""
    paces: int = 0
    sustained: bool = False
    lasts: int = 0


def uses_of(spell: Spell) -> tuple[Option, ...]:
    """What extra successes of a spell may be used for.

    Effect, of an up spell (sorcery.obstacle.up_spell, sorcery.obstacle.flat_spell) or a Natural
    Effect, and a second one where it has two (sorcery.effect.split_two_effects); duration, of any
    spell with Elapsed Time (sorcery.duration.elapsed_extend, sorcery.amb.flat_elapsed_duration);
    the Die of Fate of any spell that hurts (sorcery.dof.bonus, sorcery.amb.flat_spell_dof).
    """
    uses: tuple[Option, ...] = ()
    if spell.up or spell.area == NATURAL:
        uses += (Option(EFFECT, "Effect", "sorcery.obstacle.up_spell"),)
        if second := spell.second_effect.strip():
            uses += (
                Option(SECOND, second[:1].upper() + second[1:], "sorcery.effect.split_two_effects"),
            )
    if spell.duration == ELAPSED:
        uses += (Option(DURATION, "Duration", "sorcery.duration.elapsed_extend"),)
    if spell.harms:
        uses += (Option(DIE_OF_FATE, "Die of Fate", "sorcery.dof.bonus", note="at most 3"),)
    return uses


def place_successes(spell: Spell, extra: int, seat: Seat) -> Step[SuccessesPlaced]:
    """Let the player divide the extra successes once the dice are seen.

    sorcery.effect.allocate_after_roll, sorcery.effect.split_two_effects; each is used once
    (sorcery.effect.no_double_use, sorcery.dof.bonus_exclusive).
    """
    uses = uses_of(spell)
    if not uses or extra <= 0:
        return SuccessesPlaced()
    keys = [use.key for use in uses]
    if len(uses) == 1:
        most = min(extra, MOST_BONUS) if keys == [DIE_OF_FATE] else extra
        return SuccessesPlaced(**{keys[0]: most})
    first = (extra,) if keys[0] != DIE_OF_FATE else (min(extra, MOST_BONUS),)
    split = yield from ask(
        seat,
        "place_successes",
        f"{counted(extra, 'extra success')}: where?",
        Split(amount=extra, pools=uses, all_of_it=False, default=first + (0,) * (len(uses) - 1)),
        because="sorcery.effect.allocate_after_roll",
    )
    placed = SuccessesPlaced(**dict(zip(keys, split, strict=True)))
    if placed.die_of_fate > MOST_BONUS:
        expected = f"at most {MOST_BONUS} successes in the Die of Fate"
        raise BadInput("place_successes", placed.die_of_fate, expected, "sorcery.dof.bonus")
    return placed


def take_effect(
    declared: DeclaredSpell, extra: int, obstacle: int, wider: int, table: BurningTable
) -> Play[tuple[SpellOutcome, BurningTable]]:
    """Apply the effect of a spell that succeeded, with its extra successes.

    Those above the obstacle actually faced (sorcery.effect.over_actual_obstacle,
    sorcery.amb.extra_successes_measured_from).

    ``obstacle`` is the one it met, ``wider`` are the increments of its area.
    """
    spell, character = declared.spell, declared.arguments.character
    caster = table.character(character)
    seat = caster.seat(character)
    placed = yield from place_successes(spell, extra, seat)
    whole, spare = obstacle + extra, extra - placed.used
    done = TargetEffect(placed.effect, placed.die_of_fate, whole, obstacle, spare)
    hurt, table = yield from call(affect_targets, declared, done, table)
    paces = area_paces(spell, wider)
    if spell.area == PRESENCE or spell.origin == PRESENCE:
        paces = presence_paces(caster)
    degree = yield from _natural_effect(spell, placed.effect)
    yield from _say_effect(spell, placed, paces)
    kept, table = yield from call(
        keep_in_effect, declared, placed.effect, placed.second_effect, placed.duration, table
    )
    outcome = SpellOutcome(
        effect=placed.effect,
        second_effect=placed.second_effect,
        duration=placed.duration,
        die_of_fate=placed.die_of_fate,
        ims=hurt.ims,
        stage=hurt.stage,
        hits=hurt.hits,
        degree=degree,
        paces=paces,
        sustained=kept.sustained,
        lasts=kept.increments,
    )
    return outcome, table


def area_paces(spell: Spell, wider: int) -> int:
    """How far a measured area reaches, in paces: one unit, and one more for each increment.

    sorcery.area.base, sorcery.area.increase. As Magesense shows about 10 paces around, and 10 more
    for each +1 Ob (sorcery.spell.magesense). 0 where nothing is measured, and for miles.
    """
    each = {"Paces": 1, "10s of Paces": 10, "100s of Paces": 100}.get(spell.unit, 0)
    return each * (1 + wider) if spell.area == MEASURED else 0


def _natural_effect(spell: Spell, over: int) -> Step[str]:
    """The size of a Natural Effect (sorcery.natural_effect.scale).

    With no success over the obstacle nothing is noticed; above 10 it is the last row
    (sorcery.amb.natural_effect_zero_over).
    """
    if spell.area != NATURAL:
        return ""
    rule = "sorcery.natural_effect.scale"
    if not over:
        yield from note("Nothing noticeable happens.", rule)
        return ""
    reached = catalogue().table("sorcery.table.natural_effect_scale").records()[:over]
    degree = reached[-1].text("degree")
    column = {"Air": "wind", "Fire": "fire", "Heaven": "light", "Water": "water"}.get(spell.element)
    # Where a size is not described, it is like the one before it.
    described = [row.text(column) for row in reached if row[column]] if column else []
    like = f": {described[-1]}" if described else ""
    yield from note(f"The effect is {degree}{like}.", rule)
    return degree


def _say_effect(spell: Spell, placed: SuccessesPlaced, paces: int) -> Step[None]:
    """Say what comes of it: impetus, element, intent and successes (sorcery.facet.effect)."""
    parts = [f"{line.label} {line.amount}" for line in _lines(spell, placed)]
    if paces:
        parts.append(counted(paces, "pace"))
    said = f" ({', '.join(parts)})" if parts else ""
    words = f": {spell.effect}" if spell.effect else ""
    rule = "sorcery.facet.effect"
    if spell.does is SpellEffect.SIGHT:
        rule = "sorcery.spell.magesense"
    yield from note(f"{spell.name} takes effect{said}{words}.", rule)


def _lines(spell: Spell, placed: SuccessesPlaced) -> tuple[Line, ...]:
    rule = "sorcery.effect.record_allocation"
    named = (
        ("effect", placed.effect),
        (spell.second_effect.strip(), placed.second_effect),
        ("duration", placed.duration),
    )
    return tuple(Line(amount, label, rule) for label, amount in named if amount)
