"""The founding key: made once, kept beside the database, readable by its owner alone."""

from __future__ import annotations

import os
import secrets
import sys
import tempfile
from pathlib import Path

import msgspec

from astragal.errors import BadInput
from astragal.table.store.default_path import data_folder

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
    if file.exists():
        return FoundingKey(_kept(file), file)
    key = secrets.token_urlsafe(24)
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        is_first = _put(file, f"{key}\n")
    except OSError as error:
        raise BadInput("database", database, f"a folder to write to ({error.strerror})") from None
    return FoundingKey(key, file, is_new=True) if is_first else FoundingKey(_kept(file), file)


def _put(file: Path, text: str) -> bool:
    """Write a file that is there as a whole or not at all; false if another was there before.

    Whoever is killed on the way leaves a scrap of paper beside it, and no empty key.
    """
    handle, scrap = tempfile.mkstemp(prefix=f".{file.name}-", dir=file.parent)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as opened:
            opened.write(text)
            opened.flush()
            os.fsync(opened.fileno())
        try:
            os.link(scrap, file)
        except FileExistsError:
            return False
    finally:
        os.unlink(scrap)
    return True


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
