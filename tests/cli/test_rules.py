"""`astragal rules` as a person types it, and as a program reads it."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from astragal.cli import main

ASTRAGAL = [sys.executable, "-c", "import sys; from astragal.cli import main; sys.exit(main())"]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch):
    """Run a command at a width and return its status, output and complaints."""

    def run(*arguments: str, width: int = 80) -> tuple[int, str, str]:
        monkeypatch.setenv("COLUMNS", str(width))
        status = main(arguments)
        captured = capsys.readouterr()
        return status, captured.out, captured.err

    return run


@pytest.mark.parametrize(
    "words", [["let it ride"], ["let", "it", "ride"], ["search", "let", "it", "ride"]]
)
def test_words_are_searched_for(run, words):
    status, out, err = run("rules", *words)
    assert (status, err) == (0, "")
    assert out.startswith("tests.let_it_ride.one_roll  mechanic\n")
    assert out.count("\n\n") == 12
    assert "more; show them with --all" in out


def test_all_hits_are_shown_on_request(run):
    _, out, _ = run("rules", "let", "it", "ride", "--all")
    assert out.rstrip().endswith(" found")
    assert out.count("\n\n") > 12


def test_an_option_may_stand_before_the_words(run):
    status, out, _ = run("rules", "--json", "let", "it", "ride")
    answer = json.loads(out)
    assert status == 0
    assert answer["found"] > len(answer["hits"]) == 12
    assert answer["hits"][0]["id"] == "tests.let_it_ride.one_roll"


@pytest.mark.parametrize("width", [80, 120])
@pytest.mark.parametrize(
    "command",
    [
        ["let it ride"],
        ["show", "tests.advantage.one_die", "weapons.table.dof_general", "tests.ex.haggling"],
        ["readings"],
        ["chapters"],
    ],
)
def test_pages_keep_to_the_width_and_carry_no_codes(run, command, width):
    status, out, _ = run("rules", *command, width=width)
    assert status == 0
    assert max(map(len, out.splitlines())) <= width
    assert "\x1b" not in out
    assert not any(line.endswith(" ") for line in out.splitlines())


def test_a_rule_is_shown_with_its_examples(run):
    _, out, _ = run("rules", "show", "tests.advantage.one_die")
    assert out.startswith("tests.advantage.one_die  mechanic\n")
    assert "Testing Your Abilities" in out
    assert "gives +1D" in out
    assert "Examples\n  tests.ex.roof_shove" in out


def test_an_id_typed_as_words_is_opened(run):
    assert run("rules", "tests.ex.haggling") == run("rules", "show", "tests.ex.haggling")


def test_a_rule_is_shown_with_the_readings_that_touch_it(run):
    _, out, _ = run("rules", "show", "tests.versus.obstacle_penalty")
    assert "Readings\n  tests.amb.versus_disadvantage" in out


def test_what_a_rule_mentions_is_shown_as_related(run):
    _, out, _ = run("rules", "show", "tests.time.failure_give_up_early")
    assert "Related\n  tests.amb.time_and_failure  reading" in out
    assert "option tests_early_stop: body*, summary" in out


def test_a_table_is_drawn(run):
    _, out, _ = run("rules", "show", "tests.table.shade")
    assert "shade  letter  difficulty number  success faces" in out
    assert "gray   G                       3  3-6" in out


def test_an_example_is_shown_with_its_rules(run):
    _, out, _ = run("rules", "show", "tests.ex.haggling")
    assert "expect  Moqtada wins by one." in out
    assert "Related\n  tests.versus.when" in out


def test_a_reading_is_shown_with_its_option(run):
    _, out, _ = run("rules", "show", "tests.amb.time_and_failure")
    assert "option   tests_early_stop" in out
    assert "default  body" in out
    assert "choices  body, summary" in out


def test_a_reading_without_option_has_no_such_lines(run):
    _, out, _ = run("rules", "show", "tests.amb.versus_margin")
    assert "reading  Margin of victory" in out
    assert "option" not in out


def test_an_entry_as_json(run):
    entry = json.loads(run("rules", "show", "tests.advantage.one_die", "--json")[1])
    assert (entry["is"], entry["kind"], entry["chapter"]) == ("rule", "mechanic", "tests")
    assert [example["id"] for example in entry["examples"]] == ["tests.ex.roof_shove"]
    two = json.loads(run("rules", "show", "tests.table.shade", "tests.ex.haggling", "--json")[1])
    assert [entry["is"] for entry in two] == ["table", "example"]
    assert two[0]["rows"][1] == ["gray", "G", 3, "3-6"]


def test_the_options_are_listed_with_default_and_choices(run):
    _, out, _ = run("rules", "readings")
    assert "tests_early_stop: body*, summary\n" in out
    assert "edition: revised*, gold\n" in out
    assert out.rstrip().endswith("131 options; the default is marked *")


def test_the_options_of_one_chapter_or_game(run):
    assert "5 options" in run("rules", "readings", "--chapter", "artha")[1]
    assert "7 options" in run("rules", "readings", "--game", "signs")[1]
    assert "0 options" in run("rules", "readings", "--game", "signs", "--chapter", "artha")[1]


def test_readings_without_a_choice_are_listed_on_request(run):
    _, out, _ = run("rules", "readings", "--chapter", "tests", "--all")
    assert "tests.amb.versus_margin  reading" in out
    assert "4 options, 36 readings without a choice" in out


def test_readings_as_json(run):
    answer = json.loads(run("rules", "readings", "--game", "signs", "--all", "--json")[1])
    assert [len(answer["options"]), len(answer["fixed"])] == [7, 11]
    assert answer["options"][0]["rule"].startswith("signs.amb.")


def test_the_chapters_are_counted(run):
    _, out, _ = run("rules", "chapters")
    assert "26 chapters" in out
    assert "2634     238       318       905      130" in out
    records = json.loads(run("rules", "chapters", "--json")[1])
    assert records[0]["chapter"] == "tests"
    assert sum(record["rules"] for record in records) == 2634


@pytest.mark.parametrize(
    ("command", "complaint"),
    [
        ("show test.advantage.one_die", "nearest: tests.advantage.one_die"),
        ("shw tests.advantage.one_die", "to open an entry, use astragal rules show ID"),
        ("obstakle", "'obstakle' is not in the rules (nearest: obstacle"),
        ("xyzzyqq", "'xyzzyqq' is not in the rules.\n"),
        ("shipwright epiphany", "try fewer"),
        ("readings --chapter steal", "did you mean steel?"),
        ("readings --game chess", "one of burning_wheel, cores, percentile, signs"),
        ("show", "Try: astragal rules show --help"),
        ("--bogus", "No such option: --bogus"),
    ],
)
def test_what_does_not_fit_gets_one_line_and_status_two(run, command, complaint):
    status, out, err = run("rules", *command.split())
    assert (status, out) == (2, "")
    assert err.startswith("astragal: ")
    assert err.count("\n") == 1
    assert complaint in err


def test_an_unknown_command_gets_one_line_and_status_two(run):
    status, out, err = run("ruls")
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert "rules" in err


@pytest.mark.parametrize("arguments", [[], ["--help"]])
def test_help_names_the_commands(run, arguments):
    status, out, _ = run(*arguments)
    assert status == 0
    assert "rules" in out


@pytest.mark.parametrize("arguments", [["rules"], ["rules", "--help"]])
def test_help_of_the_group(run, arguments):
    status, out, _ = run(*arguments)
    assert status == 0
    assert all(name in out for name in ("search", "show", "readings", "chapters"))


def test_an_interruption_ends_with_its_status(run, monkeypatch):
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("astragal.cli.rules.catalogue", interrupted)
    assert run("rules", "chapters")[0] == 130


def test_help_reads_no_chapter():
    audit = (
        "import sys\n"
        "opened = []\n"
        "sys.addaudithook(lambda e, a: opened.append(str(a[0])) if e == 'open' else None)\n"
        "from astragal.cli import main\n"
        "main(['--help'])\n"
        "assert not [name for name in opened if name.endswith('.toml')], opened\n"
    )
    subprocess.run([sys.executable, "-c", audit], check=True, capture_output=True)


def test_a_reader_who_leaves_early_is_no_error():
    with subprocess.Popen(
        [*ASTRAGAL, "rules", "readings", "--all"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "COLUMNS": "80"},
    ) as process:
        assert process.stdout
        assert process.stderr
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
