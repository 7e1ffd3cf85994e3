"""Checking the dice: the chain is followed, and every throw derived again from its own key."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Any

import msgspec

from astragal.dice import Recorded, parse
from astragal.errors import BadInput
from astragal.play import GM, Roll, Seat, rolled_from
from astragal.table.fairness.evidence import EntrySeen, Evidence, PartSeen, SessionSeen, ThrowSeen
from astragal.table.fairness.older import said, verify_older
from astragal.table.fairness.order import NumbersInOrder
from astragal.table.fairness.receipts import ChainSeen, Receipt, all_compared
from astragal.table.fairness.report import FairnessReport, Finding
from astragal.table.log.seals import digest_of, next_head, part_hash
from astragal.table.running.dice import NotingDice
from astragal.table.running.keys import (
    OPEN,
    chance_of,
    leaf,
    mixed,
    root_of,
    stream_commitment,
    throw_key,
)
from astragal.table.running.recording import comes_to


class _Purpose(msgspec.Struct, frozen=True, array_like=True):
    """What a throw is for."""

    session: int
    stream: str
    index: int
    owner: Seat
    label: str
    procedure: str
    notation: str


class _Throw(msgspec.Struct, frozen=True, array_like=True):
    """A throw as a part of an entry says it."""

    kind: str
    what: str
    mixed: int
    dice: tuple[tuple[int, int], ...]
    faces: tuple[int, ...]
    typed: bool
    comes_to: str


class _Session:
    """A session that the chain tells of."""

    def __init__(self, commitment: str, streams: dict[str, str], keys: SessionSeen | None) -> None:
        self.commitment = commitment
        self.streams = streams
        self.keys = keys
        self.given: list[tuple[Seat, str]] = []
        self.orders: dict[str, NumbersInOrder] = {}
        self.ended = self.lost = False
        self.unchecked: list[str] = []
        """The streams of those throws whose keys are not shown."""

    @property
    def is_older(self) -> bool:
        return not self.streams

    def order(self, stream: str) -> NumbersInOrder:
        """The numbers of a stream so far."""
        return self.orders.setdefault(stream, NumbersInOrder())


def verify(seen: Evidence, receipts: Iterable[Receipt] = ()) -> FairnessReport:
    """Check everything that a seat saw, against what devices kept of it."""
    return _Check(seen).report(tuple(receipts))


class _Check:
    """One walk through the evidence."""

    def __init__(self, seen: Evidence) -> None:
        self._seen = seen
        self._keys = {session.number: session for session in seen.sessions}
        self._sessions: dict[int, _Session] = {}
        self._findings: list[Finding] = []
        self._thrown: dict[int, list[tuple[int, str]]] = {}
        """By entry: the session and the words of what was thrown, to tell of what was undone."""
        self._undone: list[tuple[int, int]] = []
        self._heads: dict[int, str] = {}
        self._fit = self._typed = self._unseen = 0
        self._sees_all = seen.seat in ("", GM)
        self._older: set[tuple[int, int, int]] = set()

    def report(self, receipts: tuple[Receipt, ...]) -> FairnessReport:
        """Everything that was found."""
        seen = self._seen
        head = ""
        for seq, entry in enumerate(seen.chain, start=seen.first):
            digest = self._entry(seq, entry)
            head = next_head(head, digest)
            self._heads[seq] = head
        if head != seen.head:
            self._wrong(None, "The log's entries do not lead to the head that it ends with")
        for number, session in self._sessions.items():
            self._tree(number, session)
        for throw in seen.loose:
            self._outside(throw)
        olders = [self._older_session(session) for session in seen.sessions]
        undone = self._tell_undone()
        given = {number: dict(session.given) for number, session in self._sessions.items()}
        chain = ChainSeen(seen.campaign, seen.first, self._heads, given)
        self._findings += all_compared(receipts, chain)
        if seen.chain and not receipts:
            text = "Compared with no device: give a receipt with --seen"
            self._findings.append(Finding(0, None, False, text))
        older = [each for each in olders if each is not None]
        return FairnessReport(
            self._fit + sum(each.fit for each in older),
            self._typed + sum(each.typed for each in older),
            self._unseen + sum(each.unseen for each in older),
            (*self._findings, *(finding for each in older for finding in each.findings)),
            undone,
            len(receipts),
        )

    # ------------------------------------------------------------------ the chain

    def _entry(self, seq: int, entry: str | EntrySeen) -> str:
        """Look at an entry; its digest."""
        if isinstance(entry, str):
            if len(entry) != 64 or not _is_hex(entry):
                self._wrong(seq, f"Entry {seq} is not in the chain")
                return hashlib.sha256(entry.encode()).hexdigest()
            return entry
        hashes: list[str] = []
        for part in entry.parts:
            if isinstance(part, str):
                hashes.append(part)
                self._hidden(seq, part)
                continue
            hashes.append(part.hash)
            kind = part.hash.partition(":")[0]
            if not _is_hex(part.salt) or part.hash != part_hash(
                kind, bytes.fromhex(part.salt), part.said
            ):
                self._wrong(seq, f"Entry {seq} was changed: it does not have its hash")
            self._part(seq, kind, part)
        return digest_of(seq, entry.body, hashes)

    def _hidden(self, seq: int, part: str) -> None:
        """A part of an open entry that is not shown."""
        session = next((each for each in reversed(self._sessions.values()) if not each.ended), None)
        if part.startswith("cast:"):
            for each in self._sessions.values():
                each.order(OPEN).loosen()
        elif self._sees_all:
            self._wrong(seq, f"Entry {seq}: a part of it is missing")
        elif session is not None:
            self._unseen += 1
            session.order(OPEN).hide(len(session.given))

    def _part(self, seq: int, kind: str, part: PartSeen) -> None:
        try:
            what = msgspec.json.decode(part.said)
            if what[0] != kind:
                raise ValueError(kind)
            match what:
                case ["session", int(number), str(commitment), dict(streams)]:
                    self._began(seq, number, commitment, streams)
                case ["gave", int(number), str(seat), str(value)]:
                    self._gave(seq, number, seat, value)
                case ["ended", int(number), bool(lost)]:
                    self._over(seq, number, lost)
                case ["undone", int(to)]:
                    self._undone = [span for span in self._undone if span[1] <= to]
                    self._undone.append((to, seq))
                case ["cast", casts]:
                    for number, stream, index, count in casts:
                        self._cast(seq, number, stream, index, count)
                case ["throw", *_]:
                    throw = msgspec.convert(what, _Throw)
                    self._throw(seq, throw, msgspec.json.decode(throw.what, type=_Purpose))
                case _:
                    raise ValueError(kind)
        except (ValueError, TypeError, LookupError, msgspec.DecodeError):
            self._wrong(seq, f"Entry {seq} cannot be read")

    def _began(self, seq: int, number: int, commitment: str, streams: Any) -> None:
        if number in self._sessions or any(not each.ended for each in self._sessions.values()):
            self._wrong(seq, f"Session {number} begins twice, or while another is open", number)
        keys = self._keys.get(number)
        self._sessions[number] = _Session(commitment, streams, keys)
        if keys is None:
            self._wrong(seq, f"Session {number} is missing", number)
        elif keys.commitment != commitment:
            text = f"Session {number} was replaced: its commitment is not the one in the log"
            self._wrong(seq, text, number)

    def _gave(self, seq: int, number: int, seat: Seat, value: str) -> None:
        session = self._sessions[number]
        if session.ended or seat in dict(session.given):
            self._wrong(seq, f"Entry {seq}: {seat} adds to the dice twice, or too late", number)
        session.given.append((seat, value))

    def _over(self, seq: int, number: int, lost: bool) -> None:
        session = self._sessions.get(number)
        if session is not None:
            session.ended, session.lost = True, lost
        elif number not in self._keys:  # or else it began before there was a chain
            self._wrong(seq, f"Session {number} ends, but never began", number)

    def _cast(self, seq: int, number: int, stream: str, index: int, count: int) -> None:
        session = self._sessions.get(number)
        if session is None or session.is_older:
            return
        wrong = session.order(stream).cast(index, count, len(session.given))
        if wrong:
            self._wrong(seq, f"Entry {seq}: {wrong}", number)

    # ------------------------------------------------------------------ throws

    def _throw(self, seq: int, throw: _Throw, what: _Purpose) -> None:
        words = f"{what.label} ({said(throw.faces)})"
        self._thrown.setdefault(seq, []).append((what.session, words))
        session = self._sessions.get(what.session)
        if session is None:
            before = self._keys.get(what.session)
            if before is not None and before.number and not before.leaves:
                self._compare_older(seq, throw, what)  # it began before there was a chain
            elif what.session or not throw.typed:
                self._wrong(seq, f"Entry {seq}: {words} belongs to no session", what.session)
            else:
                self._typed += 1
            return
        if session.is_older:
            self._compare_older(seq, throw, what)
            return
        wrong: str | None = self._wrong_number(seq, throw, what, session)
        wrong = wrong or _wrong_sum(throw, what)
        if not wrong and throw.typed:
            self._typed += 1
            return
        wrong = wrong or self._wrong_faces(throw, what, session)
        if wrong:
            self._wrong(seq, f"Entry {seq}: {wrong}", what.session)
        elif wrong is not None:
            self._fit += 1

    def _wrong_number(self, seq: int, throw: _Throw, what: _Purpose, session: _Session) -> str:
        if not self._is_own(what.stream):
            return ""
        order = session.order(what.stream)
        wrong = order.show(what.index, throw.mixed, len(session.given), seq, self._is_undone)
        return f"{what.label}: {wrong}" if wrong else ""

    def _is_own(self, stream: str) -> bool:
        """Whether this seat sees all throws of a stream."""
        return self._sees_all or stream in (OPEN, self._seen.stream)

    def _wrong_faces(self, throw: _Throw, what: _Purpose, session: _Session) -> str | None:
        """What is wrong with the faces; None if there is no key to tell."""
        key = self._key(what, session)
        if key is None:
            session.unchecked.append(what.stream)
            return None
        if isinstance(key, str):
            return key
        mix = mixed(session.commitment, session.given[: throw.mixed])
        source = chance_of(key, mix, throw.what)
        derived = tuple(face for sides, count in throw.dice for face in source.dice(sides, count))
        if derived == throw.faces:
            return ""
        return f"{what.label} shows {said(throw.faces)}, but its key gives {said(derived)}"

    def _key(self, what: _Purpose, session: _Session) -> bytes | str | None:
        """The key of a throw, why it is none, or nothing if it is not shown."""
        keys = session.keys
        if keys is None:
            return None
        if what.stream:
            shown = keys.streams.get(what.stream)
            if shown is None:
                return None
            if stream_commitment(bytes.fromhex(shown)) != session.streams.get(what.stream):
                return f"{what.label}: the key is not the one committed to beforehand"
            return throw_key(bytes.fromhex(shown), what.index)
        shown = keys.keys.get(what.index)
        if shown is None:
            return None
        key = bytes.fromhex(shown)
        if what.index >= len(keys.leaves) or leaf(key).hex() != keys.leaves[what.index]:
            return f"{what.label}: the key is not the one committed to beforehand"
        return key

    def _tree(self, number: int, session: _Session) -> None:
        """The hashes of all keys must lead to the root that was published beforehand."""
        keys = session.keys
        if session.is_older or keys is None:
            return
        missing = session.order(OPEN).missing if self._sees_all and session.ended else []
        if missing:
            self._wrong(None, f"Session {number}: roll {missing[0]} was never shown", number)
        if keys.leaves:
            nodes = (*keys.leaves, *keys.edge)
            root = None
            if all(_is_hex(node) and len(node) == 64 for node in nodes):
                root = root_of(map(bytes.fromhex, keys.leaves), map(bytes.fromhex, keys.edge))
            shown = [_leaf_of(keys.keys.get(index, "")) for index in range(len(keys.leaves))]
            fits = all(each in ("", here) for each, here in zip(shown, keys.leaves, strict=True))
            if root is None or root.hex() != session.commitment or not fits:
                text = f"Session {number}: the keys are not those committed to beforehand"
                self._wrong(None, text, number)
        if session.unchecked:
            count = len(session.unchecked)
            rolls = "1 roll" if count == 1 else f"{count} rolls"
            own = all(self._is_own(stream) for stream in session.unchecked)
            is_wrong = any(map(self._is_own, session.unchecked))
            is_wrong = is_wrong and session.ended and not session.lost
            why = "the keys are missing" if own else "only the GM has the keys"
            why = "the keys stayed with another server" if session.lost else why
            why = why if session.ended else "the keys are not shown yet"
            text = f"Session {number}: {rolls} could not be checked: {why}"
            self._findings.append(Finding(number, None, is_wrong, text))

    # ------------------------------------------------------------------ older sessions

    def _compare_older(self, seq: int, throw: _Throw, what: _Purpose) -> None:
        """A throw of an older session must be the same in the chain and among its throws."""
        told = ThrowSeen(
            seq, what.index, what.label, what.owner, throw.dice, throw.faces, throw.typed
        )
        keys = self._keys.get(what.session)
        self._older.add((what.session, seq, what.index))
        if keys is None or told not in keys.throws:
            text = f"Entry {seq}: {what.label} is not among the rolls of session {what.session}"
            self._wrong(seq, text, what.session)

    def _older_session(self, session: SessionSeen) -> FairnessReport | None:
        known = self._sessions.get(session.number)
        first = self._seen.first
        if known is None and (session.leaves or session.keys or session.streams):
            self._wrong(None, f"Session {session.number} is not in the log", session.number)
            return None
        if known is not None and not known.is_older:
            if session.throws or session.seed:
                text = f"Session {session.number} was replaced by one of an older kind"
                self._wrong(None, text, session.number)
            return None
        for throw in session.throws:
            key = (session.number, throw.entry, throw.index)
            if first and throw.entry >= first and key not in self._older:
                text = f"Entry {throw.entry}: {throw.label} is not in the log"
                self._wrong(throw.entry, text, session.number)
        return verify_older(session)

    def _outside(self, throw: ThrowSeen) -> None:
        if throw.typed:
            self._typed += 1
        else:
            text = f"Entry {throw.entry}: {throw.label} ({said(throw.faces)}) belongs to no session"
            self._wrong(throw.entry, text)

    # ------------------------------------------------------------------ what was undone

    def _is_undone(self, seq: int) -> bool:
        return any(after < seq < by for after, by in self._undone)

    def _tell_undone(self) -> int:
        count = 0
        for seq, thrown in self._thrown.items():
            for session, words in thrown if self._is_undone(seq) else ():
                count += 1
                text = f"Entry {seq} was undone: {words}"
                self._findings.append(Finding(session, seq, False, text))
        return count

    def _wrong(self, entry: int | None, text: str, session: int = 0) -> None:
        self._findings.append(Finding(session, entry, True, text))


def _wrong_sum(throw: _Throw, what: _Purpose) -> str:
    """What is wrong with dice, faces and result, as far as the notation tells."""
    if sum(count for _, count in throw.dice) != len(throw.faces) or any(
        count < 0 or not 1 <= sides <= 256 for sides, count in throw.dice
    ):
        return f"{what.label} shows {len(throw.faces)} faces of other dice"
    try:
        roll = Roll(parse(what.notation), what.label, what.owner)
    except BadInput:
        return ""  # dice that only a game knows
    try:
        noting = NotingDice(Recorded(throw.faces))
        roll.expression.sample(noting)
        rolled = rolled_from(roll, throw.faces)
    except ValueError:
        return f"{what.label} shows faces that {what.notation} cannot show"
    if tuple(noting.handfuls) != throw.dice or comes_to(rolled.value) != throw.comes_to:
        right = comes_to(rolled.value)
        return f"{what.label}: {said(throw.faces)} is {right}, not {throw.comes_to}"
    return ""


def _leaf_of(key: str) -> str:
    """The hash of a key that is shown; empty for one that is not."""
    return leaf(bytes.fromhex(key)).hex() if key and _is_hex(key) else key


def _is_hex(text: str) -> bool:
    try:
        bytes.fromhex(text)
    except ValueError:
        return False
    return True
