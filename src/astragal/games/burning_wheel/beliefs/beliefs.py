"""Beliefs, Instincts and traits: what a character stands for, always does, and is.

The three sets act differently (beliefs.bits.distinct_roles): Beliefs feed artha, Instincts
guarantee a behaviour, traits have effects by their kind. All of it is the player's to write
and choose (beliefs.bits.chosen_by_player); the GM only has a say about the moment. Voting on
traits is in ``beliefs/trait_vote``; the artha that all of this earns
is in the chapter on artha (beliefs.belief.artha_link, beliefs.instinct.artha_link,
beliefs.trait.artha_link).
"""

from __future__ import annotations

from enum import Enum

import msgspec

from astragal.errors import BadInput, NotAllowed
from astragal.games.burning_wheel.sheet.parts import Belief
from astragal.games.burning_wheel.sheet.scene import BurningTable
from astragal.games.burning_wheel.sheet.sheet import Sheet
from astragal.games.burning_wheel.tests.intent import ALONE, Declaration
from astragal.games.burning_wheel.tests.results import StandardOutcome
from astragal.games.burning_wheel.tests.tests import standard
from astragal.games.game import Arguments, Outcome, Procedure
from astragal.play import (
    GM,
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
)
from astragal.rules import catalogue


class Bit(Enum):
    """A Belief or an Instinct."""

    BELIEF = "belief"
    INSTINCT = "instinct"

    @property
    def field(self) -> str:
        """Where it stands on the sheet."""
        return f"{self.value}s"


def wanted_at_start(bit: Bit) -> int:
    """How many a new player character has: three Beliefs and three Instincts.

    beliefs.belief.count_three, beliefs.instinct.count_three.
    """
    table = catalogue().table("beliefs.table.bits_summary")
    return table.number("number_at_start", element=bit.value.capitalize())


# --- Ready for play ------------------------------------------------------------------------


class Readiness(Arguments, frozen=True):
    """Whose readiness is to be looked at."""

    character: str


class Ready(Outcome, frozen=True):
    """Whether a character may enter play, and what is wrong or unusual."""

    ready: bool
    faults: tuple[str, ...]
    warnings: tuple[str, ...] = ()


def ready_for_play(arguments: Readiness, table: BurningTable) -> Play[Ready]:
    """No player character begins without Beliefs, Instincts and traits (beliefs.bits.mandatory).

    The GM's characters may have fewer. Whether each Belief is an explicit statement, tied to the
    situation in play, is the GM's yes or no (beliefs.amb.belief_definition). Looks need no trait:
    without a cosmetic one a character simply looks ordinary (beliefs.trait.cosmetic.not_required).
    """
    sheet = table.character(arguments.character)
    faults: list[str] = []
    warnings: list[str] = []
    if not sheet.npc:
        kinds = (
            ("Beliefs", sheet.beliefs),
            ("Instincts", sheet.instincts),
            ("traits", sheet.traits),
        )
        faults += [f"{sheet.name} has no {what}" for what, found in kinds if not found]
        for bit in Bit:
            found = len(getattr(sheet, bit.field))
            if found and found != wanted_at_start(bit):
                # beliefs.amb.number_of_beliefs_and_instincts: a warning, not a refusal.
                warnings.append(f"{found} {bit.field}, not {wanted_at_start(bit)}")
        for index, belief in enumerate(sheet.beliefs):
            faults += yield from _judge(belief, index)
        for index, instinct in enumerate(sheet.instincts):
            warnings += _check_form(instinct, index)
    for fault in faults:
        yield from tell(Noted(fault, "beliefs.bits.mandatory"))
    return Ready(not faults, tuple(faults), tuple(warnings))


def _judge(belief: Belief, index: int) -> Step[tuple[str, ...]]:
    """A bare noun or abstraction is no Belief, nor is one without a tie to what is going on."""
    explicit = yield from confirm(
        GM,
        "explicit",
        f"Is this an explicit statement about people and things of this setting? {belief.text}",
        default=len(belief.text.split()) > 1,
        because="beliefs.belief.explicit_statement",
    )
    if not explicit:
        return (f"Belief {index + 1} is no explicit statement: {belief.text}",)
    anchored = yield from confirm(
        GM,
        "anchored",
        f"Does it bear on the situation in play? {belief.text}",
        default=True,
        because="beliefs.belief.anchored",
    )
    return () if anchored else (f"Belief {index + 1} has no tie to the situation: {belief.text}",)


