"""Versus tests: characters in opposition, who wins, and what a tie comes to.

A section of the chapter on tests (``tests/tests``), which tells
how each side comes to its dice. The scripted conflicts compare their rolls in their own ways;
``tests.table.ties_by_conflict`` has them all side by side.
"""

from __future__ import annotations

import msgspec

from astragal.dice import OpenEnded, Shaded
from astragal.errors import BadInput
from astragal.games.burning_wheel.artha import on_a_roll as artha
from astragal.games.burning_wheel.artha.spending import pay
from astragal.games.burning_wheel.sheet.durations import say_duration
from astragal.games.burning_wheel.sheet.editions import Edition, edition
from astragal.games.burning_wheel.sheet.facts import AtStake, DiceGathered, TestCame
from astragal.games.burning_wheel.sheet.parts import Skill
from astragal.games.burning_wheel.sheet.scene import BurningTable
from astragal.games.burning_wheel.tests.attempts import Attempt, after_test, prepare, ride_on
from astragal.games.burning_wheel.tests.circumstances import time_taken
from astragal.games.burning_wheel.tests.intent import (
    ALONE,
    LONGEST_WORDS,
    Agreed,
    Context,
    Declaration,
    agree,
    check_declared,
    not_rolled_before,
)
from astragal.games.burning_wheel.tests.let_it_ride import riding
from astragal.games.burning_wheel.tests.results import (
    out_of_time,
    ride,
    spend_extra,
    turn_aside,
    who_shares,
)
from astragal.games.burning_wheel.tests.terms import set_time, threaten
from astragal.games.game import Arguments, Outcome, Procedure
from astragal.play import (
    GM,
    Noted,
    Option,
    Play,
    Step,
    Tally,
    Text,
    ask,
    call,
    choose,
    tell,
    then,
)
from astragal.rules import catalogue


class Side(Declaration, frozen=True):
    """One side of a versus test; ``riding`` keeps successes rolled earlier for the same intent."""

    riding: bool = False


class VersusTest(Arguments, frozen=True):
    """Two sides or more, whoever began the contest first.

    With ``attack`` the first side means to injure the second (artha.play.versus_attack_defence).
    """

    sides: tuple[Side, ...]
    attack: bool = False


class VersusOutcome(Outcome, frozen=True):
    """Who won a versus test, if anybody, and by how much; one entry for each side."""

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


class Contest(msgspec.Struct, frozen=True):
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


def versus_test(arguments: VersusTest, table: BurningTable) -> Play[VersusOutcome]:
    """Characters in opposition each roll an ability; more successes win (tests.versus.when)."""
    outcome, _ = yield from call(versus, arguments.sides, ALONE, table)
    if arguments.attack:
        outcome = yield from _struck(outcome, table)
    return outcome


def _struck(outcome: VersusOutcome, table: BurningTable) -> Step[VersusOutcome]:
    """More successes for the attacker injure, for the defender protect, and then he may act.

    artha.play.versus_attack_defence.
    """
    attacker, target = outcome.sides[0], outcome.sides[1]
    rule = "artha.play.versus_attack_defence"
    if outcome.winner == attacker and outcome.margin:
        yield from tell(Noted(f"{table.character(target).name} is injured.", rule))
        return msgspec.structs.replace(outcome, injured=target)
    if outcome.winner == target and outcome.margin:
        name = table.character(target).name
        yield from tell(Noted(f"{name} comes to no harm and may now act.", rule))
        return msgspec.structs.replace(outcome, protected=target)
    return outcome


def versus(
    sides: tuple[Side, ...], context: Context, table: BurningTable
) -> Play[tuple[VersusOutcome, BurningTable]]:
    """A versus test, by itself or in a chain (the first side is then the chain's)."""
    _check_sides(sides)
    for side in sides:
        check_declared(side, table)
    agreed: list[Agreed] = []
    kept: list[int | None] = []
    for index, side in enumerate(sides):
        agreed.append((yield from agree(side, context if not index else ALONE, table)))
        standing = _standing(agreed[-1], side, f"sides[{index}].riding", table)
        if not side.riding:
            table = yield from not_rolled_before(agreed[-1], context if not index else ALONE, table)
        kept.append(standing)
    threats, deadly, seconds = yield from _terms(tuple(agreed), sides[0].time, table)
    attempts = []
    for index, (side, mine) in enumerate(zip(sides, agreed, strict=True)):
        chain = context if not index else ALONE
        if kept[index] is None:
            attempts.append((yield from prepare(side, mine, seconds, chain, table)))
        else:
            attempts.append((yield from ride_on(side, mine, chain, table)))
    yield from _state_cases(tuple(attempts), table)
    aggressors = yield from _roles(tuple(side.character for side in sides), table)
    contest = Contest(tuple(attempts), aggressors, tuple(kept), threats, seconds, deadly=deadly)
    return then(roll_versus, contest, table)


