"""Characters and secrets that a seat does not know about, wherever a text mentions them.

Games speak of characters by name and do not know who is hidden, nor what in the scene is the
GM's secret. What they say to a whole table, and why they refuse something, is looked through
here for anything that a seat may not know.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from astragal.play import GM, Seat
from astragal.play.growing import words_in
from astragal.table.log.items import Item, ToldItem
from astragal.table.log.state import Character, Restorable
from astragal.table.secrecy.known_scene import unknown_words


class HiddenWords:
    """Words that are not to be said, the keys and names of characters above all."""

    def __init__(
        self,
        hidden: Iterable[str],
        characters: Mapping[str, Character],
        more: Iterable[str] = (),
    ) -> None:
        """Look for these among the characters, and for ``more`` words.

        A name that others have, too, tells nothing.
        """
        keys = set(hidden)
        others = {_name(key, each) for key, each in characters.items() if key not in keys}
        words = {word for key in keys for word in (key, _name(key, characters[key])) if word}
        words |= set(more)
        sought = "|".join(map(re.escape, sorted(words - others, key=len, reverse=True)))
        self._words = re.compile(rf"(?<!\w)(?:{sought})(?!\w)") if sought else None

    def __bool__(self) -> bool:
        """Whether there are any."""
        return self._words is not None

    def are_those_of(self, other: HiddenWords) -> bool:
        """Whether the same words are not to be said."""
        return self._words == other._words

    def is_in(self, text: str) -> bool:
        """Whether somebody is mentioned."""
        return self._words is not None and self._words.search(text) is not None


def hidden_words_for(standing: Restorable, seat: Seat) -> HiddenWords:
    """The characters that a seat may not know about, and what the GM has done in secret."""
    there = standing.characters
    secret = () if seat == GM else unknown_words(standing)
    return HiddenWords((key for key in there if not _knows(seat, there[key])), there, secret)


def without_secrets(
    items: Iterable[Item], standing: Restorable, spoken: Iterable[Any]
) -> tuple[Item, ...]:
    """What is told, to the GM alone where it mentions what the GM has done in secret.

    Words that are ``spoken`` openly are no secret.
    """
    words = unknown_words(standing) - frozenset(words_in(msgspec.to_builtins(tuple(spoken))))
    unheard = HiddenWords((), {}, words)
    return tuple(
        replace(item, audience=(GM,))
        if isinstance(item, ToldItem) and not item.audience and unheard.is_in(_text(item))
        else item
        for item in items
    )


def _text(item: Item) -> str:
    return "\n".join(words_in(msgspec.to_builtins(item)))


def mentioned(keys: Iterable[str], items: Iterable[Item], standing: Restorable) -> list[str]:
    """Those of these characters whose key or name is anywhere in the items, be it within words."""
    keys = tuple(keys)
    if not keys:
        return []
    texts = [msgspec.json.encode(item) for item in items]
    # As they stand in JSON, where a quote within a name is another character.
    words = {
        key: [
            msgspec.json.encode(word)[1:-1] for word in (key, _name(key, standing.characters[key]))
        ]
        for key in keys
    }
    return [
        key for key, said in words.items() if any(word in text for text in texts for word in said)
    ]


def discreetly(
    items: Iterable[Item], hidden: Iterable[str], standing: Restorable
) -> tuple[Item, ...]:
    """What happened, each item only for those who know of everybody that it mentions."""
    unheard = {key: HiddenWords((key,), standing.characters) for key in hidden}
    return tuple(_told(item, unheard, standing) for item in items) if unheard else tuple(items)


def _told(item: Item, unheard: Mapping[str, HiddenWords], standing: Restorable) -> Item:
    text = _text(item)
    named = [standing.characters[key] for key, each in unheard.items() if each.is_in(text)]
    if not named:
        return item
    seats = item.audience or (GM, *(str(each.sheet["player"]) for each in named))
    aware = [seat for seat in seats if all(_knows(seat, each) for each in named)]
    return replace(item, audience=tuple(dict.fromkeys(aware)) or (GM,))


def _knows(seat: Seat, character: Character) -> bool:
    return not character.hidden or seat in (GM, character.sheet["player"])


def _name(key: str, character: Character) -> str:
    return str(character.sheet.get("name", key))
