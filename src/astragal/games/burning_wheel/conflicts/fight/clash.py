"""The dice of a moment: all that is rolled in one slot, thrown at once and then compared.

A section of the chapter on Fight! (``conflicts/fight/fight``). Rolls stand together by whom they
come at: the attacks on a fighter, his Natural Defenses against each, and the one defence that he
has scripted. What is decided here depends on nothing but these dice, so that exact odds walk them
alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property, lru_cache

import msgspec

from astragal.dice import Pool, Shade, Shaded
from astragal.play import (
    Line,
    Option,
    Play,
    Seat,
    Split,
    Step,
    Tally,
    ask,
    call,
    foregone,
    together,
    unheard,
)

from ...artha.on_a_roll import NOTHING, ArthaAtHand, ThrownDice
from ...sheet.parts import Artha
from ...tests.attempts import Attempt, full_obstacle, total_of, without_reasons
from ...tests.broken_ties import break_tie
from ...tests.simultaneous import RollingSide, ThingDice, throw_together
from ...tests.tests import open_result
from ...weapons.blows import Swing, aim_question


class MomentRoll(msgspec.Struct, frozen=True, cache_hash=True):
    """One roll of a moment.

    ``base`` is its obstacle where it has one of its own, by ``rule``; ``harder`` is the obstacle
    of this part of an action alone. A Strike has a ``swing``, a Block perhaps a shield
    (``thing``), whose dice ``shield`` lists, and which attacks of a ``shade`` may damage.
    """

    character: str
    what: str
    attempt: Attempt
    pool: Pool
    base: int = 0
    rule: str = ""
    harder: tuple[Line, ...] = ()
    swing: Swing | None = None
    thing: ThingDice | None = None
    shield: Tally = Tally()
    shade: Shade = Shade.BLACK

    @property
    def obstacle(self) -> Tally:
        """What stands against it: the obstacle, or what comes off its successes."""
        if not self.base:
            return self.attempt.penalties + self.harder
        base = Tally.of(self.base, "base obstacle", self.rule)
        return full_obstacle(base, self.attempt) + self.harder

    @property
    def has_dice(self) -> bool:
        """Whether there is anything to throw."""
        return bool(self.pool.dice) or self.thing is not None

    @property
    def dice(self) -> Tally:
        """All dice of the roll, with their sources."""
        return self.attempt.all_dice + self.shield.lines

    def extra(self, successes: int) -> int:
        """The successes over the obstacle, or those that count where there is none.

        Each +1 Ob takes one off a roll that has no obstacle of its own, never below zero
        (fight.roll.obstacle_penalty_on_versus).
        """
        if self.base:
            return successes - self.obstacle.total
        return max(0, open_result(successes, self.attempt) - Tally(self.harder).total)


class RolledDefence(msgspec.Struct, frozen=True):
    """A defence that was rolled before its moment, and the successes that are left of it."""

    seat: Seat
    what: str
    successes: int


class Incoming(msgspec.Struct, frozen=True, cache_hash=True, dict=True):
    """All that comes at one fighter in a moment, and what he does about it.

    ``natural`` are his Natural Defenses against each of the attacks, ``stops`` says which of them
    his ``defence`` counts against; its successes are ``divided`` among them, or count in full
    against each. A defence that was ``rolled`` before is not rolled again. What is not logged may
    be forgotten as soon as it does not matter. Where ``ties_stand`` no trait helps against whoever
    defends.
    """

    target: str
    attacks: tuple[MomentRoll, ...] = ()
    natural: tuple[MomentRoll | None, ...] = ()
    defence: MomentRoll | None = None
    stops: tuple[bool, ...] = ()
    divided: bool = True
    logged: bool = True
    rolled: RolledDefence | None = None
    ties_stand: bool = False

    @cached_property
    def rolls(self) -> tuple[MomentRoll, ...]:
        """Every roll of it: the attacks, the Natural Defenses, the defence."""
        natural = tuple(each for each in self.natural if each is not None)
        return self.attacks + natural + (() if self.defence is None else (self.defence,))


class AttackResult(msgspec.Struct, frozen=True, cache_hash=True):
    """An attack: the successes over its obstacle, and those that defences have taken.

    ``late`` of them came with artha when all dice lay there.
    """

    extra: int
    taken: int = 0
    successes: int = 0
    late: int = 0

    @property
    def margin(self) -> int:
        """What is left of it."""
        return self.extra - self.taken


class IncomingResult(msgspec.Struct, frozen=True, cache_hash=True):
    """How the attacks on one fighter came out.

    ``defence`` are the successes of his defence that count, ``ones`` those that damage his
    shield; ``throws`` are the dice of all rolls in their order, if they are logged. If not, there
    are none unless something was spent, and then no more than that.
    """

    target: str
    attacks: tuple[AttackResult, ...]
    defence: int = 0
    ones: int = 0
    throws: tuple[ThrownDice, ...] = ()


class Cluster(msgspec.Struct, frozen=True, cache_hash=True):
    """What has to be thrown in sight of each other, as somebody has one hand of artha for it."""

    incoming: tuple[Incoming, ...]

    def judged(self, result: tuple[IncomingResult, ...]) -> tuple[tuple[str, bool], ...]:
        """Which attacks do something, and which defences stop all that they can."""
        return tuple(
            verdict
            for each, came in zip(self.incoming, result, strict=True)
            for verdict in _verdicts(each, came)
        )


def _verdicts(each: Incoming, came: IncomingResult) -> Iterator[tuple[str, bool]]:
    passed = [
        succeeds(roll, result) for roll, result in zip(each.attacks, came.attacks, strict=True)
    ]
    yield from ((roll.what, hit) for roll, hit in zip(each.attacks, passed, strict=True))
    if each.defence is not None and any(each.stops):
        stopped = [not hit for hit, stops in zip(passed, each.stops, strict=True) if stops]
        yield each.defence.what, all(stopped)


def succeeds(roll: MomentRoll, result: AttackResult) -> bool:
    """Whether an attack does anything: it meets its obstacle, or is left with a success."""
    return result.margin >= (0 if roll.base else 1)


def clusters(incoming: tuple[Incoming, ...]) -> tuple[Cluster, ...]:
    """The moment in parts that have nobody's artha in common."""
    found: list[tuple[set[str], tuple[Incoming, ...]]] = []
    for each in incoming:
        buyers = {roll.character for roll in each.rolls if roll.attempt.hand.may_buy(lucky=False)}
        cluster: tuple[Incoming, ...] = (each,)
        for other in [other for other in found if other[0] & buyers]:
            found.remove(other)
            buyers |= other[0]
            cluster = other[1] + cluster
        found.append((buyers, cluster))
    return tuple(Cluster(cluster) for _, cluster in found)


