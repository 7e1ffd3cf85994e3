"""Practicals: castings of a spell that is read but not mastered."""

from __future__ import annotations

from astragal.play import GM, Step, consent, note
from astragal.rules import Options

from ...advancement.new_skills import aptitude
from ...sheet.scene import BurningTable
from ...sheet.sheet import Sheet
from ...sheet.spells import SpellStage


def practicals_needed(sheet: Sheet, options: Options) -> int:
    """How many Practicals a spell takes: the Aptitude of Perception, as of a skill rooted in it.

    sorcery.learn.practicals.count: fewer with a lighter Perception, and never none.
    """
    return aptitude(sheet, ("Perception",), options).total


def count_practical(table: BurningTable, character: str, name: str) -> Step[BurningTable]:
    """Count a casting as a Practical, pass or fail, if it was a legitimate test.

    sorcery.learn.practicals.count, sorcery.learn.practicals.legitimate. Once there are enough the
    spell may still be cast at double obstacle, without further credit
    (sorcery.amb.practicals_interim_use).
    """
    sheet = table.character(character)
    at, spell = next((at, each) for at, each in enumerate(sheet.spells) if each.name == name)
    needed = practicals_needed(sheet, table.options) if spell.stage is SpellStage.PRACTICALS else 0
    if spell.practicals >= needed:
        return table
    prompt = f"A legitimate test, not idle practice? ({name})"
    rule = "sorcery.learn.practicals.legitimate"
    if not (yield from consent(GM, "legitimate_practical", prompt, because=rule)):
        return table
    done = spell.practicals + 1
    rule = "sorcery.learn.practicals.count"
    yield from note(f"{sheet.name}, {name}: Practical {done} of {needed}.", rule)
    return (yield from table.amend(character, f"spells.{at}.practicals", done, because=rule))
