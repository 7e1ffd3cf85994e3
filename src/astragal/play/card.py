"""The card of a procedure: everything that is asked between here and the next dice.

People decide on one card. Whatever they have drafted, in any order, is walked through the
procedure in its own order, with the default of whatever nobody has touched. The same walk shows
the card, and gives the answers when the dice are released.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import Any, Generic, Protocol, TypeVar

import msgspec

from astragal.dice import Seeded
from astragal.errors import Refusal
from astragal.play.effects import Ask, AskAll, Roll, Seat, Tell
from astragal.play.live import Session
from astragal.play.machine import Machine, State
from astragal.play.questions import Number, Text

MOST_LINES = 80
USUAL_NUMBER = 3


class Draft(Protocol):
    """What somebody means to answer."""

    @property
    def answer(self) -> Any:
        """The answer, not yet checked."""


D = TypeVar("D", bound=Draft)

DraftFor = Callable[[Ask], D | None]
"""What is drafted for a question, if anything is; it is asked once for each line, in order."""

Said = Mapping[tuple[Seat, str, str], Any]
"""What each seat answered last to each question, by its key and prompt.

The prompt belongs to it: the same may be asked about several characters.
"""


class CardLine(msgspec.Struct, Generic[D], frozen=True):
    """One question of a card, and what it will be answered as things are."""

    ask: Ask
    answer: Any
    draft: D | None = None
    is_open: bool = False
    """Whether nothing goes on before it is answered."""
    is_standing: bool = False
    """Whether an earlier answer holds here."""


class Card(msgspec.Struct, Generic[D], frozen=True):
    """All lines up to the next roll, the next decision in secret, the next cards, or the end.

    Where cards are about to be turned over, nobody may know yet what is asked because of them.
    """

    lines: tuple[CardLine[D], ...] = ()
    together: tuple[Ask, ...] = ()
    """What several are asked at once, after these lines."""
    rolls: tuple[Roll, ...] = ()
    """The dice that follow, up to the next question."""
    refusal: Refusal | None = None
    """Why it cannot be answered like this, if so."""
    at_rolls: State = ()
    """Where the procedure is when the first of those dice are thrown."""

    @property
    def open_lines(self) -> tuple[CardLine[D], ...]:
        """What is still needed."""
        return tuple(line for line in self.lines if line.is_open)


def card_of(
    session: Session[Any],
    draft_for: DraftFor[D],
    said: Said,
    *,
    asks_consent: bool = False,
    ends_with: Callable[[CardLine[D]], bool] | None = None,
) -> Card[D]:
    """Walk from where a session is to its next dice, along these drafts.

    Where a group wants to be asked for consent (``asks_consent``), silence is none. Where one line
    says enough (``ends_with``), the card ends with it.
    """
    scout = session.scout()
    walk = _Walk(draft_for, dict(said), asks_consent, ends_with)
    walk.go(scout)
    if walk.refusal is None:
        session.follow(scout)  # most answers will be those that are supposed here
    return Card(tuple(walk.lines), walk.together, walk.rolls, walk.refusal, walk.at_rolls)


class _Walk(Generic[D]):
    """One way through the questions of a card."""

    def __init__(
        self,
        draft_for: DraftFor[D],
        said: dict[tuple[Seat, str, str], Any],
        asks_consent: bool,
        ends_with: Callable[[CardLine[D]], bool] | None,
    ) -> None:
        self.lines: list[CardLine[D]] = []
        self.together: tuple[Ask, ...] = ()
        self.rolls: tuple[Roll, ...] = ()
        self.refusal: Refusal | None = None
        self.at_rolls: State = ()
        self._draft_for = draft_for
        self._said = said
        self._asks_consent = asks_consent
        self._ends_with = ends_with

    def go(self, scout: Machine[Any]) -> None:
        """Go as far as the card reaches."""
        try:
            while len(self.lines) < MOST_LINES:
                effect = scout.effect
                match effect:
                    case None:
                        return
                    case Roll():
                        self.at_rolls = scout.state
                        self.rolls = tuple(_rolls(Machine(scout.state)))
                        return
                    case AskAll(asks=asks):
                        self.together = asks
                        return
                    case Ask():
                        line = self._line(effect)
                        self.lines.append(line)
                        if line.answer is None or (self._ends_with and self._ends_with(line)):
                            return
                        scout.answer(line.answer)
                    case Tell(fact=fact) if fact.cards and self.lines:
                        return
                    case _:
                        scout.answer(None)
        except Refusal as refusal:
            self.refusal = refusal

    def _line(self, ask: Ask) -> CardLine[D]:
        draft = self._draft_for(ask)
        if draft is not None and fits(ask, draft.answer):
            answer: Any = ask.question.check(draft.answer, ask.key)
            self._said[ask.seat, ask.key, ask.prompt] = answer
            return CardLine(ask, answer, draft)
        said = self._said.get((ask.seat, ask.key, ask.prompt)) if ask.standing else None
        if said is not None and fits(ask, said):
            return CardLine(ask, ask.question.check(said, ask.key), is_standing=True)
        needed = ask.kind == "needed" or (ask.kind == "consent" and self._asks_consent)
        return CardLine(ask, _usual(ask), is_open=needed)


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


def _rolls(machine: Machine[Any]) -> Iterable[Roll]:
    """The dice that are thrown from here on without another question.

    Some dice or other are supposed for that: who rolls next seldom depends on them.
    """
    chance = Seeded("who rolls next")
    with suppress(Refusal):  # these dice may lead to something that is not allowed
        for _ in range(MOST_LINES):
            effect = machine.effect
            if isinstance(effect, Roll):
                yield effect
                machine.answer(effect.expression.sample(chance).value)
            elif effect is None or isinstance(effect, Ask | AskAll):
                return
            else:
                machine.answer(None)
