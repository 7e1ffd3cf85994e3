"""Rule ids inside other text: in a rule, a comment, a string, a page of documentation.

An id is a chapter's name and two or more further words, joined by dots;
`chapter.word.*` means all ids that begin so. Whether it exists is asked of the
catalogue.
"""

from __future__ import annotations

import re
from collections.abc import Iterable


class Mentions:
    """Finds whatever looks like an id of these chapters.

    >>> Mentions(["tests", "artha"]).in_text("See tests.versus.when, artha.evolve.*; my.tests.a.b")
    ('tests.versus.when', 'artha.evolve.*')
    """

    def __init__(self, chapters: Iterable[str]) -> None:
        """Know the chapters' names, by which an id is recognised."""
        names = "|".join(sorted(map(re.escape, chapters)))
        word = r"\.[a-z0-9_]+"
        self.pattern = re.compile(rf"(?<![\w./-])(?:{names})(?:(?:{word})+\.\*|(?:{word}){{2,}})")

    def in_text(self, text: str) -> tuple[str, ...]:
        """The ids mentioned, each once, in the order in which they first occur."""
        return tuple(dict.fromkeys(self.pattern.findall(text)))
