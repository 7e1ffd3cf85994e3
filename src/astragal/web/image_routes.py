"""Images of a table: uploading one, and looking at those that a seat may see.

An image has no address of its own that could be passed on: whoever asks for one needs a seat, and
the seat has to see the handout or the character that it belongs to. It is sent as what it was
found to be when it was uploaded, as a file, and never as a page.
"""

from __future__ import annotations

from typing import Any

from litestar import Response, get, post
from litestar.params import FromPath

from astragal.table.images import KINDS, MOST_BYTES
from astragal.table.store.interface import StoredImage
from astragal.web.authentication import authentication_of, has_seat, seat_of
from astragal.web.errors import HttpError, error_responses
from astragal.web.file_names import as_file
from astragal.web.messages import ImageKept
from astragal.web.request_bodies import AnyRequest, read_bytes
from astragal.web.table_routes import TABLE, holder_of

PATIENCE = 4
"""How many times as long as another body an image may take to arrive."""
NO_IMAGE = "There is no such image, or this seat is not allowed to see it."


@post(
    f"{TABLE}/images",
    guards=[has_seat],
    request_max_body_size=MOST_BYTES,
    responses=error_responses(400, 401, 403, 409, 413, 415, 422, 503),
)
async def upload_image(request: AnyRequest, campaign: FromPath[str]) -> ImageKept:
    """Upload an image for a handout or a portrait: PNG, JPEG, WebP or GIF, at most 2 MB."""
    kind = request.headers.get("content-type", "").partition("/")[0].strip().lower()
    if kind != "image":
        raise HttpError(415, f"Send {KINDS}, with its Content-Type.")
    raw = await read_bytes(request, PATIENCE)
    holder = await seat_of(request)  # the link may have ended while the body was sent
    authentication_of(request).check_image(holder, len(raw))
    return ImageKept(await request.app.state.tables.keep_image(campaign, holder.seat, raw))


@get(f"{TABLE}/images/{{image:str}}", guards=[has_seat], responses=error_responses(401, 404, 503))
async def see_image(
    request: AnyRequest, campaign: FromPath[str], image: FromPath[str]
) -> Response[bytes]:
    """An image that this seat may see."""
    found: StoredImage | None = await request.app.state.tables.image(
        campaign, holder_of(request).seat, image
    )
    if found is None:
        raise HttpError(404, NO_IMAGE)
    # Asked again each time: who may see it can change, and a device can have several seats.
    headers = {"Cache-Control": "private, no-cache", "ETag": f'"{found.id}"'}
    ready: Response[Any]
    if request.headers.get("if-none-match") == headers["ETag"]:
        ready = Response(b"", status_code=304, headers=headers)
    else:
        name = f"{found.id[:12]}.{found.kind.rpartition('/')[2]}"
        ready = Response(found.data, headers=headers | as_file(name), media_type=found.kind)
    return ready


ROUTES = [upload_image, see_image]
