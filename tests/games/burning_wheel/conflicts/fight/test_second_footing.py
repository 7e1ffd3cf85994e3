"""Positioning tests and Charges at random, reckoned a second time from the book's words alone."""

from __future__ import annotations

import re
from random import Random
from typing import Any, NamedTuple

import pytest

from astragal.dice import Rolled
from astragal.games.burning_wheel.armor.block_and_strike import Stance
from astragal.games.burning_wheel.conditions.hesitation import STAND
from astragal.games.burning_wheel.conflicts.fight.positioning import position
from astragal.games.burning_wheel.conflicts.fight.state import Fight, Positioning, Posture
from astragal.play import Play, Roll, Session, Tell, rolled_from, then
from games.burning_wheel.in_a_fight import FIGHTER, fight
from games.burning_wheel.playing import somehow

CLOSE, MAINTAIN, WITHDRAW, STAY = Positioning
LENGTH = {"sword": 2, "spear": 4, "dirk": 0, "small sword": 1, "": 0}
OUTSIDE, LUNGING, OPTIMAL, INSIDE = range(4)
INSIDE_GAP = -1
CHARGES = ("charge_tackle", "tackle")
PENALTY = {Posture.STANDING: 0, Posture.KNEELING: 1, Posture.DOWN: 2}
KEYS, NAMES = ("ann", "bob"), ("Ann", "Bob")


class Mover(NamedTuple):
    """A fighter at the top of a volley."""

    weapon: str
    speed: int
    power: int
    reflexes: int
    multiplier: float
    wants: Positioning
    card: str
    steps: bool
    posture: Posture
    closed: bool
    hesitates: bool

    @property
    def moves(self) -> Positioning:
        return MAINTAIN if self.hesitates else self.wants

    @property
    def charges(self) -> bool:
        return self.card in CHARGES and not self.hesitates

    @property
    def avoids(self) -> bool:
        return self.card == "avoid" and not self.hesitates


def somebody(rng: Random) -> Mover:
    card = rng.choice(["strike", "block", "avoid", "push", *CHARGES])
    hesitates = rng.random() < 0.12
    return Mover(
        weapon=rng.choice(list(LENGTH)),
        speed=rng.randint(2, 6),
        power=rng.randint(2, 6),
        reflexes=rng.choice([3, 4, 4]),
        multiplier=rng.choice([3.5, 3.5, 4]),
        wants=CLOSE if card in CHARGES else rng.choice(list(Positioning)),
        card=card,
        steps=rng.random() < 0.2 and not hesitates,
        posture=rng.choice([Posture.STANDING, Posture.STANDING, Posture.DOWN, Posture.KNEELING]),
        closed=rng.random() < 0.5,
        hesitates=hesitates,
    )


def stand(both: tuple[Mover, Mover], gap: int) -> Fight:
    """The two of them in a fight."""
    sheets: dict[str, Any] = {
        key: {
            "weapons": [{"weapon": each.weapon}] if each.weapon else [],
            "stats": {**FIGHTER["stats"], "Speed": f"B{each.speed}", "Power": f"B{each.power}"},
            "attributes": {**FIGHTER["attributes"], "Reflexes": f"B{each.reflexes}"},
            "speed_multiplier": each.multiplier,
        }
        for key, each in zip(KEYS, both, strict=True)
    }
    at = fight(gap=gap, ann=sheets["ann"], bob=sheets["bob"])
    for key, other, each in zip(KEYS, reversed(KEYS), both, strict=True):
        at = at.change(
            key,
            moves=each.wants,
            announced=() if each.hesitates else (each.card,),
            targets=() if each.hesitates else (other,),
            charges=each.charges,
            avoids=each.avoids,
            stance=Stance.AGGRESSIVE if each.steps and not each.avoids else Stance.NEUTRAL,
            steps=each.steps and not each.avoids,
            posture=each.posture,
            moved=CLOSE if each.closed else None,
            hesitates=2 * each.hesitates,
            reaction=STAND if each.hesitates else "",
        )
    return at


