"""What the log of a table of the d100 game can say happened."""

from __future__ import annotations

from astragal.play import Fact, Tally


class TestAnnounced(Fact, frozen=True, tag="aimed"):
    """The target number as it stands when the dice are about to be thrown."""

    name: str
    ability: str
    target: Tally
    task: str = ""
    role = "pool"

    def sentence(self) -> str:
        """Who tests what, against which target number and why that one."""
        return f"{self._attempt}: target {self.target}"

    @property
    def _attempt(self) -> str:
        what = f" ({self.task})" if self.task else ""
        return f"{self.name} tests {self.ability}{what}"

    @property
    def headline(self) -> str:
        """Whose test."""
        return self.name

    @property
    def pattern(self) -> str:
        """The target number can be unfolded."""
        return f"{self._attempt}: target {{target}}"


class DiceShown(Fact, frozen=True, tag="showed"):
    """What dice showed before somebody decided to keep them or to roll again."""

    label: str
    value: int

    def sentence(self) -> str:
        """The result so far."""
        return f"{self.label}: {self.value}."


class SideCame(Fact, frozen=True, tag="side"):
    """How one side of an Opposed test rolled; the outcome is that of all sides together."""

    name: str
    rolled: int
    target: int
    passed: bool
    degrees: int

    def sentence(self) -> str:
        """The roll against the target, and the degrees."""
        verdict = "success" if self.passed else "failure"
        degrees = "1 degree" if self.degrees == 1 else f"{self.degrees} degrees"
        return f"{self.name} rolls {self.rolled} against {self.target}: {degrees} of {verdict}."


class TestCame(SideCame, frozen=True, tag="came"):
    """How a test came out."""

    role = "outcome"


class TaskCame(Fact, frozen=True, tag="task"):
    """Where an Extended test is left: done, failed for good, or to be continued."""

    title: str
    verdict: str
    progress: int
    needed: int
    time: str
    rule: str = "percentile.extended.time"
    role = "outcome"

    def sentence(self) -> str:
        """The task, how far it is, and how long it took."""
        title = self.title[:1].upper() + self.title[1:]
        return f"{title}: {self.verdict}, {self.progress} of {self.needed} after {self.time}."


class ContestCame(Fact, frozen=True, tag="contested"):
    """Who has won an Opposed test, and by what; or that nobody has."""

    text: str
    rules: tuple[str, ...] = ()
    role = "outcome"

    def sentence(self) -> str:
        """The winner and the reason."""
        return self.text
