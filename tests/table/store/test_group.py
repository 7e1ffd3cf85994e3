"""Group commit by itself: who shares a transaction, and who hears what of it."""

import asyncio

import pytest

from astragal.table.store import AppendConflict, StoreDown
from astragal.table.store.group_commit import MOST_CHARACTERS, MOST_ROWS, GroupCommit, LogRow
from table.stores import asynchronous


def row(seq, event="{}"):
    return LogRow("c1", seq, "now", "anna", "", event)


async def others_go_on():
    """Let every task come as far as it can without waiting."""
    for _ in range(50):
        await asyncio.sleep(0)


class Disk:
    """Writes rows into a list, slowly; fails when told to."""

    def __init__(self):
        self.groups = []
        self.failure = None
        self.refused = set()
        self.go_on = asyncio.Event()
        self.go_on.set()

    async def write(self, rows):
        await self.go_on.wait()
        if self.failure is not None:
            raise self.failure
        self.groups.append([row.seq for row in rows])
        return [AppendConflict("c1", r.seq, 0) if r.seq in self.refused else None for r in rows]


@asynchronous
async def test_what_comes_while_one_group_is_written_goes_into_the_next():
    disk = Disk()
    commit = GroupCommit(disk.write)
    disk.go_on.clear()
    first = [asyncio.create_task(commit.append(row(seq))) for seq in (1, 2, 3)]
    await others_go_on()
    more = [asyncio.create_task(commit.append(row(seq))) for seq in (4, 5)]
    await others_go_on()
    assert not any(task.done() for task in first + more)
    disk.go_on.set()
    await asyncio.gather(*first, *more)
    assert disk.groups == [[1, 2, 3], [4, 5]]
    await commit.append(row(6))
    assert disk.groups[2:] == [[6]]


@asynchronous
async def test_a_group_has_bounds_in_rows_and_in_size():
    disk = Disk()
    commit = GroupCommit(disk.write)
    await asyncio.gather(*(commit.append(row(seq)) for seq in range(MOST_ROWS + 10)))
    assert [len(group) for group in disk.groups] == [MOST_ROWS, 10]
    large = "x" * (MOST_CHARACTERS // 2)
    await asyncio.gather(*(commit.append(row(seq, large)) for seq in range(5)))
    assert [len(group) for group in disk.groups[2:]] == [2, 2, 1]


@asynchronous
async def test_a_refusal_is_for_whom_it_concerns():
    disk = Disk()
    disk.refused = {2}
    commit = GroupCommit(disk.write)
    tasks = (commit.append(row(seq)) for seq in (1, 2, 3))
    results = await asyncio.gather(*tasks, return_exceptions=True)
    assert [type(result) for result in results] == [type(None), AppendConflict, type(None)]
    assert disk.groups == [[1, 2, 3]]


@pytest.mark.parametrize("failure", [StoreDown("no answer"), RuntimeError("a fault of ours")])
@asynchronous
async def test_if_the_transaction_fails_everybody_in_it_hears_so_and_the_next_works(failure):
    disk = Disk()
    disk.failure = failure
    commit = GroupCommit(disk.write)
    tasks = (commit.append(row(seq)) for seq in (1, 2, 3))
    results = await asyncio.gather(*tasks, return_exceptions=True)
    assert [type(result) for result in results] == [type(failure)] * 3
    assert disk.groups == []
    disk.failure = None
    await commit.append(row(1))
    assert disk.groups == [[1]]


@asynchronous
async def test_whoever_gives_up_before_the_turn_comes_is_left_out():
    disk = Disk()
    commit = GroupCommit(disk.write)
    disk.go_on.clear()
    first = asyncio.create_task(commit.append(row(1)))
    await others_go_on()
    gone, stays = (asyncio.create_task(commit.append(row(seq))) for seq in (2, 3))
    await others_go_on()
    gone.cancel()
    await others_go_on()
    disk.go_on.set()
    await asyncio.gather(first, stays)
    assert gone.cancelled()
    assert disk.groups == [[1], [3]]


@asynchronous
async def test_closing_waits_for_what_was_begun_and_takes_no_more():
    disk = Disk()
    commit = GroupCommit(disk.write)
    disk.go_on.clear()
    waiting = asyncio.create_task(commit.append(row(1)))
    await others_go_on()
    closing = asyncio.create_task(commit.close())
    await others_go_on()
    assert not closing.done()
    with pytest.raises(StoreDown, match="closed"):
        await commit.append(row(2))
    disk.go_on.set()
    await closing
    await waiting
    assert disk.groups == [[1]]


def test_nobody_waits_for_ever_when_the_loop_is_torn_down():
    heard = []

    async def append(commit):
        try:
            await commit.append(row(1))
        except (StoreDown, asyncio.CancelledError) as error:
            heard.append(type(error))

    async def leave_early():
        disk = Disk()
        disk.go_on.clear()
        asyncio.get_running_loop().create_task(append(GroupCommit(disk.write)))
        await others_go_on()

    asyncio.run(asyncio.wait_for(leave_early(), 60))
    assert len(heard) == 1
