"""The burned rogues of the book as stat blocks, in its own abbreviations.

The same characters are ready to play: their sheets come with the game (``sheets``), and each has
the name of its block.
"""

from __future__ import annotations

from astragal.games.game import Procedure
from astragal.play import Play
from astragal.rules import Record, catalogue

from ..sheet.lookups import Entries, LookUp, look_up
from ..sheet.scene import BurningTable

HEADINGS = {
    "Wi": "Will",
    "Pe": "Perception",
    "Ag": "Agility",
    "Sp": "Speed",
    "Po": "Power",
    "Fo": "Forte",
    "Hea": "Health",
    "Ref": "Reflexes",
    "MW": "Mortal Wound",
    "Ste": "Steel",
    "Hes": "Hesitation",
    "Res": "Resources",
    "Cir": "Circles",
    "Multi.": "Speed multiplier",
}
"""The headings of a stat block (rogues.burned.abbreviations)."""

TOLERANCES = {
    "Su": "superficial",
    "Li": "light",
    "Mi": "midi",
    "Se": "severe",
    "Tr": "traumatic",
    "Mo": "mortal",
}
"""The tolerances of a stat block (rogues.burned.abbreviations)."""

RETAINER = "retainer: "

NO_NUMBERS = "no statistics: a one-off character"
"""What a retainer has, as the con man's bodyguard (rogues.burned.bodyguard)."""


def _row(table: str, rogue: str) -> Record:
    return catalogue().table(f"rogues.table.{table}").where(id=rogue)


def full_name(abbreviation: str) -> str:
    """What a heading stands for (rogues.burned.abbreviations); anything else is itself.

    >>> full_name("wi"), full_name("Sword")
    ('Will', 'Sword')
    """
    known = {short.casefold().rstrip("."): name for short, name in HEADINGS.items()}
    return known.get(abbreviation.casefold().rstrip("."), abbreviation)


def stat_block(rogue: str) -> str:
    """One character in a line, as the block has it.

    Ratings have the shade that is printed, black for nearly all (rogues.burned.shade); a
    hesitation in two parts is s for surprise, p for pain (rogues.burned.split_hesitation).
    """
    numbers: dict[str, str] = {}
    for table in ("stats", "attributes"):
        row = _row(table, rogue)
        numbers |= {
            "Hesitation" if column == "hesitation_printed" else _said(column): str(value)
            for column, value in row.items()
        }
    parts = [" ".join(f"{short} {numbers[name]}" for short, name in HEADINGS.items())]
    steps = _row("ptgs", rogue)
    parts.append(" ".join(f"{short}: {steps[level]}" for short, level in TOLERANCES.items()))
    skills, traits = _row("skills", rogue), _row("traits", rogue)
    parts.append(", ".join((*skills.texts("skills"), *skills.texts("training"))))
    named = (traits.text("emotional_attribute"), *traits.texts("traits"))
    parts.append(", ".join(filter(None, named)))
    ties = catalogue().table("rogues.table.ties").all_where(id=rogue)
    parts += [", ".join(_tie(text) for text in row.texts(TIES)) for row in ties]
    return "; ".join(parts)


TIES = "property_affiliations_reputations_relationships"


def _said(column: str) -> str:
    """A column's name as the headings have it."""
    return {"speed_multiplier": "Speed multiplier", "mortal_wound": "Mortal Wound"}.get(
        column, column.capitalize()
    )


def _tie(text: str) -> str:
    """A tie as it is listed; a retainer has no block of their own (rogues.burned.bodyguard)."""
    return f"{text} ({NO_NUMBERS})" if text.startswith(RETAINER) else text


def rogues() -> dict[str, str]:
    """Every ready character with its stat block, by name."""
    rows = catalogue().table("rogues.table.identity").records()
    return {f"{row['name']} ({row['stock']})": stat_block(row.text("id")) for row in rows}


def look_up_rogues(arguments: LookUp, _: BurningTable) -> Play[Entries]:
    """Show the stat blocks of the book's ready characters (rogues.burned.abbreviations)."""
    return (yield from look_up(rogues(), arguments.entry, "rogues.burned.abbreviations"))


PROCEDURES = (Procedure("look_up_rogues", "Burned rogues: stat blocks", LookUp, look_up_rogues),)