def _check_form(instinct: Belief, index: int) -> tuple[str, ...]:
    """An Instinct without a condition and a reaction is worth a warning."""
    try:
        take_apart(instinct.text)
    except BadInput as bad:
        return (f"Instinct {index + 1} is not written as {bad.expected}: {instinct.text}",)
    return ()


# --- Changing Beliefs and Instincts --------------------------------------------------------


class Which(Arguments, frozen=True):
    """One Belief or Instinct of a character, counted from 1."""

    character: str
    bit: Bit
    number: int


class Rewrite(Which, frozen=True):
    """A slot and what is to stand in it: another text, or the same reworded or widened."""

    text: str


class Changed(Outcome, frozen=True):
    """What stands in a slot now, and what waits for its moment."""

    text: str
    pending: str


def change_bit(arguments: Rewrite, table: BurningTable) -> Play[Changed]:
    """The owner rewrites a Belief or Instinct at will: no roll, no cost, no vote.

    beliefs.bits.chosen_by_player, beliefs.belief.change_any, beliefs.instinct.change_any;
    outright or in part, right after the
    event that caused it or once all is over (beliefs.belief.change_forms). The slot stays: the
    number does not change. Beliefs lie open to everybody at the table
    (beliefs.belief.public_to_players), though no character learns of them by that
    (beliefs.belief.hidden_from_characters), and nothing becomes true by being believed
    (beliefs.belief.not_fact): only the owner's sheet changes.
    """
    sheet = table.character(arguments.character)
    _slot(sheet, arguments)
    text = arguments.text.strip()
    if not text:
        rule = f"beliefs.{arguments.bit.value}.change_any"
        raise BadInput("text", arguments.text, "the new wording", rule)
    path = f"{arguments.bit.field}.{arguments.number - 1}"
    because = f"beliefs.{arguments.bit.value}.change_any"
    table = yield from table.amend(arguments.character, f"{path}.pending", text, because=because)
    return (yield from _at_the_gms_moment(arguments, table))


def release_change(arguments: Which, table: BurningTable) -> Play[Changed]:
    """Ask again about a change that waits, which the GM may keep waiting.

    beliefs.amb.gm_delay_vs_veto.
    """
    _waiting(table.character(arguments.character), arguments)
    return (yield from _at_the_gms_moment(arguments, table))


def withdraw_change(arguments: Which, table: BurningTable) -> Play[Changed]:
    """The player takes back a change that waits (beliefs.amb.gm_delay_vs_veto)."""
    slot = _waiting(table.character(arguments.character), arguments)
    path = f"{arguments.bit.field}.{arguments.number - 1}.pending"
    because = "beliefs.amb.gm_delay_vs_veto"
    yield from table.amend(arguments.character, path, "", because=because)
    return Changed(slot.text, "")


def _at_the_gms_moment(arguments: Which, table: BurningTable) -> Step[Changed]:
    """The GM says when, and only when; the wording is the player's.

    beliefs.belief.change_gm_timing, beliefs.instinct.change_gm_timing; a change made to escape a
    tight spot or for advantage may be put off (beliefs.belief.change_gm_delay,
    beliefs.instinct.change_gm_delay), never rewritten or refused for good.
    """
    bit = arguments.bit.value
    path = f"{arguments.bit.field}.{arguments.number - 1}"
    sheet = table.character(arguments.character)
    slot = _slot(sheet, arguments)
    now = Option(key="now", label="It takes effect now", rule=f"beliefs.{bit}.change_gm_timing")
    later = Option(key="later", label="Not yet", rule=f"beliefs.{bit}.change_gm_delay")
    when = yield from choose(
        GM,
        "when",
        f"{sheet.name} changes: {slot.text} -> {slot.pending}. When?",
        (now, later),
        default="now",
        because=f"beliefs.{bit}.change_gm_timing",
    )
    if when == "later":
        return Changed(slot.text, slot.pending)
    because = f"beliefs.{bit}.change_gm_timing"
    table = yield from table.amend(arguments.character, path, Belief(slot.pending), because=because)
    yield from tell(Noted(f"{sheet.name}: {slot.pending}", f"beliefs.{bit}.change_any"))
    return Changed(slot.pending, "")


def _slot(sheet: Sheet, which: Which) -> Belief:
    slots: tuple[Belief, ...] = getattr(sheet, which.bit.field)
    if not 1 <= which.number <= len(slots):
        raise BadInput(
            "number", which.number, f"1 to {len(slots)}: {sheet.name}'s {which.bit.field}"
        )
    return slots[which.number - 1]


