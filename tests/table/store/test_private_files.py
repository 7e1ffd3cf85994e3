"""Whose the files are: their owner's alone, whatever the umask and whatever was there before."""

from __future__ import annotations

import logging
import os
import stat
import sys
import time
from pathlib import Path

import pytest

from astragal.errors import BadInput
from astragal.table.store import open_store
from astragal.table.store.default_path import without_password
from astragal.table.store.private_files import make_private_folder
from astragal.table.store.server_lock import lock_of, serving_alone
from table.store.logs import found
from table.stores import PATIENCE, asynchronous

pytestmark = pytest.mark.skipif(os.name != "posix", reason="modes are of Unix")


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture(params=[0o000, 0o022, 0o777])
def umask(request):
    before = os.umask(request.param)
    yield request.param
    os.umask(before)


@asynchronous
async def test_a_new_database_and_all_beside_it_are_their_owners_alone(tmp_path, umask):
    database = tmp_path / "a" / "b" / "table.db"
    with serving_alone(database):
        async with await open_store(f"sqlite:///{database}") as store:
            await found(store)
            beside = sorted(each.name for each in database.parent.iterdir())
            assert beside == ["table.db", "table.db-shm", "table.db-wal", "table.db.lock"]
            assert {mode(each) for each in database.parent.iterdir()} == {0o600}
    assert (mode(database.parent), mode(database.parent.parent)) == (0o700, 0o700)


@asynchronous
async def test_a_database_that_is_open_to_others_is_closed_and_somebody_is_told(tmp_path, caplog):
    database = tmp_path / "table.db"
    async with await open_store(f"sqlite:///{database}") as store:
        await found(store)
    lock_of(database).touch()
    for each in (database, lock_of(database)):
        each.chmod(0o664)
    with caplog.at_level(logging.WARNING), serving_alone(database):
        async with await open_store(f"sqlite:///{database}") as store:
            assert await store.known("c1")
    assert mode(database) == mode(lock_of(database)) == 0o600
    assert f"Others could read {database} (mode 664)" in caplog.text


def test_a_folder_that_others_can_write_in_is_told_of_and_left_alone(tmp_path, caplog):
    tmp_path.chmod(0o777)
    with caplog.at_level(logging.WARNING):
        make_private_folder(tmp_path)
    assert "Others can write in the folder" in caplog.text
    assert mode(tmp_path) == 0o777
    caplog.clear()
    tmp_path.chmod(0o755)
    make_private_folder(tmp_path)
    assert not caplog.text


def test_one_server_for_each_file(tmp_path, monkeypatch):
    monkeypatch.setattr("astragal.table.store.server_lock.PATIENCE", 0.0)
    database = tmp_path / "table.db"
    with serving_alone(database):
        with pytest.raises(BadInput, match="no other server uses") as refused:
            serving_alone(database).__enter__()
        assert f"process {os.getpid()} does" in str(refused.value)
        with serving_alone(tmp_path / "other.db"):
            pass
    with serving_alone(database):
        pass


def test_a_lock_ends_with_its_process_however_that_ends(tmp_path):
    database = tmp_path / "table.db"
    child = os.fork()
    if child == 0:
        try:
            with serving_alone(database):
                (tmp_path / "locked").touch()
                time.sleep(2 * PATIENCE)
        finally:
            os._exit(1)
    try:
        until = time.monotonic() + PATIENCE
        while not (tmp_path / "locked").exists():
            assert time.monotonic() < until, "it was never locked"
            time.sleep(0.01)
    finally:
        os.kill(child, 9)
        os.waitpid(child, 0)
    with serving_alone(database):
        assert sys.platform


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://ann:s3cret@host/name",
        "postgresql+asyncpg://ann:s3cret@host:1/name",
        "postgresql://ann:p@s3cret/x@host/name",
        "postgresql://host/name?user=ann&password=s3cret",
        "mysql://ann:s3cret@host/name",
        "postgresql://ann:s3cret@host:port/name",
        "sqlite://ann:s3cret@host/name",
        "nonsense:s3cret//ann:s3cret@",
    ],
)
def test_an_address_is_repeated_without_its_password(url):
    if not url.startswith("nonsense"):
        assert "s3cret" not in without_password(url)
    assert "s3cret" not in without_password(url).partition("//")[2]


@pytest.mark.parametrize(
    "url",
    [
        "mysql://ann:s3cret@host/name",
        "postgresql://ann:s3cret@host:port/name",
        "postgresql://ann:s3cret@127.0.0.1:1/name",
        "postgresql://127.0.0.1:1/name?user=ann&password=s3cret",
        "sqlite://ann:s3cret@host/name",
    ],
)
@asynchronous
async def test_a_refusal_never_has_the_password(url):
    with pytest.raises(BadInput) as refused:
        await open_store(url)
    assert "s3cret" not in str(refused.value)
    assert "s3cret" not in repr(refused.value.value)
