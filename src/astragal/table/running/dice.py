"""The dice of one step of a procedure: thrown by the server, or real ones that are typed in."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from astragal.dice import Chance, Rolled, TypedIn
from astragal.errors import Refusal
from astragal.play import Roll, Seat, rolled_from
from astragal.table.log.state import DiceOnTable, PendingAnswer
from astragal.table.running.keys import SessionKeys
from astragal.table.running.recording import DiceThrow

AT_FIRST = PendingAnswer()
"""Nothing has been answered yet."""


class FacesWanted(Exception):
    """A throw waits for somebody who throws real dice."""

    def __init__(
        self, roll: Roll, sides: int, count: int, typed: Iterable[tuple[int, ...]]
    ) -> None:
        """Say which dice are wanted for what, and which of that throw are typed in already."""
        super().__init__(roll.label)
        self.roll, self.sides, self.count = roll, sides, count
        self.typed = tuple(typed)


class NoSession(Refusal):
    """Dice are to be thrown before a session has begun."""


class StepDice:
    """The dice of one step: derived from the session's keys, or typed in."""

    def __init__(
        self,
        keys: SessionKeys | None,
        index: int,
        by_hand: frozenset[Seat] = frozenset(),
        pending: PendingAnswer = AT_FIRST,
    ) -> None:
        """Begin at a throw's number in a session, with the dice that were thrown already.

        Without keys no session of play is open, and only real dice can be thrown.
        """
        self._keys = keys
        self._index = index
        self._by_hand = by_hand
        self._on_table = list(pending.thrown)
        self._handfuls = list(pending.handfuls)
        self.throws: list[DiceThrow] = []
        self.thrown: list[DiceOnTable] = []

    def __call__(self, effect: Roll) -> Rolled[Any]:
        """Throw for an effect, and note how."""
        if self._on_table:
            return self._kept(effect, self._on_table.pop(0))
        if effect.owner in self._by_hand or self._handfuls:
            return self._noted(effect, TypedIn(self._typed(effect)), typed=True)
        return self.by_server(effect)

    def _kept(self, effect: Roll, dice: DiceOnTable) -> Rolled[Any]:
        throw = DiceThrow(
            dice.index, dice.throws, dice.typed, dice.session, dice.stream, dice.mixed
        )
        self.throws.append(throw)
        self.thrown.append(dice)
        return rolled_from(effect, dice.faces)

    def by_server(self, effect: Roll) -> Rolled[Any]:
        """Throw the dice that follow from the keys, even for a seat that uses real dice."""
        if self._keys is None:
            raise NoSession("No session is in progress, so no dice can be rolled.")
        return self._noted(effect, self._keys.chance(self._index, effect), typed=False)

    def _noted(self, effect: Roll, source: Chance, *, typed: bool) -> Rolled[Any]:
        noting = NotingDice(source)
        rolled = effect.expression.sample(noting)
        throws, keys, index = tuple(noting.handfuls), self._keys, self._index
        session = 0 if keys is None else keys.session.number
        stream = "" if keys is None else keys.stream
        mixed = 0 if keys is None else keys.contributions
        self.throws.append(DiceThrow(index, throws, typed, session, stream, mixed))
        self.thrown.append(DiceOnTable(session, index, throws, rolled.faces, typed, stream, mixed))
        self._index += 1
        return rolled

    def _typed(self, effect: Roll) -> Any:
        typed: list[tuple[int, ...]] = []

        def next_handful(sides: int, count: int) -> Sequence[int]:
            if not self._handfuls:
                raise FacesWanted(effect, sides, count, typed)
            typed.append(self._handfuls.pop(0))
            return typed[-1]

        return next_handful


class NotingDice:
    """A source of chance that notes down which dice were thrown."""

    def __init__(self, source: Chance) -> None:
        self._source = source
        self.handfuls: list[tuple[int, int]] = []

    def dice(self, sides: int, count: int) -> list[int]:
        """The next faces of the source."""
        faces = self._source.dice(sides, count)
        self.handfuls.append((sides, count))
        return faces
