"""Fair dice: what anybody needs to derive every throw of a session again.

Before a session the server settles a seed and shows its SHA-256 hash, the commitment. Every
throw follows from the seed and its number (:class:`~astragal.dice.Committed`), so nobody can
choose it afterwards; when the session is over, the seed is shown, and everything can be
checked without the server.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator

import msgspec

from astragal.dice import Committed
from astragal.errors import BadInput
from astragal.play import GM, Seat
from astragal.table.log import events as happened
from astragal.table.log.events import LogEntry
from astragal.table.log.items import Item, RolledItem


class ThrowSeen(msgspec.Struct, frozen=True, omit_defaults=True):
    """One throw: its entry in the log, its number in the session, the dice and their faces."""

    entry: int
    index: int
    label: str
    owner: Seat
    dice: tuple[tuple[int, int], ...]
    """Sides and count of each handful, in the order thrown."""
    faces: tuple[int, ...]
    typed: bool = False


class SessionSeen(msgspec.Struct, frozen=True, omit_defaults=True):
    """A session: what was shown beforehand, the seed (once it is over), and its throws."""

    number: int
    commitment: str
    throws: tuple[ThrowSeen, ...]
    seed: str = ""


class Evidence(msgspec.Struct, frozen=True):
    """Everything that one seat saw of the dice of a campaign."""

    title: str
    sessions: tuple[SessionSeen, ...]


class Finding(msgspec.Struct, frozen=True):
    """Something that does not fit, or cannot be checked; ``wrong`` tells which."""

    session: int
    entry: int | None
    wrong: bool
    text: str


class FairnessReport(msgspec.Struct, frozen=True):
    """What came of checking: how many throws fit, how many were typed in, and what was found.

    ``unseen`` throws are not in the evidence: they were made in secret.
    """

    fit: int
    typed: int
    unseen: int
    findings: tuple[Finding, ...]

    @property
    def fair(self) -> bool:
        """Whether nothing was found wrong."""
        return not any(finding.wrong for finding in self.findings)


def evidence(title: str, entries: Iterable[LogEntry], seat: Seat | None) -> Evidence:
    """What a seat saw of the dice; without a seat, all there is."""
    began: dict[int, happened.SessionBegan] = {}
    seeds: dict[int, str] = {}
    throws: dict[int, list[ThrowSeen]] = {}
    for entry in entries:
        match entry.event:
            case happened.SessionBegan(number=number):
                began[number], throws[number] = entry.event, []
            case happened.SessionEnded(number=number, seed=seed):
                seeds[number] = seed
            case _:
                # Dice that were typed in between two sessions belong to none.
                for session, throw in _throws(entry, seat):
                    throws.get(session, []).append(throw)
    return Evidence(
        title,
        tuple(
            SessionSeen(number, each.commitment, tuple(throws[number]), seeds.get(number, ""))
            for number, each in began.items()
        ),
    )


def _throws(entry: LogEntry, seat: Seat | None) -> Iterator[tuple[int, ThrowSeen]]:
    """Every throw in an entry, with the session that it was made in."""
    for item, audience in _items(entry):
        if isinstance(item, RolledItem) and (seat is None or not audience or seat in audience):
            faces = tuple(die.face for die in item.faces)
            yield (
                item.session,
                ThrowSeen(
                    entry.seq, item.index, item.label, item.owner, item.throws, faces, item.typed
                ),
            )


def _items(entry: LogEntry) -> Iterator[tuple[Item, tuple[Seat, ...]]]:
    match entry.event:
        case happened.ProcedureBegan(procedure=begun):
            for item in begun.story:
                yield item, item.audience or ((GM,) if begun.secret else ())
        case happened.AnswerGiven(items=items, secret=secret):
            for item in items:
                yield item, item.audience or ((GM,) if secret else ())
        case happened.DiceThrown(rolled=rolled, audience=audience):
            yield rolled, audience


def verify(seen: Evidence) -> FairnessReport:
    """Derive every throw again, and say which does not fit."""
    fit = typed = unseen = 0
    findings: list[Finding] = []
    for session in seen.sessions:
        if not session.seed:
            text = f"Session {session.number}: its seed is not known yet, so nothing was checked"
            findings.append(Finding(session.number, None, False, text))
            continue
        seed = _seed(session)
        if hashlib.sha256(seed).hexdigest() != session.commitment:
            text = f"Session {session.number}: the seed is not the one committed to beforehand"
            findings.append(Finding(session.number, None, True, text))
        numbers: set[int] = set()
        for throw in session.throws:
            wrong = _wrong(throw, seed, numbers)
            numbers.add(throw.index)
            if wrong:
                text = f"Entry {throw.entry}: {wrong}"
                findings.append(Finding(session.number, throw.entry, True, text))
            elif throw.typed:
                typed += 1
            else:
                fit += 1
        missing = max(numbers, default=-1) + 1 - len(numbers)
        unseen += missing
        if missing:
            thrown = "1 throw was" if missing == 1 else f"{missing} throws were"
            text = f"Session {session.number}: {thrown} made in secret and cannot be seen here"
            findings.append(Finding(session.number, None, False, text))
    return FairnessReport(fit, typed, unseen, tuple(findings))


def _wrong(throw: ThrowSeen, seed: bytes, numbers: set[int]) -> str:
    """What is wrong with a throw, if anything."""
    if throw.index in numbers or throw.index < 0:
        return f"throw {throw.index} ({throw.label}) is there twice, or cannot be there"
    dice = sum(count for _, count in throw.dice)
    if dice != len(throw.faces) or any(count < 0 for _, count in throw.dice):
        return f"{throw.label} shows {len(throw.faces)} faces of {dice} dice"
    if throw.typed:
        return ""
    derived = derive(seed, throw.index, throw.dice)
    if derived == throw.faces:
        return ""
    return f"{throw.label} shows {_said(throw.faces)}, but the seed gives {_said(derived)}"


def derive(seed: bytes, index: int, dice: Iterable[tuple[int, int]]) -> tuple[int, ...]:
    """The faces of one throw."""
    source = Committed(seed, index)
    return tuple(face for sides, count in dice for face in source.dice(sides, count))


def _seed(session: SessionSeen) -> bytes:
    try:
        return bytes.fromhex(session.seed)
    except ValueError:
        raise BadInput("seed", session.seed, "a seed in hexadecimal") from None


def _said(faces: tuple[int, ...]) -> str:
    return " ".join(map(str, faces))
