"""Small pictures in the terminal: a chance as a number, a distribution as bars."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from rich.text import Text

from astragal.dice import Distribution

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
    distribution: Distribution[int], good: Callable[[int], bool], name: str = "successes"
) -> Text:
    """A distribution of whole numbers as bars; what is wanted is solid and marked."""
    picture = Text()
    rare = Fraction(0)
    shown = [(value, distribution.chance(value)) for value in distribution.support]
    highest = max(chance for _, chance in shown)
    width = max(len(str(value)) for value, _ in shown)
    for value, chance in shown:
        if chance < TOO_RARE:
            rare += chance
            continue
        mark = "●" if good(value) else "·"
        style = "bold green" if good(value) else "dim"
        picture.append(f"  {value:>{width}} {mark} ", style=style)
        picture.append(_bar(chance / highest), style="green" if good(value) else "bright_black")
        picture.append(f" {percent(chance)}\n", style=style)
    if rare:
        picture.append(f"  {'other':>{width}}: {percent(rare)}\n", style="dim")
    picture.append(f"  {name}; ● is what is wanted", style="dim")
    return picture


def _bar(share: Fraction) -> str:
    eighths = max(1, round(share * LONGEST_BAR * 8))
    return "█" * (eighths // 8) + _EIGHTHS[eighths % 8].strip()
