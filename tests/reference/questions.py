"""The questions that each procedure may ask, read from the code.

Each place where a question is put gives one `QuestionRead` for every way in which the code can
lead there: wherever key, seat, default or rule are handed down, the callers are followed.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from astragal import play
from astragal.games import Procedure
from astragal.play import GM, Option
from reference.evaluating import Choices, Evaluator, Unknown
from reference.sources import Function, Sources

KINDS = {
    "YesNo": "yes_no",
    "PickOne": "pick_one",
    "PickSeveral": "pick_several",
    "Number": "number",
    "Split": "split",
    "Script": "script",
    "Text": "text",
    "Faces": "faces",
}


@dataclass(frozen=True)
class QuestionRead:
    """One question as the code puts it; what only play decides is `Unknown`."""

    place: str
    """The module."""
    line: int
    key: str
    seat: Any
    prompt: str
    answer: str
    default: Any
    rule: Any
    kind: str = ""
    options: tuple[str, ...] = ()
    """The keys on offer, as far as they stand in the code."""
    all_options: bool = field(default=False)
    """Whether these are all there are."""
    is_of_several: bool = field(default=False)
    """Whether several seats are asked at once."""


class QuestionReader:
    """Reads every place where a question is put once, with all ways to it."""

    def __init__(self, sources: Sources) -> None:
        """Read the code of the games."""
        self.sources = sources
        self._read: dict[ast.Call, list[tuple[QuestionRead, frozenset[Function]]]] = {
            site: list(_read(site, function, sources))
            for function in sources.asking
            for site in function.sites
        }

    def of(self, procedure: Procedure) -> Iterator[QuestionRead]:
        """Every question that a procedure may lead to, about in the order of play."""
        there, sites = self.sources.reached(self.sources.run_of(procedure))
        for site in sites:
            yield from dict.fromkeys(read for read, way in self._read[site] if way <= there)


def _read(
    site: ast.Call, function: Function, sources: Sources
) -> Iterator[tuple[QuestionRead, frozenset[Function]]]:
    """What is asked in one place, with the functions that the way to it goes through."""
    how = sources.is_of_play(site.func, function)
    given = _given(site, getattr(play, how))
    evaluator = Evaluator(function)
    for key, by_key in evaluator.results(given["key"]):
        for rule, by_rule in evaluator.results(given["because"], by_key):
            for seat, by_seat in evaluator.results(given["seat"], by_rule):
                for answer, default, options, complete in _question(how, given, evaluator, by_seat):
                    prompt = evaluator.in_words(given["prompt"], by_seat)
                    kind = _kind(how, default, given.get("kind"), evaluator, by_seat)
                    read = QuestionRead(
                        function.place[0],
                        site.lineno,
                        str(key),
                        _seat(seat),
                        prompt,
                        answer,
                        _plain(default),
                        rule,
                        kind,
                        options,
                        complete,
                        how == "Ask" and sources.asks_several(function),
                    )
                    yield read, frozenset(caller for _, _, caller in by_seat.callers)


def _kind(
    how: str, default: Any, given: ast.expr | None, evaluator: Evaluator, choices: Choices
) -> str:
    """What becomes of the question untouched; empty where that depends on the situation."""
    if how == "consent":
        return "consent"
    if how == "confirm_aside":
        return "aside"
    if default is None:
        return "needed"
    if isinstance(default, Unknown) or not isinstance(given, ast.Constant):
        return ""
    return next(str(kind) for kind, _ in evaluator.results(given, choices))


def _given(site: ast.Call, called: Any) -> dict[str, ast.expr | None]:
    """The arguments of a call by name, and the defaults of those that are not given."""
    parameters = inspect.signature(called).parameters
    found: dict[str, ast.expr | None] = {
        name: None if each.default is each.empty else ast.Constant(each.default)
        for name, each in parameters.items()
    }
    found.update(zip(parameters, site.args, strict=False))
    found.update((each.arg, each.value) for each in site.keywords if each.arg)
    return found


def _seat(seat: Any) -> str:
    if seat == GM:
        return "gm"
    return seat.label if isinstance(seat, Unknown) else str(seat)


def _plain(value: Any) -> Any:
    """A default as it stands in a file."""
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, tuple | list):
        return tuple(_plain(each) for each in value)
    return value


# --- Which answers it takes ------------------------------------------------------------------

Question = tuple[str, Any, tuple[str, ...], bool]


def _question(
    how: str, given: dict[str, ast.expr | None], evaluator: Evaluator, choices: Choices
) -> Iterator[Question]:
    """The kind of question, its default, its options, and whether these are all."""
    if how == "consent":
        yield "yes_no", True, (), False
    elif how == "confirm_aside":
        yield "yes_no", False, (), False
    elif how == "confirm":
        for default, _ in evaluator.results(given["default"], choices):
            yield "yes_no", default, (), False
    elif how == "choose":
        options, complete = _options(given["options"], evaluator, choices)
        for default, _ in evaluator.results(given["default"], choices):
            yield "pick_one", default, options, complete
    else:
        for call, depth, inside in _constructors(given["question"], evaluator, choices, 0):
            evaluator, choices = inside or (evaluator, choices)
            parts = {each.arg: each.value for each in call.keywords}
            options, complete = (), False
            offered = parts.get("options") or parts.get("cards") or parts.get("pools")
            if offered is not None:
                options, complete = _options(offered, evaluator, choices, depth)
            name = call.func.id if isinstance(call.func, ast.Name) else ""
            for default, _ in evaluator.results(parts.get("default"), choices, depth):
                yield KINDS[name], default, options, complete and "write_in" not in parts


Inside = tuple[Evaluator, Choices] | None
"""Where a question is made, if that is a function of its own."""


def _constructors(
    node: ast.expr | None, evaluator: Evaluator, choices: Choices, depth: int
) -> Iterator[tuple[ast.Call, int, Inside]]:
    """The calls that make a question, wherever it was put into a variable or handed down."""
    match node:
        case ast.Call(func=ast.Name(id=name)) if name in KINDS:
            yield node, depth, None
        case ast.IfExp(body=one, orelse=other):
            yield from _constructors(one, evaluator, choices, depth)
            yield from _constructors(other, evaluator, choices, depth)
        case ast.Name(id=name):
            function = evaluator.function(depth, choices)
            for each in ast.walk(function.node):
                match each:
                    case ast.Assign(targets=[ast.Name(id=target)], value=value) if target == name:
                        yield from _constructors(value, evaluator, choices, depth)
                    case ast.Assign(targets=[ast.Tuple(elts=names)], value=ast.Call() as call):
                        yield from _returned(name, names, call, function)
            if name in function.parameters:
                for given, way in evaluator.passed(name, choices, depth):
                    yield from _constructors(given, evaluator, way, depth + 1)


def _returned(
    name: str, names: list[ast.expr], call: ast.Call, function: Function
) -> Iterator[tuple[ast.Call, int, Inside]]:
    """The calls that make a question in a function which gives it together with something else."""
    places = [at for at, each in enumerate(names) if isinstance(each, ast.Name) and each.id == name]
    for made, _, called in function.calls:
        if made is call and places:
            for each in ast.walk(called.node):
                if isinstance(each, ast.Return) and isinstance(each.value, ast.Tuple):
                    evaluator, choices = Evaluator(called), Choices()
                    part = each.value.elts[places[0]]
                    for found, depth, _ in _constructors(part, evaluator, choices, 0):
                        yield found, depth, (evaluator, choices)


def _options(
    node: ast.expr | None, evaluator: Evaluator, choices: Choices, depth: int = 0
) -> tuple[tuple[str, ...], bool]:
    """The keys of the options that stand in the code, and whether these are all."""
    keys: dict[str, None] = {}
    complete = True
    for value, _ in evaluator.results(node, choices, depth):
        if isinstance(value, Mapping):
            keys.update(dict.fromkeys(map(str, value)))
        elif isinstance(value, tuple | list) and all(isinstance(o, Option) for o in value):
            keys.update((each.key, None) for each in value)
        else:
            complete = False
    if complete:
        return tuple(keys), bool(keys)
    return tuple(_written(node, evaluator, choices, depth)), False


def _written(
    node: ast.expr | None, evaluator: Evaluator, choices: Choices, depth: int
) -> Iterator[str]:
    """Keys that are written out among others that are not."""
    match node:
        case ast.Dict(keys=keys):
            for key in keys:
                if isinstance(key, ast.Constant):
                    yield str(key.value)
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            for part in parts:
                if isinstance(part, ast.Starred):
                    yield from _written(part.value, evaluator, choices, depth)
                    continue
                for value, _ in evaluator.results(part, choices, depth):
                    if isinstance(value, Option):
                        yield value.key
