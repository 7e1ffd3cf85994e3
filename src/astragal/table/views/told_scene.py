"""What of a scene may be told to somebody who does not know of all characters.

A scene holds what years of play have left in it, so it is looked through from where it was before.
"""

from __future__ import annotations

from typing import Any

import msgspec

from astragal.play.growing import GrowingList
from astragal.table.secrecy.audiences import mentions


class ToldScene(msgspec.Struct, frozen=True, gc=False):
    """A scene, and what of it does not name certain characters."""

    scene: dict[str, Any]
    told: dict[str, Any]

    @property
    def is_whole(self) -> bool:
        """Whether it names none of them."""
        return all(value is self.scene[field] for field, value in self.told.items())


def told_on(scene: dict[str, Any], unknown: frozenset[str], before: ToldScene | None) -> ToldScene:
    """What of a scene does not name these characters, looked through from where it was before."""
    if not unknown:
        return ToldScene(scene, scene)
    told = {field: _told(field, value, unknown, before) for field, value in scene.items()}
    return ToldScene(scene, told)


def _told(field: str, value: Any, unknown: frozenset[str], before: ToldScene | None) -> Any:
    if before is None or field not in before.scene:
        return _without(value, unknown)
    was, told = before.scene[field], before.told[field]
    if value is was:
        return told
    if not isinstance(value, GrowingList) or not value.grew_from(was):
        return _without(value, unknown)
    came = value[len(was) :]
    new = _without(came, unknown)
    if told is was and new is came:
        return value
    return (told if isinstance(told, GrowingList) else GrowingList(told)).grown(new)


def _without(plain: Any, keys: frozenset[str]) -> Any:
    """What is kept in a list or under names, without what names these characters."""
    if not isinstance(plain, dict | list) or not mentions(plain, keys):
        return plain
    if isinstance(plain, dict):
        return {k: each for k, each in plain.items() if not mentions({k: each}, keys)}
    return [each for each in plain if not mentions(each, keys)]
