"""What an undo would bring back: characters, scene and open procedures after an event.

A change is made to what is there now, which others may have changed since.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeAlias

import msgspec
from msgspec.structs import replace

from astragal.errors import BadInput
from astragal.games import Game
from astragal.games.game import SCENE
from astragal.play.changes import split_path
from astragal.table.log import events as happened
from astragal.table.log.events import AnyEvent
from astragal.table.log.items import ChangedItem, Item
from astragal.table.log.paths import added, merged, value_in, with_value
from astragal.table.log.state import Character, OpenProcedure, Restorable

Plain: TypeAlias = dict[str, Any]
"""A scene as the log has it."""


def standing_after(standing: Restorable, event: AnyEvent, game: Game, seq: int) -> Restorable:
    """What an undo would bring back, after the event."""
    match event:
        case happened.AnswerGiven():
            return _answered(standing, event, game)
        case happened.HouseRulesChanged(options=options):
            return replace(standing, options=options)
        case happened.CharacterJoined(character=key, sheet=sheet):
            return replace(standing, characters={**standing.characters, key: sheet})
        case happened.PortraitChanged(character=key, image=image):
            drawn = replace(standing.characters[key], portrait=image)
            return replace(standing, characters={**standing.characters, key: drawn})
        case happened.PartnerChanged(character=key, partner=partner):
            given = replace(standing.characters[key], partner=partner)
            return replace(standing, characters={**standing.characters, key: given})
        case happened.CharacterRemoved(character=key):
            return replace(standing, characters=without(standing.characters, key))
        case happened.SheetEdited(changes=changes):
            return changed(standing, changes, game)
        case happened.ProcedureBegan(procedure=procedure, over=over):
            stood = standing
            made = _changes(procedure.story)
            standing = _played(standing, procedure.characters)
            standing = changed(standing, made, game, secretly=procedure.secret)
            if over:
                return standing
            begun = _begun(procedure, stood, seq)
            return replace(standing, open={**standing.open, procedure.id: begun})
        case happened.AnswersDrafted():
            procedure = standing.open[event.procedure]
            drafted = replace(
                procedure,
                prepared=event.prepared,
                ready=event.ready,
                held=event.held,
                rolls_on=event.rolls_on,
                touched=procedure.touched + (not event.secret),
            )
            return replace(standing, open={**standing.open, event.procedure: drafted})
        case happened.ProcedureCancelled(procedure=id):
            return _withdrawn(standing, standing.open[id], game)
        case happened.RulingMade():
            return ruled(standing, event, game)
        case happened.EntriesUndone(standing=restored):
            return restored
    return standing


def _played(standing: Restorable, keys: tuple[str, ...]) -> Restorable:
    """Characters that take part in a procedure are no longer new."""
    there = standing.characters
    fresh = {
        key: replace(there[key], fresh=False) for key in keys if key in there and there[key].fresh
    }
    return replace(standing, characters={**there, **fresh}) if fresh else standing


def _begun(procedure: OpenProcedure, stood: Restorable, seq: int) -> OpenProcedure:
    """A procedure with the table as it stood when it began."""
    there = stood.characters.items()
    sheets = {key: each.sheet for key, each in there if key not in procedure.without}
    return replace(
        procedure,
        sheets=sheets,
        scene=stood.scene,
        options=stood.options,
        known_scene=None if procedure.secret else stood.known_scene,
        began=seq,
    )


def _answered(standing: Restorable, event: happened.AnswerGiven, game: Game) -> Restorable:
    procedure = standing.open[event.procedure]
    now = _changes(event.items)
    if now:
        # The story so far is gone through only where it is needed: it can be long.
        before = _changes(procedure.story) if any(map(_by_position, now)) else []
        made = _whole(procedure, before, now, game)
        standing = changed(standing, made, game, secretly=procedure.secret)
    if event.over:
        return replace(standing, open=without(standing.open, procedure.id))
    going_on = replace(
        procedure,
        given=procedure.given + event.given,
        taken=procedure.taken + event.taken,
        prepared=event.prepared,
        questions=event.questions,
        pending=event.pending,
        ready=(),
        held=False,
        rolls_on=event.rolls_on,
        story=procedure.story + event.items,
    )
    return replace(standing, open={**standing.open, procedure.id: going_on})


def _withdrawn(standing: Restorable, procedure: OpenProcedure, game: Game) -> Restorable:
    """As if it had never begun: its own sheets as they were, all else taken back one by one."""
    made = _whole(procedure, [], _changes(procedure.story), game)
    back = changed(standing, map(_back, reversed(made)), game, secretly=procedure.secret)
    standing = _in_place(procedure, made, standing, back, game)
    characters = dict(standing.characters)
    for key in procedure.characters:
        if key in characters:
            characters[key] = replace(characters[key], sheet=procedure.sheets[key])
    return replace(standing, characters=characters, open=without(standing.open, procedure.id))


def _in_place(
    procedure: OpenProcedure,
    made: list[ChangedItem],
    now: Restorable,
    back: Restorable,
    game: Game,
) -> Restorable:
    """What was taken out of a list of the scene comes back to its place, not to the list's end.

    Where others have changed the list since, there may be no such place.
    """
    ours = [each for each in made if each.target == SCENE]
    took = [each for each in ours if isinstance(each.before, list) and each.after == []]
    if not took:
        return back
    alone = Restorable(scene=procedure.scene, known_scene=procedure.known_scene)
    alone = changed(alone, ours, game, secretly=procedure.secret)
    fields = {split_path(each.path)[0] for each in took}

    def placed(back: Plain, now: Plain, alone: Plain, was: Plain) -> Plain:
        same = (each for each in fields if each in was and now.get(each) == alone.get(each))
        return {**back, **{each: was[each] for each in same}}

    scene = placed(back.scene, now.scene, alone.scene, procedure.scene)
    known = back.known_scene
    if known is not None and not procedure.secret:
        seen = [each.known_scene or each.scene for each in (now, alone, procedure)]
        known = placed(known, *seen)
    return replace(back, scene=scene, known_scene=None if known == scene else known)


def _back(change: ChangedItem) -> ChangedItem:
    """A change the other way round."""
    known = None if change.known is None else (change.known[1], change.known[0])
    return replace(change, before=change.after, after=change.before, known=known)


def ruled(standing: Restorable, event: happened.RulingMade, game: Game) -> Restorable:
    """What the GM says; procedures in progress stand as they would have come there with it."""
    for going_on in event.procedures:
        standing = _withdrawn(standing, standing.open[going_on.id], game)
    standing = changed(standing, event.changes, game, secretly=event.secret)
    for going_on in event.procedures:
        made = _whole(going_on, [], _changes(going_on.story), game)
        standing = changed(standing, made, game, secretly=going_on.secret)
        standing = replace(standing, open={**standing.open, going_on.id: going_on})
    return standing


def _changes(story: Iterable[Item]) -> list[ChangedItem]:
    return [item for item in story if isinstance(item, ChangedItem)]


def _whole(
    procedure: OpenProcedure, before: list[ChangedItem], changes: list[ChangedItem], game: Game
) -> list[ChangedItem]:
    """A procedure's changes, where those by a position in a list are changes of the whole field.

    Meanwhile others may have put something into that list, or taken something out of it; what
    the procedure did to the list as it knows it (``before`` that) can be done to theirs.
    """
    if not any(_by_position(change) for change in changes):
        return changes
    sheets = {key: Character(sheet) for key, sheet in procedure.sheets.items()}
    known = changed(Restorable(sheets, procedure.scene), before, game)
    found = []
    for change in changes:
        then = changed(known, (change,), game)
        if _by_position(change):
            field = split_path(change.path)[0]
            was, now = _target(known, change.target), _target(then, change.target)
            change = replace(change, path=field, before=was[field], after=now[field], more=False)
        found.append(change)
        known = then
    return found


def _by_position(change: ChangedItem) -> bool:
    return any(part.isdigit() for part in split_path(change.path))


def _target(standing: Restorable, target: str) -> dict[str, Any]:
    return standing.scene if target == SCENE else standing.characters[target].sheet


def changed(
    standing: Restorable, changes: Iterable[ChangedItem], game: Game, *, secretly: bool = False
) -> Restorable:
    """Characters and scene after changes; the very same where nothing changes.

    What is done ``secretly`` to the scene leaves it unchanged for everybody but the GM.
    """
    changes = tuple(changes)
    if not changes:
        return standing
    characters, scene = dict(standing.characters), standing.scene
    known = scene if secretly and standing.known_scene is None else standing.known_scene
    for change in changes:
        if change.target == SCENE:
            field = split_path(change.path)[0]
            is_known = known is not None and known.get(field) is scene.get(field)
            scene = _set(game.scene, scene, change)
            if known is not None and not secretly:
                # What is the same for all stays the very same: there is nothing to compare then.
                same = is_known and change.known is None
                known = (
                    {**known, field: scene[field]} if same else _learned(game.scene, known, change)
                )
        elif change.target in characters:
            character = characters[change.target]
            sheet = _set(game.sheet, character.sheet, change)
            characters[change.target] = replace(character, sheet=sheet)
    known = None if known == scene else known
    return replace(standing, characters=characters, scene=scene, known_scene=known)


def _learned(
    kind: type[msgspec.Struct], known: dict[str, Any], change: ChangedItem
) -> dict[str, Any]:
    """The scene as all know it after an open change."""
    if change.known is not None:
        field = split_path(change.path)[0]
        made = added if change.more and change.path == field else merged
        return {**known, field: made(known.get(field), *change.known)}
    try:
        return _set(kind, known, change)
    except BadInput:  # within something that they do not know of
        return known


def _set(kind: type[msgspec.Struct], plain: dict[str, Any], change: ChangedItem) -> dict[str, Any]:
    """One change made; if the value has moved on since, what it did is done to what is there."""
    now = value_in(plain, change.path)
    value = (added if change.more else merged)(now, change.before, change.after)
    result: dict[str, Any] = with_value(kind, plain, change.path, value)
    return result


def without(known: dict[str, Any], key: str) -> dict[str, Any]:
    """All but one."""
    return {each: value for each, value in known.items() if each != key}
