"""A whole database, checked entry by entry: nothing changed, nothing missing in between.

What is missing at the end shows only against something that is not in the database: a snapshot
that is further, a write-ahead log that breaks off, or what devices kept.
"""

from __future__ import annotations

import struct
from collections.abc import AsyncIterator, Iterable
from itertools import groupby
from pathlib import Path

import msgspec

from astragal.table.fairness.check import verify
from astragal.table.fairness.evidence import evidence
from astragal.table.fairness.following import followed
from astragal.table.fairness.parts import parts_of
from astragal.table.fairness.receipts import Receipt
from astragal.table.fairness.report import FairnessReport, Finding
from astragal.table.log.events import LogEntry
from astragal.table.log.seals import (
    body_of,
    digest_of,
    next_head,
    part_hash,
    part_salt,
    without_seal,
)
from astragal.table.store.backup import CampaignRecord, EntryRecord, SnapshotRecord
from astragal.table.store.interface import Store, UnreadableEntry
from astragal.table.store.rows import as_entry

WAL_HEADER, FRAME_HEADER = 32, 24
MAGIC = (0x377F0682, 0x377F0683)


class CampaignChecked(msgspec.Struct, frozen=True):
    """One campaign of a database, and what was found in it."""

    campaign: str
    title: str
    entries: int
    report: FairnessReport


class _SnapshotHead(msgspec.Struct):
    """The place in the chain at which a snapshot was taken."""

    seq: int
    head: str = ""


class _Log:
    """The log of one campaign on the way through a store."""

    def __init__(self, known: CampaignRecord) -> None:
        self.known = known
        self.entries: list[LogEntry] = []
        self.findings: list[Finding] = []
        self.heads: dict[int, str] = {}
        self.snapshots: list[SnapshotRecord] = []
        self._head = ""
        self._last = self._redacted = 0

    def take(self, record: EntryRecord) -> None:
        """The next entry."""
        if record.seq != self._last + 1:
            self._wrong(record.seq, f"Entry {self._last + 1} is missing")
        self._last = record.seq
        event = bytes(record.event)
        place = (record.seq, record.at, record.seat, record.mark)
        try:
            entry = as_entry(record.campaign, *place, event.decode())
        except (UnreadableEntry, UnicodeDecodeError):
            self._wrong(record.seq, f"Entry {record.seq} cannot be read")
            return
        self.entries.append(entry)
        seal = entry.event.seal
        if seal is None:
            if self._head:
                self._wrong(record.seq, f"Entry {record.seq} is not in the chain")
            return
        salt = bytes.fromhex(seal.salt)
        if seal.redacted:
            self._redacted += 1
        else:
            parts = tuple(
                part_hash(part.kind, part_salt(salt, number), part.said)
                for number, part in enumerate(parts_of(entry))
            )
            if (body_of(salt, place, without_seal(event)), parts) != (seal.body, seal.parts):
                self._wrong(record.seq, f"Entry {record.seq} was changed")
        self._head = next_head(self._head, digest_of(record.seq, seal.body, seal.parts))
        if self._head != seal.head:
            self._wrong(record.seq, f"Entry {record.seq} does not follow on the one before it")
            self._head = seal.head
        self.heads[record.seq] = self._head

    def compare(self, snapshot: SnapshotRecord) -> None:
        """A snapshot must have been taken of this very log."""
        try:
            taken = msgspec.json.decode(snapshot.data, type=_SnapshotHead)
        except msgspec.DecodeError:
            self._wrong(snapshot.seq, f"The snapshot after entry {snapshot.seq} cannot be read")
            return
        if taken.seq > self._last:
            text = f"There was an entry {taken.seq}, but the log ends with entry {self._last}"
            self._wrong(self._last, text)
        elif taken.head and self.heads.get(taken.seq, taken.head) != taken.head:
            text = f"The snapshot after entry {taken.seq} was taken of another log"
            self._wrong(taken.seq, text)
        else:
            self.snapshots.append(snapshot)

    def checked(self, receipts: Iterable[Receipt]) -> CampaignChecked:
        """What was found, and the dice."""
        known = self.known
        if self._last != known.last_seq:
            text = f"There were {known.last_seq} entries, but the log has {self._last}"
            self._wrong(self._last, text)
        if self._redacted:
            text = f"{self._redacted} entries were imported: their words could not be checked"
            self.findings.append(Finding(0, None, False, text))
        self.findings += followed(known, self.entries, self.snapshots)
        seen = evidence(known.title, self.entries, None, known.id)
        report = verify(seen, [each for each in receipts if each.campaign == known.id])
        found = (*self.findings, *report.findings)
        report = msgspec.structs.replace(report, findings=found)
        return CampaignChecked(known.id, known.title, self._last, report)

    def _wrong(self, entry: int, text: str) -> None:
        self.findings.append(Finding(0, entry, True, text))


