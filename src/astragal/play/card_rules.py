"""What a script may not do with its cards, as plain data that every client can check."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

import msgspec


class CardLimit(Enum):
    """What a rule says about cards of a script; actions are counted without the openers."""

    NOT_TWICE = "not_twice"
    """Never directly after one of the same cards."""
    AFTER = "after"
    """Only directly after some others, ``count`` of them in a row."""
    FIRST = "first"
    """Only as the first action of a volley."""
    ONCE = "once"
    """At most once in a volley."""
    OPENED_BY = "opened_by"
    """Only in a volley that certain openers begin."""
    BARRED = "barred"
    """Not at all, though the card exists."""
    REQUIRED = "required"
    """At least one of them somewhere in the script, unless one of the others is."""
    APART = "apart"
    """Not again before a volley that certain openers begin."""


OpenedVolley = tuple[str, tuple[str, ...]]
"""The opener of a volley, and its actions."""


class CardRule(msgspec.Struct, frozen=True):
    """What a script may not do with some of its cards, in plain words, and by which rule."""

    limit: CardLimit
    cards: tuple[str, ...]
    words: str
    rule: str
    others: tuple[str, ...] = ()
    """The cards that have to come before, the openers that will do, or what makes up for it."""
    count: int = 1
    carried: int = 0
    """How many such cards stand directly before the first action of the script.

    Of the others where they have to come before, of the same where they may not; of those that
    have to be apart, how many wait for such a volley."""
    until: tuple[str, ...] = ()
    """The cards after any of which the rule no longer holds in the script."""

    def allows(
        self,
        opener: str,
        before: Sequence[str],
        volley: Sequence[str],
        card: str,
        earlier: Sequence[OpenedVolley] = (),
    ) -> bool:
        """Whether a card may stand here.

        ``before`` are all actions before it, ``volley`` those of them in its own volley;
        ``earlier`` are the volleys before that one.
        """
        if card not in self.cards or any(each in self.until for each in before):
            return True
        match self.limit:
            case CardLimit.NOT_TWICE:
                return before[-1] not in self.cards if before else not self.carried
            case CardLimit.AFTER:
                needed = (*self.others[:1] * self.carried, *before)[-self.count :]
                return len(needed) == self.count and all(each in self.others for each in needed)
            case CardLimit.FIRST:
                return not volley
            case CardLimit.ONCE:
                return not any(each in self.cards for each in volley)
            case CardLimit.OPENED_BY:
                return opener in self.others
            case CardLimit.BARRED:
                return False
            case CardLimit.REQUIRED:
                return True
            case CardLimit.APART:
                return not self._waits((*earlier, ("", tuple(volley))))

    def _waits(self, volleys: Sequence[OpenedVolley]) -> bool:
        """Whether one of the cards still waits for a volley that the right opener begins."""
        waits = self.carried > 0
        for opener, cards in volleys:
            used = any(each in self.cards for each in cards)
            waits = opener not in self.others and (waits or used)
        return waits

    def is_met(self, script: Sequence[str]) -> bool:
        """Whether a whole script has what is required of it; other limits are met card by card."""
        wanted = {*self.cards, *self.others}
        return self.limit is not CardLimit.REQUIRED or any(card in wanted for card in script)
