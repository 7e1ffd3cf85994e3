"""Duel of Wits: two speakers before an audience, with words for weapons.

Read it beside the chapter; the order is the book's (duel_of_wits.setup.order_of_steps). A duel is
offered and accepted, the cases are stated, the bodies of argument established and the terms
agreed (``conflicts/duel_of_wits/challenge``,
``conflicts/duel_of_wits/bodies``); then come exchanges of three volleys, each side
with a secret script (``conflicts/scripting``); what two actions do to each
other is in ``conflicts/duel_of_wits/volley`` and its table, and how it all ends in
``conflicts/duel_of_wits/outcome``.

What is lost of the book is not made up here: duels in which the audience decides are the GM's
ruling, by option, and unscripted group duels are not there at all
(duel_of_wits.amb.lost_audience_decides, duel_of_wits.amb.lost_unscripted_group_duels).
"""

from __future__ import annotations

from functools import cache, lru_cache

import msgspec

from astragal.errors import BadInput
from astragal.games.burning_wheel.advancement.log import begin_series, end_series
from astragal.games.burning_wheel.artha.spending import pay
from astragal.games.burning_wheel.conditions.hesitation import RUN, SWOON, out_of_action
from astragal.games.burning_wheel.conflicts.duel_of_wits.actions import (
    OTHER,
    Debate,
    Speaker,
    cards,
)
from astragal.games.burning_wheel.conflicts.duel_of_wits.bodies import choose_method, establish
from astragal.games.burning_wheel.conflicts.duel_of_wits.challenge import (
    ACCEPT,
    FIGHT,
    Side,
    agree_terms,
    choose_skill,
    fall_silent,
    may_be_argued,
    offer,
    out_of_reach,
    state_cases,
)
from astragal.games.burning_wheel.conflicts.duel_of_wits.matrix import (
    NOTHING,
    After,
    When,
    pairing,
    rules_of,
)
from astragal.games.burning_wheel.conflicts.duel_of_wits.matrix_in_words import met, readings
from astragal.games.burning_wheel.conflicts.duel_of_wits.outcome import settle
from astragal.games.burning_wheel.conflicts.duel_of_wits.state import (
    Duel,
    DuelOutcome,
    Settled,
    bars,
    closed,
    is_over,
)
from astragal.games.burning_wheel.conflicts.duel_of_wits.volley import Clash, volley
from astragal.games.burning_wheel.conflicts.scripting import (
    Carried,
    Conflict,
    Until,
    Volley,
    Writer,
    carry,
    due,
    exchange,
    left_over,
)
from astragal.games.burning_wheel.sheet.scene import BurningTable
from astragal.games.burning_wheel.sheet.sheet import Sheet
from astragal.games.burning_wheel.steel.dice_and_hesitation import Cause, SteelTest
from astragal.games.burning_wheel.steel.steel import nerves_tried
from astragal.games.burning_wheel.tests.attempts import after_test
from astragal.games.burning_wheel.tests.intent import LONGEST_WORDS
from astragal.games.game import Arguments, Procedure
from astragal.play import (
    GM,
    Fact,
    Line,
    Noted,
    Option,
    Play,
    Step,
    Text,
    ask,
    call,
    choose,
    confirm,
    tell,
    then,
)
from astragal.rules import Options


class DuelOfWits(Arguments, frozen=True):
    """What is argued, by whom, and before whom.

    Exactly two sides (duel_of_wits.amb.more_than_two_sides), each with one speaker and any
    number of helpers; ``onlookers`` are the audience, by name. ``from_fight`` says that a fight
    passes into it. A ``rehearsal`` is a duel for practice: no test is marked and nothing rides.
    """

    about: str
    sides: tuple[Side, ...]
    onlookers: tuple[str, ...] = ()
    from_fight: bool = False
    rehearsal: bool = False


def duel_of_wits(arguments: DuelOfWits, table: BurningTable) -> Play[DuelOutcome]:
    """From the challenge to the last word (duel_of_wits.setup.order_of_steps)."""
    outcome, _ = yield from call(argue, arguments, table)
    return outcome


