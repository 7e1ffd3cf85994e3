"""Sweeps: the chance to succeed while one or two numbers of a test vary."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any, TypeAlias

import msgspec

from astragal.errors import BadInput
from astragal.odds.chances import success
from astragal.odds.html import table
from astragal.odds.svg import Bar, bar_chart, heat_map
from astragal.odds.trial import Trial

MOST_CELLS = 10_000
"""A larger grid would be unreadable."""


Worker: TypeAlias = Callable[
    [Callable[[Trial], Fraction], list[Trial], Callable[[int, int], None]], list[Fraction]
]
"""Does the same work for every test and gives the results in order, telling how far it is."""


class Axis(msgspec.Struct, frozen=True):
    """A number of a test and the values it takes."""

    name: str
    values: tuple[int | str, ...]

    @classmethod
    def parse(cls, name: str, text: str) -> Axis:
        """Read values as a range or a list.

        >>> Axis.parse("dice", "2..5").values
        (2, 3, 4, 5)
        >>> Axis.parse("shade", "black,gray").values
        ('black', 'gray')
        """
        first, dots, last = text.partition("..")
        if dots:
            if not (_is_whole(first) and _is_whole(last)) or int(first) > int(last):
                raise BadInput(f"sweep {name}", text, "a range, as in 1..8, or a list, as in 2,4,6")
            if int(last) - int(first) >= MOST_CELLS:
                raise BadInput(f"sweep {name}", text, f"at most {MOST_CELLS} values")
            return cls(name, tuple(range(int(first), int(last) + 1)))
        parts = [part.strip() for part in text.split(",")]
        if not all(parts):
            raise BadInput(f"sweep {name}", text, "a range, as in 1..8, or a list, as in 2,4,6")
        return cls(name, tuple(int(part) if _is_whole(part) else part for part in parts))


class Sweep(msgspec.Struct, frozen=True, kw_only=True):
    """A grid of chances: the first axis across, the second down."""

    title: str
    across: Axis
    down: Axis | None
    cells: tuple[tuple[Fraction, ...], ...]
    """Exact chances, a line for each value of the second axis."""
    is_loss: bool = False
    """Whether they are what is given away: the less, the better."""

    @property
    def chances(self) -> tuple[tuple[float, ...], ...]:
        """The chances as floats."""
        return tuple(tuple(map(float, line)) for line in self.cells)

    @property
    def shades(self) -> tuple[tuple[float, ...], ...]:
        """Where each cell is on the scale of colours, from red (0) over sand to green (1).

        Of what is given away, nothing is sand, and the most of all cells is red.

        >>> line = (Fraction(0), Fraction(1, 8), Fraction(1, 4))
        >>> across = Axis("body", (1, 2, 3))
        >>> Sweep(title="", across=across, down=None, cells=(line,), is_loss=True).shades
        ((0.5, 0.25, 0.0),)
        """
        if not self.is_loss:
            return self.chances
        most = max(map(max, self.chances)) or 1.0
        return tuple(tuple(0.5 - each / most / 2 for each in line) for line in self.chances)

    def to_svg(self) -> str:
        """A heat map, or bars where only one number varies."""
        labels = [str(value) for value in self.across.values]
        if self.down is None:
            bars = [
                Bar(label, chance, True)
                for label, chance in zip(labels, self.chances[0], strict=True)
            ]
            return bar_chart(bars, title=self.title, axis=self.across.name)
        rows = (self.down.name, [str(value) for value in self.down.values])
        columns = (self.across.name, labels)
        return heat_map(
            self.chances, title=self.title, rows=rows, columns=columns, shades=self.shades
        )

    def to_csv(self) -> str:
        """A line for each cell: the values, the chance, and the exact chance."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        down = () if self.down is None else (self.down.name,)
        writer.writerow([*down, self.across.name, "chance", "exact"])
        for number, line in enumerate(self.cells):
            head = () if self.down is None else (self.down.values[number],)
            for value, chance in zip(self.across.values, line, strict=True):
                writer.writerow([*head, value, float(chance), str(chance)])
        return text.getvalue()

    def _repr_html_(self) -> str:
        """How a notebook shows it."""
        corner = "" if self.down is None else f"{self.down.name} \\ {self.across.name}"
        head = [corner, *map(str, self.across.values)]
        downs = ("chance",) if self.down is None else self.down.values
        lines = [
            [str(value), *(f"{chance:.1%}" for chance in line)]
            for value, line in zip(downs, self.chances, strict=True)
        ]
        return self.to_svg() + table(head, lines)


def sweep(
    trial: Trial,
    across: Axis,
    down: Axis | None = None,
    *,
    progress: Callable[[int, int], None] | None = None,
    by: Worker | None = None,
) -> Sweep:
    """The chance to succeed for every value of one number, or of two.

    ``by`` says who works out the cells; by default they are worked out here, one by one.

    >>> from astragal.odds import plain
    >>> grid = sweep(plain("burning_wheel", dice=1, ob=1), Axis("dice", (1, 2)), Axis("ob", (1, 2)))
    >>> [[str(chance) for chance in line] for line in grid.cells]
    [['1/2', '3/4'], ['0', '1/4']]
    """
    lines: Sequence[dict[str, Any]] = [{}]
    if down is not None:
        if down.name == across.name:
            raise BadInput("sweep", down.name, f"a number other than {across.name}")
        lines = [{down.name: value} for value in down.values]
    total = len(lines) * len(across.values)
    if total > MOST_CELLS:
        raise BadInput("sweep", total, f"at most {MOST_CELLS} cells in total")
    tests = [
        trial.changed(**fixed, **{across.name: value}) for fixed in lines for value in across.values
    ]
    found = (by or _one_by_one)(success, tests, progress or (lambda _done, _total: None))
    wide = len(across.values)
    cells = [tuple(found[first : first + wide]) for first in range(0, total, wide)]
    swept = {across.name} if down is None else {across.name, down.name}
    fixed_ones = ", ".join(
        name if value is True else f"{name} {value}"
        for name, value in trial.numbers.items()
        if name not in swept and isinstance(value, int | str)
    )
    title = f"{trial.game.title}: chance by {' and '.join(sorted(swept))}"
    title += f" ({fixed_ones})" if fixed_ones else ""
    return Sweep(title=title, across=across, down=down, cells=tuple(cells))


def _one_by_one(
    work: Callable[[Trial], Fraction], tests: list[Trial], progress: Callable[[int, int], None]
) -> list[Fraction]:
    results = []
    for done, test in enumerate(tests, 1):
        results.append(work(test))
        progress(done, len(tests))
    return results


def _is_whole(text: str) -> bool:
    return text.strip().lstrip("-").isdigit() and len(text) < 7
