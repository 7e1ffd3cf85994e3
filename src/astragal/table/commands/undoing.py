"""Going back to an earlier state: what was shown since then is nobody's secret any more."""

from __future__ import annotations

from msgspec.structs import replace

from astragal.errors import Refusal
from astragal.games import Game
from astragal.play import OutOfStep
from astragal.table.log.items import Item, SealedItem
from astragal.table.log.state import OpenProcedure, Restorable
from astragal.table.running.session import RunningProcedure


def reopened(restored: Restorable, now: Restorable, game: Game) -> Restorable:
    """The state that an undo brings back, with sealed answers asked for anew if they were shown.

    Those who decide at once may not see each other's answers first. If all of them had decided
    and only the last one were asked again, that one would know what the others chose.
    """
    open_then = {
        id: _reopened(procedure, now.open.get(id), game) for id, procedure in restored.open.items()
    }
    return replace(restored, open=open_then)


def _reopened(procedure: OpenProcedure, now: OpenProcedure | None, game: Game) -> OpenProcedure:
    sealed = _sealed(procedure, game)
    if not sealed:
        return procedure
    before = len(procedure.given) - sealed
    goes_on = now is not None and now.given[: len(procedure.given)] == procedure.given
    if now is not None and goes_on and _sealed(now, game) == len(now.given) - before:
        return procedure  # nobody has seen them
    pending = procedure.pending
    taken = procedure.taken - sealed - (0 if pending is None else 1 + len(pending.handfuls))
    anew = replace(
        procedure,
        given=procedure.given[:before],
        taken=taken,
        pending=None,
        story=_without_sealed(procedure.story, sealed),
    )
    return replace(anew, questions=RunningProcedure(game, anew).open_questions(taken))


def _sealed(procedure: OpenProcedure, game: Game) -> int:
    """How many answers wait until all have decided."""
    try:
        return RunningProcedure(game, procedure).resumed().sealed
    except (OutOfStep, Refusal):
        return 0  # it cannot go on in any case


def _without_sealed(story: tuple[Item, ...], count: int) -> tuple[Item, ...]:
    """The story without its last notes that somebody has decided."""
    kept: list[Item] = []
    for item in reversed(story):
        if count and isinstance(item, SealedItem):
            count -= 1
        else:
            kept.append(item)
    return tuple(reversed(kept))
