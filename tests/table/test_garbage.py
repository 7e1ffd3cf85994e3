"""Playing leaves nothing behind that only a collector of garbage could find.

A server that has to look through all its tables for garbage makes everybody wait meanwhile.
"""

from __future__ import annotations

import asyncio
import gc

import pytest

from astragal.errors import Refusal
from astragal.games import game_named, games
from astragal.games.demo import Demo
from astragal.play import GM
from astragal.table.commands import commands as do
from table.company import Company, table, usual


async def a_test(at: Company, demo: Demo, number: int) -> None:
    """A suggested test from beginning to end, by cards and by single answers, with a slip."""
    suggestion = demo.suggestions[0]
    again = {
        key: f"{value} {number}" if isinstance(value, str) and " " in value else value
        for key, value in suggestion.arguments.items()
    }
    test = await at.begin(GM, suggestion.procedure, **again)
    for _ in range(60):
        if not await at.is_open(test):
            return
        question = (await at.open(test)).questions[0]
        seen = await at.tables.card(at.id, GM, test)
        with pytest.raises(Refusal):
            await at.do(question.seat, do.AnswerQuestion(test, question.step + 40, "no such step"))
        answer = 3 if question.key in ("obstacle", "dn") else usual(question.question)
        if number % 2:
            for line in (each for each in seen.lines if each.is_open and each.question):
                said = do.ReadyAnswer(line.key, line.prompt, usual(line.question))
                await at.do(line.seat, do.DraftAnswers(test, (said,)))
            for seat in seen.releasers:
                await at.do(seat, do.ReleaseDice(test))
        else:
            await at.do(question.seat, do.AnswerQuestion(test, question.step, answer))
    raise AssertionError(f"{test} does not end")


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(games()))
def test_playing_leaves_nothing_to_collect(name: str):
    async def play() -> list[object]:
        demo = game_named(name).at_table.demo
        async with table(name) as at:
            await at.sit("anna", plays=next(iter(demo.characters)))
            listening = [await at.tables.subscribe(at.id, seat) for seat in (GM, "anna")]
            await a_test(at, demo, 0)  # everything is read in by now
            await a_test(at, demo, 1)
            gc.disable()
            gc.freeze()  # what other tests have left is not looked through
            gc.set_debug(gc.DEBUG_SAVEALL)
            try:
                for number in (2, 3, 4):  # what one leaves is dropped by the next, if not before
                    await a_test(at, demo, number)
                gc.collect()
                return [each for each in gc.garbage if _is_ours(each)]
            finally:
                gc.set_debug(0)
                gc.garbage.clear()
                gc.enable()
                for each in listening:
                    each.close()

    assert asyncio.run(play()) == []


def _is_ours(thing: object) -> bool:
    return type(thing).__module__.startswith("astragal.")
