"""The small interface that each game offers to the table, the command line and the tests.

A game is a sheet type, a scene type and procedures with their arguments; its options are in
the catalogue. Procedures are found, not listed: every module of a game package may have a
``PROCEDURES`` tuple.
"""

from __future__ import annotations

import difflib
import pkgutil
from collections.abc import Callable, Mapping
from functools import cache, cached_property, wraps
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Generic, TypeVar

import msgspec

from astragal.errors import BadInput, NotAllowed, Refusal
from astragal.games.about import listed
from astragal.games.at_table import AtTable, Names
from astragal.games.decoding import bad_input
from astragal.games.demo import Demo
from astragal.games.meanings import Meaning
from astragal.games.page import Page, Section
from astragal.play import (
    GM,
    Change,
    Option,
    Play,
    Seat,
    Step,
    Then,
    apply,
    apply_all,
    change,
    then,
    value_at,
)
from astragal.rules import Options

S = TypeVar("S", bound=msgspec.Struct)
C = TypeVar("C", bound=msgspec.Struct)
T = TypeVar("T")

SCENE = "scene"
"""The target of a change that belongs to no single sheet."""


class Table(msgspec.Struct, Generic[S, C], frozen=True, dict=True):
    """Who is there, what holds in the scene, and how the group reads the rules.

    Of the ``hidden`` not everybody knows that they are there.
    """

    characters: dict[str, S]
    scene: C
    options: Options
    hidden: frozenset[str] = frozenset()

    def __hash__(self) -> int:
        """Equal for equal tables."""
        return self._hash

    @cached_property
    def _hash(self) -> int:
        """Worked out once: tables are what walks and simulations look up most often."""
        return hash((frozenset(self.characters.items()), self.scene, self.options))

    def character(self, name: str, place: str = "character") -> S:
        """The sheet of a character at this table."""
        try:
            return self.characters[name]
        except KeyError:
            expected = f"one of {', '.join(self.characters) or 'nobody'}"
            raise BadInput(place, name, expected) from None

    def who(self, seat: Seat) -> str:
        """The people at a seat as a sentence begins with them: by the characters they play.

        Hidden characters are not among them.
        """
        if seat == GM:
            return "The GM"
        sheets: dict[str, Any] = {**self.characters}
        played = [
            sheet.name
            for key, sheet in sheets.items()
            if sheet.seat(key) == seat and key not in self.hidden
        ]
        return listed(played) or seat

    @property
    def targets(self) -> dict[str, Any]:
        """Everything a change may aim at."""
        return {**self.characters, SCENE: self.scene}

    def _target(self, name: str) -> Any:
        return self.scene if name == SCENE else self.character(name)

    def changed(self, *changes: Change) -> Table[S, C]:
        """The table after changes: all of them, or a refusal and none."""
        targets = apply_all(self.targets, changes)
        scene = targets.pop(SCENE)
        return Table(targets, scene, self.options, self.hidden)

    def amend(self, target: str, path: str, after: object, *, because: str) -> Step[Table[S, C]]:
        """Change one value of a sheet or of the scene, and go on with the changed table."""
        here = self._target(target)
        before = value_at(here, path)
        if before == after:
            return self
        yield from change(target, path, before, after, because=because)
        changed = self._changed(here, Change(target, path, before, after, because))
        if target == SCENE:
            table = Table(self.characters, changed, self.options, self.hidden)
        else:
            characters = {**self.characters, target: changed}
            table = Table(characters, self.scene, self.options, self.hidden)
        table.__dict__["_made"] = self._made
        return table

    @cached_property
    def _made(self) -> dict[tuple[int, str, object], tuple[Any, Any]]:
        """What single changes have made of sheets and scenes, for all tables that come of this one.

        Whoever plays the same thing many times comes to the very same sheets, which are compared
        without looking at what is on them.
        """
        return {}

    def _changed(self, here: Any, made: Change) -> Any:
        key = (id(here), made.path, made.after)
        try:
            known = self._made.get(key)
        except TypeError:  # a mapping cannot be looked up
            return apply(here, made)
        if known is None:  # what it was made of is kept, too, for its id to stay its own
            known = self._made[key] = (here, apply(here, made))
        return known[1]

    def add(self, target: str, path: str, amount: int, *, because: str) -> Step[Table[S, C]]:
        """Change a number by an amount, and go on with the changed table."""
        if not amount:
            return self
        before = value_at(self._target(target), path)
        return (yield from self.amend(target, path, before + amount, because=because))


