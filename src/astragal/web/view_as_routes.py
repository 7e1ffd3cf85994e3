"""The API of one table for the GM who views it as another seat."""

from __future__ import annotations

from typing import Annotated

from litestar import get
from litestar.params import FromPath, QueryParameter

from astragal.table.review import Review
from astragal.table.story.pictures import SessionPictures
from astragal.table.views.types import CardView, EntryView, TableView
from astragal.web.authentication import has_seat, is_gm
from astragal.web.errors import error_responses
from astragal.web.file_routes import found
from astragal.web.request_bodies import AnyRequest
from astragal.web.table_routes import TABLE, holder_of


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
    return found(await tables.pictures(campaign, seat, number, by_gm=True))


@get(
    f"{TABLE}/view-as/{{seat:str}}/review",
    guards=[has_seat, is_gm],
    responses=error_responses(401, 403, 422, 503),
)
async def review_as(request: AnyRequest, campaign: FromPath[str], seat: FromPath[str]) -> Review:
    """For the GM: what decisions were worth, as another seat may know."""
    seen: Review = await request.app.state.odds.review(campaign, holder_of(request).seat, seat)
    return seen


ROUTES = [see_table_as, card_as, read_log_as, session_pictures_as, review_as]
