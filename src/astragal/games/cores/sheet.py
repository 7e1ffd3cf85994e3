"""The character sheet: four Cores, what rocks and sucks, who matters, and what hurts.

One frozen value holds a whole character, with the limits that outlast a scene: Comforts used
today, the purge with Story Points used this session. What lasts only for a scene is in
:mod:`~astragal.games.cores.scene`. How a character is made is not part of the game here: how
many Rocks, points or Perks one begins with is for the group to say (cores.amb.life_amount).
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection, Mapping
from enum import Enum
from functools import cache
from typing import Any

import msgspec

from astragal.errors import BadInput, check_at_least, check_between, check_one_of
from astragal.play import GM, Seat
from astragal.rules import catalogue

MOST_POINTS = 1000
"""Story Points or Life Experience of one character; more can only be a slip of the pen."""
HOURS_IN_A_WEEK = 7 * 24
"""How long a step lost to a deadly test takes to come back (cores.recovery.deadly)."""


class CoreName(Enum):
    """The four Cores (cores.test.cores)."""

    PHYSICAL = "physical"
    MENTAL = "mental"
    SOCIAL = "social"
    RESOLVE = "resolve"

    def __str__(self) -> str:
        """As it is spoken of: Physical."""
        return self.value.capitalize()


@cache
def ladder() -> tuple[str, ...]:
    """The die types from d0 up (cores.amb.die_ladder).

    >>> ladder()
    ('d0', 'd4', 'd6', 'd8', 'd10', 'd12')
    """
    table = catalogue().table("cores.table.die_ladder")
    lowest = table.column("after_one_crucial_step")[0]
    return (str(lowest), *(str(die) for die in table.column("die")))


@cache
def grades() -> tuple[str, ...]:
    """The grades that a Relationship can have, the best first."""
    return tuple(
        str(grade) for grade in catalogue().table("cores.table.relationship").column("grade")
    )


class Core(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A Core: its die type, and the steps by which it is lowered at present.

    Steps lost to deadly tests are kept apart from the others, because they come back in their
    own time (cores.amb.mixed_damage_recovery); ``lasting`` are those of a character who was
    spared, which do not come back by themselves (cores.recovery.spared). ``hours`` counts
    towards the next weekly step.
    """

    die: str
    lowered: int = 0
    lowered_deadly: int = 0
    lasting: int = 0
    hours: int = 0

    @property
    def lost(self) -> int:
        """All steps that are missing now."""
        return self.lowered + self.lowered_deadly + self.lasting

    @property
    def steps_left(self) -> int:
        """How far it is down to d0."""
        return ladder().index(self.die) - self.lost

    @property
    def now(self) -> str:
        """The die type it has now, which is the one that is rolled (cores.amb.reduced_core_use)."""
        return ladder()[self.steps_left]


