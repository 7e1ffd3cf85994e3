"""What the store says to the database: one function for each thing, the same for both.

Each works on a connection with a transaction that somebody else begins and ends. A writer
of a log holds the lock of its campaign (in SQLite: of the whole database), so that what was
looked up still holds when it is written.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import msgspec
from sqlalchemy import Connection, bindparam, delete, func, insert, literal, select, update
from sqlalchemy.exc import IntegrityError

from astragal.table.log.events import LogEntry
from astragal.table.store.group_commit import AppendResult, LogRow
from astragal.table.store.interface import (
    AlreadyExists,
    AppendConflict,
    CampaignSummary,
    ImageRoom,
    NoCampaign,
    RepeatedCommand,
    SeatHolder,
    SeatLink,
    StoredImage,
)
from astragal.table.store.rows import as_entry
from astragal.table.store.schema import campaigns, entries, images, links, snapshots

CHUNK = 500
"""How many rows are handed to the database at a time."""

PROBED = 65_536
"""How many bytes are written to find out whether there is room."""

RECENT_SNAPSHOTS = 4
SPARSE_SNAPSHOTS = 10_000
"""Only the latest snapshots are kept, and of older ones those at these distances: an undo goes
back a little, and a very long log can still be looked into anywhere."""

_last_seqs = (
    select(campaigns.c.id, campaigns.c.last_seq)
    .where(campaigns.c.id.in_(bindparam("ids", expanding=True)))
    .order_by(campaigns.c.id)  # workers who lock in the same order never wait for each other
    .with_for_update(key_share=True)
)
_marked = select(entries.c.mark, entries.c.seq).where(
    entries.c.campaign == bindparam("campaign"),
    entries.c.mark.in_(bindparam("marks", expanding=True)),
    entries.c.mark != literal("", literal_execute=True),  # so that the index of marks serves
)
_insert_entry = insert(entries)
_COLUMNS = ("campaign", "seq", "at", "seat", "mark", "event")
_INSERT = f"INSERT INTO entries ({', '.join(_COLUMNS)}) VALUES {{}}"
_ADVANCE_BY_ONE = (
    "UPDATE campaigns SET last_seq = ends.column2 FROM (VALUES {}) AS ends "
    "WHERE campaigns.id = ends.column1 AND campaigns.last_seq = ends.column2 - 1"
)
_advance = (
    update(campaigns)
    .where(campaigns.c.id == bindparam("campaign"))
    .values(last_seq=bindparam("last"))
)
_retitle = (
    update(campaigns)
    .where(campaigns.c.id == bindparam("campaign"))
    .values(title=bindparam("new_title"))
)
_log = select(entries.c.seq, entries.c.at, entries.c.seat, entries.c.mark, entries.c.event)
_known = select(
    campaigns.c.id, campaigns.c.game, campaigns.c.title, campaigns.c.began, campaigns.c.last_seq
)


class NotAllNext(Exception):
    """Not every row is its campaign's next, or one was there already."""


# --- Writing -------------------------------------------------------------------------------


def append_nexts(connection: Connection, rows: Sequence[LogRow]) -> None:
    """Write rows that are all their campaigns' next, in two statements, or raise in doubt.

    Then nothing of this transaction may stay: :func:`append_rows` looks at each row in another.
    """
    ends = [(row.campaign, row.seq) for row in rows]
    try:
        insert_rows(connection, rows)
    except (IntegrityError, OverflowError):
        raise NotAllNext from None
    advanced = _at_once(connection, _ADVANCE_BY_ONE, ends)
    if advanced != len(rows) or any(row.title is not None for row in rows):
        raise NotAllNext


