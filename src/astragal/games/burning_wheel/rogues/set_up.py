"""Setting up a game: what it is about, which parts of the rules are in it, and how far it goes.

The Resources cycle is set before play, too (``resources/maintenance``). Whether a character fits
what was settled here is in ``rogues/fitting_in``.
"""

from __future__ import annotations

from collections import Counter

from astragal.errors import BadInput, check_between, check_one_of
from astragal.games.game import SCENE, Arguments, Outcome, Procedure
from astragal.play import (
    GM,
    Ask,
    Option,
    PickOne,
    Play,
    Seat,
    Step,
    Text,
    ask,
    ask_all,
    choose,
    note,
)

from ..conditions.set_aside import PARTS
from ..sheet.ratings import HIGHEST_EXPONENT
from ..sheet.scene import BurningTable, SetUpLimits

LONGEST_CONCEPT = 1000

# --- The concept ---------------------------------------------------------------------------


class Concepts(Arguments, frozen=True):
    """What the game could be about, and the characters whose players take part."""

    concepts: tuple[str, ...]
    participants: tuple[str, ...] = ()


class ConceptOutcome(Outcome, frozen=True):
    """What the game is about; empty if the vote was a tie."""

    concept: str


def agree_on_concept(arguments: Concepts, table: BurningTable) -> Play[ConceptOutcome]:
    """Everybody votes on what the game is about, the GM with one vote (rogues.setup.concept).

    A tie settles nothing. Then players say what characters they have in mind.
    """
    rule = "rogues.setup.concept"
    offered = tuple(concept.strip() for concept in arguments.concepts)
    if not offered or not all(offered) or len(set(offered)) < len(offered):
        raise BadInput("concepts", list(offered), "one or more concepts, each once", rule)
    for name in arguments.participants:
        table.character(name, "participants")
    players = _players(arguments.participants, table)
    chosen = offered[0]
    if len(offered) > 1:
        ahead = yield from _vote(offered, (GM, *players), rule)
        if len(ahead) > 1:
            text = f"A tie between {' and '.join(ahead)}: talk it over and vote again."
            yield from note(text, rule)
            return ConceptOutcome("")
        chosen = ahead[0]
    for seat in players:
        chosen = yield from _character_idea(seat, chosen)
    yield from table.amend(SCENE, "concept", chosen, because=rule)
    yield from note(f"The game is about: {chosen}", rule)
    return ConceptOutcome(chosen)


def _players(participants: tuple[str, ...], table: BurningTable) -> tuple[Seat, ...]:
    """The players who take part, each once."""
    seats = (table.character(name).seat(name) for name in participants)
    return tuple(seat for seat in dict.fromkeys(seats) if seat != GM)


def _vote(offered: tuple[str, ...], voters: tuple[Seat, ...], rule: str) -> Step[tuple[str, ...]]:
    """One vote each, all at once: the concepts with the most votes."""
    keys = {str(number): concept for number, concept in enumerate(offered, 1)}
    question = PickOne(options=tuple(Option(key, each, rule) for key, each in keys.items()))
    prompt = "What is the game about?"
    ballots = yield from ask_all(
        *(Ask(seat, "concept_vote", prompt, question, rule, kind="needed") for seat in voters)
    )
    counted = Counter(str(ballot) for ballot in ballots)
    most = max(counted.values())
    return tuple(concept for key, concept in keys.items() if counted[key] == most)


def _character_idea(seat: Seat, concept: str) -> Step[str]:
    """A player's idea for a character narrows or changes the concept.

    rogues.setup.concept_from_character: GM and player settle what must give way.
    """
    rule = "rogues.setup.concept_from_character"
    idea = yield from ask(
        seat,
        "character_idea",
        "Do you have an idea for a character? (empty: none)",
        Text(default="", longest=LONGEST_CONCEPT),
        because=rule,
    )
    if not idea:
        return concept
    gives_way = yield from choose(
        GM,
        "gives_way",
        f"Character idea: {idea}. What gives way?",
        {
            "nothing": "Nothing: it fits",
            "concept": "The concept changes",
            "idea": "The character idea changes",
        },
        default="nothing",
        because=rule,
    )
    if gives_way == "concept":
        return (yield from restate_concept(concept, idea, because=rule))
    if gives_way == "idea":
        changed = yield from ask(
            seat,
            "new_idea",
            f"How does the idea change to fit? ({concept})",
            Text(required=True, longest=LONGEST_CONCEPT),
            because=rule,
        )
        yield from note(f"The character idea becomes: {changed}", rule)
    return concept


