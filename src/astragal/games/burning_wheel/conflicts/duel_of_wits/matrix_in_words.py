"""What two verbal actions do to each other, in a sentence, before anything is rolled.

A section of the chapter on the Duel of Wits (``conflicts/duel_of_wits/duel``). No pair
has a text of its own: the sentence is built from what its row says
(``conflicts/duel_of_wits/matrix``), so it always agrees with what is worked out.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import msgspec

from astragal.rules import Options

from ..scripting import CardEffects
from .actions import label
from .matrix import NOTHING, ActionEffect, AfterEffect, Loss, Pairing, Rolls, pairing


class Readings(msgspec.Struct, frozen=True, cache_hash=True):
    """The house rules for what the pairs leave open."""

    riposte_needs_attack: bool = False
    tie_to_victim: bool = False


AS_USUAL = Readings()


@lru_cache(64)
def readings(options: Options) -> Readings:
    """The house rules that a table has chosen."""
    return Readings(
        options["duel_of_wits_unprovoked_riposte"] == "no_riposte",
        options["duel_of_wits_obfuscate_tie"] == "victim",
    )


@lru_cache(1024)
def met(names: tuple[str, str], cards: tuple[str, str], reading: Readings) -> CardEffects:
    """The fact that says what two actions do, with the table that says so."""
    table = "against_no_action" if NOTHING in cards else "interaction_matrix"
    return CardEffects(meeting(names, cards, reading), f"duel_of_wits.table.{table}")


def meeting(names: tuple[str, str], cards: tuple[str, str], reading: Readings = AS_USUAL) -> str:
    """What two actions do to each other.

    >>> meeting(("Ann", "Bob"), ("point", "feint"))
    "Bob's Feint has no effect here; each success of Ann's Point costs Bob a point."
    """
    told = _Meeting(names, pairing(*cards), reading)
    text = "; ".join(told.parts())
    return f"{text[0].upper()}{text[1:]}."


class _Meeting:
    """One pair, put into words piece by piece."""

    def __init__(self, names: tuple[str, str], pair: Pairing, reading: Readings) -> None:
        self._names = names
        self._pair = pair
        self._reading = reading

    def parts(self) -> Iterator[str]:
        """The pieces of the sentence, in the order of what happens."""
        pair = self._pair
        if not any(pair.acts):
            yield "neither side acts, and nothing happens"
        elif pair.is_versus:
            yield from self._versus()
        elif pair.wins_outright:
            yield from self._outright()
        elif not any(pair.rolling):
            what = " and ".join(self._card(side) for side in (0, 1) if pair.acts[side])
            yield f"nobody rolls, and nothing happens ({what})"
        else:
            yield from self._both_ways()
            return
        for side in (0, 1):
            yield from self._hesitates(side)

    def _both_ways(self) -> Iterator[str]:
        """What each side's action does; where both do the same, that is said once."""
        alike = self._pair.actions[0] == self._pair.actions[1]
        sides = (0,) if alike else (0, 1)
        for part in (self._idle, self._done, self._hesitates):
            for side in sides:
                yield from part(side)
        if alike:
            yield "and vice versa"

    def _card(self, side: int) -> str:
        return f"{self._names[side]}'s {label(self._pair.actions[side])}"

    def _leaves(self, side: int, after: AfterEffect) -> bool:
        return any(after in effect.may_leave for effect in self._pair.after[side])

    def _attack(self, side: int) -> str:
        """The part of a side's action that the other's body loses points to."""
        if self._pair.losses[1 - side].is_riposte:
            return f"{self._names[side]}'s riposte"
        return self._card(side)

    def _hesitates(self, side: int) -> Iterator[str]:
        if self._leaves(side, AfterEffect.HESITATES):
            action = label(self._pair.actions[side])
            yield f"unless the {action} wins the duel, {self._names[side]} loses the next volley"

    # --- Without dice held against each other ---

    def _outright(self) -> Iterator[str]:
        pair = self._pair
        winner = pair.actions.index(pair.wins_outright)
        beats = f"{self._card(winner)} beats {self._card(1 - winner)} outright"
        if pair.rolls[winner] is Rolls.FREE_POINT:
            yield beats
            mine, other = self._names[winner], self._names[1 - winner]
            yield f"{mine} makes a free Point, and each success of it costs {other} a point"
        else:
            yield f"{beats}, and nobody rolls"

    def _idle(self, side: int) -> Iterator[str]:
        """Sides that do nothing, or divide their dice."""
        pair = self._pair
        if not pair.acts[side]:
            yield f"{self._names[side]} does not act"
        elif not pair.rolling[side]:
            yield f"{self._card(side)} has no effect here"
        elif pair.rolls[side] is Rolls.SPLIT:
            yield f"{self._names[side]} divides the dice between defence and riposte"
        elif pair.rolls[side] is Rolls.RIPOSTE and not self._has_no_riposte(side):
            yield f"{self._names[side]} has nothing to defend against, and only the riposte counts"

    def _done(self, side: int) -> Iterator[str]:
        """What a side's action does to the other."""
        pair, other = self._pair, 1 - side
        mine, theirs = self._names[side], self._names[other]
        loss = pair.losses[other]
        if loss is not Loss.NONE and self._has_no_riposte(side):
            yield f"without an attack to answer, {mine} has no riposte"
        elif loss is Loss.SUCCESSES_LESS_SUCCESSES:
            takes = f"{self._card(other)} subtracts successes from {self._attack(side)}"
            yield f"{takes}, and each one left costs {theirs} a point"
        elif loss in (Loss.SUCCESSES_LESS_DEFENCE, Loss.RIPOSTE_LESS_DEFENCE):
            takes = f"{theirs}'s defence subtracts successes from {self._attack(side)}"
            yield f"{takes}, and each one left costs {theirs} a point"
        elif loss is not Loss.NONE:
            yield f"each success of {self._attack(side)} costs {theirs} a point"
        if self._leaves(other, AfterEffect.STEEL):
            if ActionEffect.INCITED_NET in pair.after[other]:
                takes = f"{self._card(other)} subtracts successes from {self._card(side)}"
                yield f"{takes}, and what is left counts against {theirs}'s Will"
            else:
                yield f"{self._card(side)} is rolled against {theirs}'s Will"
            yield from self._insult(other)
        elif self._leaves(other, AfterEffect.OBSTACLE):
            yield f"a success of {self._card(side)} gives {theirs} +1 Ob on the next action"

    def _has_no_riposte(self, side: int) -> bool:
        unprovoked = self._pair.actions[1 - side] in ("incite", "rebuttal", NOTHING)
        return (
            self._pair.actions[side] == "rebuttal"
            and unprovoked
            and self._reading.riposte_needs_attack
        )

    def _insult(self, side: int) -> Iterator[str]:
        """What an Incite does to its victim."""
        name = self._names[side]
        yield f"if it reaches that, {name} must pass a Steel test or lose the next volley"
        yield f"if it falls short, {name} gains +1D on the next test for each success it lacks"

    # --- Versus ---

    def _versus(self) -> Iterator[str]:
        pair = self._pair
        if pair.actions[0] == pair.actions[1]:
            yield f"{self._card(0)} is rolled against {self._card(1)}"
            yield "the winner has +1D on the next action, the loser +1 Ob; a tie does nothing"
            return
        hinders = pair.actions.index("obfuscate")
        victim = 1 - hinders
        name, action = self._names[victim], label(pair.actions[victim])
        yield f"{self._card(hinders)} is rolled against {self._card(victim)}{self._how(victim)}"
        effect = self._effect(victim)
        if pair.tie_to == "obfuscate" and not self._reading.tie_to_victim:
            stops = f"if it ties or wins, the {action} is stopped"
            yield f"{stops}, and a win also gives {name} +1 Ob on the next action"
            gains = "if it loses"
        else:
            stopped = f"the {action} is stopped and " if effect else ""
            yield f"if it wins, {stopped}{name} has +1 Ob on the next action"
            gains = "if it ties or loses"
        yield f"{gains}, {effect}{name} has +1D on the next action"
        if self._leaves(hinders, AfterEffect.STEEL):
            yield from self._insult(hinders)

    def _how(self, side: int) -> str:
        rolls = self._pair.rolls[side]
        if rolls is Rolls.TWICE:
            return ", which is rolled twice"
        return ", defence and riposte together" if rolls is Rolls.SPLIT else ""

    def _effect(self, side: int) -> str:
        """What an action does if Obfuscate does not stop it."""
        other = 1 - side
        loss = self._pair.losses[other]
        if loss is not Loss.NONE:
            part = "riposte" if loss.is_riposte else label(self._pair.actions[side])
            return f"each success of the {part} costs {self._names[other]} a point and "
        if self._leaves(other, AfterEffect.STEEL):
            action = label(self._pair.actions[side])
            return f"the {action} counts against {self._names[other]}'s Will and "
        return ""
