"""Small pieces of English that many sentences need: counts, and texts that people typed."""

from __future__ import annotations


def counted(count: int, noun: str) -> str:
    """A number of things, in words.

    >>> counted(1, "success"), counted(3, "success"), counted(0, "die")
    ('1 success', '3 successes', '0 dice')
    """
    if count == 1:
        return f"1 {noun}"
    return f"{count} {_PLURALS.get(noun) or noun + ('es' if noun.endswith('s') else 's')}"


_PLURALS = {"six": "sixes", "more die": "more dice", "die": "dice"}


def as_sentence(text: str) -> str:
    """What somebody typed, as a sentence of its own; nothing where there is nothing.

    >>> as_sentence("the guards come"), as_sentence("Who goes there?"), as_sentence(" ")
    ('The guards come.', 'Who goes there?', '')
    """
    words = text.strip()
    if not words:
        return ""
    return words[0].upper() + words[1:] + ("" if words[-1] in ".!?" else ".")


def sentences(*parts: str) -> str:
    """Several of them in a row, without those that say nothing.

    >>> sentences("Failed, 2 short.", "", "The guards come.")
    'Failed, 2 short. The guards come.'
    """
    return " ".join(part for part in parts if part)
