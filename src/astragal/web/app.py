"""The application: the routes, the sockets and the page around one store and its tables."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from litestar import Litestar
from litestar.datastructures import State

from astragal.table.host import Tables
from astragal.table.store import Store, open_store
from astragal.web import lobby_routes, static_files, table_routes
from astragal.web.authentication import Doorkeeper
from astragal.web.errors import answer_wrong
from astragal.web.homes import Place
from astragal.web.middleware import Outside
from astragal.web.openapi import CONFIG, openapi_json
from astragal.web.presence import Company
from astragal.web.presence_postgres import Neighbours
from astragal.web.reading import MOST
from astragal.web.settings import Settings
from astragal.web.static_files import Files
from astragal.web.websocket import Sockets


@asynccontextmanager
async def opened(settings: Settings, place: Place | None = None) -> AsyncIterator[Astragal]:
    """The application with its store open, for as long as it runs."""
    store = await open_store(settings.database, crowded=place is not None)
    try:
        tables = Tables(store) if place is None else Tables(store, is_home=place.is_home)
        await tables.start()
        app = Astragal(settings, store, tables, place)
        neighbours = Neighbours(settings.database, app.company)
        if settings.is_shared:
            neighbours.start()
        try:
            yield app
        finally:
            await neighbours.close()
            await tables.close()
    finally:
        await store.close()


class Astragal(Outside):
    """Everything that one worker serves."""

    def __init__(
        self, settings: Settings, store: Store, tables: Tables, place: Place | None = None
    ) -> None:
        """Put the parts together."""
        self.settings = settings
        self.store = store
        self.tables = tables
        self.company = Company()
        doorkeeper = Doorkeeper(tables, settings)
        sockets = Sockets(tables, doorkeeper, self.company)
        state = {
            "settings": settings,
            "store": store,
            "tables": tables,
            "doorkeeper": doorkeeper,
            "company": self.company,
            "odds": sockets.odds,
            "files": Files(settings.page),
        }
        self.routes = Litestar(
            [*lobby_routes.ROUTES, *table_routes.ROUTES, *static_files.ROUTES, openapi_json],
            openapi_config=CONFIG,
            exception_handlers={Exception: answer_wrong},
            request_max_body_size=MOST,
            state=State(state),
            logging_config=None,
        )
        super().__init__(self.routes, sockets, doorkeeper, place)
