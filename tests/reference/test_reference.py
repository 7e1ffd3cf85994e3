"""The reference of the procedures: complete, current, and true to what is played."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from astragal.cli import main
from astragal.dice import Seeded
from astragal.games import Game, games
from astragal.games.burning_wheel.conflicts.duel_of_wits.duel import DuelOfWits
from astragal.games.burning_wheel.tests.tests import StandardTest
from astragal.games.reference import (
    ProcedureReference,
    QuestionReference,
    answers_in_words,
    default_in_words,
    in_plain_words,
    reference_of,
    references,
    said_of,
)
from astragal.games.signs.helping import OfferHelp
from reference.collecting import is_meant
from reference.pages import pages, path_of
from test_examples import SCENARIOS, scenario

ROOT = Path(__file__).parents[2]
every_game = pytest.mark.parametrize("game", games().values(), ids=lambda game: game.name)


def shown(name: str, game: str = "burning_wheel") -> ProcedureReference:
    return reference_of(games()[game], games()[game].procedures[name])


@pytest.mark.slow
def test_the_pages_are_what_the_code_says():
    """After a change of the code, make reference writes them again."""
    for path, text in pages().items():
        kept = (ROOT / path).read_text(encoding="utf-8")
        assert kept == text, f"{path} is not current: make reference"


@pytest.mark.slow
def test_no_page_is_left_of_a_chapter_that_is_gone():
    kept = {
        str(path.relative_to(ROOT))
        for pattern in ("docs/*/reference.md", "docs/*/reference/*.md")
        for path in ROOT.glob(pattern)
    }
    assert kept <= set(pages())


@every_game
def test_the_page_of_the_game_leads_to_every_page_of_its_reference(game: Game):
    page = (ROOT / "docs" / f"{game.name}.md").read_text(encoding="utf-8")
    for chapter in {each.chapter for each in references(game)}:
        assert f"]({path_of(game.name, chapter).removeprefix('docs/')})" in page, chapter


@every_game
def test_every_argument_says_what_it_means(game: Game):
    silent = {
        f"{each.name}.{argument.name}"
        for each in references(game)
        for argument in each.arguments
        if not argument.meaning
    }
    assert silent == set()


@pytest.mark.slow
@every_game
def test_descriptions_are_whole_sentences_without_the_rules_behind_them(game: Game):
    for each in references(game):
        for text in (each.about, each.arguments_about, each.outcome_about):
            assert re.match(r"$|.*[.!?]$", text), f"{each.name} breaks off: {text}"
            assert not re.search(r"\. [a-z]|[,;:] ?[.,;:]", text), f"{each.name}: {text}"
            assert text.count("(") == text.count(")"), f"{each.name}: {text}"
            assert not re.search(r"[a-z]\w*\.\w+", text), f"{each.name} cites a rule: {text}"


@pytest.mark.slow
@every_game
def test_arguments_are_those_that_the_procedure_takes(game: Game):
    for name, procedure in game.procedures.items():
        listed = [each.name for each in reference_of(game, procedure).arguments]
        top = [each for each in listed if "." not in each]
        assert top == list(procedure.arguments.__struct_fields__), name


@pytest.mark.slow
def test_the_fields_of_outcomes_are_those_that_scenarios_come_to():
    seen = set()
    for path in SCENARIOS:
        the_scenario = scenario(path)
        game = the_scenario.game
        for result in the_scenario.play(Seeded(path.stem)):
            if result.refusal is None:
                name = result.script.procedure
                seen.add((game.name, name))
                check_outcome(shown(name, game.name), game.write(result.outcome))
    every = {(game.name, name) for game in games().values() for name in game.procedures}
    assert every - seen <= {("burning_wheel", "ask_for_test")}  # its scenario is about refusals


def check_outcome(procedure: ProcedureReference, written: dict[str, object]) -> None:
    listed = {each.name: each.type for each in procedure.outcome if "." not in each.name}
    assert set(written) == set(listed), procedure.name
    for name, value in written.items():
        words = listed[name]
        if words.startswith("one of"):
            assert value is None or f"`{value}`" in words, (procedure.name, name, value)
        elif value is None:
            assert words.endswith("or none"), (procedure.name, name)
        elif isinstance(value, list | tuple):
            assert words.startswith("list"), (procedure.name, name)
        else:
            assert words.startswith("yes or no") == isinstance(value, bool), (procedure.name, name)


QUESTIONS_OF_A_TEST = (
    "task_says_how",
    "how",
    "roots",
    "root",
    "fits",
    "ability",
    "at_stake",
    "conditions_changed",
    "obstacle",
    "on_success",
    "on_failure",
    "deadly",
    "death",
    "time",
    "portions",
    "disadvantages",
    "lift_instructions",
    "advantage",
    "grant_advantage",
    "gm_advantage",
    "forks",
    "allow_forks",
    "help",
    "help_how",
    "accept_help",
    "allow_help",
    "careful_allowed",
    "carefully",
    "divine_inspiration",
    "boon",
    "after_roll",
    "allocate",
    "failure",
    "time_complication",
    "focus",
    "time_lost",
    "stop_early",
    "helpers_share",
    "log_as",
)


def test_the_questions_of_a_test_are_those_of_the_page_about_tests():
    """The page was written by hand, in the order of the book."""
    page = (ROOT / "docs" / "burning_wheel.md").read_text(encoding="utf-8")
    table = page.partition("## The questions of a test")[2].partition("\n## ")[0]
    rows = [line.split("|")[1:3] for line in table.splitlines() if line.startswith("| `")]
    by_hand = [(key, who) for keys, who in rows for key in re.findall(r"`(\w+)`", keys)]
    standard = {each.key: each for each in shown("standard_test").questions}
    versus = {each.key: each for each in shown("versus_test").questions}
    assert {key for key, _ in by_hand} <= {*standard, *versus}
    assert set(QUESTIONS_OF_A_TEST) <= set(standard)
    for key, who in by_hand:
        if who.strip() == "GM":
            assert (standard.get(key) or versus[key]).seats == ("GM",), key
    before_the_roll = QUESTIONS_OF_A_TEST[: QUESTIONS_OF_A_TEST.index("after_roll")]
    order = list(standard)
    places = [order.index(key) for key in before_the_roll if key not in ("lift_instructions",)]
    assert places == sorted(places)


def test_a_question_says_who_answers_what_and_by_which_rule():
    (obstacle,) = [each for each in shown("standard_test").questions if each.key == "obstacle"]
    assert obstacle.seats == ("GM",)
    assert obstacle.rules == ("tests.obstacle.gm_assigns",)
    assert (answers_in_words(obstacle), default_in_words(obstacle)) == ("number", "needed")
    (at_stake,) = [each for each in shown("standard_test").questions if each.key == "at_stake"]
    assert answers_in_words(at_stake) == "one of `roll`, `say_yes`, `not_now`"
    assert default_in_words(at_stake) == "`roll`"
    votes = [each.key for each in shown("scenario_votes").questions]
    assert {"workhorse_1", "mvp_2", "mvp_agreed"} <= set(votes)


def test_a_key_that_only_play_completes_has_a_mark():
    (nominate,) = [each for each in shown("trait_vote").questions if "nominate" in each.key]
    assert nominate.key == "nominate_…"
    assert is_meant(nominate, "nominate_mara")
    assert not is_meant(nominate, "nominate_")
    assert not is_meant(nominate, "lose_mara")


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"defaults": (True,)}, "yes"),
        ({"defaults": ("",)}, "empty"),
        ({"defaults": ((),)}, "none"),
        ({"defaults": ("a", "b")}, "`a` or `b`"),
        ({"defaults": ("a", "b", "c")}, "depends"),
        ({"defaults": ("a",), "default_varies": True}, "`a` or depends"),
        ({"can_lack_default": True}, "needed"),
        ({"defaults": (1,), "can_lack_default": True}, "1, else needed"),
    ],
)
def test_defaults_are_said_in_words(fields, words):
    assert default_in_words(QuestionReference("k", "c", "text", ("GM",), **fields)) == words


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("helpers", "the characters asked for help"),
        ("gear", "what is used"),
        ("instructions", "what is used"),
        ("target", "the character it is done to, if any"),
        ("intent", ""),
    ],
)
def test_what_a_type_says_of_a_field_is_found_in_its_description(name, words):
    assert said_of(StandardTest, name) == words


def test_what_a_type_says_of_a_field_reads_as_a_meaning():
    assert said_of(DuelOfWits, "from_fight") == "whether it interrupts a fight"
    assert said_of(OfferHelp, "tag") == "", "only our own types describe their fields"


def test_where_rules_were_cited_whole_sentences_are_left():
    cited = "Light it. steel.amb.zero_dice: with a flame, steel.attribute.meaning."
    assert in_plain_words(cited) == "Light it. With a flame."


def test_a_field_of_an_outcome_can_mean_something_else_in_one_type():
    meanings = {field.name: field.meaning for field in shown("grayscale").outcome}
    assert meanings["wounds[].dice"] == "the dice it costs"
    assert {field.name: field.meaning for field in shown("standard_test").outcome}["dice"] == (
        "the dice rolled"
    )


# --- The command -----------------------------------------------------------------------------


def told(capsys, *arguments: str) -> tuple[int, str, str]:
    status = main(["procedures", *arguments])
    said = capsys.readouterr()
    return status, said.out, said.err


@pytest.mark.slow
def test_the_command_lists_every_procedure(capsys):
    status, out, _ = told(capsys)
    assert status == 0
    for game in games().values():
        assert all(f" {name} " in out for name in game.procedures)


def test_the_command_lists_one_game(capsys):
    status, out, _ = told(capsys, "signs")
    assert status == 0
    assert "group_test" in out
    assert "standard_test" not in out


def test_the_command_shows_a_procedure_with_all_its_questions(capsys, monkeypatch):
    for width in ("80", "160"):
        monkeypatch.setenv("COLUMNS", width)
        status, out, _ = told(capsys, "show", "standard_test")
        assert status == 0
        assert all(len(line) <= int(width) for line in out.splitlines())
        for each in shown("standard_test").questions:
            assert re.search(rf"^  {each.key}\b", out, re.M), each.key
        assert "helpers" in out
        assert "tests.obstacle.gm_assigns" in out


def test_a_name_of_several_games_is_shown_for_each_or_for_one(capsys):
    _, out, _ = told(capsys, "show", "end_scene")
    assert out.count("end_scene  ") == 3
    _, out, _ = told(capsys, "show", "end_scene", "--game", "signs")
    assert out.count("end_scene  ") == 1


def test_a_name_that_is_wrong_is_one_line_with_the_nearest(capsys):
    status, _, err = told(capsys, "show", "standrd_test")
    assert status == 2
    assert err.startswith("astragal: There is no procedure 'standrd_test'; nearest: standard_test")
    assert err.count("\n") == 1
