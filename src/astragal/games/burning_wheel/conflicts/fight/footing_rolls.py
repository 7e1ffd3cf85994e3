"""The dice of a positioning test when all are gathered: thrown at once, and compared.

A section of the chapter on Fight! (``conflicts/fight/fight``). What is decided here depends on
nothing but these dice, so that exact odds walk them alone.
"""

from __future__ import annotations

from functools import lru_cache

import msgspec

from astragal.play import Play, Step, unheard

from ...artha.on_a_roll import ThrownDice
from ...sheet.editions import edition
from ...tests.attempts import Attempt, without_reasons
from ...tests.broken_ties import break_tie
from ...tests.simultaneous import RollingSide, throw_together
from ...tests.tests import open_result
from .charge import Charge
from .footing import rolling
from .state import Fight, Positioning


class FootingRoll(msgspec.Struct, frozen=True, cache_hash=True):
    """One fighter's part in a positioning test.

    ``counts`` are the successes less the penalties, never below zero
    (fight.roll.obstacle_penalty_on_versus). Who declines to position takes no part, and who has
    no dice, because he hesitates, only waits for the others. ``over`` are those against whom a
    trait has broken a tie.
    """

    character: str
    moves: Positioning
    attempt: Attempt | None = None
    thrown: ThrownDice | None = None
    over: tuple[str, ...] = ()

    @property
    def counts(self) -> int:
        """What is compared."""
        if self.attempt is None or self.thrown is None:
            return 0
        return open_result(self.thrown.successes, self.attempt)

    @property
    def covers_penalties(self) -> bool:
        """Whether the roll is enough against somebody who has no dice.

        fight.hesitation.zero_dice_position, fight.amb.no_position_or_zero.
        """
        if self.attempt is None or self.thrown is None:
            return False
        return self.thrown.successes >= self.attempt.penalties.total

    def beats(self, other: FootingRoll) -> bool:
        """Whether it is better than another; against no dice at all it need not be."""
        if self.attempt is None:
            return False
        if other.attempt is None:
            return self.covers_penalties
        return self.counts > other.counts or other.character in self.over

    @property
    def declines(self) -> bool:
        """Whether he lets them come (fight.position.let_them_come)."""
        return self.moves is Positioning.STAY


class FootingPair(msgspec.Struct, frozen=True):
    """Two opponents who compare their rolls, by their places among them.

    Where ``one`` charges the ``other``, who may be ``mutual`` in it, an ``avoid`` may add to what
    stands against it; ``shared`` says that its successes are still to be divided among several
    Charges.
    """

    one: int
    other: int
    charges: bool = False
    mutual: bool = False
    avoid: int | None = None
    shared: bool = False


class FootingThrows(msgspec.Struct, frozen=True, cache_hash=True):
    """A positioning test that was rolled, with the Avoids against Charges."""

    rolls: tuple[FootingRoll, ...]
    avoids: tuple[ThrownDice, ...] = ()


