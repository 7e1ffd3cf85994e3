"""Processes that are forked from one that has read everything in, so that they begin at once.

There is one such process for each process of the tests, whoever needs it first.
"""

from __future__ import annotations

import multiprocessing
from multiprocessing.context import ForkServerContext

PRELOADED = [
    "astragal.cli",
    "astragal.web.preload",
    "astragal.table.store.sqlite",
    "astragal.table.store.postgres",
    "sqlalchemy.dialects.postgresql.asyncpg",
    "sqlalchemy.dialects.sqlite",
]


def forking() -> ForkServerContext:
    """Where such processes are made."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(PRELOADED)
    return context
