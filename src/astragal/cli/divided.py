"""How the best scripts of a solved duel divide their Rebuttals, on the screen and as data."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import RenderableType

    from astragal.lab.divisions import DividedScript
    from astragal.lab.duel_game import Bodies
    from astragal.lab.solved_duel import SolvedDuel

Row = tuple[str, str]
"""What the other side shows, and how the dice are divided then."""


def divided_table(
    solved: SolvedDuel, side: int, bodies: Bodies, position: int
) -> RenderableType | None:
    """How a side divides its Rebuttals, by what the other side may show; nothing if it has none.

    In the second volley it may depend on what was lost in the first and on what is carried over.
    """
    from fractions import Fraction

    from rich.table import Table as Grid

    from astragal.cli.charts import percent
    from astragal.lab.divisions import divided_scripts
    from astragal.lab.solved_duel import script_in_words

    name, other = solved.names[side], solved.names[1 - side]
    rivals = [cards for cards, _ in solved.scripts(1 - side, bodies, position)]
    may_show = {cards[:many] for cards in rivals for many in (1, 2)}
    grid = Grid(box=None, pad_edge=False, header_style="dim")
    grid.add_column(f"{name}: Rebuttals", no_wrap=True)
    grid.add_column(f"{other} shows")
    grid.add_column("defence + riposte")
    for script in divided_scripts(solved, side, bodies, position):
        share = percent(Fraction(script.weight).limit_denominator(10**9))
        head = f"{script_in_words(script.cards)} ({share})"
        for shown, dice in _rows(script, may_show):
            grid.add_row(head, shown, dice)
            head = ""
    head = "With one volley left here"
    for shown, dice in _last_rows(solved, side, bodies, position):
        grid.add_row(head, shown, dice)
        head = ""
    return grid if grid.row_count else None


def _rows(script: DividedScript, may_show: set[tuple[str, ...]]) -> list[Row]:
    found: dict[tuple[str, ...], dict[tuple[int, int], None]] = {}
    for each in script.divisions:
        if each.shown in may_show:
            found.setdefault(each.shown, {})[each.defence, each.riposte] = None
    return _merged(
        (shown, " or ".join(_dice(*pair) for pair in sorted(ways))) for shown, ways in found.items()
    )


def _last_rows(solved: SolvedDuel, side: int, bodies: Bodies, position: int) -> list[Row]:
    from astragal.lab.divisions import last_divisions

    found: dict[tuple[str, ...], list[str]] = {}
    for each in last_divisions(solved, side, bodies, position):
        dice = _dice(each.defence, each.riposte)
        drawn = dice if each.chance == 1 else f"{each.chance:.1%} {dice}"
        found.setdefault((each.meets,), []).append(drawn)
    return _merged((shown, ", ".join(dice)) for shown, dice in found.items())


def _merged(rows: Iterable[tuple[tuple[str, ...], str]]) -> list[Row]:
    """One row for all cards that are met in the same way, after the same cards."""
    from astragal.games.burning_wheel.conflicts.duel_of_wits.actions import label

    found: dict[tuple[tuple[str, ...], str], list[str]] = {}
    for (*before, meets), dice in rows:
        found.setdefault((tuple(before), dice), []).append(label(meets))
    return [
        (", then ".join([*map(label, before), _any_of(meets)]), dice)
        for (before, dice), meets in found.items()
    ]


def _any_of(names: list[str]) -> str:
    """One of several, as it is said.

    >>> _any_of(["Dismiss", "Feint", "Point"])
    'Dismiss, Feint or Point'
    """
    *others, last = names
    return f"{', '.join(others)} or {last}" if others else last


def _dice(defence: int, riposte: int) -> str:
    return f"{defence}D + {riposte}D"


def divided_data(solved: SolvedDuel, side: int, bodies: Bodies, position: int) -> dict[str, Any]:
    """Everything that the plans of a side say, for programs."""
    from astragal.lab.divisions import divided_scripts, last_divisions

    return {
        "scripts": [
            {
                "cards": script.cards,
                "chance": script.weight,
                "splits": [
                    {**each._asdict(), "position": solved.position_in_words(each.position)}
                    for each in script.divisions
                ],
            }
            for script in divided_scripts(solved, side, bodies, position)
        ],
        "last_volley": [each._asdict() for each in last_divisions(solved, side, bodies, position)],
    }
