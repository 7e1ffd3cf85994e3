"""What a change says in sentences: in the game's own words, or in plain ones.

The page says it the same way (``web/page/js/changes.js``).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from astragal.play.changes import split_path

Words = Mapping[str, tuple[str, str]]
"""By place: what is said of what comes or is set, and of what goes; empty to say nothing."""
Parts = tuple[str, ...]

DAY = 86_400
"""Seconds."""


def change_sentences(
    path: str, before: Any, after: Any, words: Words, called: Callable[[str], str] = str
) -> list[str]:
    """One sentence for each thing that changed, without whose it is.

    ``called`` gives the name of a character by its key.

    >>> change_sentences("artha.fate", 2, 1, {})
    ['artha, fate goes from 2 to 1']
    >>> change_sentences("artha.fate", 2, 1, {"artha.fate": ("Fate goes to {after}", "")})
    ['Fate goes to 1']
    """
    parts = tuple(part for part in split_path(path) if not part.isdecimal())
    said: list[str] = []
    for place, was, now in differences(parts, before, after):
        own = _own_words(place, was, now, words, called)
        said += _plainly(place, was, now) if own is None else own
    return said


def differences(parts: Parts, before: Any, after: Any) -> Iterator[tuple[Parts, Any, Any]]:
    """What differs, place by place; of lists only the entries that came and went."""
    if isinstance(before, list | tuple) and isinstance(after, list | tuple):
        came = [each for each in after if each not in before]
        went = [each for each in before if each not in after]
        if len(came) == len(went) == 1:
            yield from differences(parts, went[0], came[0])
        else:
            yield parts, went, came
    elif isinstance(before, Mapping) and isinstance(after, Mapping):
        for key in dict.fromkeys((*before, *after)):
            if before.get(key) != after.get(key):
                yield from differences((*parts, str(key)), before.get(key), after.get(key))
    else:
        yield parts, before, after


def _own_words(
    parts: Parts, before: Any, after: Any, words: Words, called: Callable[[str], str]
) -> list[str] | None:
    """The game's words for a place, or None; a name within the place is written ``*``."""
    found = words.get(".".join(parts)) or words.get(".".join((parts[0], "*", *parts[2:])))
    if found is None:
        return None
    came, went = found
    if any(isinstance(each, Mapping | list | tuple) for each in (before, after)):
        gone = [_filled(went, each, parts, called) for each in _entries(before)]
        new = [_filled(came, each, parts, called) for each in _entries(after)]
        return list(filter(None, (*gone, *new)))
    text = went if after in (None, False, "", 0) else came
    values = {"before": before, "after": after}
    return [filled] if (filled := _filled(text, values, parts, called)) else []


def _filled(text: str, entry: Any, parts: Parts, called: Callable[[str], str]) -> str:
    values = entry if isinstance(entry, Mapping) else {"after": entry}

    def value(found: re.Match[str]) -> str:
        if found[1] == "name" and "name" not in values:
            return parts[1] if len(parts) > 1 else ""
        if found[1] == "character":
            return called(str(values.get("character")))
        if found[1] == "day":
            return str(int(values.get("after") or 0) // DAY + 1)
        return short(values.get(found[1]))

    return re.sub(r"\{(\w+)\}", value, text)


def _entries(value: Any) -> list[Any]:
    if value is None or value == "":
        return []
    return list(value) if isinstance(value, list | tuple) else [value]


def _plainly(parts: Parts, before: Any, after: Any) -> list[str]:
    where = ", ".join(part.replace("_", " ") for part in parts if part != "log")
    if isinstance(before, bool) or isinstance(after, bool):
        return [f"{where}: {'yes' if after else 'no'}"]
    if isinstance(before, int) and isinstance(after, int):
        return [f"{where} goes from {before} to {after}"]
    is_list = isinstance(before, list | tuple) or isinstance(after, list | tuple)
    if is_list or before in (None, "") or after in (None, ""):
        gone, new = (", ".join(map(short, _entries(each))) for each in (before, after))
        told = [f"{gone} removed" if gone else "", f"{new} added" if new else ""]
        return [f"{where}: {' and '.join(filter(None, told)) or 'in another order'}"]
    return [f"{where}: {short(after)} instead of {short(before)}"]


def short(value: Any) -> str:
    """A plain value in a few words."""
    match value:
        case bool():
            return "yes" if value else "no"
        case None | "":
            return "nothing"
        case list() | tuple():
            few = ", ".join(map(short, value[:3]))
            return f"{few} and {len(value) - 3} more" if len(value) > 3 else few or "none"
        case Mapping():
            named = value.get("name") or value.get("label") or value.get("text")
            said = [
                f"{str(key).replace('_', ' ')} {short(each)}"
                for key, each in value.items()
                if each not in (None, "", 0, False, [], {})
            ]
            return str(named or ", ".join(said[:4]) or "an entry")
    return str(value)
