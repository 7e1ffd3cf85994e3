"""The API before one sits at a table: founding, joining, leaving, the games, the rules, health."""

from __future__ import annotations

from typing import Annotated, Any

from litestar import Response, get, post
from litestar.params import FromPath, QueryParameter

from astragal.errors import BadInput
from astragal.games import game_named
from astragal.table.export import CampaignExport
from astragal.web.authentication import (
    address_of,
    doorkeeper_of,
    is_not_foreign,
    may_found,
    may_search,
)
from astragal.web.errors import Declined, refusals
from astragal.web.game_catalogue import offered_packed, offered_plain
from astragal.web.messages import (
    FoundCampaign,
    Health,
    JoinTable,
    NewCampaign,
    Nothing,
    OfferedGame,
    SeatOpened,
)
from astragal.web.reading import BODY, MOST_IMPORTED, AnyRequest, body_of, json_body
from astragal.web.rulebook import RuleEntry, RulesFound, entry_page, search
from astragal.web.security import seat_cookie, seat_paths, set_cookie
from astragal.web.settings import VERSION

LATER = {"Cache-Control": "private, max-age=300"}
"""What is the same for as long as the server runs need not be asked for again at once."""


@post(
    "/api/campaigns",
    guards=[may_found],
    responses=refusals(400, 403, 413, 415, 422, 503),
    opt={BODY: FoundCampaign},
)
async def found_campaign(request: AnyRequest) -> NewCampaign:
    """Found a campaign, or the demo of a game; the answer has the GM's link."""
    wanted = await body_of(request, FoundCampaign)
    campaign, token = await request.app.state.tables.create(
        wanted.game, wanted.title, options=wanted.options, name=wanted.name, demo=wanted.demo
    )
    return NewCampaign(campaign, link_to(request, token), token)


@post(
    "/api/import",
    guards=[may_found],
    request_max_body_size=MOST_IMPORTED,
    responses=refusals(403, 409, 413, 415, 422, 503),
    opt={BODY: CampaignExport},
)
async def import_campaign(request: AnyRequest) -> NewCampaign:
    """Bring in a campaign that was exported; it becomes a campaign of its own."""
    campaign, token = await request.app.state.tables.import_(await json_body(request))
    return NewCampaign(campaign, link_to(request, token), token)


@post(
    "/api/join",
    guards=[is_not_foreign],
    status_code=200,
    responses=refusals(400, 401, 403, 413, 415, 503),
    opt={BODY: JoinTable},
)
async def join_table(request: AnyRequest) -> Response[SeatOpened]:
    """Exchange the token of a link for a seat, which the browser then keeps in a cookie."""
    keeper, address = doorkeeper_of(request), address_of(request)
    keeper.joins.take(address)
    token = (await body_of(request, JoinTable)).token
    holder = await keeper.holder(token, address)
    return _with_cookies(
        request, holder.campaign, token, Response(SeatOpened(holder.campaign, holder.seat))
    )


@post(
    "/api/leave/{campaign:str}",
    guards=[is_not_foreign],
    status_code=200,
    responses=refusals(403, 404),
)
async def leave_table(request: AnyRequest, campaign: FromPath[str]) -> Response[Nothing]:
    """Let the browser forget its seat; the link still opens it."""
    if not campaign.replace("-", "").replace("_", "").isalnum() or not campaign.isascii():
        raise Declined(404, "there is no campaign of this name")
    return _with_cookies(request, campaign, "", Response(Nothing()))


@get("/api/games", responses=refusals(), sync_to_thread=True)
def list_games(request: AnyRequest) -> Response[tuple[OfferedGame, ...]]:
    """Every game: its options, ready sheets, procedures with their forms, and its demo."""
    packs = "gzip" in request.headers.get("accept-encoding", "")
    headers = {**LATER, "Vary": "Accept-Encoding"}
    if packs:
        headers["Content-Encoding"] = "gzip"
    ready: Response[Any] = Response(
        offered_packed() if packs else offered_plain(),
        headers=headers,
        media_type="application/json",
    )
    return ready


@get(
    "/api/rules/search",
    guards=[may_search],
    responses=refusals(400, 422),
    sync_to_thread=True,
)
def search_rules(
    q: Annotated[
        str, QueryParameter(max_length=200, description="Words, all of which must occur.")
    ],
    game: Annotated[str, QueryParameter(max_length=60, description="Only this game's rules.")] = "",
    limit: Annotated[int, QueryParameter(ge=1, le=100)] = 30,
) -> Response[RulesFound]:
    """Search the rules."""
    if game:
        game_named(game)
    return Response(search(q, game, limit), headers=LATER)


@get("/api/rules/{rule:str}", responses=refusals(404), sync_to_thread=True)
def read_rule(rule: FromPath[str]) -> Response[RuleEntry]:
    """One entry of the rules: a rule, a table, a worked example or a reading."""
    try:
        return Response(entry_page(rule), headers=LATER)
    except BadInput as bad:
        raise Declined(404, str(bad)) from None


@get("/health", responses=refusals(503))
async def health(request: AnyRequest) -> Health:
    """Whether the server and its database are well."""
    await request.app.state.store.ping()
    return Health("ok", VERSION)


def link_to(request: AnyRequest, token: str) -> str:
    """The link that opens a seat, as people reach the server."""
    origin = request.app.state.settings.origin
    if not origin:
        origin = f"{request.scope['scheme']}://{request.headers.get('host', 'localhost')}"
    return f"{origin}/join/{token}"


def _with_cookies(
    request: AnyRequest, campaign: str, token: str, response: Response[Any]
) -> Response[Any]:
    settings = request.app.state.settings
    secure = settings.is_secure or request.scope["scheme"] == "https"
    name = seat_cookie(campaign)
    # Sent as they are: the framework would keep only one of two cookies of one name.
    request.scope["state"]["cookies"] = [
        set_cookie(name, token, path, secure=secure) for path in seat_paths(campaign)
    ]
    return response


ROUTES = [
    found_campaign,
    import_campaign,
    join_table,
    leave_table,
    list_games,
    search_rules,
    read_rule,
    health,
]
