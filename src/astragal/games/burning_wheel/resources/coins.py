"""A sample currency to haggle in: coins, wages and prices of England and France, about 1300.

Colour for the chapter on Resources (``resources/resources_test``): no test
depends on it. The tables are the catalogue's, with what is damaged in them kept as printed
(resources.amb.currency_table_damage).
"""

from __future__ import annotations

import re

from astragal.errors import BadInput
from astragal.games.game import Procedure
from astragal.play import Play
from astragal.rules import catalogue

from ..sheet.lookups import Entries, LookUp, look_up
from ..sheet.scene import BurningTable

SOUS, DENIER = 20, 12
"""Sous in a livre and denier in a sou (resources.currency.units)."""

WORTH = {"livre": SOUS * DENIER, "sou": DENIER, "denier": 1}
"""Each coin in denier."""


def in_denier(money: str) -> int:
    """An amount of money in the smallest coin (resources.currency.units).

    >>> in_denier("1 livre"), in_denier("2 sous and 3 denier")
    (240, 27)
    """
    total = 0
    for part in re.split(r"\s*,\s*|\s+and\s+", money.strip().casefold()):
        match = re.fullmatch(r"(\d+)\s+(livre|sou|denier)s?", part)
        if match is None:
            expected = "an amount of money, as in: 3 livres, 2 sous and 6 denier"
            raise BadInput("money", money, expected, "resources.currency.units")
        total += int(match[1]) * WORTH[match[2]]
    return total


def wages(occupation: str) -> int:
    """What an occupation pays in a month, in denier; colour only.

    >>> wages("knight"), wages("mason")
    (2520, 615)
    """
    for row in catalogue().table("resources.table.wages").records():
        if occupation.casefold() in row.texts("occupation"):
            return in_denier(f"{row['amount_per_month']} {row['unit']}")
    expected = f"one of {', '.join(occupations())}"
    raise BadInput("occupation", occupation, expected, "resources.currency.units")


def occupations() -> tuple[str, ...]:
    """Every occupation whose pay is known, as listed."""
    rows = catalogue().table("resources.table.wages").records()
    return tuple(one for row in rows for one in row.texts("occupation"))


def look_up_wages(arguments: LookUp, _: BurningTable) -> Play[Entries]:
    """Say what an occupation pays in a month, in the smallest coin (resources.currency.units)."""
    paid = {one: f"{wages(one)} denier a month" for one in occupations()}
    return (yield from look_up(paid, arguments.entry, "resources.currency.units"))


def in_coin(item: str) -> str:
    """What a thing of the sample price list cost in coin; empty if it is not on it.

    >>> in_coin("mule"), in_coin("castle")
    ('2-6 sous', '')
    """
    for row in catalogue().table("resources.table.currency").records():
        if str(row["item"]).casefold() == item.casefold():
            return str(row["real_world_cost"])
    return ""


PROCEDURES = (Procedure("look_up_wages", "Look up what an occupation pays", LookUp, look_up_wages),)
