"""What a chapter of the catalogue holds: rules, tables, worked examples and readings.

These are the entries as they are written in the TOML files, frozen and typed.
Which file an entry comes from and how it is found again is not their concern.
"""

from __future__ import annotations

import difflib
import enum
from collections.abc import Iterator
from functools import cached_property
from typing import TypeAlias, TypeVar

import msgspec

from astragal.errors import BadInput
from astragal.rules.bands import Band

Cell: TypeAlias = bool | int | float | str | tuple[bool | int | float | str, ...]
"""What stands in one cell of a table."""

_S = TypeVar("_S")


class Record(dict[str, Cell]):
    """One row of a table, by column."""

    def number(self, column: str) -> int:
        """The whole number in a column; a cell that is none is a fault of the catalogue.

        >>> Record(weapon="axe", dice=3).number("dice")
        3
        """
        cell = self[column]
        if isinstance(cell, bool) or not isinstance(cell, int):
            raise BadInput(column, cell, "a whole number")
        return cell

    def text(self, column: str) -> str:
        """The words in a column; a cell that holds none is a fault of the catalogue.

        >>> Record(weapon="axe", dice=3).text("weapon")
        'axe'
        """
        cell = self[column]
        if not isinstance(cell, str):
            raise BadInput(column, cell, "words")
        return cell

    def texts(self, column: str) -> tuple[str, ...]:
        """The list of words in a column; a cell that holds none is a fault of the catalogue.

        >>> Record(actor="avoid", codes=("speed", "power")).texts("codes")
        ('speed', 'power')
        """
        cell = self[column]
        if not isinstance(cell, tuple):
            raise BadInput(column, cell, "a list of words")
        return tuple(map(str, cell))

    def as_struct(self, of: type[_S]) -> _S:
        """The row as a struct with a typed field for each column that it asks for."""
        return msgspec.convert(dict(self), of)


_CODED = ("_code", "_codes")
"""How the columns are named that give the code of what another column says in words."""

_Index: TypeAlias = dict[tuple[tuple[Cell, bool], ...], tuple[Record, ...]]
"""The rows of a table by what stands in some of its columns."""


class RuleKind(enum.Enum):
    """What a rule asks of the code; guidance asks nothing."""

    GUIDANCE = "guidance"
    MECHANIC = "mechanic"
    PROCEDURE = "procedure"
    DATA = "data"
    OPTION = "option"


class _Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The part that all entries share: an id, and where in the source it was found."""

    id: str
    lines: str

    @property
    def chapter(self) -> str:
        """The chapter's name, which is the first part of the id."""
        return self.id.partition(".")[0]

    @property
    def prose(self) -> tuple[str, ...]:
        """All its words, the most telling first, for searching and for excerpts."""
        raise NotImplementedError


class Rule(_Entry, frozen=True, forbid_unknown_fields=True):
    """One rule, in our own words."""

    kind: RuleKind
    text: str

    @property
    def points_elsewhere(self) -> bool:
        """Whether it only says which other rule to follow and to cite."""
        return self.text.startswith("See ")

    @property
    def to_implement(self) -> bool:
        """Whether code and a test must cite it."""
        return self.kind is not RuleKind.GUIDANCE and not self.points_elsewhere

    @property
    def prose(self) -> tuple[str, ...]:
        """The text."""
        return (self.text,)


