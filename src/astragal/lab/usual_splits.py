"""A solution with the usual splits, as it looks to somebody who divides Rebuttals more cleverly."""

from __future__ import annotations

from astragal.lab.duel_game import Bodies, SplitPlan
from astragal.lab.duel_solver import Mix
from astragal.lab.duel_volleys import Floats
from astragal.lab.kept_plans import as_chances
from astragal.lab.solved_duel import SolvedDuel


class UsualSplits:
    """A solution with the usual splits, as others may play against it who divide as they like."""

    def __init__(self, solved: SolvedDuel) -> None:
        """Take a solution of which splits are no part."""
        self.game, self._solved = solved.whole_game, solved
        self._usual = self.game.usual[..., 0], self.game.usual[..., 1].transpose(0, 2, 1)

    def mix(self, side: int, bodies: Bodies, position: int = 0) -> Mix:
        """The scripts of a side in a state."""
        return self._solved.mix(side, bodies, position)

    def plans(self, side: int, bodies: Bodies, position: int = 0) -> list[SplitPlan]:
        """How these scripts divide their Rebuttals: always in the way that gains most."""
        usual, many = self._usual[side], len(self.game.cards[side])
        found = []
        for script in self.mix(side, bodies, position).scripts:
            first, rest = divmod(script, many**2)
            ways = usual[position, first]
            links = self.game.unfolded(side, position, first, ways).links
            found.append(SplitPlan(ways, usual[self.game.links.position[links], rest // many]))
        return found

    def last_splits(self, side: int, bodies: Bodies) -> Floats:  # noqa: ARG002
        """How a side divides in the last volley; a card that is no Rebuttal has only one way."""
        ways = self._usual[side].max(axis=1)
        return as_chances(ways, int(self.game.ways.max()))