class ReadyFooting(msgspec.Struct, frozen=True, cache_hash=True):
    """A positioning test when the dice are about to be thrown: all that its result depends on.

    ``names`` are those of the rolls for everybody to read; in a rehearsal no test is ``logged``.
    Where ``ties_stand`` no trait helps against the target of a Charge.
    """

    rolls: tuple[FootingRoll, ...]
    names: tuple[str, ...]
    sides: tuple[RollingSide, ...]
    avoids: tuple[Attempt, ...] = ()
    pairs: tuple[FootingPair, ...] = ()
    logged: bool = True
    ties_stand: bool = False

    def lead(self, pair: FootingPair, result: FootingThrows) -> int:
        """By how much the first of a pair is ahead of what stands against it."""
        one, other = result.rolls[pair.one], result.rolls[pair.other]
        avoided = 0
        if pair.avoid is not None:
            thrown = result.avoids[pair.avoid]
            avoided = open_result(thrown.successes, self.avoids[pair.avoid])
        return one.counts - other.counts - avoided

    def judged(self, result: FootingThrows) -> tuple[tuple[str, bool], ...]:
        """Who wins against whom, and whose Charge succeeds."""
        said: list[tuple[str, bool]] = []
        for pair in self.pairs:
            if pair.shared:
                continue
            won, lost = self._won(pair, result)
            if result.rolls[pair.one].attempt is not None:
                said.append((self._said(pair.one, pair.other), won))
            if result.rolls[pair.other].attempt is not None:
                said.append((self._said(pair.other, pair.one), lost))
        return tuple(said)

    def _won(self, pair: FootingPair, result: FootingThrows) -> tuple[bool, bool]:
        """Whether each of a pair does what he rolls for; a tie foils a Charge."""
        one, other = result.rolls[pair.one], result.rolls[pair.other]
        if not pair.charges:
            return one.beats(other), other.beats(one)
        lead = self.lead(pair, result)
        charged = lead > 0 or (not lead and other.character in one.over)
        return charged, other.beats(one) if pair.mutual else not charged

    def _said(self, at: int, against: int) -> str:
        """What a roll is called, with the opponent where there are several."""
        several = sum(at in (pair.one, pair.other) for pair in self.pairs) > 1
        rival = self.names[against].partition(",")[0]
        return f"{self.names[at]} against {rival}" if several else self.names[at]


def throw_footing(ready: ReadyFooting) -> Play[FootingThrows]:
    """Everybody throws at once, and only then is anything compared (fight.position.versus_all)."""
    thrown = iter((yield from throw_together(ready.sides)) if ready.sides else ())
    rolls = [
        roll if roll.attempt is None else msgspec.structs.replace(roll, thrown=next(thrown)[0])
        for roll in ready.rolls
    ]
    result = FootingThrows(tuple(rolls), tuple(each[0] for each in thrown))
    for pair in ready.pairs:
        result = yield from _untied(ready, pair, result)
    if not ready.logged and (yield from unheard()):
        return _only_leads(ready, result)
    return result


FARTHEST = 2
"""It does not matter by how much more a positioning test is won (fight.position.win_by_two)."""


def _only_leads(ready: ReadyFooting, result: FootingThrows) -> FootingThrows:
    """What still matters of the dice of two opponents: who is ahead, and by how much."""
    if len(result.rolls) != 2 or result.avoids or any(pair.charges for pair in ready.pairs):
        return result
    one, other = result.rolls
    if one.attempt is not None and other.attempt is not None:
        lead = max(-FARTHEST, min(FARTHEST, one.counts - other.counts))
        leads = (max(0, lead), max(0, -lead))
        return FootingThrows((_with_lead(one, leads[0]), _with_lead(other, leads[1])))
    return FootingThrows(
        tuple(
            _with_lead(roll, min(FARTHEST, roll.counts)) if roll.covers_penalties else roll
            for roll in result.rolls
        )
    )


def _with_lead(roll: FootingRoll, lead: int) -> FootingRoll:
    """A roll with the successes that come to no more than a lead."""
    assert roll.attempt is not None
    assert roll.thrown is not None
    successes = (roll.attempt.penalties.total + lead) * roll.attempt.base_counts
    thrown = msgspec.structs.replace(roll.thrown, successes=successes)
    return msgspec.structs.replace(roll, thrown=thrown)


def _untied(ready: ReadyFooting, pair: FootingPair, result: FootingThrows) -> Step[FootingThrows]:
    """A tie may be broken by a trait of either (beliefs.trait.call_on.break_tie).

    In place of what a tie does (fight.position.tie, fight.nd.tie_foils, fight.amb.start_tie); it
    is then won by as little as can be. In the later edition a trait breaks only a tie in which
    nobody defends, and the target of a Charge does (gold.result.tie_call_on).
    """
    if ready.ties_stand and pair.charges and not pair.mutual:
        return result
    one, other = result.rolls[pair.one], result.rolls[pair.other]
    if one.attempt is None or other.attempt is None or pair.shared or ready.lead(pair, result):
        return result
    winner, throws = yield from break_tie((one.attempt, other.attempt), (one.thrown, other.thrown))
    rolls = list(result.rolls)
    for side, (at, against) in enumerate(((pair.one, other), (pair.other, one))):
        mine = msgspec.structs.replace(rolls[at], thrown=throws[side])
        if winner == side and not (side and pair.avoid is not None):
            mine = msgspec.structs.replace(mine, over=(*mine.over, against.character))
        rolls[at] = mine
    return msgspec.structs.replace(result, rolls=tuple(rolls))


