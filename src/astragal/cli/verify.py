"""`astragal verify`: derive every throw of an evening again, without the server."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from astragal.errors import BadInput

if TYPE_CHECKING:
    from astragal.table.fairness import Evidence, FairnessReport


def add_to(app: typer.Typer) -> None:
    """Add the command `verify`."""
    app.command("verify")(verify)


def verify(
    file: Annotated[
        Path,
        typer.Argument(metavar="FILE", help="The dice.json of a table, or an exported campaign."),
    ],
    json: Annotated[bool, typer.Option("--json", help="Write the findings as JSON.")] = False,
) -> int:
    """Check that every roll follows from the seeds that were fixed beforehand.

    The exit status is 1 if something is wrong.
    """
    from rich.text import Text

    from astragal.cli.screen import print_json, write
    from astragal.table import fairness

    verdict = fairness.verify(_evidence(file))
    if json:
        print_json(verdict)
        return 0 if verdict.fair else 1
    for finding in verdict.findings:
        style = "bold red" if finding.wrong else "yellow"
        write(Text(f"{'WRONG  ' if finding.wrong else ''}{finding.text}", style=style))
    write(Text(f"{_told(verdict)}.", style="bold green" if verdict.fair else "bold red"))
    return 0 if verdict.fair else 1


def _evidence(file: Path) -> Evidence:
    """The throws in a file, whichever of the two kinds it is."""
    import msgspec

    from astragal.cli.files import read_raw
    from astragal.table.export import CampaignExport
    from astragal.table.fairness import Evidence, evidence

    raw = read_raw(file)
    try:
        if "astragal" in raw:
            exported = msgspec.convert(raw, CampaignExport)
            return evidence(exported.title, exported.entries, None)
        return msgspec.convert(raw, Evidence)
    except msgspec.ValidationError as error:
        expected = f"a dice.json or an exported campaign ({error})"
        raise BadInput("file", str(file), expected) from None


def _told(verdict: FairnessReport) -> str:
    """How many throws there were of each kind.

    >>> from astragal.table.fairness import FairnessReport
    >>> _told(FairnessReport(212, 3, 2, ()))
    '212 rolls match, 3 typed in, 2 secret'
    >>> _told(FairnessReport(1, 0, 0, ()))
    '1 roll matches'
    """
    wrong = sum(finding.wrong for finding in verdict.findings)
    told = ["1 roll matches" if verdict.fit == 1 else f"{verdict.fit} rolls match"]
    told += [f"{verdict.typed} typed in"] if verdict.typed else []
    told += [f"{verdict.unseen} secret"] if verdict.unseen else []
    told += [f"{wrong} wrong"] if wrong else []
    return ", ".join(told)