def restate_concept(concept: str, with_this: str, *, because: str) -> Step[str]:
    """The GM says what the game is about with something new in it."""
    default = "; ".join(filter(None, (concept, with_this)))
    return ask(
        GM,
        "new_concept",
        "What is the game about now?",
        Text(default=default, required=True, longest=2 * LONGEST_CONCEPT),
        because=because,
    )


# --- The parts of the rules ----------------------------------------------------------------


class Mechanics(Arguments, frozen=True):
    """What is not in this game: ``parts`` of the rules, and ``things`` by name.

    Things are stocks, skills, weapons, spells and traits. What is not named is in use again.
    """

    parts: tuple[str, ...] = ()
    things: tuple[str, ...] = ()


class MechanicsOutcome(Outcome, frozen=True):
    """Everything that is not in this game."""

    set_aside: tuple[str, ...]


def pick_mechanics(arguments: Mechanics, table: BurningTable) -> Play[MechanicsOutcome]:
    """Choose what of the rules is in use; the rest is off (rogues.setup.pick_mechanics)."""
    rule = "rogues.setup.pick_mechanics"
    for part in arguments.parts:
        check_one_of("parts", part, PARTS, rule)
    things = tuple(thing.strip() for thing in arguments.things if thing.strip())
    left_out = tuple(dict.fromkeys((*arguments.parts, *things)))
    yield from table.amend(SCENE, "set_aside", left_out, because=rule)
    names = ", ".join(PARTS.get(each, each) for each in left_out)
    text = f"Not in this game: {names}." if left_out else "Every part of the rules is in use."
    yield from note(text, rule)
    return MechanicsOutcome(left_out)


# --- Limits --------------------------------------------------------------------------------

MOST_LIFEPATHS = 30
"""Nobody has more; a larger number is a typing error."""


class LifepathLimits(Arguments, frozen=True):
    """The fewest and most lifepaths of a player's character, and the highest exponent; 0: any."""

    fewest: int = 0
    most: int = 0
    highest_exponent: int = 0


class LimitsOutcome(Outcome, frozen=True):
    """The limits in force."""

    limits: SetUpLimits


def set_limits(arguments: LifepathLimits, table: BurningTable) -> Play[LimitsOutcome]:
    """The GM limits lifepaths and power to suit the concept (rogues.setup.lifepath_limits).

    There may be a lower limit as well (rogues.setup.lifepath_lower_limit).
    """
    rule = "rogues.setup.lifepath_limits"
    for field, most in (("fewest", MOST_LIFEPATHS), ("most", MOST_LIFEPATHS)):
        check_between(field, getattr(arguments, field), 0, most, rule, unit="lifepaths", zero="any")
    if not 0 <= arguments.highest_exponent <= HIGHEST_EXPONENT:
        expected = f"0 (any) to {HIGHEST_EXPONENT}"
        raise BadInput("highest_exponent", arguments.highest_exponent, expected, rule)
    if arguments.most and arguments.fewest > arguments.most:
        expected = f"at most {arguments.most}, the upper limit"
        found = arguments.fewest
        raise BadInput("fewest", found, expected, "rogues.setup.lifepath_lower_limit")
    limits = SetUpLimits(arguments.fewest, arguments.most, arguments.highest_exponent)
    yield from table.amend(SCENE, "limits", limits, because=rule)
    yield from note(f"Players' characters: {say_limits(limits)}.", rule)
    return LimitsOutcome(limits)


def say_limits(limits: SetUpLimits) -> str:
    """The limits in words.

    >>> say_limits(SetUpLimits(4, 6, 7))
    'at least 4 lifepaths, at most 6 lifepaths, no exponent above 7'
    """
    said = (
        f"at least {limits.fewest_lifepaths} lifepaths" if limits.fewest_lifepaths else "",
        f"at most {limits.most_lifepaths} lifepaths" if limits.most_lifepaths else "",
        f"no exponent above {limits.highest_exponent}" if limits.highest_exponent else "",
    )
    return ", ".join(filter(None, said)) or "no limits"


PROCEDURES = (
    Procedure("agree_on_concept", "Agree on the concept", Concepts, agree_on_concept),
    Procedure(
        "pick_mechanics", "Choose the mechanics in use", Mechanics, pick_mechanics, gm_only=True
    ),
    Procedure("set_limits", "Set lifepath limits", LifepathLimits, set_limits, gm_only=True),
)
