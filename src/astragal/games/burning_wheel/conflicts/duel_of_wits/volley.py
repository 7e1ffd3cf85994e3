"""One volley of a Duel of Wits: words, dice, and what two actions do to each other.

A section of the chapter on the Duel of Wits (``conflicts/duel_of_wits/duel``).
:func:`volley` depends on nothing but the two cards, what the sides carry over and the sheets:
neither on the bodies of argument nor on the later cards of a script. So its exact odds can be
worked out alone, and the table and the odds run the same lines. Its result is a :class:`Clash`;
the exchange applies it.
"""

from __future__ import annotations

from typing import TypeAlias

import msgspec

from astragal.dice import Pool
from astragal.play import Option, Play, Split, Step, Tally, ask, call, choose, tell, then

from ...artha.on_a_roll import ThrownDice, applies
from ...sheet.editions import edition
from ...sheet.facts import DiceGathered
from ...sheet.scene import BurningTable
from ...tests.attempts import Attempt
from ...tests.helping import doubled
from ...tests.intent import Context
from ...tests.simultaneous import RollingSide, Throws, merged, split_pool, throw_together
from ..scripting import CarriedEffect, lines_of
from .actions import Debate, gather, label, speak, speak_up
from .logged_rolls import LoggedRoll, obstacle_logged, succeeds
from .matrix import NOTHING, AfterEffect, Pairing, Rolls, SideSuccesses, pairing

FOR_ONE_ROLL = ("faith.prayer.aid", "duel_of_wits.incite.failure")
"""The rules of dice that count for one roll, and not for all that an action rolls."""

Attempts: TypeAlias = tuple[Attempt | None, Attempt | None]
CalledTraits: TypeAlias = tuple[str | None, str | None]


class ReadyVolley(msgspec.Struct, frozen=True, cache_hash=True):
    """A volley when the dice are about to be thrown: all that its result depends on."""

    cards: tuple[str, str]
    attempts: Attempts
    rollers: tuple[RollingSide, ...]
    wills: tuple[int, int]
    riposte_needs_attack: bool
    tie_to_victim: bool
    defender_keeps_ties: bool
    """Whether no trait helps against who wins a tie as the defender (gold.diff.versus_tie)."""

    @property
    def has_beginner(self) -> bool:
        """Whether either side rolls by Beginner's Luck."""
        one, other = self.attempts
        return bool((one and one.untrained) or (other and other.untrained))


class Clash(msgspec.Struct, frozen=True):
    """The result of a volley: losses, what follows, and the rolls behind it, by side."""

    cards: tuple[str, str]
    losses: tuple[int, int]
    after: tuple[tuple[int, AfterEffect, int], ...]
    counted: tuple[tuple[int, ...], tuple[int, ...]]
    stopped: tuple[bool, bool]
    """Whose action an Obfuscate has stopped (duel_of_wits.obfuscate.win)."""
    tested: tuple[LoggedRoll | None, LoggedRoll | None]


def volley(
    debate: Debate, cards: tuple[str, str], used: tuple[CarriedEffect, ...], room: BurningTable
) -> Play[Clash]:
    """Two actions are shown: they are spoken, their dice gathered, and then rolled.

    Action meets action of the same number (duel_of_wits.exchange.one_action_per_volley).
    """
    cast = yield from call(make_ready, debate, cards, used, room)
    return then(cast_dice, cast)


