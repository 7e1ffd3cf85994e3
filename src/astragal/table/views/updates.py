"""Updates: what is new for each seat after an entry, told once where all seats see the same."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

import msgspec
from msgspec.structs import replace

from astragal.play import GM, Seat
from astragal.table.log import events as happened
from astragal.table.log.events import LogEntry, digest_in
from astragal.table.log.state import Campaign, OpenProcedure
from astragal.table.views.build import Views, public, seen_of
from astragal.table.views.types import ProcedureView

_encode = msgspec.json.Encoder().encode

_RESTORING = (happened.EntriesUndone, happened.RulingMade)
_PLAYING = (happened.AnswerGiven, happened.ProcedureBegan, happened.AnswersDrafted)


class SeatUpdates:
    """A campaign before and after one entry, as all its seats see it."""

    def __init__(self, before: Views, after: Views, entry: LogEntry) -> None:
        """Compare two campaigns of which one follows the other."""
        self._before = before
        self._after = after
        self._entry = entry
        self._shared: dict[Hashable, msgspec.Raw] = {}
        self._updates: dict[Hashable, bytes] = {}
        was, now = before.campaign, after.campaign
        going_on = now.standing.open.values()
        self._public = _is_public(entry)
        self._digest = digest_in(entry)
        self._restored = isinstance(entry.event, _RESTORING)
        # Whoever plays changes neither title nor house rules.
        self._overview_changed = not isinstance(entry.event, _PLAYING) and _overview_changed(
            was, now
        )
        self._seats_like = after.seats_like(before)
        self._gms_characters = self._others_characters = self._characters_for(GM)
        if was.standing.known_scene is not None or now.standing.known_scene is not None:
            self._others_characters = self._characters_for("")
        self._open_to_all = {each.id for each in going_on if self._is_open_to_all(each)}
        self._asked = {question.seat for each in going_on for question in each.questions}
        pages = before.pages, after.pages
        self._owners = [{each.by} for each in going_on]
        if self._gms_characters or self._others_characters:
            looking_different = {*self._gms_characters, *self._others_characters}
            self._owners += [{each.player(key) for each in pages} for key in looking_different]
        self._owning = frozenset().union(*self._owners)
        self._hides = bool(before.pages.hidden or after.pages.hidden)
        self._is_common = (
            self._public
            and was.chairs is now.chairs
            and was.notes is now.notes
            and was.proposals is now.proposals
            and all(not each.secret and after.is_public(each) for each in going_on)
        )
        """Whether seats differ only by what is asked of them, what is theirs and whom they know."""

    def update(self, seat: Seat) -> bytes:
        """The update for one seat, ready to be sent; the same bytes for seats that see the same."""
        if seat in self._asked or not self._is_common:
            return self._update(seat)
        kind: Hashable = seat == GM
        if self._hides:
            unknown = self._before.pages.unknown_to(seat), self._after.pages.unknown_to(seat)
            kind = (kind, unknown)
        if seat in self._owning:
            kind = (kind, *(seat in each for each in self._owners))
        if kind not in self._updates:
            self._updates[kind] = self._update(seat)
        return self._updates[kind]

    def _is_open_to_all(self, procedure: OpenProcedure) -> bool:
        """Whether a procedure looks the same to every seat that it asks nothing."""
        hidden = self._after.pages.hidden
        if procedure.secret or (hidden and any(key in hidden for key in procedure.characters)):
            return False
        strangers = self._after.hidden_from("")
        if strangers and any(strangers.is_in(each.prompt) for each in procedure.questions):
            return False
        return self._after.is_public(procedure)

    def _update(self, seat: Seat) -> bytes:
        was, now = self._before.campaign, self._after.campaign
        parts: dict[str, Any] = {
            "type": "update",
            "seq": now.seq,
            "head": now.head,
            "digest": self._digest,
        }
        log = self._log(seat)
        if log is not None:
            parts["log"] = log
        if now.standing.open is not was.standing.open or self._are_words_hidden_anew(seat):
            # What is somebody else's secret looks like any other secret: it changes nothing here.
            if log is not None or self._before.open(seat) != self._after.open(seat):
                parts["open"] = self._open(seat)
                if not self._seats_like:
                    parts["chairs"] = self._alike("chairs", self._after.chairs)
        elif now.chairs is not was.chairs:
            parts["chairs"] = self._alike("chairs", self._after.chairs)
        if now.chairs.get(seat) is not was.chairs.get(seat) and seat in now.chairs:
            parts["you"] = self._after.you(seat)
        if self._overview_changed:
            parts["campaign"] = self._alike("campaign", self._after.overview)
        if self._before.pages is not self._after.pages:
            parts |= self._table(seat)
        if now.notes is not was.notes and self._before.notes(seat) != self._after.notes(seat):
            parts["notes"] = self._after.notes(seat)
        if now.proposals is not was.proposals and self._before.proposals(
            seat
        ) != self._after.proposals(seat):
            parts["proposals"] = self._after.proposals(seat)
        if now.handouts is not was.handouts:
            handouts = self._after.handouts(seat)
            if self._before.handouts(seat) != handouts:
                parts["handouts"] = handouts
        if now.saved is not was.saved and self._before.saved(seat) != self._after.saved(seat):
            parts["saved"] = self._after.saved(seat)
        if isinstance(self._entry.event, happened.EntriesUndone):
            parts["undone_after"] = self._entry.event.to
        return _encode(parts)

    def _are_words_hidden_anew(self, seat: Seat) -> bool:
        """Whether an open question may name somebody who may not be named any more."""
        was, now = self._before.campaign.standing, self._after.campaign.standing
        if not now.open or was.characters is now.characters:
            return False
        return not self._before.hidden_from(seat).are_those_of(self._after.hidden_from(seat))

    def _log(self, seat: Seat) -> Any:
        """The entry, told once if there is nothing in it that some may not see."""
        if self._public:
            return self._alike("log", lambda: [self._after.entry(seat, self._entry)])
        seen = self._after.entry(seat, self._entry)
        return None if seen is None else [seen]

    def _alike(self, name: Hashable, make: Callable[[], Any]) -> msgspec.Raw:
        """What several seats are told in the same words, encoded once."""
        told = self._shared.get(name)
        if told is None:
            told = self._shared[name] = msgspec.Raw(_encode(make()))
        return told

    def _table(self, seat: Seat) -> dict[str, Any]:
        """What has changed for a seat in characters and scene; pages show parts of both."""
        parts: dict[str, Any] = {}
        was, now = self._before.pages, self._after.pages
        characters = {
            key: self._character(key, seat)
            for key in (self._gms_characters if seat == GM else self._others_characters)
            if was.knows(seat, key) or now.knows(seat, key)
        }
        if characters:
            parts["characters"] = characters
        scene = now.scene(seat)
        if was.scene(seat) != scene:
            parts["scene"] = self._alike(id(scene), lambda: scene)
        return parts

    def _character(self, key: str, seat: Seat) -> msgspec.Raw | None:
        """A character, encoded once for seats that see the same; None if it is gone."""
        seen = self._after.pages.character(key, seat)
        if seen is None:
            return None
        return self._alike((key, seen.mine, id(seen.page)), lambda: seen)

    def _characters_for(self, seat: Seat) -> tuple[str, ...]:
        """The characters that came, went, changed, or have a page that looks different."""
        was, now = self._before.pages, self._after.pages
        if was is now:
            return ()
        return tuple(
            key
            for key in dict.fromkeys((*was.characters, *now.characters))
            if was.characters.get(key) is not now.characters.get(key)
            or not was.looks_like(now, key, seat)
        )

    def _open(self, seat: Seat) -> Any:
        """What goes on, with the end of each story that is new; all of it after a ruling."""
        return [
            told
            for procedure in self._after.campaign.standing.open.values()
            if (told := self._procedure(procedure, seat)) is not None
        ]

    def _procedure(self, procedure: OpenProcedure, seat: Seat) -> Any:
        """One procedure, encoded once for seats that see the same."""
        asked = seat in self._asked and any(each.seat == seat for each in procedure.questions)
        if asked or procedure.id not in self._open_to_all:
            return self._told(procedure, seat)
        who = GM if seat == GM else seat == procedure.by
        return self._alike((procedure.id, who), lambda: self._told(procedure, seat))

    def _told(self, procedure: OpenProcedure, seat: Seat) -> ProcedureView | None:
        before = self._before.campaign.standing.open.get(procedure.id)
        if before is not None and procedure.id in self._open_to_all and not self._restored:
            return self._after.procedure(procedure, seat, procedure.story[len(before.story) :])
        seen = self._after.procedure(procedure, seat)
        if seen is None or before is None or self._restored:
            return seen
        if before.secret and self._before.procedure(before, seat) is None:
            return seen  # a seat that is asked again in secret has not kept the earlier part
        told = len(seen_of(before.story, seat, secret=before.secret))
        return replace(seen, story=seen.story[told:])


def _overview_changed(was: Campaign, now: Campaign) -> bool:
    return (
        was.title != now.title
        or was.paused != now.paused
        or was.free_edits != now.free_edits
        or was.asks_consent != now.asks_consent
        or was.server_dice != now.server_dice
        or was.open_review != now.open_review
        or was.advice != now.advice
        or was.standing.options != now.standing.options
        or _session(was) != _session(now)
    )


def _session(campaign: Campaign) -> tuple[int, int]:
    """The open session and what was added to its dice, whatever has been thrown in it."""
    session = campaign.session
    return (0, 0) if session is None else (session.number, len(session.given))


def _is_public(entry: LogEntry) -> bool:
    """Whether everybody reads the entry in the same words."""
    match entry.event:
        case happened.AnswerGiven(items=items, secret=secret, taken=taken):
            return taken > 0 and not secret and public(items)
        case happened.ProcedureBegan(procedure=begun):
            return not begun.secret and public(begun.story)
    return False
