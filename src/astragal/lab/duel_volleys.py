"""The odds of every volley of a Duel of Wits, as tables of numbers.

All of them come from the rules themselves: the engine gathers the dice, throws them (*exact*),
compares the successes, and says what is carried over. Two things make the tables small. The two
sides throw independently of each other, so that each number of dice is thrown only once; and what
a volley leads to depends on the successes, and not on how many dice they were rolled with. A test
compares these tables with whole volleys walked by the exact driver.

What is left out: artha, help and FoRKs (every question but the split of a Rebuttal gets its
default), and whatever a duel changes on the sheets. Dice from failed Incites that wait for a roll
are counted up to a most, which takes several failures in a row (:data:`BEYOND_WILL`).
"""

from __future__ import annotations

from enum import Enum
from typing import Any, NamedTuple, TypeAlias

import msgspec
import numpy as np
from numpy.typing import NDArray

from astragal.dice import OpenEnded, Shaded
from astragal.games.burning_wheel.artha.on_a_roll import ThrownDice
from astragal.games.burning_wheel.conflicts.duel_of_wits.actions import Debate
from astragal.games.burning_wheel.conflicts.duel_of_wits.exchange import aftermath, carry_over
from astragal.games.burning_wheel.conflicts.duel_of_wits.matrix import NOTHING, Rolls, pairing
from astragal.games.burning_wheel.conflicts.duel_of_wits.policies import answers_of
from astragal.games.burning_wheel.conflicts.duel_of_wits.state import Duel, DuelTerms
from astragal.games.burning_wheel.conflicts.duel_of_wits.volley import (
    Clash,
    ReadyVolley,
    as_counted,
    make_ready,
    resolve,
)
from astragal.games.burning_wheel.conflicts.scripting import (
    CarriedEffect,
    Until,
    due,
    lines_of,
)
from astragal.games.burning_wheel.sheet.parts import Artha
from astragal.games.burning_wheel.sheet.scene import BurningTable
from astragal.games.burning_wheel.tests.simultaneous import throw_all
from astragal.games.game import Table
from astragal.play import Answer, Ask, Line, Play, Split, exact, then

BEYOND_WILL = 3
"""Of the dice that wait for a roll after failed Incites, these more than Will are counted.

One Incite gives at most as many as Will; to collect more, a side must be incited again before it
has rolled.
"""

FAR = 1000
"""A body of argument that no volley wears down; to lose as much is to give up."""

Floats: TypeAlias = NDArray[np.float64]
Cards: TypeAlias = tuple[str, str]
Successes: TypeAlias = tuple[int, ...]
"""The successes of one side: of one roll, or of the defence and the riposte of a Rebuttal."""


class Load(NamedTuple):
    """What one side has from earlier volleys when it rolls: dice and obstacle."""

    dice: int = 0
    obstacle: int = 0


class Between(NamedTuple):
    """What lasts from one volley to the next, beside the bodies of argument."""

    carried: tuple[CarriedEffect, ...] = ()
    owed: tuple[int, int] = (0, 0)
    """Who has lost the coming volley: 1 for each side that has."""


class Splits(Enum):
    """How the dice of a Rebuttal are divided."""

    FREE = "free"
    """As its side likes."""
    EVEN = "even"
    """As the duel proposes: in halves."""


Outcome: TypeAlias = tuple[tuple[int, int], Between]
"""What may follow from a volley: what both bodies lose, and what lasts."""


class _Effects(NamedTuple):
    """What two cards lead to, by the successes of both sides, for given obstacles."""

    ready: ReadyVolley
    clashes: list[Clash]
    """One clash for each thing that they lead to."""
    numbers: dict[Any, int]
    """The number of the clash, by the successes of both sides, and by what it leads to."""


