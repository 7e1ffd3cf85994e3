"""Receipts: what a device kept of a table, to compare a file or a database with."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import msgspec

from astragal.play import Seat
from astragal.table.fairness.report import Finding


class Receipt(msgspec.Struct, frozen=True):
    """What the device of one seat kept: heads of the chain, and what it gave to the dice."""

    campaign: str
    seat: Seat
    heads: tuple[tuple[int, str], ...]
    """The number of an entry, and the head after it."""
    gave: dict[int, str] = {}
    """What it contributed to each session."""


class ChainSeen(msgspec.Struct, frozen=True):
    """A chain that was followed: the head after each entry, and what was given to each session."""

    campaign: str
    first: int
    """The first entry that has a seal."""
    heads: Mapping[int, str]
    given: Mapping[int, Mapping[Seat, str]]


def compared(receipt: Receipt, chain: ChainSeen) -> Iterator[Finding]:
    """Everything in which a chain differs from what a device saw."""
    who = f"The device of {receipt.seat}"
    if chain.campaign and receipt.campaign and chain.campaign != receipt.campaign:
        yield _wrong(None, f"{who} was at another campaign ({receipt.campaign})")
        return
    last = max(chain.heads, default=0)
    for seq, head in sorted(receipt.heads):
        if seq > last:
            yield _wrong(last, f"{who} saw entry {seq}, but the log ends with entry {last}")
            break
        if seq >= chain.first and chain.heads.get(seq) != head:
            yield _wrong(seq, f"{who} saw another log up to entry {seq}")
            break
    for session, value in receipt.gave.items():
        if chain.given.get(session, {}).get(receipt.seat) != value:
            text = f"{who} gave a number to the dice of session {session} that is not in them"
            yield Finding(session, None, True, text)


def all_compared(receipts: Iterable[Receipt], chain: ChainSeen) -> list[Finding]:
    """The same for several devices."""
    return [finding for receipt in receipts for finding in compared(receipt, chain)]


def _wrong(entry: int | None, text: str) -> Finding:
    return Finding(0, entry, True, text)
