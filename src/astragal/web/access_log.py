"""The log: a line for each request and for each failure, and never a secret.

A link is a secret and part of an address, so only the safe part of an address is logged.
"""

from __future__ import annotations

import logging
import re
import sqlite3
import sys
import time
import traceback
from typing import TextIO

import msgspec

from astragal.table.store.interface import StoreError

log = logging.getLogger("astragal.access")

_SECRET_PATH = re.compile(r"^/join/.*", re.DOTALL)
_UNPRINTABLE = re.compile(r"[^ -~]")
PRIVATE = ("/api/t/", "/api/join")
"""Where the reason of a refusal may contain what somebody wrote, and is not logged."""
QUIET = ("/page/", "/health", "/favicon.ico")
"""Requested so often that a line for each would hide the rest."""


def safe_path(path: str) -> str:
    """An address without its link, and without characters that could fake another line.

    >>> safe_path("/join/s3cr3t"), safe_path("/api/t/4f/view")
    ('/join/*', '/api/t/4f/view')
    """
    return _UNPRINTABLE.sub("?", _SECRET_PATH.sub("/join/*", path))[:200]


def log_request(
    request_id: str, method: str, path: str, status: int, seconds: float, refused: str = ""
) -> None:
    """Log one request."""
    if status < 400 and path.startswith(QUIET):
        return
    fields = {
        "request": request_id,
        "method": method,
        "path": safe_path(path),
        "status": status,
        "ms": round(seconds * 1000, 1),
    }
    if refused and not path.startswith(PRIVATE):
        fields["refused"] = _UNPRINTABLE.sub("?", refused)[:200]
    log.log(logging.INFO if status < 500 else logging.ERROR, "request", extra={"fields": fields})


def trace_of(error: BaseException) -> str:
    """Where an error happened, and its kind.

    What it says is left out unless it is about the machine: it may repeat what somebody wrote.
    """
    parts: list[str] = []
    seen: set[int] = set()
    while id(error) not in seen:
        seen.add(id(error))
        said = f": {error}" if isinstance(error, OSError | sqlite3.Error | StoreError) else ""
        where = "".join(traceback.format_tb(error.__traceback__))
        parts.append(f"{where}{type(error).__qualname__}{said}")
        behind = None if error.__suppress_context__ else error.__context__
        error = error.__cause__ or behind or error
    return "\n\nbecause of\n\n".join(parts)


class JsonFormatter(logging.Formatter):
    """One JSON object in each line."""

    def format(self, record: logging.LogRecord) -> str:
        """The record as JSON, with its fields."""
        line = {
            "at": time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created))
            + f".{int(record.msecs):03d}Z",
            "level": record.levelname.lower(),
            "from": record.name,
            "message": record.getMessage(),
            **getattr(record, "fields", {}),
        }
        if record.exc_info and record.exc_info[1]:
            line["trace"] = trace_of(record.exc_info[1])
        return msgspec.json.encode(line).decode()


class TextFormatter(logging.Formatter):
    """Lines for people."""

    def format(self, record: logging.LogRecord) -> str:
        """Time and message; of a request its status, method, path and time."""
        at = time.strftime("%H:%M:%S", time.localtime(record.created))
        fields = getattr(record, "fields", None)
        if fields is not None and "status" in fields:
            text = f"{fields['status']} {fields['method']} {fields['path']} {fields['ms']} ms"
            refused = fields.get("refused")
            return f"{at}  {text}{f': {refused}' if refused else ''}"
        text = f"{at}  {record.levelname.lower()}: {record.getMessage()}"
        error = record.exc_info[1] if record.exc_info else None
        return f"{text}\n{trace_of(error)}" if error else text


def set_up(kind: str, stream: TextIO | None = None) -> None:
    """Log to standard error, or to another stream, as ``json`` or as ``text``."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(JsonFormatter() if kind == "json" else TextFormatter())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    logging.getLogger("astragal").setLevel(logging.INFO)
    # It would log whole addresses, links included; our own lines have the safe part.
    logging.getLogger("uvicorn.access").disabled = True
    errors = logging.getLogger("uvicorn.error")
    errors.setLevel(logging.ERROR)
    errors.addFilter(_is_no_refused_socket)


def _is_no_refused_socket(record: logging.LogRecord) -> bool:
    """Leaves out uvicorn's error for a socket that was refused in order, with an HTTP answer."""
    return record.getMessage() != "ASGI callable returned without completing handshake."
