"""Who has a table open now: the sockets of this process, and what others tell of theirs."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Protocol

LEFT = 4401
"""The code with which a socket is closed when its seat is no longer open to it."""
RESTARTING = 1012

DISMISSED = "this link no longer opens the seat; ask the GM for a new one"
RESTART = "the server is restarting; the page comes back by itself"

Seats = tuple[str, ...]


class Guest(Protocol):
    """A socket, as far as the others at the table are concerned."""

    campaign: str
    seat: str

    def hear_who_is_present(self, seats: Seats) -> None:
        """Be told who is there now."""

    async def leave(self, why: str, code: int) -> None:
        """Be told to go, and why."""

    async def show_the_link(self) -> None:
        """Go, unless the link still opens the seat."""


class Company:
    """All sockets of this process, by campaign.

    ``tell_changed`` is called with a campaign and its seats here whenever those change;
    ``tell_dismissed`` with a campaign and a seat whose links were ended.
    """

    def __init__(self) -> None:
        """Begin with nobody."""
        self._guests: dict[str, set[Guest]] = {}
        self._elsewhere: dict[str, dict[str, Seats]] = {}
        self.tell_changed: Callable[[str, Seats], None] = lambda *_: None
        self.tell_dismissed: Callable[[str, str], None] = lambda *_: None

    def __len__(self) -> int:
        return sum(map(len, self._guests.values()))

    # --- Who is there ----------------------------------------------------------------------

    def here(self) -> dict[str, Seats]:
        """The seats that are open in this process, by campaign."""
        return {campaign: self._here(campaign) for campaign in self._guests}

    def _here(self, campaign: str) -> Seats:
        return tuple(sorted({guest.seat for guest in self._guests.get(campaign, ())}))

    def present(self, campaign: str) -> Seats:
        """The seats that have this table open, here or elsewhere."""
        elsewhere = self._elsewhere.get(campaign, {}).values()
        return tuple(
            sorted({*self._here(campaign), *(seat for seats in elsewhere for seat in seats)})
        )

    def devices(self, campaign: str, seat: str) -> int:
        """How often a seat is open here."""
        return len(self._at(campaign, seat))

    def enter(self, guest: Guest) -> None:
        """Somebody opens the table; the others hear of it if the seat was empty."""
        campaign = guest.campaign
        before, here = self.present(campaign), self._here(campaign)
        self._guests.setdefault(campaign, set()).add(guest)
        if self._here(campaign) != here:
            self.tell_changed(campaign, self._here(campaign))
        if self.present(campaign) == before:
            guest.hear_who_is_present(before)
        else:
            self._tell(campaign)

    def go(self, guest: Guest) -> None:
        """Somebody is gone."""
        campaign = guest.campaign
        before, here = self.present(campaign), self._here(campaign)
        guests = self._guests.get(campaign, set())
        guests.discard(guest)
        if not guests:
            self._guests.pop(campaign, None)
        if self._here(campaign) != here:
            self.tell_changed(campaign, self._here(campaign))
        if self.present(campaign) != before:
            self._tell(campaign)

    def hear(self, process: str, campaign: str, seats: Seats) -> None:
        """Another process tells who has a table open there."""
        before = self.present(campaign)
        there = self._elsewhere.setdefault(campaign, {})
        if seats:
            there[process] = seats
        else:
            there.pop(process, None)
        if not there:
            del self._elsewhere[campaign]
        if self.present(campaign) != before:
            self._tell(campaign)

    def forget(self, process: str) -> None:
        """Another process is gone, with everybody there."""
        for campaign, there in list(self._elsewhere.items()):
            if process in there:
                self.hear(process, campaign, ())

    def _tell(self, campaign: str) -> None:
        seats = self.present(campaign)
        for guest in self._guests.get(campaign, ()):
            guest.hear_who_is_present(seats)

    # --- Who has to go ---------------------------------------------------------------------

    def _at(self, campaign: str, seat: str) -> list[Guest]:
        return [guest for guest in self._guests.get(campaign, ()) if guest.seat == seat]

    async def dismiss(self, campaign: str, seat: str) -> None:
        """Show out everybody who has this seat open: its link was revoked or replaced."""
        self.tell_dismissed(campaign, seat)
        leaving = self._at(campaign, seat)
        await asyncio.gather(*(guest.leave(DISMISSED, LEFT) for guest in leaving))

    async def look_at_links(self, campaign: str = "", seat: str = "") -> None:
        """Another process ended links: show out whoever has none that holds."""
        guests = self._at(campaign, seat) if campaign else self._everyone()
        for guest in guests:
            await guest.show_the_link()

    def _everyone(self) -> list[Guest]:
        return [guest for guests in self._guests.values() for guest in guests]

    async def close(self) -> None:
        """Say goodbye to everyone."""
        await asyncio.gather(*(guest.leave(RESTART, RESTARTING) for guest in self._everyone()))