def _waiting(sheet: Sheet, which: Which) -> Belief:
    slot = _slot(sheet, which)
    if not slot.pending:
        raise BadInput("number", which.number, f"a change that waits ({slot.text} has none)")
    return slot


# --- Instincts at work ---------------------------------------------------------------------


class Trigger(Arguments, frozen=True):
    """The condition of an Instinct is met.

    ``actions`` is what its action would cost by the rules of a conflict; ``prepared`` says that it
    is a state made ready beforehand; ``surprised`` that the trigger is also a fright, and
    ``hesitating`` that the character has failed the Steel test for it. ``test`` is the test its
    action needs, if any.
    """

    character: str
    number: int
    actions: int = 0
    prepared: bool = False
    in_conflict: bool = False
    surprised: bool = False
    hesitating: bool = False
    test: Declaration | None = None


class Reaction(Outcome, frozen=True):
    """What an Instinct did."""

    happened: bool
    actions: int = 0
    trouble: bool = False
    test: StandardOutcome | None = None


def instinct_triggers(arguments: Trigger, table: BurningTable) -> Play[Reaction]:
    """When its condition is met, an Instinct's action is taken (beliefs.instinct.sacrosanct).

    Nobody had to announce it (beliefs.instinct.no_announcement), and the GM is not asked whether
    it happened (beliefs.instinct.gm_cannot_contravene): it was done beforehand or is done at once
    (beliefs.instinct.timing). Only its own player may hold it back, on the spot, and then earns
    nothing by it (beliefs.amb.resisting_an_instinct, artha.earn.fate.instinct_may_be_resisted).
    """
    sheet = table.character(arguments.character)
    instinct = _slot(sheet, Which(arguments.character, Bit.INSTINCT, arguments.number))
    stopped = table.options["beliefs_instinct_when_surprised"] == "stopped_by_failed_steel"
    if arguments.hesitating and (stopped or not arguments.surprised):
        # While hesitating nothing else is done; only an Instinct that answers the fright itself
        # comes before it (beliefs.amb.instinct_vs_hesitation).
        yield from tell(Noted(f"{sheet.name} hesitates.", "beliefs.amb.instinct_vs_hesitation"))
        return Reaction(False)
    suppress = yield from confirm(
        sheet.seat(arguments.character),
        "hold_back",
        f"{instinct.text}. Hold back this once?",
        default=False,
        because="beliefs.amb.resisting_an_instinct",
    )
    if suppress:
        return Reaction(False)
    actions = _charged(arguments, instinct, table)
    yield from tell(Noted(f"{sheet.name}: {instinct.text}.", "beliefs.instinct.sacrosanct"))
    outcome = None
    if arguments.test is not None:
        # An Instinct skips no test (beliefs.instinct.no_bypass_of_tests); it is rolled now as
        # though it had been made before the trouble (beliefs.instinct.test_made_earlier,
        # beliefs.amb.instinct_and_tests), and the result rides.
        outcome, table = yield from call(standard, arguments.test, ALONE, table)
    trouble = yield from confirm(
        GM,
        "trouble",
        f"Does it land {sheet.name} in trouble?",
        default=False,
        because="beliefs.instinct.artha_link",
    )
    return Reaction(True, actions, trouble, outcome)


def _charged(arguments: Trigger, instinct: Belief, table: BurningTable) -> int:
    """What the action costs: nothing as a rule (beliefs.instinct.free_of_action_cost).

    What was made ready beforehand is simply so; inside a conflict it goes by the custom of the
    table (beliefs.amb.instinct_action_limits).
    """
    if arguments.prepared or not arguments.in_conflict:
        return 0
    custom = table.options["beliefs_instinct_in_conflict"]
    free = custom == "first_execution_free" or (
        custom == "gm_sets_per_instinct" and instinct.free is not False
    )
    return 0 if free else arguments.actions


class Written(msgspec.Struct, frozen=True):
    """An Instinct in one of its forms, taken apart."""

    condition: str
    reaction: str


