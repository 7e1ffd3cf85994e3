"""The code of the games as a graph: which functions a procedure leads to, and who calls whom.

Names are resolved through imports by `rules.reachability`. A function is led to if it is named
anywhere in one that is reached, or in a constant that is. Methods are not followed: a test checks
that no method leads to a question.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from importlib import import_module
from pathlib import Path
from types import ModuleType

from astragal.games import Procedure, games
from rules.reachability import Code, Place, Unit, parsed

SOURCE = Path(__file__).parents[2] / "src"
ASKING = ("ask", "confirm", "consent", "confirm_aside", "choose", "Ask")
"""What puts a question; all of `astragal.play`."""

PASSING_ON = ("call", "then", "together")
"""What takes a procedure first and then its arguments."""


@dataclass(eq=False)
class Function:
    """A function, or a constant of a module, with the code that makes it."""

    place: Place
    node: ast.stmt
    module: ModuleType
    sites: list[ast.Call] = field(default_factory=list)
    """Where it puts a question itself."""
    leads_to: list[ast.Call | Function] = field(default_factory=list)
    """Its questions, and the functions and constants that it names, in the order of the text."""
    calls: list[tuple[ast.Call, int, Function]] = field(default_factory=list)
    """Where it calls another: the call, how many arguments come before the other's, and whom."""
    callers: list[tuple[ast.Call, int, Function]] = field(default_factory=list)
    """Where it is called: the call, how many arguments come before its own, and by whom."""
    is_begun: bool = False
    """Whether people begin it as a procedure."""

    @property
    def name(self) -> str:
        """How it can be found."""
        return f"{self.place[0]}.{self.place[1]}"

    @property
    def arguments(self) -> ast.arguments | None:
        """The parameters, if it is a function."""
        return self.node.args if isinstance(self.node, ast.FunctionDef) else None

    @property
    def parameters(self) -> dict[str, ast.expr | None]:
        """The names of the parameters, each with its default."""
        if self.arguments is None:
            return {}
        given = self.arguments
        names = [each.arg for each in (*given.posonlyargs, *given.args)]
        found: dict[str, ast.expr | None] = dict.fromkeys(names)
        found.update(zip(names[::-1], given.defaults[::-1], strict=False))
        keywords = zip(given.kwonlyargs, given.kw_defaults, strict=True)
        found.update((each.arg, default) for each, default in keywords)
        return found


class Sources:
    """All functions and constants of the games."""

    def __init__(self, source: Path = SOURCE) -> None:
        """Read a source tree."""
        self._code = Code(source)

    @cached_property
    def functions(self) -> dict[Place, Function]:
        """Every function and constant of the games, by its place, with what it leads to."""
        found: dict[Place, Function] = {}
        for name, module in self._code.modules.items():
            if name.startswith("astragal.games."):
                tree = parsed(module.path.read_text(encoding="utf-8"))
                for node in tree.body:
                    for defined in _defined(node):
                        place = (name, defined)
                        found[place] = Function(place, node, import_module(name))
        for function in found.values():
            for node in _in_order(function.node):
                self._read(node, function, found)
        for function in found.values():
            for call, before, called in function.calls:
                called.callers.append((call, before, function))
        for procedure in (each for game in games().values() for each in game.procedures.values()):
            found[procedure.run.__module__, procedure.run.__name__].is_begun = True
        return found

    def _read(self, node: ast.AST, function: Function, known: dict[Place, Function]) -> None:
        """Note what a piece of a function names, calls or asks."""
        meant = self._meant(node, function, known)
        if meant is not None and meant is not function:
            function.leads_to.append(meant)
        if not isinstance(node, ast.Call):
            return
        if self.is_of_play(node.func, function) in ASKING:
            function.sites.append(node)
            function.leads_to.append(node)
        called = self._meant(node.func, function, known)
        if called is not None:
            function.calls.append((node, 0, called))
        elif self.is_of_play(node.func, function) in PASSING_ON and node.args:
            passed = self._meant(node.args[0], function, known)
            if passed is not None:
                function.calls.append((node, 1, passed))

    def is_of_play(self, node: ast.expr, function: Function) -> str:
        """The name of a function of `astragal.play` that stands here, or nothing."""
        if not isinstance(node, ast.Name):
            return ""
        home, name = self._code.modules[function.place[0]].imports.get(node.id, ("", ""))
        return name if home.startswith("astragal.play") else ""

    def _meant(
        self, node: ast.AST, function: Function, known: dict[Place, Function]
    ) -> Function | None:
        name = _dotted(node)
        if not name:
            return None
        for unit in self._units(name, function.place[0]):
            if unit.place in known:
                return known[unit.place]
        return None

    def _units(self, name: str, module: str) -> Iterator[Unit]:
        yield from self._code.meant(self._code.modules[module], name)

    def asks_several(self, function: Function) -> bool:
        """Whether a question that is made here is put to several seats at once."""
        return any(
            isinstance(node, ast.Name) and self.is_of_play(node, each) == "ask_all"
            for each in (function, *(caller for _, _, caller in function.callers))
            for node in ast.walk(each.node)
        )

    def methods(self) -> Iterator[Function]:
        """Every method of a class of the games, as if it were a function."""
        for name, module in self._code.modules.items():
            if name.startswith("astragal.games."):
                tree = parsed(module.path.read_text(encoding="utf-8"))
                for owner in (node for node in tree.body if isinstance(node, ast.ClassDef)):
                    for node in owner.body:
                        if isinstance(node, ast.FunctionDef):
                            place = (name, f"{owner.name}.{node.name}")
                            method = Function(place, node, import_module(name))
                            for each in _in_order(node):
                                self._read(each, method, self.functions)
                            yield method

    @cached_property
    def asking(self) -> list[Function]:
        """Every function that puts a question."""
        return [function for function in self.functions.values() if function.sites]

    def reached(self, start: Function) -> tuple[set[Function], list[ast.Call]]:
        """Everything that a function leads to, and its questions, about in the order of play."""
        found: dict[Function, None] = {start: None}
        sites: list[ast.Call] = []
        waiting = [iter(start.leads_to)]
        while waiting:
            each = next(waiting[-1], None)
            if each is None:
                waiting.pop()
            elif isinstance(each, ast.Call):
                sites.append(each)
            elif each not in found:
                found[each] = None
                waiting.append(iter(each.leads_to))
        return set(found), sites

    def run_of(self, procedure: Procedure) -> Function:
        """The function that a procedure runs."""
        return self.functions[procedure.run.__module__, procedure.run.__name__]


def _defined(node: ast.stmt) -> Iterator[str]:
    match node:
        case ast.FunctionDef(name=name):
            yield name
        case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
            if name != "PROCEDURES":
                yield name


def _in_order(node: ast.AST) -> Iterator[ast.AST]:
    """Every piece of code inside, in the order of the text; types are left out."""
    for each in ast.iter_child_nodes(node):
        if isinstance(node, ast.FunctionDef) and each is node.returns:
            continue
        if isinstance(node, ast.arg | ast.AnnAssign) and each is node.annotation:
            continue
        yield each
        yield from _in_order(each)


def _dotted(node: ast.AST) -> str:
    match node:
        case ast.Name(id=name, ctx=ast.Load()):
            return name
        case ast.Attribute(value=ast.Name(id=name), attr=attribute):
            return f"{name}.{attribute}"
    return ""
