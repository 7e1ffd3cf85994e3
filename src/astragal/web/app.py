"""The application: the routes, the sockets and the page around one store and its tables."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

from litestar import Litestar
from litestar.datastructures import State

from astragal.table.host import Tables
from astragal.table.store import Store, open_store
from astragal.table.store.default_path import file_of
from astragal.table.store.server_lock import serving_alone
from astragal.web import (
    file_routes,
    image_routes,
    lobby_routes,
    static_files,
    table_routes,
    view_as_routes,
)
from astragal.web.authentication import Authentication
from astragal.web.connections import Connections
from astragal.web.errors import handle_error
from astragal.web.health import HealthCheck
from astragal.web.middleware import Middleware
from astragal.web.openapi import CONFIG, openapi_json
from astragal.web.presence import Presence
from astragal.web.presence_postgres import PostgresPresence
from astragal.web.request_bodies import MAX_SIZE
from astragal.web.settings import Settings
from astragal.web.static_files import StaticFiles
from astragal.web.websocket import Sockets


@asynccontextmanager
async def opened(settings: Settings) -> AsyncIterator[Astragal]:
    """The application with its store open, for as long as it runs."""
    async with AsyncExitStack() as until_the_end:
        if not settings.is_shared:
            until_the_end.enter_context(serving_alone(file_of(settings.database)))
        yield await _opened(settings, until_the_end)


async def _opened(settings: Settings, until_the_end: AsyncExitStack) -> Astragal:
    store = await until_the_end.enter_async_context(await open_store(settings.database))
    tables = Tables(store)
    until_the_end.push_async_callback(tables.close)
    await tables.start()
    app = Astragal(settings, store, tables)
    if settings.is_shared:
        shared = PostgresPresence(settings.database, app.presence)
        until_the_end.push_async_callback(shared.close)
        shared.start()
    return app


API_ROUTES = (
    *lobby_routes.ROUTES,
    *table_routes.ROUTES,
    *view_as_routes.ROUTES,
    *file_routes.ROUTES,
)
"""Everything of the API but the images, which are not JSON."""


class Astragal(Middleware):
    """Everything that one process serves."""

    def __init__(self, settings: Settings, store: Store, tables: Tables) -> None:
        """Put the parts together."""
        self.settings = settings
        self.store = store
        self.tables = tables
        self.presence = Presence()
        self.connections = Connections(settings)
        authentication = Authentication(tables, settings)
        sockets = Sockets(tables, authentication, self.presence, is_shared=settings.is_shared)
        state = {
            "settings": settings,
            "store": store,
            "tables": tables,
            "authentication": authentication,
            "presence": self.presence,
            "odds": sockets.odds,
            "files": StaticFiles(settings.page, joins_scripts=settings.joins_scripts),
            "health": HealthCheck(store),
        }
        self.routes = Litestar(
            [
                *API_ROUTES,
                *image_routes.ROUTES,
                *static_files.ROUTES,
                openapi_json,
            ],
            openapi_config=CONFIG,
            exception_handlers={Exception: handle_error},
            request_max_body_size=MAX_SIZE,
            state=State(state),
            logging_config=None,
        )
        super().__init__(self.routes, sockets, authentication)