def argue(arguments: DuelOfWits, table: BurningTable) -> Play[Settled]:
    """The whole duel, for whoever goes on with the table after it."""
    challenged: Step[Duel | Settled] = call(challenge, arguments, table)
    duel = yield from challenged
    if not isinstance(duel, Duel):
        return duel
    # Whoever still hesitates loses the first volley by it (steel.amb.hesitation_beyond_conflict).
    names = (speaker.character for speaker in duel.debate.speakers)
    owed = tuple(int(out_of_action(duel.table, name)) for name in names)
    return then(exchange, CONFLICT, duel, 1, owed)


def challenge(arguments: DuelOfWits, table: BurningTable) -> Play[Duel | Settled]:
    """All that comes before the first script: a duel ready to begin, or what became of it."""
    sides, names = _checked(arguments, table)
    about = arguments.about.strip()
    table = yield from may_be_argued(about, names, table)
    if arguments.from_fight:
        yield from out_of_reach(names, table)
    said, who = yield from offer(about, names, table)
    if said == FIGHT:
        text = f"{table.character(who).name} draws: on to Fight!."
        yield from tell(Noted(text, "duel_of_wits.link.follows_fight"))
        return DuelOutcome("fight", names), table
    if said != ACCEPT:
        table = yield from fall_silent(table, who, about)
        return DuelOutcome("walked_away", names), table
    yield from state_cases(sides, table)
    one = yield from choose_skill(sides[0], "sides[0]", table)
    other = yield from choose_skill(sides[1], "sides[1]", table)
    debate = Debate(
        about,
        (Speaker(names[0], one, sides[0].helpers), Speaker(names[1], other, sides[1].helpers)),
    )
    # One test for each ability, however often it is rolled (advancement.series.one_test).
    series = "" if arguments.rehearsal else f"Duel of Wits: {about}"
    if series:
        table = yield from begin_series(table, series, _everybody(debate))
    method = yield from choose_method(debate, table)
    bodies, table = yield from establish(debate, method, series, unmarked(table), table)
    terms = yield from agree_terms(sides, table)
    if isinstance(terms, str):
        # What was rolled for the bodies stays earned (duel_of_wits.amb.terms_after_bodies).
        if series:
            table = yield from end_series(table, series)
        table = yield from fall_silent(table, terms, about)
        return DuelOutcome("walked_away", names), table
    return Duel(debate, terms, arguments.onlookers, series, bodies, bodies, table)


def _checked(
    arguments: DuelOfWits, table: BurningTable
) -> tuple[tuple[Side, Side], tuple[str, str]]:
    """Two willing sides, everybody in the duel only once, with the numbers it takes.

    duel_of_wits.setup.two_willing_sides.
    """
    if not 1 <= len(arguments.about.strip()) <= LONGEST_WORDS:
        expected = f"what is argued about, in at most {LONGEST_WORDS} characters"
        raise BadInput("about", arguments.about, expected, "duel_of_wits.setup.offer")
    if len(arguments.sides) != 2:
        expected = "exactly two; a quarrel of three is several duels"
        rule = "duel_of_wits.amb.more_than_two_sides"
        raise BadInput("sides", len(arguments.sides), expected, rule)
    one, other = arguments.sides
    seen: list[str] = []
    for at, side in enumerate(arguments.sides):
        for place, name in (
            (f"sides[{at}].character", side.character),
            *((f"sides[{at}].helpers[{i}]", helper) for i, helper in enumerate(side.helpers)),
        ):
            table.character(name, place)
            if name in seen:
                rule = "duel_of_wits.setup.two_willing_sides"
                raise BadInput(place, name, "somebody who is not yet in this duel", rule)
            seen.append(name)
        sheet = table.character(side.character)
        sheet.ability("Will", f"{side.character}.stats.Will")
        # Whoever loses has to test it (duel_of_wits.lose.steel_test).
        sheet.ability("Steel", f"{side.character}.attributes.Steel")
    return (one, other), (one.character, other.character)


