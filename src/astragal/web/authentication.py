"""Who is asking: the seat that a link opens, and who may create campaigns."""

from __future__ import annotations

import hmac
import os
import secrets
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from litestar.connection import ASGIConnection
from litestar.handlers import BaseRouteHandler

from astragal.errors import BadInput
from astragal.play import GM
from astragal.table.command_handler import NoSeat
from astragal.table.commands.commands import AnyCommand, BeginProcedure
from astragal.table.store.default_path import data_folder, without_password
from astragal.table.store.interface import SeatHolder
from astragal.table.store.private_files import make_private_folder, mend
from astragal.web.errors import HttpError, NoSuchSeat
from astragal.web.rate_limits import Buckets, network_of
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

GM_SHARE = 10
"""The GM may write so many times as much as anybody else: sheets, above all."""
OTHER_SITE = "Another site's page sent this, so nothing was changed. Use this server's own page."
GM_ONLY = "Only the GM can do this."
KEY_NEEDED = (
    "Creating campaigns here needs the creation key. "
    "Open the address that the server printed when it first started."
)


class Authentication:
    """Finds the seat that a link opens, counts wrong links, and checks the creation key."""

    def __init__(self, tables: Tables, settings: Settings) -> None:
        """Authenticate for these tables."""
        self._tables = tables
        self._settings = settings
        rates = settings.rates
        self.origins = Origins(settings)
        self.seats = Buckets(rates.seat)
        self.abuses = Buckets(rates.abuses)
        self._begins = Buckets(rates.begins)
        self._written = Buckets(rates.written)
        self._images = Buckets(rates.images)
        self.addresses = Buckets(rates.address)
        self.joins = Buckets(rates.joins)
        self.sockets = Buckets(rates.sockets)
        self.searches = Buckets(rates.searches)
        self._guesses = Buckets(rates.guesses)
        self._creations = Buckets(rates.creations)

    def check_command(self, holder: SeatHolder, command: AnyCommand, size: int) -> None:
        """Refuse a seat that begins procedures, or writes, faster than anybody plays."""
        seat = (holder.campaign, holder.seat)
        if isinstance(command, BeginProcedure):
            self._begins.take(seat)
        self._written.take(seat, size / GM_SHARE if holder.seat == GM else size)

    def check_begin(self, holder: SeatHolder) -> None:
        """Refuse a seat that tries what it could begin faster than anybody fills in a form."""
        self._begins.take((holder.campaign, holder.seat))

    def check_image(self, holder: SeatHolder, size: int) -> None:
        """Refuse a seat that uploads more than anybody needs."""
        self._images.take((holder.campaign, holder.seat), size)

    async def holder(self, token: str, address: str) -> SeatHolder:
        """The seat that a token opens; the same error for every token that opens none.

        Somebody who tries wrong ones keeps out nobody who has a right one, at the same address.
        """
        try:
            return await self._tables.seat_at(token)
        except NoSeat:
            self._guesses.take(address)
            raise NoSuchSeat from None

    async def seat(
        self, headers: Mapping[str, str], campaign: str, address: str, scheme: str, method: str
    ) -> SeatHolder:
        """The seat that a request's token or cookie opens, at this campaign and no other."""
        token = bearer(headers)
        if not token:
            token = cookie(headers, seat_cookie(campaign))
            if token and method not in SAFE_METHODS and not self.origins.is_ours(headers, scheme):
                raise HttpError(403, OTHER_SITE)
        if not token:
            raise NoSuchSeat
        holder = await self.holder(token, address)
        if holder.campaign != campaign:
            raise NoSuchSeat
        return holder

    def check_creating(self, headers: Mapping[str, str], address: str, scheme: str) -> None:
        """Refuse a request that may not create campaigns, or creates too many."""
        if self.origins.is_foreign(headers, scheme):
            raise HttpError(403, OTHER_SITE)
        given = bearer(headers) or cookie(headers, KEY_COOKIE)
        if not self._can_create(given, address):
            raise HttpError(403, KEY_NEEDED)
        self._creations.take(address)

    def _can_create(self, given: str, address: str) -> bool:
        if self._settings.is_open or (self._settings.is_local and is_loopback(address)):
            return True
        return self.is_key(given, address)

    def is_key(self, given: str, address: str) -> bool:
        """Whether this is the creation key; wrong ones are counted, right ones never refused."""
        key = self._settings.key
        if not given or not key:
            return False
        if hmac.compare_digest(given.encode(), key.encode()):
            return True
        self._guesses.take(address)
        return False


