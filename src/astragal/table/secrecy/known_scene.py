"""The scene as all know it: without the traces of what the GM did in secret.

What is done openly changes both the scene and what is known of it. Where the two differ, an
open change is kept in the log together with what it looks like to everybody else: lists and
mappings as they know them, with what was openly put in or taken out; a plain value, or a record
such as the calendar, as it is from then on. A change within an entry that nobody else knows of
is the GM's alone.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from msgspec.structs import replace

from astragal.games import Game
from astragal.games.game import SCENE
from astragal.play import GM, Seat
from astragal.play.changes import split_path
from astragal.play.growing import GrowingList, words_in
from astragal.table.log.items import ChangedItem, Item
from astragal.table.log.paths import among, is_record, merged
from astragal.table.log.standing import changed
from astragal.table.log.state import Character, OpenProcedure, Restorable
from astragal.table.secrecy.audiences import mentions


def told_openly(
    procedure: OpenProcedure,
    before: Iterable[Item],
    items: Iterable[Item],
    game: Game,
    hidden: Collection[str],
) -> tuple[Item, ...]:
    """What came of a procedure after ``before``, each change with what all see of it."""
    items = tuple(items)
    if procedure.secret or procedure.known_scene is None:
        return items
    then = Restorable(scene=procedure.scene, known_scene=procedure.known_scene)
    made = [item for item in before if isinstance(item, ChangedItem) and item.target == SCENE]
    return openly(changed(then, made, game), items, game, hidden)


def openly(
    standing: Restorable, items: Iterable[Item], game: Game, hidden: Collection[str]
) -> tuple[Item, ...]:
    """What happens openly as things stand; ``hidden`` are characters that not all know of."""
    told: list[Item] = []
    for item in items:
        if (
            isinstance(item, ChangedItem)
            and item.target == SCENE
            and standing.known_scene is not None
        ):
            item = _as_all_see(item, standing, game, hidden)
            standing = changed(standing, (item,), game)
        told.append(item)
    return tuple(told)


def _as_all_see(
    change: ChangedItem, standing: Restorable, game: Game, hidden: Collection[str]
) -> ChangedItem:
    after = changed(Restorable(scene=standing.scene), (change,), game).scene
    known = standing.known_scene or standing.scene
    field, *inside = split_path(change.path)
    was = known.get(field)
    there = standing.scene.get(field)
    if was is there or was == there:
        return change
    if change.more and not inside:
        was, now = change.before, change.after
    elif not inside and isinstance(was, list) and change.before and not change.after:
        was, now = [each for each in was if among(each, change.before)], []  # what was taken out
    elif is_record(game.scene, field):
        now = after[field]
    else:
        now = _learned(was, standing.scene.get(field), after[field], inside)
    audience = change.audience
    if not audience and mentions((was, now), hidden):
        audience = (GM,)
    return replace(change, known=(was, now), audience=audience)


def _learned(was: Any, before: Any, after: Any, inside: list[str]) -> Any:
    """What all know of a field of the scene, after an open change of it."""
    if isinstance(was, list) and isinstance(before, list) and isinstance(after, list):
        at = int(inside[0]) if inside else len(before)
        return was if at < len(before) and before[at] not in was else merged(was, before, after)
    if isinstance(was, Mapping) and isinstance(before, Mapping) and isinstance(after, Mapping):
        return was if len(inside) > 1 and inside[0] not in was else merged(was, before, after)
    return after


def as_seen(item: Item, seat: Seat) -> Item | None:
    """An item as a seat sees it; nothing where nothing changes that it knows of."""
    if not isinstance(item, ChangedItem) or item.known is None:
        return item
    if seat == GM:
        return replace(item, known=None)
    was, now = item.known
    if was == now:
        return None
    return replace(item, path=split_path(item.path)[0], before=was, after=now, known=None)


def unknown_words(standing: Restorable) -> frozenset[str]:
    """Words that are in the scene, but neither in what all know of it nor on a sheet."""
    scene, known, there = standing.scene, standing.known_scene, standing.characters
    if known is None:
        return frozenset()
    place = id(scene), id(known), id(there)
    kept = _unknown.get(place)
    if kept is None:  # what is kept here keeps those three, so nothing else has their ids
        kept = _unknown[place] = (scene, known, there, _words_apart(scene, known, there))
        while len(_unknown) > MOST_REMEMBERED:
            _unknown.popitem(last=False)
    return kept[3]


MOST_REMEMBERED = 64
_unknown: OrderedDict[tuple[int, int, int], tuple[Any, Any, Any, frozenset[str]]] = OrderedDict()
"""By the states of the latest tables: every seat asks for it, and several times."""


def _words_apart(
    scene: Mapping[str, Any], known: Mapping[str, Any], characters: Mapping[str, Character]
) -> frozenset[str]:
    words: frozenset[str] = frozenset()
    for field, value in scene.items():
        if value is not known.get(field):
            apart = frozenset((field,)).union(*_words_of(value))
            for part in _words_of(known.get(field)):
                apart -= part
            words |= apart
    for field, value in known.items():
        words -= {field}
        for part in _words_of(value):
            words -= part
    for character in characters.values():
        if words:
            words -= _words_on(character.sheet)
    return words


_sheets: OrderedDict[int, tuple[dict[str, Any], frozenset[str]]] = OrderedDict()


def _words_on(sheet: dict[str, Any]) -> frozenset[str]:
    """The words on a sheet; of those at a table few change at a time."""
    kept = _sheets.get(id(sheet))
    if kept is None:
        kept = _sheets[id(sheet)] = sheet, frozenset(words_in(sheet))
        while len(_sheets) > 8 * MOST_REMEMBERED:
            _sheets.popitem(last=False)
    return kept[1]


def _words_of(value: Any) -> tuple[frozenset[str], ...]:
    """The words of a part of a scene; of a long list those that are known already apart."""
    return value.words() if isinstance(value, GrowingList) else (frozenset(words_in(value)),)
