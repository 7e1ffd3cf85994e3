"""What a worker needs, read in once for all of them: they are forked from a process with it.

Importing this module is enough. A worker that replaces another then answers within moments, and
what nobody changes is in memory once.
"""

from __future__ import annotations

from contextlib import suppress

import sqlalchemy.dialects.postgresql.asyncpg  # noqa: F401
import uvicorn.protocols.http.auto
import uvicorn.protocols.websockets.websockets_sansio_impl  # noqa: F401
from litestar import Litestar

import astragal.table.store.postgres
import astragal.web.server  # noqa: F401
from astragal.web.game_catalogue import games_compressed

with suppress(ImportError):
    import uvloop  # noqa: F401

Litestar(logging_config=None)  # what its plugins need is imported when an application is made
games_compressed()
