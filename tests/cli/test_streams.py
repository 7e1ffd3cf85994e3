"""The command line in odd surroundings: closed streams, other encodings, narrow screens."""

import os
import subprocess
import sys

import pytest

from table.stores import PATIENCE

TEST = ["test", "--rating", "B5", "--ob", "2", "--seed", "1"]


def shell(line: str, **surroundings: str):
    return subprocess.run(
        ["/bin/sh", "-c", line.replace("astragal", f"{sys.executable} -m astragal")],
        capture_output=True,
        timeout=PATIENCE,
        env={**os.environ, **surroundings},
    )


@pytest.mark.parametrize(
    ("line", "status"),
    [
        ("astragal test --rating B5 --ob 2 <&-", 0),
        ("astragal test --rating B5 --ob 2 --ask <&-", 2),
        ("astragal test --rating B5 --ob 2 --no-ask >&-", 0),
        ("astragal play nowhere.toml 2>&-", 2),
        ("printf '\\377\\376\\n' | astragal test --rating B5 --ob 2 --ask", 2),
    ],
)
def test_a_closed_or_garbled_stream_is_no_traceback(line, status):
    done = shell(line, PYTHONIOENCODING="utf-8:strict")
    assert done.returncode == status
    assert b"Traceback" not in done.stderr


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
def test_letters_that_the_terminal_lacks_are_replaced(encoding):
    done = shell(f"astragal {' '.join(TEST)} --no-ask", PYTHONIOENCODING=encoding)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"Chance of success: 81.2%" in done.stdout


def test_a_reader_who_has_seen_enough_is_no_fault():
    done = shell("(astragal rules readings --all --json; echo $? >&2) | head -n 1")
    assert done.stderr.strip() == b"0"


def test_nothing_but_json_goes_into_a_pipe_of_json():
    import json

    done = shell(f"yes '' | astragal {' '.join(TEST)} --failure x --ask --json")
    assert done.returncode == 0
    assert json.loads(done.stdout)["passed"] in (True, False)
    assert b"Enter to roll" in done.stderr


@pytest.mark.parametrize("columns", [40, 200])
def test_no_bar_is_longer_than_the_screen(columns):
    done = shell(f"astragal {' '.join(TEST)} --no-ask", COLUMNS=str(columns))
    lines = done.stdout.decode().splitlines()
    assert any(line.strip().startswith("3 ●") and line.endswith("31.2%") for line in lines)
    assert all(len(line) <= columns for line in lines)
