"""Optimistic append: whoever races, there is no hole, no duplicate, and one winner each."""

import asyncio
from collections import Counter
from itertools import count

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from astragal.table.store import AppendConflict, RepeatedCommand, open_store
from table.store.logs import AT, founding, said

_names = (f"c{number}" for number in count())

attempts = st.lists(
    st.tuples(
        st.integers(0, 1),  # which of the two stores
        st.integers(0, 6),  # the number that is tried
        st.sampled_from(["", "", "m1", "m2", "m3"]),
        st.integers(0, 3),  # how many turns of the loop to wait before
    ),
    max_size=40,
)


@pytest.fixture
def two_stores(store_url):
    """Two stores on one database, and the loop that they live in."""
    with asyncio.Runner() as runner:
        stores = [runner.run(open_store(store_url)) for _ in range(2)]
        yield runner.run, stores
        for store in stores:
            runner.run(store.close())


def test_a_log_is_what_a_list_would_be(two_stores):
    """One after the other, against a model: a list and a dictionary."""
    run, stores = two_stores

    @settings(max_examples=40)
    @given(attempts)
    def check(tries):
        name = next(_names)
        run(stores[0].create(name, "signs", "T", AT, [founding()]))
        model, marks = [founding()], {}
        for which, seq, mark, _ in tries:
            entry = said(seq, mark=mark)
            if mark in marks:
                expected = (RepeatedCommand, marks[mark])
            elif seq != len(model) + 1:
                expected = (AppendConflict, len(model))
            else:
                expected = None
                model.append(entry)
                if mark:
                    marks[mark] = seq
            try:
                run(stores[which].append(name, entry))
                happened = None
            except AppendConflict as refusal:
                happened = (AppendConflict, refusal.last)
            except RepeatedCommand as refusal:
                happened = (RepeatedCommand, refusal.seq)
            assert happened == expected
        assert run(stores[1].entries(name)) == model

    check()


def test_racing_appends_leave_one_winner_for_each_number(two_stores):
    run, stores = two_stores

    @settings(max_examples=40)
    @given(attempts)
    def check(tries):
        name = next(_names)
        run(stores[0].create(name, "signs", "T", AT, [founding()]))
        entries = [said(seq, f"try {n}", mark) for n, (_, seq, mark, _) in enumerate(tries)]

        async def attempt(entry, which, wait):
            for _ in range(wait):
                await asyncio.sleep(0)
            await stores[which].append(name, entry)

        async def race():
            racing = (
                attempt(entry, which, wait)
                for entry, (which, _, _, wait) in zip(entries, tries, strict=True)
            )
            return await asyncio.gather(*racing, return_exceptions=True)

        results = run(race())
        log = run(stores[0].entries(name))
        assert [entry.seq for entry in log] == list(range(1, len(log) + 1))
        winners = [e for e, result in zip(entries, results, strict=True) if result is None]
        assert sorted(winners, key=lambda entry: entry.seq) == log[1:]
        marked = {entry.mark: entry.seq for entry in log if entry.mark}
        assert len(marked) == sum(bool(entry.mark) for entry in log)
        for entry, result in zip(entries, results, strict=True):
            match result:
                case None:
                    pass
                case RepeatedCommand(seq=seq):
                    assert marked[entry.mark] == seq
                case _:
                    assert isinstance(result, AppendConflict)
        # Whoever was refused had been too late or too early, with nothing in between.
        assert len(log) == 1 or any(entry.seq == 2 for entry in entries)

    check()


def test_many_workers_who_try_again_all_get_in(two_stores):
    """As the table does it: on a conflict read on, and try the next number."""
    run, stores = two_stores
    run(stores[0].create("busy", "signs", "T", AT, [founding()]))

    async def worker(number):
        store = stores[number % 2]
        tries = 0
        for turn in range(10):
            seq = (await store.known("busy")).last_seq + 1
            while True:
                tries += 1
                try:
                    await store.append("busy", said(seq, f"{number}:{turn}", f"{number}:{turn}"))
                    break
                except AppendConflict as refused:
                    seq = refused.last + 1
        return tries

    async def race():
        return await asyncio.gather(*(worker(number) for number in range(12)))

    tries = run(race())
    log = run(stores[1].entries("busy", after=1))
    assert [entry.seq for entry in log] == list(range(2, 122))
    told = Counter(entry.event.text for entry in log)
    assert told == Counter(f"{worker}:{turn}" for worker in range(12) for turn in range(10))
    assert sum(tries) > 120  # they did get into each other's way


def test_a_command_sent_to_two_workers_at_once_is_carried_out_once(two_stores):
    run, stores = two_stores
    run(stores[0].create("twice", "signs", "T", AT, [founding()]))

    async def send(store, seq, mark):
        while True:
            try:
                await store.append("twice", said(seq, mark=mark))
                return seq
            except AppendConflict as refused:
                seq = refused.last + 1
            except RepeatedCommand as repeated:
                return repeated.seq

    async def both(mark):
        last = (await stores[0].known("twice")).last_seq
        return await asyncio.gather(*(send(store, last + 1, mark) for store in stores * 2))

    for number in range(20):
        answers = run(both(f"m{number}"))
        assert answers == [number + 2] * 4
    assert run(stores[0].known("twice")).last_seq == 21
