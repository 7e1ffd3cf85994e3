"""A whole store as records, one after the other: what a backup is made of.

The records are the same for SQLite and PostgreSQL, so a backup of one can be restored into the
other. They come in an order in which they can be written at once: a header, campaigns, entries,
snapshots, links, images, and an end that says how many there were.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, Final, TypeAlias

import msgspec
from sqlalchemy import Connection, Select, Table, insert, select, tuple_

from astragal.errors import BadInput
from astragal.table.store.interface import UnreadableEntry
from astragal.table.store.rows import as_entry
from astragal.table.store.schema import campaigns, entries, images, links, snapshots

FORMAT: Final = 1
CHUNK: Final = 200
"""How many records are read or written at a time: what memory holds of a store."""
IMAGES_AT_ONCE: Final = 4
"""The same of images, which are far larger."""


class BackupRecord(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="record"):
    """One line of a backup."""


class BackupHeader(BackupRecord, frozen=True, tag="astragal backup"):
    """What follows, and how it is written."""

    format: int = FORMAT


class CampaignRecord(BackupRecord, frozen=True, tag="campaign"):
    """A campaign as the list has it."""

    id: str
    game: str
    title: str
    began: str
    last_seq: int


class EntryRecord(BackupRecord, frozen=True, tag="entry"):
    """An entry of a log; the event is kept letter for letter."""

    campaign: str
    seq: int
    at: str
    seat: str
    mark: str
    event: msgspec.Raw


class SnapshotRecord(BackupRecord, frozen=True, tag="snapshot"):
    """How a campaign stood after an entry."""

    campaign: str
    seq: int
    data: bytes


class LinkRecord(BackupRecord, frozen=True, tag="link"):
    """The digest of a link, and the seat that it opens or opened."""

    digest: bytes
    campaign: str
    seat: str
    made: str
    revoked: bool


class ImageRecord(BackupRecord, frozen=True, tag="image"):
    """An image of a campaign, and who uploaded it."""

    campaign: str
    id: str
    seat: str
    at: str
    kind: str
    size: int
    data: bytes


class BackupEnd(BackupRecord, frozen=True, tag="end"):
    """How many records there were before this one."""

    records: int


AnyRecord: TypeAlias = (
    BackupHeader
    | CampaignRecord
    | EntryRecord
    | SnapshotRecord
    | LinkRecord
    | ImageRecord
    | BackupEnd
)

StoredRecord: TypeAlias = CampaignRecord | EntryRecord | SnapshotRecord | LinkRecord | ImageRecord
"""What stands in a table."""

TABLES: Final[dict[type[StoredRecord], Table]] = {
    CampaignRecord: campaigns,
    EntryRecord: entries,
    SnapshotRecord: snapshots,
    LinkRecord: links,
    ImageRecord: images,
}


def some_of(
    connection: Connection, kind: type[StoredRecord], after: StoredRecord | None
) -> list[StoredRecord]:
    """The next records of a kind, in the order of their keys, after the one before."""
    table = TABLES[kind]
    names = kind.__struct_fields__
    keys = list(table.primary_key.columns)
    query: Select[tuple[object, ...]] = select(*(table.c[name] for name in names))
    if after is not None:
        last = [getattr(after, key.name) for key in keys]
        query = query.where(tuple_(*keys) > tuple_(*last))
    most = IMAGES_AT_ONCE if kind is ImageRecord else CHUNK
    found = connection.execute(query.order_by(*keys).limit(most))
    return [_record(kind, dict(row)) for row in found.mappings()]


def chunk_of(records: Iterator[AnyRecord]) -> Iterator[AnyRecord]:
    """The next records to write at a time."""
    images_so_far = 0
    for record in islice(records, CHUNK):
        yield record
        images_so_far += isinstance(record, ImageRecord)
        if images_so_far == IMAGES_AT_ONCE:
            return


def _record(kind: type[StoredRecord], columns: dict[str, Any]) -> StoredRecord:
    if kind is EntryRecord:
        columns["event"] = msgspec.Raw(str(columns["event"]))
    return kind(**columns)


class Restorer:
    """Writes records into an empty store, and refuses what does not belong together."""

    def __init__(self) -> None:
        """Begin with nothing seen."""
        self._lines = 0
        self._wanted: dict[str, int] = {}
        self._ends: dict[str, int] = {}
        self._over = False

    def begin(self, connection: Connection) -> None:
        """Refuse to go on unless the store is empty."""
        if connection.execute(select(campaigns.c.id).limit(1)).first() is not None:
            raise BadInput("database", "campaigns in it", "an empty database to restore into")

    def write(self, connection: Connection, records: Iterable[AnyRecord]) -> None:
        """Write the next records."""
        for kind, group in _runs(self._kept(records)):
            connection.execute(insert(TABLES[kind]), [_columns(record) for record in group])

    def finish(self) -> None:
        """Refuse if the end is missing, or a log is shorter than it was."""
        if not self._over:
            raise BadInput(
                f"line {self._lines}", "the last line", "more lines: the file is cut short"
            )
        for campaign, wanted in self._wanted.items():
            if self._ends[campaign] != wanted:
                raise BadInput(campaign, self._ends[campaign], f"{wanted} entries in its log")

    def _kept(self, records: Iterable[AnyRecord]) -> Iterator[StoredRecord]:
        for record in records:
            self._lines += 1
            place = f"line {self._lines}"
            if self._over:
                raise BadInput(place, _name(record), "nothing after the end")
            if isinstance(record, BackupHeader) != (self._lines == 1):
                raise BadInput(place, _name(record), "a backup's header first, and once")
            match record:
                case BackupHeader(format=number):
                    if number != FORMAT:
                        raise BadInput(place, number, f"format {FORMAT} of a backup")
                    continue
                case BackupEnd(records=number):
                    if number != self._lines - 1:
                        raise BadInput(place, self._lines - 1, f"{number} records before the end")
                    self._over = True
                    continue
                case CampaignRecord(id=campaign):
                    if campaign in self._wanted:
                        raise BadInput(place, campaign, "a campaign once only")
                    self._wanted[campaign] = record.last_seq
                    self._ends[campaign] = 0
                case EntryRecord(campaign=campaign, seq=seq):
                    if seq != self._ends.get(campaign, seq) + 1:
                        raise BadInput(place, seq, f"the next entry of campaign {campaign}")
                    _check(record, place)
                    self._ends[campaign] = seq
                case (
                    SnapshotRecord(campaign=campaign)
                    | LinkRecord(campaign=campaign)
                    | ImageRecord(campaign=campaign)
                ):
                    if campaign not in self._wanted:
                        raise BadInput(place, campaign, "a campaign of this backup")
            yield record


def _check(record: EntryRecord, place: str) -> None:
    """Refuse an entry that could not be read again."""
    try:
        event = bytes(record.event).decode()
        as_entry(record.campaign, record.seq, record.at, record.seat, record.mark, event)
    except UnreadableEntry as unreadable:
        raise BadInput(place, "an entry", f"one that can be read ({unreadable})") from None


def _runs(
    records: Iterable[StoredRecord],
) -> Iterator[tuple[type[StoredRecord], list[StoredRecord]]]:
    """Records of one kind in a row, together."""
    group: list[StoredRecord] = []
    for record in records:
        if group and type(record) is not type(group[0]):
            yield type(group[0]), group
            group = []
        group.append(record)
    if group:
        yield type(group[0]), group


def _columns(record: StoredRecord) -> dict[str, object]:
    columns = msgspec.structs.asdict(record)
    if isinstance(record, EntryRecord):
        columns["event"] = bytes(record.event).decode()
    return columns


def _name(record: AnyRecord) -> object:
    return record.__struct_config__.tag
