"""Evidence: everything that one seat saw of the dice of a campaign, for a file."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from astragal.play import GM, Seat
from astragal.table.fairness.parts import Part, parts_of
from astragal.table.log import events as happened
from astragal.table.log.events import LogEntry
from astragal.table.log.items import RolledItem
from astragal.table.log.seals import Seal, digest_of, shown_salts
from astragal.table.running.keys import (
    MOST_THROWS,
    OPEN,
    leaf,
    proof,
    stream_key,
    stream_of,
    throw_key,
)


class ThrowSeen(msgspec.Struct, frozen=True, omit_defaults=True):
    """A throw of an older session: its entry, its number in the session, dice and faces."""

    entry: int
    index: int
    label: str
    owner: Seat
    dice: tuple[tuple[int, int], ...]
    """Sides and count of each handful, in the order thrown."""
    faces: tuple[int, ...]
    typed: bool = False


class SessionSeen(msgspec.Struct, frozen=True, omit_defaults=True):
    """A session: what was published beforehand, and the keys of what this seat saw of it.

    ``leaves`` are the hashes of the keys of all open throws so far, and ``edge`` the nodes of the
    tree to the right of them. An older session has its ``throws`` here and, once it is over, its
    ``seed``; the throws of others are in the chain.
    """

    number: int
    commitment: str
    throws: tuple[ThrowSeen, ...] = ()
    seed: str = ""
    leaves: tuple[str, ...] = ()
    edge: tuple[str, ...] = ()
    keys: dict[int, str] = {}
    """The key of each open throw that this seat saw, by its number."""
    streams: dict[str, str] = {}
    """The keys of the secret throws that this seat saw, once the session is over."""


class PartSeen(msgspec.Struct, frozen=True):
    """A part of an entry that this seat may see, with what is needed to find its hash."""

    hash: str
    salt: str
    said: str


class EntrySeen(msgspec.Struct, frozen=True):
    """An entry in which there is something about the dice; parts not shown are hashes."""

    body: str
    parts: tuple[str | PartSeen, ...]


class Evidence(msgspec.Struct, frozen=True, omit_defaults=True):
    """Everything that one seat saw of the dice of a campaign.

    ``chain`` has every entry from ``first`` on: what matters of it, or only its digest.
    """

    title: str
    sessions: tuple[SessionSeen, ...]
    campaign: str = ""
    seat: Seat = ""
    """Whose evidence it is; empty for all there is."""
    stream: str = ""
    """The stream of what this seat throws in secret."""
    first: int = 0
    chain: tuple[str | EntrySeen, ...] = ()
    head: str = ""
    """The head after the last entry."""
    loose: tuple[ThrowSeen, ...] = ()
    """Throws before the chain that belong to no session."""


class _Session:
    """A session on the way through the log."""

    def __init__(self, began: happened.SessionBegan) -> None:
        self.began = began
        self.ended = False
        self.seed = ""
        self.throws: list[ThrowSeen] = []
        self.cast = 0
        self.shown: set[int] = set()
        self.streams: set[str] = set()

    def seen(self, seat: Seat | None, stream: str) -> SessionSeen:
        """The session as a seat may know it that has this stream."""
        began = self.began
        if not began.streams:
            return SessionSeen(began.number, began.commitment, tuple(self.throws), self.seed)
        seen = SessionSeen(began.number, began.commitment)
        try:
            seed = bytes.fromhex(began.seed)
        except ValueError:  # only in a file that somebody has written by hand
            return seen
        if not seed:
            return seen
        opened = stream_key(seed, OPEN)
        keys = {index: throw_key(opened, index) for index in range(min(self.cast, MOST_THROWS))}
        _, edge = proof(seed, len(keys))
        mine = self.streams if seat in (None, GM) else self.streams & {stream}
        return msgspec.structs.replace(
            seen,
            leaves=tuple(leaf(key).hex() for key in keys.values()),
            edge=tuple(node.hex() for node in edge) if keys else (),
            keys={index: keys[index].hex() for index in sorted(self.shown) if index in keys},
            streams={each: stream_key(seed, each).hex() for each in sorted(mine)}
            if self.ended
            else {},
        )


def evidence(
    title: str, entries: Iterable[LogEntry], seat: Seat | None, campaign: str = ""
) -> Evidence:
    """What a seat saw of the dice; without a seat, all there is."""
    sessions: dict[int, _Session] = {}
    loose: list[ThrowSeen] = []
    chain: list[str | EntrySeen] = []
    first, head = 0, ""
    seats: dict[Seat, None] = {}
    for entry in entries:
        parts = parts_of(entry)
        match entry.event:
            case happened.SessionBegan(number=number):
                sessions[number] = _Session(entry.event)
            case happened.SessionEnded(number=number, seed=seed) if number in sessions:
                sessions[number].ended, sessions[number].seed = True, seed
            case happened.SeatChanged(chair=chair):
                seats.setdefault(chair.seat)
        seal = entry.event.seal
        _note_throws(entry, parts, sessions, loose if seal is None else [], seat)
        if seal is not None:
            first, head = first or entry.seq, seal.head
            chain.append(_shown(entry, seal, parts, seat))
        elif first:
            chain.append("")  # an entry that is not in the chain, and cannot be there
    stream = "" if seat in (None, GM) else stream_of(seat or "", seats)
    stream = "" if stream == stream_of(GM, seats) else stream
    return Evidence(
        title,
        tuple(session.seen(seat, stream) for session in sessions.values()),
        campaign,
        seat or "",
        stream,
        first,
        tuple(chain),
        head,
        tuple(loose),
    )


def _note_throws(
    entry: LogEntry,
    parts: list[Part],
    sessions: dict[int, _Session],
    loose: list[ThrowSeen],
    seat: Seat | None,
) -> None:
    """Note which numbers were thrown, and which of them this seat saw."""
    for part in parts:
        if part.kind == "cast":
            for number, stream, index, _ in msgspec.json.decode(part.said)[1]:
                session = sessions.get(number)
                if session is not None and stream == OPEN:
                    session.cast = max(session.cast, index + 1)
    for item, may_see in _rolled(entry, parts, seat):
        session = sessions.get(item.session)
        faces = tuple(die.face for die in item.faces)
        if session is None:
            if may_see:
                loose.append(_throw(entry.seq, item, faces))
        elif not session.began.streams:
            if may_see:
                session.throws.append(_throw(entry.seq, item, faces))
        elif item.stream == OPEN:
            session.cast = max(session.cast, item.index + 1)
            if may_see:
                session.shown.add(item.index)
        elif may_see:
            session.streams.add(item.stream)


def _throw(seq: int, item: RolledItem, faces: tuple[int, ...]) -> ThrowSeen:
    return ThrowSeen(seq, item.index, item.label, item.owner, item.throws, faces, item.typed)


def _rolled(
    entry: LogEntry, parts: list[Part], seat: Seat | None
) -> Iterable[tuple[RolledItem, bool]]:
    """Every throw of an entry, and whether a seat may see it."""
    thrown = [part for part in parts if part.kind == "throw"]
    match entry.event:
        case happened.ProcedureBegan(procedure=begun):
            items = [item for item in begun.story if isinstance(item, RolledItem)]
        case happened.AnswerGiven(items=told):
            items = [item for item in told if isinstance(item, RolledItem)]
        case happened.DiceThrown(rolled=rolled):
            items = [rolled]
        case _:
            items = []
    return [(item, _sees(part, seat)) for item, part in zip(items, thrown, strict=True)]


def _sees(part: Part, seat: Seat | None) -> bool:
    return seat is None or not part.audience or seat in part.audience


def _shown(entry: LogEntry, seal: Seal, parts: list[Part], seat: Seat | None) -> str | EntrySeen:
    """What a seat is shown of an entry; what is wholly secret is a digest like any other."""
    seq, is_secret = entry.seq, _is_secret(entry, seat)
    if not seal.parts or is_secret:
        return digest_of(seq, seal.body, seal.parts)
    shown: list[str | PartSeen] = list(seal.parts)
    salts = shown_salts(seal, len(shown))
    for number, (part, salt) in enumerate(zip(parts[: len(shown)], salts, strict=False)):
        if _sees(part, seat):
            shown[number] = PartSeen(seal.parts[number], salt, part.said)
    if len(parts) > len(shown):  # more than was written: let it be found
        shown += [PartSeen(f"{part.kind}:", "", part.said) for part in parts[len(shown) :]]
    return EntrySeen(seal.body, tuple(shown))


def _is_secret(entry: LogEntry, seat: Seat | None) -> bool:
    """Whether an entry is somebody else's secret as a whole.

    Of an open entry, what a seat may not see (dice for a character that it does not know of) is
    shown as a hash, so that no number is missing without a reason.
    """
    match entry.event:
        case happened.DiceThrown(audience=audience):
            return seat is not None and bool(audience) and seat not in audience
        case happened.ProcedureBegan(procedure=begun):
            return begun.secret and seat not in (None, GM)
        case happened.AnswerGiven(secret=secret):
            return secret and seat not in (None, GM)
    return False
