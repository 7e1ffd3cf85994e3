"""What an expression in a function can come to, as far as the code alone can tell.

A name is followed to where it is assigned, a parameter to where the function is called. Where the
code has several ways to a value, each of them is one result, with the choices that led to it: two
expressions evaluated in one after the other belong together. What depends on play is `Unknown`.
"""

from __future__ import annotations

import ast
import builtins
import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from reference.sources import Function

DEEPEST = 4
"""How many callers are followed."""

MOST = 400
"""How many ways are followed; what has more of them is left open."""


@dataclass(frozen=True)
class Unknown:
    """A value that only play decides; the label is what the code calls it."""

    label: str

    def __str__(self) -> str:
        """As it stands in a text."""
        return f"<{self.label}>"


@dataclass(frozen=True)
class Choices:
    """The way that was taken: the call by which each function was reached, and what was bound."""

    callers: tuple[tuple[ast.Call, int, Function], ...] = ()
    bound: tuple[tuple[int, ast.AST, tuple[tuple[str, Any], ...]], ...] = ()

    def with_bound(self, depth: int, node: ast.AST, names: dict[str, Any]) -> Choices:
        """The same way, with what a statement binds."""
        return Choices(self.callers, (*self.bound, (depth, node, tuple(names.items()))))

    def of(self, depth: int, node: ast.AST) -> dict[str, Any] | None:
        """What a statement was taken to bind on this way."""
        for at, bound, names in self.bound:
            if at == depth and bound is node:
                return dict(names)
        return None


Result = tuple[Any, Choices]