def throw_clusters(several: tuple[Cluster, ...]) -> Play[tuple[tuple[IncomingResult, ...], ...]]:
    """Everybody throws at once, and only then is anything counted.

    fight.detailed.results_after_all_rolls, fight.roll.after_all_announced.
    """
    everything = tuple(each for cluster in several for each in cluster.incoming)
    rolls = tuple([roll for each in everything for roll in each.rolls])
    rollers, places = _rollers(rolls)
    throws = (yield from throw_together(rollers)) if rollers else ()
    by_roll = tuple(throws[side][at] for side, at in places)
    results: list[tuple[IncomingResult, ...]] = []
    for cluster in several:
        mine: tuple[IncomingResult, ...] = ()
        for each in cluster.incoming:
            many = len(each.rolls)
            mine += ((yield from call(compare, each, by_roll[:many])),)
            by_roll = by_roll[many:]
        results.append(mine)
    return tuple(results)


def throw_moment(incoming: tuple[Incoming, ...]) -> Step[tuple[IncomingResult, ...]]:
    """Throw all dice of a moment, and compare them."""
    rolled = tuple([each for each in incoming if each.rolls])
    if not rolled:
        return ()
    if (yield from unheard()):
        rolled = tuple([each if each.logged else _without_reasons(each) for each in rolled])
    parts = yield from together(throw_clusters, clusters(rolled))
    return tuple(result for part in parts for result in part)


