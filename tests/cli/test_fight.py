"""`astragal fight`: at one keyboard with the scripts hidden, and many fights by policies."""

from __future__ import annotations

import io
import json
import re
from itertools import product

import pytest

from astragal.cli import main
from astragal.cli.sides import often_wanted
from astragal.play import GM, Ask, Text

HALE, KETIL = "serjeant_hale", "ketil_the_loud"
FIRST = (
    "--answer", f"{HALE}/script=['maintain','strike','block','maintain','block','close','strike']",
    "--answer", f"{KETIL}/script=['close','strike','avoid','maintain','push','close','strike']",
)  # fmt: skip
SCRIPTS = (
    *FIRST,
    "--answer", f"{HALE}/script#2=['stay','give_up','block','stay','block','stay','block']",
    "--answer", f"{KETIL}/script#2=['stay','avoid','avoid','stay','avoid','stay','avoid']",
)  # fmt: skip


def run(capsys, *arguments: str):
    status = main(["fight", *arguments])
    said = capsys.readouterr()
    return status, said.out, said.err


def test_a_fight_without_questions_tells_what_happens(capsys):
    status, out, err = run(capsys, HALE, KETIL, "--seed", "7", *SCRIPTS, "--no-ask")
    assert (status, err) == (0, "")
    plain = " ".join(out.split())  # however wide the terminal is
    shown = (
        "Volley 1. Serjeant Hale: Maintain; Strike, Block; Ketil the Loud: Close; Strike, Avoid."
    )
    assert plain.index("Exchange 1.") < plain.index(shown) < plain.index("Volley 2.")
    assert plain.index("Volley 3.") < plain.index("Exchange 2.")
    assert "Serjeant Hale gives up." in plain
    assert plain.endswith("The fight is over: Ketil the Loud won. Serjeant Hale: gave up.")
    assert "script" not in out  # nobody's script is ever printed


def test_the_two_ready_sheets_are_there_if_none_is_named(capsys):
    status, out, _ = run(capsys, *SCRIPTS, "--seed", "7", "--no-ask", "--json")
    assert status == 0
    outcome = json.loads(out)
    assert [each["character"] for each in outcome["fighters"]] == [HALE, KETIL]
    assert (outcome["settled"], outcome["winner"]) == ("gave_up", 1)


def test_what_is_left_open_is_asked_and_no_script_shows_before_its_volley(capsys, monkeypatch):
    typed = [
        "maintain, strike, block, maintain, counterstrike, maintain, strike",
        "maintain, feint, avoid, maintain, beat_and_bind, maintain, push",
    ]
    monkeypatch.setattr("sys.stdin", io.StringIO("\n".join(typed)))
    given = ("--answer", "starting_distance=optimal", "--answer", "boon=0",
             "--answer", "after_roll=nothing", "--answer", "bids_and_forfeits=play_on")  # fmt: skip
    status, out, err = run(capsys, "--seed", "7", *given, "--ask")
    shown = out.index("Volley 1.")
    between = out[out.rindex("cards in order", 0, shown) : shown].casefold()
    assert not [card for card in ("counterstrike", "beat", "push", "feint") if card in between]
    line = " ".join(out[shown:].split())
    assert line.startswith("Volley 1. Serjeant Hale: Maintain; Strike, Block; Ketil")
    assert (status, "an answer from" in err) == (2, True)  # the paper has run out


def test_only_the_players_questions_that_are_often_wanted_are_asked():
    def asked(seat, kind):
        return often_wanted(Ask(seat, "speech", "?", Text(default=""), "r", kind=kind))

    assert asked("ann", "offered")
    assert asked("ann", "needed")
    assert not asked("ann", "aside")
    assert not asked(GM, "offered")


def test_sides_of_several_fighters_with_other_weapons(capsys):
    status, out, _ = run(
        capsys, "--side", f"{HALE},{HALE}", "--side", f"{KETIL},mara",
        "--weapon", f"{KETIL}=dagger", "--auto", "2", "--json", "--seed", "2",
    )  # fmt: skip
    assert status == 0
    summary = json.loads(out)
    assert [*summary["fighters"]] == [HALE, f"{HALE}_2", KETIL, "mara"]
    assert sum(summary["wins"]) + summary["nobody"] == 2


# --- By policies -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "policies",
    [
        (),
        ("careful", "sly"),
        ("random", "close,strike,block,maintain,counterstrike,maintain,strike"),
    ],
)
def test_policies_play_many_fights_and_the_summary_adds_up(capsys, policies):
    named = [part for text in policies for part in ("--policy", text)]
    status, out, _ = run(capsys, "--auto", "6", *named, "--json", "--seed", "1")
    assert status == 0
    summary = json.loads(out)
    assert sum(summary["wins"]) + summary["nobody"] == summary["fights"] == 6
    assert sum(summary["settled"].values()) == 6
    assert all(sum(fate.values()) == 6 for fate in summary["fighters"].values())
    assert summary["volleys"] >= summary["exchanges"] >= 1