class Evaluator:
    """Evaluates expressions of a function, and of its callers where these pass something on."""

    def __init__(self, function: Function) -> None:
        """Begin in a function."""
        self._function = function
        self._busy: set[tuple[int, str]] = set()

    def function(self, depth: int, choices: Choices) -> Function:
        """The function at a depth: the first one, or a caller."""
        return choices.callers[depth - 1][2] if depth else self._function

    def results(
        self, node: ast.expr | None, choices: Choices | None = None, depth: int = 0
    ) -> Iterator[Result]:
        """Every value that an expression can have, with the way to it."""
        yield from itertools.islice(self._evaluate(node, choices or Choices(), depth), MOST)

    def _evaluate(self, node: ast.expr | None, choices: Choices, depth: int) -> Iterator[Result]:
        match node:
            case None:
                yield None, choices
            case ast.Constant(value=value):
                yield value, choices
            case ast.Name(id=name):
                yield from self._named(name, node, choices, depth)
            case ast.IfExp(body=one, orelse=other):
                yield from self._evaluate(one, choices, depth)
                yield from self._evaluate(other, choices, depth)
            case ast.BoolOp(op=ast.Or(), values=values):
                for each in values:
                    yield from self._evaluate(each, choices, depth)
            case ast.JoinedStr(values=values):
                yield from self._joined(values, choices, depth)
            case ast.FormattedValue(value=value):
                yield from self._evaluate(value, choices, depth)
            case ast.Attribute() | ast.Subscript() | ast.Call() | ast.BinOp() | ast.Tuple():
                yield from self._composed(node, choices, depth)
            case ast.Dict() | ast.UnaryOp() | ast.Starred() | ast.List():
                yield from self._composed(node, choices, depth)
            case _:
                yield Unknown(label_of(node)), choices

    def in_words(self, node: ast.expr | None, choices: Choices) -> str:
        """A text with the names of those parts that can be several things."""
        parts = node.values if isinstance(node, ast.JoinedStr) else [node]
        words = []
        for part in parts:
            values = {str(value) for value, _ in self.results(part, choices)}
            alone = len(values) == 1 or not isinstance(node, ast.JoinedStr)
            # Of several texts one that has a name for everything: not one with a gap.
            text = min(values, key=lambda text: ("  " in text, text))
            words.append(text if alone else str(Unknown(label_of(part))))
        return "".join(words)

    def _joined(self, parts: list[ast.expr], choices: Choices, depth: int) -> Iterator[Result]:
        if not parts:
            yield "", choices
            return
        for first, way in self._evaluate(parts[0], choices, depth):
            for rest, whole in self._joined(parts[1:], way, depth):
                yield f"{first}{rest}", whole

    def _composed(self, node: ast.expr, choices: Choices, depth: int) -> Iterator[Result]:
        """An expression whose parts are all known is just evaluated."""
        parts = [each for each in ast.walk(node) if isinstance(each, ast.Name)]
        inner = any(isinstance(each, _SCOPES) for each in ast.walk(node))
        names = list(dict.fromkeys(each.id for each in parts))
        if inner or len(names) > 6:
            yield Unknown(label_of(node)), choices
            return
        for values, way in self._all(names, node, choices, depth):
            if len(values) < len(names):
                yield from ((value, choices) for value in self._returned(node, choices, depth))
                continue
            code = compile(ast.Expression(node), "<reference>", "eval")
            try:
                value = eval(code, dict(zip(names, values, strict=True)))
            except Exception:  # whatever it is, it cannot be known before play
                value = Unknown(label_of(node))
            yield value, way

    def _returned(self, node: ast.expr, choices: Choices, depth: int) -> Iterator[Any]:
        """What a function of the games gives back, whatever it is called with."""
        calls = self.function(depth, choices).calls
        called = next((each for call, at, each in calls if call is node and not at), None)
        if called is None or not isinstance(called.node, ast.FunctionDef) or depth >= DEEPEST:
            yield Unknown(label_of(node))
            return
        evaluator = Evaluator(called)
        for value in _given_back(called.node):
            if isinstance(value, ast.Tuple):
                yield from itertools.product(*map(evaluator.values, value.elts))
            else:
                yield from evaluator.values(value)

    def values(self, node: ast.expr) -> list[Any]:
        """The values of an expression, whoever calls the function; an unknown one at most once."""
        found: dict[str, Any] = {}
        for value, _ in self._evaluate(node, Choices(((_NOWHERE, 0, self._function),)), 0):
            found[repr(value)] = value
        return list(found.values())[:MOST]

    def _all(
        self, names: list[str], node: ast.expr, choices: Choices, depth: int
    ) -> Iterator[tuple[list[Any], Choices]]:
        """The values of all names; fewer than these where one of them is not known."""
        if not names:
            yield [], choices
            return
        for first, way in self._named(names[0], node, choices, depth):
            if isinstance(first, Unknown):
                yield [], choices
                continue
            for rest, whole in self._all(names[1:], node, way, depth):
                yield [first, *rest], whole

    # --- Names ---------------------------------------------------------------------------------

    def _named(self, name: str, used: ast.expr, choices: Choices, depth: int) -> Iterator[Result]:
        """Everything that a name can stand for here; if nothing is known, just that, once."""
        function = self.function(depth, choices)
        if (depth, name) in self._busy:
            yield Unknown(name), choices
            return
        statements = _binding(function.node).get(name, [])
        if name in _changing(function.node):
            yield Unknown(name), choices
            return
        self._busy.add((depth, name))
        try:
            ways = self._bound(name, statements, used, choices, depth)
            results = list(itertools.islice(ways, MOST))
        finally:
            self._busy.discard((depth, name))
        if all(isinstance(value, Unknown) for value, _ in results):
            labels = dict.fromkeys(value for value, _ in results) or {Unknown(name): None}
            results = [(label, choices) for label in labels]
        yield from results

    def _bound(
        self,
        name: str,
        statements: list[ast.AST],
        used: ast.expr,
        choices: Choices,
        depth: int,
    ) -> Iterator[Result]:
        function = self.function(depth, choices)
        last = _always_before(function.node, used, statements)
        statements = [
            each
            for each in statements
            if (last is None or _place(each) >= _place(last))
            and (_place(each) <= _place(used) or _in_one_loop(function.node, each, used))
        ]
        taken = [each for each in statements if choices.of(depth, each) is not None]
        for statement in taken or statements:
            yield from self._by_statement(name, statement, choices, depth)
        if name in function.parameters and not taken and last is None:
            yield from self._passed(name, function, choices, depth)
        elif not statements:
            yield self._global(name, function), choices

    def _global(self, name: str, function: Function) -> Any:
        if isinstance(function.node, ast.FunctionDef) and name in _inner(function.node):
            return Unknown(name)
        if hasattr(function.module, name):
            return getattr(function.module, name)
        return getattr(builtins, name, Unknown(name))

    def passed(
        self, name: str, choices: Choices, depth: int
    ) -> Iterator[tuple[ast.expr | None, Choices]]:
        """What the callers pass for a parameter: an expression of the caller's, or nothing."""
        function = self.function(depth, choices)
        if len(choices.callers) > depth:
            call, before, _ = choices.callers[depth]
            yield _argument(call, before, name, function), choices
        elif depth < DEEPEST:
            for call, before, caller in function.callers:
                way = (*choices.callers, (call, before, caller))
                yield _argument(call, before, name, function), Choices(way, choices.bound)

    def _passed(
        self, name: str, function: Function, choices: Choices, depth: int
    ) -> Iterator[Result]:
        found = False
        for given, way in self.passed(name, choices, depth):
            found = True
            if given is not None:
                yield from self._evaluate(given, way, depth + 1)
            else:
                default = function.parameters[name]
                value = Unknown(name) if default is None else self._default(default, function)
                yield value, way
        if not found or function.is_begun:
            yield Unknown(name), choices

    def _default(self, node: ast.expr, function: Function) -> Any:
        results = Evaluator(function).results(node)
        return next(results)[0]

    def _by_statement(
        self, name: str, statement: ast.AST, choices: Choices, depth: int
    ) -> Iterator[Result]:
        names = choices.of(depth, statement)
        if names is None:
            for bound, way in self._bindings(statement, choices, depth):
                chosen = way.with_bound(depth, statement, bound)
                if name in bound:
                    yield from self._value(bound[name], chosen, depth)
        else:
            yield from self._value(names.get(name, Unknown(name)), choices, depth)

    def _value(self, value: Any, choices: Choices, depth: int) -> Iterator[Result]:
        if isinstance(value, ast.expr):
            yield from self._evaluate(value, choices, depth)
        else:
            yield value, choices

    def _bindings(
        self, statement: ast.AST, choices: Choices, depth: int
    ) -> Iterator[tuple[dict[str, Any], Choices]]:
        """What a statement can bind its names to: values, or expressions to be evaluated."""
        match statement:
            case ast.Assign(targets=[ast.Tuple() as target], value=ast.Call() as value):
                for given, way in self._evaluate(value, choices, depth):
                    yield _spread(target, given), way
            case ast.Assign(targets=[target], value=value):
                yield _spread(target, value), choices
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                yield _spread(target, value), choices
            case ast.NamedExpr(target=target, value=value):
                yield _spread(target, value), choices
            case (
                ast.For(target=target, iter=source) | ast.comprehension(target=target, iter=source)
            ):
                if isinstance(source, ast.Tuple | ast.List):
                    for each in source.elts:
                        yield _spread(target, each), choices
                    return
                for values, way in self._evaluate(source, choices, depth):
                    if isinstance(values, Iterable) and not isinstance(values, str | Unknown):
                        for each in itertools.islice(values, MOST):
                            yield _spread(target, each), way
                    else:
                        yield _spread(target, Unknown(label_of(target))), way
            case _:
                yield {}, choices


