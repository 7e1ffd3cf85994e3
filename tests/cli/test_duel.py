"""`astragal duel`: at one keyboard with the scripts hidden, and many duels by policies."""

from __future__ import annotations

import io
import json
import re

import pytest
from rich.console import Console

from astragal.cli import main
from astragal.cli.duel import for_sides
from astragal.cli.one_keyboard import SharedKeyboard
from astragal.play import Ask, Script, Text

YSMAY, DUNN = "advocate_ysmay", "harbourmaster_dunn"
SAID = (
    "--about", "the dues", "--ability", "Rhetoric", "--body", "big_deal", "--seed", "7",
    "--answer", "case=it is just", "--answer", "terms_wins=it is done",
    "--answer", "terms_loses=it is not", "--answer", "forks=[]",
)  # fmt: skip
SCRIPTS = (
    "--answer", f"{YSMAY}/script=['point', 'point', 'point']",
    "--answer", "gm/script=['avoid', 'feint', 'feint']",
)  # fmt: skip


def run(capsys, *arguments: str):
    status = main(["duel", *arguments])
    said = capsys.readouterr()
    return status, said.out, said.err


def test_a_duel_without_questions_tells_the_debates_bones(capsys):
    status, out, err = run(
        capsys, YSMAY, DUNN, *SAID, *SCRIPTS, "--no-ask", "--onlooker", "The crowd"
    )
    assert (status, err) == (0, "")
    plain = " ".join(out.split())  # however wide the terminal is
    assert plain.index("states the case: it is just") < plain.index(
        "Body of Argument: 10 = 5 Will + 5 Rhetoric"
    )
    assert plain.index("Exchange 1.") < plain.index(
        "Volley 1. Ysmay: Point; Harbourmaster Dunn: Avoid the Topic."
    )
    assert plain.index("Volley 2.") < plain.index("Volley 3.")
    assert re.search(
        r"\w+ loses \d\. Bodies of Argument: Ysmay \d+, Harbourmaster Dunn -?\d+\.", plain
    )
    shown = plain.index("Volley 1.")
    assert shown < plain.index("Avoid the Topic subtracts successes from Ysmay's Point")
    assert "Ysmay convinces The crowd" in plain
    end = r"Ysmay wins the duel with 10 of 10 left; Harbourmaster Dunn ends at -?\d+ of 10\. "
    assert re.search(end + r"Terms: it is done\. Ysmay owes no concession\.", plain)
    assert "script" not in out  # nobody's script is ever printed


def test_the_two_ready_sheets_are_there_if_none_is_named(capsys):
    status, out, _ = run(capsys, *SAID, *SCRIPTS, "--no-ask", "--json")
    assert status == 0
    assert json.loads(out)["sides"] == [YSMAY, DUNN]


def test_what_is_left_open_is_asked_and_no_script_shows_before_its_volley(capsys, monkeypatch):
    typed = [
        "", "",  # both accept the duel
        "", "",  # and the terms
        "point, dismiss, obfuscate", "feint, rebuttal, incite",
    ]  # fmt: skip
    monkeypatch.setattr("sys.stdin", io.StringIO("\n".join(typed)))
    given = ("--answer", "boon=0", "--answer", "speech=words", "--answer", "after_roll=nothing")
    status, out, err = run(capsys, *SAID, *given, "--ask")
    shown = out.index("Volley 1.")
    between = out[out.rindex("cards in order", 0, shown) : shown]
    assert "Incite" not in between
    assert "Obfuscate" not in between
    assert "Volley 1. Ysmay: Point; Harbourmaster Dunn: Feint." in out
    assert (status, "an answer from" in err) == (2, True)  # the paper has run out


def test_on_a_terminal_the_screen_is_cleared_before_and_after_a_script(monkeypatch):
    screen = io.StringIO()
    console = Console(file=screen, force_terminal=True, width=80)
    cards = Script(cards=(), slots=1)
    monkeypatch.setattr("sys.stdin", io.StringIO("\n"))

    def terminal(ask):
        screen.write(f"<{ask.key}>")
        return ("point",)

    keyboard = SharedKeyboard(console, terminal, for_players=for_sides)
    secret = Ask("ann", "script", "Script!", cards, "r", secret=True)
    assert keyboard(secret) == ("point",)
    wiped, own, back = "\x1b[2J", "\x1b[?1049h", "\x1b[?1049l"
    written = screen.getvalue()
    places = [written.index(own), written.index("only ann may look"), written.index("<script>")]
    places += [written.rindex(wiped), written.index(back)]
    assert places == sorted(places)
    before = screen.tell()
    keyboard(Ask("ann", "speech", "Speak!", Text(required=True), "r"))
    assert wiped not in screen.getvalue()[before:]


