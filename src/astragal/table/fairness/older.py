"""Sessions of the older kind: one seed, shown as a whole when the session is over.

Such a session proves that faces follow from the seed, and no more: its file brings its own
commitment, the seed gives away what was rolled in secret, and numbers may be missing.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from astragal.dice import Committed
from astragal.errors import BadInput
from astragal.table.fairness.evidence import SessionSeen, ThrowSeen
from astragal.table.fairness.report import FairnessReport, Finding


def verify_older(session: SessionSeen) -> FairnessReport:
    """Derive every throw of an older session again, and say which does not fit."""
    number = session.number
    if not session.seed:
        text = f"Session {number}: its seed is not known yet, so nothing was checked"
        return FairnessReport(0, 0, 0, (Finding(number, None, False, text),))
    fit = typed = 0
    findings: list[Finding] = []
    seed = _seed(session)
    if hashlib.sha256(seed).hexdigest() != session.commitment:
        text = f"Session {number}: the seed is not the one committed to beforehand"
        findings.append(Finding(number, None, True, text))
    numbers: set[int] = set()
    for throw in session.throws:
        wrong = _wrong(throw, seed, numbers)
        numbers.add(throw.index)
        if wrong:
            findings.append(Finding(number, throw.entry, True, f"Entry {throw.entry}: {wrong}"))
        elif throw.typed:
            typed += 1
        else:
            fit += 1
    missing = max(numbers, default=-1) + 1 - len(numbers)
    if missing:
        thrown = "1 roll was" if missing == 1 else f"{missing} rolls were"
        text = f"Session {number}: {thrown} made in secret and cannot be seen here"
        findings.append(Finding(number, None, False, text))
    if session.throws:
        text = f"Session {number} is of an older kind: only its faces can be checked"
        findings.append(Finding(number, None, False, text))
    return FairnessReport(fit, typed, missing, tuple(findings))


def _wrong(throw: ThrowSeen, seed: bytes, numbers: set[int]) -> str:
    """What is wrong with a throw, if anything."""
    if throw.index in numbers or throw.index < 0:
        return f"roll {throw.index} ({throw.label}) appears twice, or has no place here"
    dice = sum(count for _, count in throw.dice)
    if dice != len(throw.faces) or any(count < 0 for _, count in throw.dice):
        return f"{throw.label} shows {len(throw.faces)} faces of {dice} dice"
    if throw.typed:
        return ""
    derived = derive(seed, throw.index, throw.dice)
    if derived == throw.faces:
        return ""
    return f"{throw.label} shows {said(throw.faces)}, but the seed gives {said(derived)}"


def derive(seed: bytes, index: int, dice: Iterable[tuple[int, int]]) -> tuple[int, ...]:
    """The faces of one throw of an older session."""
    source = Committed(seed, index)
    return tuple(face for sides, count in dice for face in source.dice(sides, count))


def said(faces: Iterable[int]) -> str:
    """Faces as they are read out."""
    return " ".join(map(str, faces))


def _seed(session: SessionSeen) -> bytes:
    try:
        return bytes.fromhex(session.seed)
    except ValueError:
        raise BadInput("seed", session.seed, "a seed in hexadecimal") from None