def test_what_is_assumed_of_a_sheet_with_few_numbers_is_said(capsys):
    status, out, err = run(capsys, "captain_orrin", KETIL, "--auto", "2", "--json")
    assert status == 0
    assert err == (
        "Captain Orrin has no Speed, no Power, no Agility, no Reflexes, no Steel: "
        "played with stats and Steel of 4.\n"
    )
    assert json.loads(out)["fights"] == 2


def test_the_same_seed_gives_the_same_fights(capsys):
    runs = [json.loads(run(capsys, "--auto", "5", "--json", "--seed", "5")[1]) for _ in range(2)]
    assert runs[0]["fighters"] == runs[1]["fighters"]
    assert runs[0]["volleys"] == runs[1]["volleys"]


def test_a_better_fighter_wins_more_often(capsys, tmp_path):
    def write(name, skill, power):
        stats = "\n".join(
            f'{stat} = "B4"' for stat in ("Will", "Perception", "Agility", "Speed", "Forte")
        )
        path = tmp_path / f"{name}.toml"
        path.write_text(
            f'name = "{name}"\ntolerances = ["B3", "B5", "B6", "B7", "B8", "B9"]\n'
            f'weapons = [{{ weapon = "sword" }}]\n[stats]\n{stats}\nPower = "B{power}"\n'
            f'[attributes]\nSteel = "B5"\nReflexes = "B4"\nHealth = "B4"\n'
            f'[skills]\nSword = "B{skill}"\n',
            encoding="utf-8",
        )
        return str(path)

    strong, weak = write("strong", 7, 6), write("weak", 2, 3)
    status, out, _ = run(capsys, strong, weak, "--auto", "25", "--json", "--seed", "1")
    assert status == 0
    won, lost = json.loads(out)["wins"]
    assert won > 3 * max(1, lost)


def test_the_summary_is_a_page(capsys):
    status, out, _ = run(capsys, "--auto", "4", "--policy", "careful")
    assert status == 0
    assert re.search(r"Serjeant Hale +careful +\d+", out)
    assert re.search(r"Ketil the Loud +fierce +\d+", out)
    assert "4 fights, " in out


# --- Against the program -----------------------------------------------------------------------

GIVES_UP = ("--answer", f"{HALE}/script#2=['stay','give_up','block','stay','block','stay','block']")


def test_the_program_plays_the_other_side_the_same_by_its_seed(capsys):
    spar = ("--spar", "100", "--samples", "16", "--seed", "8", *FIRST[:2], *GIVES_UP, "--no-ask")
    told = [run(capsys, HALE, KETIL, *spar) for _ in range(2)]
    assert told[0] == told[1]
    status, out, err = told[0]
    assert (status, err) == (0, "")
    plain = " ".join(out.split())
    assert "Volley 1. Serjeant Hale: Maintain; Strike, Block; Ketil the Loud: " in plain
    assert plain.endswith("Ketil the Loud won. Serjeant Hale: gave up.")


def test_a_careless_partner_follows_its_temperament(capsys):
    spar = ("--spar", "0", "--temperament", "fierce", "--seed", "7", *FIRST[:2], *GIVES_UP)
    _, out, _ = run(capsys, HALE, KETIL, *spar, "--no-ask", "--json")
    assert json.loads(out)["winner"] == 1


# --- In the saddle ---------------------------------------------------------------------------

ALDWIN, ILUN = "sir_aldwin", "ilun_of_the_steppe"


def test_a_knight_rides_into_a_fight_and_positions_with_the_horse(capsys):
    scripts = (
        f"{ALDWIN}/script=['close','great_strike_set','strike','withdraw','block','maintain','block']",
        f"{KETIL}/script=['stay','give_up','block','stay','block','stay','block']",
    )
    answers = [part for script in scripts for part in ("--answer", script)]
    mounted = ("--mount", f"{ALDWIN}=destrier")
    status, out, err = run(capsys, ALDWIN, KETIL, *mounted, *answers, "--seed", "3", "--no-ask")
    assert (status, err) == (0, "")
    plain = " ".join(out.split())
    assert "Sir Aldwin rides Bayard." in plain
    # Bayard's Speed 5, with the die for a multiplier of x8 and one for the lance.
    pool = "Bayard, first positioning, rolls 7D = 5 Speed + 1 Speed multiplier x8 + 1 longest"
    assert pool in plain
    assert plain.endswith("Ketil the Loud: gave up.")


