"""How much of the catalogue the code implements and the tests try.

The code cites a rule by its id in a string, a comment or a docstring; a test by
`@pytest.mark.rules("id", ...)`; a scenario in tests/examples by `rules = [...]`
and, for the worked example it replays, `example = "id"`. This only counts
citations: that a citation is earned is for the reader of the code.

In the games a citation counts only in code that is used (see reachability.py). What a module or
a class says about itself counts only for the rules in structural.toml: those that a whole type
or file carries out, and no function of it.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from astragal.rules import Catalogue, OptionSpec, catalogue
from rules.reachability import Code, parsed

ROOT = Path(__file__).parents[2]
TEXTS = re.compile(
    r"""\"{3}(?:\\.|[^\\])*?\"{3} | '{3}(?:\\.|[^\\])*?'{3}
      | "(?:\\.|[^"\\\n])*" | '(?:\\.|[^'\\\n])*' | \#[^\n]*""",
    re.VERBOSE | re.DOTALL,
)
"""Strings and comments of Python, which is faster by far than its own tokenizer."""


@dataclass(frozen=True)
class ChapterCoverage:
    """One chapter's account."""

    name: str
    rules: tuple[str, ...]
    not_in_code: tuple[str, ...]
    not_in_tests: tuple[str, ...]
    examples: tuple[str, ...]
    not_replayed: tuple[str, ...]
    options: tuple[str, ...]
    not_tried: tuple[str, ...]
    """Options not read by a game, and choices (`option=choice`) that no test makes."""
    not_counted: tuple[Citation, ...] = ()
    """Citations of the rules that the code does not cite where it counts."""

    @property
    def pending_rules(self) -> tuple[str, ...]:
        missing = {*self.not_in_code, *self.not_in_tests}
        return tuple(rule for rule in self.rules if rule in missing)

    @property
    def options_tried(self) -> int:
        untried = {name.partition("=")[0] for name in self.not_tried}
        return sum(option not in untried for option in self.options)

    @property
    def is_complete(self) -> bool:
        return not self.missing()

    def _but(self, rule: str) -> str:
        where = [str(cited) for cited in self.not_counted if cited.id == rule]
        return f" ({'; '.join(where)})" if where else ""

    def missing(self) -> list[str]:
        """Everything that is still to be done, one line each."""
        return [
            *(f"{rule}: not cited by the code{self._but(rule)}" for rule in self.not_in_code),
            *(f"{rule}: not cited by a test" for rule in self.not_in_tests),
            *(f"{example}: no scenario replays it" for example in self.not_replayed),
            *(
                f"{name}: no test makes this choice"
                if "=" in name
                else f"{name}: the games do not read this option"
                for name in self.not_tried
            ),
        ]


@dataclass(frozen=True)
class Citation:
    """An id in the code: where, whether that code is used, and whether it only describes it."""

    id: str
    place: str
    used: bool
    described: bool

    def __str__(self) -> str:
        if not self.used:
            return f"{self.place} is used by no procedure or page"
        return f"{self.place} describes a module or class"


