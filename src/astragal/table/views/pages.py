"""Characters and scene of a table as pages, worked out once for every seat.

Most entries of a log change neither: then the very same pages are used again. Where something
has changed, every page that looks the same is taken over.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

from msgspec.structs import replace

from astragal.errors import Refusal
from astragal.games import Game
from astragal.games.page import Page, Section
from astragal.play import GM, Seat
from astragal.table.log.scenes import read_scene
from astragal.table.log.state import Character, Restorable
from astragal.table.views.told_scene import ToldScene, told_on
from astragal.table.views.types import CharacterView

_Kind = tuple[bool, frozenset[str]]
"""Whether a seat is the GM's, and whom it does not know of: such seats see the same scene."""

MOST_KINDS = 32
"""For so many kinds it is remembered what was told of the scene: characters come and go."""


class TablePages:
    """The pages of the characters and of the scene, and whom each seat knows of."""

    def __init__(self, standing: Restorable, game: Game) -> None:
        """Show a table in this state; nothing is read before somebody asks for it."""
        self.game = game
        self.characters = standing.characters
        self.scene_as_it_is = standing.scene
        self.known_scene = standing.known_scene
        self.options = standing.options
        self.hidden: dict[str, Seat] = {
            key: str(each.sheet["player"]) for key, each in self.characters.items() if each.hidden
        }
        """The hidden characters, and who plays them."""
        self._unknown_to: dict[Seat, frozenset[str]] = {}
        self._chosen: Mapping[str, object] = standing.options
        self._table: Any = None
        self._sheets: dict[str, Any] = {}
        self._scene: Any = None
        self._told: dict[_Kind, ToldScene] = {}
        self._told_before: dict[_Kind, ToldScene] = {}
        self._pages: dict[str, Page] = {}
        self._looked_at: dict[str, frozenset[str]] = {}
        self._known_pages: dict[str, Page] = {}
        self._scenes: dict[_Kind, tuple[Section, ...]] = {}

    def now(self, standing: Restorable) -> TablePages:
        """The table in another state: the very same pages if nothing on them has changed."""
        if self.options != standing.options:
            return TablePages(standing, self.game)
        if (
            self.characters is standing.characters
            and self.scene_as_it_is is standing.scene
            and self.known_scene is standing.known_scene
        ):
            return self
        after = TablePages(standing, self.game)
        after._look_as(self)
        return after

    def _look_as(self, before: TablePages) -> None:
        was, there = before.characters, self.characters
        if self.hidden == before.hidden:
            self._unknown_to = before._unknown_to
        same = {key for key, each in there.items() if each is was.get(key)}
        if before._table is not None:
            self._chosen = before._table.options
        self._sheets = {key: each for key, each in before._sheets.items() if key in same}
        if self.scene_as_it_is is before.scene_as_it_is:
            self._scene = before._scene
        told = [*before._told_before.items(), *before._told.items()]
        self._told_before = dict(told[-MOST_KINDS:])
        if was is there or _names(was) == _names(there):
            self._pages = {
                key: page
                for key, page in before._pages.items()
                if key in same and before._looks_alike(key, self.scene_as_it_is)
            }
            self._looked_at = {key: before._looked_at[key] for key in self._pages}

    def _looks_alike(self, key: str, scene: dict[str, Any]) -> bool:
        """Whether the page of somebody who has not changed looks the same in another scene."""
        here = self.scene_as_it_is
        if here is scene:
            return True
        return all(here.get(field) == scene.get(field) for field in self._looked_at[key])

    def check(self, before: TablePages) -> None:
        """Refuse sheets and a scene that the game cannot read, where they are new."""
        if before is self:
            return
        for key, each in self.characters.items():
            if each is not before.characters.get(key):
                self._sheet(key, each)
        if self.scene_as_it_is is not before.scene_as_it_is:
            self._read_scene()

    # ------------------------------------------------------------------ in the game's own types

    def typed(self) -> Any:
        """The table in the game's own types."""
        if self._table is None:
            sheets = {key: self._sheet(key, each) for key, each in self.characters.items()}
            self._table = self.game.table(sheets, self._read_scene(), self._chosen)
        return self._table

    def _sheet(self, key: str, character: Character) -> Any:
        if key not in self._sheets:
            self._sheets[key] = self.game.read(character.sheet, self.game.sheet, key)
        return self._sheets[key]

    def _read_scene(self) -> Any:
        if self._scene is None:
            self._scene = read_scene(self.game, self.scene_as_it_is)
        return self._scene

    @cached_property
    def _read_known_scene(self) -> Any:
        """The scene as all know it, in the game's own type; nothing if it cannot be read."""
        if self.known_scene is None:
            return self._read_scene()
        try:
            return read_scene(self.game, self.known_scene)
        except Refusal:  # better nothing than too much
            return None

    # ------------------------------------------------------------------ who knows which character

    def knows(self, seat: Seat, key: str) -> bool:
        """Whether a seat knows that there is such a character."""
        if key in self.hidden:
            return seat in (GM, self.hidden[key])
        return key in self.characters

    def known_of(self, seat: Seat, keys: tuple[str, ...]) -> tuple[str, ...]:
        """Those of these characters of whom a seat knows that they are there."""
        if not self.hidden and self.characters.keys() >= set(keys):
            return keys
        return tuple(key for key in keys if self.knows(seat, key))

    def unknown_to(self, seat: Seat) -> frozenset[str]:
        """The characters that a seat does not know about."""
        if seat not in self._unknown_to:
            hidden = self.hidden.items()
            self._unknown_to[seat] = frozenset(key for key, who in hidden if seat not in (GM, who))
        return self._unknown_to[seat]

    def player(self, key: str) -> Seat:
        """Who plays a character; nobody if it is not there."""
        character = self.characters.get(key)
        return "" if character is None else str(character.sheet["player"])

    # ------------------------------------------------------------------ characters

    def character(self, key: str, seat: Seat) -> CharacterView | None:
        """A character: its page, if it is for this seat to see; nothing of a hidden one."""
        if not self.knows(seat, key):
            return None
        character = self.characters[key]
        player = str(character.sheet["player"])
        shown = seat == GM or player != GM
        return CharacterView(
            key,
            str(character.sheet.get("name", key)),
            player,
            character.hidden,
            player == seat,
            self.page(key, seat) if shown else None,
            character.fresh,
            character.portrait,
            character.partner if seat == GM else None,
        )

    def looks_like(self, other: TablePages, key: str, seat: Seat) -> bool:
        """Whether the page of a character looks the same to a seat there as here."""
        here, there = self.page(key, seat), other.page(key, seat)
        return here is there or here == there

    def page(self, key: str, seat: Seat) -> Page:
        """A character's page, for a seat that may see it; but for the GM they are all alike."""
        if key not in self._pages:
            self._pages[key], self._looked_at[key] = self._drawn(key, self._read_scene())
        known = self.known_scene
        if seat == GM or known is None or self._looks_alike(key, known):
            return self._pages[key]
        if key not in self._known_pages:
            scene = self._read_known_scene or self.game.scene()
            self._known_pages[key], _ = self._drawn(key, scene)
        return self._known_pages[key]

    def _drawn(self, key: str, scene: Any) -> tuple[Page, frozenset[str]]:
        """A page in a scene, and the fields of the scene that it looks at."""
        table, watched = self.typed(), _Watched(scene)
        # A page is for others, too, so nobody who is hidden may be named on it.
        sheets = table.characters.items()
        there = {k: each for k, each in sheets if k == key or k not in self.hidden}
        here = replace(table, scene=watched, characters=there)
        return self.game.page(table.characters[key], key, here), watched.looked_at

    # ------------------------------------------------------------------ the scene

    def scene(self, seat: Seat) -> tuple[Section, ...]:
        """What holds in the scene, as far as it is not about somebody unknown to the seat."""
        kind = (seat == GM, self.unknown_to(seat))
        if kind not in self._scenes:
            sections = self._scene_for(*kind)
            self._scenes[kind] = tuple(each for each in sections if seat == GM or not each.secret)
        return self._scenes[kind]

    def _scene_for(self, is_gm: bool, unknown: frozenset[str]) -> tuple[Section, ...]:
        scene, read = self.scene_as_it_is, self._read_scene()
        if not is_gm and self.known_scene is not None:
            scene, read = self.known_scene, self._read_known_scene
        kind = is_gm, unknown
        told = self._told[kind] = told_on(scene, unknown, self._told_before.pop(kind, None))
        if told.is_whole:
            return () if read is None else self.game.scene_page(replace(self.typed(), scene=read))
        try:
            here = read_scene(self.game, told.told)
        except Refusal:  # better nothing than too much
            return ()
        known = {k: each for k, each in self.typed().characters.items() if k not in unknown}
        return self.game.scene_page(replace(self.typed(), characters=known, scene=here))


class _Watched:
    """A scene that notes which of its fields a page looks at.

    While those stay as they are, the page need not be drawn again. A page that asks the scene for
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


def _names(characters: dict[str, Character]) -> dict[str, tuple[str, bool]]:
    """What others may show of a character on their pages."""
    there = characters.items()
    return {key: (str(each.sheet.get("name", key)), each.hidden) for key, each in there}