class RuleTable(_Entry, frozen=True, dict=True, forbid_unknown_fields=True):
    """A table of the game, read by the code and never typed again."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: str = ""
    codes: dict[str, dict[str, str]] = {}
    """The closed vocabulary of a column: every code that may stand there, with what it means."""

    def __post_init__(self) -> None:
        """Refuse a table that is no rectangle, names two columns alike or holds unknown codes."""
        width = len(self.columns)
        crooked = [at for at, row in enumerate(self.rows, 1) if len(row) != width]
        if crooked:
            raise ValueError(f"rows {crooked} are not as long as the {width} columns")
        if len(set(self.columns)) < width:
            raise ValueError(f"two columns of one name in {self.columns}")
        for column, meanings in self.codes.items():
            if column not in self.columns:
                raise ValueError(f"codes for {column}, which is not among {self.columns}")
            used = {code for cell in self.column(column) for code in _codes_in(cell)}
            if unknown := sorted(map(str, used - set(meanings))):
                raise ValueError(f"{column} has codes that are not listed: {', '.join(unknown)}")
            if unused := sorted(set(meanings) - used):
                raise ValueError(f"{column} lists codes that no row has: {', '.join(unused)}")

    @property
    def prose(self) -> tuple[str, ...]:
        """The note, the heads of the columns, and the words in the cells."""
        said = self.in_words()
        cells = (str(cell) for row in said.rows for cell in row if isinstance(cell, str))
        return (self.note, ", ".join(said.columns), " | ".join(cells))

    def in_words(self) -> RuleTable:
        """The table for people: without the columns that say in codes what others say in words.

        >>> from astragal.rules import catalogue
        >>> catalogue().table("fight.table.interactions").in_words().columns[-2:]
        ('effect', 'basis')
        """
        kept = [at for at, name in enumerate(self.columns) if not name.endswith(_CODED)]
        if len(kept) == len(self.columns):
            return self
        return RuleTable(
            self.id,
            self.lines,
            tuple(self.columns[at] for at in kept),
            tuple(tuple(row[at] for at in kept) for row in self.rows),
            self.note,
            {name: each for name, each in self.codes.items() if not name.endswith(_CODED)},
        )

    def records(self) -> tuple[Record, ...]:
        """Every row as a mapping from column to cell."""
        return tuple(Record(zip(self.columns, row, strict=True)) for row in self.rows)

    def column(self, name: str) -> tuple[Cell, ...]:
        """One column, from top to bottom."""
        if name not in self._columns:
            place = self._place(name)
            self._columns[name] = tuple(row[place] for row in self.rows)
        return self._columns[name]

    def all_where(self, **equals: Cell) -> tuple[Record, ...]:
        """The rows whose cells equal what is given, as mappings."""
        names = tuple(equals)
        if names not in self._indexes:
            self._indexes[names] = self._index(names)
        found = self._indexes[names].get(tuple(map(_exact, equals.values())), ())
        return tuple(map(Record, found))

    def where(self, **equals: Cell) -> Record:
        """The one row whose cells equal what is given.

        >>> from astragal.rules import catalogue
        >>> catalogue().table("tests.table.shade").where(letter="G")["difficulty_number"]
        3
        """
        return self._only(self.all_where(**equals), equals)

    def value(self, column: str, /, **equals: Cell) -> Cell:
        """The cell of one column in the one row that fits.

        >>> from astragal.rules import catalogue
        >>> catalogue().table("tests.table.shade").value("difficulty_number", shade="white")
        2
        """
        self._place(column)
        return self.where(**equals)[column]

    def number(self, column: str, /, **equals: Cell) -> int:
        """The whole number of one column in the one row that fits.

        >>> from astragal.rules import catalogue
        >>> catalogue().table("tests.table.shade").number("difficulty_number", letter="B")
        4
        """
        self._place(column)
        return self.where(**equals).number(column)

    def in_band(self, number: int, column: str, /, **equals: Cell) -> Record:
        """The one row whose band in a column holds the number."""
        self._place(column)
        fitting = self.all_where(**equals)
        bands = [(record, Band.parse(record[column])) for record in fitting]
        if not any(band for _, band in bands):
            raise BadInput(f"{self.id} {column}", number, "a column of bands such as 1-4 or 5+")
        held = tuple(record for record, band in bands if band and number in band)
        return self._only(held, {column: number, **equals})

    def band(self, number: int, column: str, result_column: str, /, **equals: Cell) -> Cell:
        """What a table gives for a number that falls into one of its bands.

        >>> from astragal.rules import catalogue
        >>> catalogue().table("tests.table.help_dice").band(5, "helping_exponent", "dice")
        2
        """
        self._place(result_column)
        return self.in_band(number, column, **equals)[result_column]

    @cached_property
    def _columns(self) -> dict[str, tuple[Cell, ...]]:
        """The columns that were asked for."""
        return {}

    @cached_property
    def _indexes(self) -> dict[tuple[str, ...], _Index]:
        """Where to find rows, by the columns asked for: few are, and those again and again."""
        return {}

    def _index(self, names: tuple[str, ...]) -> _Index:
        places = [self._place(name) for name in names]
        found: _Index = {}
        for row in self.rows:
            cells = tuple(_exact(row[place]) for place in places)
            record = Record(zip(self.columns, row, strict=True))
            found[cells] = (*found.get(cells, ()), record)
        return found

    def _place(self, column: str) -> int:
        try:
            return self.columns.index(column)
        except ValueError:
            raise BadInput(
                self.id, column, f"one of its columns: {', '.join(self.columns)}"
            ) from None

    def _only(self, found: tuple[Record, ...], asked: dict[str, Cell]) -> Record:
        if len(found) == 1:
            return found[0]
        many = f"{len(found)} of the {len(self.rows)} rows fit" if found else "no row fits"
        hint = "" if found else _nearest_cell(self, asked)
        sought = ", ".join(f"{name} {value!r}" for name, value in asked.items()) or "any row"
        raise BadInput(self.id, sought, f"what fits exactly one row; {many}{hint}")


class Example(_Entry, frozen=True, forbid_unknown_fields=True):
    """A worked example: what is given, what is rolled, and what must come of it."""

    rules: tuple[str, ...]
    given: str
    rolls: str
    expect: str

    @property
    def prose(self) -> tuple[str, ...]:
        """The situation, the dice, the result, and the rules it shows."""
        return (self.given, self.rolls, self.expect, " ".join(self.rules))


class Reading(_Entry, frozen=True, forbid_unknown_fields=True):
    """How an unclear rule is read; with an option, the group may choose another reading."""

    issue: str
    reading: str
    question: str | None = None
    """What a group decides, as the house rules ask it; the choices are the answers."""
    option: str | None = None
    default: str | None = None
    choices: tuple[str, ...] | None = None
    editorial: bool | None = None
    """Whether it is about the state of the text that was read, and decides nothing in play."""

    def __post_init__(self) -> None:
        """Refuse an option without a question or a default among at least two choices."""
        parts = (self.question, self.option, self.default, self.choices)
        if all(part is None for part in parts):
            return
        if self.choices is None or any(part is None for part in parts):
            raise ValueError("question, option, default and choices belong together")
        if len(set(self.choices)) < max(2, len(self.choices)):
            raise ValueError(f"choices {self.choices} are not two or more different ones")
        if self.default not in self.choices:
            raise ValueError(f"default {self.default!r} is not among {self.choices}")

    @property
    def prose(self) -> tuple[str, ...]:
        """What is unclear, how it is read, and the option's words."""
        option = (self.question or "", self.option or "", *(self.choices or ()))
        return (self.issue, self.reading, " ".join(option))


Entry: TypeAlias = Rule | RuleTable | Example | Reading
"""Anything in the catalogue that has an id."""


def _codes_in(cell: Cell) -> tuple[Cell, ...]:
    """The code in a cell, or all of them where it holds several."""
    return cell if isinstance(cell, tuple) else (cell,)


def _exact(cell: Cell) -> tuple[Cell, bool]:
    """What only its equals are equal to, without letting True pass for 1."""
    return cell, isinstance(cell, bool)


def _nearest_cell(table: RuleTable, asked: dict[str, Cell]) -> str:
    def near() -> Iterator[str]:
        for name, value in asked.items():
            cells = [cell for cell in table.column(name) if isinstance(cell, str)]
            if isinstance(value, str) and value not in cells:
                yield from difflib.get_close_matches(value, cells, n=1)

    return "".join(f"; did you mean {cell!r}?" for cell in near())
