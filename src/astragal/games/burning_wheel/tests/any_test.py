"""The four kinds of test, of which the GM picks one; and the graduated test.

Standard, linked and versus tests are the same in both editions. The fourth kind is the open test
or, in the later edition, the graduated test: its successes are read as a degree, and it states
obstacle 1 (gold.diff.graduated_vs_open). How it is rolled is in
``tests/tests``, once for both. Creating something of a shade is here as well: a test whose effect
is only as light as the ability; spells take ``check_effect`` of ``sheet/shades`` for theirs.
"""

from __future__ import annotations

from enum import Enum

import msgspec

from astragal.dice import Shade
from astragal.errors import BadInput
from astragal.games.game import Outcome, Procedure
from astragal.play import GM, Play, Step, call, choose, note

from ..sheet.editions import GOLD, check_edition, edition
from ..sheet.scene import BurningTable
from ..sheet.words import as_sentence
from .intent import ALONE, Declaration
from .linked import LinkedOutcome, LinkedTest, LinkedTests, linked_tests
from .results import StandardOutcome
from .tests import BY_ITSELF, OpenOutcome, OpenTest, open_question, standard
from .versus import VersusSide, versus
from .versus_verdict import VersusOutcome


def _has_graduated_tests(_: str, table: BurningTable) -> None:
    """The earlier edition has open tests instead (gold.diff.graduated_vs_open)."""
    what = "Use an open test: this edition has no graduated tests"
    check_edition(GOLD, table.options, what, "gold.diff.graduated_vs_open")


def graduated_test(arguments: OpenTest, table: BurningTable) -> Play[OpenOutcome]:
    """Always obstacle 1; the number of successes is the degree of success, and nothing else.

    gold.tests.graduated_ob, gold.roll.graduated.
    """
    outcome, _ = yield from call(open_question, arguments, BY_ITSELF, table)
    return outcome


class KindOfTest(Enum):
    """The kinds of test, of the two editions together (gold.tests.kinds)."""

    STANDARD = "standard"
    LINKED = "linked"
    GRADUATED = "graduated"
    OPEN = "open"
    VERSUS = "versus"


class AnyTest(OpenTest, frozen=True, kw_only=True):
    """What a player declares before the GM has said what kind of test it will be.

    ``opponent`` is the other side, if there is one; ``followed_by`` are the further steps of a
    long operation; ``information`` is for an open or a graduated test.
    """

    opponent: VersusSide | None = None
    followed_by: tuple[LinkedTest, ...] = ()


AnyOutcome = StandardOutcome | LinkedOutcome | OpenOutcome | VersusOutcome


class AnyTestOutcome(Outcome, frozen=True):
    """The kind of test that it was, and how it came out."""

    kind: KindOfTest
    outcome: AnyOutcome


def any_test(arguments: AnyTest, table: BurningTable) -> Play[AnyTestOutcome]:
    """The GM decides which of the four kinds the test is (gold.tests.kinds)."""
    if arguments.opponent is not None and arguments.followed_by:
        expected = "an opponent, or further tests to follow; a chain names its own opponents"
        raise BadInput("followed_by", len(arguments.followed_by), expected, "gold.tests.kinds")
    kind = yield from _kind(arguments, table)
    plain = {field: getattr(arguments, field) for field in Declaration.__struct_fields__}
    outcome: AnyOutcome
    if kind is KindOfTest.LINKED:
        chain = LinkedTests((LinkedTest(**plain), *arguments.followed_by))
        outcome = yield from call(linked_tests, chain, table)
    elif kind is KindOfTest.VERSUS and arguments.opponent is not None:
        sides = (VersusSide(**plain), arguments.opponent)
        outcome, _ = yield from call(versus, sides, ALONE, table)
    elif kind is KindOfTest.STANDARD:
        outcome, _ = yield from call(standard, Declaration(**plain), BY_ITSELF, table)
    else:
        asked = OpenTest(**plain, information=arguments.information)
        outcome, _ = yield from call(open_question, asked, BY_ITSELF, table)
    return AnyTestOutcome(kind, outcome)


def _kind(arguments: AnyTest, table: BurningTable) -> Step[KindOfTest]:
    graduated = edition(table.options).has_graduated_tests
    fourth = KindOfTest.GRADUATED if graduated else KindOfTest.OPEN
    kinds = {
        KindOfTest.STANDARD: "Standard test",
        fourth: "Graduated test" if graduated else "Open test",
    }
    usual = KindOfTest.STANDARD
    if arguments.opponent is not None:
        kinds[KindOfTest.VERSUS] = "Versus test"
        usual = KindOfTest.VERSUS
    if arguments.followed_by:
        kinds[KindOfTest.LINKED] = "Linked tests"
        usual = KindOfTest.LINKED
    chosen = yield from choose(
        GM,
        "kind",
        "Which kind of test?",
        {kind.value: label for kind, label in kinds.items()},
        default=usual.value,
        because="gold.tests.kinds",
    )
    return KindOfTest(chosen)


# --- Creating something of a shade ------------------------------------------------------------


class Creation(Declaration, frozen=True, kw_only=True):
    """A test that creates something, and the shade it should have: B, G or W."""

    effect: str = "B"


class CreationOutcome(Outcome, frozen=True):
    """Whether it was created, in which shade, and the test behind it."""

    passed: bool
    shade: Shade | None
    test: StandardOutcome


def create(arguments: Creation, table: BurningTable) -> Play[CreationOutcome]:
    """Make something of a shade that the ability has, or of a darker one (shades.skill.effects).

    A Minor Epiphany lightens the ability for that, too (artha.aristeia.minor_epiphany_effects).
    """
    try:
        effect = Shade.parse(arguments.effect)
    except BadInput as bad:
        raise BadInput("effect", arguments.effect, bad.expected, "shades.skill.effects") from None
    making = msgspec.structs.replace(BY_ITSELF, effect=effect)
    outcome, _ = yield from call(standard, arguments, making, table)
    if outcome.passed:
        what = arguments.intent or arguments.task or outcome.ability
        yield from note(as_sentence(f"Created in {effect.value}: {what}"), "shades.skill.effects")
    return CreationOutcome(outcome.passed, effect if outcome.passed else None, outcome)


PROCEDURES = (
    Procedure("create", "Create something of a shade", Creation, create),
    Procedure(
        "graduated_test", "Graduated test", OpenTest, graduated_test, check=_has_graduated_tests
    ),
    Procedure("test", "Test (the GM picks the kind)", AnyTest, any_test),
)
