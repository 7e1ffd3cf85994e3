"""Which options a game offers: the readings that leave a choice, and the edition.

A reading with an option offers several ways to play an unclear place. What a
campaign chose among them is in `options`; what a choice does is up to the game.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable

import msgspec

from astragal.errors import BadInput
from astragal.rules.chapter import Chapter
from astragal.rules.entries import Reading

_HAS_OPTION = re.compile(r"^option\s*=", re.MULTILINE)


class OptionSpec(msgspec.Struct, frozen=True):
    """One option of a game: its choices, and the entry that explains it."""

    name: str
    system: str
    default: str
    choices: tuple[str, ...]
    rule: str
    """The id of the reading (or rule) behind it."""
    question: str
    """What the group decides; the choices are the answers."""
    issue: str
    """What is unclear."""
    reading: str
    """What the default does, and why."""

    @property
    def chapter(self) -> str:
        """The chapter it belongs to."""
        return self.rule.partition(".")[0]

    def check(self, choice: object) -> str:
        """Return the choice if it is one of this option's, or refuse it."""
        if isinstance(choice, str) and choice in self.choices:
            return choice
        near = difflib.get_close_matches(str(choice), self.choices, n=1)
        hint = f" (did you mean {near[0]}?)" if near else ""
        expected = f"one of {', '.join(self.choices)}{hint}"
        raise BadInput(f"options.{self.name}", choice, expected, self.rule)


# Not an unclear place in one book but two editions of it, so no reading says it.
EDITION = OptionSpec(
    name="edition",
    system="burning_wheel",
    default="revised",
    choices=("revised", "gold"),
    rule="gold.diff.not_in_guide",
    question="Which edition do you play?",
    issue="The game has two editions, whose procedures differ in places.",
    reading=(
        "The Revised edition. With gold, the procedures of the Gold edition apply wherever the "
        "two differ; what Gold leaves out is played as in Revised."
    ),
)


def option_specs(system: str, chapters: Iterable[Chapter]) -> tuple[OptionSpec, ...]:
    """Collect the options of a game's chapters; only readings that have one are parsed."""
    found = [EDITION] if system == EDITION.system else []
    for chapter in chapters:
        for piece in chapter.pieces:
            if piece.section != "ambiguity" or not _HAS_OPTION.search(piece.toml):
                continue
            reading = chapter.entry(piece.id)
            assert isinstance(reading, Reading)
            found.append(option_of(reading, system))
    return tuple(found)


def option_of(reading: Reading, system: str) -> OptionSpec:
    """The option that a reading carries; refused when one of its parts is missing."""
    parts = (reading.question, reading.option, reading.default, reading.choices)
    question, option, default, choices = parts
    if question is None or option is None or default is None or choices is None:
        expected = "question, option, default and choices together"
        raise BadInput(reading.id, "a reading", expected)
    return OptionSpec(
        name=option,
        system=system,
        default=default,
        choices=choices,
        rule=reading.id,
        question=question,
        issue=reading.issue,
        reading=reading.reading,
    )