_NOWHERE = ast.Call(ast.Name("", ast.Load()), [], [])
"""The call of a function of which nothing is known."""

_SCOPES = (
    ast.Lambda,
    ast.ListComp,
    ast.SetComp,
    ast.DictComp,
    ast.GeneratorExp,
    ast.Yield,
    ast.YieldFrom,
)


def _spread(target: ast.expr, value: Any) -> dict[str, Any]:
    """What each name of a target gets of a value or an expression."""
    if isinstance(target, ast.Name):
        return {target.id: value}
    names: list[ast.expr] = list(getattr(target, "elts", ()))
    if isinstance(value, ast.Tuple | ast.List):
        parts: list[Any] = list(value.elts)
    elif isinstance(value, tuple | list):
        parts = list(value)
    else:
        parts = []
    if len(parts) != len(names):
        parts = [Unknown(label_of(each)) for each in names]
    found: dict[str, Any] = {}
    for each, part in zip(names, parts, strict=True):
        found.update(_spread(each, part))
    return found


@cache
def _given_back(node: ast.FunctionDef) -> list[ast.expr]:
    """What a function returns, wherever it does."""
    returns = (each for each in ast.walk(node) if isinstance(each, ast.Return))
    return [each.value for each in returns if each.value is not None]


@cache
def _binding(node: ast.AST) -> dict[str, list[ast.AST]]:
    """The statements of a function that bind names, by the name."""
    found: dict[str, list[ast.AST]] = {}
    for each in ast.walk(node):
        if each is node:
            continue
        targets: list[ast.AST] = []
        match each:
            case ast.Assign(targets=several):
                targets = [*several]
            case ast.AnnAssign(target=one) | ast.NamedExpr(target=one) | ast.For(target=one):
                targets = [one]
            case ast.comprehension(target=one) | ast.AugAssign(target=one):
                targets = [one]
        parts = (part for target in targets for part in ast.walk(target))
        names = {
            part.id
            for part in parts
            if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)
        }
        for name in names:
            found.setdefault(name, []).append(each)
    return found


