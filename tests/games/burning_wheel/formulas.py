"""The little formulas in which some cells of the catalogue are worded, read and worked out.

A cell such as ``max(0, sB - sA)``, ``sA if sA > sB, else 0`` or ``0 < R < ceil(S / 2)`` is a
formula: names, whole numbers, sums, comparisons. It is parsed once and then works on any values.
"""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Mapping
from functools import cache

Values = Mapping[str, int]
Formula = Callable[[Values], int]

AHEAD = "ahead"
"""The name of the value that says who is ahead where two sides are equal: A (1), B (-1), nobody."""

_COMPARE: dict[type[ast.cmpop], Callable[[int, int], bool]] = {
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Eq: operator.eq,
}


@cache
def formula(text: str) -> Formula:
    """The formula of a cell.

    >>> formula("max(0, sB - sA)")({"sA": 2, "sB": 5})
    3
    >>> formula("sA if sA > sB, else 0")({"sA": 2, "sB": 5, "ahead": 0})
    0
    >>> formula("R = ceil(S / 2) and R < S")({"R": 4, "S": 7})
    True
    """
    plain = re.sub(r"Will\((\w)\)", r"Will\1", text).replace(", else", " else")
    plain = re.sub(r"(?<![<>=])=(?!=)", "==", plain)
    return _read(ast.parse(plain.strip(), mode="eval").body, text)


def _read(node: ast.expr, text: str) -> Formula:
    match node:
        case ast.Constant(value=int(number)):
            return lambda _: number
        case ast.Name(id=name):
            return lambda values: values[name]
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() as op, right=right):
            one, other = _read(left, text), _read(right, text)
            if isinstance(op, ast.Add):
                return lambda values: one(values) + other(values)
            return lambda values: one(values) - other(values)
        case ast.Call(func=ast.Name(id="max"), args=[left, right]):
            one, other = _read(left, text), _read(right, text)
            return lambda values: max(one(values), other(values))
        case ast.Call(
            func=ast.Name(id="ceil"), args=[ast.BinOp(left=left, op=ast.Div(), right=by)]
        ):
            one, other = _read(left, text), _read(by, text)
            return lambda values: -(-one(values) // other(values))
        case ast.IfExp(test=test, body=body, orelse=orelse):
            is_so, one, other = _read(test, text), _read(body, text), _read(orelse, text)
            return lambda values: one(values) if is_so(values) else other(values)
        case ast.BoolOp(op=ast.And(), values=parts):
            all_of = [_read(part, text) for part in parts]
            return lambda values: all(part(values) for part in all_of)
        case ast.Compare(left=left, ops=[ast.Gt()], comparators=[right]) if _rivals(left, right):
            return _ahead(_read(left, text), _read(right, text), _side(left))
        case ast.Compare(left=left, ops=ops, comparators=rights):
            terms = [_read(term, text) for term in (left, *rights)]
            compare = [_COMPARE[type(op)] for op in ops]
            return lambda values: all(
                holds(terms[at](values), terms[at + 1](values)) for at, holds in enumerate(compare)
            )
    raise ValueError(f"no formula that is understood: {text!r}")


def _side(node: ast.expr) -> str:
    """Whose successes a term counts: A's, B's, or nobody's in particular."""
    sides = {n.id[-1] for n in ast.walk(node) if isinstance(n, ast.Name) and n.id[:4] != "Will"}
    return sides.pop() if len(sides) == 1 else ""


def _rivals(left: ast.expr, right: ast.expr) -> bool:
    return {_side(left), _side(right)} == {"A", "B"}


def _ahead(left: Formula, right: Formula, side: str) -> Formula:
    """Whether one side is ahead of the other; equal sides may be told apart by a trait."""
    favoured = 1 if side == "A" else -1

    def is_ahead(values: Values) -> bool:
        one, other = left(values), right(values)
        return one > other or (one == other and values.get(AHEAD) == favoured)

    return is_ahead