class Dice(NamedTuple):
    """How many dice, and what comes off their successes."""

    dice: int
    penalty: int


# --- The second reading ----------------------------------------------------------------------


def at_distance(gap: int, length: int) -> int:
    if gap == INSIDE_GAP:
        return INSIDE
    return {0: OPTIMAL, 1: LUNGING}.get(max(0, gap - length), OUTSIDE)


def gap_at(distance: int, length: int) -> int:
    return INSIDE_GAP if distance == INSIDE else length + OPTIMAL - distance


def length_dice(own: int, theirs: int, at: int) -> int:
    if at == INSIDE:
        return int(own < theirs and own <= 1)
    return 0 if own <= theirs else 2 if own > theirs + 2 and at != OUTSIDE else 1


class Reading:
    """What two fighters roll for their positioning, and where it leaves them."""

    def __init__(self, both: tuple[Mover, Mover], gap: int) -> None:
        self.both, self.gap = both, gap
        self.lengths = [LENGTH[each.weapon] for each in both]
        self.near = [at_distance(gap, length) for length in self.lengths]
        self.charging = [each.charges and self.near[n] > OUTSIDE for n, each in enumerate(both)]
        self.rolls = [self._rolls(n) for n in (0, 1)]
        self.avoids = [
            Dice(me.speed, PENALTY[me.posture] + (me.moves in (CLOSE, WITHDRAW)))
            if me.avoids and self.charging[1 - n]
            else None
            for n, me in enumerate(both)
        ]

    def _rolls(self, n: int) -> Dice | None:
        me, other = self.both[n], self.both[1 - n]
        more = length_dice(self.lengths[n], self.lengths[1 - n], self.near[n])
        more += (me.multiplier > other.multiplier) + (me.reflexes > other.reflexes)
        if self.charging[n]:
            steps = (INSIDE if me.card == "tackle" else OPTIMAL) - self.near[n]
            dice = me.power + 1 + me.closed + more
            return Dice(dice, PENALTY[me.posture] + 2 * (steps > 1))
        if me.hesitates or me.moves is STAY or self.waits(1 - n):
            return None
        if me.moves is MAINTAIN and other.hesitates:
            return None
        speed = me.speed
        if me.moves is MAINTAIN and self.charging[1 - n]:
            speed = max(me.speed, me.power)
        return Dice(speed + more + 2 * (me.steps and not me.avoids), PENALTY[me.posture])

    def waits(self, n: int) -> bool:
        return self.both[n].moves is STAY

    def moved(self, n: int, margin: int) -> int:
        """The gap when one of them has won; two steps but where one ends at optimal."""
        move = {CLOSE: 1, WITHDRAW: -1}.get(self.both[n].moves, 0)
        now, length = at_distance(self.gap, self.lengths[n]), self.lengths[n]
        one, two = (min(INSIDE, max(OUTSIDE, now + many * move)) for many in (1, 2))
        new = two if margin > 1 and one != OPTIMAL else one
        return self.gap if new == now else gap_at(new, length)

    def comes_to(
        self, rolled: list[int], avoided: list[int]
    ) -> tuple[int, list[Posture], list[int]]:
        """The gap, both postures, and the actions that each loses."""
        count = [
            0 if dice is None else max(0, many - dice.penalty)
            for dice, many in zip(self.rolls, rolled, strict=True)
        ]
        if any(self.charging):
            return self._charged(count, avoided)
        gap, (one, other) = self.gap, self.both
        if self.waits(0) != self.waits(1):
            comes = int(self.waits(0))
            gap = gap if self.both[comes].hesitates else self.moved(comes, 1)
        elif one.hesitates != other.hesitates:
            comes = int(one.hesitates)
            dice = self.rolls[comes]
            if dice is not None and rolled[comes] >= dice.penalty:
                gap = self.moved(comes, count[comes])
        elif count[0] != count[1]:
            gap = self.moved(int(count[1] > count[0]), abs(count[0] - count[1]))
        return gap, [each.posture for each in self.both], [0, 0]

    def _charged(
        self, count: list[int], avoided: list[int]
    ) -> tuple[int, list[Posture], list[int]]:
        gap, lost = self.gap, [0, 0]
        postures = [each.posture for each in self.both]
        for n in (0, 1):
            if not self.charging[n]:
                continue
            margin, tackles = (
                count[n] - count[1 - n] - avoided[1 - n],
                self.both[n].card == "tackle",
            )
            if margin < 1:
                lost[n] = 1
                continue
            if tackles:
                gap = INSIDE_GAP
            elif at_distance(gap, self.lengths[n]) != OPTIMAL:
                gap = gap_at(OPTIMAL, self.lengths[n])
            if margin > 1:
                postures[1 - n] = Posture.DOWN
                postures[n] = Posture.DOWN if tackles else postures[n]
        for n in (0, 1):  # a Charge is a positioning test, and its target may win it
            if self.charging[n] and not self.charging[1 - n] and count[1 - n] > count[n]:
                gap = self.moved(1 - n, count[1 - n] - count[n])
        return gap, postures, lost


