"""The chance of the next dice, against answers worked out by hand."""

from __future__ import annotations

from fractions import Fraction

import msgspec
import pytest

from astragal.dice import Die
from astragal.play import (
    Fact,
    Frame,
    Play,
    Then,
    Unanswered,
    YesNo,
    ask,
    call,
    chances_of_rolls,
    defaults,
    roll,
    tell,
    then,
    together,
)
from astragal.play.machine import Machine


class Verdict(Fact, frozen=True, tag="verdict"):
    name: str
    passed: bool

    def sentence(self) -> str:
        return self.name

    @property
    def verdicts(self) -> tuple[tuple[str, bool], ...]:
        return ((self.name, self.passed),)


class Cards(Fact, frozen=True, tag="cards"):
    def sentence(self) -> str:
        return "cards"

    @property
    def cards(self) -> tuple[tuple[str, str], ...]:
        return (("ann", "a card"),)


class Duel(msgspec.Struct, frozen=True, cache_hash=True):
    """Two dice against each other, of which the higher wins."""

    name: str
    ahead: int = 0

    def judged(self, result: tuple[int, int]) -> tuple[tuple[str, bool], ...]:
        mine, theirs = result
        return ((self.name, mine + self.ahead > theirs), (f"against {self.name}", theirs > mine))


def duels(several: tuple[Duel, ...]) -> Play[tuple[tuple[int, int], ...]]:
    thrown = []
    for each in several:
        mine = yield from roll(Die(6), f"{each.name}, mine", "ann")
        theirs = yield from roll(Die(6), f"{each.name}, theirs", "bob")
        thrown.append((mine, theirs))
    return tuple(thrown)


def conflict(several: tuple[Duel, ...]) -> Play[None]:
    """It goes on after the dice with something that nobody can answer yet."""
    yield from together(duels, several)
    yield from ask("bob", "script", "secret", YesNo(), because="a.b.c")
    return then(conflict, several)


def test_then_cards(wanted: int) -> Play[None]:
    face = yield from roll(Die(6), "ann, jump", "ann")
    again = yield from ask("ann", "again", "again?", YesNo(default=False), because="a.b.c")
    if again:
        face = yield from roll(Die(6), "ann, jump again", "ann")
    yield from tell(Verdict("ann", face >= wanted))
    yield from tell(Cards())
    yield from ask("bob", "script", "secret", YesNo(), because="a.b.c")


test_then_cards.__test__ = False  # type: ignore[attr-defined]


def at_first_roll(start: Then[None]) -> Machine[None]:
    return Machine((Frame(start),))


def found(machine: Machine[None], policy=defaults) -> dict[str, Fraction]:
    return {each.name: each.chance for each in chances_of_rolls(machine.state, policy)}


def test_dice_that_judge_themselves_are_walked_alone_and_no_farther():
    both = found(at_first_roll(then(conflict, (Duel("one"), Duel("two", 1)))))
    assert both == {
        "one": Fraction(15, 36),
        "against one": Fraction(15, 36),
        "two": Fraction(21, 36),
        "against two": Fraction(15, 36),
    }


def test_dice_that_lie_there_already_count_as_they_are():
    machine = at_first_roll(then(conflict, (Duel("one"), Duel("two"))))
    machine.answer(5)
    assert found(machine)["one"] == Fraction(4, 6)
    machine.answer(6)
    assert found(machine)["one"] == 0
    assert found(machine)["two"] == Fraction(15, 36)


@pytest.mark.parametrize(("again", "chance"), [(False, Fraction(2, 6)), (True, Fraction(2, 6))])
def test_otherwise_the_next_verdict_that_is_told_counts(again: bool, chance: Fraction):
    def policy(asked):
        if asked.key == "script":
            raise Unanswered(asked)
        return again

    assert found(at_first_roll(then(test_then_cards, 5)), policy) == {"ann, jump": chance}


def test_nothing_is_said_beyond_cards_that_nobody_has_seen():
    def hidden(wanted: int) -> Play[None]:
        face = yield from roll(Die(6), "ann", "ann")
        yield from tell(Cards())
        yield from tell(Verdict("ann", face >= wanted))

    assert found(at_first_roll(then(hidden, 5))) == {}


def test_dice_within_a_called_procedure_are_found():
    def caller() -> Play[None]:
        yield from call(conflict, (Duel("one"),))

    assert found(at_first_roll(then(caller)))["one"] == Fraction(15, 36)
