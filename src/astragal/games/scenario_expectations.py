"""What a step of a scenario should come to, and where it comes to something else.

Every difference is one line: the field of ``expect``, what was expected, what was found. The keys
of questions are written as in ``answers``: narrowed to a seat (``tam/help``) and to an occasion
(``after_roll#2``, the second time it is asked).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from astragal.errors import Refusal
from astragal.games.game import Game
from astragal.play import Ask, Change, SessionEvent, Tell, Unanswered


class Expected(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a step should come to; whatever is not mentioned is not looked at."""

    outcome: dict[str, Any] = {}
    changes: list[dict[str, Any]] = []
    no_other_changes: bool = False
    told: list[str] = []
    asked: list[str] = []
    not_asked: list[str] = []
    asked_in_order: list[str] = []
    """Questions that must come in this order; others may come between them."""
    asked_exactly: list[str] | None = None
    """Every question of the step, in order."""
    refused: str = ""


class ScriptFault(Refusal):
    """The script of a step does not fit what is played: dice or answers are missing or too many.

    That is never the refusal which a step expects.
    """


def is_expected(refusal: Refusal, expected: Expected) -> bool:
    """Whether the rules refused what they should, and by the rule that was named."""
    if isinstance(refusal, Unanswered | ScriptFault):
        return False
    return bool(expected.refused) and refusal.rule == expected.refused


def differences(
    expected: Expected,
    outcome: Any,
    events: Sequence[SessionEvent],
    asked: Sequence[Ask],
    game: Game,
) -> Iterator[str]:
    """Everything that is not as expected, field by field."""
    yield from _compare(expected.outcome, outcome, "outcome")
    yield from _changes(expected, events, game)
    sentences = [event.fact.sentence() for event in events if isinstance(event, Tell)]
    for text in expected.told:
        if not any(text in sentence for sentence in sentences):
            yield f"told: nothing said {text!r}"
    yield from _questions(expected, asked)


def _changes(expected: Expected, events: Sequence[SessionEvent], game: Game) -> Iterator[str]:
    changes = [game.write(event) for event in events if isinstance(event, Change)]
    unseen = list(changes)
    for wanted in expected.changes:
        match = next((c for c in unseen if not list(_compare(wanted, c, ""))), None)
        if match is None:
            same = [c for c in changes if c["path"] == wanted.get("path")]
            got = f"it became {same[-1]['after']!r}" if same else "it did not change"
            yield f"changes: expected {_said(wanted)}, but {got}"
        else:
            unseen.remove(match)
    if expected.no_other_changes:
        for change in unseen:
            yield f"changes: did not expect {_said(change)}"


# --- Questions -----------------------------------------------------------------------------


def _questions(expected: Expected, asked: Sequence[Ask]) -> Iterator[str]:
    names = list(_names(asked))
    every = {name for each in names for name in each}
    for key in expected.asked:
        if key not in every:
            yield f"asked: {key!r} was never asked"
    for key in expected.not_asked:
        if key in every:
            yield f"not_asked: {key!r} was asked"
    yield from _order(expected.asked_in_order, names)
    if expected.asked_exactly is not None:
        yield from _exactly(expected.asked_exactly, asked, names)


def _names(asked: Sequence[Ask]) -> Iterator[frozenset[str]]:
    """Everything that each question may be called, in the order asked."""
    times: Counter[str] = Counter()
    for ask in asked:
        own = (ask.key, f"{ask.seat}/{ask.key}")
        times.update(own)
        yield frozenset((*own, *(f"{name}#{times[name]}" for name in own)))


def _order(wanted: Sequence[str], names: Sequence[frozenset[str]]) -> Iterator[str]:
    left = iter(names)
    for at, key in enumerate(wanted):
        if not any(key in each for each in left):
            after = f" after {wanted[at - 1]!r}" if at else ""
            yield f"asked_in_order: {key!r} was not asked{after}"
            return


def _exactly(
    wanted: Sequence[str], asked: Sequence[Ask], names: Sequence[frozenset[str]]
) -> Iterator[str]:
    for number, (key, each) in enumerate(zip(wanted, names, strict=False), 1):
        if key not in each:
            found = asked[number - 1]
            yield f"asked_exactly: question {number}: expected {key!r}, got {_named(found)!r}"
            return
    if len(wanted) > len(asked):
        number, missing = len(asked) + 1, wanted[len(asked)]
        yield f"asked_exactly: question {number}: expected {missing!r}, but it was not asked"
    elif len(asked) > len(wanted):
        more = asked[len(wanted)]
        yield f"asked_exactly: question {len(wanted) + 1}: did not expect {_named(more)!r}"


def _named(ask: Ask) -> str:
    return f"{ask.seat}/{ask.key}"


# --- Values --------------------------------------------------------------------------------


def _compare(expected: Any, found: Any, place: str) -> Iterator[str]:
    """Where the found value is not what was expected; a mapping need only be covered."""
    if isinstance(found, Mapping) and set(found) == {"lines"} and isinstance(expected, int):
        found = sum(line["amount"] for line in found["lines"])
    if isinstance(expected, Mapping) and isinstance(found, Mapping):
        for key, value in expected.items():
            if key not in found:
                yield f"{place}.{key}: expected {value!r}, but there is no such field"
            else:
                yield from _compare(value, found[key], f"{place}.{key}")
    elif isinstance(expected, list) and isinstance(found, list | tuple):
        if len(expected) != len(found):
            yield f"{place}: expected {len(expected)} entries, got {len(found)}: {list(found)!r}"
        for index, (one, other) in enumerate(zip(expected, found, strict=False)):
            yield from _compare(one, other, f"{place}[{index}]")
    elif expected != found and not (expected == "none" and found is None):
        yield f"{place}: expected {expected!r}, got {found!r}"


def _said(change: Mapping[str, Any]) -> str:
    where = f"{change.get('target', '')}.{change.get('path', '')}".strip(".")
    return f"{where} to become {change.get('after')!r}"
