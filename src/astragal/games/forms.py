"""The arguments of every procedure as a form: what a page or a terminal asks before it begins.

Derived from the types of the arguments; what a name stands for (a character, an ability of that
character) is in :mod:`~astragal.games.meanings`. Filled in, a form is a mapping of plain data
that :meth:`~astragal.games.game.Game.read` takes; whatever is left empty may be left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any

import msgspec
from msgspec import inspect

from astragal.games.game import Game, Procedure
from astragal.games.meanings import (
    LEADS,
    MEANINGS,
    WANTED,
    WHOEVER_BEGINS,
    FieldKind,
    Meaning,
    said,
)
from astragal.play import GM, Option, Seat

USUAL = frozenset(
    {
        "ability",
        "assistants",
        "core",
        "difficulty",
        "gear",
        "goal",
        "helpers",
        "intent",
        "opponent",
        "rocks",
        "skill",
        "sucks",
        "tags",
        "target",
        "task",
        "wager",
        "weapon",
    }
)
"""What people often say although they need not."""

SINGLE: frozenset[FieldKind] = frozenset(
    {"text", "long", "choice", "character", "ability", "own", "seat"}
)
"""What a text may stand for."""

SEVERAL: frozenset[FieldKind] = frozenset({"texts", "choices", "characters", "owns", "seats"})
"""What a list of texts may stand for."""


class Field(msgspec.Struct, frozen=True, omit_defaults=True):
    """One argument.

    ``of`` names the field whose character's sheet the choices are taken from: in the same form,
    or if it is empty there in the one around it; ``what`` is which of that page's choices.
    ``least`` and ``most`` bound a number, or how many entries a list has. ``free`` says that
    other words will do as well; ``seldom`` that few will want to fill it in.
    """

    name: str
    label: str
    kind: FieldKind
    required: bool = False
    default: Any = None
    choices: tuple[Option, ...] = ()
    least: int | None = None
    most: int | None = None
    fields: tuple[Field, ...] = ()
    help: str = ""
    of: str = ""
    what: str = ""
    free: bool = False
    seldom: bool = False


class Form(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a procedure wants to know before it begins."""

    name: str
    title: str
    fields: tuple[Field, ...] = ()
    help: str = ""
    sentence: tuple[tuple[str, str], ...] = ()
    """The fields that make the sentence of an attempt, each with the words that lead to it."""


def form_of(game: Game, procedure: Procedure | str) -> Form:
    """The form of a procedure."""
    return _form(game, game.procedure(procedure) if isinstance(procedure, str) else procedure)


@cache
def _form(game: Game, procedure: Procedure) -> Form:
    fields = _Reader(game, procedure.name).fields(procedure.arguments)
    # What has words of its own already is not what somebody is about to say.
    sentence = tuple(_sentence({field.name for field in fields if field.default is None}))
    return Form(procedure.name, procedure.title, fields, _told(procedure.arguments), sentence)


def _sentence(names: set[str]) -> Iterator[tuple[str, str]]:
    """What is wanted first, then how, as whom and with what."""
    wanted = next((name for name in WANTED if name in names), None)
    if wanted is None:
        return
    yield wanted, "I want to…"
    yield from ((name, words) for name, words in LEADS.items() if name in names - {wanted})


# --- From types to fields ------------------------------------------------------------------


class _Reader:
    """Reads the fields of one procedure's arguments."""

    def __init__(self, game: Game, procedure: str) -> None:
        self._game = game
        self._procedure = procedure

    def fields(self, struct: type[msgspec.Struct], path: str = "") -> tuple[Field, ...]:
        """The fields of a struct, each as the form shows it."""
        info = inspect.type_info(struct)
        assert isinstance(info, inspect.StructType)
        found = tuple(self._field(each, struct.__name__, path) for each in info.fields)
        people = [field.name for field in found if field.kind == "character"]
        return tuple(_with_owner(field, people) for field in found)

    def _field(self, field: inspect.Field, struct: str, path: str) -> Field:
        name = field.encode_name
        here = f"{path}.{name}" if path else name
        shape = self._shape(field.type, here)
        meaning = self._meaning(name, here, struct)
        if meaning is not None and meaning.kind in _possible(shape.kind):
            shape = msgspec.structs.replace(
                shape,
                kind=meaning.kind,
                choices=meaning.choices,
                of=meaning.of if meaning.kind in ("ability", "own", "owns") else "",
                what=meaning.what,
                free=meaning.free,
            )
        seldom = not field.required and name not in USUAL
        if meaning is not None and meaning.seldom is not None:
            seldom = meaning.seldom
        return msgspec.structs.replace(
            shape,
            name=name,
            label=(meaning.label if meaning is not None else "") or said(name),
            help=meaning.help if meaning is not None else "",
            required=field.required,
            default=self._default(field),
            seldom=seldom,
            least=shape.least if meaning is None or meaning.least is None else meaning.least,
        )

    def _meaning(self, name: str, path: str, struct: str) -> Meaning | None:
        """The game's own word for this very argument, for its type's, for its name; then all's."""
        own = self._game.meanings
        for key in (f"{self._procedure}.{path}", f"{struct}.{name}", name):
            if key in own:
                return own[key]
        return MEANINGS.get(name)

    def _default(self, field: inspect.Field) -> Any:
        if field.default_factory is not msgspec.NODEFAULT:
            value = field.default_factory()
        elif field.default is not msgspec.NODEFAULT:
            value = field.default
        else:
            return None
        plain = self._game.write(value)
        return None if plain in ("", (), [], {}) else plain

    def _shape(self, kind: inspect.Type, path: str) -> Field:
        """What the type alone says about a field."""
        match kind:
            case inspect.BoolType():
                return Field("", "", "yes_no")
            case inspect.IntType(ge=least, le=most):
                return Field("", "", "number", least=least, most=most)
            case inspect.FloatType():
                return Field("", "", "number")
            case inspect.EnumType(cls=enum):
                options = tuple(Option(str(each.value), said(str(each.value))) for each in enum)
                return Field("", "", "choice", choices=options)
            case inspect.StructType(cls=struct):
                return Field("", "", "group", fields=self.fields(struct, path))
            case inspect.DictType():
                return Field("", "", "counts")
            case inspect.VarTupleType(item_type=item) | inspect.ListType(item_type=item):
                return _several(self._shape(item, path))
            case inspect.TupleType(item_types=items):
                several = _several(self._shape(items[0], path))
                return msgspec.structs.replace(several, least=len(items), most=len(items))
            case inspect.UnionType(types=types):
                (some,) = (each for each in types if not isinstance(each, inspect.NoneType))
                return self._shape(some, path)
        return Field("", "", "text")


