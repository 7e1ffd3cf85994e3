"""The questions that the scenarios meet, each with the procedure that asked it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from astragal.dice import Seeded
from astragal.play import Ask
from test_examples import SCENARIOS, scenario


class QuestionMet(NamedTuple):
    """A question as somebody was asked it."""

    place: str
    game: str
    procedure: str
    ask: Ask


def questions_met() -> Iterator[QuestionMet]:
    """Every question of every scenario, in their order."""
    for path in SCENARIOS:
        the_scenario = scenario(path)
        for number, result in enumerate(the_scenario.play(Seeded(path.stem)), 1):
            for ask in result.asked:
                place = f"{path.name}, step {number}"
                yield QuestionMet(place, the_scenario.game.name, result.script.procedure, ask)