class Volleys:
    """The odds of all volleys between two speakers, worked out as they are asked for."""

    def __init__(self, debate: Debate, table: BurningTable, splits: Splits = Splits.FREE) -> None:
        """Take two speakers; their artha is left out."""
        without = {
            name: msgspec.structs.replace(sheet, artha=Artha())
            for name, sheet in table.characters.items()
        }
        self.debate = debate
        self._evenly = splits is Splits.EVEN
        self.table: BurningTable = Table(without, table.scene, table.options)
        wills = [table.character(each.character).ability("Will") for each in debate.speakers]
        self._most = max(will.exponent for will in wills) + BEYOND_WILL
        self._answer = answers_of({})
        self._thrown: dict[Any, tuple[list[Successes], Floats]] = {}
        self._effects: dict[Any, _Effects] = {}
        self._met: dict[Any, list[tuple[Clash, float]]] = {}
        self._followed: dict[Any, list[tuple[tuple[int, int], tuple[int, int], float]]] = {}
        self._splits: dict[Any, tuple[int, int]] = {}
        terms = DuelTerms("", "")
        self._duel = Duel(debate, (terms, terms), (), "", (FAR, FAR), (FAR, FAR), self.table)

    def outcomes(
        self, between: Between, cards: Cards, split: tuple[int, int]
    ) -> dict[Outcome, float]:
        """What may follow from a volley, and how likely it is; a lost volley has no card.

        ``split`` is how many dice of a Rebuttal defend, for each side.
        """
        cards = _shown(between, cards)
        return self._outcomes(between, self._meet(cards, self.loads(between, cards), split))

    def ways(self, between: Between, cards: Cards) -> tuple[list[int], list[int]]:
        """How many dice of a Rebuttal may defend, for each side; 0 where nothing is divided."""
        cards = _shown(between, cards)
        loads = self.loads(between, cards)
        return self._choices(cards, 0, loads), self._choices(cards, 1, loads)

    def usual(self, between: Between, cards: Cards) -> tuple[int, int]:
        """How many dice of a Rebuttal defend if only this volley counts, for each side."""
        cards = _shown(between, cards)
        return self.split(cards, self.loads(between, cards))

    def divided(
        self, between: Between, cards: Cards, side: int, defence: int, amount: int
    ) -> dict[Outcome, float]:
        """What may follow if a side divides its Rebuttal so; ``amount`` is all of its dice.

        Dice that the tables do not know of (from FoRKs, help or artha) count like any others.
        """
        loads = list(self.loads(between, cards))
        split = list(self.split(cards, (loads[0], loads[1])))
        own = self._make_ready(cards, (loads[0], loads[1]), 0).attempts[side]
        known = amount if own is None else own.pool.dice.total
        loads[side] = Load(loads[side].dice + amount - known, loads[side].obstacle)
        split[side] = defence
        return self._outcomes(
            between, self._mixed(cards, (loads[0], loads[1]), (split[0], split[1]))
        )

    def _outcomes(
        self, between: Between, clashes: list[tuple[Clash, float]]
    ) -> dict[Outcome, float]:
        found: dict[Outcome, float] = {}
        for clash, chance in clashes:
            carried = _capped(carry_over(between.carried, clash), self._most)
            for more, owed, likely in self._follows(clash):
                losses = (clash.losses[0] + more[0], clash.losses[1] + more[1])
                outcome = losses, Between(carried, owed)
                found[outcome] = found.get(outcome, 0.0) + chance * likely
        return found

    def loads(self, between: Between, cards: Cards) -> tuple[Load, Load]:
        """What both sides have from earlier volleys when these cards meet."""
        pair = pairing(*cards)
        used = due(between.carried, pair.acts, pair.rolling)
        return _load(used, 0), _load(used, 1)

    # --- Two cards meet -----------------------------------------------------------------------

    def _meet(
        self, cards: Cards, loads: tuple[Load, Load], split: tuple[int, int]
    ) -> list[tuple[Clash, float]]:
        """What two cards lead to with these splits, and how likely it is."""
        key = cards, loads, split
        if key not in self._met:
            self._met[key] = self._mixed(cards, loads, split)
        return self._met[key]

    def _mixed(
        self, cards: Cards, loads: tuple[Load, Load], split: tuple[int, int]
    ) -> list[tuple[Clash, float]]:
        effects = self._effects_of(cards, (loads[0].obstacle, loads[1].obstacle))
        one, chances = self._throws(cards, 0, loads[0], split[0])
        other, rivals = self._throws(cards, 1, loads[1], split[1])
        numbers = self._numbers(effects, one, other)
        joint = np.outer(chances, rivals)
        weights = np.bincount(numbers.ravel(), joint.ravel(), len(effects.clashes))
        return [(effects.clashes[at], float(weights[at])) for at in np.flatnonzero(weights)]

    def _throws(
        self, cards: Cards, side: int, load: Load, defence: int
    ) -> tuple[list[Successes], Floats]:
        """The successes of one side; they depend on its own card and on what it rolls."""
        rolls = pairing(*cards).rolls[side]
        key = side, cards[side], rolls, load, defence
        if key not in self._thrown:
            if rolls is Rolls.NONE:
                self._thrown[key] = [()], np.ones(1)
                return self._thrown[key]
            loads = (load, Load()) if side == 0 else (Load(), load)
            ready = self._make_ready(cards, loads, defence)
            roller = ready.rollers[0 if ready.attempts[0] is None else side]
            thrown = exact(then(throw_all, roller), self._answer)
            counts = thrown.map(
                lambda throws: tuple(each.successes for each in as_counted(rolls, throws))
            )
            chances = [weight / counts.total for weight in counts.weights.values()]
            self._thrown[key] = list(counts.weights), np.array(chances)
        return self._thrown[key]

    def _make_ready(self, cards: Cards, loads: tuple[Load, Load], defence: int) -> ReadyVolley:
        used = tuple(
            CarriedEffect(side, Until.ACTION, Line(amount, "carried over", ""), is_obstacle)
            for side, load in enumerate(loads)
            for amount, is_obstacle in ((load.dice, False), (load.obstacle, True))
            if amount
        )

        def answer(ask: Ask) -> Answer:
            if defence and isinstance(ask.question, Split):
                total = ask.question.amount
                # It is one side's split that was asked for; the other's may have fewer dice.
                mine = min(defence, max(total - 1, 0))
                return mine, total - mine
            return self._answer(ask)

        (ready,) = exact(then(make_ready, self.debate, cards, used, self.table), answer).weights
        result: ReadyVolley = ready
        return result

    def _effects_of(self, cards: Cards, obstacles: tuple[int, int]) -> _Effects:
        key = cards, obstacles
        if key not in self._effects:
            loads = Load(0, obstacles[0]), Load(0, obstacles[1])
            ready = self._make_ready(cards, loads, 0)
            self._effects[key] = _Effects(ready, [], {})
        return self._effects[key]

    def _numbers(
        self, effects: _Effects, one: list[Successes], other: list[Successes]
    ) -> NDArray[np.int32]:
        """Which clash comes of each pair of successes."""
        at = np.empty((len(one), len(other)), np.int32)
        for row, mine in enumerate(one):
            for column, rival in enumerate(other):
                number = effects.numbers.get((mine, rival))
                if number is None:
                    number = self._resolve(effects, mine, rival)
                at[row, column] = number
        return at

    def _resolve(self, effects: _Effects, one: Successes, other: Successes) -> int:
        throws = tuple(tuple(map(_thrown, mine)) for mine in (one, other))
        (clash,) = exact(then(resolve, effects.ready, throws), self._answer).weights
        does = clash.losses, clash.after
        number = effects.numbers.get(does)
        if number is None:
            number = effects.numbers[does] = len(effects.clashes)
            effects.clashes.append(clash)
        effects.numbers[one, other] = number
        return number

    # --- Splits -------------------------------------------------------------------------------

    def split(self, cards: Cards, loads: tuple[Load, Load]) -> tuple[int, int]:
        """How many dice of a Rebuttal defend, for each side: what gains most in this meeting.

        That is the other side's loss less one's own, on average. Where both rebut, each guards
        against the other's best split.
        """
        key = cards, loads
        if key not in self._splits:
            choices = self._choices(cards, 0, loads), self._choices(cards, 1, loads)
            # The even split first, which is taken where nothing is won.
            choices = _evenest_first(choices[0]), _evenest_first(choices[1])
            if len(choices[0]) == len(choices[1]) == 1:
                self._splits[key] = choices[0][0], choices[1][0]
                return self._splits[key]
            gains = np.array(
                [[self._gain(cards, loads, (a, b)) for b in choices[1]] for a in choices[0]]
            )
            mine = int(np.argmax(gains.min(axis=1).round(12)))
            rival = int(np.argmin(gains.max(axis=0).round(12)))
            self._splits[key] = choices[0][mine], choices[1][rival]
        return self._splits[key]

    def _choices(self, cards: Cards, side: int, loads: tuple[Load, Load]) -> list[int]:
        """How many dice may defend."""
        rolls = pairing(*cards).rolls[side]
        if self._evenly or rolls is not Rolls.SPLIT:
            return [0]  # nothing is split, or there is nothing to defend against
        ready = self._make_ready(cards, loads, 0)
        attempt = ready.attempts[side]
        total = 0 if attempt is None else attempt.pool.dice.total
        return list(range(1, total)) or [0]

    def _gain(self, cards: Cards, loads: tuple[Load, Load], split: tuple[int, int]) -> float:
        return sum(
            chance * (clash.losses[1] - clash.losses[0])
            for clash, chance in self._meet(cards, loads, split)
        )

    # --- What follows -------------------------------------------------------------------------

    def _follows(self, clash: Clash) -> list[tuple[tuple[int, int], tuple[int, int], float]]:
        """Steel tests: what they cost the bodies, who loses the next volley, how likely it is."""
        if clash.after not in self._followed:
            odds = exact(then(_aftermath, self._duel, clash), self._answer)
            self._followed[clash.after] = [
                (*after, weight / odds.total) for after, weight in odds.weights.items()
            ]
        return self._followed[clash.after]


