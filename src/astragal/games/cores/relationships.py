"""Relationships: a grade towards a person or a group, and what it does to a test.

The grade adds to the result or takes from it (cores.mod.relationship); from B upwards it also
makes encouragement worth something (:mod:`~astragal.games.cores.assisting`). How grades
change in play is not on the reference sheet.
"""

from __future__ import annotations

from astragal.errors import BadInput
from astragal.play import GM, Line, Option, Step
from astragal.rules import Options, catalogue

from .choices import NONE, pick
from .scene import CoresTable
from .sheet import Sheet, grades, one_of, plain_grade

WARM_ENOUGH = "B"
"""The lowest grade from which encouragement helps (cores.assist.moral_conditions)."""


def relationship_modifier(grade: str, options: Options) -> int:
    """What a grade adds to a result.

    A plus or minus changes nothing, and only stands where the table uses them
    (cores.amb.b_minus).
    """
    plain = plain_grade(grade)
    if plain is None:
        raise BadInput("relationships", grade, f"one of {', '.join(grades())}")
    if plain != grade and options["cores_relationship_grades"] == "plain":
        expected = f"a grade without plus or minus, {plain}"
        raise BadInput("relationships", grade, expected, "cores.amb.b_minus")
    modifier = catalogue().table("cores.table.relationship").value("modifier", grade=plain)
    assert isinstance(modifier, int)
    return modifier


def choose_relationship(sheet: Sheet, proposed: str, options: Options) -> Step[str]:
    """The GM names the one Relationship that would influence the test.

    cores.mod.relationship, cores.amb.several_relationships: one only; and it is the acting
    character's own grade that counts (cores.amb.relationship_direction).
    """
    wanted = own_relationship(proposed, sheet) if proposed else NONE
    offered = tuple(
        Option(
            key=other,
            label=f"{other}, {grade} ({relationship_modifier(grade, options):+d})",
            rule="cores.mod.relationship",
        )
        for other, grade in sheet.relationships.items()
    )
    prompt = f"Relationship ({sheet.name})"
    rule = "cores.mod.relationship"
    return (yield from pick(GM, "relationship", prompt, offered, rule, default=wanted))


def own_relationship(name: str, sheet: Sheet) -> str:
    """The Relationship of that name as the sheet spells it."""
    return one_of(name, sheet.relationships, "relationship", f"a Relationship of {sheet.name}")


def relationship_lines(sheet: Sheet, name: str, options: Options) -> tuple[Line, ...]:
    """The modifier goes on the result, not on a die (cores.mod.relationship)."""
    if not name:
        return ()
    grade = sheet.relationships[name]
    label = f"{name}: {grade}"
    return (Line(relationship_modifier(grade, options), label, "cores.mod.relationship"),)


def check_grades(sheet: Sheet, options: Options) -> None:
    """Refuse a sheet with grades that this table does not use (cores.amb.b_minus)."""
    for grade in sheet.relationships.values():
        relationship_modifier(grade, options)


def grade_towards(character: str, other: str, table: CoresTable) -> str:
    """The grade of a character's Relationship with another, or nothing if there is none."""
    names = {other.casefold(), table.character(other).name.casefold()}
    for name, grade in table.character(character).relationships.items():
        if name.casefold() in names:
            return grade
    return ""


def is_warm(grade: str) -> bool:
    """Whether a grade is B or better; a B- is a B.

    cores.assist.moral_conditions, cores.amb.b_minus.

    >>> is_warm("Critical A"), is_warm("B-"), is_warm("C")
    (True, True, False)
    """
    plain = plain_grade(grade)
    return plain is not None and grades().index(plain) <= grades().index(WARM_ENOUGH)
