"""What the log of a Burning Wheel table can say happened."""

from __future__ import annotations

from astragal.play import Fact, Role, Tally


class Declared(Fact, frozen=True, tag="declared"):
    """Somebody said what they want and what they do for it (tests.intent.both_declared).

    What is rolled follows from the task; the intent says how to read what comes of it
    (tests.intent.task_picks_mechanics).
    """

    name: str
    intent: str
    task: str
    ability: str

    def sentence(self) -> str:
        """Who wants what, and how."""
        return f"{self.name} wants: {self.intent}. How: {self.task} ({self.ability})."


class AtStake(Fact, frozen=True, tag="at_stake"):
    """What the GM said before the roll.

    tests.failure.stated_before_roll, tests.success.gm_announces_result.
    """

    success: str
    failure: str
    time: str

    def sentence(self) -> str:
        """The promise, the threat and the time."""
        parts = [f"If it succeeds: {self.success}." if self.success else ""]
        parts += [f"If it fails: {self.failure}." if self.failure else ""]
        parts += [f"It takes: {self.time}."]
        return " ".join(part for part in parts if part)


class DiceGathered(Fact, frozen=True, tag="gathered"):
    """Dice and obstacle as they stand when the dice are about to be thrown."""

    name: str
    dice: Tally
    obstacle: Tally | None = None

    def sentence(self) -> str:
        """Both tallies, unfolded."""
        against = "" if self.obstacle is None else f" against Ob {self.obstacle}"
        return f"{self.name} rolls {str(self.dice).replace(' =', 'D =', 1)}{against}"

    @property
    def role(self) -> Role:
        """What is about to be thrown."""
        return "pool"

    @property
    def headline(self) -> str:
        """Whose dice."""
        return self.name

    @property
    def pattern(self) -> str:
        """Both tallies can be unfolded."""
        against = "" if self.obstacle is None else " against {obstacle}"
        return f"{self.name} rolls {{dice}}{against}"


class TestCame(Fact, frozen=True, tag="came"):
    """How a test came out."""

    name: str
    successes: int
    verdict: str
    passed: bool

    def sentence(self) -> str:
        """Successes and verdict."""
        count = "1 success" if self.successes == 1 else f"{self.successes} successes"
        return f"{self.name}: {count}. {self.verdict}"

    @property
    def role(self) -> Role:
        """The verdict."""
        return "outcome"
