"""The reference of every procedure: its arguments, the questions it may ask, its outcome.

Arguments and outcomes are read from their types. The questions come from ``questions.json`` of
the game's package, which ``make reference`` reads from the code; a test keeps it current. What an
argument or a field means is said by its type's description, or in ``meanings.toml`` of the package
or of this one.
"""

from __future__ import annotations

import re
import tomllib
import typing
from collections.abc import Iterator, Mapping
from enum import Enum
from functools import cache
from importlib.resources import files
from types import NoneType, UnionType
from typing import Any

import msgspec
from msgspec import inspect

from astragal.games.forms import Field, form_of, plain_words
from astragal.games.game import Game, Procedure
from astragal.play import Tally
from astragal.rules import catalogue

OPEN = "…"
"""Stands in keys and prompts for what only play decides."""


class QuestionReference(msgspec.Struct, frozen=True, omit_defaults=True):
    """A question that a procedure may ask.

    ``seats`` are those to whom it is put: the GM, the character's player, somebody else named by
    what they do. ``defaults`` are the defaults it can have; it has none if it ``can_lack_default``,
    and one that play decides if its ``default_varies``.
    """

    key: str
    chapter: str
    answer: str
    seats: tuple[str, ...]
    prompt: str = ""
    rules: tuple[str, ...] = ()
    defaults: tuple[Any, ...] = ()
    can_lack_default: bool = False
    default_varies: bool = False
    options: tuple[str, ...] = ()
    all_options: bool = False
    kind: str = ""


class ArgumentReference(msgspec.Struct, frozen=True):
    """An argument; the name of one inside another has that in front: ``sides[].character``."""

    name: str
    type: str
    required: bool
    default: str
    meaning: str


class OutcomeField(msgspec.Struct, frozen=True):
    """A field of what a procedure comes to."""

    name: str
    type: str
    meaning: str


class ProcedureReference(msgspec.Struct, frozen=True):
    """Everything that a script or a program has to know of a procedure."""

    name: str
    title: str
    game: str
    chapter: str
    about: str
    rules: tuple[str, ...]
    gm_only: bool
    arguments: tuple[ArgumentReference, ...]
    arguments_about: str
    questions: tuple[QuestionReference, ...]
    outcome: tuple[OutcomeField, ...]
    outcome_about: str


class _ProcedureQuestions(msgspec.Struct, frozen=True):
    chapter: str
    questions: tuple[str, ...]


class QuestionFile(msgspec.Struct, frozen=True):
    """The questions of a game by an id, and which of them each procedure may ask."""

    procedures: dict[str, _ProcedureQuestions]
    questions: dict[str, QuestionReference]


@cache
def question_file(game: Game) -> QuestionFile:
    """What ``make reference`` found in the code of a game."""
    raw = files(game.package).joinpath("questions.json").read_bytes()
    return msgspec.json.decode(raw, type=QuestionFile)


def reference_of(game: Game, procedure: Procedure) -> ProcedureReference:
    """The reference of one procedure."""
    return _Writer(game, procedure).reference()


def references(game: Game) -> tuple[ProcedureReference, ...]:
    """The reference of every procedure of a game, chapter by chapter."""
    every = [reference_of(game, each) for each in game.procedures.values()]
    order = list(dict.fromkeys(each.chapter for each in every))
    return tuple(sorted(every, key=lambda each: order.index(each.chapter)))