@lru_cache(4096)
def _without_reasons(incoming: Incoming) -> Incoming:
    """The same dice against the same obstacles, which do not say why they are so many."""
    return msgspec.structs.replace(
        incoming,
        attacks=tuple(_bare(roll) for roll in incoming.attacks),
        natural=tuple(None if roll is None else _bare(roll) for roll in incoming.natural),
        defence=None if incoming.defence is None else _bare(incoming.defence),
    )


def _bare(roll: MomentRoll) -> MomentRoll:
    harder = total_of(Tally(roll.harder)).lines
    attempt = without_reasons(roll.attempt)
    return msgspec.structs.replace(roll, attempt=attempt, harder=harder, shield=Tally())


@lru_cache(8192)  # a walk begins again for each way the dice may fall
def _rollers(
    rolls: tuple[MomentRoll, ...],
) -> tuple[tuple[RollingSide, ...], tuple[tuple[int, int], ...]]:
    """The fighters with their dice, and where each roll is among them."""
    names = list(dict.fromkeys(roll.character for roll in rolls))
    of = {name: [roll for roll in rolls if roll.character == name] for name in names}
    places = []
    seen = dict.fromkeys(names, 0)
    for roll in rolls:
        places.append((names.index(roll.character), seen[roll.character]))
        seen[roll.character] += 1
    rollers = tuple(
        RollingSide(
            mine[0].attempt.seat,
            mine[0].what if len(mine) == 1 else mine[0].what.partition(",")[0],
            tuple(
                ("" if len(mine) == 1 else roll.what.partition(", ")[2], roll.pool) for roll in mine
            ),
            one_hand(tuple(roll.attempt.hand for roll in mine)),
            things=tuple(roll.thing for roll in mine),
        )
        for mine in of.values()
    )
    return rollers, tuple(places)


def one_hand(hands: tuple[ArthaAtHand, ...]) -> ArthaAtHand:
    """What a fighter has for all his rolls of a moment: what is left after the last of them."""
    *_, last = hands
    if len(hands) == 1:
        return last
    return msgspec.structs.replace(
        last,
        call_ons=tuple(dict.fromkeys(name for hand in hands for name in hand.call_ons)),
        grace_used=any(hand.grace_used for hand in hands),
        situations=tuple(dict.fromkeys(each for hand in hands for each in hand.situations)),
    )


# --- Comparing -------------------------------------------------------------------------------


def compare(each: Incoming, throws: tuple[ThrownDice, ...]) -> Play[IncomingResult]:
    """Take Natural Defenses and the defence off each attack (fight.nd.versus_subtract).

    Both count where there are both (fight.nd.avoid_adds, fight.block.vs_beat_twice). It depends on
    these dice alone, so that a walk need not do it again with each result of the others.
    """
    many = len(each.attacks)
    extras = [roll.extra(t.successes) for roll, t in zip(each.attacks, throws, strict=False)]
    further = iter(throws[many:])
    taken = [
        0 if natural is None else natural.extra(next(further).successes) for natural in each.natural
    ]
    defence = ones = 0
    if each.defence is not None:
        thrown = next(further)
        defence, ones = each.defence.extra(thrown.successes), thrown.ones
    elif each.rolled is not None:
        defence = each.rolled.successes
    if defence:
        for at, off in enumerate((yield from _divide(each, defence, extras, taken))):
            taken[at] += off
    throws = yield from _untied(each, throws, extras, taken)
    results = []
    for at, roll in enumerate(each.attacks):
        result = AttackResult(extras[at], taken[at], throws[at].successes, throws[at].late)
        results.append((yield from _remember(each, roll, result)))
    paid = tuple(
        _with_spent(throw, roll.attempt.spent)
        for roll, throw in zip(each.rolls, throws, strict=True)
    )
    if each.logged:
        return IncomingResult(each.target, tuple(results), defence, ones, paid)
    counts = defence if not any(each.stops) else 0
    if all(throw.spent == NOTHING and not throw.called for throw in paid):
        paid = ()
    return IncomingResult(each.target, tuple(results), counts, throws=tuple(map(_only_spent, paid)))


