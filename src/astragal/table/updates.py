"""Updates: what is new for each seat after an entry, told once where all seats see the same."""

from __future__ import annotations

from collections.abc import Hashable
from functools import cached_property
from typing import Any

import msgspec
from msgspec.structs import replace

from astragal.play import GM, Seat
from astragal.table import events as happened
from astragal.table.events import Entry
from astragal.table.seeing import Sight, public, visible
from astragal.table.state import Campaign, OpenProcedure
from astragal.table.views import CharacterView, OpenView

_encode = msgspec.json.Encoder().encode


class Change:
    """A campaign before and after one entry, as all its seats see it."""

    def __init__(self, before: Sight, after: Sight, entry: Entry) -> None:
        """Compare two campaigns of which one follows the other."""
        self._before = before
        self._after = after
        self._entry = entry
        self._shared: dict[str, msgspec.Raw] = {}
        self._updates: dict[Hashable, bytes] = {}
        self._open_to_all: dict[str, bool] = {}
        was, now = before.campaign, after.campaign
        self._table_changed = (
            was.standing.characters is not now.standing.characters
            or was.standing.scene is not now.standing.scene
            or was.standing.known_scene is not now.standing.known_scene
            or was.standing.options != now.standing.options
        )
        self._public = _is_public(entry)
        self._restored = isinstance(entry.event, happened.Undone | happened.Ruled)

    def update(self, seat: Seat) -> bytes:
        """The update for one seat, ready to be sent; the same for all who see the same."""
        kind = self._kind(seat)
        if kind is None:
            return self._update(seat)
        if kind not in self._updates:
            self._updates[kind] = self._update(seat)
        return self._updates[kind]

    def _kind(self, seat: Seat) -> Hashable:
        """What makes a difference between this seat and others; None if it is like no other."""
        if not self._is_common or any(seat in each for each in self._asked):
            return None
        mine = tuple(seat in each for each in self._owners)
        return (seat == GM, mine)

    @cached_property
    def _is_common(self) -> bool:
        """Whether seats can be told apart by what is asked of them and what is theirs."""
        was, now = self._before.campaign, self._after.campaign
        if not self._public or was.chairs is not now.chairs:
            return False
        if was.notes is not now.notes or was.proposals is not now.proposals:
            return False
        if any(self._after.player(key) != GM for key in self._after.unknown_to("")):
            return False
        return all(self._is_open_to_all(each) for each in now.standing.open.values()) and not any(
            sight.hides(key) for key in self._characters for sight in (self._before, self._after)
        )

    @cached_property
    def _asked(self) -> list[set[Seat]]:
        going_on = self._after.campaign.standing.open.values()
        return [{question.seat for question in each.questions} for each in going_on]

    @cached_property
    def _owners(self) -> list[set[Seat]]:
        """Whose procedures are open, and whose characters have changed."""
        began = [{each.by} for each in self._after.campaign.standing.open.values()]
        return began + [
            {sight.player(key) for sight in (self._before, self._after)} for key in self._characters
        ]

    def _is_open_to_all(self, procedure: OpenProcedure) -> bool:
        """Whether a procedure looks the same to all of whom it asks nothing."""
        if procedure.id not in self._open_to_all:
            hidden = any(self._after.hides(key) for key in procedure.characters)
            self._open_to_all[procedure.id] = not (
                hidden or procedure.secret or not public(procedure.story)
            )
        return self._open_to_all[procedure.id]

    def _update(self, seat: Seat) -> bytes:
        was, now = self._before.campaign, self._after.campaign
        parts: dict[str, Any] = {"type": "update", "seq": now.seq}
        log = self._log(seat)
        if log is not None:
            parts["log"] = log
        if now.standing.open is not was.standing.open:
            parts["open"] = self._open(seat)
            parts["chairs"] = self._alike("chairs", self._after.chairs)
        elif now.chairs is not was.chairs:
            parts["chairs"] = self._alike("chairs", self._after.chairs)
        if now.chairs.get(seat) is not was.chairs.get(seat) and seat in now.chairs:
            parts["you"] = self._after.you(seat)
        if self._overview_changed:
            parts["campaign"] = self._alike("campaign", self._after.overview)
        if self._table_changed:
            parts |= self._table(seat)
        if now.notes is not was.notes:
            parts["notes"] = self._after.notes(seat)
        if now.proposals is not was.proposals:
            parts["proposals"] = self._after.proposals(seat)
        if isinstance(self._entry.event, happened.Undone):
            parts["undone_after"] = self._entry.event.to
        return _encode(parts)

    @cached_property
    def _overview_changed(self) -> bool:
        was, now = self._before.campaign, self._after.campaign
        return (
            was.title != now.title
            or was.paused != now.paused
            or was.free_edits != now.free_edits
            or was.standing.options != now.standing.options
            or _session(was) != _session(now)
        )

    def _log(self, seat: Seat) -> Any:
        """The entry, told once if there is nothing in it that some may not see."""
        if self._public:
            return self._alike("log", lambda: [self._after.entry(seat, self._entry)])
        seen = self._after.entry(seat, self._entry)
        return None if seen is None else [seen]

    def _alike(self, name: str, make: Any) -> msgspec.Raw:
        if name not in self._shared:
            self._shared[name] = msgspec.Raw(_encode(make()))
        return self._shared[name]

    def _table(self, seat: Seat) -> dict[str, Any]:
        """What looks otherwise for a seat of characters and scene; pages show parts of both."""
        parts: dict[str, Any] = {}
        characters: dict[str, CharacterView | None] = {
            key: self._after.character(key, seat) if self._after.knows(seat, key) else None
            for key in (self._gms_characters if seat == GM else self._others_characters)
            if self._before.knows(seat, key) or self._after.knows(seat, key)
        }
        if characters:
            parts["characters"] = characters
        scene = self._after.scene(seat)
        if self._before.scene(seat) != scene:
            parts["scene"] = scene
        return parts

    @cached_property
    def _characters(self) -> tuple[str, ...]:
        """The characters that look otherwise now, to the GM or to others."""
        return tuple(dict.fromkeys((*self._gms_characters, *self._others_characters)))

    @cached_property
    def _gms_characters(self) -> tuple[str, ...]:
        return self._characters_for(GM)

    @cached_property
    def _others_characters(self) -> tuple[str, ...]:
        was, now = self._before.campaign.standing, self._after.campaign.standing
        if was.known_scene is now.known_scene is None:
            return self._gms_characters
        return self._characters_for("")

    def _characters_for(self, seat: Seat) -> tuple[str, ...]:
        """The characters that came, went, changed, or are on a page that looks otherwise now."""
        if not self._table_changed:
            return ()
        was, now = self._before.campaign.standing, self._after.campaign.standing
        return tuple(
            key
            for key in dict.fromkeys((*was.characters, *now.characters))
            if was.characters.get(key) is not now.characters.get(key)
            or not self._before.looks_like(self._after, key, seat)
        )

    def _open(self, seat: Seat) -> Any:
        """What goes on, with the end of each story that is new; all of it after a ruling."""
        return [
            told
            for procedure in self._after.campaign.standing.open.values()
            if (told := self._procedure(procedure, seat)) is not None
        ]

    def _procedure(self, procedure: OpenProcedure, seat: Seat) -> Any:
        """One procedure, told once for all who see the same of it."""
        asked = any(question.seat == seat for question in procedure.questions)
        if asked or not self._is_open_to_all(procedure):
            return self._told(procedure, seat)
        who = GM if seat == GM else seat == procedure.by
        return self._alike(f"{procedure.id} {who}", lambda: self._told(procedure, seat))

    def _told(self, procedure: OpenProcedure, seat: Seat) -> OpenView | None:
        seen = self._after.procedure(procedure, seat)
        before = self._before.campaign.standing.open.get(procedure.id)
        if seen is None or before is None or self._restored:
            return seen
        if before.secret and self._before.procedure(before, seat) is None:
            return seen  # whoever is asked again in secret has not kept what there was
        told = sum(1 for _ in visible(before.story, seat, before.secret))
        return replace(seen, story=seen.story[told:])


def _session(campaign: Campaign) -> int:
    """The session that is open, whatever has been thrown in it."""
    return 0 if campaign.evening is None else campaign.evening.number


def _is_public(entry: Entry) -> bool:
    """Whether everybody reads the entry in the same words."""
    match entry.event:
        case happened.Answered(items=items, secret=secret, taken=taken):
            return taken > 0 and not secret and public(items)
        case happened.Began(procedure=begun):
            return not begun.secret and public(begun.story)
    return False
