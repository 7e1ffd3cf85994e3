"""A small duel at a table, which is soon solved: two dice each, and three points to lose."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any

import pytest

from astragal.play import GM
from astragal.table.commands import commands as do
from astragal.table.solving_process import ScriptAdvice
from table.company import Company, table, usual

SKILLS = ("Rhetoric", "Ugly Truth", "Etiquette")
DUEL = {
    "about": "who carries the lamp",
    "sides": [
        {"character": "ann", "skill": "Rhetoric", "wins": "Bob does", "loses": "Ann does"},
        {"character": "bob", "skill": "Rhetoric", "wins": "Ann does", "loses": "Bob does"},
    ],
}
AT_SCRIPTS = {"body_method": "big_deal"}


def sheet(name: str, *, will: int = 1, dice: int = 2, other: int = 2) -> dict[str, Any]:
    """Somebody who can argue, with so many dice in Rhetoric and in all other skills."""
    return {
        "name": name,
        "stats": {"Will": f"B{will}"},
        "attributes": {"Steel": "B4"},
        "skills": {
            skill: {"rating": f"B{dice if skill == 'Rhetoric' else other}", "roots": ["Will"]}
            for skill in SKILLS
        },
    }


@contextmanager
def kept_in(folder: Any) -> Iterator[None]:
    """Solutions are kept there, also by other processes."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(os.environ, "ASTRAGAL_CACHE", str(folder))
        yield


@asynccontextmanager
async def duelists(*, ann: str = "anna", store: Any = None, **bob: int) -> AsyncIterator[Company]:
    """Ann against Bob, who is the GM's; Ann is played by Anna, or by another seat."""
    async with table(demo=False, store=store) as company:
        if ann != GM:
            await company.sit(ann)
        await company.sit("ben")
        await company.gm(do.ChangeTitle("A trial", advice=True))
        await company.gm(do.AddCharacter("ann", sheet("Ann"), seat=ann))
        await company.gm(do.AddCharacter("bob", sheet("Bob", **bob), seat=GM))
        yield company


async def at_scripts(company: Company) -> str:
    """A duel that has come to its first scripts."""
    procedure = await company.begin(GM, "duel_of_wits", **DUEL)
    await company.play_on(procedure, until="script", answers=AT_SCRIPTS)
    return procedure


async def advised(company: Company, seat: str, procedure: str) -> ScriptAdvice:
    """Advice, when it is there."""
    asked = await company.asked(procedure, seat, "script")
    while True:
        advice = await company.tables.advise(company.id, seat, procedure, asked.step)
        if advice.scripts:
            return advice
        assert 0 <= advice.progress < 1
        await asyncio.sleep(0.2)


async def played_out(company: Company, procedure: str, seat: str, script: list[str]) -> None:
    """Go on until the duel is over; a seat scripts the same cards in every exchange."""
    for _ in range(300):
        await company.tables.partners.written()
        if not await company.is_open(procedure):
            return
        asked = await company.asked(procedure)
        is_script = asked.key == "script"
        assert not is_script or asked.seat == seat, "the table has not written its script"
        answer = script[-asked.question.slots :] if is_script else usual(asked.question)
        await company.do(asked.seat, do.AnswerQuestion(procedure, asked.step, answer))
    raise AssertionError("the duel does not end")
