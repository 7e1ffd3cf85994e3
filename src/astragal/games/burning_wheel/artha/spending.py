"""Paying for artha: off the sheet, toward an epiphany, and beside Beliefs and Instincts."""

from __future__ import annotations

from astragal.play import GM, Option, PickSeveral, Step, ask

from ..sheet.editions import edition
from ..sheet.parts import Artha
from ..sheet.scene import BurningTable
from ..sheet.sheet import Rated
from .epiphany import add_artha, credit
from .on_a_roll import NOTHING, ThrownDice


def pay(
    table: BurningTable,
    character: str,
    tested: Rated,
    thrown: ThrownDice,
    borne: Artha = NOTHING,
    inspired: Rated | None = None,
) -> Step[BurningTable]:
    """Take what was spent off the sheet, and credit it to the ability.

    Points are gone whether or not the test succeeds (artha.spend.points_are_consumed), and
    count toward a shade shift of what was tested (artha.basics.steps_toward_epiphany,
    gold.artha.tally); but what of them was spent on pain ``borne`` counts for Health
    (gold.amb.health_epiphany_double_count), and the deeds point that doubled another ability of
    the same roll, the one ``inspired``, counts for that one (artha.amb.epiphany_accounting).
    """
    spent = thrown.spent
    if spent == NOTHING and not thrown.called:
        return table
    table = yield from _take(table, character, spent)
    beside = NOTHING if inspired is None else Artha(deeds=1)
    table = yield from credit(table, character, tested.path, tested.kind, spent - borne - beside)
    if inspired is not None:
        table = yield from credit(table, character, inspired.path, inspired.kind, beside)
    health = table.character(character).find("Health")
    if health is not None:
        table = yield from credit(table, character, health.path, health.kind, borne)
    table = yield from mark_bits(table, character, spent)
    for index, trait in enumerate(table.character(character).traits):
        if trait.name in thrown.called:
            because = "beliefs.trait.call_on.once_per_session"
            used = f"traits.{index}.called_this_session"
            table = yield from table.amend(character, used, True, because=because)
    return table


def pay_for_equipment(table: BurningTable, character: str, spent: Artha) -> Step[BurningTable]:
    """Take what was spent on the dice of armor or a shield off the sheet.

    It is credited to no ability (artha.amb.epiphany_accounting).
    """
    table = yield from _take(table, character, spent)
    return (yield from mark_bits(table, character, spent))


def _take(table: BurningTable, character: str, spent: Artha) -> Step[BurningTable]:
    because = "artha.spend.points_are_consumed"
    return (yield from add_artha(table, character, "artha", NOTHING - spent, because=because))


def mark_bits(table: BurningTable, character: str, spent: Artha) -> Step[BurningTable]:
    """Note against Beliefs and Instincts what was spent in a scene about them.

    artha.evolve.mark; the player says which, the GM confirms (artha.amb.evolve_scene_judgement).
    In the later edition the test itself must have had to do with them
    (gold.artha.belief_instinct, gold.diff.artha_on_beliefs). What an Aristeia took is noted, too
    (gold.artha.tally).
    """
    sheet = table.character(character)
    by_test = edition(table.options).bits_by_the_test
    rule = "gold.artha.belief_instinct" if by_test else "artha.evolve.mark"
    what = "test" if by_test else "scene"
    options = tuple(
        Option(f"{field}.{index}", bit.text, rule)
        for field in ("beliefs", "instincts")
        for index, bit in enumerate(getattr(sheet, field))
    )
    if spent == NOTHING or not options:
        return table
    tagged = yield from ask(
        sheet.seat(character),
        "about",
        f"Artha was spent. Which Beliefs or Instincts was the {what} about?",
        PickSeveral(options=options, default=()),
        because=rule,
    )
    if not tagged:
        return table
    confirmed = yield from ask(
        GM,
        "about_confirmed",
        f"Was the {what} about these Beliefs or Instincts of {sheet.name}'s?",
        PickSeveral(options=tuple(o for o in options if o.key in tagged), default=tagged),
        because="artha.amb.evolve_scene_judgement",
        kind="consent",
    )
    for path in confirmed:
        table = yield from add_artha(table, character, f"{path}.spent", spent, because=rule)
    return table