@dataclass
class Coverage:
    """The citations found in a source tree, held against a catalogue."""

    root: Path = ROOT
    book: Catalogue = field(default_factory=catalogue)

    @cached_property
    def code(self) -> Code:
        """The source, by what it is made of."""
        return Code(self.root / "src")

    @cached_property
    def structural(self) -> dict[str, str]:
        """The rules that a whole type or file carries out, each with the reason."""
        path = self.root / "tests/rules/structural.toml"
        return tomllib.loads(path.read_text(encoding="utf-8"))["rules"] if path.exists() else {}

    @cached_property
    def in_code(self) -> set[str]:
        """The ids that the code cites where it is used."""
        described = {name for name in self.in_descriptions if name in self.structural}
        return self.in_used_code | described

    @cached_property
    def in_used_code(self) -> set[str]:
        """The ids cited in functions, constants and fields that are used."""
        return {cited.id for cited in self.citations if cited.used and not cited.described}

    @cached_property
    def in_descriptions(self) -> set[str]:
        """The ids in what used modules and classes say about themselves."""
        return {cited.id for cited in self.citations if cited.used and cited.described}

    @cached_property
    def citations(self) -> list[Citation]:
        """Every id in the code, with its place."""
        return [
            Citation(
                mention,
                f"{module.path.relative_to(self.root)}:{line}",
                used=unit.place in self.code.reachable,
                described=unit.describes(line),
            )
            for module in self.code.modules.values()
            if not f"{module.name}.".startswith("astragal.rules.")
            for line, text in texts_of(module.path)
            for mention in self.book.mentions.in_text(text)
            for unit in [module.unit_at(line)]
        ]

    @cached_property
    def in_tests(self) -> set[str]:
        """The ids that marks and scenarios cite."""
        marked = (ids_marked(path) for path in _files(self.root / "tests", "py"))
        replayed = (ids_in_scenario(scenario) for scenario in self.scenarios)
        return {name for names in (*marked, *replayed) for name in names}

    @cached_property
    def scenarios(self) -> list[dict[str, Any]]:
        """All scenario files, parsed."""
        paths = _files(self.root / "tests/examples", "toml")
        return [tomllib.loads(path.read_text(encoding="utf-8")) for path in paths]

    @cached_property
    def replayed(self) -> set[str]:
        """The worked examples that a scenario replays."""
        return {name for scenario in self.scenarios for name in examples_in(scenario)}

    @cached_property
    def read_by_games(self) -> set[str]:
        """Every string literal in the games, among which are the options they read."""
        paths = _files(self.root / "src/astragal/games", "py")
        return {word for path in paths for word in strings_in(path)}

    @cached_property
    def test_vocabularies(self) -> list[set[str]]:
        """For each test file and scenario its strings and keywords, in which choices are made.

        The catalogue's and the command line's own tests play no game, so they do not count.
        """
        no_games = {self.root / "tests/rules", self.root / "tests/cli"}
        tests = [
            strings_in(path)
            for path in _files(self.root / "tests", "py")
            if no_games.isdisjoint(path.parents)
        ]
        return [*tests, *(set(_strings_within(scenario)) for scenario in self.scenarios)]

    def chapter(self, name: str) -> ChapterCoverage:
        """Draw up one chapter's account."""
        chapter = self.book.chapter(name)
        rules = tuple(rule.id for rule in chapter.rules if rule.to_implement)
        examples = tuple(example.id for example in chapter.examples)
        options = [o for o in self.book.options(chapter.system) if o.chapter == name]
        not_in_code = tuple(rule for rule in rules if rule not in self.in_code)
        return ChapterCoverage(
            name=name,
            rules=rules,
            not_in_code=not_in_code,
            not_in_tests=tuple(rule for rule in rules if rule not in self.in_tests),
            examples=examples,
            not_replayed=tuple(name for name in examples if name not in self.replayed),
            options=tuple(option.name for option in options),
            not_tried=tuple(lack for option in options for lack in self._lacks(option)),
            not_counted=tuple(cited for cited in self.citations if cited.id in not_in_code),
        )

    def chapters(self) -> list[ChapterCoverage]:
        """Every chapter's account, in book order."""
        return [self.chapter(name) for name in self.book.chapters]

    def _lacks(self, option: OptionSpec) -> Iterator[str]:
        if option.name not in self.read_by_games:
            yield option.name
        for choice in option.choices:
            # A choice such as "no" says nothing by itself: the option must stand beside it.
            if not any({option.name, choice} <= words for words in self.test_vocabularies):
                yield f"{option.name}={choice}"

    def dead_links(self) -> list[str]:
        """Each id in code, tests and documents that the catalogue does not have, with its place."""
        documents = [*_files(self.root / "docs", "md"), self.root / "README.md"]
        paths = [
            *_files(self.root / "src", "py"),
            *_files(self.root / "tests", "py"),
            *_files(self.root / "tests", "toml"),
            *(path for path in documents if path.exists()),
        ]
        return [
            f"{path.relative_to(self.root)}:{line}: {mention} is not in the catalogue"
            for path in paths
            for line, text in texts_of(path)
            for mention in self._mentions(text)
            if not self.book.resolves(mention)
        ]

    def _mentions(self, text: str) -> Iterator[str]:
        """Whatever is meant as an id, with a part that is only filled in later as `*`."""
        for found in self.book.mentions.pattern.finditer(text):
            if PLACE_ON_A_SHEET.match(found[0]):
                continue
            filled_in = text[found.end() :].removeprefix(".").startswith("{")
            if not filled_in:
                yield found[0]
            elif not any(known.startswith(found[0]) for known in self.book):
                yield f"{found[0]}*"


PLACE_ON_A_SHEET = re.compile(r"\w+(\.\w+)*\.\d+\b|(resources|circles)\.(log|spent|rating)\b")
"""Where something stands on a sheet looks like an id: beliefs.0.text, resources.log.routine."""


def texts_of(path: Path) -> Iterator[tuple[int, str]]:
    """The lines in which ids can stand: of Python only strings and comments, else all."""
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".py":
        yield from enumerate(text.splitlines(), 1)
        return
    line, at = 1, 0
    for found in TEXTS.finditer(text):
        line, at = line + text.count("\n", at, found.start()), found.start()
        yield from enumerate(found[0].splitlines(), line)


def ids_marked(path: Path) -> Iterator[str]:
    """The arguments of every pytest.mark.rules(...) in a test file."""
    text = path.read_text(encoding="utf-8")
    for node in ast.walk(parsed(text)) if "mark.rules" in text else ():
        if not isinstance(node, ast.Call) or getattr(node.func, "attr", "") != "rules":
            continue
        if ast.unparse(node.func) == "pytest.mark.rules":
            for argument in node.args:
                if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                    yield argument.value


def ids_in_scenario(scenario: dict[str, Any]) -> Iterator[str]:
    """The rules that a scenario and its steps name."""
    yield from scenario.get("rules", ())
    for step in scenario.get("step", ()):
        yield from step.get("rules", ())


def examples_in(scenario: dict[str, Any]) -> Iterator[str]:
    """The worked examples that a scenario and its steps replay."""
    if "example" in scenario:
        yield scenario["example"]
    for step in scenario.get("step", ()):
        yield from step.get("examples", ())


def strings_in(path: Path) -> set[str]:
    """The string literals and the names of keyword arguments in a Python file."""
    found = set()
    for node in ast.walk(parsed(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            found.add(node.value)
        elif isinstance(node, ast.keyword) and node.arg:
            found.add(node.arg)
    return found


def _strings_within(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from value
        yield from _strings_within(list(value.values()))
    elif isinstance(value, list):
        for item in value:
            yield from _strings_within(item)


def _files(below: Path, suffix: str) -> Iterable[Path]:
    return sorted(below.rglob(f"*.{suffix}"))
