"""`astragal backup` and `astragal restore`: everything in a store, in one file.

The file is compressed JSON, a record on each line, the same for every kind of database: what
was backed up from SQLite can be restored into PostgreSQL. It holds secrets of the campaigns
(but no link that opens a seat), so nobody else may read it.
"""

from __future__ import annotations

import gzip
import os
import zlib
from collections import Counter
from collections.abc import Coroutine, Iterator
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated, Any

import typer

from astragal.errors import BadInput

if TYPE_CHECKING:
    from astragal.table.store.backup import AnyRecord

Database = Annotated[
    str | None,
    typer.Option(
        "--database",
        metavar="URL",
        help="sqlite:///FILE or postgresql://...; by default $ASTRAGAL_DATABASE, or the file in "
        "your user data folder.",
    ),
]

_LONGEST_LINE = 512 * 1024 * 1024


def add_to(app: typer.Typer) -> None:
    """Add both commands."""
    app.command("backup")(backup)
    app.command("restore")(restore)


def backup(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="The file to write, such as table.jsonl.gz.")
    ],
    database: Database = None,
    replace: Annotated[bool, typer.Option("--replace", help="Replace FILE if it exists.")] = False,
) -> None:
    """Back up all campaigns to a file, even while the table is running."""
    from astragal.cli.screen import screen
    from astragal.table.store import database_url

    if file.exists() and not replace:
        raise BadInput("file", str(file), "a file that does not exist yet (or use --replace)")
    counts = _carried_out(_back_up(_existing(database_url(database)), file))
    screen().print(f"{file}: {_told(counts)}.", soft_wrap=True)


def restore(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="A file written by astragal backup.")
    ],
    database: Database = None,
) -> None:
    """Read all campaigns from a backup into an empty database."""
    from astragal.cli.screen import screen
    from astragal.table.store import database_url

    counts = _carried_out(_restore(file, database_url(database)))
    screen().print(f"Restored {_told(counts)}.")


def _carried_out(work: Coroutine[Any, Any, Counter[str]]) -> Counter[str]:
    import asyncio

    from astragal.table.store import StoreError

    try:
        return asyncio.run(work)
    except StoreError as error:
        raise BadInput("database", None, f"a working database ({error})") from None


def _existing(url: str) -> str:
    """The address, unless it names a file that does not exist: backing up must not make one."""
    from astragal.table.store.default_path import file_of

    if url.startswith("sqlite:") and not file_of(url).is_file():
        raise BadInput("database", url, "a database that exists")
    return url


async def _back_up(url: str, file: Path) -> Counter[str]:
    from astragal.table.store import open_store

    counts: Counter[str] = Counter()
    unfinished = file.with_name(f".{file.name}.{os.getpid()}.part")
    async with await open_store(url) as store:
        try:
            with _private(unfinished) as raw:
                with gzip.GzipFile(fileobj=raw, mode="wb", filename="", mtime=0) as lines:
                    async for record in store.records():
                        lines.write(_encode(record))
                        counts[type(record).__name__] += 1
                raw.flush()
                os.fsync(raw.fileno())
            unfinished.replace(file)
        except OSError as error:
            raise BadInput("file", str(file), f"a file that can be written ({error})") from None
        finally:
            unfinished.unlink(missing_ok=True)
    return counts


async def _restore(file: Path, url: str) -> Counter[str]:
    from astragal.table.store import open_store

    if not file.is_file():
        raise BadInput("file", str(file), "a file that exists")
    counts: Counter[str] = Counter()
    async with await open_store(url) as store:
        await store.restore(_counted(_records(file), counts))
    return counts


def _counted(records: Iterator[AnyRecord], counts: Counter[str]) -> Iterator[AnyRecord]:
    for record in records:
        counts[type(record).__name__] += 1
        yield record


def _records(file: Path) -> Iterator[AnyRecord]:
    import msgspec

    from astragal.table.store.backup import AnyRecord

    decoder = msgspec.json.Decoder[AnyRecord](AnyRecord)
    number = 0
    try:
        with gzip.open(file, "rb") as lines:
            while line := lines.readline(_LONGEST_LINE):
                number += 1
                yield decoder.decode(line)
    except (OSError, EOFError, zlib.error) as error:
        raise BadInput("file", str(file), f"a complete, readable backup ({error})") from None
    except msgspec.DecodeError as error:
        raise BadInput(f"{file}, line {number}", "a line", f"a record ({error})") from None


def _encode(record: AnyRecord) -> bytes:
    import msgspec

    return msgspec.json.encode(record) + b"\n"


def _private(path: Path) -> IO[bytes]:
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb")


def _told(counts: Counter[str]) -> str:
    """What there was, in words.

    >>> _told(Counter(CampaignRecord=1, EntryRecord=12, LinkRecord=3))
    '1 campaign, 12 entries, 3 links'
    """
    names = {
        "CampaignRecord": ("campaign", "campaigns"),
        "EntryRecord": ("entry", "entries"),
        "LinkRecord": ("link", "links"),
    }
    if counts["ImageRecord"]:
        names["ImageRecord"] = ("image", "images")
    told = [(counts[kind], *words) for kind, words in names.items()]
    return ", ".join(f"{count} {one if count == 1 else many}" for count, one, many in told)
