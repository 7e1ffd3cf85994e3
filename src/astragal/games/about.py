"""In a few words what an attempt is about, from the arguments of its procedure alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from astragal.games.game import Procedure

WANTED = (
    "intent",
    "goal",
    "wish",
    "about",
    "item",
    "sought",
    "work",
    "title",
    "event",
    "situation",
    "source",
    "what",
    "why",
    "reason",
    "reached",
    "time",
)
"""Arguments that say what it is for, or what it is about; the first that is given counts."""

DONE = ("task", "how", "doing")
"""Arguments that say how it is done."""

WITH = ("ability", "skill", "core", "score", "characteristic")
"""Arguments that name what is tested."""

TOGETHER = {"members"}
"""Arguments that name those who act together, not against each other."""

CHAINED = {"tests"}
"""Arguments that name one attempt after the other."""

WHO = ("character", "asker", "healer", "instructor", "pursuer", "helper", "lender", "opponent")
"""Arguments that name who acts."""


def plain_words(
    procedure: Procedure, arguments: Mapping[str, Any], names: Mapping[str, str]
) -> str:
    """What somebody wants, how, and with which ability; the procedure's title if none is said.

    >>> from astragal.games import game_named
    >>> test = game_named("burning_wheel").procedure("standard_test")
    >>> said = {"character": "mara", "intent": "find the door", "task": "asks the porters",
    ...         "ability": "Streetwise"}
    >>> plain_words(test, said, {"mara": "Mara"})
    "find the door: asks the porters (Mara's Streetwise)"

    Those who act together are not against each other, and neither are the parts of a chain.

    >>> chain = game_named("burning_wheel").procedure("linked_tests")
    >>> said = {"intent": "get in", "tests": [{"character": "mara", "ability": "Stealthy"},
    ...                                       {"character": "mara", "ability": "Lockpick"}]}
    >>> plain_words(chain, said, {"mara": "Mara"})
    "get in (Mara's Stealthy, then Mara's Lockpick)"

    >>> group = game_named("signs").procedure("group_test")
    >>> said = {"goal": "lift the bell", "members": [{"character": "ann", "score": "Skill"},
    ...                                              {"character": "ben", "score": "Think"}]}
    >>> plain_words(group, said, {"ann": "Ann", "ben": "Ben"})
    "lift the bell (Ann's Skill and Ben's Think)"
    """
    sides = tuple(_sides(arguments))
    told = [_first(arguments, WANTED), _first(arguments, DONE)]
    if not any(told) and sides:
        told = [_first(sides[0], WANTED), _first(sides[0], DONE)]
    words = ": ".join(part for part in told if part)
    each_side = (_who(arguments, names), *(_team(side, names) for side in sides))
    named = list(filter(None, each_side))
    if TOGETHER & arguments.keys():
        who = listed(named)
    else:
        who = (", then " if CHAINED & arguments.keys() else " against ").join(named)
    if words and who:
        return f"{words} ({who})"
    return words or who or procedure.title


def _sides(arguments: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """The forms within the form that name somebody: the sides of a contest, mostly."""
    for value in arguments.values():
        for each in value if isinstance(value, list | tuple) else (value,):
            if isinstance(each, Mapping) and (_first(each, WHO) or any(_sides(each))):
                yield each


def _team(side: Mapping[str, Any], names: Mapping[str, str]) -> str:
    """Who is on a side: one, or several who stand together."""
    alone = _who(side, names)
    return alone or listed([_who(member, names) for member in _sides(side)])


def listed(names: Sequence[str]) -> str:
    """Names in a row.

    >>> listed(["Ann"]), listed(["Ann", "Ben", "Cleo"])
    ('Ann', 'Ann, Ben and Cleo')
    """
    *others, last = names or ("",)
    return f"{', '.join(others)} and {last}" if others else last


def _who(arguments: Mapping[str, Any], names: Mapping[str, str]) -> str:
    key = _first(arguments, WHO)
    if not key:
        return ""
    name, ability = names.get(key, key), _first(arguments, WITH)
    return f"{name}'s {ability[:1].upper()}{ability[1:]}" if ability else name


def _first(arguments: Mapping[str, Any], fields: tuple[str, ...]) -> str:
    """The first of these arguments that was given as words."""
    for field in fields:
        value = arguments.get(field)
        if isinstance(value, str) and value.strip():
            return " ".join(value.split())
    return ""
