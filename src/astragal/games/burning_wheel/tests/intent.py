"""Task, intent and ability: what a player says, and what player and GM agree to test.

The first steps of every test (tests.procedure.order). No dice are thrown before they are
settled; what is then laid down and gathered is in
``tests/attempts``.
"""

from __future__ import annotations

from functools import cache

import msgspec

from astragal.dice import Shade
from astragal.errors import BadInput, NotAllowed
from astragal.games.game import Arguments
from astragal.play import GM, Line, Option, Seat, Step, Text, ask, choose, confirm, consent, tell
from astragal.rules import catalogue

from ..artha.aristeia import lightened
from ..conditions.armor_weight import is_fighting
from ..conditions.hesitation import check_in_control
from ..conditions.shield_cover import check_not_hiding, is_hiding
from ..conditions.wounds import MENTAL, Condition, state_of
from ..sheet.durations import parse_duration
from ..sheet.editions import edition
from ..sheet.facts import IntentDeclared, intent_beside
from ..sheet.parts import AbilityKind
from ..sheet.scene import BurningTable
from ..sheet.shades import check_effect
from ..sheet.sheet import Rated, Sheet, about_stat, gear_in_use
from ..sheet.words import as_sentence
from .helping import check_helpers, check_may_be_tried, check_read, known_roots, root_stat
from .let_it_ride import check_no_ride

LONGEST_WORDS = 400
"""The longest intent that is accepted, in characters."""


class Declaration(Arguments, frozen=True, kw_only=True):
    """What a player says to have a character tested, and what the character brings to it.

    A declaration has two parts, the task and the intent (tests.intent.both_declared); whatever of
    them is left out is asked for, and may be said at the table instead. ``helpers``
    are the characters asked for help, ``gear`` and ``instructions`` what is used, ``time`` how
    much time the player is ready to spend, ``target`` the character it is done to, if any;
    ``tools`` is the set of tools in hand.
    """

    character: str
    intent: str = ""
    task: str = ""
    ability: str
    helpers: tuple[str, ...] = ()
    gear: tuple[str, ...] = ()
    instructions: tuple[str, ...] = ()
    time: str = ""
    target: str = ""
    tools: str = ""


class Context(msgspec.Struct, frozen=True):
    """What a test is part of: a chain, or a procedure that asks for it; or nothing.

    One ``in_chain`` is linked to others; ``dice`` and ``obstacle`` come from the test before it,
    ``earlier`` are those whose abilities the chain has used already. What is ``called_for`` is
    rolled without asking whether anything is at stake, and where the ability is ``laid_down``
    there is nothing to agree on. ``forks_into_stat`` is the rule that lets a stat take FoRKs there;
    ``roots`` are the stats that stand in for a missing skill where the rules name them.
    ``effect`` is the shade that something created by the test shall have. Where ``several`` sides
    are asked the same on one card, the questions say whose they are. In a conflict what the GM
    says of the circumstances is ``lasting``: it holds for the rest of it. Who is not asked for
    help beforehand may still be (``may_ask_help``), but for those whom it is ``against``. Where
    what players could add is hardly ever wanted it is ``folded`` away, holds for the rest of the
    conflict, and the task is not told; the first time (``newly``) it is offered all the same. On a
    roll ``in_passing`` nobody waits for artha, either.
    ``fleeing`` is what those who run screaming still do. Where a procedure has settled whether
    there are tools, ``has_tools`` says so; of work that ``may_want_tools`` the GM is asked about
    them, whatever ability is laid down. Where the GM has been asked for all that counts against
    it, the disadvantages are in the ``obstacle`` (``disadvantages_named``). A test has a length
    ``of_its_own`` where it is part of nothing that has one.
    """

    dice: tuple[Line, ...] = ()
    obstacle: tuple[Line, ...] = ()
    earlier: tuple[tuple[str, str], ...] = ()
    in_chain: bool = False
    called_for: bool = False
    laid_down: bool = False
    forks_into_stat: str = ""
    roots: tuple[str, ...] = ()
    effect: Shade | None = None
    several: bool = False
    lasting: bool = False
    may_ask_help: bool = False
    against: tuple[str, ...] = ()
    folded: bool = False
    in_passing: bool = False
    newly: bool = False
    fleeing: bool = False
    disadvantages_named: bool = False
    has_tools: bool | None = None
    may_want_tools: bool = False
    of_its_own: bool = False

    @property
    def timed(self) -> Context:
        """The same for a test whose length the GM states, unless a procedure calls for it."""
        return msgspec.structs.replace(self, of_its_own=self.in_chain or not self.called_for)


ALONE = Context()
"""A test that is part of nothing."""

CALLED_FOR = Context(called_for=True, laid_down=True)
"""A test that a procedure calls for, of the ability it names."""

