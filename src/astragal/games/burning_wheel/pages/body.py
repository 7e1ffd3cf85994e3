"""The body on the page: the grayscale with its tolerances and wounds, and what it all costs.

Every figure is that of ``pages/grayscale`` and
``conditions/wounds``.
"""

from __future__ import annotations

from functools import lru_cache

from astragal.games.page import Pen, Row, ScaleStep, Section

from ..conditions.wounds import Condition, name_of, pain, state_of, tolerances_of
from ..sheet.parts import Tolerances, Wound, WoundLevel
from ..sheet.ratings import STEPS, Coordinate, write_hook
from ..sheet.scene import BurningTable
from ..sheet.sheet import Sheet
from .grayscale import body_of, shades_to_show

LEVELS = tuple(level.value for level in WoundLevel)


def body_badges(sheet: Sheet, key: str, table: BurningTable) -> tuple[Row, ...]:
    """Wounds, and what keeps the character from acting, if anything does."""
    found = []
    if costs := _costs(sheet):
        found.append(Row("Wounds", costs, rule="injury.dice.cumulative"))
    state = state_of(table, key)
    if state is not Condition.FIT:
        found.append(Row("Condition", state.value))
    for left in table.scene.hesitating:
        if left.character == key and left.heartbeats:
            how = left.reaction.replace("_", " ")
            found.append(
                Row("Hesitates", f"{left.heartbeats}", note=how, rule="steel.hesitation.heartbeat")
            )
    return tuple(found)


def _costs(sheet: Sheet) -> str:
    """What wounds cost, as it is said: -2D +1 Ob."""
    dice, obstacle = (sum(line.amount for line in lines) for lines in pain(sheet))
    said = (f"{dice}D" if dice else "", f"+{obstacle} Ob" if obstacle else "")
    return " ".join(filter(None, said))


def body_sections(pen: Pen, table: BurningTable) -> tuple[Section, ...]:
    """The grayscale as a track, its wounds as rows, the tolerances, and scars."""
    sheet: Sheet = pen.sheet
    if sheet.tolerances is None and not sheet.wounds:
        return (_scars(pen),)
    # An unhurt body looks the same at any time of the campaign's calendar.
    now = table.scene.calendar.moment if sheet.wounds else 0
    body = body_of(sheet, now, table.options)
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
        )
        for at, shown in enumerate(body.wounds)
    )
    actions = "" if body.actions is None else f", {body.actions} actions"
    note = f"{_costs(sheet) or 'unhurt'}, {body.condition}{actions}"
    grayscale = Section(
        "Grayscale",
        "track",
        wounds,
        _scale(tolerances_of(sheet, table.options), sheet.wounds),
        note,
        add="wounds",
        example={"level": "Light", "at": ["B5"]},
        rule="injury.ptgs.six_tolerances",
    )
    return (grayscale, _tolerances(sheet.tolerances), _scars(pen))


@lru_cache(maxsize=1024)
def _scale(tolerances: Tolerances | None, wounds: tuple[Wound, ...]) -> tuple[ScaleStep, ...]:
    """Every step of the shades on which anything is marked; remembered, as bodies seldom change."""
    shades = shades_to_show(Sheet("", tolerances=tolerances, wounds=wounds))
    return tuple(
        _step(tolerances, wounds, Coordinate.of(shade, number))
        for shade in shades
        for number in range(1, STEPS + 1)
    )


def _step(tolerances: Tolerances | None, wounds: tuple[Wound, ...], step: Coordinate) -> ScaleStep:
    names: tuple[str, ...] = ()
    if tolerances is not None:
        names = tuple(level.value for level in WoundLevel if tolerances.of(level) == step)[-1:]
    marked = tuple(name_of(wound) for wound in wounds for at in wound.at if at == step)
    return ScaleStep(str(step), names, marked)


@lru_cache(maxsize=1024)
def _tolerances(tolerances: Tolerances | None) -> Section:
    rule = "injury.ptgs.tolerance_placement"
    rows: tuple[Row, ...] = ()
    if tolerances is not None:
        pen = Pen(Sheet("", tolerances=tolerances), write_hook)
        rows = tuple(pen.row(level, "tolerances", level.casefold(), rule=rule) for level in LEVELS)
    return Section("Tolerances", "counters", rows, rule=rule, shown="edit")


def _scars(pen: Pen) -> Section:
    return Section("Scars", "list", pen.lines("scars"))
