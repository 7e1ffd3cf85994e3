"""Small pictures in the terminal: a chance as a number, a distribution as bars."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from rich.table import Table as Grid
from rich.text import Text

from astragal.dice import Distribution

if TYPE_CHECKING:
    from astragal.odds import OddsRow, Sweep

_EIGHTHS = " ▏▎▍▌▋▊▉█"
LONGEST_BAR = 40
TOO_RARE = Fraction(1, 2000)
"""Rarer outcomes are gathered into one line at the end."""


def percent(chance: Fraction) -> str:
    """A chance as people say it; never 0% for what can happen, nor 100% for what can fail.

    >>> percent(Fraction(1, 3)), percent(Fraction(0)), percent(Fraction(1, 10**6))
    ('33.3%', '0%', '<0.1%')
    """
    if chance in (0, 1):
        return f"{int(chance) * 100}%"
    shown = float(chance) * 100
    if shown < 0.05:
        return "<0.1%"
    if shown > 99.95:
        return ">99.9%"
    return f"{shown:.1f}%"


def bars(
    distribution: Distribution[int],
    good: Callable[[int], bool],
    name: str = "successes",
    *,
    screen_width: int = 80,
) -> Text:
    """A distribution of whole numbers as bars; what is wanted is solid and marked."""
    picture = Text()
    rare = Fraction(0)
    shown = [(value, distribution.chance(value)) for value in distribution.support]
    highest = max(chance for _, chance in shown)
    width = max(len(str(value)) for value, _ in shown)
    longest = max(1, min(LONGEST_BAR, screen_width - width - len("   ●  >99.9%")))
    for value, chance in shown:
        if chance < TOO_RARE:
            rare += chance
            continue
        mark = "●" if good(value) else "·"
        style = "bold green" if good(value) else "dim"
        picture.append(f"  {value:>{width}} {mark} ", style=style)
        bar = _bar(chance / highest, longest)
        picture.append(bar, style="green" if good(value) else "bright_black")
        picture.append(f" {percent(chance)}\n", style=style)
    if rare:
        picture.append(f"  {'other':>{width}}: {percent(rare)}\n", style="dim")
    picture.append(f"  {name} (● success)", style="dim")
    return picture


def chance_table(rows: Sequence[OddsRow], unit: str, width: int) -> Grid:
    """Every number with its margin, its chance, the chance of it or more, and a bar."""
    margins = any(row.margin is not None for row in rows)
    grid = Grid(box=None, padding=(0, 1), pad_edge=True, header_style="dim")
    grid.add_column("")
    names = [unit, *(["margin"] if margins else []), "chance", "at least"]
    for name in names:
        grid.add_column(name, justify="right", no_wrap=True)
    grid.add_column("")
    shown = [row for row in rows if row.chance >= TOO_RARE]
    highest = Fraction(max(row.chance for row in rows))
    longest = max(8, min(LONGEST_BAR, width - sum(len(name) + 2 for name in names) - 8))
    for row in shown:
        style = "green" if row.good else "bright_black"
        margin = "" if row.margin is None else f"{row.margin:+d}" if row.margin else "0"
        number = f"{row.number:+d}" if unit in ("margin", "degrees") and row.number else row.number
        cells = [str(number), *([margin] if margins else [])]
        cells += [percent(Fraction(row.chance)), percent(Fraction(row.at_least))]
        bar = Text(_bar(Fraction(row.chance) / highest, longest), style=style)
        mark = Text("●" if row.good else "·", style=style)
        grid.add_row(mark, *cells, bar, style="" if row.good else "dim")
    rare = sum(row.chance for row in rows if row.chance < TOO_RARE)
    if rare:
        blank = [""] * (len(names) - 3)
        grid.add_row("", "other", *blank, percent(Fraction(rare)), "", "", style="dim")
    return grid


def labelled_bars(pairs: Sequence[tuple[str, Fraction]], name: str, width: int) -> Grid:
    """Chances side by side, each drawn against certainty."""
    grid = Grid(box=None, padding=(0, 1), header_style="dim")
    grid.add_column(name, justify="right")
    grid.add_column("chance", justify="right")
    grid.add_column("")
    longest = max(8, min(LONGEST_BAR, width - len(name) - 14))
    for label, chance in pairs:
        bar = Text(_bar(chance, longest) if chance else "", style="green")
        grid.add_row(label, percent(chance), bar)
    return grid


def heat_map(sweep: Sweep, width: int) -> list[Grid | Text]:
    """A sweep of two numbers in whole percents, greener where better; in blocks if it is wide."""
    from astragal.odds.svg import shade_of

    assert sweep.down is not None
    head = f"{sweep.down.name} \\ {sweep.across.name}"
    labels = [str(value) for value in sweep.across.values]
    wide = max(4, *(len(label) for label in labels)) + 2
    fit = max(1, (width - len(head) - 3) // wide)
    blocks: list[Grid | Text] = []
    for start in range(0, len(labels), fit):
        grid = Grid(box=None, padding=(0, 0), header_style="dim", pad_edge=False)
        grid.add_column(f"{head} ", justify="right", style="dim", no_wrap=True)
        for label in labels[start : start + fit]:
            grid.add_column(label, justify="right", min_width=wide, no_wrap=True)
        for value, line, shades in zip(sweep.down.values, sweep.cells, sweep.shades, strict=True):
            cells = []
            shown = slice(start, start + fit)
            for chance, shade in zip(line[shown], shades[shown], strict=True):
                back, ink = shade_of(shade)
                cells.append(Text(f"{_whole_percent(chance):>{wide - 1}} ", f"{ink} on {back}"))
            grid.add_row(f"{value} ", *cells)
        blocks += [Text(), grid] if blocks else [grid]
    return blocks


def _whole_percent(chance: Fraction) -> str:
    """A chance in whole percents, never 0 for what can happen nor 100 for what can fail."""
    if 0 < chance < Fraction(1, 200):
        return "<1%"
    if Fraction(199, 200) <= chance < 1:
        return ">99%"
    return f"{float(chance):.0%}"


def _bar(share: Fraction, longest: int = LONGEST_BAR) -> str:
    eighths = max(1, round(share * longest * 8))
    return "█" * (eighths // 8) + _EIGHTHS[eighths % 8].strip()