def test_the_two_ready_riders_fight_each_other_by_policies(capsys):
    mounts = ("--mount", f"{ALDWIN}=destrier", "--mount", f"{ILUN}=riding_horse")
    status, out, _ = run(capsys, ALDWIN, ILUN, *mounts, "--auto", "3", "--seed", "1", "--json")
    assert status == 0
    summary = json.loads(out)
    assert summary["fights"] == 3
    assert {ALDWIN, ILUN, "destrier", "riding_horse"} == set(summary["fighters"])


# --- What does not fit -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([HALE], "two sheets"),
        ([HALE, KETIL, "mara"], "two sheets"),
        ([HALE, KETIL, "--side", "mara"], "either two sheets"),
        (["--side", HALE], "two sides"),
        (["nobody", KETIL], "a pre-made sheet"),
        (["--no-ask"], "a script"),
        ([*SCRIPTS, "--seed", "7", "--no-ask", "--answer", "nonsense=1"], "of this fight"),
        (["--auto", "-1"], "1 or more"),
        (["--auto", "5", "--policy", "brave"], "fierce, careful, sly, random"),
        (["--auto", "5", "--policy", "close,strike"], "cards"),
        (["--auto", "5", *("--policy", "sly") * 3], "at most one for each side"),
        (["--policy", "random"], "--auto"),
        (["--weapon", "mara=dagger"], "one of serjeant_hale"),
        (["--weapon", f"{HALE}=halberd", "--auto", "1"], "a weapon that Serjeant Hale has"),
        (["--ground", "lava", "--auto", "1"], "ground[0]"),
        (["--ambush", "mara", "--auto", "1"], "ambushers[0]"),
        (["--spar", "101"], "0 (careless) to 100 (merciless)"),
        (["--spar", "50", "--temperament", "brave"], "fierce, careful, sly, any"),
        (["--spar", "50", "--samples", "0"], "--samples: found 0, expected 1 or more"),
        (["--spar", "50", "--think", "0"], "more than 0 seconds"),
        (["--mount", "mara=destrier", "--auto", "1"], "--mount: found 'mara', expected one of"),
        (["--mount", HALE, "--auto", "1"], "--mount"),
        (["--mount", f"{HALE}=nobody", "--auto", "1"], "a pre-made sheet"),
        (["--mount", f"{HALE}=captain_orrin", "--auto", "1"], "mount.Speed"),
    ],
)
def test_refusals_are_one_line(capsys, arguments, message):
    status, _, err = run(capsys, *arguments)
    assert status == 2
    assert err.count("\n") == 1
    assert message in err


# --- The odds of one action against another --------------------------------------------------


def chance_of_more(mine: int, theirs: int, by: int) -> float:
    """How often so many dice have that many more successes than the others, counted one by one."""
    cases = hits = 0
    for one in product((0, 1), repeat=mine):
        for other in product((0, 1), repeat=theirs):
            cases += 1
            hits += sum(one) - sum(other) >= by
    return hits / cases


def test_every_action_against_one_of_the_others(capsys):
    status, out, _ = run(capsys, HALE, KETIL, "--against", "block", "--json")
    assert status == 0
    odds = json.loads(out)
    # Sword B5 against Ob 1, and against a Block with Axe B5.
    assert odds["strike"]["hits"] == pytest.approx(chance_of_more(5, 5, by=1))
    assert odds["feint"]["hits"] == pytest.approx(1 - 0.5**5)
    assert odds["great_strike"]["hits"] == pytest.approx(1 - 0.5**5), "no Block stops it"
    assert odds["strike"]["is hit"] == odds["block"]["hits"] == 0


def test_one_action_at_a_distance_and_in_a_stance(capsys):
    given = ("--against", "strike", "--action", "block", "--at", "lunging")
    _, plain, _ = run(capsys, KETIL, HALE, *given, "--json")
    _, defensive, _ = run(capsys, KETIL, HALE, *given, "--stance", "defensive", "--json")
    axe = 5
    for out, dice in ((plain, axe), (defensive, axe + 2)):
        (odds,) = json.loads(out).values()
        # The sword is as long as the axe, so that it is lunging, too: Ob 2.
        assert odds["is hit"] == pytest.approx(chance_of_more(5, dice, by=2))
    _, out, _ = run(capsys, KETIL, HALE, *given)
    assert "Ketil the Loud against Serjeant Hale's Strike, at lunging distance" in out


@pytest.mark.parametrize(
    ("given", "named"),
    [
        (("--against", "dance"), "dance"),
        (("--against", "block", "--at", "far"), "outside, lunging, optimal, inside"),
        (("--against", "block", "--stance", "wild"), "wild"),
        (("--side", f"{HALE},{HALE}", "--side", KETIL, "--against", "block"), "two fighters"),
    ],
)
def test_odds_that_cannot_be_worked_out_are_refused_in_one_line(capsys, given, named):
    status, out, err = run(capsys, *given)
    assert (status, out) == (2, "")
    assert named in err
    assert err.count("\n") == 1
