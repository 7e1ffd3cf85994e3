"""Files and folders that belong to one person: the log holds secrets, and the key opens the door.

What is made here can be read by its owner alone, whatever the umask; what was open to others is
closed, or somebody is told.
"""

from __future__ import annotations

import logging
import os
import stat
from pathlib import Path

log = logging.getLogger("astragal.table")

FILE = 0o600
FOLDER = 0o700


def make_private_folder(folder: Path) -> None:
    """Make a folder, and those above it that are missing; warn of one that others can write in.

    One that is there already may be somebody's home: who may look into it is not for us to change.
    """
    missing = []
    while not folder.exists():
        missing.append(folder)
        folder = folder.parent
    if missing and not _is_safe(folder):
        log.warning("Others can write in the folder %s: they could replace the database.", folder)
    for each in reversed(missing):
        try:
            os.mkdir(each, FOLDER)
        except FileExistsError:
            continue  # another process was faster
        os.chmod(each, FOLDER)  # the umask may have taken away even the owner's rights
    if not missing and not _is_safe(folder):
        log.warning("Others can write in the folder %s: they could replace the database.", folder)


def open_private(file: Path) -> int:
    """Open a file for reading and writing, made if it is missing, for its owner alone."""
    handle = os.open(file, os.O_RDWR | os.O_CREAT, FILE)
    try:
        mend(file)
    except BaseException:
        os.close(handle)
        raise
    return handle


def mend(file: Path) -> None:
    """Close a file to others, or warn if that is not possible."""
    if os.name != "posix":
        return
    try:
        mode = stat.S_IMODE(file.stat().st_mode)
        if mode & 0o077 or mode & FILE != FILE:
            os.chmod(file, FILE)
            if mode & 0o077:
                log.warning("Others could read %s (mode %o); now only its owner can.", file, mode)
    except FileNotFoundError:
        return
    except OSError:
        log.warning("Others can read %s, and its mode could not be changed. Protect it.", file)


def _is_safe(folder: Path) -> bool:
    """Whether nobody else can put another file in place of ours."""
    if os.name != "posix":
        return True
    mode = folder.stat().st_mode
    return not mode & (stat.S_IWGRP | stat.S_IWOTH) or bool(mode & stat.S_ISVTX)
