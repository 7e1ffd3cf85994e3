"""Playing a procedure at the table: from where it is, with one more answer, to its next stop.

A procedure in progress is data (:class:`~astragal.table.log.state.OpenProcedure`): any worker can
take it up. The running session is only a convenience that saves replaying it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any, cast

import msgspec
from msgspec.structs import replace

from astragal.dice import Rolled
from astragal.errors import BadInput, Refusal
from astragal.games import Game, game_named
from astragal.play import (
    AnswerRecord,
    AnyQuestion,
    Ask,
    Faces,
    RecordEntry,
    Roll,
    Seat,
    Session,
    ThrowRecord,
)
from astragal.table.log.items import Item
from astragal.table.log.scenes import read_scene
from astragal.table.log.state import (
    Campaign,
    OpenProcedure,
    OpenQuestion,
    PendingAnswer,
    ProcedureInput,
)
from astragal.table.running.by_key import answers_the_same, resumed_by_key
from astragal.table.running.dice import AT_FIRST, FacesWanted, StepDice
from astragal.table.running.recording import items, sealed
from astragal.table.running.votes import procedure_of
from astragal.table.secrecy.audiences import Readers

FACES = "faces"
"""The key of the question for the faces of real dice."""


class Advance(msgspec.Struct, frozen=True, kw_only=True):
    """How far a procedure has come with what it was given."""

    given: tuple[ProcedureInput, ...] = ()
    items: tuple[Item, ...] = ()
    questions: tuple[OpenQuestion, ...] = ()
    pending: PendingAnswer | None = None
    over: bool = False


class RunningProcedure:
    """A procedure in progress and the session that plays it."""

    def __init__(self, game: Game, procedure: OpenProcedure, table: Any = None) -> None:
        """Go on with a procedure from where it is.

        ``table`` is the table with which it begins, where that has been read already.
        """
        self.game = game
        self.procedure = procedure
        self.session: Session[Any] | None = None
        self._table = table
        self._given = len(procedure.given)

    # ------------------------------------------------------------------ going on

    def begin(
        self,
        dice: StepDice,
        hidden: Callable[[], Readers],
        pending: PendingAnswer = AT_FIRST,
        taken: int = 0,
    ) -> Advance:
        """Run up to the first question; ``taken`` counts what was typed in for it so far."""
        try:
            self.session = Session(self.start(), dice)
        except FacesWanted as wanted:
            return self._wait(wanted, pending, dice, taken)
        return self._come(_Mark(), dice, hidden, AT_FIRST, taken)

    def answer(
        self, pending: PendingAnswer, dice: StepDice, hidden: Callable[[], Readers]
    ) -> Advance:
        """Give an answer and run up to the next question, or to a throw of real dice."""
        session = self.resumed()
        session.thrower = dice
        mark = _Mark(len(session.events), len(session.record), session.sealed)
        taken = self.procedure.taken + 1
        try:
            session.answer(pending.seat, pending.answer)
        except FacesWanted as wanted:
            return self._wait(wanted, pending, dice, taken)
        return self._come(mark, dice, hidden, pending, taken)

    def resumed(self) -> Session[Any]:
        """The session, replayed to where the procedure stands."""
        if self.session is None:
            self._given = len(self.procedure.given)
            self.session = self._replayed()
        return self.session

    def _replayed(self) -> Session[Any]:
        procedure = self.procedure
        with suppress(Refusal):  # an earlier version asked other questions
            session = Session(self.start(), _nothing_new, record_of(procedure.given))
            if answers_the_same(session, procedure):
                return session
        return resumed_by_key(self.start(), procedure)

    def at(self, procedure: OpenProcedure) -> RunningProcedure:
        """The same session for the same procedure, with other drafts."""
        same = RunningProcedure(self.game, procedure)
        same.session = self.resumed()
        same._given = self._given
        return same

    def stands_elsewhere(self, procedure: OpenProcedure) -> bool:
        """Whether the session has not come as far as the procedure, or further."""
        return self.session is not None and self._given != len(procedure.given)

    def open_questions(self, taken: int) -> tuple[OpenQuestion, ...]:
        """What is asked now."""
        return tuple(_open_questions(self.resumed(), taken))

    def start(self) -> Any:
        """The procedure from its beginning, with the table as it stood then."""
        game, procedure = self.game, self.procedure
        what = procedure_of(game, procedure.name)
        arguments = game.read(procedure.arguments, what.arguments, "arguments")
        return what.start(arguments, self._read_table())

    def _read_table(self) -> Any:
        game, procedure, table = self.game, self.procedure, self._table
        if table is not None:
            there = {key: table.characters[key] for key in procedure.sheets}
            return replace(table, characters=there, hidden=frozenset(procedure.hidden))
        sheets = {key: game.read(sheet, game.sheet, key) for key, sheet in procedure.sheets.items()}
        scene = read_scene(game, procedure.scene)
        table = game.table(sheets, scene, procedure.options)
        return replace(table, hidden=frozenset(procedure.hidden))

    # ------------------------------------------------------------------ what came of it

    def _come(
        self,
        mark: _Mark,
        dice: StepDice,
        hidden: Callable[[], Readers],
        pending: PendingAnswer,
        taken: int,
    ) -> Advance:
        session = self.resumed()
        given = tuple(_given(entry, self.game, pending) for entry in session.record[mark.record :])
        self._given += len(given)
        story: tuple[Item, ...] = ()
        if session.sealed > mark.sealed:
            story = (sealed(given[0].seat),)
        # Those who decide at once decide when the last of them answers.
        waited = self.procedure.given[len(self.procedure.given) - mark.sealed :]
        new = session.events[mark.events :]
        story += tuple(items(new, dice.throws, self.game, hidden, (*waited, *given)))
        return Advance(
            given=given,
            items=story,
            questions=tuple(_open_questions(session, taken)),
            over=session.done,
        )

    def _wait(
        self, wanted: FacesWanted, pending: PendingAnswer, dice: StepDice, taken: int
    ) -> Advance:
        roll = wanted.roll
        prompt = f"Roll {wanted.count}d{wanted.sides} for {roll.label}. What do they show?"
        faces = Faces(count=wanted.count, sides=wanted.sides)
        question = OpenQuestion(roll.owner, FACES, prompt, faces, "", taken)
        so_far = replace(pending, handfuls=wanted.typed, thrown=tuple(dice.thrown))
        return Advance(questions=(question,), pending=so_far)


class _Mark(msgspec.Struct, frozen=True):
    """How far a session had come before it was given something."""

    events: int = 0
    record: int = 0
    sealed: int = 0


def _open_questions(session: Session[Any], taken: int) -> Iterable[OpenQuestion]:
    """The open questions, of each seat the first: its answers are taken in their order.

    Those who decide at once keep the number of their question while others answer theirs.
    """
    first = taken - session.sealed
    asked: set[Seat] = set()
    for ask, place in zip(session.waiting, session.places, strict=True):
        if ask.seat not in asked:
            asked.add(ask.seat)
            yield open_question(ask, first + place)


def record_of(given: Iterable[ProcedureInput]) -> list[RecordEntry]:
    """What a procedure was given, as a session's record."""
    return [
        AnswerRecord(each.seat, each.answer)
        if each.faces is None
        else ThrowRecord(tuple(each.faces))
        for each in given
    ]


