"""Sources of chance: who throws the dice.

A source is handed to the driver of a procedure; no part of the rules holds one. There
are five: `Secure` for dice that nobody will ask about, `Seeded` for runs that can be made
again, `Committed` for evenings that anyone can verify afterwards, `Recorded` for replays and
tests, `TypedIn` for people with real dice. What the faces mean is left to the expressions.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import Final, Protocol

from astragal.errors import BadInput, Refusal

MOST_SIDES: Final = 256
"""A face is drawn from one byte, so no die has more sides than a byte has values."""

_BLOCK: Final = 32
_BLOCKS_AT_ONCE: Final = 4
_SECURE_BYTES: Final = 64


class Chance(Protocol):
    """Anything that can throw dice."""

    def dice(self, sides: int, count: int) -> list[int]:
        """Throw `count` dice of `sides` sides at once; faces run from 1 to `sides`."""
        ...


class TooFewFaces(Refusal):
    """The recorded faces have run out before the procedure was done.

    >>> raise TooFewFaces(needed=2, sides=6)
    Traceback (most recent call last):
    astragal.dice.chance.TooFewFaces: 2 more faces of a d6 are needed
    """

    def __init__(self, needed: int, sides: int) -> None:
        """Say how many faces of which die are missing."""
        self.needed = needed
        self.sides = sides
        faces = "1 more face" if needed == 1 else f"{needed} more faces"
        super().__init__(f"{faces} of a d{sides} {'is' if needed == 1 else 'are'} needed")


class _Bytes:
    """Faces drawn from a stream of uniform bytes, without bias.

    A byte is used when it lies below the largest multiple of `sides` that is at most
    256, and skipped otherwise; a used byte `b` is the face `b % sides + 1`.
    """

    __slots__ = ("_at", "_buffer")

    def __init__(self) -> None:
        self._buffer = b""
        self._at = 0

    def _more(self, wanted: int) -> bytes:
        """The next bytes of the stream: at least one, best as many as are wanted."""
        raise NotImplementedError

    def dice(self, sides: int, count: int) -> list[int]:
        """Throw `count` dice of `sides` sides."""
        _check_throw(sides, count)
        if sides == MOST_SIDES:  # the one face that does not fit in a byte
            return [byte + 1 for byte in self.take(count)]
        faces_of, unfair = _faces(sides)
        shown = self.take(count).translate(faces_of, unfair)
        while len(shown) < count:
            shown += self.take(count - len(shown)).translate(faces_of, unfair)
        return list(shown)

    def take(self, count: int) -> bytes:
        """The next `count` bytes of the stream themselves."""
        end = self._at + count
        taken = self._buffer[self._at : end]
        while (missing := count - len(taken)) > 0:
            self._buffer = self._more(missing)
            end = missing
            taken += self._buffer[:missing]
        self._at = end
        return taken


@cache
def _faces(sides: int) -> tuple[bytes, bytes]:
    """The face that each byte stands for, and the bytes that are skipped."""
    fair = MOST_SIDES - MOST_SIDES % sides
    return bytes(byte % sides + 1 for byte in range(MOST_SIDES)), bytes(range(fair, MOST_SIDES))


class Secure(_Bytes):
    """Dice thrown with the operating system's cryptographic randomness."""

    __slots__ = ()

    def _more(self, wanted: int) -> bytes:
        return secrets.token_bytes(max(_SECURE_BYTES, wanted))