def make_ready(
    debate: Debate, cards: tuple[str, str], used: tuple[CarriedEffect, ...], room: BurningTable
) -> Play[ReadyVolley]:
    """Everything before the dice: words, help, skills, FoRKs, artha, and the split of a Rebuttal.

    ``used`` is what was carried over to this volley.
    """
    pair = pairing(*cards)
    words = yield from speak(debate, cards, room)
    rolling = pair.rolling
    helping = yield from speak_up(debate, rolling, room)
    attempts: list[Attempt | None] = [None, None]
    for side in (0, 1):
        if rolling[side]:
            dice, obstacle = lines_of(used, side)
            # Words need no tools (gold.tests.tools): the skill is laid down.
            context = Context(dice=dice, obstacle=obstacle, lasting=True, laid_down=True)
            attempts[side] = yield from call(
                gather,
                debate,
                side,
                cards[side],
                pair.rolls[side],
                words[side],
                context,
                helping[side],
                room,
            )
    # Before either side rolls any die (duel_of_wits.rebuttal.split_timing).
    one = yield from _divide(pair.rolls[0], attempts[0], 0, debate, room)
    other = yield from _divide(pair.rolls[1], attempts[1], 1, debate, room)
    rollers = []
    for side, (attempt, defence) in enumerate(zip(attempts, (one, other), strict=True)):
        if attempt is not None:
            name, action = room.character(attempt.agreed.character).name, cards[side]
            against = _obstacle(pair, side, attempt, debate, room)
            yield from tell(DiceGathered(f"{name}, {label(action)},", attempt.all_dice, against))
            if pair.rolls[side] is Rolls.TWICE:
                again = f"{name}, {label(action)}, second roll,"
                yield from tell(DiceGathered(again, _once_more(attempt).dice))
            rollers.append(_roller(pair.rolls[side], attempt, defence, name, action))
    will = [room.character(s.character).ability("Will").exponent for s in debate.speakers]
    return ReadyVolley(
        cards=cards,
        attempts=(attempts[0], attempts[1]),
        rollers=tuple(rollers),
        wills=(will[0], will[1]),
        riposte_needs_attack=room.options["duel_of_wits_unprovoked_riposte"] == "no_riposte",
        tie_to_victim=room.options["duel_of_wits_obfuscate_tie"] == "victim",
        defender_keeps_ties=edition(room.options).defender_wins_every_tie,
    )


def _obstacle(
    pair: Pairing, side: int, attempt: Attempt, debate: Debate, room: BurningTable
) -> Tally | None:
    """What an action is rolled against, where that is known before the dice; none if nothing is.

    An Incite has the victim's Will as its obstacle (duel_of_wits.incite.obstacle), unless it is
    rolled against an Obfuscate first; other actions have their penalties alone.
    """
    against = attempt.penalties
    if pair.actions[side] == "incite" and not pair.is_versus:
        victim = room.character(debate.speakers[1 - side].character)
        will = victim.ability("Will").exponent
        base = Tally.of(will, f"{victim.name}'s Will", "duel_of_wits.incite.obstacle")
        if attempt.untrained:
            base += doubled(will, attempt.agreed.name)
        against = base + against.lines
    return against if against.lines else None


def _divide(
    rolls: Rolls, attempt: Attempt | None, side: int, debate: Debate, room: BurningTable
) -> Step[int]:
    """How many dice of a Rebuttal defend; the others are the riposte.

    All dice are divided (duel_of_wits.rebuttal.split), with at least one in each pool
    (duel_of_wits.rebuttal.minimum_dice), or all in one where there is only one
    (duel_of_wits.amb.rebuttal_one_die). What the other side does is known by then
    (duel_of_wits.amb.rebuttal_split_knowledge).
    """
    if attempt is None or rolls not in (Rolls.SPLIT, Rolls.RIPOSTE):
        return 0
    total = attempt.pool.dice.total
    least = 1 if total > 1 else 0
    half = least if rolls is Rolls.RIPOSTE else total // 2
    rule = "duel_of_wits.rebuttal.split"
    pools = (
        Option(key="defence", label="Defence", rule="duel_of_wits.rebuttal.defence"),
        Option(key="riposte", label="Riposte", rule="duel_of_wits.rebuttal.riposte"),
    )
    name = room.character(debate.speakers[side].character).name
    split = yield from ask(
        attempt.seat,
        "split",
        f"{name}, Rebuttal: divide {total}D between defence and riposte",
        Split(amount=total, pools=pools, least=least, default=(half, total - half)),
        because=rule,
    )
    return split[0]


# --- Dice ----------------------------------------------------------------------------------


def cast_dice(cast: ReadyVolley) -> Play[Clash]:
    """Both sides roll at once, and only then is anything counted.

    duel_of_wits.exchange.simultaneous.
    """
    if not cast.rollers:
        return then(resolve, cast, ((), ()))
    thrown = iter((yield from throw_together(cast.rollers)))
    throws = []
    for attempt, rolls in zip(cast.attempts, pairing(*cast.cards).rolls, strict=True):
        throws.append(() if attempt is None else as_counted(rolls, next(thrown)))
    return then(resolve, cast, tuple(throws))


def as_counted(rolls: Rolls, thrown: tuple[ThrownDice, ...]) -> tuple[ThrownDice, ...]:
    """The throws of a side as they are compared: both rolls of a Feint are one sum.

    duel_of_wits.feint.double_roll_against_obfuscate.
    """
    return (merged(thrown),) if rolls is Rolls.TWICE else thrown


