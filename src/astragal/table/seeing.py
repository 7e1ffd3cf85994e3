"""Views: what a seat sees of a campaign, and of every new entry of its log.

A view is built from nothing: what a seat may not know is never put in, so that nothing has to
be taken out. The GM sees the GM's secrets, not those of the players: a script that was written
against the GM's own character is as secret from the GM as from anybody.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any

from msgspec.structs import replace

from astragal.errors import Refusal
from astragal.games import Game, game_named
from astragal.games.page import Page, Section
from astragal.play import GM, Seat
from astragal.table import events as happened
from astragal.table.events import Entry
from astragal.table.knowing import as_seen
from astragal.table.sentences import sentence
from astragal.table.state import (
    Campaign,
    Character,
    Evening,
    Note,
    OpenProcedure,
    Proposal,
    Standing,
)
from astragal.table.story import Item, Sealed
from astragal.table.telling import mentions
from astragal.table.views import (
    CampaignView,
    ChairView,
    CharacterView,
    EntryView,
    EveningView,
    OpenView,
    View,
    Waiting,
    You,
)

Audience = tuple[Seat, ...]


class Sight:
    """A campaign as it is seen, with what all seats see alike worked out once."""

    def __init__(self, campaign: Campaign, like: Sight | None = None) -> None:
        """Look at a campaign; ``like`` is how it looked before, for all that is as it was."""
        self.campaign = campaign
        self.game: Game = game_named(campaign.game)
        self._table: Any = None
        self._sheets: dict[str, Any] = {}
        self._pages: dict[str, Page] = {}
        self._looked_at: dict[str, frozenset[str]] = {}
        self._known_pages: dict[str, Page] = {}
        self._scenes: dict[tuple[bool, frozenset[str]], tuple[Section, ...]] = {}
        if like is not None:
            self._look_as_before(like)

    def _look_as_before(self, like: Sight) -> None:
        was, now = like.campaign.standing, self.campaign.standing
        if was.options != now.options:
            return
        same = {k for k in now.characters if now.characters[k] is was.characters.get(k)}
        everybody = len(same) == len(now.characters) == len(was.characters)
        if everybody and was.scene is now.scene:
            self._table = like._table
            if was.known_scene is now.known_scene:
                self._scenes = like._scenes
        else:
            known = like._sheets if like._table is None else like._table.characters
            self._sheets = {key: known[key] for key in same if key in known}
        if _names(was) == _names(now):
            self._pages = {
                key: page
                for key, page in like._pages.items()
                if key in same and like._looks_alike(key, now.scene)
            }
            self._looked_at = {key: like._looked_at[key] for key in self._pages}

    def _looks_alike(self, key: str, scene: dict[str, Any]) -> bool:
        """Whether the page of somebody who has not changed looks the same in another scene."""
        here = self.campaign.standing.scene
        if here is scene:
            return True
        return all(here.get(field) == scene.get(field) for field in self._looked_at[key])

    def check(self, before: Standing) -> None:
        """Refuse sheets and a scene that the game cannot read, where they are new."""
        standing, game = self.campaign.standing, self.game
        for key, each in standing.characters.items():
            if each is not before.characters.get(key):
                self._sheets[key] = game.read(each.sheet, game.sheet, key)
        if standing.scene is not before.scene:
            game.read(standing.scene, game.scene, "scene")

    # ------------------------------------------------------------------ the whole table

    def view(self, seat: Seat, log: Sequence[Entry]) -> View:
        """Everything that a seat sees; ``log`` are the latest entries."""
        seen = tuple(self.entries(seat, log))
        return View(
            seq=self.campaign.seq,
            you=self.you(seat),
            campaign=self.overview(),
            chairs=self.chairs(),
            characters=self.characters(seat),
            scene=self.scene(seat),
            open=self.open(seat),
            notes=self.notes(seat),
            proposals=self.proposals(seat),
            log=seen,
            older=bool(log) and log[0].seq > 1,
        )

    def you(self, seat: Seat) -> You:
        """Who is looking."""
        chair = self.campaign.chairs[seat]
        return You(seat, chair.name, chair.role.value, chair.own_dice)

    def overview(self) -> CampaignView:
        """What holds for all."""
        campaign = self.campaign
        return CampaignView(
            campaign.id,
            campaign.title,
            campaign.game,
            self.game.title,
            campaign.standing.options,
            campaign.paused,
            campaign.free_edits,
            None if campaign.evening is None else _evening(campaign.evening),
            tuple(_evening(each) for each in campaign.evenings[-20:]),
        )

    def chairs(self) -> tuple[ChairView, ...]:
        """Who is at the table."""
        asked = {
            question.seat
            for procedure in self.campaign.standing.open.values()
            if not procedure.secret
            for question in procedure.questions
        }
        return tuple(
            ChairView(c.seat, c.name, c.role.value, c.own_dice, c.seat in asked)
            for c in self.campaign.chairs.values()
            if not c.gone
        )

    def characters(self, seat: Seat) -> dict[str, CharacterView]:
        """The characters that a seat knows of."""
        seen = {key: self.character(key, seat) for key in self._characters}
        return {key: each for key, each in seen.items() if each is not None}

    @property
    def _characters(self) -> dict[str, Any]:
        return self.campaign.standing.characters

    def character(self, key: str, seat: Seat) -> CharacterView | None:
        """A character: its page, if it is for this seat to see; nothing of a hidden one."""
        if not self.knows(seat, key):
            return None
        character = self._characters[key]
        player = str(character.sheet["player"])
        shown = seat == GM or player != GM
        return CharacterView(
            key,
            str(character.sheet.get("name", key)),
            player,
            character.hidden,
            player == seat,
            self.page(key, seat) if shown else None,
        )

    def knows(self, seat: Seat, key: str) -> bool:
        """Whether a seat knows that there is such a character."""
        character = self._characters.get(key)
        if character is None:
            return False
        return not character.hidden or seat in (GM, character.sheet["player"])

    def hides(self, key: str) -> bool:
        """Whether a character is there, but not for all to know."""
        character = self._characters.get(key)
        return character is not None and bool(character.hidden)

    def player(self, key: str) -> Seat:
        """Who plays a character; nobody if it is not there."""
        character = self._characters.get(key)
        return "" if character is None else str(character.sheet["player"])

    def looks_like(self, other: Sight, key: str, seat: Seat) -> bool:
        """Whether the page of a character looks the same to a seat there as here."""
        here, there = self.page(key, seat), other.page(key, seat)
        return here is there or here == there

    def page(self, key: str, seat: Seat) -> Page:
        """A character's page, for a seat that may see it; but for the GM they are all alike."""
        if key not in self._pages:
            scene = self.typed().scene
            self._pages[key], self._looked_at[key] = self._drawn(key, scene)
        known = self.campaign.standing.known_scene
        if seat == GM or known is None or self._looks_alike(key, known):
            return self._pages[key]
        if key not in self._known_pages:
            self._known_pages[key], _ = self._drawn(key, self._known_scene or self.game.scene())
        return self._known_pages[key]

    def _drawn(self, key: str, scene: Any) -> tuple[Page, frozenset[str]]:
        """A page in a scene, and the fields of the scene that it looks at."""
        table, watched = self.typed(), _Watched(scene)
        # A page is for others, too, so nobody who is hidden may be named on it.
        there = {k: each for k, each in table.characters.items() if k == key or not self.hides(k)}
        here = replace(table, scene=watched, characters=there)
        return self.game.page(table.characters[key], key, here), watched.looked_at

    @cached_property
    def _known_scene(self) -> Any:
        """The scene as all know it, in the game's own type; nothing if it cannot be read."""
        standing = self.campaign.standing
        if standing.known_scene is None:
            return self.typed().scene
        try:
            return self.game.read(standing.known_scene, self.game.scene, "scene")
        except Refusal:  # better nothing than too much
            return None

    def typed(self) -> Any:
        """The table in the game's own types."""
        if self._table is None:
            standing, game = self.campaign.standing, self.game
            known = self._sheets
            sheets = {
                key: known[key] if key in known else game.read(each.sheet, game.sheet, key)
                for key, each in standing.characters.items()
            }
            scene = game.read(standing.scene, game.scene, "scene")
            self._table = game.table(sheets, scene, standing.options)
        return self._table

    def scene(self, seat: Seat) -> tuple[Section, ...]:
        """What holds in the scene, as far as it is not about somebody unknown to the seat."""
        kind = (seat == GM, self.unknown_to(seat))
        if kind not in self._scenes:
            self._scenes[kind] = self._scene_for(*kind)
        return tuple(each for each in self._scenes[kind] if seat == GM or not each.secret)

    def unknown_to(self, seat: Seat) -> frozenset[str]:
        """The characters of whom a seat does not know."""
        return frozenset(key for key in self._characters if not self.knows(seat, key))

    def _scene_for(self, is_gm: bool, unknown: frozenset[str]) -> tuple[Section, ...]:
        standing = self.campaign.standing
        scene, read = standing.scene, self.typed().scene
        if not is_gm and standing.known_scene is not None:
            scene, read = standing.known_scene, self._known_scene
        if not mentions(scene, unknown):
            return () if read is None else self.game.scene_page(replace(self.typed(), scene=read))
        told = {field: _without(value, unknown) for field, value in scene.items()}
        try:
            read = self.game.read(told, self.game.scene, "scene")
        except Refusal:  # better nothing than too much
            return ()
        known = {k: each for k, each in self.typed().characters.items() if k not in unknown}
        return self.game.scene_page(replace(self.typed(), characters=known, scene=read))

    def open(self, seat: Seat) -> tuple[OpenView, ...]:
        """The procedures in progress."""
        seen = (self.procedure(each, seat) for each in self.campaign.standing.open.values())
        return tuple(each for each in seen if each is not None)

    def procedure(self, procedure: OpenProcedure, seat: Seat) -> OpenView | None:
        """A procedure in progress, or nothing where it is the GM's secret."""
        mine = tuple(question for question in procedure.questions if question.seat == seat)
        if procedure.secret and seat != GM and not mine:
            return None
        waiting = tuple(
            Waiting(question.seat, "")
            if question.secret
            else Waiting(question.seat, question.key, question if seat == GM else None)
            for question in procedure.questions
            if question.seat != seat
        )
        story = tuple(visible(procedure.story, seat, procedure.secret))
        return OpenView(
            procedure.id,
            procedure.name,
            procedure.title,
            procedure.by,
            procedure.about,
            tuple(key for key in procedure.characters if self.knows(seat, key)),
            mine,
            waiting,
            story,
            len(story),
            procedure.secret,
            procedure.began,
            seat in (GM, procedure.by),
        )

    def notes(self, seat: Seat) -> tuple[Note, ...]:
        """One's own notes, and those that others share."""
        return tuple(n for n in self.campaign.notes.values() if n.shared or n.seat == seat)

    def proposals(self, seat: Seat) -> tuple[Proposal, ...]:
        """Edits that wait for the GM's nod."""
        waiting = self.campaign.proposals.values()
        return tuple(each for each in waiting if seat == GM or each.seat == seat)

    # ------------------------------------------------------------------ the log

    def entries(self, seat: Seat, log: Iterable[Entry]) -> Iterable[EntryView]:
        """The entries of the log that a seat may read."""
        for entry in log:
            seen = self.entry(seat, entry)
            if seen is not None:
                yield seen

    def entry(self, seat: Seat, entry: Entry) -> EntryView | None:
        """One entry as a seat may read it, or nothing."""
        event = entry.event
        audience = self._audience(entry)
        if audience and seat not in audience:
            return None
        undone = any(after < entry.seq < by for after, by in self.campaign.undone)
        procedure, over = "", False
        items: tuple[Item, ...] = ()
        match event:
            case happened.Began(procedure=begun):
                procedure, over = begun.id, event.over
                items = tuple(visible(begun.story, seat, begun.secret))
            case happened.Answered():
                procedure, over = event.procedure, event.over
                items = tuple(visible(event.items, seat, False))
            case happened.Withdrawn(procedure=procedure):
                pass
            case happened.Ruled(changes=changes) | happened.Edited(changes=changes):
                items = tuple(visible(changes, seat, False))
            case happened.Threw(rolled=thrown):
                items = (thrown,)
        return EntryView(
            entry.seq,
            entry.at,
            entry.seat,
            str(event.__struct_config__.tag),
            sentence(event, entry.seat, self.campaign, self.game, seat),
            items,
            procedure,
            over,
            bool(audience),
            undone,
        )

    def _audience(self, entry: Entry) -> Audience:
        """Who may know that there is such an entry; empty for all."""
        event = entry.event
        match event:
            case happened.Said(audience=audience) | happened.Threw(audience=audience):
                return audience
            case happened.Noted(shared=shared):
                return () if shared else (entry.seat,)
            case happened.Proposed():
                return tuple(dict.fromkeys((entry.seat, GM)))
            case happened.Declined(seat=seat):
                return tuple(dict.fromkeys((seat or entry.seat, GM)))
            case happened.Edited(changes=changes) if all(c.audience for c in changes):
                return tuple(dict.fromkeys(seat for c in changes for seat in c.audience))
            case happened.Ruled(secret=True):
                return (GM,)
            case happened.Began(procedure=begun):
                return (GM,) if begun.secret else ()
            case happened.Answered(taken=0):
                return (entry.seat,)
            case happened.Answered(secret=True) | happened.Withdrawn(secret=True):
                return (GM,)
            case happened.Joined(sheet=joined):
                return _readers(joined)
            case happened.Left(hidden=True):
                return (GM,)
        return ()


