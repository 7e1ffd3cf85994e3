"""A request's body as a value of its type."""

from __future__ import annotations

from typing import Any, TypeVar

from litestar import Request

from astragal.web.errors import Declined
from astragal.web.request_bodies import parsed

T = TypeVar("T")

BODY = "body"
"""Under this name a route says what its body is, for the OpenAPI document."""

MOST = 64 * 1024
MOST_IMPORTED = 20 * 1024 * 1024

AnyRequest = Request[Any, Any, Any]


async def json_body(request: AnyRequest) -> bytes:
    """The body of a request that has to be JSON, as it came."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise Declined(415, "the body has to be JSON (Content-Type: application/json)")
    body: bytes = await request.body()
    return body


async def body_of(request: AnyRequest, kind: type[T]) -> T:
    """The JSON body of a request, strictly of that type."""
    return parsed(await json_body(request), kind)