def append_rows(connection: Connection, rows: Sequence[LogRow]) -> list[AppendResult]:
    """Write every row that is its campaign's next, and say of each why it is not, if so.

    That no mark is in the log already is first taken for granted and left to the index: marks
    are looked up only where a row does not fit.
    """
    last = _lock(connection, {row.campaign for row in rows})
    verdicts = _judge(rows, last, {})
    doubtful = any(isinstance(verdict, AppendConflict) for verdict in verdicts)
    if doubtful or not _got_in(connection, _accepted(rows, verdicts)):
        verdicts = _judge(rows, last, _marks(connection, rows))
        insert_rows(connection, _accepted(rows, verdicts))
    accepted = _accepted(rows, verdicts)
    ends = {row.campaign: row.seq for row in accepted}
    if ends:
        ended = [{"campaign": campaign, "last": seq} for campaign, seq in ends.items()]
        connection.execute(_advance, ended)
    for row in accepted:
        if row.title is not None:
            connection.execute(_retitle, {"campaign": row.campaign, "new_title": row.title})
    return verdicts


def _judge(
    rows: Sequence[LogRow], last: Mapping[str, int], marks: Mapping[tuple[str, str], int]
) -> list[AppendResult]:
    """Which rows follow on what is there, and on each other."""
    ends, known = dict(last), dict(marks)
    verdicts: list[AppendResult] = []
    for row in rows:
        end = ends.get(row.campaign)
        verdict: AppendResult = None
        if end is None:
            verdict = NoCampaign(row.campaign)
        elif row.mark and (row.campaign, row.mark) in known:
            verdict = RepeatedCommand(row.campaign, row.mark, known[row.campaign, row.mark])
        elif row.seq != end + 1:
            verdict = AppendConflict(row.campaign, row.seq, end)
        else:
            ends[row.campaign] = row.seq
            known[row.campaign, row.mark] = row.seq
        verdicts.append(verdict)
    return verdicts


def _accepted(rows: Sequence[LogRow], verdicts: Sequence[AppendResult]) -> list[LogRow]:
    return [row for row, verdict in zip(rows, verdicts, strict=True) if verdict is None]


def _got_in(connection: Connection, rows: Sequence[LogRow]) -> bool:
    """Write all the rows, or none if one has a mark that is in the log already."""
    savepoint = connection.begin_nested()
    try:
        insert_rows(connection, rows)
    except IntegrityError:
        savepoint.rollback()
        return False
    savepoint.commit()  # any other failure ends the transaction as a whole
    return True


def _lock(connection: Connection, ids: set[str]) -> dict[str, int]:
    """The last number of each campaign, which nobody else can change before we are done."""
    found = connection.execute(_last_seqs, {"ids": _filled_up(sorted(ids))})
    return {row.id: row.last_seq for row in found}


def _marks(connection: Connection, rows: Sequence[LogRow]) -> dict[tuple[str, str], int]:
    """Which of the marks are in the log already, and where."""
    sought: dict[str, set[str]] = {}
    for row in rows:
        if row.mark:
            sought.setdefault(row.campaign, set()).add(row.mark)
    return {
        (campaign, mark): seq
        for campaign, marks in sought.items()
        for mark, seq in connection.execute(
            _marked, {"campaign": campaign, "marks": _filled_up(sorted(marks))}
        )
    }


def _filled_up(names: list[str]) -> list[str]:
    """Names repeated up to a power of two: the database prepares few statements, not hundreds.

    >>> _filled_up(["a", "b", "c"])
    ['a', 'b', 'c', 'c']
    """
    wanted = 1 << (len(names) - 1).bit_length()
    return names + names[-1:] * (wanted - len(names))


def insert_rows(connection: Connection, rows: Sequence[LogRow]) -> None:
    """Write rows that are known to fit."""
    for start in range(0, len(rows), CHUNK):
        some = rows[start : start + CHUNK]
        if connection.dialect.name == "sqlite":
            _at_once(connection, _INSERT, [row[: len(_COLUMNS)] for row in some])
        else:
            named = [dict(zip(_COLUMNS, row, strict=False)) for row in some]
            connection.execute(_insert_entry, named)


def _at_once(connection: Connection, statement: str, rows: Sequence[tuple[Any, ...]]) -> int:
    """One statement for many rows; to how many it was done.

    SQLite's driver waits for Python's lock after each statement that it executes: while a busy
    server holds it, that takes far longer than the disk.
    """
    row = f"({', '.join('?' * len(rows[0]))})"
    values = ", ".join([row] * len(rows))
    flat = tuple(value for each in rows for value in each)
    return connection.exec_driver_sql(statement.format(values), flat).rowcount