class _Watched:
    """A scene that notes which of its fields a page looks at.

    While those stay as they are, the page need not be drawn anew. Whoever asks the scene for
    anything but a field may have looked at all of them.
    """

    def __init__(self, scene: Any) -> None:
        self._scene = scene
        self._names: set[str] = set()

    def __getattr__(self, name: str) -> Any:
        self._names.add(name)
        return getattr(self._scene, name)

    @property
    def looked_at(self) -> frozenset[str]:
        fields = frozenset(self._scene.__struct_fields__)
        return frozenset(self._names) if self._names <= fields else fields


def public(items: Iterable[Item]) -> bool:
    """Whether all seats see the same of these items."""
    return not any(
        item.audience or isinstance(item, Sealed) or getattr(item, "known", None) is not None
        for item in items
    )


def visible(items: Iterable[Item], seat: Seat, secret: bool) -> Iterable[Item]:
    """What a seat may see of a story; of a secret procedure the GM sees what all would."""
    for item in items:
        open_to_all = not item.audience and (not secret or seat == GM)
        if not (open_to_all or seat in item.audience):
            continue
        if isinstance(item, Sealed) and item.seat == seat:
            continue
        seen = as_seen(item, seat)
        if seen is not None:
            yield seen


def _readers(character: Character) -> Audience:
    """Who knows of a character; empty for all."""
    return tuple(dict.fromkeys((GM, str(character.sheet["player"])))) if character.hidden else ()


def _without(plain: Any, keys: frozenset[str]) -> Any:
    """What is kept in a list or under names, without what names these characters."""
    if isinstance(plain, dict):
        return {k: each for k, each in plain.items() if not mentions({k: each}, keys)}
    if isinstance(plain, list):
        return [each for each in plain if not mentions(each, keys)]
    return plain


def _names(standing: Standing) -> dict[str, tuple[str, bool]]:
    """What others may show of a character on their pages."""
    there = standing.characters
    return {key: (str(each.sheet.get("name", key)), each.hidden) for key, each in there.items()}


def _evening(evening: Evening) -> EveningView:
    """A session; its seed only when it is over."""
    seed = evening.seed if evening.ended else ""
    throws = evening.throws if evening.ended else 0  # or else it would tell of throws in secret
    return EveningView(evening.number, evening.commitment, seed, throws, evening.ended)
