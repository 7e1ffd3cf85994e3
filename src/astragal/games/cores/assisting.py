"""Assisting a test: direct support and moral support (cores.assist.present).

Each who is asked gives one of the two or neither; both kinds may count on one test
(cores.amb.direct_and_moral). Assistants risk nothing, even in a crucial test
(cores.crucial.assistants_safe).
"""

from __future__ import annotations

from astragal.errors import BadInput, NotAllowed
from astragal.play import GM, Line, Option, PickSeveral, Step, ask, choose, note

from .choices import NONE
from .relationships import grade_towards, is_warm, relationship_modifier
from .scene import CoresTable, present

MOST_DIRECT_SUPPORT = 2
"""However many lend a hand (cores.assist.direct)."""

DIRECT, MORAL = "direct", "moral"


def check_helpers(
    character: str, helpers: tuple[str, ...], table: CoresTable, opponent: str = ""
) -> None:
    """Only others who are in the scene can assist (cores.assist.present)."""
    for name in helpers:
        sheet = table.character(name, "helpers")
        if name in (character, opponent) or helpers.count(name) > 1:
            raise BadInput("helpers", name, "another character in the scene, named once")
        if not present(name, table):
            raise NotAllowed(
                f"{sheet.name} is not in the scene and cannot help", "cores.assist.present"
            )


def support(character: str, helpers: tuple[str, ...], table: CoresTable) -> Step[tuple[Line, ...]]:
    """Ask each helper how they help, and count it."""
    name = table.character(character).name
    direct, moral = [], []
    for helper in helpers:
        sheet = table.character(helper)
        options = (
            Option(key=NONE, label="No help", rule="cores.assist.present"),
            Option(key=DIRECT, label="Direct support", rule="cores.assist.direct", note="+1"),
            Option(key=MORAL, label="Moral support", rule="cores.assist.moral"),
        )
        how = yield from choose(
            sheet.seat(helper),
            "support",
            f"Help from {sheet.name} for {name}",
            options,
            default=NONE,
            because="cores.assist.present",
        )
        if how == DIRECT:
            direct.append(helper)
        elif how == MORAL:
            moral.append(helper)
    lines: tuple[Line, ...] = ()
    if direct:
        names = ", ".join(table.character(helper).name for helper in direct)
        amount = min(len(direct), MOST_DIRECT_SUPPORT)
        lines += (Line(amount, f"direct support: {names}", "cores.assist.direct"),)
    if moral:
        lines += yield from _moral_support(character, tuple(moral), table)
    return lines


def _moral_support(
    character: str, helpers: tuple[str, ...], table: CoresTable
) -> Step[tuple[Line, ...]]:
    """The best bonus of one, and only one, who means it and whose player acts it out.

    cores.assist.moral, cores.assist.moral_conditions. It is the supporter's grade towards the
    acting character that counts (cores.amb.relationship_direction).
    """
    options = tuple(
        Option(key=helper, label=table.character(helper).name, rule="cores.assist.moral_conditions")
        for helper in helpers
    )
    acted_out = yield from ask(
        GM,
        "acted_out",
        "Whose moral support is acted out?",
        PickSeveral(options=options, default=helpers),
        because="cores.assist.moral_conditions",
        kind="consent",
    )
    bonus = {
        helper: relationship_modifier(grade, table.options)
        for helper in acted_out
        if (grade := grade_towards(helper, character, table)) and is_warm(grade)
    }
    if not bonus:
        yield from note(
            "No moral support counts: it takes a grade of B or better, acted out.",
            "cores.assist.moral_conditions",
        )
        return ()
    best = max(bonus, key=lambda helper: bonus[helper])
    label = f"moral support: {table.character(best).name}"
    return (Line(bonus[best], label, "cores.assist.moral"),)
