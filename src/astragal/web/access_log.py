"""What the server writes down: a line for each request, and whatever went wrong; no secrets.

Links are secrets, and they are part of an address: of an address only what is safe is kept.
"""

from __future__ import annotations

import logging
import re
import sys
import time
from typing import TextIO

import msgspec

log = logging.getLogger("astragal.access")

_SECRET_PLACE = re.compile(r"^/join/.*", re.DOTALL)
_ODD = re.compile(r"[^ -~]")
PRIVATE = ("/api/t/", "/api/join")
"""Where what was refused is nobody's business but theirs who sent it."""
QUIET = ("/page/", "/health", "/favicon.ico")
"""What is asked for so often that a line for each would hide the rest."""


def safe_path(path: str) -> str:
    """An address without the link in it, and without anything that could pose as another line.

    >>> safe_path("/join/s3cr3t"), safe_path("/api/t/4f/view")
    ('/join/*', '/api/t/4f/view')
    """
    return _ODD.sub("?", _SECRET_PLACE.sub("/join/*", path))[:200]


def note_request(
    request_id: str, method: str, path: str, status: int, seconds: float, refused: str = ""
) -> None:
    """One line about one request."""
    if status < 400 and path.startswith(QUIET):
        return
    noted = {
        "request": request_id,
        "method": method,
        "path": safe_path(path),
        "status": status,
        "ms": round(seconds * 1000, 1),
    }
    if refused and not path.startswith(PRIVATE):
        noted["refused"] = _ODD.sub("?", refused)[:200]
    log.log(logging.INFO if status < 500 else logging.ERROR, "request", extra={"noted": noted})


class JsonLines(logging.Formatter):
    """A JSON object for each line."""

    def format(self, record: logging.LogRecord) -> str:
        """The record as JSON, with the fields that were noted."""
        line = {
            "at": time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created))
            + f".{int(record.msecs):03d}Z",
            "level": record.levelname.lower(),
            "from": record.name,
            "message": record.getMessage(),
            **getattr(record, "noted", {}),
        }
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        return msgspec.json.encode(line).decode()


class Readable(logging.Formatter):
    """A line for people."""

    def format(self, record: logging.LogRecord) -> str:
        """Time and message; of a request what matters."""
        at = time.strftime("%H:%M:%S", time.localtime(record.created))
        noted = getattr(record, "noted", None)
        if noted is not None and "status" in noted:
            said = f"{noted['status']} {noted['method']} {noted['path']} {noted['ms']} ms"
            refused = noted.get("refused")
            return f"{at}  {said}{f': {refused}' if refused else ''}"
        text = f"{at}  {record.levelname.lower()}: {record.getMessage()}"
        return f"{text}\n{self.formatException(record.exc_info)}" if record.exc_info else text


def set_up(kind: str, stream: TextIO | None = None) -> None:
    """Write everything to standard error (or elsewhere), as ``json`` or as ``text``."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(JsonLines() if kind == "json" else Readable())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    logging.getLogger("astragal").setLevel(logging.INFO)
    # It writes whole addresses, links included; what matters of them is in our own lines.
    logging.getLogger("uvicorn.access").disabled = True
    logging.getLogger("uvicorn.error").setLevel(logging.ERROR)