class Seeded(_Bytes):
    """Dice that follow from a seed alone, so that an evening can be verified offline.

    The algorithm, for a second implementation in any language:

    1. The seed is bytes: a text is taken in UTF-8, a whole number as its decimal text.
    2. `key = SHA-256(seed)`, 32 bytes.
    3. The stream of bytes is `SHA-256(key + n)` for n = 0, 1, 2, ..., where n is
       written as 8 bytes, the most significant first; each digest gives 32 bytes.
    4. For a die of s sides take the next byte b of the stream. If b < 256 - 256 mod s,
       the face is b mod s + 1; otherwise skip b and take the next byte.

    Every die consumes the stream in turn, so five dice thrown together show the same
    faces as five thrown one by one.

    >>> evening = Seeded("astragal")
    >>> evening.dice(6, 10), evening.dice(10, 4), evening.dice(12, 2)
    ([5, 3, 5, 6, 4, 1, 3, 3, 2, 6], [5, 1, 10, 2], [3, 6])
    >>> again = Seeded(b"astragal")
    >>> again.dice(6, 4) + again.dice(6, 6)
    [5, 3, 5, 6, 4, 1, 3, 3, 2, 6]
    """

    __slots__ = ("_block", "_key")

    def __init__(self, seed: str | int | bytes) -> None:
        """Start the stream of this seed at its first byte."""
        super().__init__()
        whole = seed if isinstance(seed, bytes) else str(seed).encode()
        self._key = hashlib.sha256(whole).digest()
        self._block = 0

    def _more(self, wanted: int) -> bytes:
        first = self._block
        self._block = first + max(_BLOCKS_AT_ONCE, -(-wanted // _BLOCK))
        return b"".join(
            hashlib.sha256(self._key + block.to_bytes(8, "big")).digest()
            for block in range(first, self._block)
        )


class Committed(_Bytes):
    """The dice of one throw of an evening whose seed was settled, and its hash shown, beforehand.

    Each throw has a number of its own, so that any of them can be derived alone. The algorithm,
    for a second implementation in any language:

    1. The stream of bytes of throw number i is `HMAC-SHA-256(seed, i + n)` for n = 0, 1, 2, ...,
       where i and n are written as 8 bytes each, the most significant first.
    2. For a die of s sides take the next byte b of the stream. If b < 256 - 256 mod s, the face
       is b mod s + 1; otherwise skip b and take the next byte.

    >>> Committed(b"an evening", 0).dice(6, 5), Committed(b"an evening", 1).dice(6, 5)
    ([4, 6, 4, 2, 4], [1, 4, 6, 6, 3])
    """

    __slots__ = ("_block", "_index", "_seed")

    def __init__(self, seed: bytes, index: int) -> None:
        """Begin the stream of one throw."""
        super().__init__()
        self._seed = seed
        self._index = index.to_bytes(8, "big")
        self._block = 0

    def _more(self, wanted: int) -> bytes:  # noqa: ARG002  a digest is enough for most throws
        block = self._block.to_bytes(8, "big")
        self._block += 1
        return hmac.digest(self._seed, self._index + block, "sha256")


class Recorded:
    """Faces noted down earlier, handed out in their order: replays, examples, tests.

    >>> faces = Recorded([4, 2, 6])
    >>> faces.dice(6, 2)
    [4, 2]
    >>> faces.left
    1
    """

    __slots__ = ("_at", "_faces")

    def __init__(self, faces: Iterable[int]) -> None:
        """Keep the faces; they are checked against the dice when they are asked for."""
        self._faces = tuple(faces)
        self._at = 0

    @property
    def left(self) -> int:
        """How many faces have not been handed out yet."""
        return len(self._faces) - self._at

    def dice(self, sides: int, count: int) -> list[int]:
        """Hand out the next `count` faces; none is used up when one does not fit."""
        _check_throw(sides, count)
        faces = self._faces[self._at : self._at + count]
        for place, face in enumerate(faces, start=self._at):
            _check_face(f"faces[{place}]", face, sides)
        if len(faces) < count:
            raise TooFewFaces(count - len(faces), sides)
        self._at += count
        return list(faces)

    def finish(self) -> None:
        """Refuse if faces are left over: the record is of some other roll."""
        if self.left:
            left = self._faces[self._at :]
            raise BadInput("faces", left, "no more faces: every die has been rolled")


class TypedIn:
    """Faces typed in by people who throw real dice.

    `prompt` is called with the sides and the number of dice of each throw.

    >>> TypedIn(lambda sides, count: [5, 7]).dice(6, 2)
    Traceback (most recent call last):
    astragal.errors.BadInput: faces[1]: found 7, expected a face of a d6, 1 to 6
    """

    __slots__ = ("_prompt",)

    def __init__(self, prompt: Callable[[int, int], Sequence[int]]) -> None:
        """Ask with `prompt(sides, count)` for each throw."""
        self._prompt = prompt

    def dice(self, sides: int, count: int) -> list[int]:
        """Ask for the faces of one throw, and check their number and range."""
        _check_throw(sides, count)
        if count == 0:
            return []
        faces = list(self._prompt(sides, count))
        if len(faces) != count:
            many = "1 face" if count == 1 else f"{count} faces"
            raise BadInput("faces", faces, f"{many} of a d{sides}, not {len(faces)}")
        for place, face in enumerate(faces):
            _check_face(f"faces[{place}]", face, sides)
        return faces


def _check_face(place: str, face: object, sides: int) -> None:
    # A bool is an int to Python but never a face to a person.
    if not isinstance(face, int) or isinstance(face, bool) or not 1 <= face <= sides:
        raise BadInput(place, face, f"a face of a d{sides}, 1 to {sides}")


def _check_throw(sides: int, count: int) -> None:
    if not 1 <= sides <= MOST_SIDES:
        raise BadInput("sides", sides, f"a die of 1 to {MOST_SIDES} sides")
    if count < 0:
        raise BadInput("count", count, "0 or more dice")
