"""Campaigns, their logs, snapshots of them, and the links that open seats."""

from __future__ import annotations

import sqlalchemy as sa
from alembic.operations import Operations

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade(op: Operations) -> None:
    """Make the tables."""
    op.create_table(
        "campaigns",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("began", sa.Text, nullable=False),
        sa.Column("last_seq", sa.Integer, nullable=False),
    )
    op.create_table(
        "entries",
        sa.Column("campaign", sa.Text, _campaign(), primary_key=True),
        sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("at", sa.Text, nullable=False),
        sa.Column("seat", sa.Text, nullable=False),
        sa.Column("mark", sa.Text, nullable=False),
        sa.Column("event", sa.Text, nullable=False),
    )
    op.create_index(
        "entries_mark",
        "entries",
        ["campaign", "mark"],
        unique=True,
        sqlite_where=sa.text("mark <> ''"),
        postgresql_where=sa.text("mark <> ''"),
    )
    op.create_table(
        "snapshots",
        sa.Column("campaign", sa.Text, _campaign(), primary_key=True),
        sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("data", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "links",
        sa.Column("digest", sa.LargeBinary, primary_key=True),
        sa.Column("campaign", sa.Text, _campaign(), nullable=False),
        sa.Column("seat", sa.Text, nullable=False),
        sa.Column("made", sa.Text, nullable=False),
        sa.Column("revoked", sa.Boolean, nullable=False),
    )
    op.create_index("links_seat", "links", ["campaign", "seat"])


def downgrade(op: Operations) -> None:
    """Take the tables away again."""
    for table in ("links", "snapshots", "entries", "campaigns"):
        op.drop_table(table)


def _campaign() -> sa.ForeignKey:
    return sa.ForeignKey("campaigns.id", ondelete="CASCADE")