class _Writer:
    """Puts the reference of one procedure together."""

    def __init__(self, game: Game, procedure: Procedure) -> None:
        self._game = game
        self._procedure = procedure

    def reference(self) -> ProcedureReference:
        game, procedure = self._game, self._procedure
        asked = question_file(game)
        found = asked.procedures.get(procedure.name, _ProcedureQuestions(game.name, ()))
        described = procedure.run.__doc__ or ""
        outcome = outcome_type(procedure)
        return ProcedureReference(
            procedure.name,
            procedure.title,
            game.name,
            found.chapter,
            in_plain_words(described),
            tuple(each for each in catalogue().mentions.in_text(described) if each in catalogue()),
            procedure.gm_only,
            tuple(self._arguments(procedure.arguments, form_of(game, procedure).fields, "")),
            in_plain_words(procedure.arguments.__doc__ or ""),
            tuple(asked.questions[each] for each in found.questions),
            tuple({each.name: each for each in self._outcome(outcome)}.values()),
            in_plain_words(outcome.__doc__ or ""),
        )

    def _arguments(
        self, struct: type[msgspec.Struct], fields: tuple[Field, ...], path: str
    ) -> Iterator[ArgumentReference]:
        kinds = {field.encode_name: field.type for field in _fields(struct)}
        for field in fields:
            name = f"{path}{field.name}"
            default = "" if field.required else _default_in_words(field.default)
            meaning = self.meaning(struct, field)
            yield ArgumentReference(name, type_in_words(field), field.required, default, meaning)
            if field.fields:
                inner = next(_structs(kinds[field.name]))
                several = "[]" if field.kind == "groups" else ""
                yield from self._arguments(inner, field.fields, f"{name}{several}.")

    def meaning(self, struct: type[msgspec.Struct], field: Field) -> str:
        """What an argument means: as its type says it, as the form does, or as the table does."""
        own, shared = _meanings(self._game.package), _meanings("astragal.games")
        for_this_type = own.get(f"{struct.__name__}.{field.name}", "")
        by_name = own.get(field.name) or shared.get(field.name, "")
        return for_this_type or said_of(struct, field.name) or by_name or field.help

    def _outcome(self, struct: type[msgspec.Struct], path: str = "") -> Iterator[OutcomeField]:
        hints = typing.get_type_hints(struct)
        for field in msgspec.structs.fields(struct):
            name, kind = f"{path}{field.encode_name}", hints[field.name]
            words = self._type_of(kind)
            words = words.replace("fields below", "fields") if path else words
            meaning = self._of_outcome(struct, field.name)
            yield OutcomeField(name, words, meaning)
            if not path:
                several = "[]" if _is_list(kind) else ""
                for inner in _structs_in(kind):
                    yield from self._outcome(inner, f"{name}{several}.")

    def _of_outcome(self, struct: type[msgspec.Struct], name: str) -> str:
        own, shared = (
            _meanings(package, "outcomes") for package in (self._game.package, "astragal.games")
        )
        for_this_type = own.get(f"{struct.__name__}.{name}", "")
        return for_this_type or said_of(struct, name) or own.get(name) or shared.get(name, "")

    def _type_of(self, kind: Any) -> str:
        """The type of a value in an outcome, which is only ever written, never read."""
        inner = [each for each in typing.get_args(kind) if each is not Ellipsis]
        if _is_union(kind):
            some = dict.fromkeys(self._type_of(each) for each in inner if each is not NoneType)
            return " or ".join(some) + (", or none" if NoneType in inner else "")
        match typing.get_origin(kind):
            case typing.Literal:
                return f"one of {', '.join(f'`{value}`' for value in inner)}"
            case origin if origin in (dict, Mapping):
                return f"{_plural(self._type_of(inner[1]))} by name"
            case origin if origin in (tuple, list, frozenset):
                several = dict.fromkeys(self._type_of(each) for each in inner)
                if typing.get_args(kind)[-1:] == (Ellipsis,) or len(inner) == 1:
                    words = ", ".join(map(_plural, several))
                    return "list, fields below" if words == "fields below" else f"list of {words}"
                return f"list of {len(inner)}: {', '.join(map(self._type_of, inner))}"
        if kind is bool:
            return "yes or no"
        if kind in (int, float):
            return "number"
        if kind is Tally:
            return "number, with its reasons"
        if isinstance(kind, type) and issubclass(kind, Enum):
            return f"one of {', '.join(f'`{self._game.write(each)}`' for each in kind)}"
        return "fields below" if list(_structs_in(kind)) else "text"


def outcome_type(procedure: Procedure) -> type[msgspec.Struct]:
    """What a procedure comes to, by the type of its function."""
    returned = typing.get_type_hints(procedure.run)["return"]
    of_generator = typing.get_args(returned)[2]
    outcome: type[msgspec.Struct] = next(
        each
        for each in typing.get_args(of_generator)
        if isinstance(each, type) and issubclass(each, msgspec.Struct)
    )
    return outcome


# --- Words ---------------------------------------------------------------------------------


def in_plain_words(text: str) -> str:
    """A description of the code as people read it: without rules, names as they are written."""
    words = plain_words(text).replace("``", "`")
    gap = re.compile(r"[.;:,](?:\s*[.,;:])+")  # where a row of rules stood
    words = gap.sub(lambda marks: "." if "." in marks[0] else marks[0][0], words)
    return re.sub(r"(?<=\. )[a-z]", lambda letter: letter[0].upper(), words)


def said_of(struct: type[msgspec.Struct], name: str) -> str:
    """What the description of a type says of one of its fields, or nothing.

    A part of a sentence that begins with the name is taken without it, any other as it is.
    """
    for each in struct.__mro__:
        is_ours = issubclass(each, msgspec.Struct) and each is not msgspec.Struct
        if is_ours and f"``{name}``" in (each.__doc__ or ""):
            return _part_about(name, plain_words(each.__doc__ or ""))
    return ""


def _part_about(name: str, text: str) -> str:
    sentence = next(each for each in re.split(r"(?<=[.;])\s+", text) if f"``{name}``" in each)
    parts = re.split(r"(?:,? and |, |: )(?=``\w+``)", sentence)
    at = next(at for at, each in enumerate(parts) if f"``{name}``" in each)
    while re.fullmatch(r"``\w+``", parts[at]) and at + 1 < len(parts):
        at += 1  # several names share what is said
    part = re.sub(r"^``\w+``", f"``{name}``", parts[at])
    begins = re.fullmatch(rf"``{name}`` (?:is |are |says |names )?(.*)", part, re.S)
    alone = re.sub(r"^that ", "whether ", begins[1]) if begins else sentence
    words = alone.strip().rstrip(".;,").replace("``", "`")
    return words[:1].lower() + words[1:] if words[1:2].islower() else words


