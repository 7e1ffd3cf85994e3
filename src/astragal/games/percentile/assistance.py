"""Assistance: who may help with a test, and what it brings.

Assistants add to the target number and never roll (percentile.assist.one_roller). Limits that
the GM can lift become questions; the others refuse.
"""

from __future__ import annotations

from enum import Enum

from astragal.errors import BadInput, NotAllowed
from astragal.play import (
    GM,
    Line,
    Option,
    PickSeveral,
    Seat,
    Step,
    ask,
    confirm_aside,
    consent,
    note,
)

from .scene import PercentileTable
from .sheet import Sheet

BONUS = 10
"""What each assistant brings (percentile.assist.bonus)."""

MOST_ASSISTANTS = 2
"""How many can assist one test, unless the GM allows more (percentile.assist.limit)."""


class Action(Enum):
    """What kind of action a test is part of; the two quick ones leave no time for help."""

    ORDINARY = "ordinary"
    REACTION = "reaction"
    FREE_ACTION = "free_action"


class Resistance(Enum):
    """What a test resists; nobody can help with these."""

    NOTHING = "nothing"
    DISEASE = "disease"
    POISON = "poison"
    FEAR = "fear"


def assistance(
    character: str,
    skill: str | None,
    beside: tuple[str, ...],
    over_vox: tuple[str, ...],
    action: Action,
    resists: Resistance,
    table: PercentileTable,
) -> Step[tuple[Line, ...]]:
    """Ask others of the group for help, and count those who may give it.

    ``skill`` is None for a characteristic test, which anybody can assist
    (percentile.amb.assist_untrained_roller). Those with no training in what the GM picks are left
    out (percentile.assist.trained). A task must be complicated or delicate, and the GM must permit
    it (percentile.assist.request).
    """
    check_assistance(character, beside, over_vox, action, resists, table)
    willing = []
    for name in (*beside, *over_vox):
        sheet = table.character(name)
        if skill is not None and not sheet.is_trained(skill):
            yield from note(f"{_untrained(sheet, skill)}.", "percentile.assist.trained")
            continue
        helps = yield from consent(
            sheet.seat(name),
            "assist",
            f"Does {sheet.name} assist {table.character(character).name}?",
            because="percentile.assist.request",
        )
        if helps:
            willing.append(name)
    if not willing:
        return ()
    allowed = yield from _permitted(tuple(willing), over_vox, table)
    seat = table.character(character).seat(character)
    counted = yield from _not_too_many(allowed, seat, table)
    return tuple(
        Line(BONUS, f"{table.character(name).name} assists", "percentile.assist.bonus")
        for name in counted
    )


def _check_names(
    character: str, beside: tuple[str, ...], over_vox: tuple[str, ...], table: PercentileTable
) -> None:
    seen = {character}
    for place, names in (("assistants", beside), ("over_vox", over_vox)):
        for index, name in enumerate(names):
            table.character(name, f"{place}[{index}]")
            if name in seen:
                raise BadInput(
                    f"{place}[{index}]",
                    name,
                    "another character, named once",
                    "percentile.assist.request",
                )
            seen.add(name)


def check_assistance(
    character: str,
    beside: tuple[str, ...],
    over_vox: tuple[str, ...],
    action: Action,
    resists: Resistance,
    table: PercentileTable,
) -> None:
    """Refuse help that nobody could give, whatever is tested."""
    if not beside and not over_vox:
        return
    _check_names(character, beside, over_vox, table)
    if action is not Action.ORDINARY:
        what = "a Reaction" if action is Action.REACTION else "a Free Action"
        raise NotAllowed(f"Nobody can assist with {what}", "percentile.assist.no_reactions")
    if resists is not Resistance.NOTHING:
        what = "Fear" if resists is Resistance.FEAR else resists.value
        raise NotAllowed(
            f"Nobody can assist a test to resist {what}", "percentile.assist.no_resistance"
        )
    for name in beside:
        sheet = table.character(name)
        if not table.scene.are_beside(character, name):
            here, there = table.scene.places[character], table.scene.places[name]
            raise NotAllowed(
                f"{sheet.name} is not beside {table.character(character).name} "
                f"({there}, not {here}); name them over vox if the GM allows it",
                "percentile.assist.adjacent",
            )


def check_trained(skill: str, assistants: tuple[str, ...], table: PercentileTable) -> None:
    """Refuse to ask those who cannot help with a skill (percentile.assist.trained)."""
    for name in assistants:
        sheet = table.character(name)
        if not sheet.is_trained(skill):
            raise NotAllowed(_untrained(sheet, skill), "percentile.assist.trained")


def _untrained(sheet: Sheet, skill: str) -> str:
    return f"{sheet.name} is not trained in {skill} and cannot assist with it"


def _permitted(
    willing: tuple[str, ...], over_vox: tuple[str, ...], table: PercentileTable
) -> Step[tuple[str, ...]]:
    """The GM's word on each: by default those beside count, and those over vox do not.

    percentile.assist.request, percentile.assist.adjacent; what the GM finds unsuitable gets no
    help at all (percentile.assist.no_resistance).
    """
    options = tuple(
        Option(
            key=name,
            label=table.character(name).name,
            rule="percentile.assist.adjacent" if name in over_vox else "percentile.assist.bonus",
            note="over vox" if name in over_vox else "",
        )
        for name in willing
    )
    return (
        yield from ask(
            GM,
            "allow_assistance",
            "Whose assistance counts? The task must be complicated or delicate.",
            PickSeveral(
                options=options, default=tuple(name for name in willing if name not in over_vox)
            ),
            because="percentile.assist.request",
            kind="consent",
        )
    )


def _not_too_many(
    allowed: tuple[str, ...], seat: Seat, table: PercentileTable
) -> Step[tuple[str, ...]]:
    """Two at most, unless the task is one for many hands (percentile.assist.limit)."""
    if len(allowed) <= MOST_ASSISTANTS:
        return allowed
    more = yield from confirm_aside(
        GM,
        "more_than_two",
        f"Allow more than two assistants? ({len(allowed)} want to help)",
        because="percentile.assist.limit",
    )
    if more:
        return allowed
    options = tuple(
        Option(key=name, label=table.character(name).name, rule="percentile.assist.limit")
        for name in allowed
    )
    return (
        yield from ask(
            seat,
            "assistants",
            "Which two assist?",
            PickSeveral(options=options, most=MOST_ASSISTANTS, default=allowed[:MOST_ASSISTANTS]),
            because="percentile.assist.limit",
        )
    )
