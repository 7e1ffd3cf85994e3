"""From what a procedure did to what the log keeps of it (:mod:`~astragal.table.log.items`)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

import msgspec

from astragal.dice import Count, OpenEnded, Pool, PoolWithOnes, Successes
from astragal.games import Game
from astragal.games.game import SCENE
from astragal.odds.trial import answered
from astragal.play import GM, Ask, Change, Event, Fact, Roll, Script, Seat, Tally, Tell
from astragal.play import Decided as PlayDecided
from astragal.play import Threw as PlayThrew
from astragal.play.changes import split_path
from astragal.table.log.items import Changed, Decided, Face, Item, Number, Rolled, Sealed, Told
from astragal.table.log.state import Given


class Readers(msgspec.Struct, frozen=True):
    """Who may read the sheets that are not for all, and of whom others do not even know."""

    sheets: dict[str, tuple[Seat, ...]]
    hidden: frozenset[str]


def mentions(plain: Any, keys: Collection[str]) -> bool:
    """Whether plain data names one of these characters by its key."""
    if not keys:
        return False
    text = msgspec.json.encode(plain)  # a name that is in it is in there between quotes
    return any(msgspec.json.encode(key) in text for key in keys) and _names_one(plain, keys)


def _names_one(plain: Any, keys: Collection[str]) -> bool:
    if isinstance(plain, Mapping):
        return any(key in keys or _names_one(each, keys) for key, each in plain.items())
    if isinstance(plain, list | tuple):
        return any(_names_one(each, keys) for each in plain)
    return isinstance(plain, str) and plain in keys


class Throw(msgspec.Struct, frozen=True):
    """How dice came to be thrown: the number of the throw, its handfuls, and whether by hand."""

    index: int
    handfuls: tuple[tuple[int, int], ...]
    typed: bool
    session: int = 0


def items(
    events: Iterable[Event],
    throws: Iterable[Throw],
    game: Game,
    hidden: Readers,
    given: Iterable[Given],
) -> Iterator[Item]:
    """The story of the events, each item with those who may see it.

    ``throws`` has one entry for each roll among the events; ``hidden`` are the characters whose
    sheets are not for all, and who reads them; ``given`` are the answers that were decided with.
    """
    thrown = iter(throws)
    instead: dict[Seat, list[Seat]] = {}
    for each in given:
        if each.faces is None:
            instead.setdefault(each.seat, []).append(each.by)
    for event in events:
        match event:
            case Tell(fact=fact, audience=audience):
                yield told(fact, audience)
            case PlayThrew(roll=roll, rolled=result):
                yield rolled(roll, result.value, result.faces, next(thrown))
            case PlayDecided(ask=ask, answer=answer):
                yield decided(ask, answer, game, instead[ask.seat].pop(0))
            case Change():
                yield changed(event, game, hidden)


def told(fact: Fact, audience: tuple[Seat, ...]) -> Told:
    """A fact, with every number in it unfolded."""
    numbers = tuple(
        number_of(name, value)
        for name in fact.__struct_fields__
        if isinstance(value := getattr(fact, name), Tally) and value.lines
    )
    kind = str(fact.__struct_config__.tag)
    rule = str(getattr(fact, "rule", ""))
    return Told(
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
    )


def number_of(name: str, tally: Tally) -> Number:
    """A tally under its name."""
    lines = tuple((line.amount, line.label, line.rule) for line in tally.lines)
    return Number(name, tally.total, lines)


def rolled(roll: Roll, value: Any, faces: tuple[int, ...], throw: Throw) -> Rolled:
    """A throw as the dice lie."""
    sides = tuple(sides for sides, count in throw.handfuls for _ in range(count))
    return Rolled(
        roll.label,
        roll.owner,
        roll.expression.notation,
        tuple(lying(roll.expression, faces, sides)),
        comes_to(value),
        throw.index,
        throw.handfuls,
        throw.typed,
        throw.session,
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


def lying(expression: Any, faces: tuple[int, ...], sides: tuple[int, ...]) -> Iterator[Face]:
    """Each die: of a pool also whether it is a success, and the six that it was thrown for."""
    pool = expression.pool if isinstance(expression, Successes | PoolWithOnes) else expression
    if not isinstance(pool, Pool) or pool.open_ended is OpenEnded.HARSH_ONES:
        # Where faces are added up, and where a one turns a die into a threat, a face is a face.
        yield from (Face(face, each) for face, each in zip(faces, sides, strict=True))
        return
    wave: list[tuple[Any, int | None]] = [
        (shade, None) for shade, count in pool.dice.items() for _ in range(count)
    ]
    opens = {OpenEnded.NO: (), OpenEnded.SIXES: (6,), OpenEnded.ONES_AND_SIXES: (6, 1)}
    rolls_on = opens[pool.open_ended]
    at = 0
    while wave:
        following: list[tuple[Any, int]] = []
        for place, (shade, parent) in enumerate(wave, start=at):
            yield Face(faces[place], 6, faces[place] >= shade.difficulty, parent)
            if faces[place] in rolls_on:
                following.append((shade, place))
        at += len(wave)
        order = list(dict(pool.dice.items()))
        # Every wave is thrown in the order of the shades; of one shade sixes go before ones.
        following.sort(key=lambda die: (order.index(die[0]), -faces[die[1]]))
        wave = [*following]


def decided(ask: Ask, answer: Any, game: Game, by: Seat) -> Decided:
    """A decision in words; a secret one is for whoever made it."""
    return Decided(
        ask.seat,
        ask.key,
        ask.prompt,
        game.write(answer),
        words_for(ask, answer),
        ask.because,
        answer == ask.question.default,
        by,
        (ask.seat,) if ask.secret else (),
    )


def words_for(ask: Ask, answer: Any) -> str:
    """An answer as somebody would say it, by the labels of what was on offer."""
    question = ask.question
    if isinstance(question, Script):
        labels = {card.key: card.label for card in question.cards}
        return ", ".join(labels.get(card, card) for card in answer)
    offered = getattr(question, "options", ())
    if offered and isinstance(answer, tuple):
        labels = {option.key: option.label for option in offered}
        return ", ".join(labels.get(str(key), str(key)) for key in answer) or "none"
    said = answered(ask, answer)
    plain = f"{ask.key.replace('_', ' ')}: "
    return said.removeprefix(plain)


def changed(change: Change, game: Game, hidden: Readers) -> Changed:
    """A change in plain data; what is the GM's to know is told to the GM."""
    before, after = game.write(change.before), game.write(change.after)
    audience = audience_of(change.target, change.path, game, hidden, before, after)
    return Changed(change.target, change.path, before, after, change.because, audience)


def audience_of(
    target: str, path: str, game: Game, hidden: Readers, *values: Any
) -> tuple[Seat, ...]:
    """Who may see that something changed there, from one value to another; empty for all."""
    field = split_path(path)[0]
    if target == SCENE and (
        field in game.secret_scene or mentions((split_path(path), values), hidden.hidden)
    ):
        return (GM,)
    return hidden.sheets.get(target, ())


def sealed(seat: Seat) -> Sealed:
    """A seat has decided, and nobody else knows what."""
    return Sealed(seat)
