"""Compromise: concessions by the winner, middle ground after a tie, and besmirched honour.

A section of the chapter on the Duel of Wits (``conflicts/duel_of_wits/duel``).
"""

from __future__ import annotations

from functools import cache

from astragal.play import GM, Option, Play, Step, Text, ask, choose, confirm_aside, note, tell
from astragal.rules import catalogue

from ...advancement.log import end_series
from ...tests.let_it_ride import same_intent
from .state import AS_AGREED, Duel, DuelResult, closed, concluded, outcome

# --- Compromise ----------------------------------------------------------------------------

NO_CONCESSION = "none"
MAJOR = "major"


@cache
def concessions() -> tuple[str, ...]:
    """The sizes of a concession.

    >>> concessions()
    ('none', 'very_minor', 'a_genuine_concession', 'major')
    """
    sizes = catalogue().table("duel_of_wits.table.compromise").column("concession_code")
    return tuple(str(size) for size in sizes if size != "not_a_winner")


def _words(key: str) -> str:
    return key.replace("_", " ")


@cache
def concession(started: int, left: int) -> str:
    """What a winner owes the loser, by what is left of the winner's body.

    duel_of_wits.compromise.unconditional, duel_of_wits.compromise.minor,
    duel_of_wits.compromise.fair, duel_of_wits.compromise.major;
    duel_of_wits.amb.compromise_thresholds, against the full body at the first volley
    (duel_of_wits.amb.starting_value_for_compromise).

    >>> concession(14, 14), concession(14, 9), concession(14, 7), concession(14, 4)
    ('none', 'very_minor', 'a_genuine_concession', 'major')
    """
    half = -(-started // 2)
    if left <= 0:
        code = "none"
    elif left == started:
        code = "all"
    elif left == half:
        code = "half"
    else:
        code = "above_half" if left > half else "below_half"
    row = catalogue().table("duel_of_wits.table.compromise").where(left_code=code)
    return row.text("concession_code")


def compromise(duel: Duel, winner: int, terms: str) -> Step[tuple[str, str, bool]]:
    """A winner who lost points owes a concession; the players settle what it is.

    duel_of_wits.compromise.required_on_any_loss, duel_of_wits.compromise.agreed_by_players. The
    size is a suggestion. The result is the size, the words, and whether they were accepted.
    """
    owed = concession(duel.started[winner], duel.bodies[winner])
    if owed == NO_CONCESSION:
        return owed, "", True
    sizes = {key: _words(key).capitalize() for key in concessions() if key != NO_CONCESSION}
    before, after = duel.started[winner], duel.bodies[winner]
    size = yield from choose(
        GM,
        "concession_size",
        f"Size of {duel.name(winner)}'s concession (Body of Argument {after} of {before})",
        sizes,
        default=owed,
        because="duel_of_wits.amb.compromise_thresholds",
        kind="aside",
    )
    agreed = "duel_of_wits.compromise.agreed_by_players"
    answers = {"accept": "Accept", "another": "Ask for another", "none": "No compromise"}
    while True:
        offer = yield from ask(
            duel.seat(winner),
            "concession",
            f"{duel.name(winner)} wins: {closed(terms)} What is the concession? ({_words(size)})",
            Text(required=True, default=AS_AGREED),
            because=agreed,
            kind=duel.kind(winner),
        )
        said = yield from choose(
            duel.seat(1 - winner),
            "accept_concession",
            f"{duel.name(winner)} concedes: {closed(offer)}",
            answers,
            default="accept",
            because=agreed,
            kind="consent",
        )
        if said == "accept":
            return size, offer, True
        if said == "none":
            return size, "", False


def price_of(victor: str, size: str, granted: str) -> str:
    """The price of a victory, in a sentence.

    >>> price_of("Ann", "very_minor", "a toll")
    'Ann owes a very minor concession: a toll.'
    >>> price_of("Ann", "a_genuine_concession", "")
    'Ann owes a genuine concession, but none was agreed on.'
    """
    if size == NO_CONCESSION:
        return f"{victor} owes no concession."
    what = _words(size)
    if not what.endswith("concession"):
        what = f"a {what} concession"
    return f"{victor} owes {what}" + (
        f": {closed(granted)}" if granted else ", but none was agreed on."
    )


# --- Ties ----------------------------------------------------------------------------------


def tied(duel: Duel) -> Play[DuelResult]:
    """Nobody has won: leave it for another time, or compromise.

    duel_of_wits.tie.condition, duel_of_wits.tie.options. Nobody tests Steel
    (duel_of_wits.amb.steel_after_tie), and nothing rides (duel_of_wits.amb.restart_after_tie).
    """
    rule = "duel_of_wits.tie.options"
    yield from note("A tie: nobody wins.", "duel_of_wits.tie.condition")
    options = {"another_time": "Leave it for another time", "compromise": "Compromise"}
    agreed = escalated = ""
    wishes = []
    for side in (0, 1):
        wish = yield from choose(
            duel.seat(side),
            "after_tie",
            f"{duel.name(side)}: leave it, or compromise?",
            options,
            default="another_time",
            because=rule,
        )
        wishes.append(wish)
    price = "It is left for another time."
    if "another_time" not in wishes:
        agreed = yield from _middle_ground(duel)
        price = "" if agreed else "No compromise is reached."
    yield from tell(concluded(duel, None, agreed, price, "duel_of_wits.tie.condition"))
    if not agreed and "another_time" not in wishes:
        escalated = yield from escalate(duel)
    table = duel.table
    if duel.series:
        table = yield from end_series(table, duel.series)
    return outcome(duel, "tie", compromise=agreed, escalated=escalated), table


def _middle_ground(duel: Duel) -> Step[str]:
    """New offers, kinder than the first terms; the players pick one.

    duel_of_wits.tie.offers, duel_of_wits.tie.no_original_terms. The side driven down less may
    shape it, if the GM allows (duel_of_wits.tie.margin_below_zero); still nobody wins by it.
    """
    rule = "duel_of_wits.tie.offers"
    offers = {}
    for side in (0, 1):
        offers[duel.debate.speakers[side].character] = yield from _new_offer(duel, side)
    third = yield from _third_offer(duel)
    if third:
        offers["neutral"] = third
    options = tuple(Option(key=key, label=offer, rule=rule) for key, offer in offers.items())
    nothing = Option(key="none", label="None of these", rule="duel_of_wits.tie.escalate")
    picks = set()
    for side in (yield from _who_shapes(duel)):
        pick = yield from choose(
            duel.seat(side),
            "middle_ground",
            f"{duel.name(side)}: which offer is the middle ground?",
            (*options, nothing),
            default=options[-1].key,
            because=rule,
        )
        picks.add(pick)
    if len(picks) > 1 or nothing.key in picks:
        return ""
    return offers[picks.pop()]


def _new_offer(duel: Duel, side: int) -> Step[str]:
    """An offer that is neither side's first terms (duel_of_wits.tie.no_original_terms)."""
    rule = "duel_of_wits.tie.no_original_terms"
    again = ""
    while True:
        offer = yield from ask(
            duel.seat(side),
            "offer",
            f"{again}{duel.name(side)}: a new offer, kinder than your terms",
            Text(required=True),
            because=rule,
        )
        if not _is_original(duel, offer):
            return offer
        again = NOT_THE_ORIGINAL


def _third_offer(duel: Duel) -> Step[str]:
    """What a neutral party offers, if there is one: nobody's first terms, either."""
    again = ""
    while True:
        offer = yield from ask(
            GM,
            "neutral_offer",
            f"{again}What does a neutral party propose? (Empty: nobody.)",
            Text(default=""),
            because="duel_of_wits.tie.offers",
            kind="aside",
        )
        if not _is_original(duel, offer):
            return offer
        again = NOT_THE_ORIGINAL


NOT_THE_ORIGINAL = "After a tie, nobody gets their original terms. "


def _is_original(duel: Duel, offer: str) -> bool:
    """Whether an offer is what a side wanted in the first place."""
    return any(same_intent(offer, terms.wins) for terms in duel.terms)


def _who_shapes(duel: Duel) -> Step[tuple[int, ...]]:
    if duel.bodies[0] == duel.bodies[1]:
        return 0, 1
    higher = 0 if duel.bodies[0] > duel.bodies[1] else 1
    alone = yield from confirm_aside(
        GM,
        "margin_shapes",
        f"{duel.name(higher)} ended higher. Let that side shape the compromise?",
        because="duel_of_wits.tie.margin_below_zero",
    )
    return (higher,) if alone else (0, 1)


# --- Honour besmirched ---------------------------------------------------------------------


def honour(duel: Duel, winner: int, loser: int) -> Step[str]:
    """A loser who feels slighted may demand satisfaction; the winner may refuse without shame.

    duel_of_wits.honor.challenge, duel_of_wits.honor.winner_choice.
    """
    rule = "duel_of_wits.honor.challenge"
    demands = {"no": "No", "first_blood": "To first blood", "to_the_death": "To the death"}
    demand = yield from choose(
        duel.seat(loser),
        "demand_satisfaction",
        f"{duel.name(loser)}: demand satisfaction?",
        demands,
        default="no",
        because=rule,
        kind=duel.kind(loser),
    )
    if demand == "no":
        return ""
    how = demands[demand].casefold()
    rule = "duel_of_wits.honor.winner_choice"
    answers = (
        Option(key="refuse", label="Refuse", rule=rule, note="no loss of standing"),
        Option(key="accept", label="Accept", rule=rule),
        Option(key="champion", label="Name a champion", rule=rule),
    )
    answer = yield from choose(
        duel.seat(winner),
        "satisfaction",
        f"{duel.name(loser)} demands a duel {how}. Accept?",
        answers,
        default="refuse",
        because=rule,
    )
    if answer == "refuse":
        yield from note(f"{duel.name(winner)} refuses and loses no standing.", rule)
        return answer
    yield from note(f"A duel {how}: go on with a Fight!", "duel_of_wits.honor.fought_with_fight")
    return answer


def is_near(duel: Duel, size: str, agreed: bool) -> Step[bool]:
    """Whether a result with a winner is close enough to be escalated.

    duel_of_wits.amb.near_result.
    """
    if duel.table.options["duel_of_wits_near_result"] == "major_concessions":
        return size == MAJOR and not agreed
    near = yield from confirm_aside(
        GM, "near_result", "Close enough to escalate?", because="duel_of_wits.amb.near_result"
    )
    return near


def escalate(duel: Duel) -> Step[str]:
    """A rash and harmful act; it never wins the argument (duel_of_wits.tie.escalate)."""
    rule = "duel_of_wits.tie.escalate"
    acts = {
        "nothing": "No",
        "duel_of_arms": "Challenge to a duel of arms",
        "war": "War",
        "excommunication": "Excommunication",
        "exile": "Exile",
        "rash_act": "Another rash and harmful act",
    }
    for side in (0, 1):
        chosen = yield from choose(
            duel.seat(side),
            "escalate",
            f"No compromise. {duel.name(side)}: escalate?",
            acts,
            default="nothing",
            because=rule,
        )
        if chosen != "nothing":
            text = f"{duel.name(side)} escalates: {acts[chosen]}. That does not win the argument."
            yield from note(text, rule)
            return chosen
    return ""
