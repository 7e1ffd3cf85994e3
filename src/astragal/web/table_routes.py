"""The API of one table, for everybody who has a seat at it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Annotated, Any

from litestar import Response, delete, get, post
from litestar.params import FromPath, QueryParameter
from litestar.response import Stream

from astragal.errors import Refusal
from astragal.games import SuggestedScript
from astragal.table.drafts import CharacterDraft
from astragal.table.export import CampaignExport
from astragal.table.fairness import Evidence
from astragal.table.review import Review
from astragal.table.solving_process import ScriptAdvice
from astragal.table.store.interface import SeatHolder
from astragal.table.story.document import HtmlStory, MarkdownStory
from astragal.table.story.pictures import SessionPictures
from astragal.table.views.types import CardView, EntryView, Foresight, TableView
from astragal.web.authentication import authentication_of, has_seat, is_gm, seat_of
from astragal.web.errors import HttpError, error_answer, error_responses
from astragal.web.file_names import as_file, file_name
from astragal.web.lobby_routes import link_to
from astragal.web.messages import (
    BeginChecked,
    BeginToCheck,
    CommandDone,
    DoCommand,
    DraftToCheck,
    EditToCheck,
    Empty,
    LinkInfo,
    NewLink,
    RevokedLinks,
)
from astragal.web.request_bodies import BODY, MAX_SHEET_SIZE, AnyRequest, read_body
from astragal.web.sheet_files import as_json, as_toml

TABLE = "/api/t/{campaign:str}"


def holder_of(request: AnyRequest) -> SeatHolder:
    """The seat that a request comes from, as the guard found it."""
    holder: SeatHolder = request.scope["state"]["holder"]
    return holder


@get(f"{TABLE}/view", guards=[has_seat], responses=error_responses(401, 503))
async def see_table(request: AnyRequest, campaign: FromPath[str]) -> TableView:
    """The whole table as this seat sees it."""
    view: TableView = await request.app.state.tables.view(campaign, holder_of(request).seat)
    return view


@get(
    f"{TABLE}/view-as/{{seat:str}}",
    guards=[has_seat, is_gm],
    responses=error_responses(401, 403, 422, 503),
)
async def see_table_as(
    request: AnyRequest, campaign: FromPath[str], seat: FromPath[str]
) -> TableView:
    """For the GM: what another seat sees, without what that seat keeps secret from the GM."""
    view: TableView = await request.app.state.tables.view_as(campaign, seat)
    return view


@get(
    f"{TABLE}/view-as/{{seat:str}}/card/{{procedure:str}}",
    guards=[has_seat, is_gm],
    responses=error_responses(401, 403, 422, 503),
)
async def card_as(
    request: AnyRequest, campaign: FromPath[str], seat: FromPath[str], procedure: FromPath[str]
) -> CardView:
    """For the GM: the card of an open procedure as another seat sees it."""
    seen: CardView = await request.app.state.tables.card_as(campaign, seat, procedure)
    return seen


@get(
    f"{TABLE}/view-as/{{seat:str}}/log",
    guards=[has_seat, is_gm],
    responses=error_responses(400, 401, 403, 422, 503),
)
async def read_log_as(
    request: AnyRequest,
    campaign: FromPath[str],
    seat: FromPath[str],
    before: Annotated[int, QueryParameter(ge=1, le=2**53, description="Only earlier entries.")] = 2
    ** 53,
    limit: Annotated[int, QueryParameter(ge=1, le=500)] = 60,
) -> tuple[EntryView, ...]:
    """For the GM: earlier entries of the log as another seat sees them."""
    tables = request.app.state.tables
    await tables.check_seat(campaign, seat)
    entries: tuple[EntryView, ...] = await tables.older(campaign, seat, before, limit, by_gm=True)
    return entries


@get(
    f"{TABLE}/view-as/{{seat:str}}/pictures/{{number:int}}",
    guards=[has_seat, is_gm],
    responses=error_responses(401, 403, 404, 422, 503),
)
async def session_pictures_as(
    request: AnyRequest, campaign: FromPath[str], seat: FromPath[str], number: FromPath[int]
) -> SessionPictures:
    """For the GM: a session in pictures as another seat sees it."""
    tables = request.app.state.tables
    await tables.check_seat(campaign, seat)
    return _found(await tables.pictures(campaign, seat, number, by_gm=True))


@get(
    f"{TABLE}/view-as/{{seat:str}}/review",
    guards=[has_seat, is_gm],
    responses=error_responses(401, 403, 422, 503),
)
async def review_as(request: AnyRequest, campaign: FromPath[str], seat: FromPath[str]) -> Review:
    """For the GM: what decisions were worth, as another seat may know."""
    found: Review = await request.app.state.odds.review(campaign, holder_of(request).seat, seat)
    return found


@get(f"{TABLE}/log", guards=[has_seat], responses=error_responses(400, 401, 503))
async def read_log(
    request: AnyRequest,
    campaign: FromPath[str],
    before: Annotated[int, QueryParameter(ge=1, le=2**53, description="Only earlier entries.")] = 2
    ** 53,
    limit: Annotated[int, QueryParameter(ge=1, le=500)] = 60,
) -> tuple[EntryView, ...]:
    """Earlier entries of the log, as this seat may read them, oldest first."""
    entries: tuple[EntryView, ...] = await request.app.state.tables.older(
        campaign, holder_of(request).seat, before, limit
    )
    return entries


@get(f"{TABLE}/chain", guards=[has_seat], responses=error_responses(400, 401, 503))
async def follow_chain(
    request: AnyRequest,
    campaign: FromPath[str],
    after: Annotated[int, QueryParameter(ge=0, le=2**53, description="Only later entries.")],
) -> tuple[str, ...]:
    """The digests of all entries after one, to follow the log's hash chain from a head."""
    digests: tuple[str, ...] = await request.app.state.tables.chain(campaign, after)
    return digests