def _roller(rolls: Rolls, attempt: Attempt, defence: int, name: str, action: str) -> RollingSide:
    """The pools that an action throws: one, two alike, or the halves of a Rebuttal."""
    pools: tuple[tuple[str, Pool], ...] = (("", attempt.pool),)
    if rolls is Rolls.TWICE:
        pools = (("first", attempt.pool), ("second", _once_more(attempt).pool))
    elif rolls in (Rolls.SPLIT, Rolls.RIPOSTE):
        one, other = split_pool(attempt.pool, defence)
        pools = (("defence", one), ("riposte", other))
        if rolls is Rolls.RIPOSTE:  # there is nothing to defend against
            pools = pools[1:]
    what = f"{name}, {label(action)}, {attempt.agreed.name}"
    return RollingSide(attempt.seat, what, pools, attempt.hand, attempt.spent)


def _once_more(attempt: Attempt) -> Attempt:
    """The second roll of a Feint (duel_of_wits.feint.double_roll_against_obfuscate).

    An Aid is for one test (faith.prayer.aid_waits), and so are the dice of a failed Incite and
    those bought with artha (artha.boon.effect, artha.divine_inspiration.effect).
    """
    own = Tally(tuple(line for line in attempt.dice.lines if line.rule not in FOR_ONE_ROLL))
    return msgspec.structs.replace(attempt, dice=own, boost=())


# --- What comes of it ----------------------------------------------------------------------


def resolve(cast: ReadyVolley, throws: Throws) -> Play[Clash]:
    """Compare the successes as the row of the two actions says."""
    pair, attempts = pairing(*cast.cards), cast.attempts
    counted = (_counted(pair, 0, attempts[0], throws[0]), _counted(pair, 1, attempts[1], throws[1]))
    rolled = _rolled(cast, pair, counted, 0), _rolled(cast, pair, counted, 1)
    lead = 0
    called: CalledTraits = (None, None)
    if pair.is_versus:
        lead = rolled[0].total - rolled[1].total
        if not lead:
            lead, called = yield from _break_tie(cast, pair, throws)
    scaled = cast.has_beginner
    leads = (lead, -lead)
    losses = (
        _loss(pair.losses[0].points(*rolled, lead), scaled, attempts[0], attempts[1]),
        _loss(pair.losses[1].points(*rolled[::-1], -lead), scaled, attempts[1], attempts[0]),
    )
    after = []
    for side in (0, 1):
        for effect in pair.after[side]:
            left = effect.leaves(rolled[side], rolled[1 - side], leads[side])
            if left is None:
                continue
            what, amount = left
            inciter = attempts[1 - side]
            if what is AfterEffect.ADVANTAGE and scaled and inciter and not inciter.untrained:
                amount //= 2
            after.append((side, what, amount))
    shaken = tuple(any(each[:2] == (side, AfterEffect.STEEL) for each in after) for side in (0, 1))
    works = tuple(succeeds(pair, side, leads[side], losses, shaken) for side in (0, 1))
    return Clash(
        cards=cast.cards,
        losses=losses,
        after=tuple(after),
        counted=counted,
        stopped=_stopped(pair, lead),
        tested=(
            _tested(cast, pair, 0, throws, called[0], passed=works[0]),
            _tested(cast, pair, 1, throws, called[1], passed=works[1]),
        ),
    )


def _stopped(pair: Pairing, lead: int) -> tuple[bool, bool]:
    """Whose action has no effect this volley, because an Obfuscate beat it.

    duel_of_wits.obfuscate.win, duel_of_wits.obfuscate.stops_dismiss; an unbroken tie goes to the
    defender.
    """
    if not pair.is_versus:
        return False, False
    beaten = [lead < 0, lead > 0]
    if not lead and pair.tie_to:
        loser = 0 if pair.actions[1] == pair.tie_to else 1
        beaten[loser] = True
    return (
        beaten[0] and pair.actions[1] == "obfuscate",
        beaten[1] and pair.actions[0] == "obfuscate",
    )


def _counted(
    pair: Pairing, side: int, attempt: Attempt | None, throws: tuple[ThrownDice, ...]
) -> tuple[int, ...]:
    """The successes of each roll of a side that count, less its penalties.

    +1 Ob on a roll without obstacle removes a success, never below zero; each half of a Rebuttal
    is a roll of its own, while two rolls of a Feint have become one by then
    (duel_of_wits.amb.ob_penalty_without_obstacle). An Incite has an obstacle to raise instead,
    unless it is rolled against an Obfuscate first.
    """
    if attempt is None:
        return ()
    less = attempt.penalties.total
    if pair.actions[side] == "incite" and not pair.is_versus:
        less = 0
    return tuple([max(0, throw.successes - less) for throw in throws])


