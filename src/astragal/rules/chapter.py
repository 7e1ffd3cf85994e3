"""One chapter of the catalogue, read from its TOML file.

A chapter file is long and most questions concern one entry, so the file is cut
at its `[[...]]` heads and an entry is parsed when it is first asked for: every
piece is TOML in its own right. What one chapter says about another is checked
in `check`, not here.
"""

from __future__ import annotations

import functools
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

import msgspec

from astragal.errors import BadInput
from astragal.rules.entries import Entry, Example, Reading, Rule, RuleTable

_TYPES: dict[str, type[Entry]] = {
    "rule": Rule,
    "table": RuleTable,
    "example": Example,
    "ambiguity": Reading,
}
_HEAD = re.compile(r"^\[\[(\w+)\]\][ \t]*$", re.MULTILINE)
_ID = re.compile(r'^id\s*=\s*"([^"\n]*)"', re.MULTILINE)

_E = TypeVar("_E", Rule, RuleTable, Example, Reading)


class Header(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The opening lines of a chapter file."""

    system: str
    chapter: str
    title: str
    seed: str
    lines: str

    @property
    def first_line(self) -> int:
        """Where in its book the chapter begins."""
        return int(re.split(r"\D", self.lines, maxsplit=1)[0])

    @classmethod
    def read(cls, path: Path) -> Header:
        """Read the opening lines only, which is what an overview needs."""
        opening: list[str] = []
        with path.open(encoding="utf-8") as lines:
            for line in lines:
                if line.startswith("[["):
                    break
                opening.append(line)
        try:
            return msgspec.toml.decode("".join(opening), type=cls)
        except msgspec.MsgspecError as fault:
            raise BadInput(path.name, "its header", f"a chapter's header: {fault}") from None


class Piece(msgspec.Struct, frozen=True):
    """One entry as it stands in the file, before it is parsed."""

    section: str
    id: str
    toml: str

    def parse(self) -> Entry:
        """Read the entry; what does not fit its type is refused."""
        try:
            return msgspec.toml.decode(self.toml, type=_TYPES[self.section])
        except KeyError:
            fault = f"one of the sections {', '.join(_TYPES)}"
            raise BadInput(self.id, self.section, fault) from None
        except msgspec.MsgspecError as error:
            raise BadInput(self.id, "an entry", f"a {self.section}: {error}") from None


class Chapter:
    """A chapter: its title and its entries in the order of the book.

    >>> from astragal.rules import catalogue
    >>> chapter = catalogue().chapter("die_of_fate")
    >>> chapter.title, chapter.rules[0].id
    ('The Die of Fate', 'die_of_fate.roll.one_die')
    """

    def __init__(self, path: Path, header: Header | None = None) -> None:
        """Take the chapter in this file; it is read when first needed."""
        header = header or Header.read(path)
        self._path = path
        self._parsed: dict[str, Entry] = {}
        self.system = header.system
        self.name = header.chapter
        self.title = header.title
        self.lines = header.lines

    def __repr__(self) -> str:
        return f"Chapter({self.name!r})"

    @functools.cached_property
    def pieces(self) -> tuple[Piece, ...]:
        """Every entry's own text, unparsed, in order; an entry without an id has ''."""
        cut = _HEAD.split(self._path.read_text(encoding="utf-8"))
        found = []
        for section, toml in zip(cut[1::2], cut[2::2], strict=True):
            name = _ID.search(toml)
            found.append(Piece(section, name[1] if name else "", toml))
        return tuple(found)

    @functools.cached_property
    def _by_id(self) -> dict[str, Piece]:
        if faults := list(self.faults_in_ids()):
            raise BadInput(self._path.name, f"{len(faults)} faults", "; ".join(faults))
        return {piece.id: piece for piece in self.pieces}

    def faults_in_ids(self) -> Iterator[str]:
        """Name what is wrong with the ids alone: missing, elsewhere, malformed, twice."""
        shape = re.compile(rf"{self.name}(\.\w+){{2,}}")
        for piece in self.pieces:
            if not shape.fullmatch(piece.id):
                yield (f"{piece.id or 'an entry without id'}: ids here are {self.name}.word.word")
        for name, times in Counter(piece.id for piece in self.pieces).items():
            if times > 1:
                yield f"{name}: occurs {times} times"

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of all its entries, without parsing them."""
        return tuple(self._by_id)

    def __contains__(self, name: str) -> bool:
        return name in self._by_id

    def entry(self, name: str) -> Entry:
        """The entry of this id; KeyError if there is none."""
        if name not in self._parsed:
            self._parsed[name] = self._by_id[name].parse()
        return self._parsed[name]

    @property
    def rules(self) -> tuple[Rule, ...]:
        """All rules."""
        return self._all("rule", Rule)

    @property
    def tables(self) -> tuple[RuleTable, ...]:
        """All tables."""
        return self._all("table", RuleTable)

    @property
    def examples(self) -> tuple[Example, ...]:
        """All worked examples."""
        return self._all("example", Example)

    @property
    def readings(self) -> tuple[Reading, ...]:
        """All readings of unclear places."""
        return self._all("ambiguity", Reading)

    def count(self, section: str) -> int:
        """How many entries of a section (rule, table, example, ambiguity) there are."""
        return sum(piece.section == section for piece in self.pieces)

    def _all(self, section: str, of: type[_E]) -> tuple[_E, ...]:
        entries = (self.entry(piece.id) for piece in self.pieces if piece.section == section)
        return tuple(entry for entry in entries if isinstance(entry, of))
