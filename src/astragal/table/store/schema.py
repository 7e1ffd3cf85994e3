"""The tables of the store, the same for SQLite and PostgreSQL.

Events are kept as JSON text, so that a log can be read with nothing but the database's own
tools. What is kept is made and changed by the migrations; a test holds the two together.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import (
    Boolean,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    text,
)

SCHEMA: Final = "0002"
"""The latest migration: the one that these tables are the result of."""

metadata = MetaData()


campaigns = Table(
    "campaigns",
    metadata,
    Column("id", Text, primary_key=True),
    Column("game", Text, nullable=False),
    Column("title", Text, nullable=False),
    Column("began", Text, nullable=False),
    Column("last_seq", Integer, nullable=False),
)

entries = Table(
    "entries",
    metadata,
    Column("campaign", Text, ForeignKey("campaigns.id", ondelete="CASCADE"), primary_key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("at", Text, nullable=False),
    Column("seat", Text, nullable=False),
    Column("mark", Text, nullable=False),
    Column("event", Text, nullable=False),
    # A command that is sent twice, to two workers even, can lead to one entry only.
    Index(
        "entries_mark",
        "campaign",
        "mark",
        unique=True,
        sqlite_where=text("mark <> ''"),
        postgresql_where=text("mark <> ''"),
    ),
)

snapshots = Table(
    "snapshots",
    metadata,
    Column("campaign", Text, ForeignKey("campaigns.id", ondelete="CASCADE"), primary_key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("data", LargeBinary, nullable=False),
)

links = Table(
    "links",
    metadata,
    Column("digest", LargeBinary, primary_key=True),
    Column("campaign", Text, ForeignKey("campaigns.id", ondelete="CASCADE"), nullable=False),
    Column("seat", Text, nullable=False),
    Column("made", Text, nullable=False),
    Column("revoked", Boolean, nullable=False),
    Index("links_seat", "campaign", "seat"),
)

images = Table(
    "images",
    metadata,
    Column("campaign", Text, ForeignKey("campaigns.id", ondelete="CASCADE"), primary_key=True),
    Column("id", Text, primary_key=True),
    Column("seat", Text, nullable=False),
    Column("at", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("size", Integer, nullable=False),
    Column("data", LargeBinary, nullable=False),
)