def _untied(
    each: Incoming, throws: tuple[ThrownDice, ...], extras: list[int], taken: list[int]
) -> Step[tuple[ThrownDice, ...]]:
    """A trait may break a tie with what stands against a maneuver, for either side.

    beliefs.trait.call_on.break_tie, in place of fight.nd.tie_foils: the maneuver is then won by
    one. What is rolled against an obstacle is never tied. In the later edition a trait breaks only
    a tie in which nobody defends (gold.result.tie_call_on).
    """
    if each.ties_stand:
        return throws
    after = list(throws)
    for at, roll in enumerate(each.attacks):
        resists = each.natural[at] or (each.defence if each.stops[at] else None)
        if roll.base or resists is None or extras[at] != taken[at]:
            continue
        other = next(n for n, mine in enumerate(each.rolls) if mine is resists)
        both = (roll.attempt, resists.attempt)
        winner, (after[at], after[other]) = yield from break_tie(both, (after[at], after[other]))
        extras[at] += int(winner == 0)
    return tuple(after)


def _with_spent(throw: ThrownDice, before: Artha) -> ThrownDice:
    if before == NOTHING:
        return throw
    return msgspec.structs.replace(throw, spent=throw.spent + before)


def _only_spent(throw: ThrownDice) -> ThrownDice:
    """What of a roll has to be paid for, without its dice."""
    none = Shaded()
    return ThrownDice(0, none, none, throw.open_ended, spent=throw.spent, called=throw.called)


def _divide(
    each: Incoming, successes: int, extras: list[int], taken: list[int]
) -> Step[tuple[int, ...]]:
    """The successes of one defence against several attacks (fight.amb.many_fighters).

    The defender divides them, or they count in full against each, as the group reads it.
    """
    several = [at for at, stops in enumerate(each.stops) if stops]
    if len(several) < 2 or not each.divided or not successes:
        return tuple(successes if stops else 0 for stops in each.stops)
    if each.rolled is not None:
        seat, what = each.rolled.seat, each.rolled.what
    else:
        assert each.defence is not None
        seat, what = each.defence.attempt.seat, each.defence.what
    rule = "fight.amb.many_fighters"
    pools = tuple(Option(key=f"{at + 1}", label=each.attacks[at].what, rule=rule) for at in several)
    default, left = [0] * len(several), successes
    needs = {at: max(0, extras[at] - taken[at] + bool(each.attacks[at].base)) for at in several}
    for at in sorted(several, key=lambda at: needs[at]):
        default[several.index(at)] = min(left, needs[at])
        left -= min(left, needs[at])
    default[0] += left
    split = yield from ask(
        seat,
        "divide_defence",
        f"{what}: divide {successes} successes among the attacks",
        Split(amount=successes, pools=pools, default=tuple(default)),
        because=rule,
    )
    shares = dict(zip(several, split, strict=True))
    return tuple(shares.get(at, 0) for at in range(len(each.stops)))


def _remember(each: Incoming, roll: MomentRoll, result: AttackResult) -> Step[AttackResult]:
    """What of an attack still matters: all of it, or only what is left of it.

    A defence takes from the aim first (weapons.amb.defense_order), which matters as long as
    somebody may aim.
    """
    if each.logged:
        return result
    margin = result.margin
    if not roll.base:
        return AttackResult(max(0, margin))
    if roll.swing is None:
        return AttackResult(max(-1, margin))
    if result.extra < 0 or not result.taken:
        return AttackResult(max(-1, result.extra))
    asked = aim_question(roll.attempt.seat, roll.swing.opening, result.extra)
    if asked is not None and not (yield from foregone((asked,))):
        return AttackResult(result.extra, min(result.taken, result.extra + 1), late=result.late)
    return AttackResult(max(-1, margin))
