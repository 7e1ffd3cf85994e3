"""The table writes the scripts of characters that the GM has given to it.

A script is an answer like any other: it goes into the log when it is due, and until its cards are
shown nobody sees it. Whichever process comes first writes it; the others find it written.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine, Hashable
from functools import partial
from typing import Any

from astragal.dice import Secure
from astragal.errors import Refusal
from astragal.games import Game, game_named
from astragal.lab import can_solve
from astragal.play import GM, Script, Seat
from astragal.table.advice import script_to_write
from astragal.table.commands.commands import WriteScript
from astragal.table.commands.seat import SeatAt
from astragal.table.finished import DUEL
from astragal.table.log.state import Campaign
from astragal.table.running.partners import ScriptDue, scripts_due
from astragal.table.solving_process import SolvingProcess

log = logging.getLogger("astragal.table")

PAUSE = 0.3
"""Seconds until a script that is looked for is asked about again."""

FIGHTS = {"bold": ("fierce", "bold"), "careful": ("careful", "wary"), "sly": ("sly",)}
"""What a temperament is called where it fights: in Fight!, or in Range and Cover."""

Do = Callable[[str, Seat, WriteScript], Coroutine[Any, Any, int]]
"""Carries out a command at a campaign."""


class Partners:
    """Writes the scripts that are due, each in a task of its own."""

    def __init__(self, solving: SolvingProcess, do: Do) -> None:
        """Let scripts be looked for there, and be written so."""
        self._solving, self._do = solving, do
        self._writing: dict[Hashable, asyncio.Task[None]] = {}

    def look(self, here: Campaign) -> None:
        """Begin to write what is due, unless it is being written already."""
        for due in scripts_due(here.standing):
            if due.procedure.name == DUEL and not can_solve():
                continue
            key = (here.id, due.procedure.id, due.question.step, due.character, due.partner)
            if key not in self._writing:
                task = asyncio.create_task(self._write(here, due))
                self._writing[key] = task
                task.add_done_callback(partial(self._is_over, key))

    def _is_over(self, key: Hashable, _task: asyncio.Task[None]) -> None:
        self._writing.pop(key, None)

    async def written(self) -> None:
        """Wait until everything that was due is written."""
        while self._writing:
            await asyncio.gather(*self._writing.values())

    def close(self) -> None:
        """Write no more."""
        for task in list(self._writing.values()):
            task.cancel()

    async def _write(self, here: Campaign, due: ScriptDue) -> None:
        procedure, question = due.procedure.id, due.question
        try:
            cards = await self._script(here, due)
            if cards:
                command = WriteScript(procedure, question.step, due.character, due.partner, cards)
                await self._do(here.id, GM, command)
        except Refusal as refusal:
            # Most likely somebody else has answered meanwhile; if not, the GM writes it.
            log.info("no script for %s of %s: %s", procedure, here.id, type(refusal).__name__)
        except Exception:
            log.exception("no script for %s of %s", procedure, here.id)

    async def _script(self, here: Campaign, due: ScriptDue) -> tuple[str, ...]:
        game = game_named(here.game)
        if due.procedure.name == DUEL:
            return await self._looked_for(here, game, due)
        if can_solve() and due.partner.dial:
            try:
                found = await self._looked_for(here, game, due)
            except Refusal:
                # The other process has ended, or is busy with something else.
                found = ()
            if found:
                return found
        return fighting_script(game, due)

    async def _looked_for(self, here: Campaign, game: Game, due: ScriptDue) -> tuple[str, ...]:
        """What the other process finds; nothing where it leaves it to temperament."""
        asked = script_to_write(SeatAt(here, game, GM), due.procedure, due.question)
        while True:
            advice = await self._solving.advise(asked, due.partner)
            if advice.progress >= 1:
                return advice.drawn
            await asyncio.sleep(PAUSE)


def fighting_script(game: Game, due: ScriptDue) -> tuple[str, ...]:
    """The script that the game suggests for a temperament; none where it suggests none."""
    script = due.question.question
    assert isinstance(script, Script), "a script is due"
    chance = Secure()
    suggested = {each.key: each.cards for each in game.at_table.scripts(script, chance)}
    named = FIGHTS.get(due.partner.temperament, ())
    liked = [key for key in suggested if key in named] or list(suggested)
    return tuple(suggested[liked[chance.dice(len(liked), 1)[0] - 1]]) if liked else ()
