"""What exported files are called: by what is in them, and the day."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from unicodedata import normalize
from urllib.parse import quote

LONGEST = 80

_UNSAFE = re.compile(r"[^\w .,'()&-]+|_+")
_RESERVED = re.compile(r"(?i)(con|prn|aux|nul|com\d|lpt\d)(?=\W|$)")
"""Names that Windows keeps for devices."""


def file_name(what: str, suffix: str, day: str = "") -> str:
    """A name that every system can store a file under; the day is today's, in UTC.

    >>> file_name("The Roll of Dues", "json", "2026-05-01")
    'The Roll of Dues 2026-05-01.json'
    >>> file_name("../Łódź: <b>?", "md", "2026-05-01")
    'Łódź b 2026-05-01.md'
    """
    plain = re.sub(r"\s+", " ", _UNSAFE.sub(" ", normalize("NFC", what))).strip(" .-")
    plain = _RESERVED.sub(r"\1-", plain[:LONGEST].rstrip(" .-")) or "campaign"
    return f"{plain} {day or datetime.now(UTC).date().isoformat()}.{suffix}"


def as_file(name: str) -> dict[str, str]:
    """The header that has a browser keep an answer as a file of that name (RFC 6266).

    >>> print(as_file("Łódź.md")["Content-Disposition"])
    attachment; filename="odz.md"; filename*=UTF-8''%C5%81%C3%B3d%C5%BA.md
    """
    ascii_only = normalize("NFKD", name).encode("ascii", "ignore").decode()
    simple = re.sub(r"[^A-Za-z0-9 ._()&,'-]", "_", ascii_only)
    header = f'attachment; filename="{simple}"'
    if simple != name:
        header += f"; filename*=UTF-8''{quote(name, safe='')}"
    return {"Content-Disposition": header}