def test_the_gms_questions_are_asked_only_if_wanted():
    asked = []
    console = Console(file=io.StringIO())
    question = Ask("gm", "disadvantages", "?", Text(default=""), "r")
    SharedKeyboard(console, asked.append, for_players=for_sides)(question)
    assert asked == []
    SharedKeyboard(console, asked.append, for_players=for_sides, every=True)(question)
    assert asked == [question]


def test_helpers_and_readings_may_be_named(capsys):
    status, out, _ = run(
        capsys, *SAID, *SCRIPTS, "--no-ask", "--helper", "1:mara",
        "--answer", f"mara/speak_up={YSMAY}",
        "--answer", "mara/help=Persuasion", "--option", "duel_of_wits_obfuscate_tie=victim",
    )  # fmt: skip
    assert status == 0
    assert "+ 1 help: Persuasion B4" in out


# --- By policies -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "policies", [(), ("random", "greedy"), ("point,rebuttal,dismiss", "point,point,point")]
)
def test_policies_play_many_duels_and_the_summary_adds_up(capsys, policies):
    named = [part for text in policies for part in ("--policy", text)]
    status, out, _ = run(capsys, "--auto", "60", *named, "--json", "--seed", "3")
    assert status == 0
    summary = json.loads(out)
    assert sum(summary["wins"].values()) == summary["duels"] == 60
    assert sum(summary["concessions"].values()) == 60
    assert summary["volleys"] >= summary["exchanges"] >= 1


def test_the_same_seed_gives_the_same_duels(capsys):
    runs = [json.loads(run(capsys, "--auto", "40", "--json", "--seed", "5")[1]) for _ in range(2)]
    assert runs[0]["wins"] == runs[1]["wins"]
    assert runs[0]["volleys"] == runs[1]["volleys"]


def test_what_is_assumed_of_a_sheet_with_few_numbers_is_said(capsys):
    status, _, err = run(capsys, "captain_orrin", DUNN, "--auto", "2")
    assert (status, err) == (0, "Captain Orrin has no Steel: played with stats and Steel of 4.\n")


def test_a_better_speaker_wins_more_often(capsys, tmp_path):
    strong = tmp_path / "strong.toml"
    strong.write_text(
        'name = "Strong"\nstats.Will = "B6"\nattributes.Steel = "B5"\nskills.Oratory = "B8"\n',
        encoding="utf-8",
    )
    weak = tmp_path / "weak.toml"
    weak.write_text(
        'name = "Weak"\nstats.Will = "B3"\nattributes.Steel = "B5"\nskills.Oratory = "B3"\n',
        encoding="utf-8",
    )
    points = ("--policy", "point,point,point") * 2
    status, out, _ = run(
        capsys, str(strong), str(weak), "--auto", "100", *points, "--body", "big_deal", "--json"
    )
    assert status == 0
    assert json.loads(out)["wins"]["strong"] > 90


def test_the_summary_is_a_page(capsys):
    status, out, _ = run(capsys, "--auto", "20", "--policy", "point,point,point")
    assert status == 0
    assert re.search(r"Ysmay +point,point,point +\d+", out)
    assert "nobody (a tie)" in out
    assert "duels, " in out


# --- What does not fit -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["mara"], "sheets"),
        (["mara", "tam", "captain_orrin"], "two sheets"),
        (["nobody", "tam"], "a pre-made sheet"),
        ([*SAID, "--no-ask"], "a script"),
        ([*SAID, *SCRIPTS, "--no-ask", "--answer", "nonsense=1"], "a question of this duel"),
        (["--auto", "-1"], "1 or more"),
        (["--auto", "5", "--policy", "clever"], "random, greedy"),
        (["--auto", "5", "--policy", "point,shout,point"], "one of avoid"),
        (["--auto", "5", "--policy", "point,point"], "3 actions"),
        (["--policy", "random"], "--auto"),
        (["--helper", "mara"], "1:SHEET"),
        (["--ability", "Falsehood", "--no-ask"], "secondary_list"),
        (["--auto", "5", "--body", "huge"], "one of standard"),
    ],
)
def test_refusals_are_one_line(capsys, arguments, message):
    status, _, err = run(capsys, *arguments)
    assert status == 2
    assert err.count("\n") == 1
    assert message in err
