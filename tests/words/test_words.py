"""Words that no text of the product has: phrases that were put better, and habits to avoid.

`make texts` prints every text that is looked at here.
"""

from __future__ import annotations

import re

import pytest

from words.texts import Text, all_texts

BUTTONS = (
    "Add: .*",
    "Done",
    "Found it",
    "Gone",
    "Hand",
    "Say",
    "Say it",
    "Say nothing",
    r"Take \$\{.*",
    "Take away",
    "Take it",
    "Throw away",
    r"\(?usual\)?",
    "What is going on",
    r"\$\{.*\} still open",
)
"""What no button or heading of the page says, as a whole."""

PHRASES = (
    # the lobby and its people
    "Found your own",
    "Bring a table along",
    "How you read the rules",
    "What shall it be called",
    "Bring one to the table",
    "Bring somebody in",
    "Bring in",
    "A ready one",
    "A name, then what counts",
    "It is shown only now",
    "has left the story",
    "is shown out",
    # the table
    "must answer",
    "Throw dice",
    "I throw real dice",
    "They lie like this",
    "not for all",
    "Nothing is asked of you",
    "So it is",
    "what it takes to have it",
    "nothing is at stake",
    "Not now",
    "Call it off",
    "Give to the table",
    "The evening in pictures",
    "dearest first",
    "Nothing of it will hold",
    "as usual",
    "Divide them so",
    r"(?<!a )nods?",
    "one may(?=:)",
    "others, with commas",
    "takes back everything after",
    "In the middle of something",
    "read otherwise",
    "How unclear places are read",
    # play
    "How hard is it in itself",
    "What works against",
    "Which of your other skills bear on",
    "an act with its means",
    "Is anything at stake in this",
    "in how many parts are its results",
    "which further consequence has the time it took",
    "cut your losses at",
    "flagrant breach of what is done",
    "Passed, with",
    "to come off",
    "It is not so",
    "Too dear by",
    "that says nothing of whether",
    "loses it for",
    "master of himself",
    "wards (him|her|them|it) off",
    "do the words do that",
    "grits teeth against",
    "cannot vie for",
    "(it takes|they take) \\{.*\\} off",
    # errors
    "this is how it stands already",
    "leads to something that cannot be",
    "of whom not all is known",
)
"""What no text says anywhere."""

TICS = ("whoever", "shall", "so many", "of whom", "at the most", "comes? off", "the one who")
"""Turns of phrase that read like a translation."""


def saying(pattern: str, *, whole: bool = False) -> list[Text]:
    """The texts in which a phrase occurs, or of the page those that are just this."""
    if whole:
        exact = re.compile(pattern)
        return [t for t in all_texts() if "page" in t.path.parts and exact.fullmatch(t.words)]
    phrase = re.compile(rf"\b{pattern}\b", re.IGNORECASE)
    return [text for text in all_texts() if phrase.search(text.words)]


def places(found: list[Text]) -> str:
    return "\n".join(f"{text.path}:{text.line}: {text.words}" for text in found)


@pytest.mark.parametrize("pattern", BUTTONS)
def test_buttons_are_verbs_of_what_happens(pattern: str):
    found = saying(pattern, whole=True)
    assert not found, places(found)


@pytest.mark.parametrize("pattern", PHRASES)
def test_what_was_put_better_does_not_come_back(pattern: str):
    found = saying(pattern)
    assert not found, places(found)


@pytest.mark.parametrize("pattern", TICS)
def test_no_habit_of_speech_is_noticed(pattern: str):
    found = saying(pattern)
    assert not found, places(found)