def _aftermath(duel: Duel, clash: Clash) -> Play[tuple[tuple[int, int], tuple[int, int]]]:
    after, lost = yield from aftermath(duel, clash)
    return (FAR - after.bodies[0], FAR - after.bodies[1]), (lost[0], lost[1])


def _evenest_first(ways: list[int]) -> list[int]:
    total = len(ways) + 1
    return sorted(ways, key=lambda defence: (abs(2 * defence - total), defence))


def _shown(between: Between, cards: Cards) -> Cards:
    """The cards of a volley; who has lost it shows none."""
    return (
        NOTHING if between.owed[0] else cards[0],
        NOTHING if between.owed[1] else cards[1],
    )


def _thrown(successes: int) -> ThrownDice:
    return ThrownDice(successes, Shaded(), Shaded(), OpenEnded.NO)


def _load(used: tuple[CarriedEffect, ...], side: int) -> Load:
    dice, obstacle = lines_of(used, side)
    return Load(sum(line.amount for line in dice), sum(line.amount for line in obstacle))


def _capped(carried: tuple[CarriedEffect, ...], most: int) -> tuple[CarriedEffect, ...]:
    """Without the dice beyond the most that are counted."""
    if all(each.until is Until.ACTION or each.line.amount <= most for each in carried):
        return carried
    replace = msgspec.structs.replace
    return tuple(
        replace(each, line=replace(each.line, amount=min(each.line.amount, most)))
        if each.until is Until.ROLL
        else each
        for each in carried
    )
