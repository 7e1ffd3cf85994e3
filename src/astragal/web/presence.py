"""Who has a table open: the sockets of this process, and those that other processes report."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Protocol

SEAT_CLOSED = 4401
"""The code with which a socket is closed when its link no longer opens the seat."""
RESTARTING = 1012
CHECKED_AT_ONCE = 100
"""So many sockets have their links checked at a time."""

LINK_ENDED = "This link no longer opens the seat. Ask the GM for a new one."
RESTART = "The server is restarting. The page reconnects on its own."

Seats = tuple[str, ...]


class SeatConnection(Protocol):
    """A socket, as far as the others at the table are concerned."""

    campaign: str
    seat: str

    def send_present(self, seats: Seats) -> None:
        """Send who is present."""

    async def close(self, why: str, code: int) -> None:
        """Send the reason, and close."""

    async def check_link(self) -> None:
        """Close, unless the link still opens the seat."""


class Presence:
    """All sockets of this process, by campaign.

    ``on_change`` is called with a campaign and its seats in this process whenever those change;
    ``on_links_ended`` with a campaign and a seat whose links were ended.
    """

    def __init__(self) -> None:
        """Begin without sockets."""
        self._connections: dict[str, set[SeatConnection]] = {}
        self._elsewhere: dict[str, dict[str, Seats]] = {}
        self.on_change: Callable[[str, Seats], None] = lambda *_: None
        self.on_links_ended: Callable[[str, str], None] = lambda *_: None

    def __len__(self) -> int:
        return sum(map(len, self._connections.values()))

    # --- Who is present --------------------------------------------------------------------

    def here(self) -> dict[str, Seats]:
        """The seats that are open in this process, by campaign."""
        return {campaign: self._here(campaign) for campaign in self._connections}

    def _here(self, campaign: str) -> Seats:
        return tuple(sorted({each.seat for each in self._connections.get(campaign, ())}))

    def present(self, campaign: str) -> Seats:
        """The seats that have this table open, in any process."""
        elsewhere = self._elsewhere.get(campaign, {}).values()
        return tuple(
            sorted({*self._here(campaign), *(seat for seats in elsewhere for seat in seats)})
        )

    def devices(self, campaign: str, seat: str) -> int:
        """How many sockets a seat has open in this process."""
        return len(self._at(campaign, seat))

    def add(self, connection: SeatConnection) -> None:
        """A socket was opened; the others are told if its seat was not present before."""
        campaign = connection.campaign
        before, here = self.present(campaign), self._here(campaign)
        self._connections.setdefault(campaign, set()).add(connection)
        if self._here(campaign) != here:
            self.on_change(campaign, self._here(campaign))
        if self.present(campaign) == before:
            connection.send_present(before)
        else:
            self._tell(campaign)

    def remove(self, connection: SeatConnection) -> None:
        """A socket was closed."""
        campaign = connection.campaign
        before, here = self.present(campaign), self._here(campaign)
        connections = self._connections.get(campaign, set())
        connections.discard(connection)
        if not connections:
            self._connections.pop(campaign, None)
        if self._here(campaign) != here:
            self.on_change(campaign, self._here(campaign))
        if self.present(campaign) != before:
            self._tell(campaign)

    def elsewhere(self, process: str, campaign: str) -> Seats:
        """The seats that another process has reported."""
        return self._elsewhere.get(campaign, {}).get(process, ())

    def set_elsewhere(self, process: str, campaign: str, seats: Seats) -> None:
        """Another process reports who has a table open there."""
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

    def forget_process(self, process: str) -> None:
        """Another process has ended, with all its sockets."""
        for campaign, there in list(self._elsewhere.items()):
            if process in there:
                self.set_elsewhere(process, campaign, ())

    def _tell(self, campaign: str) -> None:
        seats = self.present(campaign)
        for connection in self._connections.get(campaign, ()):
            connection.send_present(seats)

    # --- Closing sockets -------------------------------------------------------------------

    def _at(self, campaign: str, seat: str) -> list[SeatConnection]:
        return [each for each in self._connections.get(campaign, ()) if each.seat == seat]

    async def end_links(self, campaign: str, seat: str) -> None:
        """The links of a seat were revoked or replaced: close its sockets."""
        self.on_links_ended(campaign, seat)
        closing = self._at(campaign, seat)
        await asyncio.gather(*(each.close(LINK_ENDED, SEAT_CLOSED) for each in closing))

    async def check_links(self, campaign: str = "", seat: str = "") -> None:
        """Close the sockets whose link no longer opens the seat: of a seat, a campaign, or all."""
        connections = self._at(campaign, seat) if seat else self._all(campaign)
        # Some at a time: those are looked up together.
        for start in range(0, len(connections), CHECKED_AT_ONCE):
            some = connections[start : start + CHECKED_AT_ONCE]
            await asyncio.gather(*(connection.check_link() for connection in some))

    def _all(self, campaign: str = "") -> list[SeatConnection]:
        if campaign:
            return list(self._connections.get(campaign, ()))
        return [each for connections in self._connections.values() for each in connections]

    async def close(self) -> None:
        """Close every socket, because the server stops."""
        await asyncio.gather(*(each.close(RESTART, RESTARTING) for each in self._all()))
