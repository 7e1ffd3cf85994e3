"""Everything that a forked process needs, read in once: importing this module is enough."""

import os

import sqlalchemy.dialects.postgresql.asyncpg
import sqlalchemy.dialects.sqlite  # noqa: F401

import astragal.table.store.postgres
import astragal.table.store.sqlite
import astragal.web.preload  # noqa: F401
import crashes.serving  # noqa: F401
from astragal import cli
from forking import PATH_BEFORE

cli._command()  # to read all parameters of all commands takes longer than to start a server

if PATH_BEFORE in os.environ:
    before = os.environ.pop(PATH_BEFORE)
    del os.environ["PYTHONPATH"]
    if before:
        os.environ["PYTHONPATH"] = before
