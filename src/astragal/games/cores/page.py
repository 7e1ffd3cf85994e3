"""The character sheet and the scene of the game of Cores, as pages."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from astragal.games.page import Mark, Page, Pen, Row, Section, Tap, present, who, written
from astragal.play import Option
from astragal.rules import Options

from .modifiers import NEGATIVE, POSITIVE
from .relationships import relationship_modifier
from .scene import CoresTable
from .sheet import Core, CoreName, Knack, Sheet, grades, ladder

CORES = tuple(core.value for core in CoreName)
"""The four Cores, as the sheet writes them."""


def abilities(sheet: Sheet) -> tuple[Option, ...]:
    """The four Cores, with the die that each has now."""
    return tuple(_core(name, sheet.core[name]).named for name in CoreName)


def page(sheet: Sheet, key: str, table: CoresTable) -> Page:
    """The whole sheet, as a player would print it."""
    pen = Pen(sheet)
    return Page(
        sheet.name,
        sheet.concept,
        badges=_badges(pen, key, table),
        sections=present(
            who(pen),
            Section("Cores", "ratings", _cores(sheet), rule="cores.test.cores"),
            _knacks("Rocks", "rocks", "cores.mod.rock", "cores.mod.really_rocks", pen),
            _knacks("Sucks", "sucks", "cores.mod.suck", "cores.mod.really_sucks", pen),
            _perks(pen),
            _relationships(pen, table),
            _angst(pen),
            Section(
                "Stressors",
                "list",
                pen.lines("stressors", rule="cores.angst.stressor"),
                add="stressors",
                example="deadlines",
            ),
            _comforts(pen),
            Section(
                "Factoids",
                "list",
                pen.lines("factoids", rule="cores.mod.factoid"),
                add="factoids",
                example="Owes money",
            ),
            Section("Points", "counters", _points(pen)),
        ),
        choices=_choices(sheet),
    )


def _badges(pen: Pen, key: str, table: CoresTable) -> tuple[Row, ...]:
    sheet: Sheet = pen.sheet
    story = pen.number("Story Points", "story_points", award=True)
    found = [story, Row("Angst", str(sheet.total_angst), rule="cores.mod.overwhelming")]
    lowered = [f"{core} {sheet.core[core].now}" for core in CoreName if sheet.core[core].lost]
    if lowered:
        found.append(Row("Lowered", ", ".join(lowered)))
    if sheet.dead:
        found.append(Row("Dead", "", rule="cores.crucial.death"))
    elif key in table.scene.out:
        found.append(Row("Out of the scene", "", rule="cores.crucial.purpose"))
    return tuple(found)


def _cores(sheet: Sheet) -> tuple[Row, ...]:
    return tuple(_core(name, sheet.core[name]).row for name in CoreName)


class _Drawn(NamedTuple):
    """A Core on the page, and as a form may name it."""

    row: Row
    named: Option


@lru_cache(maxsize=4096)
def _core(name: CoreName, core: Core) -> _Drawn:
    """A Core: its die now, and its full one, which is what the sheet keeps; it seldom changes."""
    kinds = {"lowered": core.lowered, "deadly": core.lowered_deadly, "lasting": core.lasting}
    steps = [f"{count} {kind}" for kind, count in kinds.items() if count]
    row = Row(
        str(name),
        core.now if core.now == core.die else f"{core.now} of {core.die}",
        written("core", name.value, "die"),
        "choice",
        core.die,
        choices=ladder()[1:],
        note=f"steps lost: {', '.join(steps)}" if steps else "",
        rule="cores.test.cores",
        tap=Tap("test", {"core": name.value}),
    )
    return _Drawn(row, Option(name.value, f"{name} {core.now}", "cores.test.core_die"))


def _knacks(title: str, group: str, rule: str, really: str, pen: Pen) -> Section:
    def row(name: str, knack: Knack) -> Row:
        return pen.row(
            name,
            group,
            name,
            "core",
            value=f"really, {knack.core}" if knack.really else str(knack.core),
            kind="choice",
            choices=CORES,
            rule=really if knack.really else rule,
            entry=2,
        )

    rows = tuple(row(name, knack) for name, knack in getattr(pen.sheet, group).items())
    return Section(title, "list", rows, add=group, example=["Whistling", "social"])


def _perks(pen: Pen) -> Section:
    rows = tuple(
        pen.row(
            name,
            "perks",
            name,
            "system",
            value="" if perk.system else "story only",
            kind="yes_no",
            rule="cores.mod.perk",
            entry=2,
        )
        for name, perk in pen.sheet.perks.items()
    )
    return Section("Perks", "list", rows, add="perks", example=["Own car", {"system": True}])


def _relationships(pen: Pen, table: CoresTable) -> Section:
    rows = tuple(
        pen.row(
            other,
            "relationships",
            other,
            kind="choice",
            choices=tuple(dict.fromkeys((*grades(), grade))),
            note=_worth(grade, table.options),
            rule="cores.mod.relationship",
            entry=2,
        )
        for other, grade in pen.sheet.relationships.items()
    )
    example = ["Grandma", "A"]
    return Section(
        "Relationships", "list", rows, add="relationships", example=example, ties="people"
    )


@lru_cache(maxsize=1024)
def _worth(grade: str, options: Options) -> str:
    if grade not in grades():  # a plus or minus counts only where the group uses them
        return ""
    return f"{relationship_modifier(grade, options):+d}"


def _angst(pen: Pen) -> Section:
    rows = tuple(
        pen.number(kind, "angst", kind, rule="cores.angst.when", entry=2)
        for kind in pen.sheet.angst
    )
    total = pen.sheet.total_angst
    note = f"{total} in all" if len(rows) > 1 else ""
    return Section("Angst", "counters", rows, note=note, add="angst", example=["Envy", 1])


def _comforts(pen: Pen) -> Section:
    used = pen.sheet.comforts_used
    rows = tuple(
        pen.row(
            comfort,
            "comforts",
            at,
            value="used today" if comfort in used else "",
            rule="cores.angst.comfort_limit",
            entry=0 if comfort in used else 2,
        )
        for at, comfort in enumerate(pen.sheet.comforts)
    )
    return Section("Comforts", "list", rows, add="comforts", example="long baths")


def _points(pen: Pen) -> tuple[Row, ...]:
    life = pen.sheet.life_experience
    purged = "Story Point purge used this session" if pen.sheet.story_purge_used else ""
    left = (Mark("left", life.left, life.full),) if life.full else ()
    rule = "cores.life.refresh"
    return (
        pen.number("Story Points", "story_points", award=True, note=purged),
        pen.number("Life Experience", "life_experience", "left", rule=rule, marks=left),
        pen.number("Life Experience (full)", "life_experience", "full", rule=rule),
    )


def _choices(sheet: Sheet) -> dict[str, tuple[Option, ...]]:
    """What forms may name from the sheet."""
    tapped = tuple(
        Option(f"{way}:{kind}", f"{kind}, {how}", f"cores.mod.tap_{way}")
        for kind, points in sheet.angst.items()
        if points
        for way, how in ((POSITIVE, "for a Bonus Die"), (NEGATIVE, "for a Story Point"))
    )
    named: dict[str, Iterable[str]] = {
        "rock": sheet.rocks,
        "suck": sheet.sucks,
        "perk": sheet.perks,
        "relationship": sheet.relationships,
        "angst": sheet.angst,
        "comfort": sheet.comforts,
        "stressor": sheet.stressors,
    }
    found = {
        what: tuple(Option(name, name) for name in names) for what, names in named.items() if names
    }
    return {"ability": abilities(sheet), **found, **({"tap": tapped} if tapped else {})}


# --- The scene -----------------------------------------------------------------------------


def scene_page(table: CoresTable) -> tuple[Section, ...]:
    """Who is not there, and what has been used up; everybody may know all of it."""
    scene = table.scene

    def rows(label: str, keys: tuple[str, ...], rule: str) -> tuple[Row, ...]:
        names = [table.characters[key].name if key in table.characters else key for key in keys]
        return (Row(label, ", ".join(names), rule=rule),) if keys else ()

    used = rows("Angst tapped", scene.tapped, "cores.mod.tap_once")
    used += rows("Factoid used", scene.factoids_used, "cores.mod.factoid")
    return present(
        Section(
            "Not in the scene",
            "list",
            rows("Absent", scene.absent, "cores.assist.present")
            + rows("Taken out", scene.out, "cores.crucial.purpose"),
        ),
        Section("Used in this scene", "list", used),
    )
