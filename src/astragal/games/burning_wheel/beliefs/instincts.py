"""Instincts at work: what happens when the condition of one is met."""

from __future__ import annotations

import msgspec

from astragal.errors import BadInput, NotAllowed
from astragal.games.game import Arguments, Outcome, Procedure
from astragal.play import GM, Play, Step, call, choose, confirm, confirm_aside, note

from ..sheet.parts import Belief
from ..sheet.scene import BurningTable
from ..sheet.sheet import Sheet
from ..tests.intent import ALONE, Declaration
from ..tests.let_it_ride import riding
from ..tests.results import StandardOutcome
from ..tests.tests import standard
from .beliefs import Bit, BitSlot, bit_in


class Trigger(Arguments, frozen=True):
    """Whose Instinct is triggered, by its number, counted from 1.

    ``actions`` is what its action would cost in a conflict; ``prepared`` says that it was made
    ready beforehand; ``surprised`` that the trigger also calls for a Steel test, ``hesitating``
    that this test was failed. ``test`` is the test its action needs, if any.
    """

    character: str
    number: int
    actions: int = 0
    prepared: bool = False
    in_conflict: bool = False
    surprised: bool = False
    hesitating: bool = False
    test: Declaration | None = None


class InstinctOutcome(Outcome, frozen=True):
    """What an Instinct did."""

    happened: bool
    actions: int = 0
    trouble: bool = False
    test: StandardOutcome | None = None


def _has_instincts(character: str, table: BurningTable) -> None:
    sheet = table.character(character)
    if not sheet.instincts:
        raise NotAllowed(f"{sheet.name} has no Instincts", "beliefs.instinct.forms")


def instinct_triggers(arguments: Trigger, table: BurningTable) -> Play[InstinctOutcome]:
    """When its condition is met, an Instinct's action is taken (beliefs.instinct.sacrosanct).

    The GM says whether the condition is met (beliefs.instinct.condition_and_reaction), and no
    more than that. Nobody had to announce it (beliefs.instinct.no_announcement), and the GM is not
    asked whether it happened (beliefs.instinct.gm_cannot_contravene): it was done beforehand or is
    done at once (beliefs.instinct.timing). Only its own player may hold it back, on the spot, and
    then earns nothing by it (beliefs.amb.resisting_an_instinct,
    artha.earn.fate.instinct_may_be_resisted).
    """
    sheet = table.character(arguments.character)
    instinct = bit_in(sheet, BitSlot(arguments.character, Bit.INSTINCT, arguments.number))
    if arguments.test is not None and arguments.test.character != arguments.character:
        expected = f"{arguments.character}, whose Instinct it is"
        rule = "beliefs.instinct.no_bypass_of_tests"
        raise BadInput("test.character", arguments.test.character, expected, rule)
    if not (yield from _condition_met(sheet, instinct)):
        return InstinctOutcome(False)
    stopped = table.options["beliefs_instinct_when_surprised"] == "stopped_by_failed_steel"
    if arguments.hesitating and (stopped or not arguments.surprised):
        # While hesitating nothing else can be done; only an Instinct that answers the fright itself
        # comes before it (beliefs.amb.instinct_vs_hesitation).
        yield from note(f"{sheet.name} hesitates.", "beliefs.amb.instinct_vs_hesitation")
        return InstinctOutcome(False)
    if arguments.test is not None:
        yield from _undoes_nothing(arguments.test, table)
    elif (yield from _is_kept_from_acting(arguments, sheet, instinct, table)):
        return InstinctOutcome(False, arguments.actions)
    suppress = yield from confirm(
        sheet.seat(arguments.character),
        "hold_back",
        f"Instinct: {instinct.text}. Hold back this time?",
        default=False,
        because="beliefs.amb.resisting_an_instinct",
    )
    if suppress:
        return InstinctOutcome(False)
    actions = _charged(arguments, instinct, table)
    yield from note(f"{sheet.name}: {instinct.text}.", "beliefs.instinct.sacrosanct")
    outcome = None
    if arguments.test is not None:
        # An Instinct skips no test (beliefs.instinct.no_bypass_of_tests); it is rolled now as
        # though it had been made before the trouble (beliefs.instinct.test_made_earlier,
        # beliefs.amb.instinct_and_tests), and the result rides.
        outcome, table = yield from call(standard, arguments.test, ALONE, table)
    trouble = yield from confirm_aside(
        GM,
        "trouble",
        f"Does the Instinct get {sheet.name} into trouble?",
        because="beliefs.instinct.artha_link",
    )
    if trouble:
        text = f"The Instinct gets {sheet.name} into trouble, which can earn a point of fate."
        yield from note(text, "beliefs.instinct.artha_link")
    return InstinctOutcome(True, actions, trouble, outcome)


