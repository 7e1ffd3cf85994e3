"""Up to the roll: which ability is tested, and what its target number is.

The steps are the core mechanic's: the value, then the modifiers, and only then the dice, which
are in :mod:`~astragal.games.percentile.tests`, :mod:`~astragal.games.percentile.extended` and
:mod:`~astragal.games.percentile.opposed`.
"""

from __future__ import annotations

from typing import TypeVar

import msgspec

from astragal.errors import BadInput
from astragal.games.game import SCENE
from astragal.play import GM, Line, Option, Seat, Step, Tally, Text, ask, choose, path_of
from astragal.rules import Options

from .assistance import Action, Resistance, assistance, check_assistance, check_trained
from .degrees import counts_sign
from .dice import granted
from .modifiers import Modifier, circumstances, difficulty, final_modifier
from .scene import PercentileTable, SkillDescription
from .sheet import (
    HIGHEST,
    TRAINED,
    TRAINING_STEP,
    UNTRAINED_PENALTY,
    Sheet,
    Skill,
    characteristic_named,
    characteristics,
    parse_characteristic,
)


class Declaration(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a character tries, and everything that was said about it beforehand.

    ``ability`` is what the player has in mind; the GM has the last word. ``difficulty`` is for
    tasks whose difficulty the rules state. ``assistants`` are those beside the character who
    help, ``over_vox`` those who help over a vox channel. ``rerolls`` names the special rules
    that allow a re-roll.
    """

    character: str
    ability: str = ""
    task: str = ""
    difficulty: str = ""
    modifiers: tuple[Modifier, ...] = ()
    assistants: tuple[str, ...] = ()
    over_vox: tuple[str, ...] = ()
    action: Action = Action.ORDINARY
    resists: Resistance = Resistance.NOTHING
    rerolls: tuple[str, ...] = ()


class TestedAbility(msgspec.Struct, frozen=True):
    """What is tested: a characteristic, or a skill with the characteristic that governs it."""

    name: str
    characteristic: str
    value: Tally
    skill: str | None = None
    trained: bool = True


class Attempt(msgspec.Struct, frozen=True, cache_hash=True):
    """Everything about one character's test when the dice are about to be thrown."""

    character: str
    name: str
    seat: Seat
    ability: str
    task: str
    target: Tally
    bonus: int
    rerolls: tuple[str, ...]
    sign: bool

    @property
    def label(self) -> str:
        """What the roll is for."""
        return f"{self.name}, {self.ability}"


D = TypeVar("D", bound=Declaration)


def check_declared(declaration: Declaration, table: PercentileTable) -> None:
    """Refuse at once what no answer could mend: help that cannot be given.

    The skill that was named is what the help is for; if the GM picks another, those who
    are not trained in it are left out.
    """
    table.character(declaration.character)
    said = declaration
    check_assistance(
        said.character, said.assistants, said.over_vox, said.action, said.resists, table
    )
    ability = said.ability.strip()
    if ability and characteristic_named(ability) is None:
        check_trained(ability, (*said.assistants, *said.over_vox), table)


def described(declaration: D, table: PercentileTable) -> Step[D]:
    """What somebody tries, asked for where it was left out; it may be said at the table instead.

    percentile.core.when: without a task or an ability nobody could say whether it takes a roll.
    """
    if declaration.task.strip():
        return declaration
    unnamed = not declaration.ability.strip()
    sheet = table.character(declaration.character)
    task = yield from ask(
        sheet.seat(declaration.character),
        "task",
        f"Task ({sheet.name})",
        Text(required=unnamed, default=None if unnamed else ""),
        because="percentile.core.when",
    )
    return msgspec.structs.replace(declaration, task=task)


# --- Step 1: the value ---------------------------------------------------------------------


def tested_by(
    declaration: Declaration, table: PercentileTable
) -> Step[tuple[TestedAbility, PercentileTable]]:
    """The GM picks what fits best, and its value is read off the sheet (percentile.core.value).

    What governs a skill that was unknown so far is kept at the table.
    """
    sheet = table.character(declaration.character)
    options, proposed = _options(sheet, declaration.ability.strip(), table)
    if not options:
        raise BadInput(
            "character", declaration.character, "a character with a characteristic or skill to test"
        )
    name = yield from choose(
        GM,
        "ability",
        f"Which characteristic or skill does {sheet.name} test?",
        options,
        default=proposed or None,
        because="percentile.core.value",
        kind="consent" if proposed else "needed",
    )
    short = characteristic_named(name)
    if short is not None:
        # percentile.charactest.test: raw ability, where training is of no use.
        return TestedAbility(sheet.called(short), short, sheet.value(short)), table
    return (yield from _skill(sheet, name, table))


def _options(sheet: Sheet, proposed: str, table: PercentileTable) -> tuple[tuple[Option, ...], str]:
    """All that could be tested, and what was proposed as the list spells it."""
    rule = "percentile.core.value"
    found = {
        short: Option(
            key=short,
            label=f"{sheet.called(short)} {sheet.value(short).total}",
            rule=rule,
            note=characteristics()[short].measures,
        )
        for short in sheet.characteristics
    }
    for name in (*sheet.skills, *table.scene.skills):
        if name.casefold() not in (known.casefold() for known in found):
            note = "" if sheet.is_trained(name) else "untrained"
            found[name] = Option(key=name, label=name, rule=rule, note=note)
    if not proposed:
        return tuple(found.values()), ""
    short = characteristic_named(proposed)
    if short is not None:
        sheet.value(short)  # refused here if the sheet does not have it
        return tuple(found.values()), short
    for name in found:
        if name.casefold() == proposed.casefold():
            return tuple(found.values()), name
    # percentile.skill.untrained_allowed: any skill may be tried, one unknown so far too.
    found[proposed] = Option(key=proposed, label=proposed, rule=rule, note="untrained")
    return tuple(found.values()), proposed


def _skill(
    sheet: Sheet, name: str, table: PercentileTable
) -> Step[tuple[TestedAbility, PercentileTable]]:
    """A skill's value: its governing characteristic as changed by training.

    percentile.core.skill_value, percentile.skill.governed. Training is on the sheet; an
    untrained character may still try (percentile.skill.untrained_allowed).
    """
    own = sheet.find_skill(name)
    if own is None:
        governing, table = yield from _governing(name, table)
        skill = Skill(governing, training=0)
    else:
        name, skill = own
        governing = _as_described(name, table) or skill.characteristic
        if governing != skill.characteristic:
            raise BadInput(
                f"skills.{name}.characteristic",
                skill.characteristic,
                f"{governing}, which governs {name} in this campaign",
                "percentile.skill.governed",
            )
    value = sheet.value(skill.characteristic) + _training(skill, table.options)
    over = value.total - HIGHEST
    if over > 0:  # a value is a number from 1 to 100, whatever the training
        value += Line(-over, f"at most {HIGHEST}", "percentile.core.value")
    tested = TestedAbility(name, skill.characteristic, value, name, skill.training >= TRAINED)
    return tested, table


def _as_described(name: str, table: PercentileTable) -> str | None:
    """The characteristic that governs a skill by the table's own list, if it is there."""
    found = table.scene.find_skill(name)
    if found is None:
        return None
    return parse_characteristic(found[1].characteristic, f"scene.skills.{name}.characteristic")


def _training(skill: Skill, options: Options) -> tuple[Line, ...]:
    """What training above the first level is worth: part of the value, outside the limit.

    percentile.amb.training_levels: by default nothing, trained being trained.
    """
    levels = skill.training - TRAINED
    if options["percentile_training_levels"] == "none" or levels < 1:
        return ()
    return (Line(TRAINING_STEP * levels, "training", "percentile.amb.training_levels"),)


def _governing(name: str, table: PercentileTable) -> Step[tuple[str, PercentileTable]]:
    """The one characteristic that governs a skill the character does not have.

    From the table's list of skills, or from somebody else's sheet; else the GM says, once: it is
    then on the list (percentile.skill.governed).
    """
    described = _as_described(name, table)
    if described is not None:
        return described, table
    for sheet in table.characters.values():
        known = sheet.find_skill(name)
        if known is not None:
            return known[1].characteristic, table
    rule = "percentile.skill.governed"
    options = tuple(
        Option(key=short, label=one.name, rule=rule, note=one.measures)
        for short, one in characteristics().items()
    )
    governing = yield from choose(
        GM, "governed_by", f"Which characteristic governs {name}?", options, because=rule
    )
    if "/" in name:  # such a name cannot be on the list
        return governing, table
    new = SkillDescription(governing)
    return governing, (yield from table.amend(SCENE, path_of("skills", name), new, because=rule))


# --- Step 2: the modifiers -----------------------------------------------------------------


def aim(declaration: Declaration, tested: TestedAbility, table: PercentileTable) -> Step[Attempt]:
    """Add all modifiers into one, and that to the value: the target number.

    percentile.core.target, percentile.skill.test. It may come to more than 100 or less than 0
    (percentile.core.target_range).
    """
    sheet = table.character(declaration.character)
    what = f"{sheet.name}, {tested.name}"
    lines: tuple[Line, ...] = ((yield from difficulty(declaration.difficulty, what)),)
    if not tested.trained:
        # On top of every other penalty; a characteristic test never has it
        # (percentile.skill.untrained_penalty, percentile.charactest.test).
        rule = "percentile.skill.untrained_penalty"
        lines += (Line(-UNTRAINED_PENALTY, "untrained", rule),)
    lines += yield from circumstances(declaration.modifiers, what)
    lines += yield from assistance(
        declaration.character,
        tested.skill,
        declaration.assistants,
        declaration.over_vox,
        declaration.action,
        declaration.resists,
        table,
    )
    rerolls = yield from granted(declaration.rerolls)
    return Attempt(
        character=declaration.character,
        name=sheet.name,
        seat=sheet.seat(declaration.character),
        ability=tested.name,
        task=declaration.task.strip(),
        target=tested.value + final_modifier(lines),
        # percentile.amb.opposed_bonus_which: of what is tested, without the test's modifiers.
        bonus=sheet.bonus(tested.characteristic),
        rerolls=rerolls,
        sign=counts_sign(table.options),
    )