def _state_cases(attempts: tuple[Attempt, ...], table: BurningTable) -> Step[None]:
    """Where words decide, each side states its case before any dice are rolled.

    artha.play.state_case_then_roll. Every side has artha, help, traits and FoRKs as in any other
    test (artha.play.versus_tools).
    """
    social = [a.agreed.tested.ability for a in attempts]
    if not any(isinstance(skill, Skill) and skill.category == "Social" for skill in social):
        return
    for attempt in attempts:
        case = yield from ask(
            attempt.seat,
            "case",
            "State your case.",
            Text(default=attempt.agreed.task),
            because="artha.play.state_case_then_roll",
        )
        name = table.character(attempt.agreed.character).name
        yield from tell(Noted(f"{name}: {case}", "artha.play.state_case_then_roll"))


def _check_sides(sides: tuple[Side, ...]) -> None:
    """At least two sides, and everybody on one of them (tests.amb.versus_more_than_two)."""
    names = [side.character for side in sides]
    if len(names) < 2 or len(set(names)) < len(names):
        raise BadInput("sides", names, "two different characters at least", "tests.versus.when")
    taken = set(names)
    for index, side in enumerate(sides):
        for helper in side.helpers:
            if helper in taken and helper != side.character:
                rule = "tests.amb.versus_more_than_two"
                raise BadInput(f"sides[{index}].helpers", helper, "somebody on no other side", rule)
        taken.update(side.helpers)


def _standing(agreed: Agreed, side: Side, place: str, table: BurningTable) -> int | None:
    """Kept successes stand against a new opponent (tests.amb.ride_versus_new_opponent)."""
    if not side.riding:
        return None
    ride = riding(table, agreed.character, agreed.name, agreed.intent)
    if ride is None:
        expected = "a result that stands for this intent"
        raise BadInput(place, True, expected, "tests.amb.ride_versus_new_opponent")
    return ride.successes


def _terms(
    agreed: tuple[Agreed, ...], offered_time: str, table: BurningTable
) -> Step[tuple[tuple[str, ...], tuple[bool, ...], int]]:
    """What each player stands to lose, and how long it takes, told before the roll.

    By default losing means that the others get what they want.
    """
    threats, deadly = [], []
    seconds = yield from set_time(agreed[0], offered_time)
    for mine in agreed:
        sheet = table.character(mine.character)
        others = "; ".join(other.intent for other in agreed if other is not mine)
        threat = death = ""
        if sheet.seat(mine.character) != GM:
            usual = others[:LONGEST_WORDS].strip()
            threat, death = yield from threaten(usual, edition(table.options))
            said = f"{threat}; {death}" if death else threat
            yield from tell(AtStake(mine.intent, said, say_duration(seconds)))
        threats.append(death or threat)
        deadly.append(bool(death))
    return tuple(threats), tuple(deadly), seconds


def _roles(names: tuple[str, ...], table: BurningTable) -> Step[tuple[bool, ...]]:
    """Who would change the state of affairs is the aggressor (tests.versus.roles_by_intent).

    The GM says so before the roll; by default it is whoever began. Without any aggressor there
    would be no contest (tests.amb.who_is_defender).
    """
    options = tuple(
        Option(
            key=name,
            label=f"{table.character(name).name} defends",
            rule="tests.versus.roles_by_intent",
        )
        for name in (*names[1:], names[0])
    )
    nobody = Option(key="nobody", label="all are aggressors", rule="tests.versus.roles_by_intent")
    defender = yield from choose(
        GM,
        "defender",
        "Who only defends, by intent?",
        (*options, nobody),
        default=names[1],
        because="tests.versus.roles_by_intent",
    )
    return tuple(name != defender for name in names)


def roll_versus(contest: Contest, table: BurningTable) -> Play[tuple[VersusOutcome, BurningTable]]:
    """Every side throws once; then, with all dice seen, what may still be bought."""
    throws = []
    for attempt, kept in zip(contest.attempts, contest.kept, strict=True):
        name = table.character(attempt.agreed.character).name
        if kept is not None:
            text = f"{name}: the {kept} successes of {attempt.agreed.name} ride."
            yield from tell(Noted(text, "tests.amb.ride_versus_new_opponent"))
            throws.append(artha.Throw(kept, Shaded(), Shaded(), OpenEnded.NO))
            continue
        against = attempt.penalties if attempt.penalties.lines else None
        yield from tell(DiceGathered(name, attempt.all_dice, against))
        label = f"{name}, {attempt.agreed.name}"
        thrown = artha.first_throw(attempt.pool, label, attempt.seat, attempt.hand, attempt.spent)
        throws.append((yield from thrown))
    hands = tuple(attempt.hand for attempt in contest.attempts)
    order = _loser_first(contest, tuple(throws))
    return then(buy_in_turn, contest, tuple(throws), hands, order, 0, table)