def _given(entry: RecordEntry, game: Game, pending: PendingAnswer) -> ProcedureInput:
    if isinstance(entry, ThrowRecord):
        return ProcedureInput(faces=entry.faces)
    answer = game.write(entry.answer)
    return ProcedureInput(entry.seat, answer, by=pending.by, reason=pending.reason)


def open_question(ask: Ask, step: int) -> OpenQuestion:
    """A question as the log keeps it while it is open."""
    question = cast(AnyQuestion, ask.question)
    return OpenQuestion(
        ask.seat, ask.key, ask.prompt, question, ask.because, step, ask.secret, ask.kind
    )


def _nothing_new(effect: Roll) -> Rolled[Any]:
    raise Refusal(f"The log has no faces for {effect.label}. Cancel this, and start again.")


def check_step(procedure: OpenProcedure, seat: Seat, step: int) -> OpenQuestion:
    """The open question of a seat at a step, or a refusal that says what is open instead."""
    for question in procedure.questions:
        if question.seat == seat and question.step == step:
            return question
    if any(question.seat == seat for question in procedure.questions):
        now = next(each.step for each in procedure.questions if each.seat == seat)
        raise BadInput("step", step, f"{now}: this question has already been answered")
    asked = ", ".join(sorted({question.seat for question in procedure.questions}))
    raise BadInput("seat", seat, f"a seat with an open question: {asked}")


def with_present_questions(campaign: Campaign) -> Campaign:
    """A campaign whose open procedures ask what this version asks.

    An earlier version, which wrote the log, may have asked something else, or in other words.
    """
    game = game_named(campaign.game)
    going_on = dict(campaign.standing.open)
    for id, procedure in going_on.items():
        if procedure.pending is None:
            with suppress(Refusal):  # then it asks what it asked, and can be cancelled
                asked = RunningProcedure(game, procedure).open_questions(procedure.taken)
                going_on[id] = replace(procedure, questions=asked)
    return replace(campaign, standing=replace(campaign.standing, open=going_on))
