"""The API outside a table: creating, importing, joining, leaving, games, rules, health."""

from __future__ import annotations

from typing import Annotated, Any

from litestar import Response, get, post
from litestar.params import FromPath, QueryParameter

from astragal.errors import BadInput
from astragal.games import game_named
from astragal.table.export import CampaignExport
from astragal.web.authentication import (
    address_of,
    authentication_of,
    can_create,
    can_search,
    is_not_foreign,
)
from astragal.web.errors import HttpError, error_responses
from astragal.web.game_catalogue import games_compressed, games_json
from astragal.web.messages import (
    CreateCampaign,
    Empty,
    Health,
    JoinTable,
    NewCampaign,
    OfferedGame,
    SeatOpened,
)
from astragal.web.request_bodies import (
    BODY,
    IMPORT_PATIENCE,
    MAX_IMPORT_SIZE,
    AnyRequest,
    read_body,
    read_json_bytes,
)
from astragal.web.rulebook import RuleEntry, RulesFound, entry_page, search
from astragal.web.security import seat_cookie, seat_paths, set_cookie
from astragal.web.settings import VERSION
from astragal.web.watching import WatchedScenario, watched

CACHED = {"Cache-Control": "private, max-age=300"}
"""For answers that stay the same for as long as the server runs."""


@post(
    "/api/campaigns",
    guards=[can_create],
    responses=error_responses(400, 403, 413, 415, 422, 503),
    opt={BODY: CreateCampaign},
)
async def create_campaign(request: AnyRequest) -> NewCampaign:
    """Create a campaign, or the demo of a game; the answer has the GM's link."""
    wanted = await read_body(request, CreateCampaign)
    campaign, token = await request.app.state.tables.create(
        wanted.game, wanted.title, options=wanted.options, name=wanted.name, demo=wanted.demo
    )
    return NewCampaign(campaign, link_to(request, token), token)


@post(
    "/api/import",
    guards=[can_create],
    request_max_body_size=MAX_IMPORT_SIZE,
    responses=error_responses(403, 409, 413, 415, 422, 503),
    opt={BODY: CampaignExport},
)
async def import_campaign(request: AnyRequest) -> NewCampaign:
    """Import a campaign that was exported, as a new campaign."""
    campaign, token = await request.app.state.tables.import_(
        await read_json_bytes(request, IMPORT_PATIENCE)
    )
    return NewCampaign(campaign, link_to(request, token), token)


@post(
    "/api/join",
    guards=[is_not_foreign],
    status_code=200,
    responses=error_responses(400, 401, 403, 413, 415, 503),
    opt={BODY: JoinTable},
)
async def join_table(request: AnyRequest) -> Response[SeatOpened]:
    """Exchange the token of a link for a seat, which the browser keeps in a cookie."""
    authentication, address = authentication_of(request), address_of(request)
    token = (await read_body(request, JoinTable)).token
    holder = await authentication.holder(token, address)
    authentication.joins.take(address)
    return _with_cookies(
        request, holder.campaign, token, Response(SeatOpened(holder.campaign, holder.seat))
    )


@post(
    "/api/leave/{campaign:str}",
    guards=[is_not_foreign],
    status_code=200,
    responses=error_responses(403, 404),
)
async def leave_table(request: AnyRequest, campaign: FromPath[str]) -> Response[Empty]:
    """Delete the browser's cookie of a seat; the link still opens the seat."""
    if not campaign.replace("-", "").replace("_", "").isalnum() or not campaign.isascii():
        raise HttpError(404, "There is no campaign of this name.")
    return _with_cookies(request, campaign, "", Response(Empty()))


@get("/api/games", responses=error_responses(), sync_to_thread=True)
def list_games(request: AnyRequest) -> Response[tuple[OfferedGame, ...]]:
    """Every game: its house rules, pre-made sheets, procedures with their forms, and its demo."""
    compresses = "gzip" in request.headers.get("accept-encoding", "")
    headers = {**CACHED, "Vary": "Accept-Encoding"}
    if compresses:
        headers["Content-Encoding"] = "gzip"
    ready: Response[Any] = Response(
        games_compressed() if compresses else games_json(),
        headers=headers,
        media_type="application/json",
    )
    return ready


@get(
    "/api/rules/search",
    guards=[can_search],
    responses=error_responses(400, 422),
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
    return Response(search(q, game, limit), headers=CACHED)


@get("/api/rules/{rule:str}", responses=error_responses(404), sync_to_thread=True)
def read_rule(rule: FromPath[str]) -> Response[RuleEntry]:
    """One entry of the rules: a rule, a table, a worked example or a reading."""
    try:
        return Response(entry_page(rule), headers=CACHED)
    except BadInput as bad:
        raise HttpError(404, str(bad)) from None


@get("/api/watch/{game:str}/{name:str}", responses=error_responses(404), sync_to_thread=True)
def watch_scenario(game: FromPath[str], name: FromPath[str]) -> Response[WatchedScenario]:
    """A scenario that comes with a game, moment by moment."""
    try:
        return Response(watched(game, name), headers=CACHED)
    except BadInput as bad:
        raise HttpError(404, str(bad)) from None


@get("/health", responses=error_responses(503))
async def health(request: AnyRequest) -> Health:
    """Check whether the server works, and can write to its database."""
    await request.app.state.health.check()
    return Health("ok", VERSION)


def link_to(request: AnyRequest, token: str) -> str:
    """The link that opens a seat, with the address at which people reach the server."""
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
    # Passed to the middleware: Litestar would keep only one of two cookies of one name.
    request.scope["state"]["cookies"] = [
        set_cookie(name, token, path, secure=secure) for path in seat_paths(campaign)
    ]
    return response


ROUTES = [
    create_campaign,
    import_campaign,
    join_table,
    leave_table,
    list_games,
    search_rules,
    read_rule,
    watch_scenario,
    health,
]
