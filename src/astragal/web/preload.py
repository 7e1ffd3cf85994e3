"""What a worker needs, read in once for all of them: they are forked from a process with it.

Importing this module is enough. A worker that replaces another then answers within moments, and
what nobody changes is in memory once.
"""

from __future__ import annotations

import sqlalchemy.dialects.postgresql.asyncpg  # noqa: F401

import astragal.table.store.postgres
import astragal.web.server  # noqa: F401
from astragal.web.game_catalogue import games_compressed

games_compressed()
