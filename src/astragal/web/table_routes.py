"""The API of one table, for everybody who has a seat at it."""

from __future__ import annotations

from typing import Annotated

from litestar import delete, get, post
from litestar.params import FromPath, QueryParameter

from astragal.errors import Refusal
from astragal.games import SuggestedScript
from astragal.table.drafts import CharacterDraft
from astragal.table.review import Review
from astragal.table.solving_process import ScriptAdvice
from astragal.table.store.interface import SeatHolder
from astragal.table.views.types import CardView, EntryView, Foresight, TableView
from astragal.web.authentication import authentication_of, has_seat, is_gm, seat_of
from astragal.web.errors import error_answer, error_responses
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


ROUTES = [
    see_table,
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
]
