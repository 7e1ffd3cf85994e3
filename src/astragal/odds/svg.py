"""Small pictures as SVG: a bar chart, a heat map, and what other pictures are made of.

They stand on their own, in a page or a file: colours follow the reader's light or dark
setting, no font or script is fetched, and each has a title and a description in words.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape

import msgspec

LIGHT = {
    "ink": "#221f1a",
    "dim": "#625b50",
    "good": "#1f6b3a",
    "half": "#6ba37d",
    "plain": "#a0968a",
    "line": "#857b6b",
    "paper": "#fffdf9",
}
"""The colours of the page by day, and of its cards as the paper."""
DARK = {
    "ink": "#ece6dc",
    "dim": "#ada494",
    "good": "#7fcf97",
    "half": "#4c8a60",
    "plain": "#7c7467",
    "line": "#8d8475",
    "paper": "#211e1a",
}
"""The same in the dark."""


def _coloured(colours: Mapping[str, str]) -> str:
    """Plain classes and no variables, so that simple viewers can draw the pictures, too."""
    fills = "".join(f".{kind}{{fill:{colours[kind]}}}" for kind in _FILLED)
    return f"text{{fill:{colours['ink']}}}{fills}.line{{stroke:{colours['line']}}}"


_FILLED = ("dim", "good", "half", "plain", "paper")
_STYLE = (
    "text{font:13px system-ui,-apple-system,'Segoe UI',sans-serif}"
    ".title{font-weight:600;font-size:15px}.dim{font-size:12px}"
    f"{_coloured(LIGHT)}@media (prefers-color-scheme:dark){{{_coloured(DARK)}}}"
)


class Bar(msgspec.Struct, frozen=True):
    """One bar: what it stands for, how high it is (0 to 1), and whether it is what is wanted."""

    label: str
    chance: float
    good: bool


def bar_chart(bars: Sequence[Bar], *, title: str, axis: str) -> str:
    """A chart of upright bars, each with its chance written over it.

    >>> picture = bar_chart([Bar("0", 0.5, False), Bar("1", 0.5, True)], title="A coin", axis="n")
    >>> picture.startswith("<svg "), picture.count("<rect")
    (True, 3)
    """
    step, high, left, top = 46, 180, 24, 62
    width = max(left * 2 + step * len(bars), _width_of_title(title) + left * 2)
    height = top + high + 62
    most = max((bar.chance for bar in bars), default=1.0) or 1.0
    parts = [text_at(left, 28, title, "title")]
    base = top + high
    for place, bar in enumerate(bars):
        x = left + step * place
        tall = max(1.0, high * bar.chance / most)
        kind = "good" if bar.good else "plain"
        parts.append(
            f'<rect class="{kind}" x="{x + 5}" y="{base - tall:.1f}" width="{step - 10}" '
            f'height="{tall:.1f}" rx="2"><title>{escape(bar.label)}: {escape(_percent(bar.chance))}'
            f"</title></rect>"
        )
        middle = x + step / 2
        parts.append(text_at(middle, base - tall - 5, _percent(bar.chance), "dim", "middle"))
        parts.append(text_at(middle, base + 18, bar.label, "", "middle"))
    right = left + step * len(bars)
    parts.append(
        f'<line class="line" x1="{left}" y1="{base + 0.5}" x2="{right}" y2="{base + 0.5}"/>'
    )
    parts.append(text_at(left + 5, base + 42, f"{axis} (success in green)", "dim"))
    told = "; ".join(f"{bar.label}: {_percent(bar.chance)}" for bar in bars)
    return drawing(width, height, title, f"Bars by {axis}. {told}.", parts)


def heat_map(
    cells: Sequence[Sequence[float]],
    *,
    title: str,
    rows: tuple[str, Sequence[str]],
    columns: tuple[str, Sequence[str]],
    shades: Sequence[Sequence[float]] | None = None,
) -> str:
    """A grid of chances: the greener a cell, the likelier; each with its number.

    ``rows`` and ``columns`` are what varies, and its values; ``shades`` say where each cell is on
    the scale of colours, if that is not its chance.

    >>> dice, ob = ("dice", ["1", "2"]), ("ob", ["1"])
    >>> "90%" in heat_map([[0.1, 0.9]], title="Chances", rows=ob, columns=dice)
    True
    """
    row_name, row_labels = rows
    column_name, column_labels = columns
    wide, high, left, top = 48, 28, 24, 84
    head = max(_width_of(label) for label in (row_name, *row_labels)) + 14
    width = max(left * 2 + head + wide * len(column_labels), _width_of_title(title) + left * 2)
    height = top + high * len(row_labels) + 24
    parts = [text_at(left, 28, title, "title")]
    parts.append(text_at(left + head + 4, 54, column_name, "dim"))
    parts.append(text_at(left + head - 10, top - 8, row_name, "dim", "end"))
    for place, label in enumerate(column_labels):
        x = left + head + wide * place + wide / 2
        parts.append(text_at(x, top - 8, label, "", "middle"))
    lines = zip(row_labels, cells, shades or cells, strict=True)
    for down, (label, line, shaded) in enumerate(lines):
        y = top + high * down
        parts.append(text_at(left + head - 10, y + 18.5, label, "", "end"))
        for across, (chance, shade) in enumerate(zip(line, shaded, strict=True)):
            x = left + head + wide * across
            back, ink = shade_of(shade)
            about = f"{row_name} {label}, {column_name} {column_labels[across]}: {_percent(chance)}"
            parts.append(
                f'<rect x="{x + 1}" y="{y + 1}" width="{wide - 2}" height="{high - 2}" rx="2" '
                f'style="fill:{back}"><title>{escape(about)}</title></rect>'
                f'<text x="{x + wide / 2}" y="{y + 18.5}" text-anchor="middle" '
                f'style="fill:{ink}">{escape(_short(chance))}</text>'
            )
    told = f"Chances by {row_name} (down) and {column_name} (across)."
    return drawing(width, height, title, told, parts)


_SCALE = ((178, 58, 72), (226, 150, 120), (240, 226, 196), (134, 194, 146), (31, 115, 74))
"""From red over sand to green: told apart by lightness too, readable on light and dark."""


def shade_of(chance: float) -> tuple[str, str]:
    """The colour of a chance on the scale from red to green, and of the ink upon it.

    >>> shade_of(0.0), shade_of(0.5)
    (('#b23a48', '#ffffff'), ('#f0e2c4', '#1f2430'))
    """
    place = min(max(chance, 0.0), 1.0) * (len(_SCALE) - 1)
    below = min(int(place), len(_SCALE) - 2)
    part = place - below
    low, high = _SCALE[below], _SCALE[below + 1]
    red, green, blue = (round(a + (b - a) * part) for a, b in zip(low, high, strict=True))
    light = 0.3 * red + 0.59 * green + 0.11 * blue > 130
    return f"#{red:02x}{green:02x}{blue:02x}", "#1f2430" if light else "#ffffff"


def drawing(width: float, height: float, title: str, told: str, parts: Iterable[str]) -> str:
    """A whole picture: its size, its title, what it says in words, and its parts."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" '
        f'width="{width:.0f}" height="{height:.0f}" role="img">'
        f"<title>{escape(title)}</title><desc>{escape(told)}</desc><style>{_STYLE}</style>"
        f'<rect class="paper" width="100%" height="100%"/>{"".join(parts)}</svg>\n'
    )


def text_at(x: float, y: float, text: str, kind: str = "", anchor: str = "start") -> str:
    """A text in a picture, in the style of its kind: title, dim, or plain."""
    placed = f' text-anchor="{anchor}"' if anchor != "start" else ""
    classed = f' class="{kind}"' if kind else ""
    return f'<text x="{x:g}" y="{y:g}"{classed}{placed}>{escape(text)}</text>'


def _width_of(text: str) -> float:
    """About how wide a text is, for want of the reader's font."""
    return 8.2 * len(text)


def _width_of_title(text: str) -> float:
    """The same of a title, which is larger and bold."""
    return 9.5 * len(text)


def _percent(chance: float) -> str:
    if 0 < chance < 0.0005:
        return "<0.1%"
    return f"{chance:.1%}"


def _short(chance: float) -> str:
    if 0 < chance < 0.005:
        return "<1%"
    if 0.995 <= chance < 1:
        return ">99%"
    return f"{chance:.0%}"
