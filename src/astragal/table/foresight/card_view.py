"""The card of an open procedure as one seat may see it."""

from __future__ import annotations

import re
from typing import Any, cast

from msgspec.structs import replace

from astragal.errors import Refusal
from astragal.games import Game
from astragal.play import GM, AnyQuestion, Ask, OutOfStep, PickOne, Seat
from astragal.table.foresight.odds import decided_unseen, lies_open
from astragal.table.log.state import Campaign, OpenQuestion
from astragal.table.running.card import DraftLine, TableCard, WalkedCards, known_drafts
from astragal.table.running.recording import words_for
from astragal.table.running.session import RunningProcedure
from astragal.table.secrecy.redaction import HiddenWords, hidden_words_for
from astragal.table.views.types import CardView, LineView


def card_for(
    running: RunningProcedure,
    campaign: Campaign,
    seat: Seat,
    walked: WalkedCards | None = None,
    hidden: HiddenWords | None = None,
) -> CardView:
    """The card as it looks to a seat, walked along what that seat may know.

    ``walked`` are cards of the same campaign; ``hidden`` is what the seat may not read of.
    """
    procedure = running.procedure
    hidden = hidden or hidden_words_for(campaign.standing, seat)
    card = walked_card(running, campaign, seat, walked)
    releasers = card.releasers
    if not lies_open(procedure, seat):
        card = _own_part(card, seat)
        releasers = tuple(each for each in releasers if each == seat)
    certain = _certain(card.lines)
    lines = [each for line in certain if (each := _line(line, seat, running.game, hidden))]
    now = [question for question in procedure.questions if question.seat == seat]
    drafts = {each.line: each.answer for each in known_drafts(procedure, seat)}
    lines += [_asked(question, drafts) for question in now if not _is_in(question, lines)]
    refusal = "" if card.refusal is None else str(card.refusal)
    return CardView(
        procedure=procedure.id,
        step=procedure.taken,
        seq=campaign.seq,
        lines=tuple(lines),
        rolls=tuple(
            (roll.owner, roll.label) for roll in card.rolls if not hidden.is_in(roll.label)
        ),
        releasers=releasers,
        ready=card.ready(procedure),
        rolls_on=procedure.rolls_on,
        may_roll_on=card.has_dice,
        held=procedure.held,
        refusal="Not allowed. Ask the GM." if hidden.is_in(refusal) else refusal,
    )


def walked_card(
    running: RunningProcedure, campaign: Campaign, seat: Seat, walked: WalkedCards | None = None
) -> TableCard:
    """All that is asked and rolled next, along what the seat may know; empty where it is secret."""
    procedure = running.procedure
    if (procedure.secret and seat != GM) or decided_unseen(procedure):
        return TableCard()
    return _walked(running, campaign, seat, walked or WalkedCards())


def _own_part(card: TableCard, seat: Seat) -> TableCard:
    """What a seat itself is asked and rolls, where the rest would show what is still secret."""
    return replace(
        card,
        lines=tuple(line for line in card.lines if line.ask.seat == seat),
        rolls=tuple(roll for roll in card.rolls if roll.owner == seat),
        refusal=None,
    )


def _walked(
    running: RunningProcedure, campaign: Campaign, seat: Seat, walked: WalkedCards
) -> TableCard:
    """The walk through what the seat knows; where the GM's secrets would change it, none."""
    procedure = running.procedure
    drafts, asks_consent = known_drafts(procedure, seat), campaign.asks_consent
    if seat == GM or procedure.known_scene is None:
        return walked.card(running, drafts, asks_consent=asks_consent, by_known_scene=False)
    try:
        return walked.card(running, drafts, asks_consent=asks_consent, by_known_scene=True)
    except (OutOfStep, Refusal):
        return TableCard()


def _certain(lines: tuple[DraftLine, ...]) -> tuple[DraftLine, ...]:
    """The lines without those about a choice that nobody has made yet.

    The walk supposes some choice or other, and whoever reads its name would take it for the answer.
    """
    supposed: list[str] = []
    found = []
    for line in lines:
        if any(re.search(rf"\b{re.escape(name)}\b", line.ask.prompt) for name in supposed):
            continue
        found.append(line)
        question = line.ask.question
        if line.is_open and isinstance(question, PickOne) and question.default is None:
            supposed.append(str(line.answer))
    return tuple(found)


def _line(line: DraftLine, seat: Seat, game: Game, hidden: HiddenWords) -> LineView | None:
    ask = line.ask
    is_mine = ask.seat == seat
    if ask.secret and not is_mine:
        return None
    words = words_for(ask, line.answer) if line.answer is not None and not line.is_open else ""
    answer = None if line.is_open else game.write(line.answer)
    if not is_mine and hidden.is_in(f"{ask.prompt} {words}"):
        return None
    return LineView(
        seat=ask.seat,
        key=ask.key,
        prompt=ask.prompt,
        kind=ask.kind,
        because=ask.because,
        question=_question(ask) if is_mine or seat == GM else None,
        answer=answer,
        words=words,
        drafted=line.draft is not None,
        is_open=line.is_open,
        standing=line.is_standing,
        secret=ask.secret,
        reason=line.draft.reason if line.draft else "",
    )


def _question(ask: Ask) -> AnyQuestion:
    return cast(AnyQuestion, ask.question)


def _asked(question: OpenQuestion, drafts: dict[tuple[Seat, str, str], Any]) -> LineView:
    """A question that is open and not on the way to the dice: a script, or the faces of dice."""
    asked = question.seat, question.key, question.prompt
    return LineView(
        seat=question.seat,
        key=question.key,
        prompt=question.prompt,
        kind=question.kind or "needed",
        because=question.because,
        question=question.question,
        answer=drafts.get(asked),
        drafted=asked in drafts,
        is_open=True,
        secret=question.secret,
        step=question.step,
    )


def _is_in(question: OpenQuestion, lines: list[LineView]) -> bool:
    asked = question.seat, question.key, question.prompt
    return any((each.seat, each.key, each.prompt) == asked for each in lines)
