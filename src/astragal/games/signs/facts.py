"""What the log of a Signs table can say happened."""

from __future__ import annotations

from astragal.play import Fact, Tally

from .successes import counted


class TestAnnounced(Fact, frozen=True, tag="tested"):
    """A Test begins: of which kind, whose, with which Score and for what."""

    kind: str
    name: str
    score: str
    goal: str

    def sentence(self) -> str:
        """Who tests what, and for what."""
        goal = f" ({self.goal})" if self.goal else ""
        return f"{self.kind}: {self.name} tests {self.score}{goal}."


class AttackAnnounced(Fact, frozen=True, tag="attacked"):
    """An attack begins, which is no Test (signs.attack.like_tests)."""

    name: str
    score: str
    target: str

    def sentence(self) -> str:
        """Who attacks whom, and with what."""
        return f"{self.name} attacks {self.target} with {self.score}."


class WagerOffered(Fact, frozen=True, tag="wagered"):
    """An offer in the negotiation of a Called Test (signs.type.wager), and whether it is agreed."""

    by: str
    gain: str
    cost: str
    agreed: bool = False

    def sentence(self) -> str:
        """The gain and the cost."""
        said = "Agreed" if self.agreed else f"{self.by} offers"
        gain = f"{self.gain} on a Success" if self.gain else ""
        cost = f"{self.cost} on a failure" if self.cost else ""
        wager = ", ".join(filter(None, (gain, cost)))
        if not wager:
            return "Agreed, as said at the table." if self.agreed else f"{self.by} makes an offer."
        return f"{said}: {wager}."


class DiceGathered(Fact, frozen=True, tag="gathered"):
    """Dice and modifiers as they stand when the dice are about to be thrown."""

    name: str
    dice: tuple[str, ...]
    modifiers: Tally
    rerolls: int
    role = "pool"

    def sentence(self) -> str:
        """The dice, and every Advantage and Disadvantage."""
        return self._rolls(str(self.modifiers))

    def _rolls(self, modifiers: str) -> str:
        text = f"{self.name} rolls {' and '.join(self.dice)}"
        if self.modifiers.lines:
            text += f"; net Advantage {modifiers}"
        if self.rerolls:
            text += f"; {'one die' if self.rerolls == 1 else 'each die'} can be rerolled"
        return f"{text}."

    @property
    def headline(self) -> str:
        """Whose dice."""
        return self.name

    @property
    def pattern(self) -> str:
        """The sum of Advantages and Disadvantages can be unfolded."""
        return self._rolls("{modifiers}")


class MemberCame(Fact, frozen=True, tag="member"):
    """How one member of a group rolled; the outcome is that of the group."""

    name: str
    rolled: int
    taken: int
    verdict: str

    def sentence(self) -> str:
        """Successes and verdict."""
        taken = f", {self.taken} taken" if self.taken < self.rolled else ""
        return f"{self.name}: {counted(self.rolled)}{taken}. {self.verdict}".rstrip()


class TestCame(MemberCame, frozen=True, tag="came"):
    """How a roll came out."""

    role = "outcome"


class GroupCame(Fact, frozen=True, tag="group"):
    """What the Successes of a group come to."""

    total: int
    needed: int
    passed: bool
    brings: str
    rule: str = "signs.group.success"
    role = "outcome"

    def sentence(self) -> str:
        """All Successes, what it took, and what comes of it."""
        verdict = "succeeds" if self.passed else "fails"
        brings = f": {self.brings}" if self.brings else ""
        return f"The group has {counted(self.total)}, needs {self.needed}, and {verdict}{brings}."
