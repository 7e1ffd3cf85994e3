"""Rules of thumb for scripts in a Duel of Wits, as players hand them on, and what they give away.

A rule allows some scripts and forbids the others. Whoever keeps it may still mix what it allows as
well as possible; what it gives away is what that is worth less than the best play of all, against
somebody who plays as well as possible, too.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise
from typing import TypeAlias

import msgspec

from astragal.errors import BadInput
from astragal.games.burning_wheel.conflicts.duel_of_wits.actions import label
from astragal.games.burning_wheel.conflicts.duel_of_wits.matrix import actions
from astragal.games.burning_wheel.conflicts.scripting import VOLLEYS

Cards: TypeAlias = tuple[str, ...]

FORMS = (
    "three actions (point point point), or never CARD, always CARD, always begin with CARD, "
    "never begin with CARD, always end on CARD, never end on CARD, never repeat a card, "
    "never CARD after CARD; several with commas"
)


class RuleOfThumb(msgspec.Struct, frozen=True):
    """A rule in words, and which scripts it allows."""

    text: str
    allows: Callable[[Cards], bool]


def parse_rule(text: str, place: str = "--against") -> RuleOfThumb:
    """Read a rule of thumb.

    >>> rule = parse_rule("never end on Dismiss")
    >>> rule.allows(("dismiss", "avoid", "point")), rule.allows(("point", "dismiss"))
    (True, False)
    """
    pieces = [piece.strip() for piece in text.split(",")]
    if len(pieces) == 1:
        pieces = [piece for piece in pieces[0].split() if _card(piece)]
        pieces = pieces if 0 < len(pieces) == len(text.split()) else [text.strip()]
    if all(map(_card, pieces)) and len(pieces) == VOLLEYS:
        script = tuple(map(_card, pieces))
        # Where the first volley is lost, the last of them.
        return RuleOfThumb(text, lambda cards: cards == script[-len(cards) :])
    parts = [_part(piece, text, place) for piece in pieces]
    return RuleOfThumb(text, lambda cards: all(part(cards) for part in parts))


def _card(word: str) -> str:
    """The action that a word names, or nothing."""
    word = word.strip().casefold()
    for action in actions():
        if word in (action, label(action).casefold()):
            return action
    return ""


def _part(part: str, text: str, place: str) -> Callable[[Cards], bool]:
    said = part.casefold()
    if said == "never repeat a card":
        return lambda cards: all(a != b for a, b in pairwise(cards))
    for pattern, make in _PATTERNS.items():
        found = re.fullmatch(pattern, said)
        named = tuple(map(_card, found.groups())) if found else ()
        if named and all(named):
            return make(*named)
    raise BadInput(place, text, FORMS)


_PATTERNS: dict[str, Callable[..., Callable[[Cards], bool]]] = {
    r"never end (?:on|with) (.+)": lambda card: lambda cards: cards[-1] != card,
    r"always end (?:on|with) (.+)": lambda card: lambda cards: cards[-1] == card,
    r"never begin (?:on|with) (.+)": lambda card: lambda cards: cards[0] != card,
    r"always begin (?:on|with) (.+)": lambda card: lambda cards: cards[0] == card,
    r"never (.+) after (.+)": lambda card, before: (
        lambda cards: (before, card) not in pairwise(cards)
    ),
    r"never (.+)": lambda card: lambda cards: card not in cards,
    r"always (.+)": lambda card: lambda cards: card in cards,
}
