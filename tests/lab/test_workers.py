"""The same work on processes and on a Dask cluster: in order, with progress, and cancelled."""

from __future__ import annotations

from concurrent.futures import Executor, Future
from operator import neg, truediv

import pytest

from astragal.errors import BadInput, Refusal
from astragal.lab.workers import executor, in_order


class Lazily(Executor):
    """Does nothing until it is asked for the result, and remembers what was cancelled."""

    def __init__(self) -> None:
        self.futures: list[Future] = []

    def submit(self, work, /, *given):
        future = Future()
        self.futures.append(future)
        if len(self.futures) == 1:
            future.set_exception(ZeroDivisionError())
        return future


@pytest.mark.slow
def test_results_come_in_the_order_of_the_items_with_progress():
    heard: list[tuple[int, int]] = []
    with executor(2) as on:
        results = in_order(on, neg, range(5), lambda *far: heard.append(far))
    assert results == [0, -1, -2, -3, -4]
    assert heard == [(done, 5) for done in range(1, 6)]


def test_after_a_failure_nothing_more_is_begun():
    lazily = Lazily()
    with pytest.raises(ZeroDivisionError):
        in_order(lazily, truediv, range(4))
    assert [future.cancelled() for future in lazily.futures[1:]] == [True] * 3


@pytest.mark.slow
def test_on_a_dask_cluster_of_two_workers():
    from distributed import LocalCluster  # takes long to import

    with (
        LocalCluster(
            n_workers=2, threads_per_worker=1, processes=False, dashboard_address=None
        ) as cluster,
        executor(dask=cluster.scheduler_address) as on,
    ):
        assert in_order(on, neg, range(6)) == [0, -1, -2, -3, -4, -5]


def test_what_is_no_cluster_or_number_is_refused(monkeypatch):
    with pytest.raises(BadInput, match="--processes"), executor(-1):
        pass
    monkeypatch.setattr("astragal.lab.workers.find_spec", lambda name: None)
    with pytest.raises(Refusal, match="distributed"), executor(dask="tcp://127.0.0.1:1"):
        pass
