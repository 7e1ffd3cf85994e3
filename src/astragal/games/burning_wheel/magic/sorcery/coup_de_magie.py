"""Coup de Magie: the end of a spell is withheld and kept ready."""

from __future__ import annotations

from fractions import Fraction
from math import ceil

from astragal.errors import check_between
from astragal.games.game import Arguments, Outcome, Procedure
from astragal.play import Play, Step, Tally, call, note, then
from astragal.rules import catalogue

from ...advancement.log import begin_own_series, end_series
from ...conditions.spell_tax import will_left
from ...sheet.scene import BurningTable
from ...tests.attempts import result_of
from ...tests.conclusions import conclude_test
from ...tests.partial_records import complete
from ..called_tests import called_attempt, throw_called
from .casting import TAXED, CastSpell
from .interruption import InterruptOutcome, InterruptSpell, interrupted
from .raising import CastOutcome, casting
from .spell_tables import check_gifted, spell_of

MOST_HELD = 200
"""Nobody holds a spell for longer; a larger number is a typing error."""


class HoldSpell(Arguments, frozen=True):
    """A casting, the actions for which its end is withheld, and any ``distraction`` meanwhile."""

    casting: CastSpell
    actions: int
    distraction: str = ""


class HoldOutcome(Outcome, frozen=True):
    """Whether the spell was held: the Will tests made, and what came of its release.

    ``tests`` are the obstacles of the Will tests; a spell that is ``lost`` costs nothing.
    """

    held: bool
    tests: tuple[int, ...] = ()
    lost: bool = False
    cast: CastOutcome | None = None
    interrupt: InterruptOutcome | None = None


def will_test_for(number: int) -> int:
    """The obstacle of the Will test for a further set of actions, the first being free.

    sorcery.coup.concentration.

    >>> [will_test_for(number) for number in (1, 2, 5, 7)]
    [0, 1, 4, 6]
    """
    rows = catalogue().table("sorcery.table.coup_de_magie").all_where(set_of_actions=number)
    return rows[0].number("will_test_to_enter_it") if rows else number - 1


def hold_spell(arguments: HoldSpell, table: BurningTable) -> Play[HoldOutcome]:
    """Withhold the last action of a spell, then release it (sorcery.coup.hold).

    As many actions as there are Will dice free are held without a test; dice set aside for
    sustained spells are not free (sorcery.amb.coup_roll_and_release). Of several Will tests one is
    logged, the hardest (advancement.series.one_test). The casting roll and Tax come with the
    release.
    """
    character = arguments.casting.character
    check_gifted(table.character(character))
    table = yield from complete(table, (character,), TAXED)
    sheet = table.character(character)
    spell = spell_of(sheet, arguments.casting.spell, "casting.spell")
    check_between("actions", arguments.actions, 1, MOST_HELD, "sorcery.coup.hold", unit="actions")
    # Nothing else is done meanwhile (sorcery.amb.coup_other_actions).
    text = f"{sheet.name} holds {spell.name}: only Maintain, and a few words."
    yield from note(text, "sorcery.coup.full_focus")
    sets = ceil(Fraction(arguments.actions, max(1, will_left(sheet))))
    title, alone = f"{sheet.name} holds {spell.name}", False
    if sets > 2:
        table, alone = yield from begin_own_series(table, title, character)
    tests: tuple[int, ...] = ()
    held = True
    for number in range(2, sets + 1):
        held, table = yield from hold_on(character, spell.name, number, table)
        tests += (will_test_for(number),)
        if not held:
            break
    if alone:
        table = yield from end_series(table, title)
    if not held:
        # Without Tax and without a Failed Casting (sorcery.coup.fail).
        yield from note(f"{spell.name} is lost.", "sorcery.coup.fail")
        return HoldOutcome(False, tests, lost=True)
    return then(release_spell, arguments, tests, table)


def hold_on(
    character: str, name: str, number: int, table: BurningTable
) -> Step[tuple[bool, BurningTable]]:
    """The Will test for another set of actions (sorcery.coup.concentration)."""
    attempt = yield from called_attempt(character, "Will", f"hold {name}", (), table)
    rule = "sorcery.coup.concentration"
    obstacle = Tally.of(will_test_for(number), "Coup de Magie", rule) + attempt.penalties
    thrown = yield from throw_called(attempt, obstacle, table)
    passed = result_of(attempt, thrown, obstacle).passed
    verdict = f"Holds {name}." if passed else f"Cannot hold {name}."
    _, table = yield from conclude_test(attempt, thrown, obstacle, verdict, table)
    return passed, table


def release_spell(
    arguments: HoldSpell, tests: tuple[int, ...], table: BurningTable
) -> Play[HoldOutcome]:
    """Release the spell; or lose it to a distraction, with Tax at the full obstacle.

    sorcery.coup.distracted; a Failed Casting as well (sorcery.amb.coup_distracted_failed_casting).
    """
    if arguments.distraction:
        broken = InterruptSpell(arguments.casting, arguments.distraction, held=True)
        interrupt, _ = yield from call(interrupted, broken, table)
        return HoldOutcome(False, tests, interrupt=interrupt)
    cast, _ = yield from call(casting, arguments.casting, table)
    return HoldOutcome(True, tests, cast=cast)


PROCEDURES = (Procedure("hold_spell", "Coup de Magie", HoldSpell, hold_spell),)
