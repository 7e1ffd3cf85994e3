"""Versus tests: characters in opposition, from the declaration to the dice.

A section of the chapter on tests (``tests/tests``); who wins is in ``tests/versus_verdict``. The
scripted conflicts compare their rolls in their own ways; ``tests.table.ties_by_conflict`` has
them all side by side.
"""

from __future__ import annotations

import msgspec

from astragal.dice import OpenEnded, Shaded
from astragal.errors import BadInput
from astragal.games.game import Arguments, Procedure
from astragal.play import GM, Play, Step, Text, ask, call, choose, note, tell, then

from ..artha import on_a_roll as artha
from ..conditions.enmity import counts_as_social, enemy
from ..sheet.durations import say_duration
from ..sheet.editions import edition
from ..sheet.facts import AtStake, DiceGathered
from ..sheet.parts import SkillAbility
from ..sheet.scene import BurningTable
from ..sheet.words import as_sentence, counted
from .attempts import Attempt, prepare, ride_on
from .intent import (
    ALONE,
    LONGEST_WORDS,
    Agreement,
    Context,
    Declaration,
    ability_options,
    agree,
    check_declared,
    not_rolled_before,
)
from .let_it_ride import riding
from .simultaneous import Bought, RollingSide, buy_in_turn, throw_all
from .terms import set_time, threaten
from .versus_verdict import (
    OTHERS_WIN,
    VersusContest,
    VersusJudge,
    VersusOutcome,
    decide_versus,
    lead,
)


class VersusSide(Declaration, frozen=True, kw_only=True):
    """One side of a versus test; ``riding`` uses successes rolled earlier for the same intent.

    A side that was begun without an ``ability`` is asked for it: each fills in its own half.
    """

    ability: str = ""
    riding: bool = False


class VersusTest(Arguments, frozen=True):
    """Two sides or more; the first one began the contest.

    With ``attack`` the first side means to injure the second (artha.play.versus_attack_defence).
    """

    sides: tuple[VersusSide, ...]
    attack: bool = False


def versus_test(arguments: VersusTest, table: BurningTable) -> Play[VersusOutcome]:
    """Characters in opposition each roll an ability; more successes win (tests.versus.when)."""
    outcome, _ = yield from call(versus, arguments.sides, ALONE, table)
    if arguments.attack:
        outcome = yield from _struck(outcome, table)
    return outcome


def _struck(outcome: VersusOutcome, table: BurningTable) -> Step[VersusOutcome]:
    """More successes for the attacker injure, for the defender protect, and then he may act.

    artha.play.versus_attack_defence; a trait that breaks a tie counts for as much
    (tests.versus.tie_accept_or_trait). A Complication turns the blow aside
    (artha.complication.condition), though the defence stays lost.
    """
    attacker, target = outcome.sides[0], outcome.sides[1]
    rule = "artha.play.versus_attack_defence"
    if outcome.tie and not outcome.broken_by:
        return outcome
    if outcome.winner == attacker and not outcome.averted[1]:
        yield from note(f"{table.character(target).name} is injured.", rule)
        return msgspec.structs.replace(outcome, injured=target)
    if outcome.winner == target:
        name = table.character(target).name
        yield from note(f"{name} is unharmed and may now act.", rule)
        return msgspec.structs.replace(outcome, protected=target)
    return outcome


HIDING = ("Stealthy", "Inconspicuous")
"""The skills of those who do not want to be noticed."""

SPOTTING, EYES = "Observation", "Perception"


def _spots(side: VersusSide, sides: tuple[VersusSide, ...], table: BurningTable) -> bool:
    """Whether a side looks for somebody who hides, without the skill for it.

    extended_example.stealth.double_perception: that is Perception against twice the successes, as
    Beginner's Luck is (tests.amb.versus_beginners_luck).
    """
    skill = table.character(side.character).find(SPOTTING)
    return (
        side.ability.strip().casefold() in (SPOTTING.casefold(), EYES.casefold())
        and (skill is None or not skill.exponent)
        and any(other.ability.strip().capitalize() in HIDING for other in sides)
    )


