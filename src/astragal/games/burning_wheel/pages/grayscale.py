"""The grayscale of a character: tolerances, wounds, what each costs and what ends it.

As plain values (:func:`body_of`), as text for a terminal (:func:`as_text`) and as a picture
(:func:`as_svg`), all from the sheet and the moment alone.
"""

from __future__ import annotations

import textwrap
from html import escape

import msgspec

from astragal.dice import Shade
from astragal.games.game import Arguments, Outcome, Procedure
from astragal.play import Play
from astragal.rules import Options, catalogue

from ..conditions.reflexes import reflexes_left
from ..conditions.wounds import condition, cost, name_of, pain
from ..injury.bleeding import is_bleeding, may_bleed, time_left
from ..injury.healing_tables import failed_hours, recovery_of
from ..injury.treatment import obstacle_for
from ..sheet.durations import say_duration
from ..sheet.parts import Wound, WoundLevel
from ..sheet.ratings import STEPS, Coordinate
from ..sheet.scene import BurningTable
from ..sheet.sheet import Sheet


class WoundState(msgspec.Struct, frozen=True):
    """One wound, as it is shown: what it costs, its state, and what would end it."""

    number: int
    name: str
    level: str
    at: tuple[str, ...]
    source: str
    dice: int
    obstacle: int
    state: str
    stops: str


class BodyState(Outcome, frozen=True):
    """All wounds together: what they cost, and the character's condition.

    ``actions`` is what is left of Reflexes, where the sheet has them.
    """

    condition: str
    dice: int
    obstacle: int
    actions: int | None
    wounds: tuple[WoundState, ...]


def body_of(sheet: Sheet, now: int, options: Options) -> BodyState:
    """The state of a character's body at a moment."""
    dice, obstacle = pain(sheet)
    left = None if sheet.find("Reflexes") is None else reflexes_left(sheet, options)
    return BodyState(
        condition=condition(sheet).value,
        dice=sum(line.amount for line in dice),
        obstacle=sum(line.amount for line in obstacle),
        actions=None if left is None else left.total,
        wounds=tuple(
            WoundState(
                number=at + 1,
                name=name_of(wound),
                level=wound.level.value,
                at=tuple(str(step) for step in wound.at),
                source=wound.source,
                dice=-cost(wound),
                obstacle=int(wound.level is WoundLevel.SUPERFICIAL and not wound.borne),
                state=state_of(sheet, at, now, options),
                stops=what_stops(sheet, wound),
            )
            for at, wound in enumerate(sheet.wounds)
        ),
    )


def state_of(sheet: Sheet, index: int, now: int, options: Options) -> str:
    """The state of one wound: bleeding and for how long, staunched, healing, or untreated."""
    wound = sheet.wounds[index]
    if wound.closes:
        heals = wound.returns or wound.treated or wound.course
        left = say_duration(max(0, wound.closes - now))
        return f"heals in {left}" if heals else f"hurts: {left} left"
    if may_bleed(wound) and not is_bleeding(wound, now):
        word = "staunched" if wound.staunched else "tended"
        return f"{word}: {say_duration(wound.held - now)} left"
    bleeds_for = time_left(sheet, index, now, options)
    if bleeds_for is not None:
        what = "dead" if wound.level is WoundLevel.MORTAL else "worse"
        return f"bleeding: {what} in {say_duration(bleeds_for)}"
    if is_bleeding(wound, now):
        return "bleeding"
    return "treated" if wound.treated and not wound.course else "hurts"


def what_stops(sheet: Sheet, wound: Wound) -> str:
    """What would end a wound, or the next step toward that."""
    needs = recovery_of(wound.level)
    health = f"Health Ob {needs.obstacle}"
    if wound.bonus:
        health += f" (+{wound.bonus}D)"
    if wound.closes:
        return "time"
    if not needs.needs_treatment:
        hours = failed_hours(wound.level, sheet) // 3600
        return f"{health}, or {hours} hours"
    if wound.treated:
        return health
    obstacles = {skill: obstacle_for("treatment", wound.level, skill) for skill in KNOWN_BEST}
    skills = [f"{skill} Ob {points}" for skill, points in obstacles.items() if points]
    will = "the Will to Live, " if wound.level is WoundLevel.MORTAL and not wound.will else ""
    return f"{will}treatment ({', '.join(skills)}), then {health}"


KNOWN_BEST = ("Field Dressing", "Herbalism", "Surgery")
"""One skill for each column of the obstacles; the others are like one of them."""


# --- As text -------------------------------------------------------------------------------


def shades_to_show(sheet: Sheet) -> tuple[Shade, ...]:
    """The parts of the scale on which anything is marked; black always is one of them."""
    marked = [step for wound in sheet.wounds for step in wound.at]
    if sheet.tolerances is not None:
        marked += [sheet.tolerances.of(level) for level in WoundLevel]
    farthest = max((step.place for step in marked), default=1)
    return tuple(shade for at, shade in enumerate(Shade) if at * STEPS < farthest)


def abbreviation(level: WoundLevel) -> str:
    """Two letters, as on the sheet.

    >>> [abbreviation(level) for level in WoundLevel]
    ['Su', 'Li', 'Mi', 'Se', 'Tr', 'Mo']
    """
    effects = catalogue().table("injury.table.wound_effects")
    return str(effects.value("abbreviation", wound=level.value))


def _tolerance_at(sheet: Sheet, step: Coordinate) -> str:
    if sheet.tolerances is None:
        return ""
    found = [abbreviation(level) for level in WoundLevel if sheet.tolerances.of(level) == step]
    return found[-1] if found else ""


