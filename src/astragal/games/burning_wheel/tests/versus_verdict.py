"""Who wins a versus test, what a tie comes to, and what the result brings to each side.

The second half of a versus test (``tests/versus``): all dice are on the table, and everything
that may be bought on them has been bought.
"""

from __future__ import annotations

import msgspec

from astragal.games.game import Outcome
from astragal.play import Option, Play, Step, Tally, choose, note, tell
from astragal.rules import catalogue

from ..artha import on_a_roll as artha
from ..artha.complications import what_pays
from ..sheet.editions import Edition, edition
from ..sheet.facts import TestCame
from ..sheet.parts import Artha
from ..sheet.scene import BurningTable
from ..sheet.words import as_sentence, sentences
from .attempts import Attempt
from .circumstances import time_taken
from .conclusions import after_test, pay_for
from .results import out_of_time, ride, spend_extra, turn_aside, who_shares


class VersusOutcome(Outcome, frozen=True):
    """Who won a versus test, if anybody, and by how much; one entry for each side.

    ``obstacles`` are what each side was up against: the successes of the others, more often than
    once for Beginner's Luck or missing tools, and its own ``penalties``.
    """

    winner: str | None
    margin: int
    successes: tuple[int, ...]
    counted: tuple[int, ...]
    dice: tuple[Tally, ...]
    sides: tuple[str, ...]
    abilities: tuple[str, ...]
    earned: tuple[str, ...] = ()
    tie: bool = False
    broken_by: str = ""
    seconds: int = 0
    patiently: int = 0
    quickly: int = 0
    complications: tuple[str, ...] = ()
    shared_by: tuple[str, ...] = ()
    injured: str = ""
    protected: str = ""
    averted: tuple[str, ...] = ()
    """For each side what came instead of certain death, if anything did."""
    unsettled: bool = False
    """A tie that some other ability has still to settle (gold.result.tie_stands)."""
    obstacles: tuple[int, ...] = ()
    penalties: tuple[Tally, ...] = ()
    spent: tuple[Artha, ...] = ()


class VersusContest(msgspec.Struct, frozen=True):
    """A versus test when the dice are about to be thrown."""

    attempts: tuple[Attempt, ...]
    aggressors: tuple[bool, ...]
    kept: tuple[int | None, ...]
    threats: tuple[str, ...]
    seconds: int
    is_one_of_many: bool = False
    """Whether it is a round of a longer contest, which then says what the result is good for."""
    deadly: tuple[bool, ...] = ()
    """For each side whether losing means certain death, where that was said."""


def net_successes(contest: VersusContest, throws: tuple[artha.ThrownDice, ...]) -> tuple[int, ...]:
    """Each side's successes less its penalties, never below zero.

    tests.versus.obstacle_penalty.
    """
    return tuple(
        max(0, throw.successes - attempt.penalties.total)
        for attempt, throw in zip(contest.attempts, throws, strict=True)
    )


def lead(contest: VersusContest, throws: tuple[artha.ThrownDice, ...], one: int, other: int) -> int:
    """How far one side is ahead of another.

    The base obstacle of each side is the other's successes (gold.tests.versus_base_ob). Against
    Beginner's Luck these are doubled, then the untrained side's penalties added
    (tests.amb.versus_beginners_luck, gold.diff.beginners_luck_versus); two untrained sides meet
    as equals. The want of tools counts in the same way.
    """
    counts = net_successes(contest, throws)
    times = {side: contest.attempts[side].base_counts for side in (one, other)}
    if times[one] == times[other]:
        return counts[one] - counts[other]
    weak, strong, sign = (one, other, 1) if times[one] > times[other] else (other, one, -1)
    return sign * (throws[weak].successes - faced(contest, counts, weak, strong))


