"""What the table asks of a store, and what a store may say no with.

A store keeps campaigns as logs, and the digests of the links that open their seats. It knows
nothing of rules or rights. Whatever it has acknowledged survives a crash of the process and of
the machine; whatever it has refused has left no trace.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Collection, Iterable, Mapping, Sequence
from types import MappingProxyType, TracebackType
from typing import TYPE_CHECKING, Final, Self

import msgspec

from astragal.play import Seat
from astragal.table.log.events import LogEntry

if TYPE_CHECKING:
    from astragal.table.store.backup import AnyRecord

EVERYWHERE: Final = ("*", 0)
"""What :meth:`Store.changed` says after it may have missed something: look at every campaign."""

NOBODY: Final[Mapping[Seat, bytes]] = MappingProxyType({})
"""No links."""


class StoreError(Exception):
    """Anything that a store refuses with."""


class AppendConflict(StoreError):
    """The number of the entry is taken, or its predecessor does not exist; ``last`` is the last."""

    def __init__(self, campaign: str, seq: int, last: int) -> None:
        """Name the campaign, the number that was wanted, and the last one there is."""
        self.campaign = campaign
        self.seq = seq
        self.last = last
        super().__init__(f"{campaign}: entry {seq} cannot follow entry {last}")


class RepeatedCommand(StoreError):
    """A command with this mark has led to an entry already: to the entry ``seq``."""

    def __init__(self, campaign: str, mark: str, seq: int) -> None:
        """Name the campaign, the mark, and the entry that has it."""
        self.campaign = campaign
        self.mark = mark
        self.seq = seq
        super().__init__(f"{campaign}: {mark!r} has already led to entry {seq}")


class NoCampaign(StoreError):
    """There is no such campaign, or no longer."""

    def __init__(self, campaign: str) -> None:
        """Name the campaign."""
        self.campaign = campaign
        super().__init__(f"{campaign}: there is no such campaign")


class AlreadyExists(StoreError):
    """A campaign or a link of this name is there already."""

    def __init__(self, what: str, name: str) -> None:
        """Say what is there already, and under which name."""
        super().__init__(f"{what} {name} already exists")


class UnreadableEntry(StoreError):
    """An entry of the log is of a kind that this version does not know."""

    def __init__(self, campaign: str, seq: int, why: str) -> None:
        """Name the campaign and the entry, and say what was wrong with it."""
        self.campaign = campaign
        self.seq = seq
        super().__init__(f"{campaign}, entry {seq}: {why}")


class StoreDown(StoreError):
    """The database does not answer; the next call tries again.

    A caller that was appending cannot know whether the entry is there: read the log, or append
    again with the same mark.
    """


class StoreFull(StoreDown):
    """The disk that the database is on is full: nothing can be kept until there is room."""


class CampaignSummary(msgspec.Struct, frozen=True):
    """A campaign as the store lists it."""

    id: str
    game: str
    title: str
    began: str
    last_seq: int


class SeatHolder(msgspec.Struct, frozen=True):
    """The seat that a link opens."""

    campaign: str
    seat: Seat


class SeatLink(msgspec.Struct, frozen=True):
    """A link that opens a seat, and when it was made; the link itself is not kept."""

    seat: Seat
    made: str


class StoredImage(msgspec.Struct, frozen=True):
    """An image: the hash of its content, which is its name, its media type, and the content."""

    id: str
    kind: str
    data: bytes


class ImageRoom(msgspec.Struct, frozen=True):
    """How much room there is for images: how many, and how many bytes, in all and for one seat."""

    images: int
    bytes: int
    bytes_each: int


class Store(ABC):
    """Campaigns, their logs, images and links; use it with ``async with``, or close it."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    # --- Campaigns -------------------------------------------------------------------------

    @abstractmethod
    async def create(
        self,
        campaign_id: str,
        game: str,
        title: str,
        at: str,
        entries: Sequence[LogEntry],
        links: Mapping[Seat, bytes] = NOBODY,
        images: Sequence[StoredImage] = (),
    ) -> None:
        """Keep a new campaign with its first entries (1, 2, ...), links and images, or nothing.

        Raises :class:`AlreadyExists` if there is such a campaign, :class:`AppendConflict` if a
        number is missing.
        """

    @abstractmethod
    async def campaigns(self) -> list[CampaignSummary]:
        """All campaigns, the oldest first."""

    @abstractmethod
    async def known(self, campaign_id: str) -> CampaignSummary | None:
        """One campaign as the list has it."""

    @abstractmethod
    async def delete(self, campaign_id: str) -> bool:
        """Forget a campaign, its log and its links; whether there was one."""

    # --- The log ---------------------------------------------------------------------------

    @abstractmethod
    async def append(self, campaign_id: str, entry: LogEntry, text: bytes = b"") -> None:
        """Keep the next entry of a log; it is durable when this returns.

        ``text`` is the entry's event as JSON, where that has been written out already.
        Raises :class:`AppendConflict`, :class:`RepeatedCommand`, :class:`NoCampaign` or
        :class:`StoreDown`. A new title also changes the title in the list. Entries of one campaign
        that are appended at the same time are taken in the order of the calls. If the caller is
        cancelled, the entry may or may not be there.
        """

    @abstractmethod
    async def entries(
        self, campaign_id: str, after: int = 0, upto: int | None = None, limit: int | None = None
    ) -> list[LogEntry]:
        """The entries ``after`` one number and ``upto`` another, in order, at most ``limit``."""

    @abstractmethod
    async def before(self, campaign_id: str, seq: int, limit: int) -> list[LogEntry]:
        """The last ``limit`` entries before the entry ``seq``, in order."""

    @abstractmethod
    async def marked(self, campaign_id: str, mark: str) -> int | None:
        """The number of the entry that a command with this mark has led to, if there is one."""

    @abstractmethod
    def changed(self) -> AsyncIterator[tuple[str, int]]:
        """The followed campaigns that other workers append to, each with its last entry's number.

        Several entries may be told as one. A number of 0 means that the campaign is gone.
        :data:`EVERYWHERE` comes at the beginning and whenever something may have been missed.
        What this store itself appends is not told. A store that only one process can use ends
        the iteration at once.
        """

    @abstractmethod
    async def follow(self, campaign_id: str) -> None:
        """Let :meth:`changed` tell of a campaign: of all that is appended after this returns."""

    @abstractmethod
    async def unfollow(self, campaign_id: str) -> None:
        """Hear no more of a campaign."""

    # --- Snapshots -------------------------------------------------------------------------

    @abstractmethod
    async def snapshot(self, campaign_id: str, upto: int | None = None) -> tuple[int, bytes] | None:
        """The latest snapshot (no later than ``upto``) and the entry after which it was taken."""

    @abstractmethod
    async def keep_snapshot(self, campaign_id: str, seq: int, data: bytes) -> None:
        """Keep how things stood after an entry that is in the log; replaces an older one of it.

        Of those before it only a few are kept.
        """

    # --- Images ----------------------------------------------------------------------------

    @abstractmethod
    async def keep_image(
        self, campaign_id: str, seat: Seat, image: StoredImage, at: str, room: ImageRoom
    ) -> bool:
        """Keep an image that a seat uploads; false if there is no room for it.

        One that is there already takes up no more room.
        """

    @abstractmethod
    async def image(self, campaign_id: str, image_id: str) -> StoredImage | None:
        """An image of a campaign, if it has that one."""

    @abstractmethod
    async def image_ids(self, campaign_id: str, before: str | None = None) -> list[str]:
        """The names of a campaign's images, in order; or of those uploaded ``before`` a time."""

    @abstractmethod
    async def forget_images(self, campaign_id: str, image_ids: Collection[str]) -> int:
        """Forget some images of a campaign; how many there were."""

    # --- Links -----------------------------------------------------------------------------

    @abstractmethod
    async def add_link(
        self, campaign_id: str, seat: Seat, digest: bytes, at: str, *, replace: bool = False
    ) -> None:
        """Keep the digest of a link; with ``replace``, the seat's older links end with it."""

    @abstractmethod
    async def holder(self, digest: bytes) -> SeatHolder | None:
        """The seat that a link opens, unless it was revoked."""

    @abstractmethod
    async def links(self, campaign_id: str) -> list[SeatLink]:
        """The links of a campaign that open a seat now, the oldest first."""

    @abstractmethod
    async def revoke_links(self, campaign_id: str, seat: Seat) -> int:
        """End all links of a seat; how many there were."""

    # --- The store itself ------------------------------------------------------------------

    @abstractmethod
    def records(self) -> AsyncIterator[AnyRecord]:
        """Everything in the store at one moment, while others go on writing."""

    @abstractmethod
    async def restore(self, records: Iterable[AnyRecord]) -> None:
        """Take in everything that another store had; this one has to be empty. All or nothing."""

    @abstractmethod
    async def ping(self) -> None:
        """Return if the database answers; raise :class:`StoreDown` if not."""

    @abstractmethod
    async def probe(self) -> None:
        """Return if something can be written; raise :class:`StoreDown` or :class:`StoreFull`."""

    @abstractmethod
    async def close(self) -> None:
        """Finish what was begun, and let go of the database."""