def take_apart(text: str) -> Written:
    """The condition and the reaction of an Instinct (beliefs.instinct.condition_and_reaction).

    An Instinct says how somebody acts, out of habit (beliefs.instinct.purpose), in one of three
    forms: always, never, or if and when (beliefs.instinct.forms).

    >>> take_apart("Always know a second way out")
    Written(condition='always', reaction='know a second way out')
    >>> take_apart("If I hear a bell, then take cover").condition
    'I hear a bell'
    """
    words = text.strip().rstrip(".")
    first, _, rest = words.partition(" ")
    if first.casefold() in ("always", "never"):
        behaviour = rest if first.casefold() == "always" else f"do not {rest}"
        return Written("always", behaviour)
    if first.casefold() in ("if", "when", "whenever"):
        condition, comma, reaction = rest.partition(",")
        if not comma:
            condition, _, reaction = rest.partition(" then ")
        return Written(condition.strip(), reaction.strip().removeprefix("then ").strip())
    expected = "always ..., never ..., or if (when) ..., then ..."
    raise BadInput("instinct", text, expected, "beliefs.instinct.forms")


# --- Sessions ------------------------------------------------------------------------------


class NewSession(Arguments, frozen=True):
    """A session of play begins."""


class Begun(Outcome, frozen=True):
    """Which session it is, and whether a trait vote is due."""

    session: int
    vote: str


FIRST_PROMPT, LAST_PROMPT = 6, 12
"""A trait vote comes after every 6 to 12 sessions by default (beliefs.vote.default_interval)."""


def begin_session(_: NewSession, table: BurningTable) -> Play[Begun]:
    """Every call-on trait may be used once more (beliefs.amb.call_on_limit_scope).

    The table is reminded of the trait vote, but never forced (beliefs.amb.vote_frequency).
    """
    for character, sheet in table.characters.items():
        for index, trait in enumerate(sheet.traits):
            if trait.called_this_session:
                path = f"traits.{index}.called_this_session"
                because = "beliefs.trait.call_on.once_per_session"
                table = yield from table.amend(character, path, False, because=because)
    because = "beliefs.amb.vote_frequency"
    table = yield from table.add("scene", "session", 1, because=because)
    table = yield from table.add("scene", "since_trait_vote", 1, because=because)
    since, every = table.scene.since_trait_vote, table.scene.trait_votes_every
    vote = ""
    if since >= LAST_PROMPT:
        vote = "overdue"
    elif since >= (every or FIRST_PROMPT):
        vote = "due"
    if vote:
        text = f"{since} sessions since the last trait vote: one is {vote}."
        yield from tell(Noted(text, "beliefs.vote.default_interval"))
    return Begun(table.scene.session, vote)


class VoteRate(Arguments, frozen=True):
    """A faster rate of trait votes: one after so many sessions."""

    every: int


class RateSet(Outcome, frozen=True):
    """The rate that holds from now on."""

    every: int


def announce_vote_rate(arguments: VoteRate, table: BurningTable) -> Play[RateSet]:
    """A group may vote more often (beliefs.vote.faster_rate), if it says so beforehand.

    beliefs.vote.faster_rate_announced: discussed and announced before characters are burned,
    that is, before the first session.
    """
    if not 1 <= arguments.every < FIRST_PROMPT:
        expected = f"1 to {FIRST_PROMPT - 1} sessions: faster than the default"
        raise BadInput("every", arguments.every, expected, "beliefs.vote.faster_rate")
    if table.scene.session:
        raise NotAllowed(
            "play has begun: a faster rate is announced before the characters are burned",
            "beliefs.vote.faster_rate_announced",
        )
    why = yield from ask(
        GM,
        "discussed",
        "What did the group agree on, and why?",
        Text(required=True),
        because="beliefs.vote.faster_rate_announced",
    )
    because = "beliefs.vote.faster_rate"
    yield from table.amend("scene", "trait_votes_every", arguments.every, because=because)
    yield from tell(Noted(f"Trait votes every {arguments.every} sessions: {why}", because))
    return RateSet(arguments.every)


PROCEDURES = (
    Procedure("ready_for_play", "Is a character ready for play?", Readiness, ready_for_play),
    Procedure("change_bit", "Rewrite a Belief or an Instinct", Rewrite, change_bit),
    Procedure(
        "release_change", "Has the moment come for a change?", Which, release_change, gm_only=True
    ),
    Procedure("withdraw_change", "Take back a change that waits", Which, withdraw_change),
    Procedure("instinct_triggers", "An Instinct's condition is met", Trigger, instinct_triggers),
    Procedure(
        "begin_session",
        "A session begins",
        NewSession,
        begin_session,
        gm_only=True,
        touches_all=True,
    ),
    Procedure(
        "announce_vote_rate", "Trait votes more often", VoteRate, announce_vote_rate, gm_only=True
    ),
)
