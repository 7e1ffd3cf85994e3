"""Whether the server can do its work: a small write to the database, not more than now and then."""

from __future__ import annotations

import asyncio
import time

from astragal.table.store.interface import Store, StoreError

EVERY = 5.0
"""Seconds for which a look at the disk holds: anybody may ask, and each look writes something."""


class HealthCheck:
    """Tries to write, and remembers for a few seconds what came of it."""

    def __init__(self, store: Store) -> None:
        """Look after this store."""
        self._store = store
        self._lock = asyncio.Lock()
        self._looked: float | None = None
        self._found: StoreError | None = None

    async def check(self) -> None:
        """Return if the store answers and can be written; otherwise raise why not."""
        await self._store.ping()
        async with self._lock:
            if self._looked is None or time.monotonic() - self._looked > EVERY:
                await self._look()
            if self._found is not None:
                raise type(self._found)(str(self._found)) from self._found

    async def _look(self) -> None:
        self._found = None
        try:
            await self._store.probe()
        except StoreError as error:
            self._found = error
        self._looked = time.monotonic()
