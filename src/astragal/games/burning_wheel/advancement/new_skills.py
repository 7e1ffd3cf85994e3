"""Learning new skills: roots, Aptitude, and the moment a skill opens.

Tests toward a skill that a character does not have come from Beginner's Luck
(``advancement/log``), from practice and from instruction; here is what they add up to. Which
roots a skill has is on the sheets of those who know or learn it (advancement.new_skill.root),
because the lists of skills are in another book.
"""

from __future__ import annotations

from functools import cache

import msgspec

from astragal.play import Line, Step, Tally, note, path_of
from astragal.rules import Options, catalogue

from ..sheet.parts import Learning, SkillAbility
from ..sheet.ratings import Rating
from ..sheet.scene import BurningTable
from ..sheet.shades import CombinedStats, about, combined
from ..sheet.sheet import Sheet

APTITUDE = 10
"""The number from which the root is subtracted."""


def root_of(sheet: Sheet, roots: tuple[str, ...], options: Options) -> CombinedStats:
    """The roots of a skill together: their darkest shade, and the sum of their exponents.

    Where their shades differ, it is more (shades.root.darker, shades.root.plus_two).
    """
    return combined([sheet.ability(root, "stats").rating for root in roots], options)


def aptitude(sheet: Sheet, roots: tuple[str, ...], options: Options) -> Tally:
    """How many tests it takes to gain a skill: ten less the root, or the average of several.

    advancement.aptitude.single_root, advancement.aptitude.several_roots: the average is rounded
    down (advancement.amb.aptitude_wording). Gray roots take one test less and white ones two,
    if all are (shades.aptitude.gray, shades.aptitude.white); it is never below one
    (shades.amb.aptitude_mixed). The later edition says nothing of several roots, so that this
    holds in both (gold.diff.aptitude_two_roots).
    """
    root = root_of(sheet, roots, options)
    several = len(roots) > 1
    rule = f"advancement.aptitude.{'several_roots' if several else 'single_root'}"
    needed = Tally.of(APTITUDE, "", rule)
    needed += Line(-root.average, " and ".join(roots), rule)
    fewer = about(root.shade).number("aptitude_change")
    if fewer and not root.mixed:
        rule = f"shades.aptitude.{root.shade.value}"
        needed += Line(fewer, f"{root.shade.value} root{'s' if several else ''}", rule)
    if needed.total < 1:
        needed += Line(1 - needed.total, "at least one", "shades.amb.aptitude_mixed")
    return needed


def opening(sheet: Sheet, roots: tuple[str, ...], options: Options) -> Rating:
    """How a new skill begins: with half its root, or half the average of its roots.

    advancement.new_skill.starting_exponent, rounded down (advancement.amb.start_two_roots), in
    the shade of the root (advancement.new_skill.shade). Half of a root of one is none, unless
    the table lets it open at one (advancement.amb.start_root_1).
    """
    root = root_of(sheet, roots, options)
    exponent = root.total // (2 * root.stats)
    if not exponent and options["advancement_open_at_root_1"] == "exponent_1":
        exponent = 1
    return Rating(root.shade, exponent)


@cache
def training_skills() -> frozenset[str]:
    """The Training skills that the book's own characters have.

    >>> "formation fighting" in training_skills(), "sword" in training_skills()
    (True, False)
    """
    rows = catalogue().table("rogues.table.skills").records()
    return frozenset(skill.casefold() for row in rows for skill in row.texts("training"))


def is_training(skill: str, table: BurningTable) -> bool:
    """Whether it is a Training skill, by the book or because somebody has or learns it as one."""
    wanted = skill.casefold()
    return wanted in training_skills() or any(
        wanted in (name.casefold() for name in sheet.training)
        or any(name.casefold() == wanted and each.training for name, each in sheet.learning.items())
        for sheet in table.characters.values()
    )


def learning_of(sheet: Sheet, skill: str) -> tuple[str, Learning | None]:
    """The name under which a sheet learns a skill, whatever its capitals, and what it has so far.

    >>> learning_of(Sheet("Mara", learning={"Bow": Learning(("Agility",), 2)}), "bow")[0]
    'Bow'
    """
    wanted = skill.casefold()
    for name, learning in sheet.learning.items():
        if name.casefold() == wanted:
            return name, learning
    return skill, None


def about_skill(skill: str, roots: tuple[str, ...], table: BurningTable) -> Learning:
    """A skill to be learned, as far as somebody at the table knows what it is like."""
    for sheet in table.characters.values():
        found = sheet.find(skill)
        if found is not None and isinstance(found.ability, SkillAbility):
            known = found.ability
            return Learning(roots, category=known.category, magical=known.magical)
        _, learning = learning_of(sheet, skill)
        if learning is not None:
            return msgspec.structs.replace(learning, roots=roots, tests=0)
    return Learning(roots)


def would_open(sheet: Sheet, skill: str, roots: tuple[str, ...], options: Options) -> bool:
    """Whether one more test opens a skill."""
    _, learning = learning_of(sheet, skill)
    so_far = 0 if learning is None else learning.tests
    return so_far + 1 >= aptitude(sheet, roots, options).total


def learn(
    table: BurningTable, character: str, skill: str, about: Learning, because: str
) -> Step[BurningTable]:
    """Log one test toward a skill, and open it when there are as many as the Aptitude.

    It counts one, passed or failed, whatever its class (advancement.beginner.counts_pass_or_fail,
    advancement.instruction.new_skill).
    """
    sheet = table.character(character)
    name, learning = learning_of(sheet, skill)
    noted = about if learning is None else learning
    after = msgspec.structs.replace(noted, tests=noted.tests + 1)
    path = path_of("learning", name)
    table = yield from table.amend(character, path, after, because=because)
    needed = aptitude(sheet, after.roots, table.options)
    tests = f"{after.tests} of {needed.total} tests (Aptitude {needed})"
    yield from note(f"{sheet.name} is learning {name}: {tests}.", because)
    return (yield from open_what_is_learned(table, character))


def open_what_is_learned(table: BurningTable, character: str) -> Step[BurningTable]:
    """Open every skill whose tests have reached the Aptitude, automatically and at once.

    advancement.new_skill.opens_at_aptitude. A root that rises can bring that about as well.
    """
    sheet = table.character(character)
    for name, learning in sheet.learning.items():
        if learning.tests >= aptitude(sheet, learning.roots, table.options).total:
            table = yield from _open(table, character, name, learning)
    return table


def _open(table: BurningTable, character: str, name: str, learning: Learning) -> Step[BurningTable]:
    """Write a skill on the sheet; from now on it advances like any other.

    advancement.new_skill.then_normal. A Training skill has no exponent: the character simply
    has it (advancement.amb.training_exponent).
    """
    sheet = table.character(character)
    because = "advancement.new_skill.opens_at_aptitude"
    table = yield from table.amend(character, path_of("learning", name), None, because=because)
    if learning.training:
        known = (*sheet.training, name)
        table = yield from table.amend(character, "training", known, because=because)
        yield from note(f"{sheet.name} opens {name}.", because)
        return table
    rating = opening(sheet, learning.roots, table.options)
    skill = SkillAbility(
        rating, roots=learning.roots, category=learning.category, magical=learning.magical
    )
    table = yield from table.amend(character, path_of("skills", name), skill, because=because)
    yield from note(f"{sheet.name} opens {name} at {rating}.", because)
    return table
