"""What of an entry matters for the dice, part by part, and the seal over the whole entry.

A part is a line of JSON that begins with its kind:

- ``["throw", PURPOSE, MIXED, HANDFULS, FACES, TYPED, COMES_TO]``: a throw. PURPOSE is itself a text
  of JSON: session, stream, number, owner, label, procedure and dice. MIXED contributions went
  into it; HANDFULS are sides and count of what was thrown together.
- ``["cast", [[SESSION, STREAM, NUMBER, MIXED], ...]]``: throws that are made, but not shown before
  real dice are typed in.
- ``["session", NUMBER, ROOT, STREAMS]``, ``["gave", SESSION, SEAT, VALUE]`` and
  ``["ended", SESSION, LOST]``: a session, what goes into its dice, and its end; LOST if its keys
  stayed with the server from which the campaign was imported.
- ``["undone", ENTRY]``: everything after that entry was undone.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from astragal.play import GM, Seat
from astragal.table.log import events as happened
from astragal.table.log.events import AnyEvent, LogEntry
from astragal.table.log.items import Item, RolledItem
from astragal.table.log.seals import (
    SALT_BYTES,
    Seal,
    body_of,
    digest_of,
    next_head,
    part_hash,
    part_salt,
    with_seal,
)
from astragal.table.log.state import PendingAnswer
from astragal.table.running.keys import purpose

_encode = msgspec.json.Encoder().encode
_read_event: Callable[[bytes], AnyEvent] = msgspec.json.Decoder(AnyEvent).decode

Audience = tuple[Seat, ...]


class Part(msgspec.Struct, frozen=True):
    """One part of an entry, and who may see it; empty for everybody."""

    kind: str
    said: str
    audience: Audience = ()


def parts_of(entry: LogEntry) -> list[Part]:
    """Everything in an entry that matters for the dice."""
    return list(_parts(entry))


def _parts(entry: LogEntry) -> Iterator[Part]:
    event = entry.event
    match event:
        case happened.ProcedureBegan(procedure=begun):
            secret: Audience = (GM,) if begun.secret else ()
            yield from _throws(begun.story, begun.id, secret)
            yield from _casts(begun.pending, secret)
        case happened.AnswerGiven(procedure=id, items=items, pending=pending):
            secret = (GM,) if event.secret else ()
            yield from _throws(items, id, secret)
            yield from _casts(pending, secret)
        case happened.DiceThrown(rolled=rolled, audience=audience):
            yield _throw(rolled, "", audience)
        case happened.SessionBegan():
            yield _said("session", event.number, event.commitment, event.streams)
        case happened.DiceContributed(session=number, value=value):
            yield _said("gave", number, entry.seat, value)
        case happened.SessionEnded(number=number, lost=lost):
            yield _said("ended", number, lost)
        case happened.EntriesUndone(to=to):
            yield _said("undone", to)


def _throws(items: tuple[Item, ...], procedure: str, secret: Audience) -> Iterator[Part]:
    for item in items:
        if isinstance(item, RolledItem):
            yield _throw(item, procedure, item.audience or secret)


def _throw(item: RolledItem, procedure: str, audience: Audience) -> Part:
    what = purpose(
        item.session,
        item.stream,
        item.index,
        item.owner,
        item.label,
        procedure,
        item.notation,
    )
    faces = [die.face for die in item.faces]
    thrown = _said("throw", what, item.mixed, item.throws, faces, item.typed, item.comes_to)
    return replace(thrown, audience=audience)


def _casts(pending: PendingAnswer | None, secret: Audience) -> Iterator[Part]:
    if pending is not None and pending.thrown:
        cast = [(each.session, each.stream, each.index, each.mixed) for each in pending.thrown]
        yield replace(_said("cast", cast), audience=secret)


def _said(kind: str, *what: Any) -> Part:
    return Part(kind, _encode((kind, *what)).decode())


def sealed(entry: LogEntry, head: str, salt: bytes = b"") -> LogEntry:
    """The entry with its seal, as the next one after ``head``."""
    event = entry.event if entry.event.seal is None else replace(entry.event, seal=None)
    seal = _seal(entry, head, salt, _encode(event))
    return replace(entry, event=replace(event, seal=seal))


class WrittenEntry(NamedTuple):
    """An entry as it will be read from the log, and the text of its event, which goes into it."""

    entry: LogEntry
    text: bytes


def sealed_as_read(entry: LogEntry, head: str, salt: bytes = b"") -> WrittenEntry:
    """The entry with its seal as it will be read from the log: its text is hashed, then read."""
    text = _encode(entry.event)
    text = with_seal(text, _seal(entry, head, salt, text))
    read = LogEntry(entry.seq, entry.at, entry.seat, _read_event(text), entry.mark)
    return WrittenEntry(read, text)


def _seal(entry: LogEntry, head: str, salt: bytes, text: bytes) -> Seal:
    """The seal of an entry whose event has this text without it."""
    salt = salt or secrets.token_bytes(SALT_BYTES)
    body = body_of(salt, (entry.seq, entry.at, entry.seat, entry.mark), text)
    parts = tuple(
        part_hash(part.kind, part_salt(salt, number), part.said)
        for number, part in enumerate(_parts(entry))
    )
    now = next_head(head, digest_of(entry.seq, body, parts))
    return Seal(salt.hex(), body, now, parts)
