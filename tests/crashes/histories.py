"""What every client sent and saw, with the time; and whether one log can have been behind it all.

All clients are in one process, so that one clock orders what they did: a command that was sent
after another was acknowledged, or after somebody saw an entry, has to come later in the log.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from itertools import pairwise

import httpx
import msgspec

from astragal.client import Client, SeatClient
from astragal.table.commands.commands import AnyCommand
from astragal.table.log.events import LogEntry, head_of
from crashes.evening import PATIENCE, Evening

NO_DATABASE = "The database does not answer"
PAUSE = 0.1
"""Seconds between two looks of those who only look."""


class Sent(msgspec.Struct, frozen=True):
    """A command: when it was sent, when it was acknowledged, and as which entry."""

    seat: str
    mark: str
    began: float
    ended: float
    seq: int


class Seen(msgspec.Struct, frozen=True):
    """The last entry that somebody was shown, on a connection or when asking anew."""

    seat: str
    began: float
    ended: float
    seq: int
    head: str
    asked: bool
    """Whether it is the answer to a question, which has to be up to date."""


class History(msgspec.Struct):
    """Everything that the clients of one campaign recorded."""

    sent: list[Sent] = []
    seen: list[Seen] = []


def faults(history: History, log: Sequence[LogEntry]) -> list[str]:
    """What cannot have come of one log that only ever grows; empty if all is well."""
    return [
        *_not_one_log(log),
        *_lost(history, log),
        *_out_of_order(history),
        *_looked_back(history),
    ]


def _not_one_log(log: Sequence[LogEntry]) -> Iterable[str]:
    if [entry.seq for entry in log] != list(range(1, len(log) + 1)):
        yield "the entries are not numbered one by one"
    marks = [entry.mark for entry in log if entry.mark]
    yield from (f"{mark} is there twice" for mark in {m for m in marks if marks.count(m) > 1})


def _lost(history: History, log: Sequence[LogEntry]) -> Iterable[str]:
    for sent in history.sent:
        there = log[sent.seq - 1] if 0 < sent.seq <= len(log) else None
        if there is None or (there.seat, there.mark) != (sent.seat, f"{sent.seat}:{sent.mark}"):
            yield f"{sent.mark} was acknowledged as entry {sent.seq}, and is not there"
    for seen in history.seen:
        if seen.seq > len(log) or head_of(log[seen.seq - 1]) != seen.head:
            yield f"{seen.seat} was shown an entry {seen.seq} that is not in the log"


def _out_of_order(history: History) -> Iterable[str]:
    """Whoever sends or asks comes after all that was acknowledged or seen before."""
    known = [(each.ended, each.seq) for each in (*history.sent, *history.seen)]
    later = [(each.began, each.seq - 1, each.mark) for each in history.sent]
    later += [
        (each.began, each.seq, f"a look of {each.seat}") for each in history.seen if each.asked
    ]
    events = sorted([(at, 1, seq, "") for at, seq in known] + [(a, 0, s, w) for a, s, w in later])
    furthest = 0
    for _, is_known, seq, what in events:
        if is_known:
            furthest = max(furthest, seq)
        elif seq < furthest:
            yield f"{what} follows entry {seq}, though entry {furthest} was known before"


def _looked_back(history: History) -> Iterable[str]:
    """No seat sees less than it has seen."""
    for seat in sorted({each.seat for each in history.seen}):
        own = [each for each in history.seen if each.seat == seat and not each.asked]
        for one, next_ in pairwise(sorted(own, key=lambda each: each.ended)):
            if next_.seq < one.seq:
                yield f"{seat} saw entry {next_.seq} after entry {one.seq}"


class RecordedEvening(Evening):
    """An evening whose clients write down all that they send and see."""

    try_again = (*Evening.try_again, NO_DATABASE)
    history: History
    sent = 0
    """How many commands were sent, acknowledged or not."""

    async def sit_at(self, clients: Sequence[Client]) -> None:
        """Sit down, each at one of several servers."""
        self.history = History()
        await self.sit_down(clients[0])
        for number, (name, seat) in enumerate(list(self.seats.items())):
            client = clients[number % len(clients)]
            if client is not clients[0]:
                await seat.close()
                self.seats[name] = client.sit(self.campaign, seat.token)
                await self.seats[name].open(PATIENCE)

    def begin(self) -> None:
        super().begin()
        self._watching = [
            asyncio.create_task(work)
            for name, seat in self.seats.items()
            for work in (self._listen(name, seat), self._look(name, seat))
        ]

    async def close(self) -> None:
        for task in getattr(self, "_watching", ()):
            task.cancel()
        await super().close()

    async def _do(self, name: str, seat: SeatClient, command: AnyCommand) -> None:
        began, before = time.monotonic(), len(self.acknowledged)
        self.sent += 1
        await super()._do(name, seat, command)
        ended = time.monotonic()
        for told in self.acknowledged[before:]:
            if (told.seat, told.command) == (name, command):
                self.history.sent.append(Sent(name, told.mark, began, ended, told.seq))

    async def _listen(self, name: str, seat: SeatClient) -> None:
        async for new in seat.updates():
            now = time.monotonic()
            self.history.seen.append(Seen(name, now, now, new.seq, new.head, False))

    async def _look(self, name: str, seat: SeatClient) -> None:
        """Ask for the whole view again and again; while the server is down there is no answer."""
        while True:
            await asyncio.sleep(PAUSE)
            began = time.monotonic()
            with suppress(httpx.HTTPError, TimeoutError):
                answer = await seat._http.get("/view", timeout=PATIENCE)
                if answer.status_code == httpx.codes.OK:
                    told = msgspec.json.decode(answer.content)
                    ended = time.monotonic()
                    seen = Seen(name, began, ended, told["seq"], told["head"], True)
                    self.history.seen.append(seen)