@get(f"{TABLE}/odds/{{procedure:str}}", guards=[has_seat], responses=error_responses(401, 422, 503))
async def foresee(
    request: AnyRequest, campaign: FromPath[str], procedure: FromPath[str]
) -> Foresight:
    """The odds of an open procedure, as things stand."""
    holder = holder_of(request)
    foresight: Foresight = await request.app.state.odds.now(campaign, holder.seat, procedure)
    return foresight


@get(f"{TABLE}/card/{{procedure:str}}", guards=[has_seat], responses=error_responses(401, 422, 503))
async def card(request: AnyRequest, campaign: FromPath[str], procedure: FromPath[str]) -> CardView:
    """The card of an open procedure: all that is asked before the next dice."""
    holder = holder_of(request)
    seen: CardView = await request.app.state.tables.card(campaign, holder.seat, procedure)
    return seen


@get(
    f"{TABLE}/scripts/{{procedure:str}}",
    guards=[has_seat],
    responses=error_responses(400, 401, 422, 503),
)
async def suggest(
    request: AnyRequest,
    campaign: FromPath[str],
    procedure: FromPath[str],
    step: Annotated[int, QueryParameter(ge=0, le=2**53, description="Of the open question.")],
) -> tuple[SuggestedScript, ...]:
    """Scripts for what this seat is asked, written from the question alone."""
    seat, tables = holder_of(request).seat, request.app.state.tables
    scripts: tuple[SuggestedScript, ...] = await tables.suggest(campaign, seat, procedure, step)
    return scripts


@get(
    f"{TABLE}/advice/{{procedure:str}}",
    guards=[has_seat],
    responses=error_responses(400, 401, 422, 503),
)
async def advise(
    request: AnyRequest,
    campaign: FromPath[str],
    procedure: FromPath[str],
    step: Annotated[int, QueryParameter(ge=0, le=2**53, description="Of the open question.")],
) -> ScriptAdvice:
    """The best mix of scripts for what this seat is asked, and one drawn for this seat alone.

    While the duel is being solved, only how far that is: ask again after a second.
    """
    seat = holder_of(request).seat
    found: ScriptAdvice = await request.app.state.odds.advise(campaign, seat, procedure, step)
    return found


@get(f"{TABLE}/review", guards=[has_seat], responses=error_responses(401, 422, 503))
async def review(request: AnyRequest, campaign: FromPath[str]) -> Review:
    """What decisions were worth, the most costly first, as far as this seat may know."""
    found: Review = await request.app.state.odds.review(campaign, holder_of(request).seat)
    return found


@post(
    f"{TABLE}/do",
    guards=[has_seat],
    status_code=200,
    responses=error_responses(400, 401, 403, 409, 413, 415, 422, 503),
    opt={BODY: DoCommand},
)
async def do(request: AnyRequest, campaign: FromPath[str]) -> CommandDone:
    """Carry out a command; when the answer comes, it is safely in the log."""
    wanted = await read_body(request, DoCommand)
    holder = await seat_of(request)  # the link may have ended while the body was sent
    size = len(await request.body())
    authentication_of(request).check_command(holder, wanted.command, size)
    tables, seat = request.app.state.tables, holder.seat
    return CommandDone(await tables.do(campaign, seat, wanted.command, wanted.mark))


