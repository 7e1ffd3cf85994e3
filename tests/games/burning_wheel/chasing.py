"""Hound and hare: how the tests of the chase play it."""

from __future__ import annotations

from typing import Any

from astragal.games.burning_wheel import BurningTable
from games.burning_wheel.playing import Played, play, table

HOUND: dict[str, Any] = {"stats": {"Speed": "B4"}}
HARE: dict[str, Any] = {"stats": {"Speed": "B4"}}
LUCKY = {"name": "Lucky", "kind": "call_on", "effects": ["break_tie"]}


def two(hound: dict[str, Any] | None = None, hare: dict[str, Any] | None = None) -> BurningTable:
    return table(hound=hound or HOUND, hare=hare or HARE)


def after(
    at: BurningTable,
    rolls: Any,
    answers: dict[str, Any] | None = None,
    pursuers: tuple[str, ...] = ("hound",),
    pursued: tuple[str, ...] = ("hare",),
    **more: Any,
) -> Played:
    """A chase of hound and hare, unless told otherwise."""
    sides = {
        "pursuers": [{"character": name} for name in pursuers],
        "pursued": [{"character": name} for name in pursued],
    }
    return play("chase", {**sides, **more}, at, answers, rolls)


def on(at: BurningTable, rolls: Any, answers: dict[str, Any] | None = None) -> Played:
    return play("run_on", {"character": "hound"}, at, answers, rolls)


def results(run: Played) -> list[str]:
    return [each.result.name.casefold() for each in run.outcome.results]


def dice_of(run: Played) -> list[int]:
    return [roll.expression.dice.total for roll in run.rolls]  # type: ignore[attr-defined]
