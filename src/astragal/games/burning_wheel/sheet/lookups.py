"""Looking something up in a table of the book, one line or all of them, without any test."""

from __future__ import annotations

from collections.abc import Mapping

from astragal.errors import BadInput
from astragal.games.game import Arguments, Outcome
from astragal.play import Step, note


class LookUp(Arguments, frozen=True):
    """Which entry is looked up; without one, the whole table."""

    entry: str = ""


class Entries(Outcome, frozen=True):
    """What the table says, entry by entry."""

    entries: tuple[tuple[str, str], ...]


def look_up(table: Mapping[str, str], entry: str, rule: str) -> Step[Entries]:
    """Tell every entry of a table whose name contains these words."""
    words = entry.strip().casefold()
    found = tuple((name, said) for name, said in table.items() if words in name.casefold())
    if not found:
        raise BadInput("entry", entry, f"one of {'; '.join(table)}", rule)
    for name, said in found:
        yield from note(f"{name[:1].upper()}{name[1:]}: {said}.", rule)
    return Entries(found)
