"""Small changes of the code near where it cites a rule, such as a slip would make.

A comparison or a number that is off by one, one of several conditions dropped, an effect or a
refusal left out, two branches or the values of the two editions exchanged. What is only said about
a rule (prompts, labels, messages) is left alone.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from rules.coverage import ROOT

COMPARISONS: dict[type[ast.cmpop], str] = {
    ast.Lt: "<=",
    ast.LtE: "<",
    ast.Gt: ">=",
    ast.GtE: ">",
    ast.Eq: "!=",
    ast.NotEq: "==",
    ast.In: "not in",
    ast.NotIn: "in",
    ast.Is: "is not",
    ast.IsNot: "is",
}
ARITHMETIC: dict[type[ast.operator], str] = {ast.Sub: "+", ast.Mult: "+", ast.FloorDiv: "*"}
"""No `+`, which also joins tuples: that would be an error of every call, and no mutant."""
REFUSING = ("check_one_of", "check_at_least", "check_between")
"""What refuses a value by itself."""
OPPOSITES = {"max": "min", "min": "max", "any": "all", "all": "any"}
UNHEARD = (ast.Raise, ast.JoinedStr, ast.arguments, ast.Subscript)
"""Inside these a change says something else, or is an error of every call, and not another rule."""
WORDS = {"because", "frequent", "kind", "label", "longest", "note", "prompt", "role", "strict"}
"""Arguments that decide what is said or shown, and not what happens."""


@dataclass(frozen=True)
class Mutant:
    """One thing changed where the code cites a rule."""

    rule: str
    path: str
    line: int
    kind: str
    old: str
    new: str
    start: int
    end: int

    def __str__(self) -> str:
        old, new = (" ".join(text.split()) for text in (self.old, self.new))
        return f"{self.rule}: {self.path}:{self.line}: {old}  ->  {new}"

    def applied_to(self, source: str) -> str:
        return source[: self.start] + self.new + source[self.end :]


# --- Where something can be changed ---------------------------------------------------------


class File:
    """A file of the games: its text and its tree, each node with the one around it."""

    def __init__(self, path: Path) -> None:
        self.path, self.text = path, (ROOT / path).read_text(encoding="utf-8")
        self.tree = ast.parse(self.text)
        self.around = {
            child: node for node in ast.walk(self.tree) for child in ast.iter_child_nodes(node)
        }
        self.lines = self.text.splitlines(keepends=True)
        self.starts = [0]
        for line in self.lines:
            self.starts.append(self.starts[-1] + len(line))

    def offset(self, line: int, column: int) -> int:
        return self.starts[line - 1] + len(self.lines[line - 1].encode()[:column].decode())

    def span(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        end = self.offset(node.end_lineno or 0, node.end_col_offset or 0)
        return self.offset(node.lineno, node.col_offset), end

    def source(self, node: ast.expr | ast.stmt) -> str:
        start, end = self.span(node)
        return self.text[start:end]

    def outwards(self, node: ast.AST) -> Iterator[ast.AST]:
        while node in self.around:
            yield node
            node = self.around[node]

    def is_heard(self, node: ast.AST) -> bool:
        """Whether a change here is one of what happens, not of what is said about it."""
        return not any(
            isinstance(each, UNHEARD) or (isinstance(each, ast.keyword) and each.arg in WORDS)
            for each in self.outwards(node)
        )

    def places(self, line: int) -> Iterator[list[ast.AST]]:
        """What a citation in a line is about: its statement first, then all of its function.

        What is said of a constant or a field stands below it, a comment above or behind.
        """
        statements = [each for each in ast.walk(self.tree) if isinstance(each, ast.stmt)]
        simple = [each for each in statements if not hasattr(each, "body") and not _is_text(each)]
        near = [each for each in simple if each.lineno <= line <= (each.end_lineno or 0)]
        functions = [
            each
            for each in statements
            if isinstance(each, ast.FunctionDef) and each.lineno <= line <= (each.end_lineno or 0)
        ]
        said = [each for each in statements if _is_text(each) and each.lineno <= line]
        said = [each for each in said if line <= (each.end_lineno or 0)]
        if not said and not near:  # a comment, or the head of an if
            heads = [each for each in statements if 0 <= each.lineno - line <= 3]
            near = heads[:1] or [each for each in statements if each.lineno == line]
        elif said and not functions:
            near = [each for each in simple if (each.end_lineno or 0) == said[0].lineno - 1]
        guards = [
            each
            for statement in near
            for each in self.outwards(statement)
            if isinstance(each, ast.If) and statement in each.body
        ]
        tests = [each.test for each in guards]
        yield [*guards, *(each for node in (*near, *tests) for each in ast.walk(node))]
        yield [each for function in functions[-1:] for each in ast.walk(function)]


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


# --- What can be changed --------------------------------------------------------------------


def changes(file: File, node: ast.AST) -> Iterator[tuple[str, ast.expr | ast.stmt, str]]:
    """What kind of change, of which node, to which text."""
    text = file.source
    match node:
        case ast.Compare(ops=[op], left=left, comparators=[right]):
            yield "comparison", node, f"(({text(left)}) {COMPARISONS[type(op)]} {text(right)})"
        case ast.Compare(ops=[ast.LtE(), _], left=left, comparators=[middle, _]):
            rest = file.text[file.span(middle)[0] : file.span(node)[1]]
            yield "comparison", node, f"({text(left)} < {rest})"
        case ast.BoolOp(op=op, values=values):
            word = " and " if isinstance(op, ast.And) else " or "
            for dropped in values if not isinstance(values[-1], ast.Constant) else ():
                others = [f"({text(each)})" for each in values if each is not dropped]
                yield "condition dropped", node, f"({word.join(others)})"
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield "not dropped", node, f"bool({text(operand)})"
        case ast.BinOp(op=op, left=left, right=right) if type(op) in ARITHMETIC:
            yield "arithmetic", node, f"({text(left)} {ARITHMETIC[type(op)]} {text(right)})"
        case ast.Constant(value=bool() as value):
            yield "truth", node, str(not value)
        case ast.Constant(value=int() as value):
            yield "number", node, str(value + 1)
        case ast.IfExp(test=test, body=body, orelse=orelse) if not (
            _is_said(body) and _is_said(orelse)
        ):
            yield "branches", node, f"({text(orelse)} if {text(test)} else {text(body)})"
        case ast.If(test=test):
            yield "branch", test, f"(not ({text(test)}))"
            if any(isinstance(each, ast.Raise) for each in node.body):
                yield "refusal dropped", test, "False"
        case ast.Expr(value=ast.YieldFrom(value=ast.Call() as effect)) if not _is_telling(effect):
            yield "effect dropped", node, "pass"
        case ast.Expr(value=ast.Call(func=ast.Name(id=name))) if name in REFUSING:
            yield "refusal dropped", node, "pass"
        case ast.YieldFrom(value=ast.Call(func=ast.Name(id="confirm" | "confirm_aside"))):
            yield "answer", node, f"(not ({text(node)}))"
        case ast.Call(func=ast.Name(id=("max" | "min" | "any" | "all") as name)):
            yield "opposite", node, OPPOSITES[name] + text(node).removeprefix(name)
        case ast.Call(func=ast.Name(id="by_edition"), keywords=[one, other]):
            swapped = f"{one.arg}={text(other.value)}, {other.arg}={text(one.value)}"
            yield "editions", node, f"{text(node.func)}({swapped})"
        case ast.Call(func=ast.Name(id="Line"), args=[amount, *_]):
            yield "amount", amount, f"({text(amount)}) + 1"
        case ast.Call(func=ast.Attribute(attr="number"), args=[ast.Constant()]):
            yield "amount", node, f"({text(node)} + 1)"


def _is_telling(effect: ast.Call) -> bool:
    return isinstance(effect.func, ast.Name) and effect.func.id in ("tell", "note")


def _is_said(node: ast.expr) -> bool:
    return isinstance(node, ast.JoinedStr | ast.Constant) and not _is_number(node)


def _is_number(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, int)


@cache
def file_at(path: str) -> File:
    return File(Path(path))


def mutants_of(rule: str, cited: list[tuple[str, int]]) -> list[Mutant]:
    """The mutants nearest to where a rule is cited; the whole function, if there are none."""
    found: list[list[Mutant]] = [[], []]
    for path, line in cited:
        file = file_at(path)
        for nearness, nodes in enumerate(file.places(line)):
            for node in nodes:
                if not file.is_heard(node):
                    continue
                for kind, changed, new in changes(file, node):
                    start, end = file.span(changed)
                    old = file.text[start:end]
                    mutant = Mutant(rule, path, changed.lineno, kind, old, new, start, end)
                    if mutant not in found[nearness]:
                        found[nearness].append(mutant)
    return found[0] or found[1]
