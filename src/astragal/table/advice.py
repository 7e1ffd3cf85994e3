"""Advice for a seat that has to write the script of a duel, from what that seat may know.

What is drawn for a seat is in no log and no view: it is told to that seat alone, and follows from a
secret of this process, so that asking again does not draw again.
"""

from __future__ import annotations

import hmac
import secrets

from msgspec.structs import replace

from astragal.errors import BadInput, Refusal
from astragal.games import game_named
from astragal.lab import check_installed
from astragal.play import Script, Seat
from astragal.table.commands.seat import SeatAt
from astragal.table.finished import DUEL
from astragal.table.log.items import DecidedItem
from astragal.table.log.state import Campaign, OpenProcedure, OpenQuestion
from astragal.table.script_due import ScriptToWrite
from astragal.table.secrecy.redaction import hidden_words_for
from astragal.table.solving_process import (
    LEFT_OUT,
    UNSOLVED,
    ScriptAdvice,
    SolvingProcess,
)

UNNAMED = "You cannot see the sheet of the other side. It is assumed to be like yours. " + LEFT_OUT
"""What advice is based on where the other side may not be named."""


class ScriptAdviser:
    """Asks for advice, and draws a script for each seat."""

    def __init__(self, solving: SolvingProcess) -> None:
        """Let duels be solved there."""
        self._solving = solving
        self._secret = secrets.token_bytes(32)

    async def advise(self, here: Campaign, seat: Seat, procedure: str, step: int) -> ScriptAdvice:
        """The best mix for a script that is due, and one script drawn from it."""
        hidden = hidden_words_for(here.standing, seat)
        try:
            advice = await self._solving.advise(script_to_advise(here, seat, procedure, step))
        except Refusal as refusal:
            if hidden.is_in(str(refusal)):
                raise Refusal(UNSOLVED) from None
            raise
        if hidden.is_in(advice.based_on):
            advice = replace(advice, based_on=UNNAMED)
        return replace(advice, drawn=self._drawn(advice, here.id, seat, procedure, step))

    def _drawn(
        self, advice: ScriptAdvice, campaign: str, seat: Seat, procedure: str, step: int
    ) -> tuple[str, ...]:
        """A script by its share; the same one whenever this seat asks about this question."""
        purpose = f"{campaign} {procedure} {step} {seat}".encode()
        drawn = int.from_bytes(hmac.digest(self._secret, purpose, "sha256"), "big") / 2**256
        script: tuple[str, ...] = ()
        for each in advice.scripts:
            script = each.cards
            drawn -= each.share
            if drawn < 0:
                break
        return script


def script_to_advise(here: Campaign, seat: Seat, procedure: str, step: int) -> ScriptToWrite:
    """What a seat may know of the duel whose script it has to write; a refusal if there is none."""
    at = SeatAt(here, game_named(here.game), seat)
    going_on = at.going_on(procedure)
    asked = (each for each in going_on.questions if each.seat == seat and each.step == step)
    question = next(asked, None)
    if question is None or not isinstance(question.question, Script):
        raise BadInput("step", step, "a script that you are asked for")
    if not here.advice:
        raise Refusal("Advice is off in this campaign. The GM can allow it for everyone.")
    if going_on.name != DUEL:
        raise Refusal("There is advice only for the scripts of a Duel of Wits.")
    check_installed()
    return script_to_write(at, going_on, question)


def script_to_write(at: SeatAt, procedure: OpenProcedure, question: OpenQuestion) -> ScriptToWrite:
    """A conflict without the scripts of the exchange that begins; the sheets that a seat reads."""
    read_by = at.hidden.sheets
    reads = (key for key in procedure.sheets if at.seat in read_by.get(key, (at.seat,)))
    return ScriptToWrite(
        at.game.name, _before_scripts(procedure), at.seat, question.prompt, tuple(reads)
    )


def _before_scripts(procedure: OpenProcedure) -> OpenProcedure:
    """A procedure without the answers that are not told yet: nothing may be worked out from them.

    What was decided is told when all have decided; until then there are answers that no item tells.
    """
    answers = sum(each.faces is None for each in procedure.given)
    told = sum(isinstance(item, DecidedItem) for item in procedure.story)
    before = len(procedure.given) - max(0, answers - told)
    return replace(procedure, given=procedure.given[:before], prepared=())