def _always_before(node: ast.AST, used: ast.expr, statements: list[ast.AST]) -> ast.AST | None:
    """The last assignment that is always made before a name is used; earlier ones are forgotten."""
    found = None
    for block in _blocks(node):
        inside = [each for each in block if _is_inside(used, each)]
        for each in block[: block.index(inside[0])] if inside else ():
            if each in statements and isinstance(each, ast.Assign | ast.AnnAssign):
                found = each if found is None else max(found, each, key=_place)
    return found


@cache
def _blocks(node: ast.AST) -> tuple[list[ast.stmt], ...]:
    """The lists of statements in a function, each of which is run in order."""
    fields = ("body", "orelse", "finalbody")
    inner = (getattr(each, field, None) for each in ast.walk(node) for field in fields)
    return tuple(block for block in inner if isinstance(block, list) and block)


def _place(node: ast.AST) -> tuple[int, int]:
    return getattr(node, "lineno", 0), getattr(node, "col_offset", 0)


def _is_inside(node: ast.AST, whole: ast.AST) -> bool:
    end = getattr(whole, "end_lineno", 0), getattr(whole, "end_col_offset", 0)
    return _place(whole) <= _place(node) <= end


def _in_one_loop(node: ast.AST, one: ast.AST, other: ast.AST) -> bool:
    """Whether what is made by a later statement can be used in the next round."""
    return isinstance(one, ast.comprehension | ast.NamedExpr) or any(
        _is_inside(one, each) and _is_inside(other, each) for each in _loops(node)
    )


@cache
def _loops(node: ast.AST) -> tuple[ast.AST, ...]:
    loops = (ast.For, ast.While, ast.comprehension, ast.ListComp, ast.GeneratorExp, ast.DictComp)
    return tuple(each for each in ast.walk(node) if isinstance(each, loops))


CHANGING = ("append", "extend", "insert", "pop", "remove", "update", "setdefault", "clear")


@cache
def _changing(node: ast.AST) -> frozenset[str]:
    """The names of what is counted up, added to or taken from as play goes on."""
    found: set[str] = set()
    for each in ast.walk(node):
        match each:
            case ast.AugAssign(target=ast.Name(id=name)):
                found.add(name)
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=method)):
                if method in CHANGING:
                    found.add(name)
            case ast.Subscript(value=ast.Name(id=name), ctx=ast.Store() | ast.Del()):
                found.add(name)
    return frozenset(found)


@cache
def _inner(node: ast.FunctionDef) -> set[str]:
    """The parameters of functions and lambdas inside."""
    return {
        argument.arg
        for each in ast.walk(node)
        if isinstance(each, ast.FunctionDef | ast.Lambda) and each is not node
        for argument in ast.walk(each.args)
        if isinstance(argument, ast.arg)
    }


def _argument(call: ast.Call, before: int, name: str, function: Function) -> ast.expr | None:
    """What a call passes for a parameter."""
    for keyword in call.keywords:
        if keyword.arg == name:
            return keyword.value
    place = list(function.parameters).index(name) + before
    given = call.args[: place + 1]
    if place < len(call.args) and not any(isinstance(each, ast.Starred) for each in given):
        return call.args[place]
    return None


def label_of(node: ast.AST) -> str:
    """What the code calls a value that is not known."""
    match node:
        case ast.Name(id=name):
            return name
        case ast.Attribute(value=value, attr=attribute):
            return attribute if attribute not in ("value", "key", "name") else label_of(value)
        case ast.Call(func=ast.Attribute(attr=attribute), args=[argument, *_]):
            return f"{attribute} of {label_of(argument)}"
        case ast.Call(func=function):
            return label_of(function)
        case ast.Subscript(value=value):
            return label_of(value)
        case ast.YieldFrom(value=value) | ast.FormattedValue(value=value):
            return label_of(value)
    return "…"
