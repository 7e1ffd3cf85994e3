"""Casting in a scripted conflict: what can be cast, and what is said of it beforehand.

A section of the chapter on sorcery that all conflicts share. A spell is written into the script
instead of being announced (sorcery.sequence.declare); target, method and area are said before the
positioning dice are rolled (sorcery.method.declare_before_positioning).
"""

from __future__ import annotations

import msgspec

from astragal.errors import BadInput, NotAllowed
from astragal.play import Number, Option, PickSeveral, Step, ask, choose

from ...sheet.scene import BurningTable
from ...sheet.sheet import Sheet
from ...sheet.spells import CASTER, DESTROY, MEASURED, SINGLE, TAX, Spell, SpellEffect
from ...sheet.words import counted
from .casting import CastSpell, DeclaredSpell, check_may_cast, declare_spell
from .casting_time import basic_actions, timing_of
from .methods import CastingMethod
from .obstacle import spell_obstacle
from .reach import is_reached, is_touch
from .spell_tables import casts_with, check_gifted

MOST_WIDER = 10
"""How far an area is enlarged in a conflict."""


class PeopleAround(msgspec.Struct, frozen=True):
    """Those among whom somebody casts or prays: foes, the nearest first, and friends."""

    character: str
    foes: tuple[str, ...]
    friends: tuple[str, ...] = ()


def why_not_cast(sheet: Sheet, spell: Spell) -> tuple[str, str]:
    """Why a spell cannot be cast in a conflict, and by which rule; empty if it can be.

    A spell of which the book gives neither actions nor obstacle has to have them on the sheet.
    """
    if not spell.actions:
        return "its actions are not known: write them on the sheet", "sorcery.actions.unit"
    if not (spell.obstacle or spell.caster_stat or spell.target_stat):
        return "its obstacle is not known: write it on the sheet", "sorcery.obstacle.fixed"
    if spell.caster_stat and sheet.find(spell.caster_stat) is None:
        why = f"its obstacle is your {spell.caster_stat}, which is not on the sheet"
        return why, "sorcery.obstacle.caster_stat"
    try:
        check_gifted(sheet)
        check_may_cast(CastSpell("", spell.name, skill=casts_with(sheet)), spell, sheet)
    except NotAllowed as refused:
        return refused.what, refused.rule or ""
    except BadInput as refused:
        return f"{refused.place} is missing", refused.rule or "sorcery.cast.pool"
    return "", ""


def castable_spells(sheet: Sheet) -> tuple[Spell, ...]:
    """The spells of a sheet that can be cast in a conflict."""
    return tuple(spell for spell in sheet.spells if not why_not_cast(sheet, spell)[0])


def declare_in_conflict(
    around: PeopleAround, spell: Spell, table: BurningTable, *, actions: int = 0
) -> Step[tuple[DeclaredSpell, BurningTable]]:
    """Target, method and area of one casting, then the declaration itself.

    ``actions`` are how many it has to take, if that is settled already: only the methods that take
    as many are offered then.
    """
    character = around.character
    sheet = table.character(character)
    seat = sheet.seat(character)
    meant, targets = yield from _targets(around, spell, table)
    own, table = yield from spell_obstacle(spell, 0, targets or meant, sheet, seat, table)
    method, steps = yield from _method(character, spell, own.amount, actions, table)
    wider = yield from _wider(character, spell, table)
    said = CastSpell(
        character,
        spell.name,
        targets=targets,
        obstacle=own.amount if spell.obstacle or spell.target_stat else 0,
        wider=wider,
        method=method,
        steps=steps,
        skill=casts_with(sheet),
        in_script=True,
    )
    return (yield from declare_spell(said, table))


def _targets(
    around: PeopleAround, spell: Spell, table: BurningTable
) -> Step[tuple[tuple[str, ...], tuple[str, ...]]]:
    """At whom it is cast, and who of them is reached.

    Nobody but the caster, one, or several, as its area is.

    sorcery.area.kinds; the GM may see that somebody is out of its reach (sorcery.origin.definition,
    but for a touch, which is for the distance to decide when it is cast).
    """
    if spell.area == CASTER:
        return (), ()
    rule = "sorcery.area.kinds"
    hostile, near, character = is_hostile(spell), around.foes, around.character
    among = near if hostile and spell.area == SINGLE else (*near, character, *around.friends)
    sheet = table.character(character)
    options = tuple(Option(each, table.character(each).name, rule) for each in among)
    prompt = f"{sheet.name}, {spell.name}: targets"
    seat = sheet.seat(character)
    chosen: tuple[str, ...]
    if spell.area == SINGLE or spell.target_stat:
        if len(options) == 1:
            chosen = among[:1]
        else:
            default = among[0] if hostile else character
            one = yield from choose(
                seat, "spell_target", prompt, options, default=default, because=rule
            )
            chosen = (one,)
    else:
        chosen = yield from ask(
            seat,
            "spell_targets",
            prompt,
            PickSeveral(options=options, default=near if hostile else ()),
            because=rule,
        )
    reached: tuple[str, ...] = ()
    for target in chosen:
        if is_touch(spell) or (yield from is_reached(spell, character, target, table)):
            reached += (target,)
    return chosen, reached


def is_hostile(spell: Spell) -> bool:
    """Whether a spell is for opponents: it hurts, taxes or frightens."""
    return spell.harms or spell.impetus in (DESTROY, TAX) or spell.does is SpellEffect.STEEL


def _method(
    character: str, spell: Spell, own: int, actions: int, table: BurningTable
) -> Step[tuple[CastingMethod, int]]:
    """One of the five ways, with the actions that it takes (sorcery.method.five)."""
    sheet = table.character(character)
    skill = casts_with(sheet)
    ways: dict[str, str] = {}
    listed = basic_actions(spell, own)
    for method in CastingMethod:
        for steps in range(method is not CastingMethod.NORMALLY, own + listed + 1):
            try:
                timing = timing_of(method, steps, spell, own, sheet, skill)
            except BadInput:
                break
            if actions and timing.actions != actions:
                continue
            dice = f", +{steps}D" if timing.cast_dice or timing.tax_dice else ""
            words = method.value.replace("_", " ").capitalize()
            ways[f"{method.value}:{steps}"] = f"{words}{dice}: {counted(timing.actions, 'action')}"
    normally = f"{CastingMethod.NORMALLY.value}:0"
    chosen = normally if normally in ways else next(iter(ways), normally)
    if len(ways) > 1:
        chosen = yield from choose(
            sheet.seat(character),
            "casting_method",
            f"{sheet.name} casts {spell.name}",
            ways,
            default=chosen,
            because="sorcery.method.declare_before_positioning",
        )
    method_key, _, many = chosen.partition(":")
    return CastingMethod(method_key), int(many)


def _wider(character: str, spell: Spell, table: BurningTable) -> Step[int]:
    """The obstacle bought for a larger area, and with it for dice.

    sorcery.area.declare_before, sorcery.amb.dice_and_area_same_obstacle.
    """
    if spell.area != MEASURED:
        return 0
    return (
        yield from ask(
            table.character(character).seat(character),
            "wider",
            f"{spell.name}: larger area, +1 Ob for each increment",
            Number(least=0, most=MOST_WIDER, default=0),
            because="sorcery.area.declare_before",
            kind="aside",
        )
    )
