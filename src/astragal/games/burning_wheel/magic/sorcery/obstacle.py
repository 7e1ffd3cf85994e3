"""The obstacle of a spell, and what raises that of a casting.

Tax is tested against the spell's own obstacle; the casting against all of it
(sorcery.cast.obstacle_sum).
"""

from __future__ import annotations

from astragal.errors import BadInput, NotAllowed, check_between
from astragal.play import GM, Line, Number, Option, PickOne, Seat, Step, Tally, ask, path_of

from ...sheet.parts import Ability
from ...sheet.ratings import HIGHEST_EXPONENT, Rating
from ...sheet.scene import BurningTable
from ...sheet.sheet import Sheet, stat_names
from ...sheet.spells import MEASURED, Spell, SpellStage
from .methods import MethodEffect

MOST_WIDER = 30
"""No area grows further; a larger number is a typing error."""


def spell_obstacle(
    spell: Spell,
    chosen: int,
    targets: tuple[str, ...],
    caster: Sheet,
    seat: Seat,
    table: BurningTable,
) -> Step[tuple[Line, BurningTable]]:
    """The spell's own obstacle, one of four kinds, and the table with what was said for it.

    One fixed number (sorcery.obstacle.fixed), a number that the caster picks for the result wanted
    (sorcery.obstacle.range), a stat of the caster (sorcery.obstacle.caster_stat) or of the target
    (sorcery.obstacle.target_stat); where it finds nobody, ``chosen`` is the stat of whom it was
    meant for.
    """
    if spell.caster_stat:
        stat = caster.ability(spell.caster_stat, f"stats.{spell.caster_stat}")
        rule = "sorcery.obstacle.caster_stat"
        return Line(max(1, stat.exponent), f"{spell.name}: {stat}", rule), table
    if spell.target_stat:
        rule = "sorcery.obstacle.target_stat"
        if not targets and not chosen:
            raise BadInput("targets", [], f"whose {spell.target_stat} is the obstacle", rule)
        highest = chosen if not targets else 1
        for each in targets:
            exponent, table = yield from _stat_of(spell, each, table)
            highest = max(highest, exponent)
        return Line(highest, f"{spell.name}: target's {spell.target_stat}", rule), table
    if not spell.obstacle:
        expected = "a spell with an obstacle: write it on the sheet, as in obstacle = 4"
        raise BadInput("spell", spell.name, expected, "sorcery.obstacle.fixed")
    if len(spell.obstacle) == 1:
        only = spell.obstacle[0]
        if chosen not in (0, only):
            raise BadInput("obstacle", chosen, f"{only} for this spell", "sorcery.obstacle.fixed")
        return Line(only, spell.name, "sorcery.obstacle.fixed"), table
    rule = "sorcery.obstacle.range"
    if not chosen:
        options = tuple(Option(str(ob), f"Ob {ob}", rule) for ob in spell.obstacle)
        prompt = f"{spell.name}: which obstacle?"
        picked = yield from ask(
            seat, "spell_obstacle", prompt, PickOne(options=options), because=rule
        )
        chosen = int(picked)
    if chosen not in spell.obstacle:
        expected = f"one of {', '.join(map(str, spell.obstacle))}"
        raise BadInput("obstacle", chosen, expected, rule)
    return Line(chosen, spell.name, rule), table


def _stat_of(spell: Spell, target: str, table: BurningTable) -> Step[tuple[int, BurningTable]]:
    """The stat of a target; what the GM says of somebody who has none is on the sheet then."""
    sheet = table.character(target, "targets")
    stat = sheet.find(spell.target_stat)
    if stat is not None:
        return stat.exponent, table
    rule = "sorcery.obstacle.target_stat"
    exponent = yield from ask(
        GM,
        "target_stat",
        f"{spell.name}: {sheet.name}'s {spell.target_stat} (not on the sheet yet)",
        Number(least=1, most=HIGHEST_EXPONENT),
        because=rule,
    )
    kind = "stats" if spell.target_stat in stat_names() else "attributes"
    written = Ability(Rating.parse(f"B{exponent}"))
    path = path_of(kind, spell.target_stat)
    return exponent, (yield from table.amend(target, path, written, because=rule))


def check_area(spell: Spell, wider: int) -> None:
    """Only a measured area can be enlarged, and that before the roll (sorcery.area.declare_before).

    Meeting the obstacle covers one unit of the measure (sorcery.area.base).
    """
    check_between("wider", wider, 0, MOST_WIDER, "sorcery.area.increase", unit="increments")
    if wider and spell.area != MEASURED:
        what = f"{spell.name} has no measured area, so it cannot be enlarged"
        raise NotAllowed(what, "sorcery.area.increase")


def casting_obstacle(
    own: Line, spell: Spell, wider: int, method: MethodEffect, avoided: bool
) -> Tally:
    """The obstacle of a casting before circumstances (sorcery.cast.obstacle_sum).

    Only the spell's own obstacle is doubled during Practicals
    (sorcery.learn.practicals.double_ob, sorcery.amb.practicals_tax); area and positioning are one
    and the same increase (sorcery.area.increase, sorcery.amb.dice_and_area_same_obstacle).
    """
    obstacle = Tally((own,))
    if spell.stage is SpellStage.PRACTICALS:
        obstacle += Line(own.amount, "Practicals", "sorcery.learn.practicals.double_ob")
    if wider:
        obstacle += Line(wider, "larger area", "sorcery.area.increase")
    if method.cast_obstacle:
        obstacle += Line(method.cast_obstacle, "hastily", "sorcery.method.hastily")
    if avoided:
        obstacle += Line(1, "Avoid in the same volley", "sorcery.amb.avoid_then_cast")
    return obstacle


def tax_obstacle(own: Line, method: MethodEffect) -> Tally:
    """The obstacle of Tax: the spell's own, whatever the area is.

    sorcery.tax.obstacle_excludes_area; only haste adds to it (sorcery.method.hastily), and
    Practicals do not double it (sorcery.amb.practicals_tax).
    """
    obstacle = Tally((Line(own.amount, own.label, "sorcery.tax.test"),))
    if method.tax_obstacle:
        obstacle += Line(method.tax_obstacle, "hastily", "sorcery.method.hastily")
    return obstacle


def tax_bonus(method: MethodEffect) -> tuple[Line, ...]:
    """The dice that patience adds to the Tax test of a casting, whole or broken off.

    sorcery.method.patiently, sorcery.method.both.
    """
    dice = method.tax_dice
    return (Line(dice, "patiently", "sorcery.method.patiently"),) if dice else ()


def least_obstacle(spell: Spell, caster: Sheet) -> int:
    """The obstacle of a spell as far as it is known by itself: of a range the lowest; else 0.

    sorcery.obstacle.caster_stat, sorcery.obstacle.fixed, sorcery.obstacle.range.
    """
    if spell.caster_stat:
        return max(1, caster.ability(spell.caster_stat).exponent)
    return min(spell.obstacle, default=0)


def basic_obstacle(spell: Spell, caster: Sheet) -> Step[int]:
    """The obstacle at which a spell is read: of a range the lowest, of a target's stat the GM's."""
    if known := least_obstacle(spell, caster):
        return known
    return (
        yield from ask(
            GM,
            "spell_obstacle",
            f"{spell.name}: obstacle",
            Number(least=1, most=10),
            because="sorcery.learn.first_reading.test",
        )
    )
