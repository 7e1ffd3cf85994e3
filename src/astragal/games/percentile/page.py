"""The character sheet and the scene of the d100 game, as pages."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from astragal.games.page import Mark, Page, Pen, Row, Section, Tap, handy, present, who
from astragal.play import Option

from .scene import PercentileTable
from .sheet import (
    TRAINED,
    TRAINING_STEP,
    UNTRAINED_PENALTY,
    Raise,
    Sheet,
    Skill,
    characteristics,
    whole_tens_of,
)


def abilities(sheet: Sheet) -> tuple[Option, ...]:
    """Characteristics and skills, as far as they are on the sheet."""
    of_body = tuple(_characteristic(sheet, short).named for short in sheet.characteristics)
    learned = tuple(
        Option(name, f"{name} ({skill.characteristic})", "percentile.skill.governed")
        for name, skill in sheet.skills.items()
    )
    return of_body + learned


def page(sheet: Sheet, key: str, table: PercentileTable) -> Page:
    """The whole sheet, as a player would print it."""
    pen = Pen(sheet)
    place = table.scene.places.get(key, "")
    badges = [Row("At", place, rule="percentile.assist.adjacent")] if place else []
    badges += [Row(each.characteristic, f"+{each.amount}", note=each.why) for each in sheet.raises]
    of_body, learned = _characteristics(sheet), _skills(pen)
    return Page(
        sheet.name,
        sheet.concept,
        badges=tuple(badges),
        sections=present(
            who(pen),
            handy((*learned, *of_body)),
            Section("Characteristics", "ratings", of_body, rule="percentile.char.bonus"),
            Section(
                "Skills",
                "ratings",
                learned,
                add="skills",
                example=["Climb", "S +10"],
                rule="percentile.skill.governed",
            ),
            Section("Temporary increases", "list", _raises(pen)),
        ),
        choices={
            "ability": abilities(sheet),
            **(
                {"raise": tuple(Option(each.why, each.why) for each in sheet.raises)}
                if sheet.raises
                else {}
            ),
        },
    )


class _OfBody(NamedTuple):
    """A characteristic on the page, and as a form may name it."""

    row: Row
    named: Option


def _characteristics(sheet: Sheet) -> tuple[Row, ...]:
    shown = [short for short in characteristics() if short in sheet.characteristics]
    return tuple(_characteristic(sheet, short).row for short in shown)


def _characteristic(sheet: Sheet, short: str) -> _OfBody:
    return _of_body(short, sheet.characteristics[short], sheet.raises, sheet.evil)


@lru_cache(maxsize=4096)
def _of_body(short: str, base: int, raises: tuple[Raise, ...], evil: bool) -> _OfBody:
    """A characteristic's value with what raises it now, and its bonus; they seldom change."""
    alone = Sheet("", characteristics={short: base}, raises=raises, evil=evil)
    value, called = alone.value(short), alone.called(short)
    raised = f", {value}" if len(value.lines) > 1 else ""
    row = Pen(alone).number(
        f"{called} ({short})",
        "characteristics",
        short,
        value=str(value.total),
        note=f"{characteristics()[short].bonus} {whole_tens_of(value.total)}{raised}",
        rule="percentile.char.bonus",
        tap=Tap("test", {"ability": short}),
    )
    return _OfBody(row, Option(short, f"{called} {value.total}", "percentile.core.value"))


def training_of(skill: Skill) -> str:
    """A skill's training as it is written on a sheet.

    >>> [training_of(Skill("Ag", level)) for level in (0, 1, 2)]
    ['untrained (-20)', 'trained', 'trained +10']
    """
    if skill.training < TRAINED:
        return f"untrained (-{UNTRAINED_PENALTY})"
    further = TRAINING_STEP * (skill.training - TRAINED)
    return f"trained +{further}" if further else "trained"


def _rated(sheet: Sheet, skill: Skill) -> str:
    """What a skill starts from, and its training: enough to roll it from the printed sheet."""
    trained = training_of(skill)
    if skill.characteristic not in sheet.characteristics:
        return trained
    return f"{sheet.value(skill.characteristic).total} {trained}"


def _skills(pen: Pen) -> tuple[Row, ...]:
    sheet: Sheet = pen.sheet
    return tuple(
        pen.number(
            name,
            "skills",
            name,
            "training",
            value=_rated(sheet, skill),
            note=f"by {sheet.called(skill.characteristic)}",
            rule="percentile.skill.governed",
            marks=(Mark("training", skill.training, aside=True),),
            entry=2,
            tap=Tap("test", {"ability": name}),
        )
        for name, skill in sheet.skills.items()
    )


def _raises(pen: Pen) -> tuple[Row, ...]:
    return tuple(
        pen.number(
            f"{each.characteristic}: {each.why}",
            "raises",
            at,
            "amount",
            value=f"+{each.amount}",
            note=each.lasts.in_words,
            rule="percentile.char.base",
        )
        for at, each in enumerate(pen.sheet.raises)
    )


# --- The scene -----------------------------------------------------------------------------


def scene_page(table: PercentileTable) -> tuple[Section, ...]:
    """Who is where, the long tasks under way, and the skills as this table describes them."""
    scene = table.scene

    def named(key: str) -> str:
        return table.characters[key].name if key in table.characters else key

    places = tuple(
        Row(named(who), where, rule="percentile.assist.adjacent")
        for who, where in scene.places.items()
    )
    tasks = tuple(
        Row(
            f"{named(task.character)}: {task.title}",
            "lost" if task.lost else "done" if task.done else task.measure.replace("_", " "),
            note=f"{task.skill}, {task.time} so far",
            rule="percentile.extended.multiple",
            marks=(Mark("progress", task.progress, task.needed),),
        )
        for task in scene.tasks
    )
    skills = tuple(
        Row(
            name,
            described.characteristic,
            note="takes an Extended test" if described.extended else "",
            rule="percentile.skill.governed",
        )
        for name, described in scene.skills.items()
    )
    return present(
        Section("Places", "list", places),
        Section("Extended tests", "list", tasks),
        Section("Skills in this campaign", "list", skills),
    )
