"""What the arguments of procedures stand for: whom, with what, of which sheet.

The types of the arguments say what is a text and what is a number; that ``helpers`` are
characters is a matter of names. One table of names serves every game; a game has its own table
for the names that mean something else there.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from astragal.play import Option

FieldKind = Literal[
    "text",
    "long",
    "number",
    "yes_no",
    "choice",
    "choices",
    "texts",
    "numbers",
    "counts",
    "character",
    "characters",
    "ability",
    "own",
    "owns",
    "seat",
    "seats",
    "group",
    "groups",
]
"""How an argument is given.

A line, a paragraph, a whole number, a switch, one or several of some choices, lines, numbers,
numbers by name; a character or several; an ability, a thing or several things of a character's
sheet (``what`` says which of its choices); a seat or several; a form within the form, or several
of them.
"""


class Meaning(msgspec.Struct, frozen=True):
    """What an argument of some name stands for.

    ``of`` names the argument beside it whose character's sheet it is taken from; ``free`` says
    that other words will do as well as those on offer; ``least`` is with how many a list begins.
    """

    kind: FieldKind
    of: str = "character"
    what: str = ""
    choices: tuple[Option, ...] = ()
    free: bool = False
    label: str = ""
    help: str = ""
    seldom: bool | None = None
    least: int | None = None


WANTED = ("intent", "goal", "task")
"""What somebody wants is the first of these arguments that a procedure has."""

LEADS = {"task": "by…", "character": "as", "ability": "with", "score": "with", "core": "with"}
"""The words that lead to further arguments in the sentence that begins with what is wanted."""


def one_of(*keys: str, free: bool = False) -> Meaning:
    """One of a few words.

    >>> [option.label for option in one_of("right_arm", "torso").choices]
    ['Right arm', 'Torso']
    """
    return Meaning("choice", choices=tuple(Option(key, said(key)) for key in keys), free=free)


def said(name: str) -> str:
    """A name of the code as people read it.

    >>> said("right_arm"), said("B")
    ('Right arm', 'B')
    """
    words = name.replace("_", " ").strip()
    return words[:1].upper() + words[1:]


WHOEVER_BEGINS = "self"
"""What a seat is that says who speaks: nobody but the GM speaks for another."""

_CHARACTER = (
    "character",
    "opponent",
    "helper",
    "holder",
    "lender",
    "borrower",
    "healer",
    "patient",
    "victim",
    "attacker",
    "defender",
    "pursuer",
    "pursued",
    "instructor",
    "student",
    "seller",
    "owner",
    "shooter",
    "bomber",
    "caused_by",
)
_SEVERAL = (
    "characters",
    "helpers",
    "participants",
    "bidders",
    "exposed",
    "present",
    "assistants",
    "members",
)
_LONG = ("intent", "task", "situation", "why", "how", "what", "amends", "invitation", "text")

MEANINGS: dict[str, Meaning] = {
    **{name: Meaning("character") for name in _CHARACTER},
    **{name: Meaning("characters") for name in _SEVERAL},
    **{name: Meaning("long") for name in _LONG},
    "target": Meaning("character", free=True),
    "ability": Meaning("ability", what="ability", free=True),
    "skill": Meaning("ability", what="ability", free=True),
    "by": Meaning("seat", what=WHOEVER_BEGINS),
    "seat": Meaning("seat"),
    "voters": Meaning("seats"),
}
"""What names of arguments stand for in every game."""
