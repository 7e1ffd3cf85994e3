"""The application: the routes, the sockets and the page around one store and its tables."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from litestar import Litestar
from litestar.datastructures import State

from astragal.table.host import Tables
from astragal.table.store import Store, open_store
from astragal.web import door_api, pages, table_api
from astragal.web.company import Company
from astragal.web.doorkeeper import Doorkeeper
from astragal.web.homes import Place
from astragal.web.neighbours import Neighbours
from astragal.web.openapi import CONFIG, openapi_json
from astragal.web.outside import Outside
from astragal.web.pages import Files
from astragal.web.reading import MOST
from astragal.web.refusals import answer_wrong
from astragal.web.settings import Settings
from astragal.web.sockets import Sockets


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
            [*door_api.ROUTES, *table_api.ROUTES, *pages.ROUTES, openapi_json],
            openapi_config=CONFIG,
            exception_handlers={Exception: answer_wrong},
            request_max_body_size=MOST,
            state=State(state),
            logging_config=None,
        )
        super().__init__(self.routes, sockets, doorkeeper, place)
