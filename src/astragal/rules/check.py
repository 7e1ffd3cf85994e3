"""The faults of a catalogue, all of them together.

Reading an entry refuses what is wrong inside it; this looks at everything at
once and adds what is wrong between entries: links that lead nowhere and options
of one name. The tests require that there are none.
"""

from __future__ import annotations

from collections.abc import Iterator

from astragal.errors import BadInput
from astragal.rules.chapter import Chapter
from astragal.rules.entries import Entry, Example, Reading, Rule
from astragal.rules.lookup import Catalogue


def faults(catalogue: Catalogue) -> list[str]:
    """Everything that is wrong, one line each, in the order of the chapters."""
    chapters = [catalogue.chapter(name) for name in catalogue.chapters]
    known = {piece.id for chapter in chapters for piece in chapter.pieces}
    found: list[str] = []
    options: dict[tuple[str, str], str] = {}
    for chapter in chapters:
        found += chapter.faults_in_ids()
        for entry in _readable(chapter, found):
            found += _dead_links(catalogue, known, entry)
            if isinstance(entry, Reading) and entry.option is not None:
                first = options.setdefault((chapter.system, entry.option), entry.id)
                if first != entry.id:
                    found.append(f"{entry.id}: option {entry.option} is also that of {first}")
    return found


def _readable(chapter: Chapter, found: list[str]) -> Iterator[Entry]:
    """Each entry that can be parsed; the others become faults."""
    for piece in chapter.pieces:
        if not piece.id:
            continue  # named already among the faults in ids
        try:
            yield piece.parse()
        except BadInput as fault:
            found.append(f"{piece.id}: {fault.expected}")


def _dead_links(catalogue: Catalogue, known: set[str], entry: Entry) -> Iterator[str]:
    if isinstance(entry, Example):
        for name in entry.rules:
            if name not in known:
                yield f"{entry.id}: cites {name}, which is not in the catalogue"
    mentioned = catalogue.mentions.in_text("\n".join(entry.prose))
    if isinstance(entry, Rule) and entry.points_elsewhere and not mentioned:
        yield f"{entry.id}: begins with See and names no entry"
    for name in mentioned:
        family = name.removesuffix("*")
        alive = (
            any(other.startswith(family) for other in known) if family != name else name in known
        )
        if not alive and not (isinstance(entry, Example) and name in entry.rules):
            yield f"{entry.id}: mentions {name}, which is not in the catalogue"
