"""`astragal lab sparring`: what a partner gives away, by opponents who are trained against it."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import pytest

from astragal.cli import main

WYN, SIG = "forester_wyn", "poacher_sig"


def run(capsys, *arguments: str):
    status = main(["lab", *arguments])
    said = capsys.readouterr()
    return status, said.out, said.err


def test_what_a_partner_gives_away_is_counted_on_both_sides(capsys, monkeypatch):
    """Trained opponents win three of four as side 1, and every second one as side 2."""

    def worths(match):
        assert (match.game, match.seats, match.samples) == ("skirmish", (WYN, SIG), 16)
        one, other = match.players
        won = [1.0, 1.0, 1.0, 0.0] if one.is_trained else [0.5, 0.5, 1.0, 0.0]
        assert not (one.is_trained and other.is_trained)
        return [won[int(seed.rpartition("/")[2]) % 4] for seed in match.seeds]

    @contextmanager
    def threads(processes, dask):
        assert (processes, dask) == (3, "")
        with ThreadPoolExecutor(2) as pool:
            yield pool

    monkeypatch.setattr("astragal.lab.trained_opponent.worths", worths)
    monkeypatch.setattr("astragal.lab.workers.executor", threads)
    given = ("sparring", "skirmish", WYN, SIG, "--runs", "40", "--samples", "16")
    status, out, err = run(capsys, *given, "--processes", "3", "--json")
    assert (status, err) == (0, "")
    found = json.loads(out)
    assert found["worth"] == {"careless": 0.5, "trained": 0.75, "trained_as_other": 0.5}
    lost = found["given_away"]
    assert lost["counted"] == pytest.approx(0.25)
    assert lost["at_least"] == pytest.approx(0.25 - 1.645 * (7.5 / 39 / 40 + 5 / 39 / 40) ** 0.5)
    status, out, _ = run(capsys, *given, "--processes", "3")
    assert "forester_wyn, trained against it  75.0%" in out
    assert "at least 0.10 with 95% certainty" in " ".join(out.split())


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (("chess", WYN, SIG), "fight or skirmish"),
        (("skirmish", WYN, SIG, "--runs", "1"), "2 or more"),
        (("skirmish", WYN, SIG, "--spar", "101"), "merciless"),
        (("fight", "serjeant_hale", "nobody"), "a pre-made sheet"),
    ],
)
def test_what_cannot_be_played_is_refused_in_one_line(capsys, arguments, named):
    status, out, err = run(capsys, "sparring", *arguments)
    assert (status, out) == (2, "")
    assert named in err
    assert err.count("\n") == 1