def faced(contest: VersusContest, counts: tuple[int, ...], side: int, rival: int) -> int:
    """The obstacle that a rival's successes are to a side, with the side's own penalties."""
    mine, theirs = (contest.attempts[each].base_counts for each in (side, rival))
    base = -(-counts[rival] * mine // theirs) if mine > theirs else counts[rival]
    return base + contest.attempts[side].penalties.total


def obstacles(contest: VersusContest, throws: tuple[artha.ThrownDice, ...]) -> tuple[int, ...]:
    """What each side was up against: the hardest of its rivals."""
    counts, sides = net_successes(contest, throws), range(len(throws))
    return tuple(
        max(faced(contest, counts, side, rival) for rival in sides if rival != side)
        for side in sides
    )


def margin_of(contest: VersusContest, throws: tuple[artha.ThrownDice, ...], winner: int) -> int:
    """The extra successes of a winner: those beyond the nearest rival's (tests.amb.versus_margin).

    The doubling is the untrained side's own obstacle and adds nothing to what a trained winner has
    rolled (tests.amb.versus_beginners_luck); but an outright win is by one at least.
    """
    counts = net_successes(contest, throws)
    times = [attempt.base_counts for attempt in contest.attempts]
    margins: list[int] = []
    for rival in (side for side in range(len(throws)) if side != winner):
        ahead = lead(contest, throws, winner, rival)
        if times[winner] < times[rival]:
            ahead = min(ahead, max(1, counts[winner] - counts[rival]))
        margins.append(ahead)
    return min(margins)


def behind_by(contest: VersusContest, throws: tuple[artha.ThrownDice, ...], side: int) -> int:
    """How many successes more would change the verdict for a side; none for one that has won.

    A tie is enough for the one who defends and nobody else (tests.versus.tie_to_defender).
    """
    rivals = [rival for rival in range(len(throws)) if rival != side]
    behind = -min(lead(contest, throws, side, rival) for rival in rivals)
    return max(0, behind + 1 if contest.aggressors[side] else behind)


class VersusJudge(msgspec.Struct, frozen=True, cache_hash=True):
    """Judges the rolls of a contest while they can still be changed."""

    contest: VersusContest

    def missing(self, throws: tuple[tuple[artha.ThrownDice, ...], ...], side: int) -> int:
        """How many more successes would change the verdict for a side."""
        return behind_by(self.contest, tuple(mine[0] for mine in throws), side)


class VersusVerdict(msgspec.Struct, frozen=True):
    """Who won, None for a deadlock; and the traits that were called on for it, by side."""

    winner: int | None
    margin: int = 0
    tie: bool = False
    called: tuple[tuple[int, str], ...] = ()

    @property
    def broken_by(self) -> str:
        """The trait that broke a tie; two offset each other."""
        return self.called[0][1] if len(self.called) == 1 else ""


def decide_versus(
    contest: VersusContest,
    throws: tuple[artha.ThrownDice, ...],
    hands: tuple[artha.ArthaAtHand, ...],
    table: BurningTable,
) -> Play[tuple[VersusOutcome, BurningTable]]:
    """Strictly more successes win (tests.versus.most_successes_win); ties go by the roles.

    gold.roll.pass_versus; the defender alone needs no more than as many
    (gold.amb.versus_exceed_vs_defender).
    """
    played = edition(table.options)
    verdict = yield from _verdict(contest, throws, hands, played)
    for side, trait in verdict.called:
        called = msgspec.structs.replace(throws[side], called=(*throws[side].called, trait))
        throws = (*throws[:side], called, *throws[side + 1 :])
    yield from _tell_verdict(contest, throws, verdict, table)
    patiently = quickly = 0
    careful = any(attempt.takes_longer for attempt in contest.attempts)
    if verdict.winner is not None and not contest.is_one_of_many:
        winner = contest.attempts[verdict.winner]
        # tests.amb.versus_margin: the margin is what there is to spend.
        patiently, quickly = yield from spend_extra(winner, verdict.margin, contest.seconds)
        careful = winner.takes_longer
    defeat = yield from _defeat(contest, throws, verdict, table)
    throws, table = defeat.throws, defeat.table
    table, earned = yield from _log(contest, throws, verdict, table)
    winner_name = None
    if verdict.winner is not None:
        winner_name = contest.attempts[verdict.winner].agreed.character
    outcome = VersusOutcome(
        winner=winner_name,
        margin=verdict.margin,
        successes=tuple(throw.successes for throw in throws),
        counted=net_successes(contest, throws),
        dice=tuple(attempt.all_dice for attempt in contest.attempts),
        sides=tuple(attempt.agreed.character for attempt in contest.attempts),
        abilities=tuple(attempt.agreed.name for attempt in contest.attempts),
        earned=earned,
        tie=verdict.tie,
        broken_by=verdict.broken_by,
        seconds=time_taken(contest.seconds, careful=careful, quickly=quickly),
        patiently=patiently,
        quickly=quickly,
        complications=defeat.complications,
        averted=defeat.averted,
        shared_by=defeat.shared_by,
        unsettled=verdict.tie
        and verdict.winner is None
        and played.ties_want_another_ability
        and not contest.is_one_of_many,
        obstacles=obstacles(contest, throws),
        penalties=tuple(attempt.penalties for attempt in contest.attempts),
        spent=tuple(throw.spent for throw in throws),
    )
    return outcome, table


def _verdict(
    contest: VersusContest,
    throws: tuple[artha.ThrownDice, ...],
    hands: tuple[artha.ArthaAtHand, ...],
    played: Edition,
) -> Step[VersusVerdict]:
    """The side that no other beats, with ties settled.

    Three sides or more are compared pair by pair (tests.amb.versus_more_than_two). In the later
    edition a trait breaks only ties in which nobody defends (gold.result.tie_call_on,
    gold.diff.versus_tie).
    """
    sides = range(len(throws))
    best = [s for s in sides if all(lead(contest, throws, s, r) >= 0 for r in sides if r != s)]
    if len(best) == 1:
        return VersusVerdict(best[0], margin_of(contest, throws, best[0]))
    if not best:
        return VersusVerdict(None)
    defenders = [side for side in best if not contest.aggressors[side]]
    called: tuple[tuple[int, str], ...] = ()
    if not (defenders and played.defender_wins_every_tie):
        called = yield from call_ons(contest, hands, best)
    if len(called) == 1:
        return VersusVerdict(called[0][0], tie=True, called=called)
    other = "defender" if defenders else "aggressor"
    on_tie = catalogue().table("tests.table.versus_tie")
    says = on_tie.value("result_on_equal_successes", side_a="aggressor", side_b=other)
    rule = "tests.versus.tie_to_defender" if defenders else "tests.versus.tie_two_aggressors"
    yield from note(f"Tied: {says}.", rule)
    # A round of a longer contest says itself what its ties come to (tests.table.ties_by_conflict).
    wants_another = played.ties_want_another_ability and not contest.is_one_of_many
    if not defenders and wants_another:
        text = "Undecided: a test of some other ability has to settle it."
        yield from note(text, "gold.result.tie_stands")
    # No reroll breaks a deadlock (tests.amb.deadlock_reroll).
    return VersusVerdict(defenders[0] if defenders else None, tie=True, called=called)


def call_ons(
    contest: VersusContest, hands: tuple[artha.ArthaAtHand, ...], tied: list[int]
) -> Step[tuple[tuple[int, str], ...]]:
    """A call-on trait breaks a tie for its owner, and two offset each other.

    tests.versus.tie_accept_or_trait, tests.amb.tie_trait_against_defender.
    """
    called: tuple[tuple[int, str], ...] = ()
    for side in sorted(tied, key=lambda side: not contest.aggressors[side]):
        if not hands[side].tie_breakers:
            continue
        rule = "tests.versus.tie_accept_or_trait"
        accept = Option("accept", "Accept the tie", rule)
        traits = tuple(
            Option(trait, f"Call on {trait}", "beliefs.trait.call_on.break_tie")
            for trait in hands[side].tie_breakers
        )
        choice = yield from choose(
            contest.attempts[side].seat,
            "break_tie",
            "Tied. Call on a trait to break the tie?",
            (accept, *traits),
            default="accept",
            because=rule,
        )
        if choice != "accept" and (yield from artha.applies(hands[side], choice)):
            called += ((side, choice),)
    return called


OTHERS_WIN = "the other side wins"
"""What losing comes to where nobody has said an intent."""


def _tell_verdict(
    contest: VersusContest,
    throws: tuple[artha.ThrownDice, ...],
    verdict: VersusVerdict,
    table: BurningTable,
) -> Step[None]:
    counts, against = net_successes(contest, throws), obstacles(contest, throws)
    least = min(attempt.base_counts for attempt in contest.attempts)
    for side, attempt in enumerate(contest.attempts):
        agreed, threat = attempt.agreed, contest.threats[side]
        harder = ""
        if attempt.base_counts > least:  # the successes are told without its penalties
            times = {2: "is doubled"}.get(attempt.base_counts, f"times {attempt.base_counts}")
            base = against[side] - attempt.penalties.total
            harder = f"Ob {base}: the base obstacle {times}."
        if verdict.winner is None:
            text = sentences(harder, "Deadlock.")
        elif side == verdict.winner:
            won = f"Wins by {verdict.margin}." if verdict.margin else "Wins the tie."
            text = sentences(harder, won, agreed.intent_said("Intent achieved"))
        else:
            text = sentences(harder, "Loses.", "" if threat == OTHERS_WIN else as_sentence(threat))
        name = table.character(agreed.character).name
        yield from tell(TestCame(name, counts[side], text, side == verdict.winner))


class VersusDefeat(msgspec.Struct, frozen=True):
    """What losing brought, the throws with the artha spent on it, and the table after it."""

    table: BurningTable
    throws: tuple[artha.ThrownDice, ...]
    complications: tuple[str, ...]
    averted: tuple[str, ...]
    shared_by: tuple[str, ...]


def _defeat(
    contest: VersusContest,
    throws: tuple[artha.ThrownDice, ...],
    verdict: VersusVerdict,
    table: BurningTable,
) -> Step[VersusDefeat]:
    """What losing costs: time that ran out for careful work, and helpers who share in it.

    A disaster may be turned aside where the table plays with Complications
    (artha.complication.condition), and certain death always in the later edition
    (gold.result.cheat_death). A round of a longer contest is no failed test yet.
    """
    after = list(throws)
    complications = [""] * len(throws)
    averted = [""] * len(throws)
    sharing: tuple[str, ...] = ()
    for side, attempt in enumerate(contest.attempts):
        if verdict.winner in (None, side):
            continue
        if attempt.careful:
            complications[side], after[side] = yield from out_of_time(attempt, after[side], table)
        fatal = bool(contest.deadly) and contest.deadly[side]
        if not contest.is_one_of_many:
            averted[side], after[side] = yield from turn_aside(
                attempt, contest.threats[side], after[side], table, deadly=fatal
            )
        if averted[side]:
            table = yield from what_pays(attempt.agreed.character, averted[side], table)
        sharing += yield from who_shares(attempt, table)
    return VersusDefeat(table, tuple(after), tuple(complications), tuple(averted), sharing)


def _log(
    contest: VersusContest,
    throws: tuple[artha.ThrownDice, ...],
    verdict: VersusVerdict,
    table: BurningTable,
) -> Step[tuple[BurningTable, tuple[str, ...]]]:
    """Log every side's test against what the others rolled, and let the results ride.

    advancement.versus.opponents_successes.
    """
    earned: tuple[str, ...] = ()
    for side, (attempt, throw) in enumerate(zip(contest.attempts, throws, strict=True)):
        won = side == verdict.winner
        if contest.kept[side] is not None:  # nothing was rolled: only a trait can have been used
            table = yield from pay_for(attempt, throw, table)
            earned += ("",)
            continue
        against = max(other.successes for rival, other in enumerate(throws) if rival != side)
        # advancement.amb.versus_penalties: with the side's own penalties, if it is trained.
        times = 1 if attempt.untrained else attempt.base_counts
        obstacle = against * times + attempt.penalties.total
        table, mine = yield from after_test(
            attempt, throw, obstacle, table, passed=won, base=against
        )
        earned += (mine,)
        if contest.is_one_of_many:  # tests.amb.ride_in_extended_conflict
            continue
        table = yield from ride(attempt, 1, throw, table, passed=won)
    return table, earned
