"""Scripts that the table has to write: for characters that the GM has given to it."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from astragal.play import GM, Script
from astragal.table.log.state import OpenProcedure, OpenQuestion, Restorable, TablePartner

SCRIPT = "script"
"""The key of the question for a script, in every conflict."""


class ScriptDue(msgspec.Struct, frozen=True):
    """A script that is due, for a character that is given to the table."""

    procedure: OpenProcedure
    question: OpenQuestion
    character: str
    partner: TablePartner


def scripts_due(standing: Restorable) -> Iterator[ScriptDue]:
    """The scripts that the table has to write now."""
    for procedure in standing.open.values():
        for question in procedure.questions:
            found = partner_for(procedure, question, standing)
            if found is not None:
                yield ScriptDue(procedure, question, *found)


def partner_for(
    procedure: OpenProcedure, question: OpenQuestion, standing: Restorable
) -> tuple[str, TablePartner] | None:
    """The character for whom the table answers a question, and how; None where a person does.

    The question for a script begins with the name of the one whose it is, and names may have a
    colon in them. Of several with the same name all have to be given to the table.
    """
    if question.seat != GM or question.key != SCRIPT or not isinstance(question.question, Script):
        return None
    names = {key: str(procedure.sheets.get(key, {}).get("name")) for key in procedure.characters}
    meant = [name for name in names.values() if question.prompt.startswith(f"{name}: ")]
    named = [key for key, name in names.items() if name == max(meant, key=len, default=None)]
    partners = [
        (key, standing.characters[key].partner) for key in named if key in standing.characters
    ]
    if not partners or any(partner is None for _, partner in partners):
        return None
    key, partner = partners[0]
    return None if partner is None else (key, partner)