def _loser_first(contest: Contest, throws: tuple[artha.Throw, ...]) -> tuple[int, ...]:
    """Whoever is losing may buy first, in a tie the aggressor.

    artha.amb.versus_after_roll_sequence.
    """
    counts = counted(contest, throws)
    return tuple(
        sorted(range(len(counts)), key=lambda side: (counts[side], not contest.aggressors[side]))
    )


def buy_in_turn(
    contest: Contest,
    throws: tuple[artha.Throw, ...],
    hands: tuple[artha.Hand, ...],
    order: tuple[int, ...],
    content: int,
    table: BurningTable,
) -> Play[tuple[VersusOutcome, BurningTable]]:
    """The sides buy after-roll effects in turn, until all in a row are content."""
    while content < len(order):
        side = order[0]
        attempt, offered = contest.attempts[side], artha.offers(throws[side], hands[side])
        order = order[1:] + order[:1]
        choice = artha.CONTENT.key
        if offered:
            counts = " against ".join(str(throw.successes) for throw in throws)
            choice = yield from choose(
                attempt.seat,
                "after_roll",
                f"{attempt.agreed.name}: {counts} successes. Use anything on the roll?",
                (artha.CONTENT, *offered),
                default=artha.CONTENT.key,
                because="artha.amb.versus_after_roll_sequence",
            )
        if choice == artha.CONTENT.key:
            content += 1
            continue
        lying, hand = yield from artha.use(
            choice, throws[side], hands[side], attempt.agreed.name, attempt.seat, None
        )
        throws = (*throws[:side], lying, *throws[side + 1 :])
        hands = (*hands[:side], hand, *hands[side + 1 :])
        return then(buy_in_turn, contest, throws, hands, order, 0, table)
    return then(decide_versus, contest, throws, hands, table)


def counted(contest: Contest, throws: tuple[artha.Throw, ...]) -> tuple[int, ...]:
    """Each side's successes less its penalties, never below zero.

    tests.versus.obstacle_penalty.
    """
    return tuple(
        max(0, throw.successes - attempt.penalties.total)
        for attempt, throw in zip(contest.attempts, throws, strict=True)
    )