def versus(
    sides: tuple[VersusSide, ...], context: Context, table: BurningTable
) -> Play[tuple[VersusOutcome, BurningTable]]:
    """A versus test, alone or in a chain (the first side is then the chain's)."""
    _check_sides(sides)
    sides = yield from _with_abilities(sides, table)
    spotting = [_spots(side, sides, table) for side in sides]
    sides = tuple(
        msgspec.structs.replace(side, ability=SPOTTING) if spots else side
        for side, spots in zip(sides, spotting, strict=True)
    )
    agreed: list[Agreement] = []
    kept: list[int | None] = []
    for index, side in enumerate(sides):
        own = msgspec.structs.replace(context if not index else ALONE, several=True)
        if spotting[index]:
            own = msgspec.structs.replace(own, roots=(EYES,))
        agreed.append((yield from agree(side, own, table)))
        rode = _riding(agreed[-1], side, f"sides[{index}].riding", table)
        if not side.riding:
            table = yield from not_rolled_before(agreed[-1], context if not index else ALONE, table)
        kept.append(rode)
    threats, deadly, seconds = yield from _terms(tuple(agreed), sides[0].time, table)
    attempts: list[Attempt] = []
    for index, (side, mine) in enumerate(zip(sides, agreed, strict=True)):
        chain = msgspec.structs.replace(
            context if not index else ALONE,
            may_ask_help=not context.called_for,
            against=_on_other_sides(index, sides, attempts),
        )
        side = _against_enemy(side, mine, sides, table)
        if kept[index] is None:
            attempts.append((yield from prepare(side, mine, seconds, chain, table)))
        else:
            attempts.append((yield from ride_on(side, mine, chain, table)))
    for side, spots in zip(sides, spotting, strict=True):
        if spots:
            name = table.character(side.character).name
            text = f"Without {SPOTTING} {name} needs twice the successes of those who hide."
            yield from note(text, "extended_example.stealth.double_perception")
    yield from _state_cases(tuple(attempts), table)
    aggressors = yield from _roles(tuple(side.character for side in sides), table)
    contest = VersusContest(
        tuple(attempts), aggressors, tuple(kept), threats, seconds, deadly=deadly
    )
    return then(roll_versus, contest, table)


def _against_enemy(
    side: VersusSide, agreed: Agreement, sides: tuple[VersusSide, ...], table: BurningTable
) -> VersusSide:
    """A social test is against the enemy on another side, without anybody having to say so.

    circles.enmity.social_penalty, gold.ob.personal_enemy.
    """
    if not counts_as_social(agreed.tested, agreed.missing_skill, table):
        return side
    rivals = (other.character for other in sides if other.character != side.character)
    hostile = next((each for each in rivals if enemy(table, side.character, each)), "")
    return msgspec.structs.replace(side, target=side.target or hostile)


def _with_abilities(
    sides: tuple[VersusSide, ...], table: BurningTable
) -> Step[tuple[VersusSide, ...]]:
    """The sides, each with the ability that it tests (tests.ability.chosen_from_task)."""
    for side in sides:  # nobody is asked where something is refused anyway
        check_declared(side, table)
    found = []
    for side in sides:
        if not side.ability.strip():
            sheet = table.character(side.character)
            name = yield from choose(
                edition(table.options).names_ability(sheet.seat(side.character)),
                "ability",
                f"Ability ({sheet.name})",
                ability_options(sheet),
                because="tests.ability.chosen_from_task",
                kind="needed",
            )
            side = msgspec.structs.replace(side, ability=name)
        found.append(side)
    return tuple(found)


def _state_cases(attempts: tuple[Attempt, ...], table: BurningTable) -> Step[None]:
    """In a social test each side states its case before any dice are rolled.

    artha.play.state_case_then_roll. Every side has artha, help, traits and FoRKs as in any other
    test (artha.play.versus_tools).
    """
    social = [a.agreed.tested.ability for a in attempts]
    if not any(isinstance(skill, SkillAbility) and skill.category == "Social" for skill in social):
        return
    for attempt in attempts:
        name = table.character(attempt.agreed.character).name
        case = yield from ask(
            attempt.seat,
            "case",
            f"{name}'s case",
            Text(default=attempt.agreed.task),
            because="artha.play.state_case_then_roll",
        )
        if case:
            yield from note(f"{name}: {as_sentence(case)}", "artha.play.state_case_then_roll")


def _check_sides(sides: tuple[VersusSide, ...]) -> None:
    """At least two sides, and everybody on one of them (tests.amb.versus_more_than_two)."""
    names = [side.character for side in sides]
    if len(names) < 2 or len(set(names)) < len(names):
        raise BadInput("sides", names, "at least two different characters", "tests.versus.when")
    taken = set(names)
    for index, side in enumerate(sides):
        for helper in side.helpers:
            if helper in taken and helper != side.character:
                rule = "tests.amb.versus_more_than_two"
                raise BadInput(
                    f"sides[{index}].helpers", helper, "somebody who is on no other side", rule
                )
        taken.update(side.helpers)