def _condition_met(sheet: Sheet, instinct: Belief) -> Step[bool]:
    """Whether what triggers the Instinct is the case (beliefs.instinct.condition_and_reaction).

    That of an Instinct for always or never always is, or within the circumstance that it names.
    """
    rule = "beliefs.instinct.condition_and_reaction"
    prompt = f"Is the condition of this Instinct met? {instinct.text}"
    met = yield from confirm(GM, "condition_met", prompt, default=True, because=rule)
    if not met:
        yield from note(f"{sheet.name}'s Instinct does not apply: {instinct.text}.", rule)
    return met


def _undoes_nothing(test: Declaration, table: BurningTable) -> Step[None]:
    """Refuse a test that would undo another one that has failed (beliefs.amb.instinct_and_tests).

    The same ability and intent are the same test; of others the GM says whether they are.
    """
    rule = "beliefs.amb.instinct_and_tests"
    sheet = table.character(test.character)
    failed = {
        f"{each.ability}: {each.intent}": each
        for each in table.scene.rides
        if each.character == test.character and not each.passed
    }
    same = riding(table, test.character, test.ability, test.intent)
    undone = "none"
    if same is not None and not same.passed:
        undone = f"{same.ability}: {same.intent}"
    elif failed:
        undone = yield from choose(
            GM,
            "undoes",
            f"Would this test undo one that {sheet.name} has failed? {test.intent}",
            {"none": "None", **{each: each for each in failed}},
            default="none",
            because=rule,
        )
    if undone != "none":
        what = f"An Instinct cannot undo a failed test, and {sheet.name} has failed this: {undone}"
        raise NotAllowed(what, rule)


def _is_kept_from_acting(
    arguments: Trigger, sheet: Sheet, instinct: Belief, table: BurningTable
) -> Step[bool]:
    """Whether the GM rules that a failed test keeps the Instinct from acting.

    extended_example.instinct.not_past_failed_test: whoever was not seen does not set it off, and
    its deed costs its normal action.
    """
    rule = "extended_example.instinct.not_past_failed_test"
    failed = {
        f"{each.ability}: {each.intent}": f"{each.ability}: {each.intent or 'said at the table'}"
        for each in table.scene.rides
        if each.character == arguments.character and not each.passed
    }
    if not failed:
        return False
    missed = yield from choose(
        GM,
        "kept_by",
        f"Does a failed test keep {sheet.name} from acting on this Instinct? {instinct.text}",
        {"none": "No", **failed},
        default="none",
        because=rule,
        kind="aside",
    )
    if missed == "none":
        return False
    text = f"{sheet.name}'s Instinct does not undo a failed test ({failed[missed]}): "
    yield from note(f"{text}what it does costs its normal actions.", rule)
    return True


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


class InstinctParts(msgspec.Struct, frozen=True):
    """An Instinct as a condition and a reaction."""

    condition: str
    reaction: str


def parse_instinct(text: str) -> InstinctParts:
    """The condition and the reaction of an Instinct (beliefs.instinct.condition_and_reaction).

    An Instinct says how somebody acts, out of habit (beliefs.instinct.purpose), in one of three
    forms: always, never, or if and when (beliefs.instinct.forms).

    >>> parse_instinct("Always know a second way out")
    InstinctParts(condition='always', reaction='know a second way out')
    >>> parse_instinct("If I hear a bell, then take cover").condition
    'I hear a bell'
    """
    words = text.strip().rstrip(".")
    first, _, rest = words.partition(" ")
    if first.casefold() in ("always", "never"):
        behaviour = rest if first.casefold() == "always" else f"do not {rest}"
        return InstinctParts("always", behaviour)
    if first.casefold() in ("if", "when", "whenever"):
        condition, comma, reaction = rest.partition(",")
        if not comma:
            condition, _, reaction = rest.partition(" then ")
        return InstinctParts(condition.strip(), reaction.strip().removeprefix("then ").strip())
    expected = "an Instinct that begins with Always, Never, If or When"
    raise BadInput("instinct", text, expected, "beliefs.instinct.forms")


PROCEDURES = (
    Procedure(
        "instinct_triggers",
        "An Instinct triggers",
        Trigger,
        instinct_triggers,
        check=_has_instincts,
    ),
)
