"""Whether the throws of a stream have their numbers in order: none left out, none used twice."""

from __future__ import annotations

from collections.abc import Callable


class NumbersInOrder:
    """The numbers of one stream of one session, in the order of the log.

    Dice that lie on the table while others are typed in have their number before they are shown;
    so do dice of which a seat is only shown a hash. Each says how many contributions it was made
    with, which must be all that were there at that moment.
    """

    def __init__(self) -> None:
        """Begin at number 0."""
        self._next = 0
        self._cast: dict[int, int] = {}
        self._hidden: list[int] = []
        self._skipped: dict[int, int | None] = {}
        self._shown: dict[int, int] = {}
        self._is_loose = False

    @property
    def missing(self) -> list[int]:
        """The numbers that were never shown."""
        return sorted(
            number for number in (*self._skipped, *self._cast) if number not in self._shown
        )

    def hide(self, contributions: int) -> None:
        """A throw is made whose number is not shown."""
        self._hidden.append(contributions)

    def loosen(self) -> None:
        """Dice lie on the table of which nothing is known: gaps may be filled later."""
        self._is_loose = True

    def cast(self, number: int, mixed: int, contributions: int) -> str:
        """A throw is made that is shown later; what is wrong with that, if anything."""
        if number in self._cast:
            return "" if self._cast[number] == mixed else f"roll {number} is made twice"
        wrong = self._take(number, mixed, contributions)
        self._cast[number] = mixed
        return wrong

    def show(
        self,
        number: int,
        mixed: int,
        contributions: int,
        entry: int,
        is_undone: Callable[[int], bool],
    ) -> str:
        """A throw is shown; what is wrong with its number, if anything."""
        before, self._shown[number] = self._shown.get(number), entry
        if number in self._cast:
            if before is not None and not is_undone(before):
                return f"roll {number} appears twice"
            return "" if mixed == self._cast[number] else _mixed(number)
        if before is not None or number < 0:
            return f"roll {number} appears twice, or has no place here"
        if number in self._skipped:
            expected = self._skipped.pop(number)
            return "" if expected in (None, mixed) and mixed <= contributions else _mixed(number)
        return self._take(number, mixed, contributions)

    def _take(self, number: int, mixed: int, contributions: int) -> str:
        """The next number that is used, with those before it that are not shown."""
        if number < self._next:
            return f"roll {number} comes too late"
        if number - self._next > 100_000:
            return f"roll {number} has no place here"
        left_out = []
        for skipped in range(self._next, number):
            if self._hidden:
                self._skipped[skipped] = self._hidden.pop(0)
            else:
                self._skipped[skipped] = None
                left_out.append(skipped)
        self._next = number + 1
        if left_out and not self._is_loose:
            return f"roll {left_out[0]} was left out before it"
        return "" if mixed == contributions else _mixed(number)


def _mixed(number: int) -> str:
    return f"roll {number} was not made with all that players had added to the dice"