def _everybody(debate: Debate) -> tuple[str, ...]:
    return tuple(
        name for speaker in debate.speakers for name in (speaker.character, *speaker.helpers)
    )


def unmarked(table: BurningTable) -> BurningTable:
    """The table as a volley looks at it: without the tests marked so far, which change nothing."""
    if not table.scene.series:
        return table
    replace = msgspec.structs.replace
    return replace(table, scene=replace(table.scene, series=()))


# --- The exchange --------------------------------------------------------------------------


def writers(duel: Duel) -> tuple[Writer, ...]:
    """Each speaker scripts three actions, one for each volley.

    duel_of_wits.exchange.three_actions, duel_of_wits.group.primary.
    """
    table = duel.table
    return tuple(
        [_writer(s, table.character(s.character), table.options) for s in duel.debate.speakers]
    )


@lru_cache(256)
def _writer(speaker: Speaker, sheet: Sheet, options: Options) -> Writer:
    return Writer(sheet.seat(speaker.character), sheet.name, cards(speaker, sheet, options))


def opening(duel: Duel, number: int) -> Step[Duel]:
    """Before a further exchange a side may concede, and at some tables the GM may rule.

    duel_of_wits.exchange.repeat: it goes on without limit. A side that concedes has lost, its
    body taken as zero (duel_of_wits.amb.walk_away_mid_duel).
    """
    duel = msgspec.structs.replace(duel, exchanges=number)
    if number == 1:
        return duel
    for side in (0, 1):
        concedes = yield from confirm(
            duel.seat(side),
            "concede",
            f"{duel.name(side)} has {duel.bodies[side]} left. Concede?",
            default=False,
            because="duel_of_wits.amb.walk_away_mid_duel",
        )
        if concedes:
            yield from tell(
                Noted(f"{duel.name(side)} concedes.", "duel_of_wits.amb.walk_away_mid_duel")
            )
            return _with_body(duel, side, 0)
    if duel.table.options["duel_of_wits_audience_decides"] == "on":
        return (yield from _audience(duel))
    return duel


def _audience(duel: Duel) -> Step[Duel]:
    """The book's own rule is lost; the GM records whom the audience is with.

    duel_of_wits.amb.lost_audience_decides.
    """
    rule = "duel_of_wits.amb.lost_audience_decides"
    names = [speaker.character for speaker in duel.debate.speakers]
    options = (
        Option(key="go_on", label="It is still open", rule=rule),
        *(Option(key=n, label=duel.name(side), rule=rule) for side, n in enumerate(names)),
    )
    said = yield from choose(
        GM,
        "audience_decides",
        "Has the audience made up its mind? (The rule for this is lost; it is your ruling.)",
        options,
        default="go_on",
        because=rule,
    )
    if said == "go_on":
        return duel
    return msgspec.structs.replace(duel, ruled=names.index(said))


def _with_body(duel: Duel, side: int, body: int) -> Duel:
    bodies = (body, duel.bodies[1]) if side == 0 else (duel.bodies[0], body)
    return msgspec.structs.replace(duel, bodies=bodies)


# --- The volley ----------------------------------------------------------------------------


class Swayed(Fact, frozen=True, tag="swayed"):
    """What a volley did to the bodies of argument."""

    names: tuple[str, str]
    successes: tuple[tuple[int, ...], tuple[int, ...]]
    actions: tuple[str, str]
    losses: tuple[int, int]
    bodies: tuple[int, int]
    started: tuple[int, int]
    stopped: tuple[bool, bool]
    rules: tuple[str, ...] = ()

    def sentence(self) -> str:
        """Who loses how much, and where that leaves both."""
        said = []
        for side in (0, 1):
            if self.stopped[side]:
                said.append(f"{self.names[side]} is talked down")
            if self.losses[side]:
                said.append(f"{self.names[side]} loses {self.losses[side]}")
        if not any(self.losses):
            said.append("nobody loses ground")
        left = ", ".join(f"{n} {b}" for n, b in zip(self.names, self.bodies, strict=True))
        text = "; ".join(said)
        return f"{text[0].upper()}{text[1:]}. Left: {left}."

    @property
    def bars(self) -> tuple[tuple[str, int, int], ...]:
        """Where both bodies stand now."""
        return bars(self.names, self.bodies, self.started)


