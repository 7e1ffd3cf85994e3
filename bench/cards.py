"""The odds on a card: how long they take wherever the demo's suggestions stop for somebody."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Iterator

from astragal.games import game_named
from astragal.games.demo import Suggestion
from astragal.play import GM, Script
from astragal.table.commands import commands as do
from astragal.table.foresight.odds import foresee
from astragal.table.host import Tables
from astragal.table.log.state import OpenProcedure
from astragal.table.store import open_store
from bench.clock import Figure, best_of
from bench.crowd import usual

GAME = game_named("burning_wheel")
STEPS = 80
"""Questions of a procedure that are looked at, at most."""
BAR = 0.1
"""Seconds that a card may wait for its odds."""


async def stops_of(suggestion: Suggestion) -> list[OpenProcedure]:
    """A suggested procedure as it stands at each of its questions, answered as usual."""
    stops: list[OpenProcedure] = []
    with tempfile.TemporaryDirectory() as folder:
        async with await open_store(f"sqlite:///{folder}/astragal.db") as store:
            host = Tables(store)
            campaign, _ = await host.create(GAME.name, "", demo=True)
            begin = do.BeginProcedure(suggestion.procedure, suggestion.arguments)
            await host.do(campaign, GM, begin)
            while len(stops) < STEPS and (is_open := (await host.campaign(campaign)).standing.open):
                (procedure,) = is_open.values()
                stops.append(procedure)
                asked = procedure.questions[0]
                answer = usual(asked.question)
                if isinstance(asked.question, Script):
                    scripts = await host.suggest(campaign, GM, procedure.id, asked.step)
                    answer = list(scripts[0].cards) if scripts else answer
                done = do.AnswerQuestion(procedure.id, asked.step, answer)
                await host.do(campaign, asked.seat, done)
            await host.close()
    return stops


def figures() -> Iterator[Figure]:
    """The slowest of all odds that a card of each suggestion shows.

    First the odds as they stand, for which a card waits; those with each answer come after them.
    """
    demo = GAME.at_table.demo
    assert demo is not None
    for suggestion in demo.suggestions:
        stops = asyncio.run(stops_of(suggestion))
        first, each = (
            max(best_of(lambda at=at, found=found: found(at), 3, fresh=False) for at in stops)
            for found in (_first, _with_each_answer)
        )
        name = f"odds on a card, {suggestion.procedure}, slowest of {len(stops)}"
        yield Figure(name, first, within=BAR)
        yield Figure("    with each answer to its question", each)


def _first(at: OpenProcedure) -> object:
    return next(foresee(GAME, at, GM))


def _with_each_answer(at: OpenProcedure) -> object:
    return list(foresee(GAME, at, GM))


if __name__ == "__main__":
    for figure in figures():
        print(figure.line())
