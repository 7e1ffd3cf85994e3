"""Which database to use where nobody says so: a file among the user's own data."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Mapping
from pathlib import Path

from astragal.errors import BadInput

VARIABLE = "ASTRAGAL_DATABASE"


def database_url(given: str | None = None) -> str:
    """The database that was given, or else the environment's, or else the user's own file."""
    chosen = given or os.environ.get(VARIABLE)
    if chosen:
        return chosen
    folder = data_folder(sys.platform, os.environ, Path.home())
    return f"sqlite:///{(folder / 'astragal.db').as_posix()}"


def without_password(url: str) -> str:
    """The address of a database as it may be shown and logged.

    >>> without_password("postgresql://ann:s3cr:et@host/name?password=x&ssl=on")
    'postgresql://ann:***@host/name?password=***&ssl=on'
    """
    shown = re.sub(r"(//[^:/?]*):.*@", r"\1:***@", url, flags=re.DOTALL)
    return re.sub(r"(password=)[^&]*", r"\1***", shown, flags=re.IGNORECASE)


def file_of(url: str) -> Path:
    """The file that the address of a SQLite database names.

    >>> file_of("sqlite:////var/lib/astragal.db").as_posix()
    '/var/lib/astragal.db'
    """
    scheme, slashes, path = url.partition(":///")
    if scheme != "sqlite" or not slashes or not path or path == ":memory:" or "?" in path:
        raise BadInput("database", without_password(url), "a file, as in sqlite:///astragal.db")
    return Path(path).expanduser()


def data_folder(platform: str, environment: Mapping[str, str], home: Path) -> Path:
    """Where programs on this platform keep what belongs to their user.

    >>> data_folder("linux", {"XDG_DATA_HOME": "/data"}, Path("/home/ann")).as_posix()
    '/data/astragal'
    """
    match platform:
        case "darwin":
            base = home / "Library" / "Application Support"
        case "win32":
            given = environment.get("LOCALAPPDATA")
            base = Path(given) if given else home / "AppData" / "Local"
        case _:
            given = environment.get("XDG_DATA_HOME")
            # The specification wants a relative path ignored.
            base = Path(given) if given and given.startswith("/") else home / ".local" / "share"
    return base / "astragal"
