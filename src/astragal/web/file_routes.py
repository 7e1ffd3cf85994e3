"""What a seat takes away from its table as files: the campaign, its story, sheets, evidence."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

from litestar import Response, get
from litestar.params import FromPath
from litestar.response import Stream

from astragal.table.export import CampaignExport
from astragal.table.fairness import Evidence
from astragal.table.story.document import HtmlStory, MarkdownStory
from astragal.table.story.pictures import SessionPictures
from astragal.table.views.types import TableView
from astragal.web.authentication import has_seat, is_gm
from astragal.web.errors import HttpError, error_responses
from astragal.web.file_names import as_file, file_name
from astragal.web.request_bodies import AnyRequest
from astragal.web.sheet_files import as_json, as_toml
from astragal.web.table_routes import TABLE, holder_of


@get(
    f"{TABLE}/export.json", guards=[has_seat, is_gm], responses=error_responses(401, 403, 409, 503)
)
async def export(request: AnyRequest, campaign: FromPath[str]) -> Response[CampaignExport]:
    """For the GM: the whole campaign as one file, to keep or to import elsewhere."""
    tables = request.app.state.tables
    name = file_name((await tables.campaign(campaign)).title, "json")
    parts = tables.export_parts(campaign)
    sent: Response[CampaignExport] = await _streamed(parts, name, "application/json")
    return sent


@get(
    f"{TABLE}/log.md",
    guards=[has_seat],
    responses=error_responses(401, 503),
    media_type="text/markdown",
)
async def log_as_text(request: AnyRequest, campaign: FromPath[str]) -> Response[str]:
    """The log as a story to read, as this seat may read it."""
    parts = request.app.state.tables.markdown_parts(campaign, holder_of(request).seat)
    return await _text_file(request, campaign, parts, "log", "md")


@get(
    f"{TABLE}/story.md",
    guards=[has_seat],
    responses=error_responses(401, 503),
    media_type="text/markdown",
)
async def story_as_text(request: AnyRequest, campaign: FromPath[str]) -> Response[str]:
    """The story of the campaign, as this seat may read it, with the pictures of each session."""
    seat = holder_of(request).seat
    parts = request.app.state.tables.story_parts(campaign, seat, MarkdownStory())
    return await _text_file(request, campaign, parts, "story", "md")


@get(
    f"{TABLE}/story.html",
    guards=[has_seat],
    responses=error_responses(401, 503),
    media_type="text/html",
)
async def story_as_page(request: AnyRequest, campaign: FromPath[str]) -> Response[str]:
    """The same as one page of HTML."""
    seat = holder_of(request).seat
    parts = request.app.state.tables.story_parts(campaign, seat, HtmlStory())
    return await _text_file(request, campaign, parts, "story", "html")


@get(
    f"{TABLE}/pictures/{{number:int}}",
    guards=[has_seat],
    responses=error_responses(401, 404, 503),
)
async def session_pictures(
    request: AnyRequest, campaign: FromPath[str], number: FromPath[int]
) -> SessionPictures:
    """A session in pictures, of what this seat may see: luck, artha, tests logged."""
    seat = holder_of(request).seat
    return found(await request.app.state.tables.pictures(campaign, seat, number))


def found(pictures: SessionPictures | None) -> SessionPictures:
    """The pictures of a session, if there is one."""
    if pictures is None:
        raise HttpError(404, "There is no such session.")
    return pictures


@get(f"{TABLE}/evidence.json", guards=[has_seat], responses=error_responses(401, 503))
async def evidence(request: AnyRequest, campaign: FromPath[str]) -> Response[Evidence]:
    """The dice that this seat saw, to be verified without the server."""
    tables = request.app.state.tables
    seen = await tables.evidence(campaign, holder_of(request).seat)
    title = (await tables.campaign(campaign)).title
    return Response(seen, headers=as_file(file_name(f"{title} dice", "json")))


@get(
    f"{TABLE}/characters/{{file:str}}",
    guards=[has_seat],
    responses=error_responses(401, 404, 503),
)
async def sheet_file(
    request: AnyRequest, campaign: FromPath[str], file: FromPath[str]
) -> Response[dict[str, Any]]:
    """A sheet that this seat may see, as KEY.json or KEY.toml."""
    key, _, suffix = file.rpartition(".")
    tables = request.app.state.tables
    view: TableView = await tables.view(campaign, holder_of(request).seat)
    shown = view.characters.get(key)
    if shown is None or shown.page is None or suffix not in ("json", "toml"):
        raise HttpError(404, "There is no such sheet, or this seat is not allowed to see it.")
    sheet = (await tables.campaign(campaign)).standing.characters[key].sheet
    is_json = suffix == "json"
    ready: Response[Any] = Response(
        as_json(sheet) if is_json else as_toml(sheet).encode(),
        headers=as_file(file_name(str(sheet.get("name") or key), suffix)),
        media_type="application/json" if is_json else "application/toml; charset=utf-8",
    )
    return ready


async def _text_file(
    request: AnyRequest, campaign: str, parts: AsyncIterator[bytes], what: str, suffix: str
) -> Response[str]:
    """A text about a campaign, named after it."""
    title = (await request.app.state.tables.campaign(campaign)).title
    kind = {"md": "text/markdown", "html": "text/html"}[suffix]
    name = file_name(f"{title} {what}", suffix)
    sent: Response[str] = await _streamed(parts, name, f"{kind}; charset=utf-8")
    return sent


async def _streamed(parts: AsyncIterator[bytes], name: str, kind: str) -> Any:
    """A file that is sent while it is made; what refuses it does so before the first part."""
    first = await anext(parts)

    async def all_parts() -> AsyncIterator[bytes]:
        yield first
        async for part in parts:
            yield part

    return Stream(all_parts(), headers=as_file(name), media_type=kind)


ROUTES = [
    export,
    log_as_text,
    story_as_text,
    story_as_page,
    session_pictures,
    evidence,
    sheet_file,
]
