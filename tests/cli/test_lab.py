"""`astragal lab sparring`, and that many at once on a cluster come to the same as here."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from distributed import LocalCluster

from astragal.cli import main
from astragal.cli.many_runs import shares_of
from astragal.lab.trained_opponent import Habit

WYN, SIG = "forester_wyn", "poacher_sig"


def run(capsys, *arguments: str):
    status = main(["lab", *arguments])
    said = capsys.readouterr()
    return status, said.out, said.err


def test_what_a_partner_gives_away_is_counted_on_both_sides(capsys, monkeypatch):
    """Trained opponents win three of four as side 1, and every second one as side 2."""

    def trained(training):
        assert (training.partner.dial, training.samples) == (100, 16)
        assert (training.rehearsed, training.conflicts) == (3, 50)
        return Habit(("speed_close",) * 3, str(training.side))

    def worths(match):
        assert (match.game, match.seats, match.samples) == ("skirmish", (WYN, SIG), 16)
        habits = [each.habit and each.habit.temperament for each in match.players]
        assert habits in ([None, None], ["0", None], [None, "1"])
        one, other = match.players
        won = [1.0, 1.0, 1.0, 0.0] if one.habit else [0.5, 0.5, 1.0, 0.0]
        assert other.dial == 100
        return [won[int(seed.rpartition("/")[2]) % 4] for seed in match.seeds]

    monkeypatch.setattr("astragal.lab.trained_opponent.trained", trained)
    monkeypatch.setattr("astragal.lab.trained_opponent.worths", worths)
    given = ("sparring", "skirmish", WYN, SIG, "--runs", "40", "--samples", "16")
    given += ("--rehearsed", "3", "--training", "50")
    status, out, err = run(capsys, *given, "--processes", "1", "--json")
    assert (status, err) == (0, "")
    found = json.loads(out)
    assert found["worth"] == {"careless": 0.5, "trained": 0.75, "trained_as_other": 0.5}
    lost = found["given_away"]
    assert lost["counted"] == pytest.approx(0.25)
    assert lost["at_least"] == pytest.approx(0.25 - 1.645 * (7.5 / 39 / 40 + 5 / 39 / 40) ** 0.5)
    status, out, _ = run(capsys, *given, "--processes", "1")
    assert "forester_wyn, trained against it  75.0%" in out
    assert "at least 0.10 with 95% certainty" in " ".join(out.split())
    # From four against each nothing is sure: 1.645 standard errors are more than was counted.
    status, out, _ = run(capsys, *given, "--runs", "4", "--processes", "1")
    assert "+0.25 of a victory was counted, which may be luck" in " ".join(out.split())


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (("chess", WYN, SIG), "fight or skirmish"),
        (("skirmish", WYN, SIG, "--runs", "1"), "2 or more"),
        (("skirmish", WYN, SIG, "--rehearsed", "0"), "1 or more"),
        (("skirmish", WYN, SIG, "--training", "0"), "1 or more"),
        (("skirmish", WYN, SIG, "--spar", "101"), "merciless"),
        (("fight", "serjeant_hale", "nobody"), "a pre-made sheet"),
    ],
)
def test_what_cannot_be_played_is_refused_in_one_line(capsys, arguments, named):
    status, out, err = run(capsys, "sparring", *arguments)
    assert (status, out) == (2, "")
    assert named in err
    assert err.count("\n") == 1


# --- Many at once --------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def cluster() -> Iterator[str]:
    """The address of a Dask cluster of two workers."""
    with LocalCluster(
        n_workers=2, threads_per_worker=1, processes=False, dashboard_address=None
    ) as local:
        yield local.scheduler_address


@pytest.mark.parametrize(
    "command",
    [
        ("odds", "burning_wheel", "--ob", "2", "--sweep", "dice", "1..4", "--sweep", "ob", "1..3"),
        ("odds", "percentile", "--target", "40", "--sweep", "target", "10..13"),
        ("fight", "--auto", "3", "--seed", "5"),
        ("skirmish", "--auto", "5", "--policy", "bold", "--seed", "5"),
        ("duel", "--auto", "20", "--policy", "greedy", "--seed", "5"),
    ],
    ids=lambda command: " ".join(command[:2]),
)
def test_a_cluster_gives_the_same_as_one_process(capsys, cluster, command):
    found = []
    for where in (("--processes", "1"), ("--dask", cluster)):
        assert main([*command, *where, "--json"]) == 0
        summary = json.loads(capsys.readouterr().out)
        found.append({name: each for name, each in summary.items() if "per_second" not in name})
    assert found[0] == found[1]


def test_large_numbers_are_shared_out_by_seeds_and_not_by_processes():
    assert shares_of(2500, "x") == [(1000, "x"), (1000, "x/1000"), (500, "x/2000")]
    assert shares_of(3, None) == [(3, "astragal")]
    assert shares_of(7, "x", 5) == [(5, "x"), (2, "x/5")]


def test_processes_play_what_one_would_have_played(capsys, monkeypatch):
    monkeypatch.setattr(shares_of, "__defaults__", (2,))
    found = []
    for many in ("1", "2"):
        assert main(["skirmish", "--auto", "5", "--processes", many, "--json"]) == 0
        summary = json.loads(capsys.readouterr().out)
        assert summary["skirmishes"] == 5
        summary.pop("skirmishes_per_second")
        found.append(summary)
    assert found[0] == found[1]