def _on_other_sides(
    index: int, sides: tuple[VersusSide, ...], attempts: list[Attempt]
) -> tuple[str, ...]:
    """Whom a side cannot ask for help: those of the others, and those who help them already.

    tests.amb.versus_more_than_two.
    """
    primaries = tuple(side.character for at, side in enumerate(sides) if at != index)
    asked = tuple(name for at, side in enumerate(sides) if at != index for name in side.helpers)
    helping = tuple(helper.character for attempt in attempts for helper in attempt.helpers)
    return (*primaries, *asked, *helping)


def _riding(agreed: Agreement, side: VersusSide, place: str, table: BurningTable) -> int | None:
    """Successes that ride count against a new opponent (tests.amb.ride_versus_new_opponent)."""
    if not side.riding:
        return None
    ride = riding(table, agreed.character, agreed.name, agreed.intent)
    if ride is None:
        expected = "a result that rides for this intent"
        raise BadInput(place, True, expected, "tests.amb.ride_versus_new_opponent")
    return ride.successes


def _terms(
    agreed: tuple[Agreement, ...], offered_time: str, table: BurningTable
) -> Step[tuple[tuple[str, ...], tuple[bool, ...], int]]:
    """What each player's side loses in defeat, and how long it takes, told before the roll.

    By default losing means that the others achieve their intent.
    """
    threats, deadly = [], []
    seconds = yield from set_time(agreed[0], offered_time)
    for mine in agreed:
        sheet = table.character(mine.character)
        intents = [other.own_intent for other in agreed if other is not mine]
        threat = death = ""
        if sheet.seat(mine.character) != GM:
            wanted = "; ".join(filter(None, intents)) or OTHERS_WIN
            threat, death = yield from threaten(
                wanted[:LONGEST_WORDS].strip(),
                edition(table.options),
                if_what=f"{sheet.name} loses",
            )
            said = f"{threat}; {death}" if threat and death else threat or death
            yield from tell(AtStake(mine.own_intent, said, say_duration(seconds)))
        threats.append(death or threat)
        deadly.append(bool(death))
    return tuple(threats), tuple(deadly), seconds


def _roles(names: tuple[str, ...], table: BurningTable) -> Step[tuple[bool, ...]]:
    """The side that would change the state of affairs is the aggressor.

    tests.versus.roles_by_intent. The GM says so before the roll; by default it is the side that
    began. Without any aggressor there would be no contest (tests.amb.who_is_defender).
    """
    defends = {name: f"{table.character(name).name} defends" for name in (*names[1:], names[0])}
    defender = yield from choose(
        GM,
        "defender",
        "Who is the defender?",
        {**defends, "nobody": "Nobody: all are aggressors"},
        default=names[1],
        because="tests.versus.roles_by_intent",
        kind="aside",
    )
    return tuple(name != defender for name in names)


def roll_versus(
    contest: VersusContest, table: BurningTable
) -> Play[tuple[VersusOutcome, BurningTable]]:
    """Every side throws once; then, with all dice seen, what may still be bought."""
    rollers, throws = [], []
    for attempt, kept in zip(contest.attempts, contest.kept, strict=True):
        name = table.character(attempt.agreed.character).name
        label = f"{name}, {attempt.agreed.name}"
        pools = (("", attempt.pool),)
        side = RollingSide(attempt.seat, label, pools, attempt.hand, attempt.spent, told_all=True)
        rollers.append(side)
        if kept is not None:
            text = f"{name}: {attempt.agreed.name} rides with {counted(kept, 'success')}."
            yield from note(text, "tests.amb.ride_versus_new_opponent")
            throws.append(artha.ThrownDice(kept, Shaded(), Shaded(), OpenEnded.NO))
            continue
        against = attempt.penalties if attempt.penalties.lines else None
        yield from tell(DiceGathered(name, attempt.all_dice, against))
        throws += yield from call(throw_all, side)
    hands = tuple(attempt.hand for attempt in contest.attempts)
    order = _loser_first(contest, tuple(throws))
    seen = tuple((throw,) for throw in throws)
    judge = VersusJudge(contest)
    bought: Bought = yield from call(buy_in_turn, tuple(rollers), seen, hands, order, judge)
    after, hands = bought
    return then(decide_versus, contest, tuple(mine[0] for mine in after), hands, table)


def _loser_first(contest: VersusContest, throws: tuple[artha.ThrownDice, ...]) -> tuple[int, ...]:
    """The losing side may buy first, in a tie the aggressor.

    artha.amb.versus_after_roll_sequence. Who is losing is judged as the verdict will be, with
    Beginner's Luck and penalties.
    """
    sides = range(len(throws))
    ahead = [min(lead(contest, throws, s, rival) for rival in sides if rival != s) for s in sides]
    return tuple(sorted(sides, key=lambda side: (ahead[side], not contest.aggressors[side])))


PROCEDURES = (Procedure("versus_test", "Versus test", VersusTest, versus_test, frequent=2),)
