"""Scenes, sessions and days: what holds for so long, and what begins anew with the next.

Once per scene and character Angst may be tapped (cores.mod.tap_once), once per scene a GMC's
Factoid counts (cores.mod.factoid); who is out of the scene stays out of it. Once per session
Story Points purge Angst and Life Experience is refreshed; once per day each Comfort helps.
The passing of hours and weeks is in :mod:`~astragal.games.cores.recovery`.
"""

from __future__ import annotations

from typing import TypeAlias

import msgspec

from astragal.errors import NotAllowed
from astragal.games.game import SCENE, Procedure, Table
from astragal.play import Play, Step, note

from .sheet import Sheet


class Scene(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The scene that is being played: who is not there, and what has been used up in it."""

    absent: tuple[str, ...] = ()
    out: tuple[str, ...] = ()
    tapped: tuple[str, ...] = ()
    factoids_used: tuple[str, ...] = ()


CoresTable: TypeAlias = Table[Sheet, Scene]
"""A table of this game."""


def present(character: str, table: CoresTable) -> bool:
    """Whether a character is there and still in the scene (cores.assist.present)."""
    sheet = table.character(character)
    scene = table.scene
    return not (sheet.dead or character in scene.absent or character in scene.out)


def check_can_act(character: str, table: CoresTable) -> None:
    """The dead do nothing more, and who is out of the scene does nothing more in it."""
    sheet = table.character(character)
    if sheet.dead:
        raise NotAllowed(f"{sheet.name} is dead", "cores.crucial.death")
    if character in table.scene.out:
        raise NotAllowed(f"{sheet.name} is out of the scene", "cores.crucial.purpose")


# --- Procedures ----------------------------------------------------------------------------


class BeginScene(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A new scene ends the one before. If nobody is named, everyone is present."""

    present: tuple[str, ...] = ()
    what: str = ""


class SceneOutcome(msgspec.Struct, frozen=True):
    """Who is there."""

    present: tuple[str, ...]


def begin_scene(arguments: BeginScene, table: CoresTable) -> Play[SceneOutcome]:
    """Everything that can be done once per scene can be done again.

    cores.mod.tap_once, cores.mod.factoid. Those taken out of the last scene may be in this
    one, though a Core at d0 stays there until it has recovered (cores.amb.d0_core).
    """
    for name in arguments.present:
        table.character(name, "present")
    named = arguments.present or tuple(table.characters)
    there = tuple(name for name in named if not table.characters[name].dead)
    if arguments.present and there != arguments.present:
        dead = next(name for name in arguments.present if name not in there)
        raise NotAllowed(f"{table.characters[dead].name} is dead", "cores.crucial.death")
    absent = tuple(name for name in table.characters if name not in there)
    table = yield from table.amend(SCENE, "absent", absent, because="cores.assist.present")
    table = yield from table.amend(SCENE, "out", (), because="cores.crucial.purpose")
    table = yield from table.amend(SCENE, "tapped", (), because="cores.mod.tap_once")
    table = yield from table.amend(SCENE, "factoids_used", (), because="cores.mod.factoid")
    names = ", ".join(table.characters[name].name for name in there)
    what = arguments.what.strip().rstrip(".") or "A new scene"
    yield from note(f"{what[:1].upper()}{what[1:]}. Present: {names}.", "cores.assist.present")
    return SceneOutcome(there)


class BeginSession(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A new session for everyone at the table."""


class RenewalOutcome(msgspec.Struct, frozen=True):
    """For whom something began anew."""

    characters: tuple[str, ...]


def begin_session(arguments: BeginSession, table: CoresTable) -> Play[RenewalOutcome]:  # noqa: ARG001
    """Life Experience is refreshed (cores.life.refresh), Story Points are not.

    cores.amb.life_amount. The purge with Story Points is open again (cores.story.purge).
    """
    renewed = []
    for name, sheet in table.characters.items():
        full = sheet.life_experience.full
        after = yield from table.amend(
            name, "life_experience.left", full, because="cores.life.refresh"
        )
        after = yield from after.amend(name, "story_purge_used", False, because="cores.story.purge")
        if after is not table:
            renewed.append(name)
        table = after
    yield from note("A new session: everyone's Life Experience is refreshed.", "cores.life.refresh")
    return RenewalOutcome(tuple(renewed))


class NewDay(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A new day in the story."""


def new_day(arguments: NewDay, table: CoresTable) -> Play[RenewalOutcome]:  # noqa: ARG001
    """Every Comfort can be used again (cores.angst.comfort_limit)."""
    renewed = tuple(name for name, sheet in table.characters.items() if sheet.comforts_used)
    yield from comforts_anew(table)
    return RenewalOutcome(renewed)


def comforts_anew(table: CoresTable) -> Step[CoresTable]:
    """A day is over: no Comfort has been used on the next one (cores.angst.comfort_limit)."""
    for name in table.characters:
        table = yield from table.amend(
            name, "comforts_used", (), because="cores.angst.comfort_limit"
        )
    yield from note("A new day: every Comfort can be used again.", "cores.angst.comfort_limit")
    return table


PROCEDURES = (
    Procedure(
        "begin_scene",
        "New scene",
        BeginScene,
        begin_scene,
        gm_only=True,
        touches_all=True,
        frequent=6,
    ),
    Procedure(
        "begin_session",
        "New session: refresh Life Experience",
        BeginSession,
        begin_session,
        gm_only=True,
        touches_all=True,
    ),
    Procedure("new_day", "New day", NewDay, new_day, gm_only=True, touches_all=True),
)
