"""The evening in pictures: luck against the odds, artha earned and spent, tests logged.

Small SVGs that stand on their own, in the page and in the story as a file. Each says in words
what it shows. They are as wide as a phone, so that nothing has to be made smaller there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from html import escape

import msgspec

from astragal.odds.svg import drawing, text_at
from astragal.play import Seat
from astragal.table.story.figures import Flow, LoggedTests, Luck, SessionFigures

WIDTH, EDGE, HEAD = 340, 14, 44
BAR, FULL = 10, WIDTH - 2 * EDGE
LONGEST_NAME = 22


class SessionPicture(msgspec.Struct, frozen=True):
    """One picture: what it is called, what it shows in words, and its SVG."""

    key: str
    title: str
    told: str
    svg: str


class SessionPictures(msgspec.Struct, frozen=True):
    """The pictures of a session."""

    session: int
    pictures: tuple[SessionPicture, ...]


def pictures_of(
    figures: SessionFigures,
    seat_name: Callable[[Seat], str],
    character_name: Callable[[str], str | None],
    purse: str = "Artha",
) -> SessionPictures:
    """Draw what there is to draw; a character without a name for the reader is left out."""
    flow = [(name, f) for f in figures.flow if (name := character_name(f.character))]
    logged = [(name, t) for t in figures.logged if (name := character_name(t.character))]
    luck = [(seat_name(each.seat), each) for each in figures.luck]
    found: list[SessionPicture] = []
    if luck:
        found.append(_luck(luck))
    if flow:
        found.append(_flow(flow, purse))
    if logged:
        found.append(_logged(logged))
    return SessionPictures(figures.number, tuple(found))


# --- Luck ------------------------------------------------------------------------------------


def _luck(rows: list[tuple[str, Luck]]) -> SessionPicture:
    """A bar to the right of the middle for luck, to the left for bad luck."""
    title = "Luck against the odds"
    parts, y, middle = [text_at(EDGE, 26, title, "title")], HEAD, WIDTH / 2
    for name, luck in rows:
        off = float(luck.rank - 1 / 2) if luck.rolls else 0.0
        wide = max(1.0, abs(off) * FULL)
        x = middle if off >= 0 else middle - wide
        parts += _labels(y, name, _rolled(luck))
        parts.append(_bar(x, y + 20, wide, "good" if off >= 0 else "plain", _rank(name, luck)))
        y += 44
    parts.append(f'<line class="line" x1="{middle}" y1="{HEAD + 12}" x2="{middle}" y2="{y - 8}"/>')
    parts.append(text_at(EDGE, y + 8, "worse", "dim"))
    parts.append(text_at(middle, y + 8, "as the odds say", "dim", "middle"))
    parts.append(text_at(WIDTH - EDGE, y + 8, "better", "dim", "end"))
    told = " ".join(f"{_rank(name, luck)}; {_rolled(luck)}." for name, luck in rows)
    return _picture("luck", title, told, y + 20, parts)


def _rank(name: str, luck: Luck) -> str:
    return f"{name} rolled better than {float(luck.rank):.0%} of such rolls on average"


def _rolled(luck: Luck) -> str:
    rolls = _count(luck.rolls, "roll", "rolls")
    if not luck.expected:
        return f"{rolls}, better than {float(luck.rank):.0%}"
    successes = _count(luck.successes, "success", "successes")
    return f"{rolls}, {successes} ({float(luck.expected):.1f} expected)"


# --- Artha and tests -------------------------------------------------------------------------


def _flow(rows: list[tuple[str, Flow]], purse: str) -> SessionPicture:
    """Two bars for each character: what was earned, and below it what was spent."""
    title = f"{purse} earned and spent"
    most = max(max(sum(f.earned.values()), sum(f.spent.values())) for _, f in rows)
    parts, y = [text_at(EDGE, 26, title, "title")], HEAD
    for name, flow in rows:
        parts += _labels(y, name, "")
        for verb, points, kind in (("earned", flow.earned, "good"), ("spent", flow.spent, "plain")):
            y += 18
            wide = FULL * 0.4 * sum(points.values()) / most
            if wide:
                said = f"{name} {verb} {_listed(points)}"
                parts.append(_bar(EDGE, y, wide, kind, said))
            what = _listed(points) if points else "nothing"
            parts.append(text_at(EDGE + wide + (6 if wide else 0), y + 9, f"{verb} {what}", "dim"))
        y += 34
    told = " ".join(
        f"{name} earned {_listed(f.earned) if f.earned else 'nothing'} and spent "
        f"{_listed(f.spent) if f.spent else 'nothing'}."
        for name, f in rows
    )
    return _picture("artha", title, told, y, parts)


def _logged(rows: list[tuple[str, LoggedTests]]) -> SessionPicture:
    """One bar for each character, in parts for the classes of test."""
    title = "Tests logged"
    most = max(sum(t.tests.values()) for _, t in rows)
    classes = list(dict.fromkeys(name for _, t in rows for name in t.tests))
    kinds = dict(zip(classes, ("plain", "half", "good"), strict=False))
    parts, y = [text_at(EDGE, 26, title, "title")], HEAD
    for name, logged in rows:
        parts += _labels(y, name, _listed(logged.tests))
        x: float = EDGE
        for each, count in logged.tests.items():
            wide = FULL * count / most
            said = f"{name}: {count} {each}"
            parts.append(_bar(x, y + 20, max(1.0, wide - 1), kinds.get(each, "good"), said))
            x += wide
        y += 44
    told = " ".join(f"{name} logged {_listed(logged.tests)}." for name, logged in rows)
    return _picture("tests", title, told, y, parts)


# --- What they are made of -------------------------------------------------------------------


def _picture(
    key: str, title: str, told: str, height: float, parts: Iterable[str]
) -> SessionPicture:
    return SessionPicture(key, title, told, drawing(WIDTH, height, title, told, parts))


def _labels(y: float, name: str, says: str) -> list[str]:
    short = name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…"
    return [text_at(EDGE, y + 12, short), text_at(WIDTH - EDGE, y + 12, says, "dim", "end")]


def _bar(x: float, y: float, wide: float, kind: str, said: str) -> str:
    return (
        f'<rect class="{kind}" x="{x:.1f}" y="{y:.1f}" width="{wide:.1f}" height="{BAR}" rx="2">'
        f"<title>{escape(said)}</title></rect>"
    )


def _listed(points: Mapping[str, int]) -> str:
    return ", ".join(f"{count} {name}" for name, count in points.items())


def _count(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"