@post(
    f"{TABLE}/check-edit",
    guards=[has_seat],
    status_code=200,
    responses=error_responses(400, 401, 403, 409, 413, 415, 422, 503),
    opt={BODY: EditToCheck},
)
async def check_edit(request: AnyRequest, campaign: FromPath[str]) -> Empty:
    """Check whether an edit of a sheet would be accepted; nothing is changed."""
    edit = await read_body(request, EditToCheck)
    seat = holder_of(request).seat
    await request.app.state.tables.check_edit(campaign, seat, edit.character, edit.path, edit.value)
    return Empty()


@post(
    f"{TABLE}/check-begin",
    guards=[has_seat],
    status_code=200,
    responses=error_responses(400, 401, 413, 415, 503),
    opt={BODY: BeginToCheck},
)
async def check_begin(request: AnyRequest, campaign: FromPath[str]) -> BeginChecked:
    """Why a procedure could not be begun, as far as this seat may know; nothing happens."""
    begin = await read_body(request, BeginToCheck)
    holder = await seat_of(request)
    authentication_of(request).check_begin(holder)
    tables = request.app.state.tables
    try:
        await tables.check_begin(campaign, holder.seat, begin.procedure, begin.arguments)
    except Refusal as refusal:
        _, refused, _ = error_answer(refusal)
        return BeginChecked(refused)
    return BeginChecked()


@post(
    f"{TABLE}/draft",
    guards=[has_seat],
    request_max_body_size=MAX_SHEET_SIZE,
    status_code=200,
    responses=error_responses(400, 401, 403, 413, 415, 422, 503),
    opt={BODY: DraftToCheck},
)
async def draft_character(request: AnyRequest, campaign: FromPath[str]) -> CharacterDraft:
    """Check a character that is being made; nothing is changed."""
    wanted = await read_body(request, DraftToCheck)
    draft: CharacterDraft = await request.app.state.tables.draft(
        campaign, ready=wanted.ready, file=wanted.file, values=wanted.values, base=wanted.base
    )
    return draft


# --- Links ---------------------------------------------------------------------------------


@get(f"{TABLE}/links", guards=[has_seat, is_gm], responses=error_responses(401, 403, 503))
async def list_links(request: AnyRequest, campaign: FromPath[str]) -> tuple[LinkInfo, ...]:
    """For the GM: the seats that have a link."""
    links = await request.app.state.store.links(campaign)
    return tuple(LinkInfo(link.seat, link.made) for link in links)


@post(
    f"{TABLE}/links/{{seat:str}}",
    guards=[has_seat, is_gm],
    responses=error_responses(401, 403, 422, 503),
)
async def make_link(request: AnyRequest, campaign: FromPath[str], seat: FromPath[str]) -> NewLink:
    """For the GM: a new link to a seat; anyone using an older link is disconnected."""
    token = await request.app.state.tables.new_link(campaign, seat)
    await request.app.state.presence.end_links(campaign, seat)
    return NewLink(seat, link_to(request, token), token)


@delete(
    f"{TABLE}/links/{{seat:str}}",
    guards=[has_seat, is_gm],
    status_code=200,
    responses=error_responses(401, 403, 422, 503),
)
async def revoke_links(
    request: AnyRequest, campaign: FromPath[str], seat: FromPath[str]
) -> RevokedLinks:
    """For the GM: revoke the links of a seat; anyone using one is disconnected."""
    await request.app.state.tables.revoke(campaign, seat)
    await request.app.state.presence.end_links(campaign, seat)
    return RevokedLinks(seat)


# --- Files ---------------------------------------------------------------------------------


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
    return _found(await request.app.state.tables.pictures(campaign, seat, number))


def _found(pictures: SessionPictures | None) -> SessionPictures:
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
    see_table,
    see_table_as,
    card_as,
    read_log_as,
    session_pictures_as,
    review_as,
    read_log,
    follow_chain,
    foresee,
    card,
    suggest,
    advise,
    review,
    do,
    check_edit,
    check_begin,
    draft_character,
    list_links,
    make_link,
    revoke_links,
    export,
    log_as_text,
    story_as_text,
    story_as_page,
    session_pictures,
    evidence,
    sheet_file,
]
