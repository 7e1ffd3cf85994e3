"""What the log of a table of this game can say happened."""

from __future__ import annotations

from astragal.play import Fact, Tally


class TestAnnounced(Fact, frozen=True, tag="announced"):
    """Somebody is about to make a test."""

    name: str
    task: str
    core: str
    dn: Tally | None
    role = "aside"

    def sentence(self) -> str:
        """Who tests what, against which DN."""
        return self._tests("" if self.dn is None else str(self.dn.total))

    def _tests(self, dn: str) -> str:
        what = f": {self.task}" if self.task else ""
        against = f" against DN {dn}" if dn else ""
        return f"{self.name} tests {self.core}{against}{what}."

    @property
    def pattern(self) -> str:
        """The DN can be unfolded."""
        return "" if self.dn is None else self._tests("{dn}")


class DiceGathered(Fact, frozen=True, tag="gathered"):
    """Dice and modifiers as they stand when the dice are about to be thrown."""

    name: str
    dice: str
    reasons: tuple[str, ...]
    modifiers: Tally
    role = "pool"

    def sentence(self) -> str:
        """The dice with their reasons, and the tally of what is added."""
        why = f" ({'; '.join(self.reasons)})" if self.reasons else ""
        flat = "".join(f", {line}" for line in self.modifiers)
        return f"{self.name} rolls {self.dice}{why}{flat}."

    @property
    def headline(self) -> str:
        """Whose dice."""
        return self.name


class DiceFell(Fact, frozen=True, tag="fell"):
    """The dice as they fell, with all that is added to them."""

    name: str
    total: Tally

    def sentence(self) -> str:
        """The whole sum."""
        return f"{self.name}: {self.total}."

    @property
    def pattern(self) -> str:
        """The sum can be unfolded."""
        return f"{self.name}: {{total}}."


class DiceRerolled(Fact, frozen=True, tag="rerolled"):
    """Dice that were thrown again for Story Points; the new faces take the old ones' place."""

    name: str
    total: Tally
    points: int

    def sentence(self) -> str:
        """What was paid, and the new sum."""
        return f"{self.name} rerolls for {_points(self.points)}: {self.total}."

    @property
    def pattern(self) -> str:
        """The sum can be unfolded."""
        return f"{self.name} rerolls for {_points(self.points)}: {{total}}."


def _points(number: int) -> str:
    return f"{number} Story Point{'' if number == 1 else 's'}"


class TestCame(Fact, frozen=True, tag="came"):
    """How a test came out."""

    name: str
    total: int
    dn: int
    passed: bool
    role = "outcome"

    def sentence(self) -> str:
        """Total, DN and verdict."""
        short = self.dn - self.total
        verdict = "success" if self.passed else f"failure by {short}"
        return f"{self.name}: {self.total} against DN {self.dn}, {verdict}."


class AngstMoved(Fact, frozen=True, tag="angst_moved"):
    """A type of Angst went up or down."""

    name: str
    kind: str
    before: int
    after: int
    rule: str

    def sentence(self) -> str:
        """Which, from what to what."""
        return f"{self.name}: {self.kind} goes from {self.before} to {self.after}."


class CoreMoved(Fact, frozen=True, tag="core_moved"):
    """A Core was lowered, or has recovered."""

    name: str
    core: str
    before: str
    after: str
    rule: str

    def sentence(self) -> str:
        """Which, from what to what."""
        return f"{self.name}: {self.core} goes from {self.before} to {self.after}."
