"""What a seat will probably be asked next, so that it can be answered on one card, in one go.

A test asks the GM a dozen things and the player half a dozen, in the order of the rules. Most
of them have a usual answer. Looking ahead along the usual answers gives all that a seat will be
asked before dice are thrown; what turns out differently is simply asked when it comes.
"""

from __future__ import annotations

from typing import Any, cast

import msgspec

from astragal.errors import Refusal
from astragal.play import AnyQuestion, Ask, Number, Roll, Seat, Text
from astragal.play.effects import AskAll
from astragal.play.machine import Scout
from astragal.table.foresight.odds import hidden_from
from astragal.table.log.state import OpenProcedure, OpenQuestion
from astragal.table.running.session import RunningProcedure
from astragal.table.views.types import QuestionsAhead

MOST_STEPS = 80
USUAL_NUMBER = 3
NOT_YET = -1
"""The step of a question that is not open yet."""


def look_ahead(running: RunningProcedure, seat: Seat) -> QuestionsAhead:
    """What a seat is asked now, and will be asked before the dice if nothing unusual happens."""
    procedure = running.procedure
    way = _Way()
    if procedure.pending is None and not hidden_from(procedure, seat):
        try:
            way = _ahead(running, seat)
        except Refusal:  # the usual answers are not allowed here: ask what is asked
            way = _Way()
    now = [question for question in procedure.questions if question.seat == seat]
    known = {(each.key, each.prompt) for each in now}
    later = [each for each in way.asked if (each.key, each.prompt) not in known]
    mine = tuple(each for each in procedure.prepared if each.seat == seat)
    return QuestionsAhead(
        procedure=procedure.id,
        step=procedure.taken,
        questions=(*now, *later),
        prepared=mine,
        rolls=way.rolls,
        waits=way.waits,
    )


class _Way(msgspec.Struct):
    """What is asked between here and the dice, if they are reached at all."""

    asked: list[OpenQuestion] = []
    rolls: bool = False
    waits: bool = False


def _ahead(running: RunningProcedure, seat: Seat) -> _Way:
    session = running.resumed()
    scout = session.scout()
    way = _gone(scout, running.procedure, seat)
    session.follow(scout)  # most answers will be those that are supposed here
    return way


def _gone(scout: Scout[Any], procedure: OpenProcedure, seat: Seat) -> _Way:
    way = _Way()
    said = {(each.seat, each.key, each.prompt) for each in procedure.prepared}
    ready = {(p.seat, p.key, p.prompt): p.answer for p in procedure.prepared if p.seat == seat}
    for _ in range(MOST_STEPS):
        effect = scout.effect
        if effect is None or isinstance(effect, Roll | AskAll):
            way.rolls = isinstance(effect, Roll)
            return way
        if not isinstance(effect, Ask):
            scout.answer(None)
            continue
        asks = (effect.seat, effect.key, effect.prompt)
        if effect.seat == seat:
            way.asked.append(_question(effect))
        elif asks not in said:
            way.waits = True
        prepared = ready.get(asks)
        answer = _usual(effect) if prepared is None else effect.question.check(prepared)
        if answer is None:
            return way
        scout.answer(answer)
    return way


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


def _question(ask: Ask) -> OpenQuestion:
    question = cast(AnyQuestion, ask.question)
    return OpenQuestion(ask.seat, ask.key, ask.prompt, question, ask.because, NOT_YET, ask.secret)
