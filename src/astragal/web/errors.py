"""Whatever goes wrong, as one line for people and a status for programs; never a traceback."""

from __future__ import annotations

import logging
import math
import re
from typing import Any

import msgspec
from litestar import Request, Response
from litestar.exceptions import HTTPException
from litestar.openapi.datastructures import ResponseSpec

from astragal.errors import BadInput, NotAllowed, Refusal
from astragal.table.commands.seat import Forbidden
from astragal.table.host import NoSeat
from astragal.table.store.interface import NoCampaign, StoreDown, UnreadableEntry
from astragal.web.messages import Refused, Wrong
from astragal.web.rate_limits import TooMany
from astragal.web.request_bodies import Malformed

log = logging.getLogger("astragal.web")

LONGEST = 200
"""How much of a wrong value is sent back."""
LONGEST_LINE = 1000
"""A line longer than this is said again with less of the value in it."""

NO_SEAT = "this link does not open a seat here; ask the GM for a new one"
"""Said to every stranger alike, so that nobody learns which links and campaigns there are."""


class Declined(Exception):
    """The server's own no: a status, a line, and headers that belong to the status."""

    def __init__(self, status: int, line: str, headers: dict[str, str] | None = None) -> None:
        """Take the status and the line."""
        self.status = status
        self.line = line
        self.headers = headers or {}
        super().__init__(line)


class NoSuchSeat(Declined):
    """Whoever asks has no seat here, or no longer."""

    def __init__(self) -> None:
        """Say the same to everyone."""
        super().__init__(401, NO_SEAT, {"WWW-Authenticate": "Bearer"})


def wrong(error: BaseException) -> tuple[int, Wrong, dict[str, str]]:
    """What to answer: status, words, and headers."""
    match error:
        case BadInput():
            place, value, line = error.place[:LONGEST], sendable(error.value), str(error)
            if len(line) > LONGEST_LINE:
                line = str(BadInput(place, value, error.expected, error.rule))
            words = Wrong(line, place, value, error.expected, error.rule or "")
            return (400 if isinstance(error, Malformed) else 422), words, {}
        case NoSeat():
            return wrong(NoSuchSeat())
        case Forbidden():
            return 403, Wrong(str(error), rule=error.rule or ""), {}
        case NotAllowed():
            return 409, Wrong(str(error), rule=error.rule or ""), {}
        case Refusal():
            return 409, Wrong(str(error), rule=error.rule or ""), {}
        case Declined():
            return error.status, Wrong(error.line), error.headers
        case TooMany():
            return 429, Wrong(str(error)), {"Retry-After": str(max(1, math.ceil(error.wait)))}
        case NoCampaign():
            return wrong(NoSuchSeat())
        case UnreadableEntry():
            return 503, Wrong(str(error)), {}
        case StoreDown():
            line = "the database does not answer just now; try again in a moment"
            return 503, Wrong(line), {"Retry-After": "2"}
        case RecursionError():
            return wrong(Malformed("body", "something nested very deeply", "less of it"))
        case HTTPException():
            return _from_litestar(error)
    return 500, Wrong("something went wrong here, and nothing was changed"), {}


def _from_litestar(error: HTTPException) -> tuple[int, Wrong, dict[str, str]]:
    headers = {name.title(): value for name, value in (error.headers or {}).items()}
    fields = error.extra if isinstance(error.extra, list) else []
    if error.status_code == 400 and fields and isinstance(fields[0], dict):
        place, expected = str(fields[0].get("key", "")), str(fields[0].get("message", ""))
        return 400, Wrong(f"{place}: {expected}", place, None, expected), headers
    if missing := re.match(r"Missing required \w+ parameter '(\w+)'", error.detail):
        return wrong(Malformed(missing[1], "nothing", "a value"))
    match error.status_code:
        case 404:
            line = "there is nothing at this address"
        case 405:
            line = f"this address takes {headers.get('Allow', 'other methods')} only"
        case 413:
            line = "this is more than the server takes at once"
        case _:
            line = error.detail
    return error.status_code, Wrong(line), headers


def sendable(value: object) -> Any:
    """A wrong value as it can be sent back: not too much of it, and plain."""
    try:
        plain = msgspec.to_builtins(value, str_keys=True)
        if len(msgspec.json.encode(plain)) <= LONGEST:
            return plain
    except (TypeError, ValueError, RecursionError, msgspec.MsgspecError):
        pass
    try:
        text = value if isinstance(value, str) else repr(value)
    except Exception:  # whatever it is, it is not worth more than this
        return "something that cannot be shown"
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}..."


def answer_wrong(request: Request[Any, Any, Any], error: Exception) -> Response[Refused]:
    """Litestar's way to the same answer."""
    status, words, headers = wrong(error)
    if status >= 500:
        log.error("%s", type(error).__name__, exc_info=error if status == 500 else None)
    kept = {"Cache-Control": "no-store", **headers}
    request.scope["state"]["refused"] = words.line
    return Response(Refused(words), status_code=status, headers=kept, media_type="application/json")


_WORDS = {
    400: "This is not of the documented form.",
    401: "No seat: the link is missing, unknown or revoked.",
    403: "This seat may not do this, or the request comes from somebody else's page.",
    404: "There is no such thing.",
    409: "The rules, or the table as it stands, forbid it.",
    413: "Too much at once.",
    415: "The body has to be JSON.",
    422: "A value does not fit its place at this table.",
    421: "The server does not go by this name, or the table is reached by a new connection.",
    429: "Too often; see Retry-After.",
    503: "The database does not answer.",
}


def refusals(*statuses: int) -> dict[int, ResponseSpec]:
    """The refusals of a route for the OpenAPI document; 421 and 429 can meet anybody."""
    return {
        status: ResponseSpec(Refused, description=_WORDS[status], generate_examples=False)
        for status in sorted({*statuses, 421, 429})
    }
