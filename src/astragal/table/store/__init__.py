"""The store: campaigns on disk, in a SQLite file or in PostgreSQL.

:func:`open_store` opens one; :class:`Store` is what the table sees of it.
"""

from __future__ import annotations

from astragal.errors import BadInput
from astragal.table.store.default_path import database_url, without_password
from astragal.table.store.interface import (
    EVERYWHERE,
    AlreadyExists,
    AppendConflict,
    CampaignSummary,
    ImageRoom,
    NoCampaign,
    RepeatedCommand,
    SeatHolder,
    SeatLink,
    Store,
    StoredImage,
    StoreDown,
    StoreError,
    StoreFull,
    UnreadableEntry,
)

__all__ = [
    "EVERYWHERE",
    "AlreadyExists",
    "AppendConflict",
    "CampaignSummary",
    "ImageRoom",
    "NoCampaign",
    "RepeatedCommand",
    "SeatHolder",
    "SeatLink",
    "Store",
    "StoreDown",
    "StoreError",
    "StoreFull",
    "StoredImage",
    "UnreadableEntry",
    "database_url",
    "open_store",
]


async def open_store(url: str) -> Store:
    """Open the database behind an address, and bring its tables up to date.

    ``sqlite:///table.db`` is a file here, ``sqlite:////var/lib/astragal/table.db`` one by its
    full path, ``postgresql://user:password@host/name`` a PostgreSQL database.
    """
    if url.startswith("sqlite:"):
        from astragal.table.store.sqlite import open_sqlite

        return await open_sqlite(url)

    from sqlalchemy import make_url
    from sqlalchemy.exc import ArgumentError

    expected = "sqlite:///FILE or postgresql://USER:PASSWORD@HOST/NAME"
    try:
        address = make_url(url)
    except (ArgumentError, ValueError):
        raise BadInput("database", without_password(url), expected) from None
    if address.get_backend_name() not in ("postgresql", "postgres"):
        raise BadInput("database", without_password(url), expected)
    from astragal.table.store.postgres import open_postgres

    return await open_postgres(address)