# --- Both of them ----------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.rules(
    "fight.table.length_dice",
    "fight.table.relative_distance",
    "fight.table.positioning_dice",
    "fight.position.win_by_two",
    "fight.position.let_them_come",
    "fight.hesitation.zero_dice_position",
    "fight.charge.dice",
    "fight.charge.more_than_one_distance",
    "fight.charge.failure",
    "fight.amb.mutual_charge",
    "fight.amb.charge_close_when_foiled",
    "fight.amb.one_step_or_optimal",
)
@pytest.mark.parametrize("seed", range(40))
def test_both_readings_stand_at_the_same_distance(seed: int) -> None:
    for number in range(6):
        rng = Random(f"{seed} {number}")
        both, gap = (somebody(rng), somebody(rng)), rng.choice([INSIDE_GAP, 0, 1, 2, 3, 4, 5])
        reading = Reading(both, gap)
        rolled, avoided = [0, 0], [0, 0]

        def throw(roll: Roll) -> Rolled[Any]:
            many = sum(n for _, n in roll.expression.dice.items())  # type: ignore[attr-defined]
            successes = rng.randint(0, many)  # noqa: B023
            n, avoid = NAMES.index(roll.label[:3]), reading.avoids  # noqa: B023
            dice = avoid[n]
            if ", Avoid" in roll.label:
                assert dice is not None
                avoided[n] = max(0, successes - dice.penalty)  # noqa: B023
            else:
                rolled[n] = successes  # noqa: B023
            return rolled_from(roll, roll.expression.faces_for(successes))  # type: ignore[attr-defined]

        def whole() -> Play[Fight]:
            return (yield from position(stand(both, gap)))  # noqa: B023

        session: Session[Fight] = Session(then(whole), throw)
        while session.waiting:
            ask = session.waiting[0]
            session.answer(ask.seat, somehow(ask))
        told = "\n".join(e.fact.sentence() for e in session.events if isinstance(e, Tell))
        said = re.findall(r"^(\w+), positioning, rolls (\d+)D(?:.*?against Ob (\d+))?", told, re.M)
        every = [(name, Dice(int(dice), int(off or 0))) for name, dice, off in said]
        known = [*zip(NAMES, reading.rolls, strict=True), *zip(NAMES, reading.avoids, strict=True)]
        assert sorted(every) == sorted(each for each in known if each[1] is not None), both
        after = session.result
        ends = [after.fighter(key) for key in KEYS]
        lost = [end.hesitates - 2 * was.hesitates for end, was in zip(ends, both, strict=True)]
        stands = (after.gap(*KEYS), [end.posture for end in ends], lost)
        assert stands == reading.comes_to(rolled, avoided), (both, gap, told)
