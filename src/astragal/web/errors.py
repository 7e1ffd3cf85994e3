"""Errors as answers: one sentence for people and a status for programs; never a traceback."""

from __future__ import annotations

import logging
import math
import re
from typing import Any

import msgspec
from litestar import Request, Response
from litestar.exceptions import HTTPException
from litestar.openapi.datastructures import ResponseSpec

from astragal.errors import BadInput, Refusal
from astragal.table.command_handler import NoSeat
from astragal.table.commands.seat import Forbidden
from astragal.table.importing import TooManyImports
from astragal.table.store.interface import NoCampaign, StoreDown, StoreFull, UnreadableEntry
from astragal.web.messages import ErrorBody, ErrorDetails
from astragal.web.rate_limits import TooMany

log = logging.getLogger("astragal.web")

LONGEST_VALUE = 200
"""How much of a wrong value is sent back."""
LONGEST_LINE = 1000
"""A longer line is built again with a shortened value."""

NO_SEAT = "There is no seat for you here. Ask the GM for a new link."
"""The same for every unknown link, so that nobody learns which links and campaigns exist."""
NOT_FOUND = "There is nothing at this address."
DATABASE_DOWN = "The database does not answer. Try again in a moment."
DISK_FULL = (
    "The server's disk is full, so nothing can be saved and nothing was changed. "
    "Tell the person who runs the server."
)
FAILED = "Something went wrong on the server, and nothing was changed. Try again."


class HttpError(Exception):
    """An error with its HTTP status, its line for people and the headers of that status."""

    def __init__(self, status: int, line: str, headers: dict[str, str] | None = None) -> None:
        """Take the status and the line."""
        self.status = status
        self.line = line
        self.headers = headers or {}
        super().__init__(line)


class NoSuchSeat(HttpError):
    """The link that was sent opens no seat here."""

    def __init__(self) -> None:
        """Say the same to everyone."""
        super().__init__(401, NO_SEAT, {"WWW-Authenticate": "Bearer"})


class Malformed(BadInput):
    """A body or a message that is not of the documented form."""


def error_answer(error: BaseException) -> tuple[int, ErrorDetails, dict[str, str]]:
    """What to answer to an error: the status, the details and the headers."""
    match error:
        case BadInput():
            place, value, line = error.place[:LONGEST_VALUE], sendable(error.value), str(error)
            if len(line) > LONGEST_LINE:
                line = str(BadInput(place, value, error.expected, error.rule))
            details = ErrorDetails(line, place, value, error.expected, error.rule or "")
            return (400 if isinstance(error, Malformed) else 422), details, {}
        case NoSeat() | NoCampaign():
            return error_answer(NoSuchSeat())
        case Forbidden():
            return 403, ErrorDetails(str(error), rule=error.rule or ""), {}
        case TooManyImports():
            return 503, ErrorDetails(str(error)), {"Retry-After": "10"}
        case Refusal():
            return 409, ErrorDetails(str(error), rule=error.rule or ""), {}
        case HttpError():
            return error.status, ErrorDetails(error.line), error.headers
        case TooMany():
            retry_after = str(max(1, math.ceil(error.wait)))
            return 429, ErrorDetails(str(error)), {"Retry-After": retry_after}
        case UnreadableEntry():
            return 503, ErrorDetails(str(error)), {}
        case StoreFull():
            return 503, ErrorDetails(DISK_FULL), {"Retry-After": "30"}
        case StoreDown():
            return 503, ErrorDetails(DATABASE_DOWN), {"Retry-After": "2"}
        case RecursionError():
            return error_answer(Malformed("body", "a deeply nested value", "less nesting"))
        case HTTPException():
            return _from_litestar(error)
    return 500, ErrorDetails(FAILED), {}


def _from_litestar(error: HTTPException) -> tuple[int, ErrorDetails, dict[str, str]]:
    headers = {name.title(): value for name, value in (error.headers or {}).items()}
    fields = error.extra if isinstance(error.extra, list) else []
    if error.status_code == 400 and fields and isinstance(fields[0], dict):
        place, expected = str(fields[0].get("key", "")), str(fields[0].get("message", ""))
        return 400, ErrorDetails(f"{place}: {expected}", place, None, expected), headers
    if missing := re.match(r"Missing required \w+ parameter '(\w+)'", error.detail):
        return error_answer(Malformed(missing[1], "nothing", "a value"))
    match error.status_code:
        case 404:
            line = NOT_FOUND
        case 405:
            line = f"This address accepts only {headers.get('Allow', 'other methods')}."
        case 413:
            line = "This is too large. Send less at once."
        case _:
            line = error.detail
    return error.status_code, ErrorDetails(line), headers


def sendable(value: object) -> Any:
    """A wrong value in a form that can be sent back: short and plain."""
    try:
        plain = msgspec.to_builtins(value, str_keys=True)
        if len(msgspec.json.encode(plain)) <= LONGEST_VALUE:
            return plain
    except (TypeError, ValueError, RecursionError, msgspec.MsgspecError):
        pass
    try:
        text = value if isinstance(value, str) else repr(value)
    except Exception:  # a value whose repr fails
        return "a value that cannot be shown"
    return text if len(text) <= LONGEST_VALUE else f"{text[:LONGEST_VALUE]}..."


def log_failure(what: str, status: int, error: BaseException) -> None:
    """Log what is the server's fault, with its cause."""
    if status == 500:
        log.error("%s.", what, exc_info=error)
    elif status > 500 and not isinstance(error, Refusal):
        log.error("%s: %s", what, error)


def handle_error(request: Request[Any, Any, Any], error: Exception) -> Response[ErrorBody]:
    """Litestar's exception handler."""
    status, details, headers = error_answer(error)
    log_failure("A request failed", status, error)
    request.scope["state"]["refused"] = details.line
    return Response(
        ErrorBody(details),
        status_code=status,
        headers={"Cache-Control": "no-store", **headers},
        media_type="application/json",
    )


_DESCRIPTIONS = {
    400: "The request does not have the documented form.",
    401: "No seat: the link is missing, unknown or revoked.",
    403: "This seat is not allowed to do this, or another site's page sent the request.",
    404: "Not found.",
    408: "The request did not arrive in time.",
    409: "The rules or the current state of the table forbid it.",
    413: "The request is too large.",
    415: "The body has to be JSON.",
    421: "The server is not known by this host name.",
    422: "A value does not fit its place at this table.",
    429: "Too many requests; see Retry-After.",
    503: "The database does not answer, or its disk is full.",
}


def error_responses(*statuses: int) -> dict[int, ResponseSpec]:
    """The errors of a route for the OpenAPI document; 421 and 429 are possible everywhere.

    What has a body may also arrive too slowly (408).
    """
    slow = (408,) if 413 in statuses else ()
    return {
        status: ResponseSpec(ErrorBody, description=_DESCRIPTIONS[status], generate_examples=False)
        for status in sorted({*statuses, *slow, 421, 429})
    }
