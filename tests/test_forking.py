"""Processes that are forked have read everything in, and nothing of how that was done."""

import multiprocessing
import os
import sys
from multiprocessing.connection import Connection

import pytest

from forking import PATH_BEFORE, forking


def tell(said: Connection) -> None:
    said.send(("preloaded" in sys.modules, os.environ.get("PYTHONPATH"), PATH_BEFORE in os.environ))


@pytest.mark.slow
def test_a_forked_process_has_read_everything_in_and_the_same_path():
    heard, said = multiprocessing.Pipe(duplex=False)
    process = forking().Process(target=tell, args=(said,))
    process.start()
    assert heard.recv() == (True, os.environ.get("PYTHONPATH"), False)
    process.join()
