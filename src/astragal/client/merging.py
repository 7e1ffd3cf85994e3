"""A view and an update make the new view."""

from __future__ import annotations

from msgspec.structs import replace

from astragal.table.views.types import ProcedureView, TableUpdate, TableView

_PLAIN = ("campaign", "you", "chairs", "scene", "notes", "proposals", "handouts", "saved")


def merged(view: TableView, update: TableUpdate) -> TableView:
    """The view after an update."""
    parts = {name: new for name in _PLAIN if (new := getattr(update, name)) is not None}
    characters = view.characters
    if update.characters is not None:
        changed = {**characters, **update.characters}
        characters = {key: each for key, each in changed.items() if each is not None}
    log = view.log
    if update.undone_after is not None:
        upto = update.log[0].seq if update.log else update.seq
        log = tuple(
            replace(entry, undone=True) if update.undone_after < entry.seq < upto else entry
            for entry in log
        )
    last = log[-1].seq if log else 0
    fresh = tuple(entry for entry in update.log if entry.seq > last)
    return replace(
        view,
        seq=update.seq,
        head=update.head,
        digest=update.digest,
        characters=characters,
        log=log + fresh,
        open=view.open if update.open is None else _continued(view.open, update.open),
        **parts,
    )


def _continued(
    before: tuple[ProcedureView, ...], now: tuple[ProcedureView, ...]
) -> tuple[ProcedureView, ...]:
    """Each procedure with its whole story: what was there, and the items that are new."""
    told = {each.id: each.story for each in before}
    return tuple(
        replace(each, story=told.get(each.id, ())[: each.told - len(each.story)] + each.story)
        for each in now
    )
