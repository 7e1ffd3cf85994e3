"""The keys of a session's throws.

The server settles a secret seed and publishes two kinds of commitments to it before the first
throw. Each open throw has a key of its own, and the root of a Merkle tree over all of them is
published: a key can be shown without the others. What a seat throws in secret has a stream of
its own, numbered from 0; the hash of the stream's key is published, and the key is shown to those
who saw its throws, when the session is over.

Players' devices contribute random numbers after that. A throw follows from its key, from what
was contributed up to then, and from what it is for. The algorithm, for a second implementation,
is in ``docs/fair_dice.md``.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

import msgspec

from astragal.dice import Chance, Committed
from astragal.errors import Refusal
from astragal.play import GM, Roll, Seat
from astragal.table.log.state import DiceSession

DEPTH = 12
MOST_THROWS = 2**DEPTH
"""How many open throws a session can have: the leaves of its tree."""
OPEN = ""
"""The stream of the throws that are made openly."""
STREAMS = 16
"""How many seats have a stream of their own for what they throw in secret."""

_encode = msgspec.json.Encoder().encode


@lru_cache(maxsize=512)
def stream_key(seed: bytes, stream: str) -> bytes:
    """The key of a stream."""
    return hmac.digest(seed, b"stream " + stream.encode(), "sha256")


def throw_key(stream: bytes, index: int) -> bytes:
    """The key of one throw of a stream."""
    return hmac.digest(stream, index.to_bytes(8, "big"), "sha256")


def _throw_keys(stream: bytes, count: int) -> Iterator[bytes]:
    """The keys of the first throws: HMAC (RFC 2104), with what the key alone comes to made once."""
    padded = stream.ljust(64, b"\0")
    inner = hashlib.sha256(bytes(byte ^ 0x36 for byte in padded))
    outer = hashlib.sha256(bytes(byte ^ 0x5C for byte in padded))
    for index in range(count):
        within, around = inner.copy(), outer.copy()
        within.update(index.to_bytes(8, "big"))
        around.update(within.digest())
        yield around.digest()


def stream_commitment(key: bytes) -> str:
    """What is published of a stream's key."""
    return hashlib.sha256(b"stream" + key).hexdigest()


def leaf(key: bytes) -> bytes:
    """What is published of a throw's key."""
    return hashlib.sha256(b"leaf" + key).digest()


def _above(nodes: Sequence[bytes]) -> list[bytes]:
    pairs = zip(nodes[::2], nodes[1::2], strict=True)
    return [hashlib.sha256(b"node" + left + right).digest() for left, right in pairs]


def root_of(leaves: Iterable[bytes], edge: Iterable[bytes]) -> bytes | None:
    """The root over the first leaves; ``edge`` are the nodes to the right of them, from below.

    None if they do not make up a tree.
    """
    nodes, more = list(leaves), list(edge)
    for _ in range(DEPTH):
        if len(nodes) % 2:
            if not more:
                return None
            nodes.append(more.pop(0))
        nodes = _above(nodes)
    return nodes[0] if len(nodes) == 1 and not more else None


@lru_cache(maxsize=16)  # about a megabyte each
def _tree(seed: bytes) -> tuple[list[bytes], ...]:
    """A session's tree, level by level, from its leaves to its root."""
    stream = stream_key(seed, OPEN)
    levels = [[leaf(key) for key in _throw_keys(stream, MOST_THROWS)]]
    for _ in range(DEPTH):
        levels.append(_above(levels[-1]))
    return tuple(levels)


@lru_cache(maxsize=512)
def proof(seed: bytes, count: int) -> tuple[bytes, tuple[bytes, ...]]:
    """The root of a session's tree, and the nodes to the right of its first leaves."""
    *below, (root,) = _tree(seed)
    edge: list[bytes] = []
    width = count
    for nodes in below:
        if width % 2:
            edge.append(nodes[width])
        width = (width + 1) // 2
    return root, tuple(edge)


def commitments(seed: bytes) -> tuple[str, dict[str, str]]:
    """What is published before the first throw: the root, and the hash of each secret stream."""
    root, _ = proof(seed, 0)
    streams = map(str, range(STREAMS))
    return root.hex(), {name: stream_commitment(stream_key(seed, name)) for name in streams}


def stream_of(seat: Seat, seats: Iterable[Seat]) -> str:
    """The stream of what a seat throws in secret, by its place among all seats there ever were.

    Seats for which there is none left use the GM's.
    """
    places = {each: place for place, each in enumerate(seats)}
    place = places.get(seat, STREAMS)
    return str(place if place < STREAMS else places.get(GM, 0))


def mixed(commitment: str, given: Iterable[tuple[Seat, str]]) -> bytes:
    """What the contributions come to, in their order."""
    mix = bytes.fromhex(commitment)
    for seat, value in given:
        mix = hashlib.sha256(mix + _encode((seat, value))).digest()
    return mix


def purpose(
    session: int, stream: str, index: int, owner: Seat, label: str, procedure: str, notation: str
) -> str:
    """What a throw is for, as it goes into its dice."""
    what = (session, stream, index, owner, label, procedure, notation)
    return _encode(what).decode()


def chance_of(key: bytes, mix: bytes, what: str) -> Chance:
    """The source of the faces of one throw."""
    return Committed(hmac.digest(key, mix + what.encode(), "sha256"), 0)


class SessionKeys(msgspec.Struct, frozen=True):
    """The keys of one stream of the open session, for the throws of one procedure."""

    session: DiceSession
    stream: str = OPEN
    procedure: str = ""

    @property
    def thrown(self) -> int:
        """How many throws the stream has had."""
        session = self.session
        return session.secret_throws.get(self.stream, 0) if self.stream else session.throws

    @property
    def contributions(self) -> int:
        """How many contributions go into a throw that is made now."""
        return len(self.session.given)

    def chance(self, index: int, roll: Roll) -> Chance:
        """The source of the faces of a throw."""
        session = self.session
        seed = bytes.fromhex(session.seed)
        if not session.streams:  # a session of the older kind
            return Committed(seed, index)
        if not self.stream and index >= MOST_THROWS:
            raise Refusal(
                f"This session has had {MOST_THROWS} rolls. Ask the GM to end it and start another."
            )
        key = throw_key(stream_key(seed, self.stream), index)
        what = purpose(
            session.number,
            self.stream,
            index,
            roll.owner,
            roll.label,
            self.procedure,
            roll.expression.notation,
        )
        return chance_of(key, mixed(session.commitment, session.given), what)
