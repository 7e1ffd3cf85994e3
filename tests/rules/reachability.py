"""Which code of the games is used: whatever a procedure or a page leads to.

The roots are what is looked up by name in each game (``ROOTS``), and all code outside the games.
From there it follows the names that a function, a class or a constant uses, through imports. A
method is used if its class is and its name is read from something: more than may really be called,
but nothing that only a test calls.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib.util import resolve_name
from pathlib import Path

ROOTS = frozenset({"PROCEDURES", "AT_TABLE", "GAME", "plain_test"})
GAMES = "astragal.games"

Place = tuple[str, str]
"""A module, and a name in it: of a method with its class in front; empty for the module itself."""


@dataclass
class Unit:
    """A function, a method, a class without its methods, a constant, or the rest of a module."""

    place: Place
    lines: tuple[int, int]
    description: tuple[int, int] | None = None
    """The lines of what a class or a module says about itself."""
    names: set[str] = field(default_factory=set)
    """Names of the module that it uses; with the attribute where that is read from one."""
    attributes: set[str] = field(default_factory=set)

    def describes(self, line: int) -> bool:
        """Whether a line of it says what a class or a module is."""
        return self.description is not None and self.description[0] <= line <= self.description[1]


@dataclass
class Module:
    """One file: its units, and where the names come from that it imports."""

    name: str
    path: Path
    units: dict[str, Unit]
    imports: dict[str, Place]

    def unit_at(self, line: int) -> Unit:
        """The smallest unit in which a line stands."""
        around = (unit for unit in self.units.values() if unit.lines[0] <= line <= unit.lines[1])
        return min(around, key=lambda unit: unit.lines[1] - unit.lines[0])


@cache
def parsed(source: str) -> ast.Module:
    """The code of a file; several tests look at the same ones, and none changes them."""
    return ast.parse(source)


def read_module(path: Path, name: str) -> Module:
    """The units and imports of a file."""
    return _module(path, name, path.read_text(encoding="utf-8"))


@cache
def _module(path: Path, name: str, source: str) -> Module:
    tree, lines = parsed(source), source.splitlines()
    rest = Unit((name, ""), (0, len(lines) + 1), _description(tree))
    units, imports = {"": rest}, {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            for alias in node.names:
                imports[alias.asname or alias.name] = (imported_from(node, name, path), alias.name)
        elif isinstance(node, ast.Import):
            for alias in node.names:
                if alias.asname:
                    imports[alias.asname] = (alias.name, "")
    for at, node in enumerate(tree.body):
        after = tree.body[at + 1] if at + 1 < len(tree.body) else None
        for unit in _units(node, after, name, lines):
            units[unit.place[1]] = unit
    constants = {name for name, unit in units.items() if name}
    for node in tree.body:
        if not _names_of(node) & constants and not isinstance(node, ast.Import | ast.ImportFrom):
            _collect(node, rest)
    return Module(name, path, units, imports)


def imported_from(node: ast.ImportFrom, module: str, path: Path) -> str:
    """The full name of the module from which a module imports something."""
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    return resolve_name("." * node.level + (node.module or ""), package)


def _units(node: ast.stmt, after: ast.stmt | None, module: str, lines: list[str]) -> Iterator[Unit]:
    """The units that a statement of a module makes."""
    first, last = _with_comments(node, lines), node.end_lineno or node.lineno
    if isinstance(node, ast.ClassDef):
        whole = Unit((module, node.name), (first, last), _description(node))
        for each in (*node.bases, *node.keywords, *node.decorator_list):
            _collect(each, whole)
        for each in node.body:
            if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef):
                begin = _with_comments(each, lines)
                method = Unit((module, f"{node.name}.{each.name}"), (begin, each.end_lineno or 0))
                _collect(each, method)
                yield method
            else:
                _collect(each, whole)
        yield whole
        return
    if isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant):
        last = after.end_lineno or last  # what is said about a constant stands below it
    for name in _names_of(node):
        unit = Unit((module, name), (first, last))
        _collect(node, unit)
        yield unit


def _names_of(node: ast.stmt) -> set[str]:
    """The names that a statement defines."""
    match node:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            return {name}
        case ast.Assign(targets=targets):
            return {n.id for each in targets for n in ast.walk(each) if isinstance(n, ast.Name)}
        case ast.AnnAssign(target=ast.Name(id=name)):
            return {name}
    return set()


def _with_comments(node: ast.stmt, lines: list[str]) -> int:
    """The first line of a statement, with its decorators and the comment right above it."""
    decorators = getattr(node, "decorator_list", [])
    first = min((node.lineno, *(each.lineno for each in decorators)))
    while first > 1 and lines[first - 2].lstrip().startswith("#"):
        first -= 1
    return first


def _description(node: ast.Module | ast.ClassDef) -> tuple[int, int] | None:
    if ast.get_docstring(node, clean=False) is None:
        return None
    return node.body[0].lineno, node.body[0].end_lineno or 0


# --- What a unit uses ----------------------------------------------------------------------


def _collect(node: ast.AST, unit: Unit, bound: frozenset[str] = frozenset()) -> None:
    """Note the names of the module and the attributes that a piece of code reads."""
    match node:
        case ast.Name(id=name, ctx=ast.Load()):
            if name not in bound:
                unit.names.add(name)
        case ast.Attribute(value=value, attr=attribute):
            unit.attributes.add(attribute)
            if isinstance(value, ast.Name) and value.id not in bound:
                unit.names.add(f"{value.id}.{attribute}")
            _collect(value, unit, bound)
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.Lambda():
            for each in (*getattr(node, "decorator_list", ()), *_outside(node)):
                _collect(each, unit, bound)
            body = [node.body] if isinstance(node, ast.Lambda) else node.body
            inner = bound | _arguments(node.args) | _assigned(body)
            for each in body:
                _collect(each, unit, inner)
        case ast.ListComp() | ast.SetComp() | ast.GeneratorExp() | ast.DictComp():
            inner = bound | _assigned([each.target for each in node.generators])
            for each in ast.iter_child_nodes(node):
                _collect(each, unit, inner)
        case ast.Call(func=ast.Name(id="getattr" | "hasattr" | "attrgetter"), args=arguments):
            for each in arguments:
                if isinstance(each, ast.Constant) and isinstance(each.value, str):
                    unit.attributes.add(each.value)
            for each in ast.iter_child_nodes(node):
                _collect(each, unit, bound)
        case _:
            for each in ast.iter_child_nodes(node):
                _collect(each, unit, bound)


def _outside(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> Iterator[ast.expr]:
    """What a function's head uses: defaults and types."""
    yield from node.args.defaults
    yield from (each for each in node.args.kw_defaults if each is not None)
    for each in ast.walk(node.args):
        if isinstance(each, ast.arg) and each.annotation is not None:
            yield each.annotation
    if not isinstance(node, ast.Lambda) and node.returns is not None:
        yield node.returns


