"""The body on the page: the grayscale with its tolerances and wounds, and what it all costs.

Every figure is that of :mod:`~astragal.games.burning_wheel.grayscale` and
:mod:`~astragal.games.burning_wheel.wounds`.
"""

from __future__ import annotations

from astragal.games.burning_wheel.grayscale import Body, body_of, shades_to_show
from astragal.games.burning_wheel.parts import Level
from astragal.games.burning_wheel.ratings import STEPS, Coordinate
from astragal.games.burning_wheel.scene import BurningTable
from astragal.games.burning_wheel.sheet import Sheet
from astragal.games.burning_wheel.wounds import Condition, name_of
from astragal.games.page import Pen, Row, Section, Step

LEVELS = tuple(level.value for level in Level)


def condition_of(sheet: Sheet, table: BurningTable) -> Body:
    """How a character's body is now, by the campaign's calendar."""
    return body_of(sheet, table.scene.calendar.moment, table.options)


def body_badges(sheet: Sheet, key: str, table: BurningTable) -> tuple[Row, ...]:
    """Wounds, and whatever keeps somebody from acting, as far as there is any of it."""
    body = condition_of(sheet, table)
    found = []
    if body.dice or body.obstacle:
        found.append(Row("Wounds", _costs(body), rule="injury.dice.cumulative"))
    if body.condition != Condition.FIT.value:
        found.append(Row("Condition", body.condition))
    for left in table.scene.hesitating:
        if left.character == key and left.heartbeats:
            how = left.reaction.replace("_", " ")
            found.append(
                Row("Hesitates", f"{left.heartbeats}", note=how, rule="steel.hesitation.heartbeat")
            )
    return tuple(found)


def _costs(body: Body) -> str:
    """What wounds cost, as it is said: -2D +1 Ob."""
    dice = f"{body.dice}D" if body.dice else ""
    return " ".join(filter(None, (dice, f"+{body.obstacle} Ob" if body.obstacle else "")))


def body_sections(pen: Pen, table: BurningTable) -> tuple[Section, ...]:
    """The grayscale as a track, its wounds as rows, the tolerances, and scars."""
    sheet: Sheet = pen.sheet
    if sheet.tolerances is None and not sheet.wounds:
        return (_scars(pen),)
    body = condition_of(sheet, table)
    steps = tuple(
        _step(sheet, Coordinate.of(shade, number))
        for shade in shades_to_show(sheet)
        for number in range(1, STEPS + 1)
    )
    wounds = tuple(
        pen.row(
            shown.name,
            "wounds",
            at,
            "level",
            value=f"{shown.dice}D" if shown.dice else f"+{shown.obstacle} Ob",
            kind="choice",
            choices=LEVELS,
            note="; ".join(filter(None, (", ".join(shown.at), shown.source, shown.state))),
            rule="injury.ptgs.wound_descriptions",
            entry=2,
        )
        for at, shown in enumerate(body.wounds)
    )
    actions = "" if body.actions is None else f", {body.actions} actions"
    note = f"{_costs(body) or 'unhurt'}, {body.condition}{actions}"
    grayscale = Section(
        "Grayscale",
        "track",
        wounds,
        steps,
        note,
        add="wounds",
        example={"level": "Light", "at": ["B5"]},
    )
    return (grayscale, _tolerances(pen), _scars(pen))


def _step(sheet: Sheet, step: Coordinate) -> Step:
    names: tuple[str, ...] = ()
    if sheet.tolerances is not None:
        names = tuple(level.value for level in Level if sheet.tolerances.of(level) == step)
    marked = tuple(name_of(wound) for wound in sheet.wounds for at in wound.at if at == step)
    return Step(str(step), names, marked)


def _tolerances(pen: Pen) -> Section:
    rule = "injury.ptgs.tolerance_placement"
    rows: tuple[Row, ...] = ()
    if pen.sheet.tolerances is not None:
        rows = tuple(pen.row(level, "tolerances", level.casefold(), rule=rule) for level in LEVELS)
    return Section("Tolerances", "counters", rows)


def _scars(pen: Pen) -> Section:
    return Section("Scars", "list", pen.lines("scars"))