def create(connection: Connection, known: CampaignSummary, rows: Sequence[LogRow]) -> None:
    """A new campaign with its first entries."""
    for verdict in _judge(rows, {known.id: 0}, {}):
        if verdict is not None:
            raise verdict
    try:
        connection.execute(insert(campaigns), msgspec.structs.asdict(known))
    except IntegrityError:
        raise AlreadyExists("campaign", known.id) from None
    insert_rows(connection, rows)


def forget(connection: Connection, campaign: str) -> bool:
    """Delete a campaign with everything that hangs on it."""
    done = connection.execute(delete(campaigns).where(campaigns.c.id == campaign))
    return done.rowcount > 0


def probe(connection: Connection) -> None:
    """Write something that nobody sees, because it is deleted in the same transaction."""
    unseen = CampaignSummary("probe", "", "x" * PROBED, "", 0)
    connection.execute(insert(campaigns), msgspec.structs.asdict(unseen))
    connection.execute(delete(campaigns).where(campaigns.c.id == unseen.id))


def keep_snapshot(connection: Connection, campaign: str, seq: int, data: bytes) -> None:
    """Keep or replace the snapshot at an entry."""
    last = _lock(connection, {campaign})
    if campaign not in last:
        raise NoCampaign(campaign)
    if not 0 < seq <= last[campaign]:
        raise AppendConflict(campaign, seq, last[campaign])
    here = (snapshots.c.campaign == campaign) & (snapshots.c.seq == seq)
    connection.execute(delete(snapshots).where(here))
    connection.execute(insert(snapshots), {"campaign": campaign, "seq": seq, "data": data})
    recent = (
        select(snapshots.c.seq)
        .where(snapshots.c.campaign == campaign)
        .order_by(snapshots.c.seq.desc())
        .limit(RECENT_SNAPSHOTS)
    )
    older = (snapshots.c.campaign == campaign) & (snapshots.c.seq.not_in(recent.scalar_subquery()))
    connection.execute(delete(snapshots).where(older & (snapshots.c.seq % SPARSE_SNAPSHOTS != 0)))


def add_link(
    connection: Connection, holder: SeatHolder, digest: bytes, at: str, *, replace: bool
) -> None:
    """Keep the digest of a link."""
    if not _lock(connection, {holder.campaign}):
        raise NoCampaign(holder.campaign)
    if replace:
        revoke_links(connection, holder)
    try:
        connection.execute(
            insert(links),
            {
                "digest": digest,
                "campaign": holder.campaign,
                "seat": holder.seat,
                "made": at,
                "revoked": False,
            },
        )
    except IntegrityError:
        raise AlreadyExists("link", digest.hex()) from None


def revoke_links(connection: Connection, holder: SeatHolder) -> int:
    """End all links of a seat."""
    done = connection.execute(
        update(links)
        .where(
            links.c.campaign == holder.campaign,
            links.c.seat == holder.seat,
            links.c.revoked.is_(False),
        )
        .values(revoked=True)
    )
    return done.rowcount


def keep_image(
    connection: Connection, holder: SeatHolder, image: StoredImage, at: str, room: ImageRoom
) -> bool:
    """Keep an image, if there is room for it."""
    if not _lock(connection, {holder.campaign}):
        raise NoCampaign(holder.campaign)
    here = images.c.campaign == holder.campaign
    if connection.execute(select(images.c.id).where(here, images.c.id == image.id)).first():
        return True
    count, taken = connection.execute(
        select(func.count(), func.coalesce(func.sum(images.c.size), 0)).where(here)
    ).one()
    own = connection.execute(
        select(func.coalesce(func.sum(images.c.size), 0)).where(here, images.c.seat == holder.seat)
    ).scalar_one()
    size = len(image.data)
    if count >= room.images or taken + size > room.bytes or own + size > room.bytes_each:
        return False
    insert_image(connection, holder, image, at)
    return True


