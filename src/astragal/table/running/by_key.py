"""Taking up a procedure that an earlier version began, which asked other questions.

The record of a procedure is what it was given, in order. Where a later version asks something
more, or something less, the order no longer fits. But the story tells which question was
answered how: those answers are given again wherever the same question comes up.
"""

from __future__ import annotations

from typing import Any

from astragal.dice import Rolled
from astragal.errors import Refusal
from astragal.play import Ask, AskAll, DecisionEvent, OutOfStep, Roll, Session, Then, rolled_from
from astragal.table.log.items import DecidedItem
from astragal.table.log.state import OpenProcedure, ProcedureInput

MOST_QUESTIONS = 2000


def answers_the_same(session: Session[Any], procedure: OpenProcedure) -> bool:
    """Whether every answer of a record was given to the question that it was given to then."""
    decided = [(item.seat, item.key) for item in procedure.story if isinstance(item, DecidedItem)]
    now = [(e.ask.seat, e.ask.key) for e in session.events if isinstance(e, DecisionEvent)]
    return decided == now


def resumed_by_key(start: Then[Any], procedure: OpenProcedure) -> Session[Any]:
    """The session that the answers lead to, each given to the question with its key.

    What is asked anew gets its default, for as long as dice lie on the table that come after it.
    """
    left = _Left(procedure)
    try:
        session: Session[Any] = Session(start, left.throw)
        for _ in range(MOST_QUESTIONS):
            if not session.waiting:
                return session
            ask = session.waiting[0] if len(session.waiting) == 1 else left.first(session.waiting)
            if ask is None:
                return session
            given = left.answer(ask)
            if given is None and (left.has_dice or _leads_on(session, left)):
                given = ask.question.default
            if given is None:
                return session
            session.answer(ask.seat, given)
    except Refusal as refusal:
        raise OutOfStep(f"what was decided before does not fit any more: {refusal}") from None
    raise OutOfStep("what was decided before cannot be followed any more")


def _leads_on(session: Session[Any], left: _Left) -> bool:
    """Whether something comes up before the next dice that was answered already."""
    scout = session.scout()
    for _ in range(MOST_QUESTIONS):
        effect = scout.effect
        if isinstance(effect, AskAll):
            return any(map(left.has, effect.asks))
        if effect is None or isinstance(effect, Roll):
            return False
        if not isinstance(effect, Ask):
            scout.answer(None)
        elif left.has(effect):
            return True
        elif effect.question.default is None:
            return False
        else:
            scout.answer(effect.question.default)
    return False


class _Left:
    """What a procedure was given, as far as it has not been given again."""

    def __init__(self, procedure: OpenProcedure) -> None:
        self._decided = [item for item in procedure.story if isinstance(item, DecidedItem)]
        self._faces = [each.faces for each in procedure.given if each.faces is not None]
        answers = [each for each in procedure.given if each.faces is None]
        # What was written in secret and is not shown yet is not in the story.
        self._sealed: list[ProcedureInput] = answers[len(self._decided) :]

    def throw(self, effect: Roll) -> Rolled[Any]:
        """The dice as they fell."""
        if not self._faces:
            raise OutOfStep(f"{effect.label} is rolled here, and was not")
        return rolled_from(effect, self._faces.pop(0))

    def first(self, asks: tuple[Ask, ...]) -> Ask | None:
        """The first of those asked at once who has answered."""
        return next((ask for ask in asks if self.has(ask)), None)

    def answer(self, ask: Ask) -> Any:
        """What was answered; None where nothing was."""
        for item in self._decided:
            if (item.seat, item.key) == (ask.seat, ask.key):
                self._decided.remove(item)
                return item.answer
        for given in self._sealed:
            if given.seat == ask.seat:
                self._sealed.remove(given)
                return given.answer
        return None

    @property
    def has_dice(self) -> bool:
        """Whether there are dice that were thrown later."""
        return bool(self._faces)

    def has(self, ask: Ask) -> bool:
        """Whether there is an answer to a question."""
        decided = any((item.seat, item.key) == (ask.seat, ask.key) for item in self._decided)
        return decided or any(given.seat == ask.seat for given in self._sealed)