def _marks_at(sheet: Sheet, step: Coordinate) -> int:
    return sum(mark == step for wound in sheet.wounds for mark in wound.at)


def as_text(sheet: Sheet) -> str:
    """The grayscale in three lines for each shade: tolerances, steps, and marks below them."""
    lines = []
    for shade in shades_to_show(sheet):
        steps = [Coordinate.of(shade, number) for number in range(1, STEPS + 1)]
        rows = (
            [_tolerance_at(sheet, step) for step in steps],
            [str(step) for step in steps],
            ["x" * min(3, _marks_at(sheet, step)) or "." for step in steps],
        )
        lines += ["".join(f"{cell:>4}" for cell in row).rstrip() for row in rows]
    return "\n".join(lines)


# --- As a picture --------------------------------------------------------------------------

_STYLE = (
    "text{font:12px system-ui,-apple-system,'Segoe UI',sans-serif;fill:#1f2430}"
    ".title{font-weight:600;font-size:15px}.dim{fill:#667085}.step{stroke:#667085}"
    ".black{fill:#4a5162}.gray{fill:#aab2c0}.white{fill:#fff}.on{fill:#fff}.ink{fill:#1f2430}"
    ".wound{fill:#b42318}.paper{fill:#fff}"
    "@media (prefers-color-scheme:dark){text{fill:#e6e8ee}.dim{fill:#98a2b3}.paper{fill:#14171f}"
    ".on{fill:#fff}.ink{fill:#1f2430}.wound{fill:#f97066}}"
)
_WIDE, _LEFT, _TOP, _ROW, _LINE = 34, 16, 44, 74, 18
_LETTERS = 84


def as_svg(sheet: Sheet, now: int, options: Options) -> str:
    """The grayscale as a picture that stands on its own, with a title and a description in words.

    >>> from astragal.rules import Options
    >>> as_svg(Sheet("Mara"), 0, Options.of("burning_wheel", {})).startswith("<svg ")
    True
    """
    body = body_of(sheet, now, options)
    shades = shades_to_show(sheet)
    lines = [told(shown) for shown in body.wounds] or ["No wounds."]
    written = [part for line in lines for part in _folded(line)]
    width = _LEFT * 2 + _WIDE * STEPS
    below = _TOP + _ROW * len(shades) + _LINE
    height = below + _LINE * len(written)
    parts = [_text(_LEFT, 26, f"{sheet.name}: {_summary(body)}", "title")]
    for row, shade in enumerate(shades):
        for number in range(1, STEPS + 1):
            parts += _step(sheet, Coordinate.of(shade, number), _TOP + _ROW * row)
    parts += [_text(_LEFT, below + _LINE * at, line, "dim") for at, line in enumerate(written)]
    title = escape(f"The grayscale of {sheet.name}")
    words = escape(" ".join([_summary(body), *lines]))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" role="img"><title>{title}</title><desc>{words}</desc>'
        f'<style>{_STYLE}</style><rect class="paper" width="{width}" height="{height}"/>'
        f"{''.join(parts)}</svg>"
    )


def _folded(line: str) -> list[str]:
    """A line in as many as it takes to fit below the scale."""
    return textwrap.wrap(line, _LETTERS, subsequent_indent="\u2003")


def _summary(body: BodyState) -> str:
    return f"{body.dice}D, +{body.obstacle} Ob, {body.condition}"


def told(shown: WoundState) -> str:
    """One wound in a sentence."""
    where = f" at {', '.join(shown.at)}" if shown.at else ""
    by = f" ({shown.source})" if shown.source else ""
    costs = f"{shown.dice}D" if shown.dice else f"+{shown.obstacle} Ob" if shown.obstacle else "0D"
    return f"{shown.number}. {shown.name}{where}{by}: {costs}; {shown.state}; {shown.stops}."


def _step(sheet: Sheet, step: Coordinate, top: int) -> list[str]:
    left = _LEFT + _WIDE * (step.number - 1)
    middle = left + _WIDE / 2
    shade = step.shade.value
    ink = "on" if step.shade is Shade.BLACK else "ink"
    parts = [
        _text(middle, top + 10, _tolerance_at(sheet, step), "", "middle"),
        f'<rect class="step {shade}" x="{left + 2}" y="{top + 16}" width="{_WIDE - 4}" '
        f'height="22" rx="4"/>',
        _text(middle, top + 31, str(step), ink, "middle"),
    ]
    marks = _marks_at(sheet, step)
    for nth in range(marks):
        x = middle + (nth - (marks - 1) / 2) * min(9, _WIDE / marks)
        parts.append(f'<circle class="wound" cx="{x:g}" cy="{top + 48}" r="4"/>')
    return parts


def _text(x: float, y: float, words: str, kind: str, anchor: str = "start") -> str:
    if not words:
        return ""
    name = f' class="{kind}"' if kind else ""
    return f'<text{name} x="{x}" y="{y}" text-anchor="{anchor}">{escape(words)}</text>'


# --- At the table --------------------------------------------------------------------------


class GrayscaleOf(Arguments, frozen=True):
    """Whose grayscale to show."""

    character: str


def grayscale(arguments: GrayscaleOf, table: BurningTable) -> Play[BodyState]:
    """Show a character's wounds: what they cost and what ends them."""
    yield from ()
    sheet = table.character(arguments.character)
    return body_of(sheet, table.scene.calendar.moment, table.options)


PROCEDURES = (Procedure("grayscale", "Grayscale", GrayscaleOf, grayscale),)