def _arguments(arguments: ast.arguments) -> frozenset[str]:
    return frozenset(each.arg for each in ast.walk(arguments) if isinstance(each, ast.arg))


def _assigned(body: Iterable[ast.AST]) -> frozenset[str]:
    """The names that become local by an assignment, without looking into inner scopes."""
    found: set[str] = set()
    waiting = list(body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found.add(node.name)
            continue
        if isinstance(node, ast.Lambda | ast.ListComp | ast.SetComp | ast.DictComp):
            continue
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
        elif isinstance(node, ast.MatchAs | ast.MatchStar) and node.name:
            found.add(node.name)
        waiting += ast.iter_child_nodes(node)
    return frozenset(found)


# --- What is used in the end ---------------------------------------------------------------


@dataclass
class Code:
    """All modules of a source tree, and which of their units are used."""

    source: Path
    """The folder that the package stands in."""

    @cached_property
    def modules(self) -> dict[str, Module]:
        """Every module, by its name."""
        found = {}
        for path in sorted((self.source / "astragal").rglob("*.py")):
            parts = path.relative_to(self.source).with_suffix("").parts
            name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
            found[name] = read_module(path, name)
        return found

    @cached_property
    def reachable(self) -> set[Place]:
        """Every unit that the roots lead to."""
        reached: set[Place] = set()
        read: set[str] = set()
        methods: dict[str, list[Unit]] = {}
        waiting = list(self._roots())
        while waiting:
            unit = waiting.pop()
            if unit.place in reached:
                continue
            reached.add(unit.place)
            module = self.modules[unit.place[0]]
            waiting.append(module.units[""])
            waiting += (each for name in unit.names for each in self.meant(module, name))
            for attribute in unit.attributes - read:
                waiting += methods.pop(attribute, ())
            read |= unit.attributes
            for method in self._methods(unit):
                name = method.place[1].rpartition(".")[2]
                if name in read or (name.startswith("__") and name.endswith("__")):
                    waiting.append(method)
                else:
                    methods.setdefault(name, []).append(method)
        return reached

    def unreachable(self) -> list[Place]:
        """Every function, class, method and constant of the games that is used by nothing."""
        return [
            unit.place
            for module in self.modules.values()
            if _is_of_games(module.name)
            for unit in module.units.values()
            if unit.place not in self.reachable and unit.place[1] not in ("", "__all__")
        ]

    def _roots(self) -> Iterator[Unit]:
        for module in self.modules.values():
            for name, unit in module.units.items():
                if name in ROOTS or not _is_of_games(module.name):
                    yield unit

    def _methods(self, unit: Unit) -> Iterator[Unit]:
        inside = f"{unit.place[1]}."
        for name, each in self.modules[unit.place[0]].units.items():
            if name.startswith(inside):
                yield each

    def meant(self, module: Module, name: str) -> Iterator[Unit]:
        """The unit that a name in a module stands for, if it is ours."""
        first, _, attribute = name.partition(".")
        if first in module.units:
            yield module.units[first]
        elif first in module.imports:
            home, origin = module.imports[first]
            inner = f"{home}.{origin}" if origin else home
            if inner in self.modules:  # a module was imported: what is read from it is meant
                if attribute:
                    yield from self.meant(self.modules[inner], attribute)
            elif home in self.modules:
                yield from self.meant(self.modules[home], origin)


def _is_of_games(module: str) -> bool:
    return module == GAMES or module.startswith(f"{GAMES}.")
