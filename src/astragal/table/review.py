"""A log reviewed: what each decision was worth, what the best would have been, and the luck.

Every finished test in a log is played again from its record. Wherever a player had a choice, the
chance to succeed is worked out for each answer, by the procedure itself from that point, with what
had been rolled by then and with what the GM said. What is still to be decided gets its default: so
a decision is measured by what was known then, and not by what the dice showed later. *Luck* is
what the dice added to the chance; *skill* is what decisions added to or took from the best.

The scripts and splits of a Duel of Wits are weighed by its solution (:mod:`~astragal.lab`), where
one is at hand or quickly found.

Nothing secret is looked at: of a script only the cards that were shown. Any other procedure of
which the log does not have every answer is left out, and said to be.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

import msgspec

from astragal.errors import Refusal
from astragal.games import Game, game_named
from astragal.odds.trial import GivenAnswers
from astragal.play import (
    GM,
    Answer,
    AnswerRecord,
    Ask,
    Exact,
    Frame,
    Number,
    OutOfStep,
    PickOne,
    PickSeveral,
    Seat,
    Session,
    Split,
    State,
    ThrowRecord,
    Unanswered,
    YesNo,
    answer_in_words,
    defaults,
)
from astragal.play.live import rolled_from
from astragal.table.duel_reviews import DuelReviews
from astragal.table.finished import DUEL, finished, record_in, titled
from astragal.table.log.events import LogEntry
from astragal.table.log.items import DecidedItem
from astragal.table.log.state import OpenProcedure
from astragal.table.review_reader import ReviewReader
from astragal.table.running.session import RunningProcedure

if TYPE_CHECKING:
    from astragal.lab.duel_review import ReviewedDuel

MOST_OPTIONS = 24
"""Questions with more answers than this are reviewed only in part, or not at all."""

TRIFLE = 0.0005
"""Answers whose chances differ by less are all alike."""

PRICE = 0.10
"""What a point of artha (or of whatever an answer costs) counts for, as a chance."""


SECONDS = 2.0
"""All duels of a log together may take so long to be solved; most need the cache."""


class ReviewedDecision(msgspec.Struct, frozen=True, kw_only=True):
    """One decision: what it was worth, and what the best answer would have been."""

    entry: int
    """The number of the entry with which the procedure began."""
    procedure: str
    seat: Seat
    key: str
    prompt: str
    answer: str
    chance: float
    best: str
    best_chance: float
    cost: float
    """What was given away, with the price of what an answer spends; 0 for the best answer."""


class SeatReview(msgspec.Struct, frozen=True):
    """Luck and skill of one seat over the whole log, in tests that it decided about."""

    seat: Seat
    tests: int
    luck: float
    """How many tests more the dice won than was to be expected."""
    given_away: float
    """How many tests were given away by decisions."""


class Review(msgspec.Struct, frozen=True):
    """A whole log reviewed: the decisions, the most costly first."""

    decisions: tuple[ReviewedDecision, ...]
    seats: tuple[SeatReview, ...]
    reviewed: int
    left_out: int
    """Finished procedures that cannot be reviewed: no test, or with secrets."""
    unsolved: int = 0
    """Duels among them that could be reviewed if they were solved."""


def review(
    game: str,
    entries: Iterable[LogEntry],
    *,
    price: float = PRICE,
    seconds: float = SECONDS,
    reader: ReviewReader | None = None,
) -> Review:
    """Review a log from its beginning.

    Its duels may take so many ``seconds`` to be solved. For a ``reader`` it is about what that
    seat may know.
    """
    decisions: list[ReviewedDecision] = []
    lucks: dict[Seat, list[float]] = {}
    reviewed = left_out = 0
    rules = game_named(game)
    duels = DuelReviews(seconds)
    for procedure in finished(game, entries):
        if reader is not None:
            if not reader.knows_of(procedure):
                continue
            if not reader.may_read(procedure):
                left_out += 1
                continue
            procedure = reader.as_known(procedure)
        if procedure.name == DUEL:
            duel = duels.reviewed(rules, procedure)
            if duel is None:
                left_out += 1
                continue
            reviewed += 1
            decisions += _of_duel(procedure, duel)
            for seat, luck in duel.luck.items():
                if seat != GM:
                    lucks.setdefault(seat, []).append(luck)
            continue
        found = _Reviewed(rules, procedure, price).run()
        if found is None:
            left_out += 1
            continue
        reviewed += 1
        decisions += found.decisions
        for seat in {each.seat for each in found.decisions} or {procedure.by}:
            lucks.setdefault(seat, []).append(found.luck)
    seats = [
        SeatReview(
            seat,
            len(luck),
            sum(luck),
            sum(each.cost for each in decisions if each.seat == seat),
        )
        for seat, luck in sorted(lucks.items())
    ]
    decisions.sort(key=lambda each: (-each.cost, each.entry))
    return Review(tuple(decisions), tuple(seats), reviewed, left_out, duels.unsolved)


def _of_duel(procedure: OpenProcedure, duel: ReviewedDuel) -> Iterator[ReviewedDecision]:
    for each in duel.choices:
        yield ReviewedDecision(
            entry=procedure.began,
            procedure=titled(procedure),
            seat=each.seat,
            key=each.key,
            prompt=each.prompt,
            answer=each.answer,
            chance=each.chance,
            best=each.best,
            best_chance=each.best_chance,
            cost=max(0.0, each.best_chance - each.chance),
        )


class _Found(msgspec.Struct, frozen=True):
    """What the review of one procedure came to."""

    decisions: list[ReviewedDecision]
    luck: float


class _Reviewed:
    """One finished procedure, played again from its record, decision by decision."""

    def __init__(self, game: Game, procedure: OpenProcedure, price: float) -> None:
        self._game, self._procedure, self._price = game, procedure, price
        self._start = RunningProcedure(game, procedure).start()
        self._record = record_in(procedure)

    def run(self) -> _Found | None:
        """The decisions and the luck, or nothing where it cannot be reviewed."""
        try:
            whole = Session(self._start, _unrecorded, self._record)
            if not whole.done:
                return None
            came = self._game.wanted(whole.result)
        except (OutOfStep, Refusal):
            return None
        if came is None:
            return None
        policy = _AsSaid(self._answers())
        walk = Exact(policy)
        decisions: list[ReviewedDecision] = []
        luck, stands = 0.0, None
        for session, answer in self._steps():
            ask = session.waiting[0]
            chances = self._chances(walk, session.state, ask, answer)
            if chances is None:
                continue
            if stands is not None:
                luck += self._now(walk, session.state, stands) - stands
            stands = chances[answer]
            if ask.seat != GM and not ask.secret:
                decisions += self._weighed(ask, answer, chances)
        if stands is not None:
            luck += float(came) - stands
        return _Found(decisions, luck)

    def _answers(self) -> dict[str, Any]:
        """What the GM said, whenever it was said."""
        told = [item for item in self._procedure.story if isinstance(item, DecidedItem)]
        return {f"{each.seat}/{each.key}": each.answer for each in told if each.seat == GM}

    def _steps(self) -> Iterator[tuple[Session[Any], Any]]:
        """The session before each answer to a question that was asked of one seat alone."""
        throws = iter([each for each in self._record if isinstance(each, ThrowRecord)])
        session = Session(self._start, lambda roll: rolled_from(roll, next(throws).faces))
        for entry in self._record:
            if not isinstance(entry, AnswerRecord):
                continue
            if len(session.waiting) == 1 and not session.sealed:
                ask = session.waiting[0]
                yield session, ask.question.check(entry.answer, ask.key)
            session.answer(entry.seat, entry.answer)

    def _now(self, walk: Exact, state: State, otherwise: float) -> float:
        """The chance as it stands before a question, with its default."""
        try:
            return self._chance(walk, state)
        except (Refusal, Unanswered):
            return otherwise

    def _chance(self, walk: Exact, state: State) -> float:
        outcomes = walk.walk(state)
        return float(outcomes.where(lambda outcome: bool(self._game.wanted(outcome))))

    def _chances(
        self, walk: Exact, state: State, ask: Ask, answer: Answer
    ) -> dict[Answer, float] | None:
        """The chance with each answer; nothing where it does not matter, and costs nothing."""
        every = _alternatives(ask, answer)
        if len(every) < 2 or ask.seat == GM:
            return None
        *outer, top = state
        found: dict[Answer, float] = {}
        for each in every:
            try:
                found[each] = self._chance(walk, (*outer, Frame(top.start, (*top.answers, each))))
            except (Refusal, Unanswered):
                continue
        if answer not in found:
            return None
        # A point that changes nothing is given away.
        matters = max(found.values()) - min(found.values()) >= TRIFLE or _points(ask, answer)
        return found if matters else None

    def _weighed(
        self, ask: Ask, answer: Answer, chances: dict[Answer, float]
    ) -> Iterator[ReviewedDecision]:
        net = {each: chance - self._price * _points(ask, each) for each, chance in chances.items()}
        best = max(net, key=lambda each: (net[each], each == answer))
        procedure = self._procedure
        yield ReviewedDecision(
            entry=procedure.began,
            procedure=titled(procedure),
            seat=ask.seat,
            key=ask.key,
            prompt=ask.prompt,
            answer=answer_in_words(ask, answer),
            chance=chances[answer],
            best=answer_in_words(ask, best),
            best_chance=chances[best],
            cost=max(0.0, net[best] - net[answer]),
        )


def _alternatives(ask: Ask, answer: Answer) -> tuple[Answer, ...]:
    """Every answer; where several can be chosen, one more or one less than was taken.

    Not all FoRKs that somebody has would be allowed at once, but one more might have been.
    """
    question = ask.question
    if isinstance(question, PickSeveral) and isinstance(answer, tuple):
        keys = tuple(option.key for option in question.options)
        changed = [tuple(k for k in keys if (k in answer) != (k == key)) for key in keys]
        most = len(keys) if question.most is None else question.most
        near = [each for each in changed if question.least <= len(each) <= most]
        return (answer, *near[:MOST_OPTIONS])
    if not isinstance(question, PickOne | YesNo | Number | Split):
        return ()
    found: tuple[Answer, ...] = question.every_answer(MOST_OPTIONS)
    return tuple(dict.fromkeys((*found, answer)))


def _points(ask: Ask, answer: Answer) -> int:
    """How many points an answer spends."""
    question = ask.question
    if isinstance(question, PickOne):
        cost = next((o.cost for o in question.options if o.key == answer), "")
        digits = re.search(r"\d+", cost)
        return (int(digits[0]) if digits else 1) if cost else 0
    if isinstance(question, Number) and ask.key == "boon" and isinstance(answer, int):
        return answer
    return 0


class _AsSaid(GivenAnswers):
    """What the GM said, and the default for everything that a player decides."""

    def __init__(self, answers: dict[str, Any]) -> None:
        super().__init__(answers, all_asked=False)

    def __call__(self, ask: Ask) -> Answer:
        if self.has(ask):
            try:
                return super().__call__(ask)
            except Refusal:  # the same key may ask for something else later
                return defaults(ask)
        return super().__call__(ask)


def _unrecorded(_roll: Any) -> Any:
    raise Refusal("The log has no faces for this roll.")
