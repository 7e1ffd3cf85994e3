"""How notebooks show results: a picture and a plain table, readable without any style sheet."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Protocol


class OddsLine(Protocol):
    """A line of a distribution."""

    @property
    def number(self) -> int:
        """What came up."""
        ...

    @property
    def margin(self) -> int | None:
        """By how much it is beyond what was needed."""
        ...

    @property
    def good(self) -> bool:
        """Whether that is a success."""
        ...

    @property
    def chance(self) -> float:
        """How likely it is."""
        ...

    @property
    def at_least(self) -> float:
        """How likely that or more is."""
        ...


def odds_html(title: str, chance: float, unit: str, rows: Iterable[OddsLine], picture: str) -> str:
    """The odds of a test: the chance, the picture, and the numbers below it."""
    lines = [
        (
            str(row.number),
            "" if row.margin is None else f"{row.margin:+d}",
            "success" if row.good else "",
            f"{row.chance:.1%}",
            f"{row.at_least:.1%}",
        )
        for row in rows
        if row.chance >= 0.0005
    ]
    head = f"<p><strong>{escape(title)}</strong>: {chance:.1%}</p>"
    return head + picture + table((unit, "margin", "", "chance", "at least"), lines)


def table(head: Sequence[str], lines: Iterable[Sequence[str]]) -> str:
    """A table of texts.

    >>> table(("a",), [("<b>",)])
    '<table><thead><tr><th>a</th></tr></thead><tbody><tr><td>&lt;b&gt;</td></tr></tbody></table>'
    """
    heads = "".join(f"<th>{escape(cell)}</th>" for cell in head)
    body = "".join(
        f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in line)}</tr>" for line in lines
    )
    return f"<table><thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table>"