WORK = Context(called_for=True, laid_down=True, may_want_tools=True)
"""Such a test of work with the hands, for which tools may be needed (gold.tests.tools)."""


class Agreement(msgspec.Struct, frozen=True):
    """Task, intent and ability, agreed between player and GM."""

    character: str
    intent: str
    task: str
    tested: Rated
    missing_skill: str = ""
    roots: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """What the test is called: the ability, or the skill that its root stands in for."""
        return self.missing_skill or self.tested.name

    def declared(self, helpers: tuple[str, ...]) -> Declaration:
        """What a player would have said, where the rules lay all of it down but for the help."""
        return Declaration(
            character=self.character,
            intent=self.intent,
            task=self.task,
            ability=self.name,
            helpers=helpers,
        )

    @property
    def own_intent(self) -> str:
        """The intent, where it says more than the task."""
        return intent_beside(self.intent, self.task)

    def intent_said(self, label: str) -> str:
        """A sentence about the intent, if there is one to speak of."""
        return as_sentence(f"{label}: {self.own_intent}") if self.own_intent else ""


def check_declared(declaration: Declaration, table: BurningTable) -> None:
    """Refuse people and things that are not there, before any question is asked."""
    check_helpers(declaration.character, declaration.helpers, table)
    gear_in_use(table.character(declaration.character), declaration.gear)
    check_read(declaration.instructions, declaration.character, table)


def agree(declaration: Declaration, context: Context, table: BurningTable) -> Step[Agreement]:
    """Settle what the character does, what for, and which ability that takes.

    The task picks the mechanics, the intent says how to read them
    (tests.intent.task_picks_mechanics).
    """
    sheet = table.character(declaration.character)
    seat = sheet.seat(declaration.character)
    if len(declaration.intent.strip()) > LONGEST_WORDS:
        expected = f"the intent: what the player wants, in at most {LONGEST_WORDS} characters"
        raise BadInput("intent", declaration.intent, expected, "tests.intent.both_declared")
    parse_duration(declaration.time)
    check_declared(declaration, table)
    check_in_control(
        table,
        declaration.character,
        declaration.gear,
        awake_will_do=True,
        fleeing=context.fleeing,
    )
    intent, task = declaration.intent.strip(), declaration.task.strip()
    if not context.laid_down:
        whose = f" ({sheet.name})" if context.several else ""
        intent = yield from _said("intent", intent, f"Intent{whose}", seat)
        task = yield from _said("task", task, f"Task{whose}", seat)
        task = yield from _said_how(task, seat)
        declaration = msgspec.structs.replace(declaration, intent=intent)
    agreed = yield from _with_ability(declaration, task, declaration.ability, context, table)
    while not context.laid_down and not (yield from _fits(agreed)):
        # No dice before both know what is rolled (tests.ability.unclear_ask_first).
        name = yield from choose(
            edition(table.options).names_ability(seat),  # gold.tests.ability
            "ability",
            "Which ability fits the task?",
            ability_options(sheet),
            because="tests.ability.chosen_from_task",
        )
        agreed = yield from _with_ability(declaration, task, name, context, table)
    if state_of(table, declaration.character) is Condition.HELPLESS:
        yield from _only_watches(agreed, sheet)
    if is_hiding(table, declaration.character):
        yield from _only_positions(agreed, table)
    if agreed.tested.name == "Steel" and not context.laid_down:
        yield from _gm_calls(sheet)
    if context.effect is not None:
        check_effect(agreed.tested.name, agreed.tested.rating.shade, context.effect)
    if not context.folded:
        yield from tell(IntentDeclared(sheet.name, intent, task, str(agreed.tested)))
    return agreed


def _only_watches(agreed: Agreement, sheet: Sheet) -> Step[None]:
    """A helpless character can watch and think, and nothing else (injury.zero.physical)."""
    rule = "injury.zero.physical"
    possible = yield from confirm(
        GM,
        "only_watches",
        f"{sheet.name} is helpless but awake. Is this only watching or thinking?",
        default=agreed.tested.name in MENTAL,
        because=rule,
        kind="consent",
    )
    if not possible:
        raise NotAllowed(f"{sheet.name} is helpless and can only watch and think", rule)


def _only_positions(agreed: Agreement, table: BurningTable) -> Step[None]:
    """Behind a great shield one may position and take no other action; least of all fight.

    armor.shield_missile.hide_limits.
    """
    possible = not is_fighting(agreed.tested, agreed.missing_skill)
    if possible:
        name = table.character(agreed.character).name
        possible = yield from confirm(
            GM,
            "only_positions",
            f"{name} is hiding behind a great shield. Is this positioning, or no action at all?",
            default=agreed.name in ("Speed", *MENTAL),
            because="armor.shield_missile.hide_limits",
            kind="consent",
        )
    if not possible:
        check_not_hiding(table, agreed.character)


