"""Duel of Wits: two speakers before an audience argue over terms.

Read it beside the chapter; the order is the book's (duel_of_wits.setup.order_of_steps). A duel is
offered and accepted, the cases are stated, the bodies of argument established and the terms
agreed (``conflicts/duel_of_wits/challenge``, ``conflicts/duel_of_wits/bodies``); then come
exchanges of three volleys, each side with a secret script (``conflicts/scripting``,
``conflicts/duel_of_wits/exchange``); what two actions do to each other is in
``conflicts/duel_of_wits/volley`` and its table, and the end in ``conflicts/duel_of_wits/outcome``.

Rules that are lost from the book are not invented here: duels in which the audience decides are
the GM's ruling, by option, and there are no unscripted group duels
(duel_of_wits.amb.lost_audience_decides, duel_of_wits.amb.lost_unscripted_group_duels).
"""

from __future__ import annotations

from astragal.errors import BadInput
from astragal.games.game import Arguments, Procedure
from astragal.play import Play, Step, call, note, rehearse, then

from ...advancement.log import begin_series, end_series
from ...conditions.hesitation import out_of_action
from ...sheet.scene import BurningTable
from ...tests.intent import LONGEST_WORDS
from ...tests.partial_records import complete, supposed
from ..scripting import exchange
from .actions import Debate, Speaker
from .bodies import choose_method, establish
from .challenge import (
    ACCEPT,
    FIGHT,
    DuelSide,
    agree_terms,
    choose_skill,
    fall_silent,
    may_be_argued,
    offer,
    out_of_reach,
    possible_skills,
    state_cases,
)
from .exchange import CONFLICT, unmarked
from .state import Duel, DuelOutcome, DuelResult

NEEDED = ("Will", "Steel")
"""What a speaker has to have (duel_of_wits.lose.steel_test)."""


class DuelOfWits(Arguments, frozen=True):
    """What is argued, by whom, and before whom.

    Exactly two sides (duel_of_wits.amb.more_than_two_sides), each with one speaker and any
    number of helpers; ``onlookers`` are the audience, by name. ``from_fight`` says that it
    interrupts a fight. A ``rehearsal`` is a duel for practice: it changes nothing.
    """

    about: str
    sides: tuple[DuelSide, ...]
    onlookers: tuple[str, ...] = ()
    from_fight: bool = False
    rehearsal: bool = False


def duel_of_wits(arguments: DuelOfWits, table: BurningTable) -> Play[DuelOutcome]:
    """From the challenge to the last word (duel_of_wits.setup.order_of_steps)."""
    whole = rehearse(argue) if arguments.rehearsal else argue
    outcome, _ = yield from call(whole, arguments, table)
    return outcome


def argue(arguments: DuelOfWits, table: BurningTable) -> Play[DuelResult]:
    """The whole duel, with the table after it."""
    challenged: Step[Duel | DuelResult] = call(challenge, arguments, table)
    duel = yield from challenged
    if not isinstance(duel, Duel):
        return duel
    # A speaker who still hesitates loses the first volley (steel.amb.hesitation_beyond_conflict).
    names = (speaker.character for speaker in duel.debate.speakers)
    owed = tuple(int(out_of_action(duel.table, name)) for name in names)
    return then(exchange, CONFLICT, duel, 1, owed)


def challenge(arguments: DuelOfWits, table: BurningTable) -> Play[Duel | DuelResult]:
    """All that comes before the first script: a duel ready to begin, or how it was avoided."""
    those = _who_tests_steel(arguments, table)
    sides, names = _checked(arguments, supposed(table, those, NEEDED))
    table = yield from complete(table, those, NEEDED)
    about = arguments.about.strip()
    table = yield from may_be_argued(about, names, table)
    if arguments.from_fight:
        yield from out_of_reach(names, table)
    said, who = yield from offer(about, names, table)
    if said == FIGHT:
        text = f"{table.character(who).name} draws steel: go on with a Fight!"
        yield from note(text, "duel_of_wits.link.follows_fight")
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
) -> tuple[tuple[DuelSide, DuelSide], tuple[str, str]]:
    """Refuse all but two sides, with each character in the duel only once.

    duel_of_wits.setup.two_willing_sides.
    """
    if not 1 <= len(arguments.about.strip()) <= LONGEST_WORDS:
        expected = f"what the argument is about, in at most {LONGEST_WORDS} characters"
        raise BadInput("about", arguments.about, expected, "duel_of_wits.setup.offer")
    if len(arguments.sides) != 2:
        expected = "exactly two sides; play several duels for more"
        rule = "duel_of_wits.amb.more_than_two_sides"
        raise BadInput("sides", len(arguments.sides), expected, rule)
    one, other = arguments.sides
    shaken = _who_tests_steel(arguments, table)
    seen: list[str] = []
    for at, side in enumerate(arguments.sides):
        for place, name in (
            (f"sides[{at}].character", side.character),
            *((f"sides[{at}].helpers[{i}]", helper) for i, helper in enumerate(side.helpers)),
        ):
            table.character(name, place)
            if name in seen:
                rule = "duel_of_wits.setup.two_willing_sides"
                raise BadInput(place, name, "a character who is not yet in this duel", rule)
            seen.append(name)
        table.character(side.character).ability("Will", f"{side.character}.stats.Will")
        possible_skills(side, f"sides[{at}]", table)
        for name in (side.character, *side.helpers):
            sheet = table.character(name)
            if name in shaken and sheet.find("Steel") is None:
                expected = f"a Steel on the sheet of {sheet.name}, because the loser tests it"
                rule = "duel_of_wits.lose.steel_test"
                raise BadInput(f"{name}.attributes.Steel", "none", expected, rule)
    return (one, other), (one.character, other.character)


def _who_tests_steel(arguments: DuelOfWits, table: BurningTable) -> tuple[str, ...]:
    """Who may have to test Steel: the speakers, and by house rule their helpers.

    duel_of_wits.lose.steel_test.
    """
    helpers_too = table.options["duel_of_wits_losing_helpers_test_steel"] == "yes"
    return tuple(
        name
        for side in arguments.sides
        for name in (side.character, *(side.helpers if helpers_too else ()))
    )


def _everybody(debate: Debate) -> tuple[str, ...]:
    return tuple(
        name for speaker in debate.speakers for name in (speaker.character, *speaker.helpers)
    )


PROCEDURES = (Procedure("duel_of_wits", "Duel of Wits", DuelOfWits, duel_of_wits, frequent=3),)
