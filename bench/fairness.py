"""Fair dice: how long it takes to check an evening, and what a seal costs each command."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Iterator
from pathlib import Path

import msgspec

from astragal.play import GM
from astragal.table.commands import commands as do
from astragal.table.fairness import Evidence, Receipt, evidence, sealed, verify
from astragal.table.host import Tables
from astragal.table.log.events import LogEntry
from astragal.table.running import keys
from astragal.table.store import open_store
from bench.clock import Figure, best_of

ENTRIES, ROLLS = 1500, 300
"""Four hours at a table: an entry every ten seconds, a roll every fifty."""


async def _evening(folder: Path) -> tuple[list[LogEntry], Receipt]:
    async with await open_store(f"sqlite:///{folder}/evening.db") as store:
        tables = Tables(store)
        campaign, _ = await tables.create("burning_wheel", "", demo=True)
        for seat in ("anna", "bo", "cem", "dora"):
            await tables.do(campaign, GM, do.ChangeSeat(seat, seat.capitalize()))
            await tables.do(campaign, seat, do.ContributeToDice(1, "ab" * 32))
        for number in range(ENTRIES):
            if number % (ENTRIES // ROLLS):
                command: do.AnyCommand = do.SendMessage("The guard looks the other way.")
            else:
                command = do.ThrowDice("6B open", f"roll {number}", secret=number % 15 == 0)
            await tables.do(campaign, GM, command)
        await tables.do(campaign, GM, do.EndDiceSession())
        here = await tables.campaign(campaign)
        await tables.close()
        receipt = Receipt(campaign, GM, ((here.seq, here.head),))
        return await store.entries(campaign), receipt


def figures() -> Iterator[Figure]:
    """Everything that is measured here."""
    with tempfile.TemporaryDirectory() as folder:
        log, receipt = asyncio.run(_evening(Path(folder)))
    file = msgspec.json.encode(evidence("", log, GM, receipt.campaign))

    def check() -> None:
        verdict = verify(msgspec.json.decode(file, type=Evidence), [receipt])
        assert verdict.fair
        assert verdict.fit == ROLLS

    yield Figure("an evening of four hours verified", best_of(check), within=2.0)
    answers = max(log, key=lambda entry: len(msgspec.json.encode(entry)))
    yield Figure(
        "the seal of the longest entry of an evening", best_of(lambda: sealed(answers, ""))
    )
    middle = sorted(log, key=lambda entry: len(msgspec.json.encode(entry)))[len(log) // 2]
    yield Figure("the seal of a usual entry", best_of(lambda: sealed(middle, "")), within=1e-3)

    def begin() -> None:
        keys.proof.cache_clear()
        keys.commitments(b"s" * 32)

    yield Figure("the commitments of a session", best_of(begin), within=0.1)


if __name__ == "__main__":
    for figure in figures():
        print(figure.line())