class Arguments(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a procedure is begun with; a part of such a thing, too."""


class Outcome(msgspec.Struct, frozen=True):
    """What a procedure came to."""


def _passed(outcome: Any) -> bool | None:
    passed = getattr(outcome, "passed", None)
    return None if passed is None else bool(passed)


class Procedure(msgspec.Struct, frozen=True):
    """One thing a group can do: a generator function of its arguments and the table."""

    name: str
    title: str
    arguments: type[msgspec.Struct]
    run: Callable[[Any, Any], Play[Any]]
    gm_only: bool = False
    """Whether only the GM begins it."""
    touches_all: bool = False
    """Whether it may touch every character at the table, whomever it names."""
    frequent: int = 0
    """Its place among those that are offered first, counted from 1."""
    check: Callable[[str, Any], object] | None = None
    """Refuses a character who cannot begin it, whatever else the form would say.

    The character is whom the first argument names. A page says of each character what is refused,
    and is drawn again when this sheet or the scene has changed: so it reads no other sheet.
    """

    def start(self, arguments: Any, table: Any) -> Then[Any]:
        """The procedure, ready for any driver."""
        return then(self.run, arguments, table)


def _checked(procedure: Procedure) -> Procedure:
    """A procedure that begins with its check."""
    check, run = procedure.check, procedure.run
    if check is None:
        return procedure

    @wraps(run)
    def begin(arguments: Any, table: Any) -> Play[Any]:
        character = getattr(arguments, arguments.__struct_fields__[0])
        if character in table.characters:  # who is not there is refused by the procedure
            check(character, table)
        return (yield from run(arguments, table))

    return msgspec.structs.replace(procedure, run=begin)


class Game(msgspec.Struct, frozen=True, dict=True):
    """What a game package offers."""

    name: str
    title: str
    package: str
    sheet: type[msgspec.Struct]
    scene: type[msgspec.Struct]
    read_hook: Callable[[type, Any], Any] | None = None
    write_hook: Callable[[Any], Any] | None = None
    normal_form: Callable[[Mapping[str, Any]], Mapping[str, Any]] | None = None
    check: Callable[[Any], None] | None = None
    wanted: Callable[[Any], bool | None] = _passed
    """Whether an outcome is what was hoped for; None where nothing was."""
    gate: Callable[[Procedure], Procedure] | None = None
    """Puts before a procedure what holds for all of them, such as who can act at all."""
    main_test: str = "test"
    """The procedure that people mean when they just say: a test."""

    @cached_property
    def procedures(self) -> dict[str, Procedure]:
        """Every procedure of every module of the package, by name."""
        found: dict[str, Procedure] = {}
        package = import_module(self.package)
        modules = pkgutil.walk_packages(package.__path__, prefix=f"{self.package}.")
        for info in sorted(modules, key=lambda info: info.name):
            module = import_module(info.name)
            for procedure in getattr(module, "PROCEDURES", ()):
                assert procedure.name not in found, f"two procedures are called {procedure.name}"
                checked = _checked(procedure)
                found[procedure.name] = checked if self.gate is None else self.gate(checked)
        return found

    def procedure(self, name: object, place: str = "procedure") -> Procedure:
        """The procedure of that name."""
        known = self.procedures
        if isinstance(name, str) and name in known:
            return known[name]
        raise BadInput(place, name, f"a procedure of {self.name}: {_near(name, known)}")

    def read(self, raw: object, kind: type[T], place: str) -> T:
        """Raw data from a file as one of the game's types, or a refusal that names the place."""
        try:
            return msgspec.convert(raw, kind, dec_hook=self.read_hook)
        except msgspec.ValidationError as error:
            raise bad_input(str(error), raw, kind, place) from None

    def read_sheet(self, raw: object, place: str) -> Any:
        """A sheet from raw data, checked against the rules of the game."""
        if not isinstance(raw, Mapping):
            raise BadInput(place, raw, "a sheet, with at least a name")
        try:
            normal = raw if self.normal_form is None else self.normal_form(raw)
        except BadInput as bad:
            raise _inside(place, bad) from None
        sheet = self.read(normal, self.sheet, place)
        if self.check is not None:
            try:
                self.check(sheet)
            except BadInput as bad:
                raise _inside(place, bad) from None
        return sheet

    def write(self, value: object) -> Any:
        """Any of the game's values as plain data for a file or the wire."""
        if type(value) in _PLAIN:
            return value
        return msgspec.to_builtins(value, enc_hook=self.write_hook, str_keys=True)

    def table(
        self,
        characters: Mapping[str, Any],
        scene: Any = None,
        options: Mapping[str, object] | None = None,
    ) -> Table[Any, Any]:
        """A table of this game with these sheets."""
        for taken, whose in ((SCENE, "the scene's"), (GM, "the GM's")):
            if taken in characters:
                raise BadInput(f"characters.{taken}", taken, f"another name: this is {whose}")
        chosen = options if isinstance(options, Options) else Options.of(self.name, options)
        return Table(dict(characters), self.scene() if scene is None else scene, chosen)

    # --- What it offers to people at a table (astragal.games.at_table) ---------------------

    @cached_property
    def at_table(self) -> AtTable:
        """What the game offers to a table: ``AT_TABLE`` of its module ``at_table``, if any."""
        module = f"{self.package}.at_table"
        if find_spec(module) is None:
            return AtTable()
        offered: AtTable = import_module(module).AT_TABLE
        return offered

    def page(self, sheet: Any, key: str, table: Any) -> Page:
        """A sheet as one page that a player would print."""
        page = self.at_table.page(sheet, key, table)
        if key not in table.characters:
            return page
        return msgspec.structs.replace(page, cannot=self.cannot(key, table))

    def cannot(self, character: str, table: Any) -> dict[str, str]:
        """The procedures that a character cannot begin, by name, each with the reason."""
        reasons = {}
        for name, procedure in self.procedures.items():
            if procedure.check is not None:
                try:
                    procedure.check(character, table)
                except Refusal as refusal:
                    said = refusal.what if isinstance(refusal, NotAllowed) else str(refusal)
                    reasons[name] = f"{said}."
        return reasons

    def scene_page(self, table: Any) -> tuple[Section, ...]:
        """What holds in the scene, with what only the GM may know marked as secret."""
        return self.at_table.scene_page(table)

    @property
    def secret_scene(self) -> frozenset[str]:
        """The fields of the scene whose changes only the GM may see."""
        return self.at_table.secret_scene

    @property
    def scene_words(self) -> Mapping[str, tuple[str, str]]:
        """How entries that come into the scene and leave it are put in words, by field."""
        return self.at_table.scene_words

    @property
    def sheet_words(self) -> Mapping[str, tuple[str, str]]:
        """How changes of a sheet are put in words, by place."""
        return self.at_table.sheet_words

    def sketch(self, line: str) -> dict[str, Any]:
        """A character of the GM's from one line, as a sheet in plain data."""
        sheet = self.at_table.sketch(line)
        self.read_sheet(sheet, "sketch")
        return sheet

    def abilities(self, sheet: Any) -> tuple[Option, ...]:
        """What a character can test, keys as the procedures take them."""
        return self.at_table.abilities(sheet)

    def about(self, procedure: Procedure, arguments: Any, names: Names | None = None) -> str:
        """In a few words what an attempt is about; ``names`` are those of the characters."""
        plain = arguments if isinstance(arguments, Mapping) else self.write(arguments)
        return self.at_table.about(procedure, plain, names or {})

    @cached_property
    def frequent(self) -> tuple[str, ...]:
        """Procedures to offer first; the main test is the first of them."""
        offered = [each for each in self.procedures.values() if each.frequent]
        ranked = sorted(offered, key=lambda each: each.frequent)
        return tuple(each.name for each in ranked) or (self.main_test,)

    @property
    def opening(self) -> tuple[str, ...]:
        """Procedures with which a session begins."""
        return self.at_table.opening

    @property
    def closing(self) -> tuple[str, ...]:
        """Procedures with which a session, or a story, ends."""
        return self.at_table.closing

    @property
    def meanings(self) -> Mapping[str, Meaning]:
        """What arguments of these names stand for in this game (see astragal.games.forms)."""
        return self.at_table.meanings

    @property
    def demo(self) -> Demo | None:
        """A ready campaign, if the game has one."""
        return self.at_table.demo


@cache
def games() -> dict[str, Game]:
    """Every game there is, by name."""
    found = {}
    package = import_module("astragal.games")
    for info in pkgutil.iter_modules(package.__path__):
        if info.ispkg:
            module = import_module(f"astragal.games.{info.name}")
            found[module.GAME.name] = module.GAME
    return found


_PLAIN = frozenset({bool, int, str, type(None)})
"""What is plain data already; most answers are."""


def game_named(name: object, place: str = "game") -> Game:
    """The game of that name."""
    known = games()
    if isinstance(name, str) and name in known:
        return known[name]
    raise BadInput(place, name, f"one of {_near(name, known)}")


def _inside(place: str, bad: BadInput) -> BadInput:
    """The same refusal, with the place of the whole in front."""
    return BadInput(f"{place}.{bad.place}", bad.value, bad.expected, bad.rule)


def _near(name: object, known: Mapping[str, object]) -> str:
    near = difflib.get_close_matches(str(name), known, n=3)
    if near:
        return " or ".join(near)
    return ", ".join(sorted(known))