# --- Guards of routes ----------------------------------------------------------------------


def address_of(connection: Connection) -> str:
    """Where a request comes from, as far as limits are concerned."""
    client = connection.scope.get("client")
    return network_of(client[0]) if client else "local"


def authentication_of(connection: Connection) -> Authentication:
    """The authentication of the application."""
    authentication: Authentication = connection.app.state.authentication
    return authentication


async def seat_of(connection: Connection) -> SeatHolder:
    """The seat that a request's link opens at this moment."""
    return await authentication_of(connection).seat(
        connection.headers,
        str(connection.path_params["campaign"]),
        address_of(connection),
        str(connection.scope["scheme"]),
        str(connection.scope.get("method")),
    )


async def has_seat(connection: Connection, _: BaseRouteHandler) -> None:
    """A guard: the request comes from a seat at this table, which is kept with the request."""
    holder = await seat_of(connection)
    authentication_of(connection).seats.take((holder.campaign, holder.seat))
    connection.scope["state"]["holder"] = holder


async def is_gm(connection: Connection, _: BaseRouteHandler) -> None:
    """A guard, after :func:`has_seat`: the seat is the GM's."""
    if connection.scope["state"]["holder"].seat != GM:
        raise HttpError(403, GM_ONLY)


async def can_create(connection: Connection, _: BaseRouteHandler) -> None:
    """A guard: the request may create campaigns."""
    scheme = str(connection.scope["scheme"])
    authentication = authentication_of(connection)
    authentication.check_creating(connection.headers, address_of(connection), scheme)


async def can_search(connection: Connection, _: BaseRouteHandler) -> None:
    """A guard: this address has not searched too often."""
    authentication_of(connection).searches.take(address_of(connection))


async def is_not_foreign(connection: Connection, _: BaseRouteHandler) -> None:
    """A guard: no other site's page sends this."""
    scheme = str(connection.scope["scheme"])
    if authentication_of(connection).origins.is_foreign(connection.headers, scheme):
        raise HttpError(403, OTHER_SITE)


# --- The creation key ----------------------------------------------------------------------

KEY_VARIABLE = "ASTRAGAL_KEY"
SQLITE = "sqlite:///"
SHORTEST_KEY = 16


class CreationKey(msgspec.Struct, frozen=True):
    """The key, its file (none if the environment gave the key), and whether it is new."""

    key: str
    file: Path | None = None
    is_new: bool = False


def creation_key(database: str) -> CreationKey:
    """The key of the server with this database; made at the first start, readable by its owner."""
    given = os.environ.get(KEY_VARIABLE)
    if given:
        return CreationKey(_long_enough(given, f"${KEY_VARIABLE}", "choose a longer one"))
    file = key_file(database)
    if file.exists():
        mend(file)
        return CreationKey(_read_key(file), file)
    key = secrets.token_urlsafe(24)
    try:
        make_private_folder(file.parent)
        is_first = _write_whole(file, f"{key}\n")
    except OSError as error:
        expected = f"a writable folder ({error.strerror})"
        raise BadInput("database", without_password(database), expected) from None
    return CreationKey(key, file, is_new=True) if is_first else CreationKey(_read_key(file), file)


def _write_whole(file: Path, text: str) -> bool:
    """Write a file completely or not at all; false if there was one already.

    A process that is killed meanwhile leaves a temporary file, and no empty key.
    """
    handle, temporary = tempfile.mkstemp(prefix=f".{file.name}-", dir=file.parent)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as opened:
            opened.write(text)
            opened.flush()
            os.fsync(opened.fileno())
        try:
            os.link(temporary, file)
        except FileExistsError:
            return False
    finally:
        os.unlink(temporary)
    return True


def key_file(database: str) -> Path:
    """The file of a database's key: beside a SQLite file, or among the user's own data."""
    if database.startswith(SQLITE):
        return Path(database.removeprefix(SQLITE)).with_suffix(".key")
    return data_folder(sys.platform, os.environ, Path.home()) / "astragal.key"


def _read_key(file: Path) -> str:
    try:
        key = file.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput("key", str(file), f"a readable file ({error})") from None
    return _long_enough(key, str(file), "delete the file to get a new one")


def _long_enough(key: str, where: str, advice: str) -> str:
    """A key that nobody guesses; a shorter one is refused, and not repeated."""
    if len(key.strip()) < SHORTEST_KEY:
        expected = f"a key of at least {SHORTEST_KEY} characters; {advice}"
        raise BadInput("key", where, expected)
    return key
