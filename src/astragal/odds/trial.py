"""A test that somebody wonders about, ready for the drivers.

A :class:`Trial` is a procedure of a game about to begin, with what is already said of it: the
same procedure, arguments and table that would be played, so that odds and play cannot differ.
It knows how to make itself anew from other numbers, which is what sweeps and advice vary.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from astragal.errors import BadInput
from astragal.games import Game
from astragal.games.plain_test import Situation
from astragal.play import (
    Answer,
    Ask,
    Fact,
    Seat,
    State,
    Tally,
    Text,
    Then,
    answer_in_words,
    check_answer,
    defaults,
    exact,
)


class GivenAnswers:
    """Answers given beforehand, by the key of the question; everything else gets its default.

    A key may be narrowed to one seat (``mara/forks``), or to the questions whose prompt has
    certain words in it (``disadvantages@Mara``). The same question always gets the same answer.
    """

    def __init__(self, answers: Mapping[str, Any], *, all_asked: bool = True) -> None:
        """Take the answers, and whether every one of them must be asked for."""
        self._answers = dict(answers)
        self._all_asked = all_asked
        self._used: set[str] = set()

    def __call__(self, ask: Ask) -> Answer:
        """The answer given beforehand, checked against the question, or its default."""
        written = self._written_for(ask)
        if written is not None:
            self._used.add(written)
            place = written.partition("@")[0].rpartition("/")[2]
            return _checked(ask, self._answers[written], place)
        if isinstance(ask.question, Text) and ask.question.required and not ask.question.default:
            return "..."
        return defaults(ask)

    def leaves(self, key: str) -> bool:
        """Whether nothing was said about the questions of a key."""
        said = {written.partition("@")[0].rpartition("/")[2] for written in self._answers}
        return key not in said

    def has(self, ask: Ask) -> bool:
        """Whether there is an answer to a question."""
        return self._written_for(ask) is not None

    def _written_for(self, ask: Ask) -> str | None:
        for written in self._answers:
            name, _, words = written.partition("@")
            if name in (ask.key, f"{ask.seat}/{ask.key}") and words in ask.prompt:
                return written
        return None

    def check_all_used(self) -> None:
        """Refuse what was said but never asked: it would silently not count."""
        for written, answer in self._answers.items():
            if self._all_asked and written not in self._used:
                key = written.partition("@")[0].rpartition("/")[2]
                raise BadInput(key, answer, "a question that this test asks")


def _checked(ask: Ask, answer: object, place: str) -> Answer:
    checked: Answer = check_answer(ask, answer, place)
    return checked


class Trial(msgspec.Struct, frozen=True, kw_only=True):
    """A test, the seat whose odds they are, and how to make it anew with other numbers."""

    game: Game
    title: str
    start: Then[Any]
    answers: dict[str, Any]
    seat: Seat
    rival: Seat | None = None
    until: type[Fact] | None = None
    """The fact that tells the verdict, where the rest of the procedure cannot change it."""
    reads_fact: bool = False
    """Whether the odds are read from that fact: everything after it only follows from it."""
    hope: str = "chance of success"
    about: frozenset[str] | None = None
    """The decisions that bear on the verdict; None for all that the seat is asked."""
    points: dict[str, int] = {}
    """What is in hand to be spent, by the name of its number."""
    numbers: dict[str, Any]
    make: Callable[..., Trial]
    say: Callable[[Ask, Answer], str] | None = None
    see: Callable[[State, Ask], Situation] | None = None

    all_asked: bool = True
    """Whether everything that was said must be asked for in the test."""

    def policy(self) -> GivenAnswers:
        """What was said beforehand, and defaults for the rest."""
        return GivenAnswers(self.answers, all_asked=self.all_asked)

    def changed(self, **numbers: Any) -> Trial:
        """The same test with other numbers."""
        return self.make(**{**self.numbers, **numbers})

    def is_good(self, result: Any) -> bool:
        """Whether a result, or the fact that tells the verdict, is what the seat hopes for."""
        wanted = None if isinstance(result, Fact) else self.game.wanted
        good = getattr(result, "passed", None) if wanted is None else wanted(result)
        if good is None:
            raise BadInput("procedure", self.title, "a test that can succeed or fail")
        return bool(good)

    def words_for(self, ask: Ask, answer: Answer) -> str:
        """An answer as somebody would say it."""
        return answer_in_words(ask, answer) if self.say is None else self.say(ask, answer)

    def situation(self, state: State, ask: Ask) -> Situation:
        """What is seen when a question comes: as the game puts it, or what comes of it as it is."""
        if self.see is not None:
            return self.see(state, ask)
        (outcome, *_) = exact(state, self.policy()).weights
        seen = seen_in(outcome, self.is_good(outcome))
        if seen.good:
            return Situation(0, 0, "enough")
        if seen.margin is not None:
            return Situation(-seen.margin, 0, f"{-seen.margin} short")
        if unit_of(outcome) != "degrees":
            return Situation(1, 0, "not enough")
        return Situation(-seen.number, 0, _degrees_of_failure(-seen.number))


def _degrees_of_failure(degrees: int) -> str:
    return f"{degrees} degree{'' if degrees == 1 else 's'} of failure"


class OutcomeNumber(msgspec.Struct, frozen=True, order=True):
    """What is looked at in an outcome: a number, what it is short of or beyond, and the verdict."""

    number: int
    margin: int | None
    good: bool


def unit_of(outcome: Any) -> str:
    """What an outcome is counted in."""
    if hasattr(outcome, "sides"):
        return "margin"
    names = ("successes", "total", "degrees", "result", "progress")
    return next((name for name in names if hasattr(outcome, name)), "verdict")


def seen_in(outcome: Any, good: bool) -> OutcomeNumber:
    """The number of an outcome that people ask about, in any game.

    Successes or a total, with the margin where there is one; degrees, below zero for a failure;
    of a contest the margin, below zero if it was lost.
    """
    margin = getattr(outcome, "margin", None)
    unit = unit_of(outcome)
    if unit == "margin":
        lead = getattr(outcome, "margin", getattr(outcome, "degrees", 0))
        return OutcomeNumber(lead if good else -lead, None, good)
    if unit == "verdict":
        return OutcomeNumber(int(good), None, good)
    number = getattr(outcome, unit)
    return OutcomeNumber(number if good or unit != "degrees" else -number, margin, good)


def reasons_in(outcome: Any) -> dict[str, str]:
    """The tallies of an outcome, unfolded: dice, obstacle, target."""
    found = {}
    for name in ("dice", "obstacle", "dn", "target", "modifiers", "tax_dice", "tax_obstacle"):
        value = getattr(outcome, name, None)
        if isinstance(value, tuple) and value and isinstance(value[0], Tally):
            value = value[0]
        if isinstance(value, Tally) and value.lines:
            found[name.replace("_", " ")] = str(value)
        elif name == "dice" and isinstance(value, str | tuple) and value:
            found[name] = value if isinstance(value, str) else " and ".join(map(str, value))
    return found
