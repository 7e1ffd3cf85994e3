"""The founding key: made once, kept beside the database, readable by its owner alone."""

from __future__ import annotations

import os
import secrets
import sys
from pathlib import Path

import msgspec

from astragal.errors import BadInput
from astragal.table.store.location import data_folder

VARIABLE = "ASTRAGAL_KEY"
SQLITE = "sqlite:///"


class FoundingKey(msgspec.Struct, frozen=True):
    """The key, where it is kept (nowhere, if the environment gave it), and whether it is new."""

    key: str
    file: Path | None = None
    is_new: bool = False


def founding_key(database: str) -> FoundingKey:
    """The key of the server with this database; a new one at its first start."""
    given = os.environ.get(VARIABLE)
    if given:
        return FoundingKey(given)
    file = key_file(database)
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return FoundingKey(_kept(file), file)
    except OSError as error:
        raise BadInput("database", database, f"a folder to write to ({error.strerror})") from None
    key = secrets.token_urlsafe(24)
    with os.fdopen(handle, "w") as opened:
        opened.write(f"{key}\n")
    return FoundingKey(key, file, is_new=True)


def key_file(database: str) -> Path:
    """Where the key of a database is kept: beside a file, or else among the user's own data."""
    if database.startswith(SQLITE):
        return Path(database.removeprefix(SQLITE)).with_suffix(".key")
    return data_folder(sys.platform, os.environ, Path.home()) / "astragal.key"


def _kept(file: Path) -> str:
    try:
        key = file.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput("key", str(file), f"a readable file ({error})") from None
    if len(key) < 16:
        raise BadInput("key", str(file), "a key of at least 16 characters; delete it for a new one")
    return key
