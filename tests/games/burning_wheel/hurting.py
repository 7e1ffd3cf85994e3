"""How the tests of injury hurt somebody, and tend them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games.burning_wheel.playing import AnyRolls, Played, play, table

STATS = dict.fromkeys(("Will", "Perception", "Agility", "Speed", "Power", "Forte"), "B4")
MAN: dict[str, Any] = {
    "stats": STATS,
    "attributes": {"Health": "B5", "Reflexes": "B4"},
    "tolerances": ["B3", "B5", "B7", "B8", "B9", "B10"],
}
"""Superficial from B3, Light from B5, Midi B7, Severe B8, Traumatic B9, Mortal B10."""

STEP = {
    "Superficial": "B3",
    "Light": "B5",
    "Midi": "B7",
    "Severe": "B8",
    "Traumatic": "B9",
    "Mortal": "B10",
}
HEALER: dict[str, Any] = {
    "skills": {"Surgery": "B7", "Herbalism": "B5", "Field Dressing": "B4"},
    "attributes": {"Health": "B4"},
}


def man(options: Mapping[str, str] | None = None, **more: Any) -> Any:
    """A table with the man, a healer and a second one."""
    other = {"skills": {"Khirurgy": "B6"}}
    return table(options=options, man={**MAN, **more}, healer=HEALER, other=other)


def hit(at: Any, *levels: str, **more: Any) -> Any:
    """The table after wounds of these levels."""
    for level in levels:
        at = blow(at, STEP.get(level, level), **more).table
    return at


def blow(
    at: Any, step: str, rolls: AnyRolls | None = (), answers: Any = None, **more: Any
) -> Played:
    return play("take_wound", {"character": "man", "at": step, **more}, at, answers, rolls)


def wait(at: Any, time: str, answers: Any = None, rolls: AnyRolls | None = ()) -> Played:
    return play("let_time_pass", {"time": time}, at, answers, rolls)


def tend(
    at: Any, successes: int | None, answers: Any = None, more_rolls: AnyRolls = (), **more: Any
) -> Played:
    """Treat the man's first wound, by Surgery; without successes no dice are rolled."""
    return _care("treat", at, successes, answers, more_rolls, more)


def staunch(at: Any, successes: int | None, answers: Any = None, **more: Any) -> Played:
    """Stop the bleeding of the man's first wound, by Surgery."""
    return _care("stop_bleeding", at, successes, answers, (), more)


def _care(
    what: str, at: Any, successes: int | None, answers: Any, more_rolls: AnyRolls, more: Any
) -> Played:
    care = {"healer": "healer", "patient": "man", "skill": "Surgery", **more}
    rolls = [*([] if successes is None else [successes]), *more_rolls]
    return play(what, care, at, answers, rolls)


def recover(
    at: Any, successes: int, answers: Any = None, more_rolls: AnyRolls = (), **more: Any
) -> Played:
    arguments = {"character": "man", **more}
    return play("recover", arguments, at, answers, [successes, *more_rolls])


def the_man(at: Any) -> Any:
    return at.character("man")


def body(at: Any) -> Any:
    """What the wounds of the man cost now, and how he is."""
    return play("grayscale", {"character": "man"}, at).outcome