# --- Dice alone --------------------------------------------------------------------------------


@lru_cache(4096)
def only_dice(roll: FootingRoll) -> FootingRoll:
    """As many dice with as much against them, which do not say why, or what they are for."""
    moves = roll.moves if roll.declines else Positioning.MAINTAIN
    attempt = None if roll.attempt is None else without_reasons(roll.attempt)
    return FootingRoll(roll.character, moves, attempt)


def with_moves(thrown: tuple[FootingRoll, ...], rolls: list[FootingRoll]) -> list[FootingRoll]:
    """Such dice when they are thrown, for what everybody wanted with them."""
    return [
        msgspec.structs.replace(each, moves=roll.moves)
        for each, roll in zip(thrown, rolls, strict=True)
    ]


# --- Making it ready ---------------------------------------------------------------------------


def ready_footing(
    fight: Fight, rolls: tuple[FootingRoll, ...], charges: dict[str, Charge], what: str
) -> ReadyFooting:
    """The gathered dice of everybody, and who compares with whom."""
    charging = tuple(charges.values())
    avoids = tuple(charge.avoid for charge in charging if charge.avoid is not None)
    sides = [rolling(fight, roll.attempt, what) for roll in rolls if roll.attempt is not None]
    sides += [rolling(fight, attempt, "Avoid") for attempt in avoids]
    names = tuple(
        f"{fight.name(roll.character)}, {_called(roll.character, charges, what)}" for roll in rolls
    )
    at = {roll.character: place for place, roll in enumerate(rolls)}
    pairs = [_charge_pair(charge, charging, at) for charge in charging]
    charged = {frozenset((pair.one, pair.other)) for pair in pairs}
    for place, one in enumerate(rolls):
        for further, other in enumerate(rolls[place + 1 :], place + 1):
            rivals = fight.fighter(one.character).side != fight.fighter(other.character).side
            waits = one.declines or other.declines  # nobody tests against him
            if rivals and not waits and frozenset((place, further)) not in charged:
                pairs.append(FootingPair(place, further))
    logged = bool(fight.series)
    ties_stand = edition(fight.table.options).defender_wins_every_tie
    return ReadyFooting(rolls, names, tuple(sides), avoids, tuple(_once(pairs)), logged, ties_stand)


def _called(character: str, charges: dict[str, Charge], what: str) -> str:
    if character not in charges:
        return what
    return "Tackle" if charges[character].tackles else "Charge"


def _charge_pair(charge: Charge, charging: tuple[Charge, ...], at: dict[str, int]) -> FootingPair:
    """A Charge and its target; one Avoid is rolled for all Charges on a fighter."""
    avoiding = [each for each in charging if each.avoid is not None]
    mine = [n for n, each in enumerate(avoiding) if each.target == charge.target]
    against = [each for each in charging if each.target == charge.target and each.avoidable]
    avoid = mine[0] if mine and charge.avoidable else None
    return FootingPair(
        at[charge.character],
        at[charge.target],
        charges=True,
        mutual=any(
            (each.character, each.target) == (charge.target, charge.character) for each in charging
        ),
        avoid=avoid,
        shared=avoid is not None and len(against) > 1,
    )


def _once(pairs: list[FootingPair]) -> list[FootingPair]:
    """Two who charge each other are compared once (fight.amb.mutual_charge)."""
    found: dict[frozenset[int], FootingPair] = {}
    for pair in pairs:
        found.setdefault(frozenset((pair.one, pair.other)), pair)
    return list(found.values())
