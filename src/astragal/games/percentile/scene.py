"""What holds beyond any one sheet: the table's skills, who is where, and long tasks under way.

Also the ends of things: with a scene or a session end whatever lasted only so long.
"""

from __future__ import annotations

from enum import Enum
from typing import Annotated, TypeAlias

import msgspec

from astragal.errors import BadInput
from astragal.games.game import SCENE, Procedure, Table
from astragal.play import Play, Step, note, path_of

from .sheet import RaiseDuration, Sheet, characteristic_named, parse_characteristic


class Unit(Enum):
    """What the time of one test of a series is counted in (percentile.extended.time)."""

    ROUNDS = "rounds"
    MINUTES = "minutes"
    HOURS = "hours"
    DAYS = "days"
    WEEKS = "weeks"


MOST = 1000
"""More degrees, tests or hours can only be a typing mistake."""

PositiveCount = Annotated[int, msgspec.Meta(ge=1, le=MOST)]


class SkillDescription(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A skill as this table describes it: what governs it, and whether it takes an Extended test.

    percentile.skill.governed, percentile.extended.stated; ``needed``, ``each`` and ``unit`` are
    what the description suggests for one.
    """

    characteristic: str
    extended: bool = False
    needed: PositiveCount | None = None
    each: PositiveCount | None = None
    unit: Unit | None = None


class OnFailure(Enum):
    """What a failed test does to a long task (percentile.amb.extended_threshold)."""

    NOTHING = "nothing"
    START_OVER = "start_over"
    ENDS = "ends"


class Task(msgspec.Struct, frozen=True, cache_hash=True, forbid_unknown_fields=True):
    """A long task under way: its terms, how far it has come, and the tests it has taken."""

    title: str
    character: str
    skill: str
    measure: str
    needed: int
    each: int
    unit: Unit
    on_failure: OnFailure = OnFailure.NOTHING
    progress: int = 0
    tests: int = 0
    lost: bool = False

    @property
    def done(self) -> bool:
        """Whether as much has come together as was asked for."""
        return self.progress >= self.needed

    @property
    def time(self) -> str:
        """What has gone into it so far, failed tests too."""
        count = self.tests * self.each
        unit = self.unit.value.removesuffix("s") if count == 1 else self.unit.value
        return f"{count} {unit}"


class Stride(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How far an Agility bonus carries in a turn, as this table has it."""

    bonus: int
    distance: int


def _named_in_the_text() -> dict[str, SkillDescription]:
    """percentile.skill.governed: the two skills whose characteristic the text gives."""
    return {"Dodge": SkillDescription("Ag"), "Scrutiny": SkillDescription("Per")}


class Scene(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The scene as all procedures share it."""

    skills: dict[str, SkillDescription] = msgspec.field(default_factory=_named_in_the_text)
    places: dict[str, str] = {}
    tasks: tuple[Task, ...] = ()
    strides: tuple[Stride, ...] = ()

    def __hash__(self) -> int:
        """Cheap, and equal for equal scenes: comparing does the rest."""
        return hash((self.tasks, self.strides, len(self.skills)))

    def find_skill(self, name: str) -> tuple[str, SkillDescription] | None:
        """The skill of that name as the table spells it, or None."""
        wanted = name.casefold()
        for own, described in self.skills.items():
            if own.casefold() == wanted:
                return own, described
        return None

    def are_beside(self, one: str, other: str) -> bool:
        """Whether two characters are together, as far as anybody has said where they are."""
        here, there = self.places.get(one), self.places.get(other)
        return here is None or there is None or here == there


PercentileTable: TypeAlias = Table[Sheet, Scene]
"""A table of the d100 game."""


# --- The table's own skills ----------------------------------------------------------------


class DescribeSkill(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A skill of this campaign, the characteristic that governs it, and whether it is Extended."""

    skill: str
    characteristic: str
    extended: bool = False
    needed: PositiveCount | None = None
    each: PositiveCount | None = None
    unit: Unit | None = None


class SkillOutcome(msgspec.Struct, frozen=True):
    """A skill as the table describes it."""

    skill: str
    described: SkillDescription


def describe_skill(arguments: DescribeSkill, table: PercentileTable) -> Play[SkillOutcome]:
    """Write down a skill: one characteristic governs it (percentile.skill.governed).

    The description also says whether its use takes an Extended test (percentile.extended.stated).
    """
    name = arguments.skill.strip()
    if not name or "/" in name or characteristic_named(name) is not None:
        expected = "a skill name without a slash that is not the name of a characteristic"
        raise BadInput("skill", arguments.skill, expected)
    governing = parse_characteristic(arguments.characteristic)
    found = table.scene.find_skill(name)
    name = name if found is None else found[0]
    described = SkillDescription(
        governing, arguments.extended, arguments.needed, arguments.each, arguments.unit
    )
    because = "percentile.skill.governed"
    yield from table.amend(SCENE, path_of("skills", name), described, because=because)
    how = ", and takes an Extended test" if arguments.extended else ""
    rule = "percentile.extended.stated" if arguments.extended else because
    yield from note(f"{name} is governed by {governing}{how}.", rule)
    return SkillOutcome(name, described)


# --- Where everybody is --------------------------------------------------------------------


class GoTo(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which characters are at a place."""

    characters: tuple[str, ...]
    place: str


class PlaceOutcome(msgspec.Struct, frozen=True):
    """Who is at a place now."""

    place: str
    characters: tuple[str, ...]


def go_to(arguments: GoTo, table: PercentileTable) -> Play[PlaceOutcome]:
    """Say where characters are: only those beside each other can assist.

    percentile.assist.adjacent.
    """
    place = arguments.place.strip()
    if not place:
        raise BadInput("place", arguments.place, "the name of a place")
    if not arguments.characters:
        raise BadInput("characters", [], "at least one character")
    for index, name in enumerate(arguments.characters):
        table.character(name, f"characters[{index}]")
    for name in arguments.characters:
        path = path_of("places", name)
        table = yield from table.amend(SCENE, path, place, because="percentile.assist.adjacent")
    there = tuple(name for name, where in table.scene.places.items() if where == place)
    names = ", ".join(table.character(name).name for name in there)
    yield from note(f"At {place}: {names}.", "percentile.assist.adjacent")
    return PlaceOutcome(place, there)


# --- The end of a scene, the end of a session ----------------------------------------------


class EndScene(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The scene ends, and what was raised for the scene wears off."""


class EndSession(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The session ends, and what was raised for the session wears off."""


class EndOutcome(msgspec.Struct, frozen=True):
    """What ended with it, as in "mara: S +10 (frenzy)"."""

    raises: tuple[str, ...]


def end_scene(arguments: EndScene, table: PercentileTable) -> Play[EndOutcome]:  # noqa: ARG001
    """What raised a characteristic for the scene is over, and everybody moves on.

    percentile.char.base. Long tasks keep their progress (percentile.extended.multiple).
    """
    table, ended = yield from _over(table, (RaiseDuration.SCENE,))
    yield from table.amend(SCENE, "places", {}, because="percentile.assist.adjacent")
    return EndOutcome(ended)


def end_session(arguments: EndSession, table: PercentileTable) -> Play[EndOutcome]:  # noqa: ARG001
    """The scene ends, and with it what was to last for the session (percentile.char.base)."""
    table, ended = yield from _over(table, (RaiseDuration.SCENE, RaiseDuration.SESSION))
    yield from table.amend(SCENE, "places", {}, because="percentile.assist.adjacent")
    return EndOutcome(ended)


def _over(
    table: PercentileTable, which: tuple[RaiseDuration, ...]
) -> Step[tuple[PercentileTable, tuple[str, ...]]]:
    ended: list[str] = []
    for character, sheet in table.characters.items():
        over = [each for each in sheet.raises if each.lasts in which]
        left = tuple(each for each in sheet.raises if each.lasts not in which)
        table = yield from table.amend(character, "raises", left, because="percentile.char.base")
        for each in over:
            text = f"{each.characteristic} {each.amount:+d} ({each.why})"
            ended.append(f"{character}: {text}")
            yield from note(f"{sheet.name}: {text} wears off.", "percentile.char.base")
    if not ended:
        yield from note("Nothing wears off.", "percentile.char.base")
    return table, tuple(ended)


PROCEDURES = (
    Procedure("describe_skill", "Describe a skill", DescribeSkill, describe_skill, gm_only=True),
    Procedure("go_to", "Move characters to a place", GoTo, go_to, frequent=6),
    Procedure("end_scene", "End the scene", EndScene, end_scene, gm_only=True, touches_all=True),
    Procedure(
        "end_session",
        "End increases for this session",
        EndSession,
        end_session,
        gm_only=True,
        touches_all=True,
    ),
)