def play(duel: Duel, shown: Volley) -> Step[tuple[Duel, tuple[int, ...]]]:
    """Play one volley to its end: what it does now, and what it leaves for later.

    Both actions are spoken and resolved before the next volley is shown
    (duel_of_wits.exchange.reveal_by_volley). The result is the duel after it and how many coming
    volleys each side has lost.
    """
    names = (duel.name(0), duel.name(1))
    spoken = tuple([c[0] if c and c[0] != OTHER else NOTHING for c in shown.cards])
    yield from tell(met(names, (spoken[0], spoken[1]), readings(duel.table.options)))
    one = yield from _verbal(duel, 0, shown.cards[0])
    other = yield from _verbal(duel, 1, shown.cards[1])
    played = (one, other)
    # +1 Ob and +1D are used up by an action, rolled or not, advantage dice by a roll, in this
    # exchange or a later one (duel_of_wits.amb.modifier_on_lost_action).
    pair = pairing(*played)
    used = due(duel.carried, pair.acts, pair.rolling)
    clash = yield from call(volley, duel.debate, played, used, unmarked(duel.table))
    table = yield from _log(clash, duel)
    # Losses are counted only now, for both at once, and may go below zero
    # (duel_of_wits.exchange.simultaneous, duel_of_wits.amb.below_zero).
    bodies = (duel.bodies[0] - clash.losses[0], duel.bodies[1] - clash.losses[1])
    if any(played):
        yield from tell(
            Swayed(
                names,
                clash.counted,
                played,
                clash.losses,
                bodies,
                duel.started,
                clash.stopped,
                rules_of(*played),
            )
        )
    duel = msgspec.structs.replace(
        duel,
        bodies=bodies,
        table=table,
        carried=_carry(duel.carried, clash),
        volleys=duel.volleys + 1,
    )
    if is_over(duel):  # nothing is left to be lost (duel_of_wits.amb.dismiss_tie)
        return duel, (0, 0)
    return (yield from aftermath(duel, clash))


def _verbal(duel: Duel, side: int, scripted: tuple[str, ...]) -> Step[str]:
    """The verbal action of a side; something else in its place is no defence.

    duel_of_wits.amb.other_acts_in_a_volley.
    """
    action = scripted[0] if scripted else NOTHING
    if action != OTHER:
        return action
    rule = "duel_of_wits.amb.other_acts_in_a_volley"
    act = yield from ask(
        duel.seat(side),
        "other_act",
        f"{duel.name(side)}: what do you do instead of speaking?",
        Text(required=True),
        because=rule,
    )
    yield from tell(Noted(f"{duel.name(side)}, instead of speaking: {closed(act)}", rule))
    return NOTHING


def _log(clash: Clash, duel: Duel) -> Step[BurningTable]:
    """Pay for what was used on the rolls, and mark them (duel_of_wits.amb.advancement)."""
    table = duel.table
    for tested in clash.tested:
        if tested is None:
            continue
        attempt, against = tested.attempt, max(1, tested.against)
        if not duel.series:
            agreed = attempt.agreed
            table = yield from pay(table, agreed.character, agreed.tested, tested.throw)
            continue
        table, _ = yield from after_test(
            attempt,
            tested.throw,
            against if tested.is_open else against + attempt.penalties.total,
            table,
            passed=True,
            base=against,
            is_open=tested.is_open,
        )
    return table


_WAITS = {
    After.ADVANTAGE: ("a failed Incite", "duel_of_wits.incite.failure"),
    After.OBSTACLE: ("confused by Obfuscate", "duel_of_wits.obfuscate.exceed"),
    After.DIE: ("a lost Obfuscate", "duel_of_wits.obfuscate.lose"),
}


