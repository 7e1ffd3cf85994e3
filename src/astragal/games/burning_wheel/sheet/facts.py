"""What the log of a Burning Wheel table can say happened."""

from __future__ import annotations

from astragal.play import Fact, Tally

from .words import as_sentence, counted, sentences


def intent_beside(intent: str, task: str) -> str:
    """The intent, where it says more than the task does; without one, nothing.

    >>> intent_beside("he is silent", "stabs him"), intent_beside("stabs him", "Stabs him")
    ('he is silent', '')
    """
    plain = intent.strip()
    return "" if plain.casefold() == task.strip().casefold() else plain


class IntentDeclared(Fact, frozen=True, tag="declared"):
    """A player declared an intent and a task (tests.intent.both_declared).

    What is rolled follows from the task; the intent says how to read what comes of it
    (tests.intent.task_picks_mechanics).
    """

    name: str
    intent: str
    task: str
    ability: str

    def sentence(self) -> str:
        """The intent and the task, as far as they were written down."""
        intent, does = intent_beside(self.intent, self.task), f"{self.task} ({self.ability})."
        if not self.task:
            return f"{self.name}'s intent: {intent} ({self.ability})." if intent else self._bare()
        if not intent:
            return f"{self.name}: {does}"
        return f"{self.name}'s intent: {intent}. Task: {does}"

    def _bare(self) -> str:
        return f"{self.name} tests {self.ability}."


class AtStake(Fact, frozen=True, tag="at_stake"):
    """What the GM said before the roll.

    tests.failure.stated_before_roll, tests.success.gm_announces_result.
    """

    success: str
    failure: str
    time: str

    def sentence(self) -> str:
        """What success brings, what failure brings, and the time it takes."""
        return sentences(
            as_sentence(f"Success: {self.success}") if self.success else "",
            as_sentence(f"Failure: {self.failure}") if self.failure else "",
            f"Time: {self.time}.",
        )


class DiceGathered(Fact, frozen=True, tag="gathered"):
    """Dice and obstacle, just before the roll."""

    name: str
    dice: Tally
    obstacle: Tally | None = None
    role = "pool"
    verb = "rolls"

    def sentence(self) -> str:
        """Both tallies, line by line."""
        against = "" if self.obstacle is None else f" against Ob {self.obstacle}"
        return f"{self.name} {self.verb} {str(self.dice).replace(' =', 'D =', 1)}{against}"

    @property
    def headline(self) -> str:
        """Whose dice."""
        return self.name.removesuffix(",")

    @property
    def pattern(self) -> str:
        """Both tallies can be unfolded."""
        against = "" if self.obstacle is None else " against {obstacle}"
        return f"{self.name} {self.verb} {{dice}}{against}"


class DiceDivided(DiceGathered, frozen=True, tag="divided"):
    """Dice that somebody is about to divide, with all that they come from."""

    verb = "divides"


class TestCame(Fact, frozen=True, tag="came"):
    """How a test came out."""

    name: str
    successes: int
    verdict: str
    passed: bool
    role = "outcome"

    def sentence(self) -> str:
        """Successes and verdict."""
        return f"{self.name}: {counted(self.successes, 'success')}. {self.verdict}"

    @property
    def verdicts(self) -> tuple[tuple[str, bool], ...]:
        """Whether the test was passed."""
        return ((self.name, self.passed),)