def insert_image(connection: Connection, holder: SeatHolder, image: StoredImage, at: str) -> None:
    """Write an image that is known to fit."""
    row = {"campaign": holder.campaign, "seat": holder.seat, "at": at, "size": len(image.data)}
    connection.execute(insert(images), {**row, **msgspec.structs.asdict(image)})


def forget_images(connection: Connection, campaign: str, ids: Collection[str]) -> int:
    """Delete some images of a campaign."""
    named = (images.c.campaign == campaign) & images.c.id.in_(sorted(ids))
    return connection.execute(delete(images).where(named)).rowcount


# --- Reading -------------------------------------------------------------------------------


def all_campaigns(connection: Connection) -> list[CampaignSummary]:
    """All campaigns, the oldest first."""
    found = connection.execute(_known.order_by(campaigns.c.began, campaigns.c.id))
    return [CampaignSummary(*row) for row in found]


def one_campaign(connection: Connection, campaign: str) -> CampaignSummary | None:
    """One campaign, if there is one."""
    row = connection.execute(_known.where(campaigns.c.id == campaign)).first()
    return None if row is None else CampaignSummary(*row)


def log(
    connection: Connection, campaign: str, after: int, upto: int, limit: int | None
) -> list[LogEntry]:
    """A part of a log from its beginning on."""
    query = _log.where(entries.c.campaign == campaign, entries.c.seq > after, entries.c.seq <= upto)
    found = connection.execute(query.order_by(entries.c.seq).limit(limit))
    return [as_entry(campaign, *row) for row in found]


def log_before(connection: Connection, campaign: str, seq: int, limit: int) -> list[LogEntry]:
    """A part of a log from its end on."""
    query = _log.where(entries.c.campaign == campaign, entries.c.seq < seq)
    found = connection.execute(query.order_by(entries.c.seq.desc()).limit(limit))
    return [as_entry(campaign, *row) for row in found][::-1]


def marked(connection: Connection, campaign: str, mark: str) -> int | None:
    """The entry with a mark."""
    row = connection.execute(_marked, {"campaign": campaign, "marks": [mark]}).first()
    return None if row is None or not mark else int(row.seq)


def latest_snapshot(connection: Connection, campaign: str, upto: int) -> tuple[int, bytes] | None:
    """The latest snapshot up to an entry."""
    query = select(snapshots.c.seq, snapshots.c.data).where(
        snapshots.c.campaign == campaign, snapshots.c.seq <= upto
    )
    row = connection.execute(query.order_by(snapshots.c.seq.desc()).limit(1)).first()
    return None if row is None else (row.seq, bytes(row.data))


def holder(connection: Connection, digest: bytes) -> SeatHolder | None:
    """Whom a link belongs to."""
    query = select(links.c.campaign, links.c.seat).where(
        links.c.digest == digest, links.c.revoked.is_(False)
    )
    row = connection.execute(query).first()
    return None if row is None else SeatHolder(row.campaign, row.seat)


def open_links(connection: Connection, campaign: str) -> list[SeatLink]:
    """The links that open a seat now."""
    query = select(links.c.seat, links.c.made).where(
        links.c.campaign == campaign, links.c.revoked.is_(False)
    )
    found = connection.execute(query.order_by(links.c.made, links.c.seat))
    return [SeatLink(*row) for row in found]


def image(connection: Connection, campaign: str, image_id: str) -> StoredImage | None:
    """One image, if there is one."""
    query = select(images.c.id, images.c.kind, images.c.data).where(
        images.c.campaign == campaign, images.c.id == image_id
    )
    row = connection.execute(query).first()
    return None if row is None else StoredImage(row.id, row.kind, bytes(row.data))


def image_ids(connection: Connection, campaign: str, before: str | None) -> list[str]:
    """The names of a campaign's images."""
    query = select(images.c.id).where(images.c.campaign == campaign)
    if before is not None:
        query = query.where(images.c.at < before)
    return [row.id for row in connection.execute(query.order_by(images.c.id))]
