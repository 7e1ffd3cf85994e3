"""A test from plain numbers: no sheets, no story, just what the odds depend on."""

from __future__ import annotations

from typing import Any, get_type_hints

import msgspec

from astragal.errors import BadInput
from astragal.games.plain_test import PlainTest
from astragal.play import Answer, Ask, answer_in_words
from astragal.rules import Options

from .attempts import Declaration
from .dice import KEEP
from .extended import MOST_TESTS, ExtendedTest
from .modifiers import LARGEST_PART, LIMIT, Modifier, parse_difficulty
from .opposed import OpposedTest
from .scene import MOST, PercentileTable, Scene, SkillDescription
from .sheet import HIGHEST, LOWEST, Sheet, Skill, near
from .tests import Test

ROLLER, OPPONENT = "roller", "opponent"
SKILL = "skill"
MOST_HELP = 20
"""More assistants or re-rolls can only be a typing mistake."""


class PlainNumbers(msgspec.Struct, frozen=True):
    """The numbers that :func:`plain_test` takes."""

    value: int | None = None
    target: int | None = None
    difficulty: str = ""
    modifier: int = 0
    untrained: bool = False
    assistants: int = 0
    rerolls: int = 0
    against: int | None = None
    against_modifier: int = 0
    needed: int | None = None
    tests: int = 20


RANGES = {
    "value": (LOWEST, HIGHEST),
    "target": (LOWEST - LIMIT, HIGHEST + LIMIT),
    "modifier": (-LARGEST_PART, LARGEST_PART),
    "assistants": (0, MOST_HELP),
    "rerolls": (0, MOST_HELP),
    "against": (LOWEST, HIGHEST),
    "against_modifier": (-LARGEST_PART, LARGEST_PART),
    "needed": (1, MOST),
    "tests": (1, MOST_TESTS),
}


def plain_test(**numbers: object) -> PlainTest:
    """The procedure, arguments, table and answers of a test given in plain numbers.

    * ``value``: the characteristic or skill, 1 to 100; or instead, and with nothing further
      but re-rolls and an Extended test, ``target``: the target number itself, -59 to 160.
    * ``difficulty`` (a name of the ladder), ``modifier`` (all circumstances in one number),
      ``untrained`` (true or false), ``assistants`` (how many, as if the GM allowed them all),
      ``rerolls`` (how many special rules allow one).
    * ``against``: the opponent's value, for an Opposed test, and ``against_modifier``.
    * ``needed``: the degrees of success in all, for an Extended test, and ``tests``: the most
      that are made.

    Numbers may also be texts, as they come from a command line.

    >>> from astragal.games.percentile import GAME
    >>> from astragal.play import Scripted, exact
    >>> hard = plain_test(value=45, difficulty="Hard", assistants=1)
    >>> name, arguments, table, answers = hard.parts
    >>> odds = exact(GAME.procedure(name).start(arguments, table), Scripted(answers))
    >>> odds.where(lambda outcome: outcome.passed)
    Fraction(7, 20)
    """
    given = _read(numbers)
    value, rest = _value(given)
    helpers = tuple(f"assistant {number}" for number in range(1, given.assistants + 1))
    said: dict[str, Any] = {
        "character": ROLLER,
        "ability": SKILL,
        "difficulty": parse_difficulty(given.difficulty) if given.difficulty else "",
        "modifiers": _circumstances(given.modifier + rest),
        "assistants": helpers,
        "rerolls": tuple(f"special rule {number}" for number in range(1, given.rerolls + 1)),
    }
    characters = {ROLLER: _somebody(ROLLER, value, trained=not given.untrained)}
    characters |= {name: _somebody(name, value, trained=True) for name in helpers}
    answers: dict[str, Any] = {"more_than_two": True} if given.assistants else {}
    procedure = "test"
    arguments: msgspec.Struct = Test(**said)
    if given.against is not None:
        characters[OPPONENT] = _somebody(OPPONENT, given.against, trained=True)
        modifiers = _circumstances(given.against_modifier)
        other = Declaration(OPPONENT, SKILL, modifiers=modifiers)
        procedure = "opposed_test"
        arguments = OpposedTest((Declaration(**said), other))
    elif given.needed is not None:
        procedure = "extended_test"
        arguments = ExtendedTest(**said, title="the task", tests=given.tests)
        answers["needed"] = given.needed
    scene = Scene(skills={SKILL: SkillDescription(GOVERNING)})
    table: PercentileTable = PercentileTable(characters, scene, Options.of("percentile"))
    return PlainTest(
        procedure=procedure,
        arguments=arguments,
        table=table,
        answers=answers,
        points={"rerolls": given.rerolls} if given.rerolls else {},
        say=_say,
    )


def _say(ask: Ask, answer: Answer) -> str:
    """An answer as players of the game would say it."""
    if ask.key == "reroll":
        return "keep the result" if answer == KEEP.key else f"re-roll ({answer})"
    return answer_in_words(ask, answer)


GOVERNING = "Int"
"""Any characteristic will do for the one skill of a plain test."""


def _read(numbers: dict[str, object]) -> PlainNumbers:
    """The numbers, each read by itself so that a refusal can name it."""
    kinds = get_type_hints(PlainNumbers)
    found: dict[str, Any] = {}
    for name, raw in numbers.items():
        if name not in kinds:
            raise BadInput(name, raw, f"one of {near(name, list(kinds))}")
        try:
            found[name] = msgspec.convert(raw, kinds[name], strict=False)
        except msgspec.ValidationError:
            what = {bool: "true or false", str: "a text"}.get(kinds[name], "a whole number")
            raise BadInput(name, raw, what) from None
        least, most = RANGES.get(name, (None, None))
        if least is not None and found[name] is not None and not least <= found[name] <= most:
            raise BadInput(name, found[name], f"{least} to {most}")
    return PlainNumbers(**found)


def _value(given: PlainNumbers) -> tuple[int, int]:
    """The value on the sheet, and what a bare target number needs on top of it."""
    if (given.value is None) == (given.target is None):
        raise BadInput("value", given.value, "either a value or a target number")
    if given.against is not None and given.needed is not None:
        raise BadInput("needed", given.needed, "an Extended test without an opponent")
    if given.target is None:
        assert given.value is not None
        return given.value, 0
    for name in ("difficulty", "modifier", "untrained", "assistants", "against"):
        if getattr(given, name) not in (None, "", 0):
            expected = "nothing beside a target number, which already includes it"
            raise BadInput(name, getattr(given, name), expected, "percentile.core.target")
    value = min(HIGHEST, max(LOWEST, given.target))
    return value, given.target - value


def _circumstances(amount: int) -> tuple[Modifier, ...]:
    return (Modifier("circumstances", amount),) if amount else ()


def _somebody(name: str, value: int, *, trained: bool) -> Sheet:
    skill = Skill(GOVERNING, training=int(trained))
    return Sheet(name.capitalize(), characteristics={GOVERNING: value}, skills={SKILL: skill})
