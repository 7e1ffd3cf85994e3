"""Bringing a database to the tables that this version knows; Alembic does the work.

Several workers may start at once: the caller holds the database's lock, and the one that gets it
second finds nothing left to do. A migration runs in one transaction with all others.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sqlalchemy import Connection, inspect, text

from astragal.errors import BadInput
from astragal.table.store.schema import SCHEMA

MIGRATIONS = Path(__file__).parent / "migrations"


def revision(connection: Connection) -> str | None:
    """The migration that the database is at; None for an empty one."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    found: str | None = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
    return found


def migrate(connection: Connection) -> None:
    """Run every migration that the database lacks, within the transaction that is open."""
    at = revision(connection)
    if at == SCHEMA:
        return
    # Alembic is slow to import, and seldom needed.
    from alembic.operations import Operations
    from alembic.runtime.migration import MigrationContext
    from alembic.script import ScriptDirectory

    scripts = ScriptDirectory(str(MIGRATIONS))
    known = [script.revision for script in scripts.walk_revisions()]
    if at is not None and at not in known:
        expected = f"at most {SCHEMA}: the database belongs to a newer version of Astragal"
        raise BadInput("database schema", at, expected)

    def missing(current: Any, _: Any) -> Any:
        return scripts._upgrade_revs(SCHEMA, current)

    context = MigrationContext.configure(
        connection, opts={"fn": missing, "transactional_ddl": True}
    )
    # Handed to each migration: the global one that Alembic offers would be shared between
    # stores that are opened side by side.
    context.run_migrations(op=Operations(context))