def _rolled(
    cast: ReadyVolley, pair: Pairing, counted: tuple[tuple[int, ...], ...], side: int
) -> SideSuccesses:
    """The successes and the Will of a side, as a pair asks for them.

    With Beginner's Luck in it everything but the untrained successes counts double
    (duel_of_wits.amb.beginners_luck). Will is the exponent on the sheet, whatever wounds do to the
    dice (duel_of_wits.amb.body_and_wounds).
    """
    scaled, attempt, other = cast.has_beginner, cast.attempts[side], cast.attempts[1 - side]
    unit = 2 if scaled and not (attempt is not None and attempt.untrained) else 1
    will = cast.wills[side] * (2 if scaled else 1)
    if pair.actions[1 - side] == "incite" and not pair.is_versus and other is not None:
        # Penalties come after the doubling (tests.beginner.modifiers_after_doubling).
        will += other.penalties.total * (2 if scaled and not other.untrained else 1)
    mine = [unit * successes for successes in counted[side]]
    if pair.rolls[side] not in (Rolls.SPLIT, Rolls.RIPOSTE):
        return SideSuccesses(successes=sum(mine), will=will)
    return SideSuccesses(
        defence=mine[0] if len(mine) > 1 else 0,
        riposte=mine[-1] if _may_riposte(cast, side) else 0,
        will=will,
    )


def _may_riposte(cast: ReadyVolley, side: int) -> bool:
    """Without an attack to answer there may be no riposte, by house rule.

    duel_of_wits.amb.rebuttal_without_attack.
    """
    unprovoked = cast.cards[1 - side] in ("incite", "rebuttal", NOTHING)
    return not (unprovoked and cast.riposte_needs_attack)


def _loss(loss: int, scaled: bool, mine: Attempt | None, attack: Attempt | None) -> int:
    """What a body loses; half successes are always rounded against the untrained side."""
    if not scaled:
        return loss
    against_me = mine is not None and mine.untrained and attack is not None and not attack.untrained
    return -(-loss // 2) if against_me else loss // 2


def _break_tie(cast: ReadyVolley, pair: Pairing, throws: Throws) -> Step[tuple[int, CalledTraits]]:
    """Who is ahead in a tied versus test: a side that calls on a trait; two calls cancel out.

    duel_of_wits.amb.obfuscate_win_or_exceed: an unbroken tie goes to the defender, or by house
    rule to the victim of an Obfuscate. In the later edition a trait breaks only a tie in which
    nobody defends (gold.result.tie_call_on).
    """
    called: list[str | None] = [None, None]
    for side in (0, 1):
        attempt = cast.attempts[side]
        if attempt is None or (pair.tie_to and cast.defender_keeps_ties):
            continue
        used = [trait for throw in throws[side] for trait in throw.called]
        able = [trait for trait in attempt.hand.tie_breakers if trait not in used]
        if not able:
            continue
        rule = "beliefs.trait.call_on.break_tie"
        or_not = "tests.versus.tie_accept_or_trait"
        accept = Option(key="accept", label="Accept the tie", rule=or_not)
        traits = tuple(Option(key=t, label=f"Call on {t}", rule=rule) for t in able)
        choice = yield from choose(
            attempt.seat,
            "break_tie",
            "The versus test is tied. Call on a trait?",
            (accept, *traits),
            default="accept",
            because=or_not,
        )
        if choice != "accept" and (yield from applies(attempt.hand, choice)):
            called[side] = choice
    calls = (called[0], called[1])
    if bool(called[0]) != bool(called[1]):
        return (1 if called[0] else -1), calls
    if pair.tie_to == "obfuscate" and cast.tie_to_victim:
        return (1 if pair.actions[1] == "obfuscate" else -1), calls
    return 0, calls


def _tested(
    cast: ReadyVolley,
    pair: Pairing,
    side: int,
    throws: Throws,
    called: str | None,
    *,
    passed: bool,
) -> LoggedRoll | None:
    """The roll of a side as it is logged, with the trait that it called on for a tie."""
    attempt = cast.attempts[side]
    if attempt is None:
        return None
    throw = merged(throws[side])
    if called:
        throw = msgspec.structs.replace(throw, called=(*throw.called, called))
    generated = tuple([throw.successes for throw in throws[1 - side]])
    against, is_open = obstacle_logged(pair, side, generated, cast.wills[1 - side])
    return LoggedRoll(attempt, throw, against, is_open, passed)
