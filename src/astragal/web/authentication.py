"""Who is asking: the seat that a link opens, and whether somebody may found a campaign."""

from __future__ import annotations

import hmac
from typing import TYPE_CHECKING, Any

from litestar.connection import ASGIConnection
from litestar.handlers import BaseRouteHandler

from astragal.play import GM
from astragal.table.commands.commands import AnyCommand, BeginProcedure
from astragal.table.host import NoSeat
from astragal.table.store.interface import SeatHolder
from astragal.web.errors import Declined, NoSuchSeat
from astragal.web.rate_limits import Buckets, TooMany, neighbourhood
from astragal.web.security import (
    KEY_COOKIE,
    SAFE_METHODS,
    Origins,
    bearer,
    cookie,
    seat_cookie,
)
from astragal.web.settings import Settings, is_loopback

if TYPE_CHECKING:
    from collections.abc import Mapping

    from astragal.table.host import Tables

Connection = ASGIConnection[Any, Any, Any, Any]

FOREIGN = "this was sent by a page that is not ours, and nothing was changed"
GM_ONLY = "only the GM may do this"
NO_KEY = (
    "campaigns are founded here with the founding key; "
    "open the address that the server printed when it started"
)


class Doorkeeper:
    """Knows seats by their links, keeps strangers waiting, and lets founders in."""

    def __init__(self, tables: Tables, settings: Settings) -> None:
        """Watch over these tables."""
        self._tables = tables
        self._settings = settings
        rates = settings.rates
        self.origins = Origins(settings)
        self.seats = Buckets(rates.seat)
        self._begins = Buckets(rates.begins)
        self.addresses = Buckets(rates.address)
        self.joins = Buckets(rates.joins)
        self.opened = Buckets(rates.opened)
        self.searches = Buckets(rates.searches)
        self._guesses = Buckets(rates.guesses)
        self._founding = Buckets(rates.founding)

    def may_do(self, holder: SeatHolder, command: AnyCommand) -> None:
        """Refuse whoever begins one thing after the other faster than anybody plays."""
        if isinstance(command, BeginProcedure):
            self._begins.take((holder.campaign, holder.seat))

    async def holder(self, token: str, address: str) -> SeatHolder:
        """The seat that a token opens; the same words for every token that opens none."""
        if not self._guesses.has(address):
            raise TooMany(self._guesses.wait(address))
        try:
            return await self._tables.seat_at(token)
        except NoSeat:
            self._guesses.takes(address)
            raise NoSuchSeat from None

    async def seat(
        self, headers: Mapping[str, str], campaign: str, address: str, scheme: str, method: str
    ) -> SeatHolder:
        """The seat of whoever sends a request, at this campaign and no other."""
        token = bearer(headers)
        if not token:
            token = cookie(headers, seat_cookie(campaign))
            if token and method not in SAFE_METHODS and not self.origins.is_ours(headers, scheme):
                raise Declined(403, FOREIGN)
        if not token:
            raise NoSuchSeat
        holder = await self.holder(token, address)
        if holder.campaign != campaign:
            raise NoSuchSeat
        return holder

    def may_found(self, headers: Mapping[str, str], address: str, scheme: str) -> None:
        """Refuse whoever may not found campaigns, and whoever founds too many."""
        if self.origins.is_foreign(headers, scheme):
            raise Declined(403, FOREIGN)
        given = bearer(headers) or cookie(headers, KEY_COOKIE)
        if not self._opens(given, address):
            raise Declined(403, NO_KEY)
        self._founding.take(address)

    def _opens(self, given: str, address: str) -> bool:
        if self._settings.is_open or self.is_key(given, address):
            return True
        return self._settings.is_local and is_loopback(address)

    def is_key(self, given: str, address: str) -> bool:
        """Whether this is the founding key; wrong ones are counted."""
        key = self._settings.key
        if not given or not key or not self._guesses.has(address):
            return False
        if hmac.compare_digest(given.encode(), key.encode()):
            return True
        self._guesses.takes(address)
        return False


def address_of(connection: Connection) -> str:
    """Where a request comes from, as far as limits are concerned."""
    client = connection.scope.get("client")
    return neighbourhood(client[0]) if client else "here"


def doorkeeper_of(connection: Connection) -> Doorkeeper:
    """The doorkeeper of the application."""
    keeper: Doorkeeper = connection.app.state.doorkeeper
    return keeper


async def seat_of(connection: Connection) -> SeatHolder:
    """The seat of whoever asks, if their link opens it now."""
    return await doorkeeper_of(connection).seat(
        connection.headers,
        str(connection.path_params["campaign"]),
        address_of(connection),
        str(connection.scope["scheme"]),
        str(connection.scope.get("method")),
    )


async def has_seat(connection: Connection, _: BaseRouteHandler) -> None:
    """A guard: whoever asks sits at this table; their seat is kept with the request."""
    holder = await seat_of(connection)
    doorkeeper_of(connection).seats.take((holder.campaign, holder.seat))
    connection.scope["state"]["holder"] = holder


async def is_gm(connection: Connection, _: BaseRouteHandler) -> None:
    """A guard, after :func:`has_seat`: it is the GM who asks."""
    if connection.scope["state"]["holder"].seat != GM:
        raise Declined(403, GM_ONLY)


async def may_found(connection: Connection, _: BaseRouteHandler) -> None:
    """A guard: whoever asks may found campaigns here."""
    scheme = str(connection.scope["scheme"])
    doorkeeper_of(connection).may_found(connection.headers, address_of(connection), scheme)


async def may_search(connection: Connection, _: BaseRouteHandler) -> None:
    """A guard: whoever asks does not search all the time."""
    doorkeeper_of(connection).searches.take(address_of(connection))


async def is_not_foreign(connection: Connection, _: BaseRouteHandler) -> None:
    """A guard: no other site's page sends this."""
    scheme = str(connection.scope["scheme"])
    if doorkeeper_of(connection).origins.is_foreign(connection.headers, scheme):
        raise Declined(403, FOREIGN)
