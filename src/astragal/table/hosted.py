"""One campaign in memory, and the seats that listen to it."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterable

import msgspec

from astragal.play import Seat
from astragal.table.log import events as happened
from astragal.table.log.events import AnyEvent, LogEntry
from astragal.table.log.fold import after
from astragal.table.log.state import Campaign
from astragal.table.running.card import WalkedCards
from astragal.table.running.session import RunningProcedure
from astragal.table.views.build import Views
from astragal.table.views.updates import SeatUpdates

LATEST = 80
"""How many entries of the log come with a view."""

BACKLOG = 64
"""A reader who is this many updates behind gets a new view instead."""

RULED = (happened.EntriesUndone, happened.RulingMade)
"""After these a procedure stands elsewhere than its session."""

_encode = msgspec.json.Encoder().encode
_read_event: Callable[[bytes], AnyEvent] = msgspec.json.Decoder(AnyEvent).decode


class Subscription:
    """What is new for one seat, message by message; ``None`` when the seat is taken away."""

    def __init__(self, hosted: HostedCampaign, seat: Seat) -> None:
        """Begin to listen; nothing is missed between the view and the first update."""
        self.seat = seat
        self._hosted = hosted
        # A table sends to every seat with every command: this does less than an asyncio.Queue.
        self._waiting: deque[bytes | None] = deque()
        self._wakes: asyncio.Future[None] | None = None
        self.stale = False

    def put(self, message: bytes | None) -> None:
        """Hand over a message, or note that the reader is too far behind for that."""
        if message is not None and (self.stale or len(self._waiting) >= BACKLOG):
            self.stale = True
            return
        self._waiting.append(message)
        if self._wakes is not None and not self._wakes.done():
            self._wakes.set_result(None)

    @property
    def has_news(self) -> bool:
        """Whether anything waits to be read."""
        return self.stale or bool(self._waiting)

    async def next(self) -> bytes | None:
        """The next message; a new view for a reader who was too far behind."""
        if self.stale and not self._waiting:
            self.stale = False
            return self._hosted.view(self.seat)
        while not self._waiting:
            self._wakes = asyncio.get_running_loop().create_future()
            await self._wakes
        return self._waiting.popleft()

    def close(self) -> None:
        """Listen no longer."""
        self._hosted.listeners.discard(self)


class _EntryAsText(msgspec.Struct, frozen=True, gc=False):
    """One of the latest entries, as it is in the log.

    As text each is one object, not dozens, and the garbage collector, for which every table
    waits, never looks at it.
    """

    seq: int
    at: str
    seat: Seat
    event: bytes
    mark: str

    def read(self) -> LogEntry:
        return LogEntry(self.seq, self.at, self.seat, _read_event(self.event), self.mark)


class HostedCampaign:
    """One campaign in memory: its state, its latest entries, its listeners."""

    def __init__(self, campaign: Campaign, latest: Iterable[LogEntry]) -> None:
        """Hold a campaign in this state."""
        self.views = Views(campaign)
        self._latest: deque[_EntryAsText] = deque(maxlen=LATEST)
        for entry in latest:
            self._keep(entry, _encode(entry.event))
        self.lock = asyncio.Lock()
        self.listeners: set[Subscription] = set()
        self.running: dict[str, RunningProcedure] = {}
        self.cards = WalkedCards()
        self._ahead: tuple[LogEntry, Views] | None = None
        self.snapshot_bytes = 0
        """How long the last snapshot was that was written from here."""
        self.behind = False
        """Whether something may be in the log that is not here yet."""

    @property
    def campaign(self) -> Campaign:
        """The campaign after its latest entry."""
        return self.views.campaign

    @property
    def latest(self) -> list[LogEntry]:
        """The latest entries, read anew: only a whole view shows them."""
        return [each.read() for each in self._latest]

    def _keep(self, entry: LogEntry, event: bytes) -> None:
        self._latest.append(_EntryAsText(entry.seq, entry.at, entry.seat, event, entry.mark))

    def view(self, seat: Seat) -> bytes:
        """The whole view of a seat, ready to be sent."""
        return _encode(self.views.view(seat, self.latest))

    def ahead(self, entry: LogEntry) -> Views:
        """The campaign as it will look with one more entry."""
        if self._ahead is None or self._ahead[0] is not entry:
            self._ahead = entry, Views(after(self.campaign, entry), like=self.views)
        return self._ahead[1]

    def take(self, entry: LogEntry, text: bytes = b"") -> None:
        """One more entry is in the log: fold it in, and tell everybody.

        ``text`` is its event as JSON, where that has been written out already.
        """
        before, self.views = self.views, self.ahead(entry)
        self._ahead = None
        self._keep(entry, text or _encode(entry.event))
        self._keep_running(entry)
        if self.listeners:
            self._tell(entry, before)

    def _tell(self, entry: LogEntry, before: Views) -> None:
        """Send every listener what is new; to those whose seat is gone, the end."""
        news = SeatUpdates(before, self.views, entry)
        # An undo of an undo brings entries back: then all is told anew.
        revived = isinstance(entry.event, happened.EntriesUndone) and entry.event.to > min(
            (span[0] for span in before.campaign.undone if span[1] > entry.event.to),
            default=entry.seq,
        )
        updates: dict[Seat, bytes] = {}
        chairs = self.campaign.chairs
        for listener in self.listeners:
            seat = listener.seat
            chair = chairs.get(seat)
            if chair is None or chair.gone:
                listener.put(None)
                continue
            if seat not in updates:
                updates[seat] = self.view(seat) if revived else news.update(seat)
            listener.put(updates[seat])

    def _keep_running(self, entry: LogEntry) -> None:
        """Sessions that stand where their procedures stand go on; others are taken up anew."""
        open_now = self.campaign.standing.open
        self.cards.forget_closed(open_now)
        ruled = isinstance(entry.event, RULED)
        for id, running in list(self.running.items()):
            procedure = open_now.get(id)
            if procedure is None or ruled or running.stands_elsewhere(procedure):
                del self.running[id]
            else:
                running.procedure = procedure
