"""What was acknowledged survives the sudden end of the process that wrote it."""

import asyncio
import random

from astragal.table.store import open_store
from forking import forking
from table.store.appender import CAMPAIGNS, append_for_ever, text_of
from table.store.logs import found, said

KILLS = 16


def test_nothing_acknowledged_is_lost_when_the_process_is_killed(store_url):
    asyncio.run(_found_all(store_url))
    fork = forking()
    chance = random.Random(7)
    acknowledged = dict.fromkeys(CAMPAIGNS, 1)
    for _ in range(KILLS):
        ours, theirs = fork.Pipe(duplex=False)
        process = fork.Process(target=append_for_ever, args=(store_url, theirs))
        process.start()
        theirs.close()
        before = dict(acknowledged)
        _hear(ours, acknowledged, chance.randrange(1, 120))
        process.kill()
        _hear(ours, acknowledged, None)
        process.join()
        assert process.exitcode == -9
        assert acknowledged != before
        asyncio.run(_check(store_url, acknowledged))


def _hear(ours, acknowledged, count):
    """Take in what was acknowledged: so many, or all that is still in the pipe."""
    while count is None or count > 0:
        try:
            campaign, seq = ours.recv()
        except (EOFError, OSError):  # at the end, or amid a word
            assert count is None, "the process ended by itself"
            return
        assert seq == max(seq, acknowledged[campaign])
        acknowledged[campaign] = seq
        count = count and count - 1


async def _found_all(url):
    async with await open_store(url) as store:
        for campaign in CAMPAIGNS:
            await found(store, campaign)


async def _check(url, acknowledged):
    async with await open_store(url) as store:
        for campaign, last in acknowledged.items():
            known, log = None, []
            while known != (known := await store.known(campaign)):
                # The database may still finish the last statement of a process that is gone.
                log = await store.entries(campaign)
            assert [entry.seq for entry in log] == list(range(1, len(log) + 1))
            assert len(log) >= last
            assert known.last_seq == len(log)
            for entry in log[1:]:
                seq = entry.seq
                assert entry == said(seq, text_of(campaign, seq), f"mark {seq}")