class Cores(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The four Cores of a character (cores.test.cores)."""

    physical: Core
    mental: Core
    social: Core
    resolve: Core

    def __getitem__(self, name: CoreName) -> Core:
        """The Core of that name."""
        core: Core = getattr(self, name.value)
        return core


class Knack(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A Rock or a Suck: the Core it belongs to, and whether it is of the stronger sort.

    cores.story.rocks_belong_to_cores, cores.mod.really_rocks, cores.mod.really_sucks.
    """

    core: CoreName
    really: bool = False


class Perk(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A Perk; only a *system* Perk touches the dice (cores.amb.perk_could_impact)."""

    system: bool = True


class Life(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Life Experience: what the character has at the start of a session, and what is left."""

    full: int = 0
    left: int = 0


class Sheet(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A character; ``gmc`` marks those of the GM."""

    name: str
    core: Cores
    player: Seat = ""
    concept: str = ""
    gmc: bool = False
    rocks: dict[str, Knack] = {}
    sucks: dict[str, Knack] = {}
    perks: dict[str, Perk] = {}
    relationships: dict[str, str] = {}
    angst: dict[str, int] = {}
    stressors: tuple[str, ...] = ()
    comforts: tuple[str, ...] = ()
    factoids: tuple[str, ...] = ()
    story_points: int = 0
    life_experience: Life = Life()
    comforts_used: tuple[str, ...] = ()
    story_purge_used: bool = False
    dead: bool = False

    def __hash__(self) -> int:
        """Cheap, and equal for equal sheets: comparing does the rest."""
        return hash((self.name, self.story_points, self.life_experience.left))

    def seat(self, character: str) -> Seat:
        """The seat that plays the character; the GM plays the GMCs."""
        return self.player or (GM if self.gmc else character)

    @property
    def total_angst(self) -> int:
        """The points of all types together (cores.mod.overwhelming)."""
        return sum(self.angst.values())

    def angst_points(self, kind: str) -> int:
        """The points of one type; a type that the sheet does not name has none."""
        return self.angst.get(kind, 0)


def one_of(name: str, known: Collection[str], place: str, what: str) -> str:
    """The name as the sheet spells it, whatever its capitals, or a refusal that knows the names."""
    for own in known:
        if own.casefold() == name.casefold():
            return own
    near = difflib.get_close_matches(name, known, n=3) or list(known)
    raise BadInput(place, name, f"{what}: {', '.join(near) or 'there are none'}")


# --- Reading a sheet -----------------------------------------------------------------------


def normal_form(raw: Mapping[str, Any]) -> Mapping[str, Any]:
    """A sheet file as people like to write it, with shorthand written out.

    ``physical = "d8"`` is ``physical = {die = "d8"}``; ``Skating = "physical"`` and ``Lying =
    "really social"`` are a Rock (or Suck) and one of the stronger sort; Perks may be a list of
    names, all of them system Perks; ``life_experience = 3`` is a stock of 3 with all 3 left.
    """
    normal: dict[str, Any] = dict(raw)
    if isinstance(raw.get("core"), Mapping):
        normal["core"] = {
            str(name).casefold(): {"die": core} if isinstance(core, str) else core
            for name, core in raw["core"].items()
        }
    for group in ("rocks", "sucks"):
        if isinstance(raw.get(group), Mapping):
            normal[group] = {name: _knack(knack) for name, knack in raw[group].items()}
    perks = raw.get("perks")
    if isinstance(perks, list | tuple) and all(isinstance(name, str) for name in perks):
        normal["perks"] = {name: {} for name in perks}
    life = raw.get("life_experience")
    if isinstance(life, int) and not isinstance(life, bool):
        normal["life_experience"] = {"full": life, "left": life}
    return normal


def _knack(written: Any) -> Any:
    if not isinstance(written, str):
        return written
    words = written.casefold().split()
    return {"core": words[-1] if words else "", "really": words[:-1] == ["really"]}


def check(sheet: Sheet) -> None:
    """What the types cannot say: real dice and grades, no count below nothing, limits that fit."""
    for name in CoreName:
        _check_core(sheet.core[name], f"core.{name.value}")
    for group in ("rocks", "sucks", "perks", "relationships", "angst"):
        if "none" in getattr(sheet, group):  # it is how somebody says that they want nothing
            raise BadInput(f"{group}.none", "none", "another name")
    for kind, points in sheet.angst.items():
        check_angst_type(kind, f"angst.{kind}")
        check_at_least(f"angst.{kind}", points, 0, "cores.amb.purge_six_exploding")
    for other, grade in sheet.relationships.items():
        if plain_grade(grade) is None:
            expected = f"one of {', '.join(grades())}"
            raise BadInput(f"relationships.{other}", grade, expected, "cores.mod.relationship")
    for comfort in sheet.comforts_used:
        check_one_of("comforts_used", comfort, sheet.comforts)
    check_between("story_points", sheet.story_points, 0, MOST_POINTS)
    life = sheet.life_experience
    check_between("life_experience.full", life.full, 0, MOST_POINTS)
    check_between("life_experience.left", life.left, 0, life.full, "cores.life.refresh")


def _check_core(core: Core, place: str) -> None:
    dice = ladder()[1:]
    check_one_of(f"{place}.die", core.die, dice, "cores.amb.die_ladder")
    for field in ("lowered", "lowered_deadly", "lasting"):
        check_at_least(f"{place}.{field}", getattr(core, field), 0)
    if core.steps_left < 0:
        most = ladder().index(core.die)
        raise BadInput(place, core.lost, f"at most {most} steps below {core.die}")
    if not 0 <= core.hours < HOURS_IN_A_WEEK:
        raise BadInput(f"{place}.hours", core.hours, f"0 to {HOURS_IN_A_WEEK - 1}")


def check_angst_type(kind: str, place: str) -> None:
    """A type of Angst has a name; a slash in it would be taken for a path."""
    if not kind.strip() or "/" in kind:
        raise BadInput(place, kind, "the name of a type of Angst, without a slash")


def plain_grade(grade: str) -> str | None:
    """The grade without its plus or minus, or None if it is no grade at all.

    >>> plain_grade("B-"), plain_grade("Critical A"), plain_grade("E"), plain_grade("Critical A+")
    ('B', 'Critical A', None, None)
    """
    found = re.fullmatch(r"(Critical [A-Z]|[A-Z](?=[+-]?$))[+-]?", grade)
    plain = found[1] if found else ""
    signed = grade != plain
    return plain if plain in grades() and not (signed and "Critical" in plain) else None
