"""Seals: a hash chain over the log, which a seat can follow that may not read everything.

Every entry has a seal. Its *digest* covers the whole entry, as a salted hash of its text, and
once more each thing in it that matters for the dice (:class:`Seal`, ``parts``), each with a salt
of its own. So one part can be shown without the others, and a digest alone tells nothing. The
*head* after an entry is the hash of the head before it and the entry's digest: who knows one
head knows that nothing before it was changed, removed or put in.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Sequence
from typing import Annotated

import msgspec

_encode = msgspec.json.Encoder().encode

SALT_BYTES = 16
_SEAL = b',"seal":{'

Hex = Annotated[str, msgspec.Meta(pattern="^([0-9a-f]{2})*$(?!\\n)")]


class Seal(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """What the chain has of one entry; all hashes are in hexadecimal."""

    salt: Hex
    """Secret: with it the text of an entry could be guessed. It is empty in an export."""
    body: Hex
    """The hash of the whole entry as it was written."""
    head: Hex
    """The head of the chain after this entry."""
    parts: tuple[str, ...] = ()
    """The kind and the hash of each thing in it that matters for the dice: ``throw:ab12...``."""
    redacted: bool = False
    """Whether the entry has been in an export: then its text is not all that was written."""
    part_salts: tuple[Hex, ...] = ()
    """In an export: the salts of those parts that are still in the entry, which come first."""


def body_of(salt: bytes, place: tuple[int, str, str, str], event: bytes) -> str:
    """The hash of an entry: its number, time, seat and mark, and its event without the seal."""
    return hashlib.sha256(salt + _encode(place) + b"\n" + event).hexdigest()


def part_salt(salt: bytes, number: int) -> bytes:
    """The salt of one part; it tells nothing of the others."""
    return hmac.digest(salt, number.to_bytes(4, "big"), "sha256")[:SALT_BYTES]


def shown_salts(seal: Seal, parts: int) -> tuple[str, ...]:
    """The salts of the first parts of an entry, as far as they are known."""
    if not seal.salt:
        return seal.part_salts[:parts]
    salt = bytes.fromhex(seal.salt)
    return tuple(part_salt(salt, number).hex() for number in range(parts))


def part_hash(kind: str, salt: bytes, said: str) -> str:
    """A part under its kind, as the seal has it."""
    return f"{kind}:{hashlib.sha256(salt + said.encode()).hexdigest()}"


def digest_of(seq: int, body: str, parts: Sequence[str]) -> str:
    """The digest of an entry: all that the chain needs of it."""
    return hashlib.sha256(_encode((seq, body, parts))).hexdigest()


def next_head(head: str, digest: str) -> str:
    """The head after an entry; the first entry follows on an empty one."""
    return hashlib.sha256(bytes.fromhex(head + digest)).hexdigest()


def with_seal(event: bytes, seal: Seal) -> bytes:
    """The text of an event that was hashed without its seal, with the seal as its last field."""
    return event[:-1] + b',"seal":' + _encode(seal) + b"}"


def without_seal(event: bytes) -> bytes:
    """The stored text of an event as it was hashed: the seal is its last field."""
    return event[: event.rindex(_SEAL)] + b"}" if _SEAL in event else event