def _several(one: Field) -> Field:
    """The field for any number of what one field is for."""
    plural: dict[FieldKind, FieldKind] = {
        "text": "texts",
        "number": "numbers",
        "choice": "choices",
        "group": "groups",
    }
    return msgspec.structs.replace(one, kind=plural[one.kind], least=None, most=None)


def _possible(kind: FieldKind) -> frozenset[FieldKind]:
    """What a field may stand for, by what its type is."""
    if kind == "text":
        return SINGLE
    return SEVERAL if kind == "texts" else frozenset({kind})


def _with_owner(field: Field, people: list[str]) -> Field:
    """An ability is of the character named beside it: of the first, if none is called that."""
    if not field.of or field.of in people or not people:
        return field
    return msgspec.structs.replace(field, of=people[0])


_RULE = re.compile(r"\s*\(?\b[a-z]\w*(?:\.\w+)+\)?(?=[.,;:]?(?:\s|$))")
_ROLE = re.compile(r":\w+:`~?([^`]*)`")
_NAME = re.compile(r"``(\w+)``")


def _told(struct: type[msgspec.Struct]) -> str:
    """What the arguments are, in the words of their own description, without the rules behind.

    The names of arguments are written as the form labels them.
    """
    text = plain_words(struct.__doc__ or "")
    return _NAME.sub(lambda name: f'"{said(name[1])}"', text).replace("``", "")


def plain_words(description: str) -> str:
    """A description of the code as one line, without the rules behind it."""
    text = _ROLE.sub(r"\1", _RULE.sub("", " ".join(description.split())))
    return text.replace("..", ".").strip()


# --- From arguments to characters ----------------------------------------------------------


def characters_in(
    game: Game, procedure: Procedure | str, arguments: Mapping[str, Any], known: Iterable[str]
) -> tuple[str, ...]:
    """The characters at the table that a procedure is about, each once, in the order named.

    Those are all whom the arguments name; everybody where it touches everybody, as the passing
    of time does, or where a list of characters is left empty and nobody else is named.
    """
    begun = game.procedure(procedure) if isinstance(procedure, str) else procedure
    form, there = form_of(game, begun), tuple(known)
    if begun.touches_all:
        return there
    names = (name for name, _ in _named(form.fields, arguments))
    named = tuple(dict.fromkeys(name for name in names if name in there))
    lists = any(field.kind == "characters" for field in form.fields)
    return named or (there if lists else ())


def named_in(
    game: Game, procedure: Procedure | str, arguments: Mapping[str, Any]
) -> tuple[tuple[str, bool], ...]:
    """Every name where a character is asked for, and whether other words would do there, too."""
    named = _named(form_of(game, procedure).fields, arguments)
    return tuple(dict.fromkeys((name, is_free) for name, is_free in named if name))


def signed(
    game: Game, procedure: Procedure | str, arguments: Mapping[str, Any], seat: Seat
) -> dict[str, Any]:
    """The arguments with the seat that begins it filled in where they ask who speaks.

    Nobody but the GM speaks for another seat: what a player nominates is that player's word.
    """
    if seat == GM:
        return dict(arguments)
    return _signed(form_of(game, procedure).fields, arguments, seat)


def _signed(fields: tuple[Field, ...], arguments: Mapping[str, Any], seat: Seat) -> dict[str, Any]:
    after = dict(arguments)
    for field in fields:
        value = after.get(field.name)
        if field.kind == "seat" and field.what == WHOEVER_BEGINS:
            after[field.name] = seat
        elif field.kind == "group" and isinstance(value, Mapping):
            after[field.name] = _signed(field.fields, value, seat)
        elif field.kind == "groups" and isinstance(value, list | tuple):
            after[field.name] = [
                _signed(field.fields, each, seat) if isinstance(each, Mapping) else each
                for each in value
            ]
    return after


def _named(fields: tuple[Field, ...], arguments: Mapping[str, Any]) -> Iterator[tuple[str, bool]]:
    for field in fields:
        value = arguments.get(field.name)
        if field.kind == "character" and isinstance(value, str):
            yield value, field.free
        elif field.kind in ("characters", "groups") and isinstance(value, list | tuple):
            for each in value:
                if isinstance(each, str):
                    yield each, field.free
                elif isinstance(each, Mapping):
                    yield from _named(field.fields, each)
        elif field.kind == "group" and isinstance(value, Mapping):
            yield from _named(field.fields, value)
