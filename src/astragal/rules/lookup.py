"""The catalogue: every chapter of every game, found by name and by id.

It reads as little as a question needs: the headers for an overview, one file
for one id. Searching and options are built on top, in modules of their own.
"""

from __future__ import annotations

import difflib
import functools
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

from astragal.errors import BadInput
from astragal.rules.chapter import Chapter, Header
from astragal.rules.entries import Entry, Example, Reading, Rule, RuleTable
from astragal.rules.mentions import Mentions
from astragal.rules.option_specs import OptionSpec, option_specs
from astragal.rules.search import Hit, search, vocabulary

_HOME = Path(__file__).with_name("catalogue")
_NAMES = {Rule: "a rule", RuleTable: "a table", Example: "an example", Reading: "a reading"}

_E = TypeVar("_E", Rule, RuleTable, Example, Reading)


class Catalogue:
    """All chapters below one folder.

    >>> catalogue().rule("tests.advantage.one_die").kind
    <RuleKind.MECHANIC: 'mechanic'>
    >>> "tests.advantage.one_die" in catalogue(), "tests.advantage" in catalogue()
    (True, False)
    """

    def __init__(self, home: Path = _HOME) -> None:
        """Take the catalogue in this folder, with one folder inside it for each game."""
        self._home = home

    @functools.cached_property
    def _chapters(self) -> dict[str, Chapter]:
        headers = [(Header.read(path), path) for path in sorted(self._home.glob("*/*.toml"))]
        for header, path in headers:
            if header.system != path.parent.name:
                raise BadInput(path.name, header.system, f"the system {path.parent.name!r}")
        for name, times in Counter(header.chapter for header, _ in headers).items():
            if times > 1:
                raise BadInput("catalogue", name, "a chapter's name that occurs once")
        # In book order; a game's main book (the one with most chapters) comes first.
        chapters_from = Counter(header.seed for header, _ in headers)
        headers.sort(key=lambda h: (h[0].system, -chapters_from[h[0].seed], h[0].first_line))
        return {header.chapter: Chapter(path, header) for header, path in headers}

    @property
    def systems(self) -> tuple[str, ...]:
        """The games that have chapters."""
        return tuple(dict.fromkeys(chapter.system for chapter in self._chapters.values()))

    @property
    def chapters(self) -> tuple[str, ...]:
        """The names of all chapters, game by game in book order."""
        return tuple(self._chapters)

    def chapters_of(self, system: str) -> tuple[Chapter, ...]:
        """The chapters of one game in book order."""
        if system not in self.systems:
            raise BadInput("game", system, _one_of(system, self.systems))
        return tuple(c for c in self._chapters.values() if c.system == system)

    def chapter(self, name: str) -> Chapter:
        """The chapter of this name."""
        try:
            return self._chapters[name]
        except KeyError:
            raise BadInput("chapter", name, _one_of(name, self.chapters)) from None

    def __contains__(self, name: object) -> bool:
        if not isinstance(name, str):
            return False
        chapter = self._chapters.get(name.partition(".")[0])
        return chapter is not None and name in chapter

    def __iter__(self) -> Iterator[str]:
        """Every id there is; reads every chapter."""
        for chapter in self._chapters.values():
            yield from chapter.ids

    def entry(self, name: str) -> Entry:
        """The rule, table, example or reading of this id."""
        chapter = self._chapters.get(name.partition(".")[0])
        if chapter is None or name not in chapter:
            raise BadInput("rules", name, _near_id(name, tuple(self)))
        return chapter.entry(name)

    def rule(self, name: str) -> Rule:
        """The rule of this id."""
        return self._of(Rule, name)

    def table(self, name: str) -> RuleTable:
        """The table of this id."""
        return self._of(RuleTable, name)

    def example(self, name: str) -> Example:
        """The worked example of this id."""
        return self._of(Example, name)

    def reading(self, name: str) -> Reading:
        """The reading of this id."""
        return self._of(Reading, name)

    def _of(self, kind: type[_E], name: str) -> _E:
        entry = self.entry(name)
        if not isinstance(entry, kind):
            raise BadInput("rules", name, f"{_NAMES[kind]}; this is {_NAMES[type(entry)]}")
        return entry

    def search(self, words: str) -> list[Hit]:
        """The entries in which all the words occur, best first.

        >>> catalogue().search("let it ride")[0].entry.id.startswith("tests.let_it_ride.")
        True
        """
        return search(self._chapters.values(), words)

    def vocabulary(self) -> list[str]:
        """Every word that occurs, for suggesting one to a person who mistyped."""
        return vocabulary(self._chapters.values())

    @functools.cached_property
    def mentions(self) -> Mentions:
        """Finds the ids that a text mentions."""
        return Mentions(self.chapters)

    def resolves(self, mention: str) -> bool:
        """Whether an id, or a family of ids such as `artha.epiphany.*`, is in the catalogue."""
        if not mention.endswith(".*"):
            return mention in self
        chapter = self._chapters.get(mention.partition(".")[0])
        return chapter is not None and any(n.startswith(mention[:-1]) for n in chapter.ids)

    def mentioning(self, name: str) -> tuple[Entry, ...]:
        """Every other entry, in any chapter, that mentions this id or its family."""
        family = name.rpartition(".")[0] + ".*"
        return tuple(
            chapter.entry(piece.id)
            for chapter in self._chapters.values()
            for piece in chapter.pieces
            if (name in piece.toml or family in piece.toml)
            and piece.id != name
            and not {name, family}.isdisjoint(self.mentions.in_text(piece.toml))
        )

    def options(self, system: str) -> tuple[OptionSpec, ...]:
        """What a group playing this game can choose, in book order."""
        return option_specs(system, self.chapters_of(system))


@functools.cache
def catalogue() -> Catalogue:
    """The catalogue that comes with Astragal; always the same object."""
    return Catalogue()


def _one_of(given: str, known: tuple[str, ...]) -> str:
    near = difflib.get_close_matches(given, known, n=1, cutoff=0.7)
    return f"one that exists; did you mean {near[0]}?" if near else f"one of {', '.join(known)}"


def _near_id(given: str, known: tuple[str, ...]) -> str:
    near = difflib.get_close_matches(given, known, n=3, cutoff=0.6)
    if not near:
        return "the id of an entry; search with: astragal rules WORDS"
    return f"the id of an entry; nearest: {', '.join(near)}"
