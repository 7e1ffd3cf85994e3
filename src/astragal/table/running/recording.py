"""From what a procedure did to what the log keeps of it (:mod:`~astragal.table.log.items`)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import msgspec

from astragal.dice import Count
from astragal.games import Game
from astragal.play import (
    Ask,
    Change,
    Fact,
    Roll,
    Script,
    Seat,
    SessionEvent,
    Tally,
    Tell,
    answer_in_words,
)
from astragal.play import DecisionEvent as PlayDecided
from astragal.play import RollEvent as PlayThrew
from astragal.play.growing import Growing
from astragal.table.log.items import (
    ChangedItem,
    DecidedItem,
    DieFace,
    Item,
    NamedTally,
    RolledItem,
    SealedItem,
    ToldItem,
)
from astragal.table.log.state import TABLE, ProcedureInput
from astragal.table.secrecy.audiences import Readers, audience_of


class DiceThrow(msgspec.Struct, frozen=True):
    """How dice were thrown: the number of the throw, its handfuls, whether they were typed in."""

    index: int
    handfuls: tuple[tuple[int, int], ...]
    typed: bool
    session: int = 0
    stream: str = ""
    mixed: int = 0


def items(
    events: Iterable[SessionEvent],
    throws: Iterable[DiceThrow],
    game: Game,
    hidden: Callable[[], Readers],
    given: Iterable[ProcedureInput],
) -> Iterator[Item]:
    """The story of the events, each item with those who may see it.

    ``throws`` has one entry for each roll among the events; ``hidden`` says whose sheets not
    everybody sees, and who reads them (which matters where something changes); ``given`` are the
    answers of those who decided.
    """
    thrown = iter(throws)
    answers: dict[Seat, list[ProcedureInput]] = {}
    for each in given:
        if each.faces is None:
            answers.setdefault(each.seat, []).append(each)
    for event in events:
        match event:
            case Tell(fact=fact, audience=audience):
                yield told(fact, audience)
            case PlayThrew(roll=roll, rolled=result):
                yield rolled(roll, result.value, result.faces, next(thrown))
            case PlayDecided(ask=ask, answer=answer):
                yield decided(ask, answer, game, answers[ask.seat].pop(0))
            case Change():
                yield changed(event, game, hidden())


def told(fact: Fact, audience: tuple[Seat, ...]) -> ToldItem:
    """A fact, with every number in it unfolded."""
    numbers = tuple(
        number_of(name, value)
        for name in fact.__struct_fields__
        if isinstance(value := getattr(fact, name), Tally) and value.lines
    )
    kind = str(fact.__struct_config__.tag)
    rule = str(getattr(fact, "rule", ""))
    return ToldItem(
        fact.sentence(),
        kind,
        rule,
        numbers,
        fact.cards,
        fact.bars,
        audience,
        role=fact.role,
        headline=fact.headline,
        pattern=fact.pattern,
        picture=fact.picture,
        meetings=fact.meetings,
        follow_up=fact.follow_up,
    )


def number_of(name: str, tally: Tally) -> NamedTally:
    """A tally under its name."""
    lines = tuple((line.amount, line.label, line.rule) for line in tally.lines)
    return NamedTally(name, tally.total, lines)


def rolled(roll: Roll, value: Any, faces: tuple[int, ...], throw: DiceThrow) -> RolledItem:
    """A throw, die by die."""
    sides = (sides for sides, count in throw.handfuls for _ in range(count))
    shown = zip(roll.expression.laid_out(faces), sides, strict=True)
    dice = (DieFace(die.face, each, die.success, die.parent) for die, each in shown)
    return RolledItem(
        roll.label,
        roll.owner,
        roll.expression.notation,
        tuple(dice),
        comes_to(value),
        throw.index,
        throw.handfuls,
        throw.typed,
        throw.session,
        stream=throw.stream,
        mixed=throw.mixed,
    )


def comes_to(value: Any) -> str:
    """What dice come to, in words."""
    if isinstance(value, Count):
        return f"{value.successes} success{'' if value.successes == 1 else 'es'}"
    successes = getattr(value, "successes", None)
    if isinstance(successes, int):
        return f"{successes} success{'' if successes == 1 else 'es'}"
    if isinstance(value, tuple):
        return ", ".join(map(str, value))
    total = getattr(value, "total", None)
    return str(value if total is None else total)


def decided(ask: Ask, answer: Any, game: Game, given: ProcedureInput) -> DecidedItem:
    """A decision in words; a secret one is for the seat that made it, or for nobody.

    What the table scripts for a character is seen card by card, also by the GM.
    """
    alone = TABLE if given.by == TABLE else ask.seat
    return DecidedItem(
        ask.seat,
        ask.key,
        ask.prompt,
        game.write(answer),
        words_for(ask, answer),
        ask.because,
        answer == ask.question.default,
        given.by,
        given.reason,
        (alone,) if ask.secret else (),
    )


def words_for(ask: Ask, answer: Any) -> str:
    """An answer as somebody would say it, by the labels of what was on offer."""
    question = ask.question
    if isinstance(question, Script):
        labels = {card.key: card.label for card in (*question.openers, *question.cards)}
        return ", ".join(labels.get(card, card) for card in answer)
    offered = getattr(question, "options", ())
    if offered and isinstance(answer, tuple):
        labels = {option.key: option.label for option in offered}
        return _listed([labels.get(str(key), str(key)) for key in answer]) or "none"
    said = answer_in_words(ask, answer)
    plain = f"{ask.key.replace('_', ' ')}: "
    return said.removeprefix(plain)


def _listed(labels: list[str]) -> str:
    """Labels in a row: whole sentences among them, as Beliefs are, are told apart by semicolons."""
    if len(labels) < 2 or not any(label.endswith((".", "!", "?")) for label in labels):
        return ", ".join(labels)
    return "; ".join(label.removesuffix(".") for label in labels)


def changed(change: Change, game: Game, hidden: Readers) -> ChangedItem:
    """A change in plain data; what is the GM's to know is told to the GM."""
    before, after, more = _without_what_stays(change.before, change.after)
    # As the log has them: in plain data of the table there are no tuples to compare with.
    before, after = msgspec.json.decode(msgspec.json.encode(game.write((before, after))))
    audience = audience_of(change.target, change.path, game, hidden, before, after)
    return ChangedItem(
        change.target, change.path, before, after, change.because, audience, more=more
    )


def _without_what_stays(before: Any, after: Any) -> tuple[Any, Any, bool]:
    """Of a list to whose end something came, only that: the log is to grow with what happens.

    And of a list out of which something was taken, only that: made to the list as it is by then,
    both say the same (:func:`~astragal.table.log.paths.merged`).
    """
    if not isinstance(before, tuple) or not isinstance(after, tuple):
        return before, after, False
    if isinstance(after, Growing) and after.shrank_from(before):
        return after.taken, (), False
    new = after[len(before) :]
    grew = isinstance(after, Growing) and after.grew_from(before)
    is_more = grew or (bool(new) and after[: len(before)] == before)
    if not is_more or len(new) > len(before):
        return before, after, False
    return (), new, True


def sealed(seat: Seat) -> SealedItem:
    """A seat has decided, and nobody else knows what."""
    return SealedItem(seat)
