"""The dice of a step: what its ``rolls`` say, in the order in which the dice are thrown."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from astragal.dice import Chance, Pool, PoolWithOnes, Rolled
from astragal.errors import BadInput
from astragal.games.scenario_expectations import ScriptFault
from astragal.play import Roll, rolled_from


class ScriptedDice:
    """Scripted faces or successes where a step has any, else chance."""

    def __init__(self, rolls: list[Any] | None, chance: Chance) -> None:
        """Take one entry for each roll, or none at all; rolls are counted from 1."""
        self._rolls = rolls
        self._chance = chance
        self._thrown = 0

    def __call__(self, effect: Roll) -> Rolled[Any]:
        """The roll as the next entry has it."""
        if self._rolls is None:
            return effect.expression.sample(self._chance)
        self._thrown += 1
        place = f"roll {self._thrown} ({effect.label})"
        try:
            if self._thrown > len(self._rolls):
                raise BadInput("", None, f"faces of {effect.expression.notation}")
            return rolled_from(effect, _faces(self._rolls[self._thrown - 1], effect))
        except BadInput as bad:
            raise ScriptFault(f"rolls: {BadInput(place, bad.value, bad.expected)}") from None

    @property
    def left_over(self) -> BadInput | None:
        """The first entry for which no roll was made, as a refusal."""
        if self._rolls is None or self._thrown >= len(self._rolls):
            return None
        expected = "no more entries: every roll has been made"
        return BadInput(f"rolls: roll {self._thrown + 1}", self._rolls[self._thrown], expected)


def _faces(entry: Any, effect: Roll) -> list[int]:
    if isinstance(entry, Mapping) and set(entry) == {"successes"}:
        if not isinstance(effect.expression, Pool | PoolWithOnes):
            raise BadInput("", entry, f"faces: {effect.expression.notation} counts no successes")
        successes = entry["successes"]
        if isinstance(successes, bool) or not isinstance(successes, int):
            raise BadInput("", successes, "a whole number of successes")
        return list(effect.expression.faces_for(successes))
    if isinstance(entry, list) and all(isinstance(face, int) for face in entry):
        return entry
    raise BadInput("", entry, "a list of faces, or {successes = n}")
