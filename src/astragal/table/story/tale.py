"""What a procedure came to, in one paragraph; the page says it the same way (``js/tale.js``)."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from astragal.games.about import listed
from astragal.table.log.items import DecidedItem, Item, ToldItem

_COUNTED = re.compile(r"(-?\d+) success(?:es)?\b")
_SENTENCES = re.compile(r"(?<=[.!?])\s+")
_OUTCOMES = ("outcome", "conclusion")
ALLOWED_HELP = "allow_help"
"""The question by whose answer it is known whose help counts."""


class Tale(msgspec.Struct, frozen=True):
    """A paragraph: what it was about, and how it came out."""

    about: str
    outcome: str

    def __str__(self) -> str:
        """The paragraph as plain text."""
        return f"{self.about}: {self.outcome}" if self.outcome else f"{self.about}."


def tale_of(text: str, items: Sequence[Item]) -> Tale:
    """The paragraph of a procedure, from the line with which it began and all that happened.

    >>> tale_of("Standard test: open the gate (Mara's Lockpick)", ()).about
    "Open the gate (Mara's Lockpick)"
    >>> tale_of("Die of Fate.", ()).about
    'Die of Fate'
    """
    title, _, about = text.partition(": ")
    title = title.strip().rstrip(".")
    about = _capital(about.strip() or title)
    outcome = _outcome(about, items)
    if outcome.startswith(f"{about} "):  # who it is about, and nothing else
        return Tale(title, outcome)
    return Tale(about, _capital(outcome.removeprefix(f"{_who(about)}: ")))


def _who(about: str) -> str:
    """The name of whoever it is about, where it is one alone: it need not be said again.

    >>> _who("Climb (Mara's Speed)"), _who("Mara"), _who("Mara's Will against Tam's Will")
    ('Mara', 'Mara', '')
    """
    if " against " in about or " and " in about:
        return ""
    return re.sub(r"'s [^']*$", "", re.sub(r"^.*\(([^()]*)\)$", r"\1", about))


def _outcome(about: str, items: Sequence[Item]) -> str:
    told = [item for item in items if isinstance(item, ToldItem) and item.role != "pool"]
    ends = closing(told)
    if ends is not None:
        return _capital(told[ends].sentence)
    outcomes = [item.sentence for item in told if item.role in _OUTCOMES][-2:]
    if not outcomes:
        last = told[-1].sentence if told else ""
        return _capital(" ".join(_news(last, about, counted=False)) or last)
    score = _score(items, outcomes)
    said = [each for text in outcomes for each in _news(text, about, counted=bool(score))]
    return " ".join([*score, *(_capital(each) for each in said)])


def closing(told: Sequence[ToldItem]) -> int | None:
    """The place of the end of a conflict: its conclusion, or where the last volley left all."""
    found = [at for at, item in enumerate(told) if item.role == "conclusion"]
    found = found or [at for at, item in enumerate(told) if len(item.bars) > 1]
    return found[-1] if found else None


def _score(items: Sequence[Item], outcomes: Sequence[str]) -> list[str]:
    """Successes of the obstacle, and who helped: only where one roll met one obstacle."""
    against = [
        number.total
        for item in items
        if isinstance(item, ToldItem) and item.role == "pool"
        for number in item.numbers
        if number.name == "obstacle"
    ]
    counted = _COUNTED.search(outcomes[-1])
    if len(against) != 1 or counted is None or len(outcomes) != 1:
        return []
    helped = _helpers(items)
    with_help = f", {listed(helped)} helped" if helped else ""
    return [f"{counted[1]} of {against[0]}{with_help}."]


def _helpers(items: Sequence[Item]) -> list[str]:
    words = [i.words for i in items if isinstance(i, DecidedItem) and i.key == ALLOWED_HELP]
    answers = [i.answer for i in items if isinstance(i, DecidedItem) and i.key == ALLOWED_HELP]
    if not words or not answers[-1]:
        return []
    return [each.partition(": ")[0].strip() for each in words[-1].split(", ")][: len(answers[-1])]


def _news(text: str, about: str, *, counted: bool) -> list[str]:
    """The sentences that say more than the score and what it was about."""
    return [
        each
        for each in _SENTENCES.split(text)
        if not _plain(about).startswith(_plain(each))
        and not (counted and re.fullmatch(r"[^.]*: -?\d+ success(?:es)?\.", each))
    ]


def _plain(text: str) -> str:
    return text.strip().rstrip(".!?").casefold()


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