def lead(contest: Contest, throws: tuple[artha.Throw, ...], one: int, other: int) -> int:
    """By how much one side is ahead of another.

    The base obstacle of each side is the other's successes (gold.tests.versus_base_ob). Against
    Beginner's Luck these are doubled, then the untrained side's penalties added
    (tests.amb.versus_beginners_luck, gold.diff.beginners_luck_versus); two untrained sides meet
    as equals. The want of tools counts in the same way.
    """
    counts = counted(contest, throws)
    times = {side: contest.attempts[side].base_counts for side in (one, other)}
    if times[one] == times[other]:
        return counts[one] - counts[other]
    weak, strong, sign = (one, other, 1) if times[one] > times[other] else (other, one, -1)
    wanted = -(-counts[strong] * times[weak] // times[strong])
    wanted += contest.attempts[weak].penalties.total
    return sign * (throws[weak].successes - wanted)


class Verdict(msgspec.Struct, frozen=True):
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
    contest: Contest,
    throws: tuple[artha.Throw, ...],
    hands: tuple[artha.Hand, ...],
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
        patiently, quickly = yield from spend_extra(winner, verdict.margin)
        careful = winner.takes_longer
    defeat = yield from _defeat(contest, throws, verdict, table)
    throws = defeat.throws
    table, earned = yield from _log(contest, throws, verdict, table)
    winner_name = None
    if verdict.winner is not None:
        winner_name = contest.attempts[verdict.winner].agreed.character
    outcome = VersusOutcome(
        winner=winner_name,
        margin=verdict.margin,
        successes=tuple(throw.successes for throw in throws),
        counted=counted(contest, throws),
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
        unsettled=verdict.tie and verdict.winner is None and played.ties_want_another_ability,
    )
    return outcome, table


def _verdict(
    contest: Contest,
    throws: tuple[artha.Throw, ...],
    hands: tuple[artha.Hand, ...],
    played: Edition,
) -> Step[Verdict]:
    """The side that is behind nobody, with ties settled.

    Three sides or more are compared pair by pair (tests.amb.versus_more_than_two). In the later
    edition a trait breaks only ties in which nobody defends (gold.result.tie_call_on,
    gold.diff.versus_tie).
    """
    sides = range(len(throws))
    best = [s for s in sides if all(lead(contest, throws, s, r) >= 0 for r in sides if r != s)]
    if len(best) == 1:
        # tests.amb.versus_margin: by how much the nearest rival is beaten.
        margin = min(lead(contest, throws, best[0], rival) for rival in sides if rival != best[0])
        return Verdict(best[0], margin)
    if not best:
        return Verdict(None)
    defenders = [side for side in best if not contest.aggressors[side]]
    called: tuple[tuple[int, str], ...] = ()
    if not (defenders and played.defender_wins_every_tie):
        called = yield from call_ons(contest, hands, best)
    if len(called) == 1:
        return Verdict(called[0][0], tie=True, called=called)
    other = "defender" if defenders else "aggressor"
    on_tie = catalogue().table("tests.table.versus_tie")
    says = on_tie.value("result_on_equal_successes", side_a="aggressor", side_b=other)
    rule = "tests.versus.tie_to_defender" if defenders else "tests.versus.tie_two_aggressors"
    yield from tell(Noted(f"Tied: {says}.", rule))
    if not defenders and played.ties_want_another_ability:
        text = "It stays undecided until a test of some other ability settles it."
        yield from tell(Noted(text, "gold.result.tie_stands"))
    # No reroll breaks a deadlock (tests.amb.deadlock_reroll).
    return Verdict(defenders[0] if defenders else None, tie=True, called=called)


def call_ons(
    contest: Contest, hands: tuple[artha.Hand, ...], tied: list[int]
) -> Step[tuple[tuple[int, str], ...]]:
    """A call-on trait breaks a tie for its owner, and two offset each other.

    tests.versus.tie_accept_or_trait, tests.amb.tie_trait_against_defender.
    """
    called: tuple[tuple[int, str], ...] = ()
    for side in sorted(tied, key=lambda side: not contest.aggressors[side]):
        if not hands[side].tie_breakers:
            continue
        rule = "tests.versus.tie_accept_or_trait"
        accept = Option(key="accept", label="Accept the tie", rule=rule)
        traits = tuple(
            Option(key=trait, label=f"Call on {trait}", rule="beliefs.trait.call_on.break_tie")
            for trait in hands[side].tie_breakers
        )
        choice = yield from choose(
            contest.attempts[side].seat,
            "break_tie",
            "The contest is tied. Call on a trait to break it?",
            (accept, *traits),
            default="accept",
            because=rule,
        )
        if choice != "accept" and (yield from artha.applies(hands[side], choice)):
            called += ((side, choice),)
    return called


def _tell_verdict(
    contest: Contest, throws: tuple[artha.Throw, ...], verdict: Verdict, table: BurningTable
) -> Step[None]:
    counts = counted(contest, throws)
    for side, attempt in enumerate(contest.attempts):
        agreed, threat = attempt.agreed, contest.threats[side]
        if verdict.winner is None:
            text = "Deadlock."
        elif side == verdict.winner:
            text = f"Wins by {verdict.margin}. So it is: {agreed.intent}."
        else:
            text = f"Loses. {threat}." if threat else "Loses."
        name = table.character(agreed.character).name
        yield from tell(TestCame(name, counts[side], text, side == verdict.winner))


class Defeat(msgspec.Struct, frozen=True):
    """What losing came to, and the throws with what was spent on it."""

    throws: tuple[artha.Throw, ...]
    complications: tuple[str, ...]
    averted: tuple[str, ...]
    shared_by: tuple[str, ...]


def _defeat(
    contest: Contest, throws: tuple[artha.Throw, ...], verdict: Verdict, table: BurningTable
) -> Step[Defeat]:
    """What losing costs: time that ran out for careful work, and helpers who share in it.

    Certain death may be bought off in the later edition (gold.result.cheat_death).
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
        if fatal and edition(table.options).death_may_be_cheated:
            averted[side], after[side] = yield from turn_aside(
                attempt, contest.threats[side], after[side], table, deadly=True
            )
        sharing += yield from who_shares(attempt, table)
    return Defeat(tuple(after), tuple(complications), tuple(averted), sharing)


def _log(
    contest: Contest, throws: tuple[artha.Throw, ...], verdict: Verdict, table: BurningTable
) -> Step[tuple[BurningTable, tuple[str, ...]]]:
    """Log every side's test against what the others rolled, and let the results ride.

    advancement.versus.opponents_successes.
    """
    earned: tuple[str, ...] = ()
    for side, (attempt, throw) in enumerate(zip(contest.attempts, throws, strict=True)):
        won = side == verdict.winner
        if contest.kept[side] is not None:  # nothing was rolled: only a trait can have been used
            agreed = attempt.agreed
            table = yield from pay(table, agreed.character, agreed.tested, throw)
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


PROCEDURES = (
    Procedure(
        "versus_test",
        "A test of one character against another",
        VersusTest,
        versus_test,
        frequent=2,
    ),
)