async def verify_store(
    store: Store, receipts: Iterable[Receipt] = ()
) -> AsyncIterator[CampaignChecked]:
    """Check every campaign of a store."""
    logs: dict[str, _Log] = {}
    kept = tuple(receipts)
    async for record in store.records():
        match record:
            case CampaignRecord(id=id):
                logs[id] = _Log(record)
            case EntryRecord(campaign=id):
                logs[id].take(record)
            case SnapshotRecord(campaign=id):
                logs[id].compare(record)
    for log in logs.values():
        yield log.checked(kept)
    missing = (each for each in kept if each.campaign not in logs)
    for id, several in groupby(sorted(missing, key=_campaign), key=_campaign):
        seats = ", ".join(each.seat for each in several)
        text = f"There is no such campaign here, but the device of {seats} has a receipt for it"
        report = FairnessReport(0, 0, 0, (Finding(0, None, True, text),))
        yield CampaignChecked(id, "", 0, report)


def _campaign(receipt: Receipt) -> str:
    return receipt.campaign


def broken_write_ahead_log(database: Path) -> str:
    """Why entries in SQLite's write-ahead log cannot be read, if that is so.

    SQLite reads the log up to the first frame whose checksum is wrong, and silently forgets the
    rest. Frames that an earlier log left behind have another salt, and are no damage.
    """
    try:
        wal = database.with_name(f"{database.name}-wal").read_bytes()
    except FileNotFoundError:
        return ""
    if len(wal) < WAL_HEADER:
        return ""
    magic, _, size, _, *_ = struct.unpack(">8I", wal[:WAL_HEADER])
    order = ">" if magic == MAGIC[1] else "<"
    sums = _checksum(wal[:24], order, (0, 0))
    if magic not in MAGIC or sums != struct.unpack(">2I", wal[24:WAL_HEADER]):
        return "The write-ahead log cannot be read at all: its beginning is damaged"
    frame = FRAME_HEADER + size
    for number, at in enumerate(range(WAL_HEADER, len(wal) - frame + 1, frame), start=1):
        header = wal[at : at + FRAME_HEADER]
        if header[8:16] != wal[16:24]:
            return ""
        sums = _checksum(header[:8], order, sums)
        sums = _checksum(wal[at + FRAME_HEADER : at + frame], order, sums)
        if sums != struct.unpack(">2I", header[16:24]):
            lost = 1 + sum(
                wal[later + 8 : later + 16] == wal[16:24]
                for later in range(at + frame, len(wal) - frame + 1, frame)
            )
            return f"The write-ahead log is damaged at frame {number}: {lost} frames are lost"
    return ""


def _checksum(data: bytes, order: str, sums: tuple[int, int]) -> tuple[int, int]:
    one, other = sums
    words = struct.unpack(f"{order}{len(data) // 4}I", data)
    for first, second in zip(words[::2], words[1::2], strict=True):
        one = (one + first + other) & 0xFFFFFFFF
        other = (other + second + one) & 0xFFFFFFFF
    return one, other
