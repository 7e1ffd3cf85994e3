"""`astragal verify`: check the dice and the log of an evening, without the server."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from astragal.errors import BadInput

if TYPE_CHECKING:
    from astragal.table.fairness import Evidence, FairnessReport, Finding, Receipt
    from astragal.table.fairness.databases import CampaignChecked

SQLITE = b"SQLite format 3\0"


def add_to(app: typer.Typer) -> None:
    """Add the command `verify`."""
    app.command("verify")(verify)


def verify(
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE",
            help="The dice.json of a table, an exported campaign, or a database (file or URL).",
        ),
    ],
    seen: Annotated[
        list[Path] | None,
        typer.Option(
            "--seen", metavar="RECEIPT", help="A receipt saved by a device. May be repeated."
        ),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Write the findings as JSON.")] = False,
) -> int:
    """Check that the log is complete and every roll follows from what was fixed before it.

    The exit status is 1 if something is wrong.
    """
    from astragal.cli.screen import print_json
    from astragal.table import fairness

    receipts = [_receipt(each) for each in seen or ()]
    if _is_database(file):
        return _verify_database(file, receipts, json=json)
    verdict = fairness.verify(_evidence(Path(file)), receipts)
    if json:
        print_json(verdict)
    else:
        _write(verdict)
    return 0 if verdict.fair else 1


def _write(verdict: FairnessReport) -> None:
    from rich.text import Text

    from astragal.cli.screen import write

    for finding in verdict.findings:
        _write_finding(finding)
    write(Text(f"{_told(verdict)}.", style="bold green" if verdict.fair else "bold red"))


def _write_finding(finding: Finding) -> None:
    from rich.text import Text

    from astragal.cli.screen import write

    style = "bold red" if finding.wrong else "yellow"
    write(Text(f"{'WRONG  ' if finding.wrong else ''}{finding.text}", style=style))


def _evidence(file: Path) -> Evidence:
    """The throws in a file, whichever of the two kinds it is."""
    import msgspec

    from astragal.cli.files import read_raw
    from astragal.table.export import CampaignExport
    from astragal.table.fairness import Evidence, evidence

    raw = read_raw(file)
    try:
        if "astragal" in raw:
            exported = msgspec.convert(raw, CampaignExport, str_keys=True)
            return evidence(exported.title, exported.entries, None)
        return msgspec.convert(raw, Evidence, str_keys=True)
    except msgspec.ValidationError as error:
        expected = f"a dice.json or an exported campaign ({error})"
        raise BadInput("file", str(file), expected) from None


def _receipt(file: Path) -> Receipt:
    import msgspec

    from astragal.cli.files import read_raw
    from astragal.table.fairness import Receipt

    try:
        return msgspec.convert(read_raw(file), Receipt, str_keys=True)
    except msgspec.ValidationError as error:
        raise BadInput("receipt", str(file), f"a receipt saved by a device ({error})") from None


# --- Databases -----------------------------------------------------------------------------


def _is_database(file: str) -> bool:
    if "://" in file or file.startswith("sqlite:"):
        return True
    try:
        with Path(file).open("rb") as opened:
            return opened.read(len(SQLITE)) == SQLITE
    except OSError:
        return False


def _verify_database(file: str, receipts: list[Receipt], *, json: bool) -> int:
    import asyncio

    from rich.text import Text

    from astragal.cli.screen import print_json, write
    from astragal.table.fairness import Finding
    from astragal.table.store import StoreError

    broken = ""
    try:
        if "://" in file and not file.startswith("sqlite:"):
            checked = asyncio.run(_checked(file, receipts))
        else:
            broken, checked = _checked_sqlite(file, receipts)
    except StoreError as error:
        raise BadInput("database", None, f"a working database ({error})") from None
    is_fair = not broken and all(each.report.fair for each in checked)
    if json:
        print_json({"damage": broken, "campaigns": checked})
        return 0 if is_fair else 1
    if broken:
        _write_finding(Finding(0, None, True, f"{broken}. Compare it with the receipts of devices"))
    for each in checked:
        write(Text(f"{each.title or each.campaign}, {each.entries} entries", style="bold"))
        _write(each.report)
    if not checked:
        write(Text("There are no campaigns in this database."))
    return 0 if is_fair else 1


def _checked_sqlite(file: str, receipts: list[Receipt]) -> tuple[str, list[CampaignChecked]]:
    """Check a copy: opening the file itself would change it, and remove traces of damage."""
    import asyncio
    import sqlite3
    from contextlib import closing
    from tempfile import TemporaryDirectory

    from astragal.table.fairness.databases import broken_write_ahead_log
    from astragal.table.store.default_path import file_of

    path = file_of(file) if file.startswith("sqlite:") else Path(file)
    if not path.is_file():
        raise BadInput("database", file, "a database that exists")
    broken = broken_write_ahead_log(path)
    with TemporaryDirectory() as folder:
        copy = Path(folder) / "copy.db"
        try:
            address = f"{path.resolve().as_uri()}?mode=ro"
            with (
                closing(sqlite3.connect(address, uri=True)) as there,
                closing(sqlite3.connect(copy)) as here,
            ):
                there.backup(here)
        except sqlite3.Error as error:
            raise BadInput("database", file, f"a database that can be read ({error})") from None
        return broken, asyncio.run(_checked(f"sqlite:///{copy}", receipts))


async def _checked(url: str, receipts: list[Receipt]) -> list[CampaignChecked]:
    from astragal.table.fairness.databases import verify_store
    from astragal.table.store import open_store

    async with await open_store(url) as store:
        return [each async for each in verify_store(store, receipts)]


def _told(verdict: FairnessReport) -> str:
    """How many throws there were of each kind.

    >>> from astragal.table.fairness import FairnessReport
    >>> _told(FairnessReport(212, 3, 2, ()))
    '212 rolls match, 3 typed in, 2 secret'
    >>> _told(FairnessReport(1, 0, 0, (), undone=1, compared=2))
    '1 roll matches, 1 undone, 2 devices agree'
    """
    wrong = sum(finding.wrong for finding in verdict.findings)
    told = ["1 roll matches" if verdict.fit == 1 else f"{verdict.fit} rolls match"]
    told += [f"{verdict.typed} typed in"] if verdict.typed else []
    told += [f"{verdict.unseen} secret"] if verdict.unseen else []
    told += [f"{verdict.undone} undone"] if verdict.undone else []
    if verdict.compared and verdict.fair:
        count = verdict.compared
        told += ["1 device agrees" if count == 1 else f"{count} devices agree"]
    told += [f"{wrong} wrong"] if wrong else []
    return ", ".join(told)
