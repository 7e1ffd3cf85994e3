"""`astragal skirmish`: at one keyboard with the scripts hidden, and many of them by policies."""

from __future__ import annotations

import io
import json

import pytest

from astragal.cli import main

WYN, SIG = "forester_wyn", "poacher_sig"
STAY = "['speed_maintain','speed_maintain','speed_maintain']"
SCRIPTS = (
    "--answer", f"{WYN}/script=['perception_maintain','stealthy_withdraw','speed_maintain']",
    "--answer", f"{SIG}/script={STAY}",
    "--answer", f"{WYN}/script#2=['give_up','give_up','give_up']",
    "--answer", f"{SIG}/script#2={STAY}",
    "--answer", "shoot=hold", "--answer", "tie_shot=duck",
)  # fmt: skip


def run(capsys, *arguments: str):
    status = main(["skirmish", *arguments])
    said = capsys.readouterr()
    return status, said.out, said.err


def test_a_skirmish_without_questions_tells_what_happens(capsys):
    status, out, err = run(
        capsys, WYN, SIG, "--seed", "7", "--start", "extreme/optimal", *SCRIPTS, "--no-ask"
    )
    assert (status, err) == (0, "")
    plain = " ".join(out.split())  # however wide the terminal is
    shown = "Volley 1. Forester Wyn: Perception Maintain; Poacher Sig: Speed Maintain."
    assert plain.index("Exchange 1.") < plain.index(shown)
    assert "script" not in out  # nobody's script is ever printed


def test_the_two_ready_sheets_are_there_if_none_is_named(capsys):
    given = ("--start", "extreme/optimal", "--seed", "7", "--no-ask", "--json")
    status, out, _ = run(capsys, *SCRIPTS, *given)
    assert status == 0
    outcome = json.loads(out)
    assert [each["character"] for each in outcome["skirmishers"]] == [WYN, SIG]


def test_what_is_left_open_is_asked_and_no_script_shows_before_its_volley(capsys, monkeypatch):
    typed = [
        "speed_maintain, steel_close, stealthy_close",
        "speed_maintain, steel_withdraw, speed_close",
    ]
    monkeypatch.setattr("sys.stdin", io.StringIO("\n".join(typed)))
    given = ("--start", "extreme/optimal", "--answer", "boon=0", "--answer", "after_roll=nothing",
             "--answer", "shoot=hold", "--answer", "tie_shot=duck",
             "--answer", "cover_dice=0")  # fmt: skip
    status, out, err = run(capsys, "--seed", "7", *given, "--ask")
    shown = out.index("Volley 1.")
    between = out[out.rindex("cards in order", 0, shown) : shown].casefold()
    assert "steel" not in between
    assert status in (0, 2)
    assert "Traceback" not in err


def test_the_program_plays_the_other_side_the_same_by_its_seed(capsys):
    spar = ("--spar", "100", "--temperament", "wary", "--samples", "16", "--seed", "7")
    said = [answer for answer in SCRIPTS[1:10:2] if SIG not in answer]
    mine = [part for answer in said for part in ("--answer", answer)]
    place = ("--start", "extreme/optimal")
    told = [run(capsys, WYN, SIG, *place, *spar, *mine, "--no-ask") for _ in range(2)]
    assert told[0] == told[1]
    status, out, err = told[0]
    assert (status, err) == (0, "")
    assert "Volley 1. Forester Wyn: Perception Maintain; Poacher Sig: " in " ".join(out.split())


def test_many_skirmishes_by_policies_are_counted(capsys):
    status, out, _ = run(
        capsys, "--auto", "12", "--policy", "bold", "--policy", "wary", "--json", "--seed", "2"
    )
    assert status == 0
    summary = json.loads(out)
    assert sum(summary["wins"]) + summary["nobody"] == 12 == sum(summary["settled"].values())
    again = json.loads(
        run(
            capsys, "--auto", "12", "--policy", "bold", "--policy", "wary", "--json", "--seed", "2"
        )[1]
    )
    assert {**again, "skirmishes_per_second": 0} == {**summary, "skirmishes_per_second": 0}
    words = run(
        capsys, "--auto", "3", "--policy", "random", "--policy", ",".join(["speed_maintain"] * 3)
    )
    assert "3 skirmishes" in words[1]


def test_sides_of_several_with_cover_and_defences(capsys):
    status, out, _ = run(
        capsys, "--side", f"{WYN},{WYN}", "--side", SIG, "--cover", "dense", "--cover", "open",
        "--fortification", "0", "--fortification", "4", "--weapon", f"{SIG}=nothing",
        "--auto", "2", "--json", "--seed", "2",
    )  # fmt: skip
    assert status == 0
    assert [*json.loads(out)["skirmishers"]] == [WYN, f"{WYN}_2", SIG]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((WYN,), "two sheets, one for each side"),
        (("--auto", "-1"), "1 or more"),
        (("--auto", "1", "--policy", "sleepy"), "steady, bold, wary, random"),
        (("--auto", "1", "--policy", "a,b,c"), "one of speed_close"),
        (("--policy", "bold"), "no policy without --auto"),
        (("--weapon", "tam=rock"), "one of forester_wyn, poacher_sig"),
        (("--cover", "open", "--cover", "open", "--cover", "open"), "at most one for each side"),
        (("--start", "near/far"), "out_of_range/extreme"),
    ],
)
def test_bad_input_is_one_clear_line(capsys, arguments, words):
    status, _, err = run(capsys, *arguments, "--no-ask")
    assert status == 2
    assert words in " ".join(err.split())
    assert "Traceback" not in err
