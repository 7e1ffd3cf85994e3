"""Long lists to whose end things come: found by what they say, and never gone through as a whole.

A campaign keeps thousands of results. What is looked up among them at every test is looked up in
an index, which lists that grew out of each other share; only what came since it was made is gone
through one by one.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from typing import Any, Generic, Self, TypeVar

T = TypeVar("T")

STEP = 32
"""So many entries may be at the end of a list that are not in its index yet."""


class Growing(Generic[T]):
    """What a tuple and a list need for this; nothing in them may change once they are made."""

    _mark: object
    _grew_from: object
    _shrank_from: object
    _index: tuple[dict[Hashable, tuple[T, ...]], int]
    """By key, and how many entries are in it; one value, for threads may look at the same list."""
    taken: tuple[T, ...]
    """What was taken out of the list that this one shrank from."""

    def _new(self) -> None:
        # Marks instead of the lists themselves, or every list that ever was would be kept.
        self._mark = object()
        self._grew_from = self._shrank_from = None
        self.taken = ()
        self._index = {}, 0

    def _entries(self, since: int) -> Iterable[T]:
        raise NotImplementedError

    def __len__(self) -> int:
        raise NotImplementedError

    def key_of(self, entry: T) -> Hashable:
        """What an entry is found by; equal entries have equal keys."""
        raise NotImplementedError

    def _grown_from(self, other: Growing[T]) -> Self:
        self._grew_from = other._mark
        self._index = other._index
        return self

    def grew_from(self, other: object) -> bool:
        """Whether this is the other list with something added at its end."""
        return isinstance(other, Growing) and self._grew_from is other._mark

    def shrank_from(self, other: object) -> bool:
        """Whether this is the other list without all that are equal to those taken."""
        return isinstance(other, Growing) and self._shrank_from is other._mark

    def found(self, key: Hashable) -> tuple[T, ...]:
        """The entries with this key, in their order."""
        index, indexed = self._index
        if len(self) - indexed > STEP:
            index, indexed = self._whole_index(), len(self)
        late = tuple(each for each in self._entries(indexed) if self.key_of(each) == key)
        return index.get(key, ()) + late

    def _whole_index(self) -> dict[Hashable, tuple[T, ...]]:
        known, indexed = self._index
        came: dict[Hashable, list[T]] = {}
        for each in self._entries(indexed):
            came.setdefault(self.key_of(each), []).append(each)
        index = dict(known)
        for key, entries in came.items():
            index[key] = index.get(key, ()) + tuple(entries)
        self._index = index, len(self)
        return index

    def has(self, entry: Any) -> bool:
        """Whether an entry is among these."""
        return entry in self.found(self.key_of(entry))


class GrowingTuple(tuple[T, ...], Growing[T]):
    """A tuple of entries that can be hashed."""

    def __new__(cls, entries: Iterable[T] = ()) -> Self:
        """These entries, with an index that is made when it is first needed."""
        made = super().__new__(cls, entries)
        made._new()
        return made

    def __reduce__(self) -> Any:
        """Only the entries go to another process."""
        return type(self), (tuple(self),)

    def _entries(self, since: int) -> Iterable[T]:
        return self[since:]

    def key_of(self, entry: T) -> Hashable:
        """The entry itself."""
        return entry

    def grown(self, *new: T) -> Self:
        """The same with more entries."""
        return type(self)(self + new)._grown_from(self)

    def without(self, entry: T) -> Self:
        """The same without an entry, and without all that are equal to it."""
        made = type(self)(each for each in self if each != entry)
        index, key = self._whole_index(), self.key_of(entry)
        found = index.get(key, ())
        kept = tuple(each for each in found if each != entry)
        made._index = {**index, key: kept}, len(made)
        made._shrank_from = self._mark
        made.taken = tuple(each for each in found if each == entry)
        return made

    def __contains__(self, entry: object) -> bool:
        """By the index."""
        return self.has(entry)

    def __eq__(self, other: object) -> bool:
        """As tuples are, without a look at the entries of one that is longer."""
        if self is other:
            return True
        if isinstance(other, tuple) and len(self) != len(other):
            return False
        return super().__eq__(other)

    def __ne__(self, other: object) -> bool:
        """As tuples are."""
        return not self == other

    __hash__ = tuple.__hash__


class GrowingList(list[Any], Growing[Any]):
    """A list of plain data, as a log keeps it."""

    _words: tuple[frozenset[str], int]
    typed: tuple[Any, int] | None
    """So many of its entries in a game's own type, where they have been read."""

    def __init__(self, entries: Iterable[Any] = ()) -> None:
        """These entries, with an index that is made when it is first needed."""
        super().__init__(entries)
        self._new()
        self._words = frozenset(), 0
        self.typed = None

    def __reduce__(self) -> Any:
        """Only the entries are copied or go to another process: a copy may be changed."""
        return type(self), (list(self),)

    def _entries(self, since: int) -> Iterable[Any]:
        return self[since:]

    def key_of(self, entry: Any) -> Hashable:
        """What the entry says, in a form that can be hashed."""
        return frozen(entry)

    def grown(self, new: Iterable[Any]) -> Self:
        """The same with more entries."""
        made = type(self)(self)._grown_from(self)
        made.extend(new)  # nobody else has it yet
        made._words, made.typed = self._words, self.typed
        return made

    def words(self) -> tuple[frozenset[str], frozenset[str]]:
        """Every name and every text in it: those of its earlier entries, and of the latest."""
        words, read = self._words
        if len(self) - read > STEP:
            words, read = words | frozenset(words_in(self[read:])), len(self)
            self._words = words, read
        return words, frozenset(words_in(self[read:]))


def words_in(plain: Any) -> Iterator[str]:
    """Every name and every text in plain data."""
    if isinstance(plain, str):
        if plain:
            yield plain
    elif isinstance(plain, Mapping):
        for key, each in plain.items():
            yield str(key)
            yield from words_in(each)
    elif isinstance(plain, list | tuple):
        for each in plain:
            yield from words_in(each)


def frozen(plain: Any) -> Hashable:
    """Plain data in a form that can be hashed; the same for what is equal."""
    if isinstance(plain, dict):
        return frozenset((key, frozen(each)) for key, each in plain.items())
    if isinstance(plain, list):
        return ("list", *map(frozen, plain))
    if isinstance(plain, tuple):
        return ("tuple", *map(frozen, plain))
    return plain  # type: ignore[no-any-return]
