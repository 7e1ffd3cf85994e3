"""What may come of an open procedure: its odds at this point, and with each answer.

The odds are those of the very procedure that is being played, walked on from where it is
with the defaults of everything that is still to be decided. They are for the seat that is asked;
where something has happened that it may not know, there are none, because odds would tell it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import islice, zip_longest
from types import MappingProxyType
from typing import Any

import msgspec
from msgspec.structs import replace

from astragal.errors import Refusal
from astragal.games import Game, game_named
from astragal.odds.trial import GivenAnswers, seen_in, unit_of
from astragal.play import (
    GM,
    Answer,
    Ask,
    Fact,
    Frame,
    Number,
    OutOfStep,
    PickSeveral,
    Question,
    Seat,
    Tally,
    Unanswered,
    chances_of_rolls,
    exact,
    fits,
)
from astragal.table.log.items import DecidedItem, NamedTally, ToldItem
from astragal.table.log.state import OpenProcedure
from astragal.table.running.card import answers_said, known_drafts, table_card
from astragal.table.running.recording import number_of
from astragal.table.running.session import FACES, RunningProcedure
from astragal.table.views.types import Foresight

MOST_OPTIONS = 24
"""A question with more answers than this shows the odds with some of them, or none."""

MOST_ROWS = 40

SECRET = "Something here is still secret"

NOTHING: Mapping[str, Any] = MappingProxyType({})


def foresee(
    game: Game, procedure: OpenProcedure, seat: Seat, supposing: Mapping[str, Any] = NOTHING
) -> Iterator[Foresight]:
    """First the odds as they stand, then also with each answer to the seat's open question.

    What is drafted counts as said; ``supposing`` are answers that the seat wonders about,
    by the key of the question. Where the GM's secrets in the scene would make a difference to
    the odds, others are told none.
    """
    found = _foreseen(game, procedure, seat, supposing)
    if seat == GM or procedure.known_scene is None:
        yield from found
        return
    known = replace(procedure, scene=procedure.known_scene)
    try:
        for each, as_known in zip_longest(found, _foreseen(game, known, seat, supposing)):
            if each is None or each != as_known:
                break
            yield each
        else:
            return
    except (OutOfStep, Refusal):
        pass
    step = next((q.step for q in procedure.questions if q.seat == seat), procedure.taken)
    yield Foresight(procedure=procedure.id, step=step, why_not=SECRET)


def _foreseen(
    game: Game, procedure: OpenProcedure, seat: Seat, supposing: Mapping[str, Any]
) -> Iterator[Foresight]:
    question = next((q for q in procedure.questions if q.seat == seat), None)
    step = procedure.taken if question is None else question.step
    if _is_conflict(procedure):
        yield _of_rolls(game, procedure, seat, Foresight(procedure=procedure.id, step=step))
        return
    why_not = hidden_from(procedure, seat)
    if why_not:
        yield Foresight(procedure=procedure.id, step=step, why_not=why_not)
        return
    if procedure.pending is not None:
        yield Foresight(procedure=procedure.id, step=step, why_not="The dice are being rolled")
        return
    session = RunningProcedure(game, procedure).resumed()
    supposed = {f"{seat}/{key}": answer for key, answer in supposing.items()}
    policy = _DraftedAnswers(procedure, seat, supposed)
    state = session.state
    base = Foresight(procedure=procedure.id, step=step)
    try:
        base = _as_it_stands(game, base, state, policy)
    except Unanswered as waits:
        # What others are asked is theirs to know.
        is_known = waits.ask.seat == seat or (seat == GM and not waits.ask.secret)
        open_yet = f"Still open: {waits.ask.prompt}" if is_known else "Others decide first"
        dice = _dice_so_far(game, base, state, _SupposedNumbers(procedure, seat, supposed))
        base = replace(base, why_not=open_yet, numbers=dice)
    except Refusal as refusal:
        base = replace(base, why_not=str(refusal))
    yield base
    if question is None or question.key == FACES or len(session.waiting) != 1:
        return
    ask = session.waiting[0]
    options = dict(_with_each(game, ask, state, policy))
    if options:
        yield replace(base, options=options, why_not="")


def _of_rolls(game: Game, procedure: OpenProcedure, seat: Seat, base: Foresight) -> Foresight:
    """In the middle of a conflict: the odds of the dice that are thrown next, and no more.

    What comes of the whole depends on scripts that are secret. Of these dice everybody knows what
    they are for, as soon as the cards behind them lie open.
    """
    if _turns_on_secrets(procedure, seat):
        return replace(base, why_not=SECRET)
    card = table_card(RunningProcedure(game, procedure), known_drafts(procedure, seat))
    if not card.rolls or card.open_lines or card.refusal is not None:
        return base
    try:
        found = chances_of_rolls(card.at_rolls, _DraftedAnswers(procedure, seat))
    except Refusal as refusal:
        why_not = "Others decide first" if isinstance(refusal, Unanswered) else str(refusal)
        return replace(base, why_not=why_not)
    return replace(base, rolls=tuple((each.name, float(each.chance)) for each in found))


class _DraftedAnswers(GivenAnswers):
    """What a seat supposes, then what is drafted as far as it may know, then what stands."""

    def __init__(
        self, procedure: OpenProcedure, seat: Seat, supposed: Mapping[str, Any] = NOTHING
    ) -> None:
        drafts = {f"{d.seat}/{d.key}@{d.prompt}": d.answer for d in known_drafts(procedure, seat)}
        super().__init__({**supposed, **drafts}, all_asked=False)
        self._said = answers_said(procedure)

    def __call__(self, ask: Ask) -> Answer:
        if ask.standing and not self.has(ask):
            said = self._said.get((ask.seat, ask.key, ask.prompt))
            if said is not None and fits(ask, said):
                answer: Answer = ask.question.check(said, ask.key)
                return answer
        return super().__call__(ask)


class _SupposedNumbers(_DraftedAnswers):
    """The same, and some number where one is needed that nobody has said yet."""

    def __call__(self, ask: Ask) -> Answer:
        question = ask.question
        if isinstance(question, Number) and question.default is None and not self.has(ask):
            return question.least
        return super().__call__(ask)


def _dice_so_far(
    game: Game, base: Foresight, state: Any, policy: GivenAnswers
) -> tuple[NamedTally, ...]:
    """The pool that is being gathered while the obstacle is not known."""
    try:
        found = _as_it_stands(game, base, state, policy)
    except Refusal:
        return ()
    return tuple(number for number in found.numbers if number.name == "dice")


def _as_it_stands(game: Game, base: Foresight, state: Any, policy: GivenAnswers) -> Foresight:
    outcomes = exact(state, policy, until=lambda fact: bool(fact.hope))
    first = next(iter(outcomes.weights))
    numbers = tuple(_numbers(first))
    if isinstance(first, Fact):
        base = replace(base, hope=first.hope, wheel=first.wheel)
    if game.wanted(first) is None:
        return replace(base, numbers=numbers)
    chance = outcomes.where(lambda outcome: bool(game.wanted(outcome)))
    seen = outcomes.map(lambda outcome: seen_in(outcome, bool(game.wanted(outcome))))
    rows = tuple(
        (each.number, float(Fraction(weight, seen.total)), each.good)
        for each, weight in seen.items()
    )
    shown = tuple(row for row in rows if row[1] >= 0.0005)[:MOST_ROWS]
    return replace(
        base,
        chance=float(chance),
        unit=unit_of(first),
        rows=shown,
        numbers=numbers,
        earns=_earns(outcomes),
    )


def _with_each(
    game: Game, ask: Ask, state: Any, policy: GivenAnswers
) -> Iterator[tuple[str, float]]:
    """The chance with each answer; answers with which nothing can be said are left out."""
    *outer, top = state
    for answer in _answers(ask.question):
        try:
            then = (*outer, Frame(top.start, (*top.answers, answer)))
            outcomes = exact(then, policy, until=lambda fact: bool(fact.hope))
        except Refusal:
            continue
        if all(game.wanted(outcome) is not None for outcome in outcomes.weights):
            chance = outcomes.where(lambda outcome: bool(game.wanted(outcome)))
            yield msgspec.json.encode(answer).decode(), float(chance)


def _answers(question: Question[Any]) -> tuple[Any, ...]:
    """All answers; of several choices that are too many, what one more of them would do."""
    found = question.every_answer(MOST_OPTIONS)
    if found or not isinstance(question, PickSeveral):
        return found
    usual = question.default or ()
    keys = [option.key for option in question.options]
    more = (tuple(k for k in keys if k == key or k in usual) for key in keys if key not in usual)
    few, many = question.least, len(keys) if question.most is None else question.most
    return tuple(each for each in (usual, *islice(more, MOST_OPTIONS)) if few <= len(each) <= many)


def _numbers(outcome: Any) -> Iterator[NamedTally]:
    """The tallies of an outcome: dice, obstacle, target."""
    for name in ("dice", "obstacle", "dn", "target", "modifiers", "tax_dice", "tax_obstacle"):
        value = getattr(outcome, name, None)
        if isinstance(value, tuple) and value and isinstance(value[0], Tally):
            value = value[0]
        if isinstance(value, Tally) and value.lines:
            yield number_of(name, value)


def _earns(outcomes: Any) -> str:
    """The class of test that it would count as, if that is settled already."""
    found = set()
    for outcome in outcomes.weights:
        earned = getattr(outcome, "earned", None)
        found.add(earned[0] if isinstance(earned, tuple) and earned else earned)
    (one, *more) = found
    return "" if more or not one else str(getattr(one, "value", one))


def _is_conflict(procedure: OpenProcedure) -> bool:
    """Whether it has a picture of who is where, as conflicts with scripts have."""
    return any(isinstance(item, ToldItem) and item.picture is not None for item in procedure.story)


def _turns_on_secrets(procedure: OpenProcedure, seat: Seat) -> bool:
    """Whether the next dice of a conflict would tell a seat what it may not know."""
    is_secret = procedure.secret and seat != GM
    return is_secret or decided_unseen(procedure) or not lies_open(procedure, seat)


def kept_from_gm(procedure: OpenProcedure, seat: Seat) -> bool:
    """Whether the odds of a player would tell the GM what only players know."""
    drafts = known_drafts(procedure, seat)
    if any(draft not in known_drafts(procedure, GM) for draft in drafts):
        return True
    hides = _turns_on_secrets if _is_conflict(procedure) else hidden_from
    return bool(hides(procedure, GM))


def hidden_from(procedure: OpenProcedure, seat: Seat) -> str:
    """Why a seat may not know what follows from here, if so."""
    secret = procedure.secret and seat != GM
    if secret or any(item.audience and seat not in item.audience for item in procedure.story):
        return SECRET
    return "Others are deciding in secret" if decided_unseen(procedure) else ""


def lies_open(procedure: OpenProcedure, seat: Seat) -> bool:
    """Whether a seat may see what others are asked next.

    What others have scripted is secret, too, but it is turned over card by card, and no card of
    questions goes beyond those that lie open.
    """
    story = procedure.story
    shown = [at for at, item in enumerate(story) if isinstance(item, ToldItem) and item.cards]
    is_open = max(shown, default=-1)
    return not any(
        item.audience and seat not in item.audience
        for at, item in enumerate(story)
        if at > is_open or not isinstance(item, DecidedItem)
    )


def decided_unseen(procedure: OpenProcedure) -> bool:
    """Whether somebody has decided already what others are still deciding."""
    given = sum(each.faces is None for each in procedure.given)
    return given > sum(isinstance(item, DecidedItem) for item in procedure.story)


def work_out(game: str, procedure: bytes, seat: Seat, supposing: bytes) -> Iterator[bytes]:
    """The same in another process: plain bytes in, plain bytes out."""
    read = msgspec.json.decode(procedure, type=OpenProcedure)
    for foresight in foresee(game_named(game), read, seat, msgspec.json.decode(supposing)):
        yield msgspec.json.encode(foresight)
