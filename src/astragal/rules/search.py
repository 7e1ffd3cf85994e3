"""Finding entries by words.

Every word must occur, as the beginning of a word, somewhere in the entry. What
is asked for as a phrase, and what stands in an id, comes first. There is no
stemming and no index: the catalogue is small, and only entries whose raw text
holds all words are parsed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

import msgspec

from astragal.rules.chapter import Chapter
from astragal.rules.entries import Entry, Example, Reading, Rule, RuleKind, RuleTable

MOST_WORDS = 12
"""Nobody looks for more words at once; those beyond that are not looked for."""

_WORD = re.compile(r"\w+")


class Hit(msgspec.Struct, frozen=True):
    """An entry that was found, and how well it fits (higher is better)."""

    entry: Entry
    score: int


def search(chapters: Iterable[Chapter], words: str) -> list[Hit]:
    """The entries of these chapters in which all the words occur, best first."""
    wanted = _words(words)
    if len(wanted) > MOST_WORDS:
        wanted = tuple(dict.fromkeys(wanted))[:MOST_WORDS]
    if not wanted:
        return []
    hits: list[Hit] = []
    for chapter in chapters:
        for piece in chapter.pieces:
            raw = piece.toml.casefold()
            if all(word in raw for word in wanted):
                entry = chapter.entry(piece.id)
                if score := _score(entry, wanted, _words(chapter.title)):
                    hits.append(Hit(entry, score))
    # Python's sort is stable, so equals stay in book order.
    return sorted(hits, key=lambda hit: -hit.score)


def _words(text: str) -> tuple[str, ...]:
    """The words of a text; the parts of ids and option names count as words.

    >>> _words("See tests.let_it_ride.one_roll!")
    ('see', 'tests', 'let', 'it', 'ride', 'one', 'roll')
    """
    return tuple(_WORD.findall(text.casefold().replace("_", " ")))


def _score(entry: Entry, wanted: tuple[str, ...], title: tuple[str, ...]) -> int:
    """How well an entry fits; 0 when a word is missing."""
    name = _words(entry.id)
    texts = [_words(text) for text in entry.prose]
    everything = [*name, *(word for text in texts for word in text)]
    if not all(any(word.startswith(start) for word in everything) for start in wanted):
        return 0
    score = 10 + _weight(entry)
    if wanted in {_words(part) for part in entry.id.split(".")[:-1]}:
        score += 100  # the very topic under which the entry stands
    elif _has_phrase(name, wanted):
        score += 60
    elif all(any(word.startswith(start) for word in name) for start in wanted):
        score += 30
    if name == wanted:
        score += 200
    if any(_has_phrase(text, wanted) for text in texts):
        score += 30
    if _has_phrase(title, wanted):
        score += 10
    # Whole words before mere beginnings: "ride" is not quite "rider".
    score += 4 * sum(start in everything for start in wanted) // len(wanted)
    # A short text is about the words, a long one mentions them.
    return score + max(0, 5 - len(everything) // 20)


def _weight(entry: Entry) -> int:
    """What people look for first: rules, then tables, readings and examples."""
    match entry:
        case Rule(kind=RuleKind.GUIDANCE):
            return 2
        case Rule():
            return 3 if entry.points_elsewhere else 6
        case RuleTable():
            return 4
        case Reading():
            return 1
        case Example():
            return 0


def _has_phrase(text: tuple[str, ...], wanted: tuple[str, ...]) -> bool:
    """Whether the words stand side by side, the last perhaps only begun."""
    length = len(wanted)
    return any(
        text[at : at + length - 1] == wanted[:-1] and text[at + length - 1].startswith(wanted[-1])
        for at in range(len(text) - length + 1)
    )


def vocabulary(chapters: Iterable[Chapter]) -> list[str]:
    """Every word in the chapters' files once, in alphabetical order."""
    return sorted(
        {word for chapter in chapters for piece in chapter.pieces for word in _words(piece.toml)}
    )