@cache
def _until(after: After) -> Until:
    """Whether an effect waits for the next action or for the next roll."""
    return {When.NEXT_ACTION: Until.ACTION, When.NEXT_TEST: Until.ROLL}[after.when]


def _carry(carried: tuple[Carried, ...], clash: Clash) -> tuple[Carried, ...]:
    """What waits for a later volley, after this one (duel_of_wits.amb.modifier_on_lost_action)."""
    pair = pairing(*clash.cards)
    left = left_over(carried, pair.acts, pair.rolling) if carried else ()
    for side, after, amount in clash.after:
        if after in _WAITS and amount:
            why, rule = _WAITS[after]
            line = Line(amount, why, rule)
            left = carry(left, Carried(side, _until(after), line, after is After.OBSTACLE))
    return left


def aftermath(duel: Duel, clash: Clash) -> Step[tuple[Duel, tuple[int, ...]]]:
    """Tell what follows later, and test the nerves of whoever was incited.

    A Dismiss that did not win costs its speaker the very next volley
    (duel_of_wits.dismiss.hesitate_if_not_won, duel_of_wits.dismiss.hesitate_placement), and so
    does a Steel test failed to an Incite (duel_of_wits.incite.hesitation), whatever its margin
    (duel_of_wits.amb.incite_hesitation_length); both fall on the same volley
    (duel_of_wits.amb.lost_volleys_overlap).
    """
    lost = [0, 0]
    for side, after, amount in clash.after:
        name = duel.name(side)
        if after is After.STEEL:
            duel, steady = yield from _incited(duel, side)
            if steady:
                continue
        if after in (After.STEEL, After.HESITATES):
            lost[side] = 1
            rule = (
                "duel_of_wits.incite.hesitation"
                if after is After.STEEL
                else "duel_of_wits.dismiss.hesitate_if_not_won"
            )
            yield from tell(Noted(f"{name} loses the next volley.", rule))
        elif amount:
            what = f"+{amount} Ob" if after is After.OBSTACLE else f"+{amount}D"
            text = f"{name} has {what} on the {_until(after).value}."
            yield from tell(Noted(text, _WAITS[after][1]))
    return duel, (lost[0], lost[1])


def _incited(duel: Duel, victim: int) -> Step[tuple[Duel, bool]]:
    """The insulted side tests Steel at plain hesitation (duel_of_wits.incite.success).

    duel_of_wits.amb.incite_steel_modifiers. Whoever would leave the scene carries on after the
    lost volley, or concedes, as the table has it (duel_of_wits.amb.incite_reaction).
    """
    table = duel.table
    test = SteelTest(
        character=duel.debate.speakers[victim].character,
        cause=Cause.FEAR,
        source=f"an insult by {duel.name(1 - victim)}",
        forced_by="duel_of_wits.incite.success",
        plain=table.options["duel_of_wits_incite_steel"] == "plain_hesitation",
        in_script=True,
    )
    outcome, table = yield from call(nerves_tried, test, table)
    duel = msgspec.structs.replace(duel, table=table)
    leaves = outcome.reaction in (RUN, SWOON)
    if leaves and table.options["duel_of_wits_flight_after_incite"] == "concedes":
        text = f"{duel.name(victim)} is gone, and has conceded."
        yield from tell(Noted(text, "duel_of_wits.amb.incite_reaction"))
        duel = _with_body(duel, victim, min(0, duel.bodies[victim]))
    return duel, outcome.passed


CONFLICT: Conflict[Duel, Settled] = Conflict(
    writers=writers,
    volley=play,
    is_over=is_over,
    end=settle,
    written="duel_of_wits.exchange.script_in_advance",
    shown="duel_of_wits.exchange.reveal_by_volley",
    opening=opening,
)


PROCEDURES = (Procedure("duel_of_wits", "A Duel of Wits", DuelOfWits, duel_of_wits, frequent=3),)
