"""Results that ride, found by whose they are, the ability and the intent."""

from __future__ import annotations

from collections.abc import Hashable
from functools import lru_cache

import msgspec

from astragal.play.growing import GrowingTuple


class Ride(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A result that rides for one character, ability and intent (tests.amb.ride_extent)."""

    character: str
    ability: str
    intent: str
    successes: int
    passed: bool
    portions: int = 1
    handed_out: int = 1


class Rides(GrowingTuple[Ride]):
    """All that ride: there are thousands of them after years of play."""

    def key_of(self, entry: Ride) -> Hashable:
        """Whose it is, the ability and the intent, however they were typed."""
        return _key(entry.character, entry.ability, entry.intent)

    def latest(self, character: str, ability: str, intent: str) -> Ride | None:
        """The last that was kept for this; there may be several where intents were only said."""
        found = self.found(_key(character, ability, intent))
        return found[-1] if found else None


def _key(character: str, ability: str, intent: str) -> Hashable:
    return character, ability.casefold(), same_words(intent)


@lru_cache(maxsize=1 << 10)
def same_words(intent: str) -> str:
    """The words of an intent in one form, however they were typed."""
    return " ".join(intent.casefold().split())