def type_in_words(field: Field) -> str:
    """What may be given for an argument."""
    of = f" of `{field.of}`" if field.of else ""
    choices = ", ".join(f"`{option.key}`" for option in field.choices)
    free = ", or other words" if field.free else ""
    match field.kind:
        case "text" | "long":
            return "text"
        case "number":
            return f"number{_range(field)}"
        case "yes_no":
            return "yes or no"
        case "choice":
            return f"one of {choices}{free}"
        case "choices":
            return f"list of {choices}{free}"
        case "texts":
            return f"list of texts{_range(field)}"
        case "numbers":
            return f"list of numbers{_range(field)}"
        case "counts":
            return "numbers by name"
        case "characters" | "seats":
            return f"list of {field.kind}{free}"
        case "own":
            return f"{field.what}{of}{free}"
        case "owns":
            return f"list of {field.what}{of}{free}"
        case "group":
            return "fields below"
        case "groups":
            return f"list{_range(field)}, fields below"
    return f"{field.kind}{of}{free}"


def _range(field: Field) -> str:
    match field.least, field.most:
        case None, None:
            return ""
        case least, None:
            return f" ({least} or more)"
        case None, most:
            return f" (up to {most})"
        case least, most:
            return f" ({least})" if least == most else f" ({least} to {most})"


def _default_in_words(default: Any) -> str:
    return "none" if default is None else value_in_words(default)


def value_in_words(value: Any) -> str:
    """A value as a person reads it in a table."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str):
        return f"`{value}`" if value else "empty"
    if isinstance(value, list | tuple):
        return ", ".join(map(value_in_words, value)) or "none"
    if isinstance(value, Mapping):
        given = (f"{key} {value_in_words(each)}" for key, each in value.items())
        return ", ".join(given) or "none"
    return str(value)


# --- Types ---------------------------------------------------------------------------------


def _fields(struct: type[msgspec.Struct]) -> tuple[inspect.Field, ...]:
    info = inspect.type_info(struct)
    assert isinstance(info, inspect.StructType)
    return info.fields


def _structs(kind: inspect.Type) -> Iterator[type[msgspec.Struct]]:
    """The types with fields of their own in the type of an argument."""
    match kind:
        case inspect.StructType(cls=struct):
            yield struct
        case inspect.UnionType(types=several) | inspect.TupleType(item_types=several):
            for each in several:
                yield from _structs(each)
        case inspect.VarTupleType(item_type=item) | inspect.ListType(item_type=item):
            yield from _structs(item)


def _structs_in(kind: Any) -> Iterator[type[msgspec.Struct]]:
    """The types with fields of their own in the type of an outcome; a tally is just a number."""
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        if kind is not Tally and not _is_written_as_text(kind):
            yield kind
        return
    found = dict.fromkeys(each for part in typing.get_args(kind) for each in _structs_in(part))
    yield from found


def _is_written_as_text(kind: type) -> bool:
    """Whether a value has no fields for people, as a rating has none."""
    return "__str__" in vars(kind)


def _is_list(kind: Any) -> bool:
    if _is_union(kind):
        return any(map(_is_list, typing.get_args(kind)))
    return typing.get_origin(kind) in (tuple, list, frozenset)


def _is_union(kind: Any) -> bool:
    return typing.get_origin(kind) in (typing.Union, UnionType)


def _plural(words: str) -> str:
    return f"{words}s" if words in ("text", "number") else words


# --- The tables of meanings ----------------------------------------------------------------


@cache
def _meanings(package: str, of: str = "arguments") -> Mapping[str, str]:
    file = files(package).joinpath("meanings.toml")
    found: Mapping[str, str] = tomllib.loads(file.read_text(encoding="utf-8")).get(of, {})
    return found


# --- Questions in words --------------------------------------------------------------------

MOST_DEFAULTS = 2
"""How many defaults are listed; beyond that, the default just depends on what is played."""

_ANSWERS = {
    "yes_no": "yes or no",
    "pick_one": "one",
    "pick_several": "list",
    "number": "number",
    "split": "a number for each",
    "script": "list of cards",
    "text": "text",
    "faces": "list of faces",
}


def answers_in_words(question: QuestionReference) -> str:
    """Which answers a question takes, as far as that is known before play."""
    kind = _ANSWERS[question.answer]
    if not question.options:
        return kind
    named = [f"`{option}`" for option in question.options]
    if not question.all_options:
        named.append(OPEN)
    return f"{kind} of {', '.join(named)}"


def default_in_words(question: QuestionReference) -> str:
    """What happens if nobody answers."""
    possible = [value_in_words(each) for each in question.defaults]
    if question.default_varies or len(possible) > MOST_DEFAULTS:
        possible = [*possible, "depends"] if len(possible) < MOST_DEFAULTS else ["depends"]
    if question.can_lack_default:
        possible.append("needed" if not possible else "else needed")
    return " or ".join(possible).replace(" or else ", ", else ")