def _gm_calls(sheet: Sheet) -> Step[None]:
    """No player calls for a test of Steel (steel.test.gm_calls)."""
    called = yield from consent(
        GM,
        "call_for_steel",
        f"Call for a Steel test for {sheet.name}?",
        because="steel.test.gm_calls",
    )
    if not called:
        what = f"Only the GM calls for a Steel test, and {sheet.name} does not need one here"
        raise NotAllowed(what, "steel.test.gm_calls")


def _said(key: str, words: str, prompt: str, seat: Seat) -> Step[str]:
    """What a test was begun with, or else what its player adds; nothing if it is said aloud."""
    if words:
        return words
    question = Text(default="", longest=LONGEST_WORDS)
    return (yield from ask(seat, key, prompt, question, because="tests.intent.both_declared"))


def _said_how(task: str, seat: Seat) -> Step[str]:
    """The task with its means: "he dies" is a result, not a task (tests.task.must_say_how)."""
    while task and (yield from _is_bare_result(task)):
        task = yield from ask(
            seat,
            "how",
            "How does your character do that?",
            Text(required=True),
            because="tests.task.must_say_how",
        )
    return task


def _is_bare_result(task: str) -> Step[bool]:
    accepted = yield from consent(
        GM, "task_says_how", f"Does the task say how: {task}?", because="tests.task.measurable"
    )
    return not accepted


def _fits(agreed: Agreement) -> Step[bool]:
    prompt = f"Does {agreed.name} fit the task{f': {agreed.task}' if agreed.task else ''}?"
    return (yield from consent(GM, "fits", prompt, because="tests.roll.fitting_ability"))


def ability_options(sheet: Sheet) -> tuple[Option, ...]:
    """What a character could test, with what it is good for."""
    meaning = catalogue().table("tests.table.exponent_meaning")
    found = []
    for rated in sheet.abilities():
        if may_be_tested(rated) and rated.exponent:
            note = str(meaning.value("meaning", exponent=rated.exponent))
            if rated.kind is AbilityKind.STAT:
                note = about_stat(rated.name)
            rule = "tests.ability.chosen_from_task"
            found.append(Option(key=rated.name, label=str(rated), rule=rule, note=note))
    return tuple(found)


def may_be_tested(rated: Rated) -> bool:
    """Reflexes and Mortal Wound are markers and never tested.

    tests.attributes.reflexes, tests.attributes.mortal_wound.
    """
    return _are_tested().get(rated.name.casefold(), True)


@cache
def _are_tested() -> dict[str, bool]:
    """Whether attributes are tested, by name."""
    records = catalogue().table("tests.table.attributes").records()
    return {str(record["attribute"]).casefold(): bool(record["tested"]) for record in records}


def _with_ability(
    declaration: Declaration, task: str, name: str, context: Context, table: BurningTable
) -> Step[Agreement]:
    sheet = table.character(declaration.character)
    rated = sheet.find(name)
    missing = ""
    roots: tuple[str, ...] = ()
    if rated is None or (rated.kind is AbilityKind.SKILL and not rated.exponent):
        missing = name.strip() if rated is None else rated.name
        check_may_be_tried(missing, sheet, table)
        seat = sheet.seat(declaration.character)
        known = context.roots or known_roots(missing, table)
        rated, roots = yield from root_stat(seat, sheet, missing, known)
    if not may_be_tested(rated):
        rule = f"tests.attributes.{rated.name.casefold().replace(' ', '_')}"
        raise NotAllowed(f"{rated.name} is a marker and is never tested", rule)
    if rated.kind is AbilityKind.RESOURCES:  # a failure is Taxed, so it is a procedure of its own
        raise NotAllowed(
            "Test Resources with a purchase, a loan or maintenance", "resources.test.when"
        )
    if not rated.exponent:
        raise NotAllowed(
            f"{rated} has no dice, so it cannot be tested: choose another ability",
            "tests.amb.zero_dice",
        )
    intent = declaration.intent.strip()
    rated = lightened(table, declaration.character, rated)
    return Agreement(declaration.character, intent, task, rated, missing, roots)


def not_rolled_before(
    agreed: Agreement, context: Context, table: BurningTable
) -> Step[BurningTable]:
    """Let it Ride: the same test is not rolled twice, nor an ability twice in one chain.

    tests.amb.linked_and_let_it_ride, whatever the links of the chain call their intents.
    """
    if (agreed.character, agreed.name.casefold()) in context.earlier:
        name = table.character(agreed.character).name
        what = f"{name} has already rolled {agreed.name} in this chain: use another ability"
        raise NotAllowed(what, "tests.amb.linked_and_let_it_ride")
    return (yield from check_no_ride(table, agreed.character, agreed.name, agreed.intent))
