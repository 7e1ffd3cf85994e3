"""How a Duel of Wits ends: victory and its price, defeat and its shock, ties, honour.

A section of the chapter on the Duel of Wits (``conflicts/duel_of_wits/duel``). A result
compels outward agreement and conduct for now; nothing here changes what a character believes
(duel_of_wits.purpose.no_belief_change).
"""

from __future__ import annotations

from astragal.games.about import listed
from astragal.play import Play, Step, call, choose, confirm, note, tell, then

from ...advancement.log import end_series
from ...sheet.scene import BurningTable, Ride
from ...steel.dice_and_hesitation import Cause, SteelTest
from ...steel.steel import nerves_tried
from ...tests.let_it_ride import let_it_ride
from ...tests.results import always_shared, share
from .challenge import ABILITY
from .compromise import compromise, escalate, honour, is_near, price_of, tied
from .state import Duel, DuelResult, closed, concluded, outcome


def settle(duel: Duel) -> Play[DuelResult]:
    """A tie if both are at zero or less; if not, the side with points left has won.

    duel_of_wits.tie.condition, duel_of_wits.win.condition.
    """
    if duel.ruled is not None:
        text = f"The GM rules that the audience sides with {duel.name(duel.ruled)}."
        yield from note(text, "duel_of_wits.amb.lost_audience_decides")
        return then(won, duel, duel.ruled)
    if max(duel.bodies) <= 0:
        return then(tied, duel)
    return then(won, duel, 0 if duel.bodies[0] > 0 else 1)


# --- Winning and losing --------------------------------------------------------------------


def won(duel: Duel, winner: int) -> Play[DuelResult]:
    """The winner's terms bind everyone concerned, less a concession for points lost."""
    loser = 1 - winner
    victor, beaten = duel.name(winner), duel.name(loser)
    terms = duel.terms[winner].wins
    yield from note(f"{victor} wins the Duel of Wits.", "duel_of_wits.win.condition")
    # duel_of_wits.win.audience_convinced
    present = listed(duel.onlookers) or "the audience"
    text = f"{victor} convinces {present}, whatever {beaten} thinks."
    yield from note(text, "duel_of_wits.win.audience_convinced")
    text = f"{beaten} abides by it for now: {closed(duel.terms[loser].loses)}"
    yield from note(text, "duel_of_wits.lose.abide")
    helpers = duel.debate.speakers[loser].helpers
    if helpers and always_shared(duel.table):  # duel_of_wits.purpose.let_it_ride: it has failed
        yield from share(helpers, duel.table)
    table, heartbeats = yield from _shock(duel, loser, duel.table)
    window = ""
    if heartbeats:
        window = yield from _window(duel, winner, loser)
    level, granted, agreed = yield from compromise(duel, winner, terms)
    price = price_of(victor, level, granted)
    yield from tell(concluded(duel, winner, terms, price, "duel_of_wits.win.terms_bind_all"))
    persuaded = yield from _persuaded(duel, loser)
    satisfaction = yield from honour(duel, winner, loser)
    escalated = ""
    if (yield from is_near(duel, level, agreed)):
        escalated = yield from escalate(duel)
    if duel.series:
        table = yield from _ride(duel, winner, table)
        table = yield from end_series(table, duel.series)
    result = outcome(
        duel,
        "won",
        winner=winner,
        terms=terms,
        concession=level,
        compromise=granted,
        heartbeats=heartbeats,
        window=window,
        persuaded=persuaded,
        satisfaction=satisfaction,
        escalated=escalated,
    )
    return result, table


def _shock(duel: Duel, loser: int, table: BurningTable) -> Step[tuple[BurningTable, int]]:
    """The loser tests Steel at once; every point below zero makes it harder.

    duel_of_wits.lose.steel_test, duel_of_wits.lose.steel_obstacle. Helpers only by house rule
    (duel_of_wits.amb.steel_after_tie).
    """
    speaker = duel.debate.speakers[loser]
    shaken: tuple[str, ...] = (speaker.character,)
    if table.options["duel_of_wits_losing_helpers_test_steel"] == "yes":
        shaken += speaker.helpers
    below = max(0, -duel.bodies[loser])
    longest = 0
    for character in shaken:
        source = _new_source(table, character, f"defeat in a Duel of Wits: {duel.debate.about}")
        test = SteelTest(
            character=character,
            cause=Cause.FEAR,
            source=source,
            forced_by="duel_of_wits.lose.steel_obstacle",
            added=below,
        )
        outcome, table = yield from call(nerves_tried, test, table)
        if character == speaker.character:
            longest = outcome.heartbeats
    return table, longest


def _new_source(table: BurningTable, character: str, source: str) -> str:
    """Every defeat is a new source of fear, even in the same matter."""
    before = [ride.intent for ride in table.scene.rides if ride.character == character]
    before += [each.source for each in table.scene.shaken if each.character == character]
    same = sum(each == source or each.startswith(f"{source} (") for each in before)
    return f"{source} ({same + 1})" if same else source


def _window(duel: Duel, winner: int, loser: int) -> Step[str]:
    """What the winner does while the loser hesitates.

    duel_of_wits.lose.hesitation_window.
    """
    rule = "duel_of_wits.lose.hesitation_window"
    options = {
        "nothing": "Nothing",
        "gloat": "Gloat",
        "final_blow": "Final verbal blow",
        "attack": "Attack",
    }
    chosen = yield from choose(
        duel.seat(winner),
        "window",
        f"{duel.name(loser)} hesitates. What does {duel.name(winner)} do?",
        options,
        default="nothing",
        because=rule,
        kind=duel.kind(winner),
    )
    if chosen != "nothing":
        text = f"{duel.name(winner)}, while {duel.name(loser)} hesitates: {options[chosen]}."
        yield from note(text, rule)
    return chosen


def _persuaded(duel: Duel, loser: int) -> Step[bool]:
    """Only the player may let the character be persuaded.

    duel_of_wits.purpose.no_belief_change.
    """
    rule = "duel_of_wits.purpose.no_belief_change"
    name = duel.name(loser)
    persuaded = yield from confirm(
        duel.seat(loser),
        "persuaded",
        f"Is {name} really persuaded? (Your choice as player.)",
        default=False,
        because=rule,
        kind=duel.kind(loser),
    )
    if persuaded:
        yield from note(f"{name} is persuaded, by the player's choice.", rule)
    return persuaded


def _ride(duel: Duel, winner: int, table: BurningTable) -> Step[BurningTable]:
    """A duel that is lost is a failed test, and rides until circumstances change.

    duel_of_wits.purpose.let_it_ride.
    """
    for side, speaker in enumerate(duel.debate.speakers):
        left = max(0, duel.bodies[side])
        passed = side == winner
        new = Ride(speaker.character, ABILITY, duel.debate.about, left, passed)
        table = yield from let_it_ride(table, new)
    text = f"{duel.name(1 - winner)} may raise it again on another occasion."
    yield from note(text, "duel_of_wits.purpose.loser_may_try_again_later")
    return table
