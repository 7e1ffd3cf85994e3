"""Images of campaigns: those of handouts, and the portraits of characters."""

from __future__ import annotations

import sqlalchemy as sa
from alembic.operations import Operations

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade(op: Operations) -> None:
    """Make the table."""
    op.create_table(
        "images",
        sa.Column(
            "campaign",
            sa.Text,
            sa.ForeignKey("campaigns.id", ondelete="CASCADE"),
            primary_key=True,
        ),
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("seat", sa.Text, nullable=False),
        sa.Column("at", sa.Text, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("size", sa.Integer, nullable=False),
        sa.Column("data", sa.LargeBinary, nullable=False),
    )


def downgrade(op: Operations) -> None:
    """Take it away again."""
    op.drop_table("images")
