"""Giving characters of the GM's to the table, which then writes their scripts."""

from __future__ import annotations

from astragal.errors import BadInput
from astragal.play import GM
from astragal.table.commands import commands as do
from astragal.table.commands.seat import SeatAt
from astragal.table.log import events as happened
from astragal.table.log.events import AnyEvent
from astragal.table.log.state import TablePartner

MERCILESS = 100


def check_dial(dial: int, place: str) -> None:
    """Refuse a dial beyond its ends."""
    if not 0 <= dial <= MERCILESS:
        raise BadInput(place, dial, "0 (careless) to 100 (merciless)")


def partner_changed(at: SeatAt, command: do.GiveToTable) -> AnyEvent:
    """The table scripts for a character from now on, otherwise than before, or no longer."""
    key = at.character(command.character)
    there = at.standing.characters[key]
    if there.sheet["player"] != GM:
        expected = f"a character of the GM's: {at.seat_name(there.sheet['player'])} plays this one"
        raise BadInput("character", key, expected)
    partner = TablePartner(command.dial, command.temperament) if command.on else None
    if partner is not None:
        check_dial(partner.dial, "dial")
    if partner == there.partner:
        raise BadInput("on", command.on, "a different setting: it is already set to this")
    return happened.PartnerChanged(key, partner, at.name(key))
