"""The price of a Complication, when it falls on what the character carries."""

from __future__ import annotations

from astragal.errors import NotAllowed
from astragal.games.game import Arguments, Outcome, Procedure
from astragal.play import GM, Option, Play, Step, choose, note

from ..sheet.scene import BurningTable
from ..sheet.weapon_tables import Weapon, balance_dice
from ..sheet.weapons_carried import armed_with, check_whole, place_of
from ..tests.possessions import lose, possessions


def weapon_pays(table: BurningTable, character: str, carried: Weapon) -> Step[BurningTable]:
    """The price of a Complication falls on a weapon.

    One with balance dice loses them instead of breaking (weapons.balance.complication_loss), for
    good (weapons.balance.loss_permanent); only one without them breaks.
    """
    sheet = table.character(character)
    dulled = bool(balance_dice(carried, table.options))
    field = "balance_lost" if dulled else "broken"
    rule = "weapons.balance.loss_permanent" if dulled else "weapons.balance.complication_loss"
    what = "has lost its balance for good" if dulled else "breaks"
    yield from note(f"{sheet.name}'s {carried.called} {what}.", rule)
    path = f"{place_of(sheet, carried)}.{field}"
    return (yield from table.amend(character, path, True, because=rule))


def what_pays(character: str, price: str, table: BurningTable) -> Step[BurningTable]:
    """The GM says whether a Complication costs gear: lost or broken, and which piece.

    artha.complication.physical_cost. What breaks is a weapon (weapons.balance.complication_loss);
    anything carried may be lost.
    """
    sheet = table.character(character)
    breaks = {each.called: each for each in sheet.weapons if not each.broken}
    loses = {f"lost: {name}": thing for name, thing in possessions(sheet).items()}
    if not breaks and not loses:
        return table
    rule = "artha.complication.physical_cost"
    chosen = yield from choose(
        GM,
        "weapon_pays",
        f"Complication: does it cost {sheet.name} any gear? {price}",
        (
            Option("none", "None", rule),
            *(
                Option(name, f"{name}: {_damage(each, table)}", "weapons.balance.complication_loss")
                for name, each in breaks.items()
            ),
            *(Option(key, f"{thing.called}: lost", rule) for key, thing in loses.items()),
        ),
        default="none",
        because=rule,
    )
    if chosen in breaks:
        return (yield from weapon_pays(table, character, breaks[chosen]))
    if chosen in loses:
        return (yield from lose(table, character, loses[chosen], how=price, because=rule))
    return table


def _damage(carried: Weapon, table: BurningTable) -> str:
    return "loses its balance" if balance_dice(carried, table.options) else "breaks"


class WeaponComplication(Arguments, frozen=True):
    """Whose weapon is the price of a Complication, and which weapon."""

    character: str
    weapon: str


class WeaponPrice(Outcome, frozen=True):
    """What became of the weapon."""

    balance_lost: bool
    broken: bool


def _in_play(_: str, table: BurningTable) -> None:
    if not table.scene.complications:
        what = "Complications are not in play; the GM can turn them on"
        raise NotAllowed(what, "artha.complication.optional")


def weapon_complication(arguments: WeaponComplication, table: BurningTable) -> Play[WeaponPrice]:
    """A Complication costs a weapon outside of a test, as in a scripted conflict.

    Only where the table plays with Complications (artha.complication.optional).
    """
    _in_play(arguments.character, table)
    sheet = table.character(arguments.character)
    carried = armed_with(sheet, arguments.weapon)
    check_whole(carried)
    if carried not in sheet.weapons:
        raise NotAllowed(
            f"Choose another weapon: {carried.called} cannot break",
            "weapons.balance.complication_loss",
        )
    at = sheet.weapons.index(carried)
    table = yield from weapon_pays(table, arguments.character, carried)
    after = table.character(arguments.character).weapons[at]
    return WeaponPrice(after.balance_lost, after.broken)


PROCEDURES = (
    Procedure(
        "weapon_complication",
        "A Complication costs a weapon",
        WeaponComplication,
        weapon_complication,
        gm_only=True,
        check=_in_play,
    ),
)
