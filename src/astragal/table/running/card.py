"""The card of a procedure: everything that is asked between here and the next dice.

People decide on one card: whatever they have drafted, in any order, is walked through the
procedure in its own order, with the default of whatever nobody has touched. The same walk shows
the card, and gives the answers when the dice are released.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from typing import Any

import msgspec

from astragal.errors import Refusal
from astragal.play import Ask, AskAll, Number, Roll, Seat, Tell, Text
from astragal.play.machine import Machine
from astragal.table.log.items import DecidedItem, RolledItem
from astragal.table.log.state import OpenProcedure, PreparedAnswer
from astragal.table.running.session import RunningProcedure

MOST_LINES = 80
USUAL_NUMBER = 3


class CardLine(msgspec.Struct, frozen=True):
    """One question of a card, and what it will be answered as things are."""

    ask: Ask
    answer: Any
    draft: PreparedAnswer | None = None
    is_open: bool = False
    """Whether nothing goes on before it is answered."""
    is_standing: bool = False
    """Whether an earlier answer holds here."""


class Card(msgspec.Struct, frozen=True):
    """All lines up to the next roll, the next decision in secret, the next cards, or the end.

    Where cards are about to be turned over, nobody may know yet what is asked because of them.
    """

    lines: tuple[CardLine, ...] = ()
    together: tuple[Ask, ...] = ()
    """What several are asked at once, after these lines."""
    rolls: tuple[Roll, ...] = ()
    """The dice that follow, up to the next question."""
    refusal: Refusal | None = None
    """Why it cannot be answered like this, if so."""
    is_first: bool = False
    """Whether nothing has been decided yet."""
    by: Seat = ""
    has_dice: bool = False
    """Whether dice of this procedure lie on the table already."""

    @property
    def open_lines(self) -> tuple[CardLine, ...]:
        """What is still needed."""
        return tuple(line for line in self.lines if line.is_open)

    @property
    def releasers(self) -> tuple[Seat, ...]:
        """Those who have to be ready before it goes on.

        The dice are released by those who roll them; where none are rolled, by everybody who
        has something to decide. What is only to be agreed to waits for nobody, except at the
        very beginning, where the one who began it has the last word.
        """
        deciding = [line.ask.seat for line in self.lines if line.ask.kind in _DECIDING]
        deciding += [line.ask.seat for line in self.open_lines]
        seats = deciding
        if self.rolls:
            seats = [roll.owner for roll in self.rolls] if deciding or not self.has_dice else []
        if not seats and self.is_first and self.lines:
            seats = [self.by]
        return tuple(dict.fromkeys(seats))

    def is_released(self, procedure: OpenProcedure) -> bool:
        """Whether it goes on by itself as things are."""
        if procedure.held or self.open_lines:
            return False
        return bool(self.lines) and set(self.releasers) <= set(procedure.ready)


_DECIDING = ("needed", "offered")


def card_of(
    running: RunningProcedure, drafts: Iterable[PreparedAnswer], *, asks_consent: bool = False
) -> Card:
    """Walk from where a procedure is to its next dice, along these drafts.

    Where a group wants to be asked for consent (``asks_consent``), silence is none.
    """
    procedure = running.procedure
    if procedure.pending is not None:
        return Card()
    session = running.resumed()
    scout = session.scout()
    walk = _Walk(procedure, tuple(drafts), asks_consent)
    walk.go(scout)
    if walk.refusal is None:
        session.follow(scout)  # most answers will be those that are supposed here
    return Card(
        lines=tuple(walk.lines),
        together=walk.together,
        rolls=walk.rolls,
        refusal=walk.refusal,
        is_first=not procedure.given,
        by=procedure.by,
        has_dice=has_dice(procedure),
    )


def known_drafts(procedure: OpenProcedure, seat: Seat) -> tuple[PreparedAnswer, ...]:
    """The drafts that a seat may know: its own, and those of lines that everybody sees."""
    return tuple(draft for draft in procedure.prepared if draft.open or draft.seat == seat)


def answers_said(procedure: OpenProcedure) -> dict[tuple[Seat, str, str], Any]:
    """What each seat answered last to each question of a procedure, by its key and prompt.

    The prompt belongs to it: the same may be asked about several characters.
    """
    decided = (item for item in procedure.story if isinstance(item, DecidedItem))
    return {(item.seat, item.key, item.prompt): item.answer for item in decided}


def has_dice(procedure: OpenProcedure) -> bool:
    """Whether dice were thrown in a procedure, also if they are still being typed in."""
    if procedure.pending is not None and procedure.pending.thrown:
        return True
    return any(isinstance(item, RolledItem) for item in procedure.story)


class _Walk:
    """One way through the questions of a card."""

    def __init__(
        self, procedure: OpenProcedure, drafts: tuple[PreparedAnswer, ...], asks_consent: bool
    ) -> None:
        self.lines: list[CardLine] = []
        self.together: tuple[Ask, ...] = ()
        self.rolls: tuple[Roll, ...] = ()
        self.refusal: Refusal | None = None
        self._drafts = list(drafts)
        self._asks_consent = asks_consent
        self._said = answers_said(procedure)

    def go(self, scout: Machine[Any]) -> None:
        """Go as far as the card reaches."""
        try:
            while len(self.lines) < MOST_LINES:
                effect = scout.effect
                match effect:
                    case None:
                        return
                    case Roll():
                        self.rolls = tuple(_rolls(Machine(scout.state)))
                        return
                    case AskAll(asks=asks):
                        self.together = asks
                        return
                    case Ask():
                        line = self._line(effect)
                        self.lines.append(line)
                        if line.answer is None:
                            return
                        scout.answer(line.answer)
                    case Tell(fact=fact) if fact.cards and self.lines:
                        return
                    case _:
                        scout.answer(None)
        except Refusal as refusal:
            self.refusal = refusal

    def _line(self, ask: Ask) -> CardLine:
        draft = self._take_draft(ask)
        if draft is not None:
            answer: Any = ask.question.check(draft.answer, ask.key)
            self._said[ask.seat, ask.key, ask.prompt] = answer
            return CardLine(ask, answer, draft)
        said = self._said.get((ask.seat, ask.key, ask.prompt)) if ask.standing else None
        if said is not None and fits(ask, said):
            return CardLine(ask, ask.question.check(said, ask.key), is_standing=True)
        needed = ask.kind == "needed" or (ask.kind == "consent" and self._asks_consent)
        return CardLine(ask, _usual(ask), is_open=needed)

    def _take_draft(self, ask: Ask) -> PreparedAnswer | None:
        """What was drafted for a question, once; nothing where it does not fit any more."""
        for draft in self._drafts:
            if (draft.seat, draft.key, draft.prompt) == (ask.seat, ask.key, ask.prompt):
                self._drafts.remove(draft)
                return draft if fits(ask, draft.answer) else None
        return None


def fits(ask: Ask, answer: Any) -> bool:
    """Whether a question takes an answer."""
    try:
        ask.question.check(answer, ask.key)
    except Refusal:
        return False
    return True


def _usual(ask: Ask) -> Any:
    """The default, or something that will do in its place; None if there is no such thing."""
    question = ask.question
    if question.default is not None:
        return question.default
    if isinstance(question, Number):
        return max(question.least, min(USUAL_NUMBER, question.most))
    if isinstance(question, Text):
        return "..."
    return next(iter(question.every_answer()), None)


class _Ones:
    """Dice that all show a one: for looking at who rolls next, whatever comes of it."""

    def dice(self, sides: int, count: int) -> list[int]:
        return [min(1, sides)] * count


def _rolls(machine: Machine[Any]) -> Iterable[Roll]:
    """The dice that are thrown from here on without another question."""
    with suppress(Refusal):  # these dice may lead to something that is not allowed
        for _ in range(MOST_LINES):
            effect = machine.effect
            if isinstance(effect, Roll):
                yield effect
                machine.answer(effect.expression.sample(_Ones()).value)
            elif effect is None or isinstance(effect, Ask | AskAll):
                return
            else:
                machine.answer(None)
