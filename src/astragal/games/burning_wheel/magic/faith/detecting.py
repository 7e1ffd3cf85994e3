"""Aura and Faith: seeing that somebody has Faith, or that a prayer is at work."""

from __future__ import annotations

from astragal.errors import BadInput, NotAllowed
from astragal.games.game import Arguments, Outcome, Procedure
from astragal.play import GM, Line, Play, call, note
from astragal.rules import catalogue

from ...sheet.scene import BurningTable
from ...sheet.sheet import Sheet
from ...tests.intent import Declaration
from ...tests.results import StandardOutcome
from .faithful import is_faithful
from .prayer_tables import prayer_named
from .set_obstacles import roll_against

SIGHTS = ("second sight", "magesense")
AURA_READING, PERCEPTION = "Aura Reading", "Perception"
MOST_OBSTACLE = 30


def check_sight(sheet: Sheet, rule: str) -> None:
    """Only Second Sight or Magesense sees such things, as a trait or as a spell in effect."""
    names = {trait.name.casefold() for trait in sheet.traits}
    names |= {spell.name.casefold() for spell in sheet.active_spells}
    if not names.intersection(SIGHTS):
        raise NotAllowed(f"{sheet.name} needs Second Sight or Magesense", rule)


def _listed(what: str, test: str) -> int:
    """The obstacle that the table has; of a prayer what its own is taken from."""
    row = catalogue().table("faith.table.detecting_faith").where(what_code=what, test=test)
    return sum(map(int, row.texts("ob_codes")))


class DetectFaith(Arguments, frozen=True):
    """Who looks at whom, to see whether there is Faith."""

    character: str
    person: str
    helpers: tuple[str, ...] = ()


class FaithDetected(Outcome, frozen=True):
    """Whether the test passed and, if so, whether there is Faith."""

    passed: bool
    has_faith: bool
    test: StandardOutcome


def detect_faith(arguments: DetectFaith, table: BurningTable) -> Play[FaithDetected]:
    """See whether somebody has Faith.

    With Aura Reading it is Ob 1 (faith.aura.detect_with_skill), without it an Ob 2 test of
    Perception (faith.aura.detect_without_skill).
    """
    sheet = table.character(arguments.character)
    other = table.character(arguments.person, "person")
    check_sight(sheet, "faith.aura.detect_with_skill")
    skill = sheet.find(AURA_READING)
    ability = AURA_READING if skill is not None and skill.exponent else PERCEPTION
    rule = f"faith.aura.detect_{'with' if ability == AURA_READING else 'without'}_skill"
    said = Declaration(
        character=arguments.character,
        intent=f"see whether {other.name} has Faith",
        task="reads the aura",
        ability=ability,
        helpers=arguments.helpers,
        target=arguments.person,
    )
    base = Line(_listed("person", ability), "Faith", rule)
    test, _ = yield from call(roll_against, said, base, "nothing is seen", 0, (), table)
    has_faith = test.passed and is_faithful(other)
    if test.passed:
        seen = "has Faith" if has_faith else "does not have Faith"
        seat = sheet.seat(arguments.character)
        yield from note(f"{other.name} {seen}.", rule, seat, GM)
    return FaithDetected(test.passed, has_faith, test)


class DetectPrayer(Arguments, frozen=True):
    """Who looks for the effect of which prayer; ``obstacle`` is its own, where not as listed."""

    character: str
    prayer: str
    obstacle: int = 0
    helpers: tuple[str, ...] = ()


class PrayerDetected(Outcome, frozen=True):
    """Whether the effect of the prayer is noticed, and the test, if there was one."""

    passed: bool
    obstacle: int
    test: StandardOutcome | None = None


def _can_see(character: str, table: BurningTable) -> None:
    check_sight(table.character(character), "faith.aura.detect_effect")


def detect_prayer(arguments: DetectPrayer, table: BurningTable) -> Play[PrayerDetected]:
    """Notice the effect of a prayer, like a spell: Perception at 10 less the prayer's obstacle.

    faith.aura.detect_effect. At 0 it is noticed without a roll (faith.amb.faith_detect_negative).
    """
    rule = "faith.aura.detect_effect"
    sheet = table.character(arguments.character)
    _can_see(arguments.character, table)
    kind = prayer_named(arguments.prayer)
    prayed = arguments.obstacle or kind.obstacles[0]
    if not kind.obstacles[0] <= prayed <= MOST_OBSTACLE:
        expected = f"{kind.obstacles[0]} to {MOST_OBSTACLE}, the obstacle of the prayer"
        raise BadInput("obstacle", arguments.obstacle, expected, rule)
    obstacle = max(0, _listed("prayer", PERCEPTION) - prayed)
    if not obstacle:
        text = f"{sheet.name} notices the {kind.name} at once."
        yield from note(text, "faith.amb.faith_detect_negative")
        return PrayerDetected(True, 0)
    said = Declaration(
        character=arguments.character,
        intent=f"notice the effect of a prayer: {kind.name}",
        task="looks with other eyes",
        ability=PERCEPTION,
        helpers=arguments.helpers,
    )
    base = Line(obstacle, f"10 less Ob {prayed}", rule)
    test, _ = yield from call(roll_against, said, base, "nothing is noticed", 0, (), table)
    return PrayerDetected(test.passed, obstacle, test)


PROCEDURES = (
    Procedure("detect_faith", "Aura: does somebody have Faith?", DetectFaith, detect_faith),
    Procedure(
        "detect_prayer",
        "Notice the effect of a prayer",
        DetectPrayer,
        detect_prayer,
        check=_can_see,
    ),
)
