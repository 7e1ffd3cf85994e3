"""Counting citations: what counts as one, and what does not."""

from __future__ import annotations

from pathlib import Path

import pytest

from astragal.errors import BadInput
from astragal.rules import Catalogue
from rules.coverage import Coverage
from rules.report import table

CATALOGUE = """
system  = "solitaire"
chapter = "sample"
title   = "A sample"
seed    = "book"
lines   = "1-9"

[[rule]]
id    = "sample.deal.seven"
kind  = "mechanic"
lines = "1"
text  = "Deal seven."

[[rule]]
id    = "sample.deal.open"
kind  = "data"
lines = "1"
text  = "The last lies open."

[[rule]]
id    = "sample.deal.again"
kind  = "mechanic"
lines = "1"
text  = "See sample.deal.seven."

[[rule]]
id    = "sample.deal.gently"
kind  = "guidance"
lines = "1"
text  = "Deal gently."

[[example]]
id     = "sample.ex.seven"
rules  = ["sample.deal.seven"]
lines  = "1"
given  = "A pack."
rolls  = "none"
expect = "Seven."

[[ambiguity]]
id      = "sample.amb.empty"
lines   = "1"
issue   = "An empty place?"
reading = "Any card."
question = "Which card?"
option  = "sample_empty"
default = "any"
choices = ["any", "king"]
"""
CODE = '''
"""Deals cards."""
LAST = "open"  # sample.deal.open
PROCEDURES = (Procedure("deal", "Deal", Deal, deal),)
def deal(arguments, table):
    """Deals seven: sample.deal.seven."""
    return LAST, options["sample_empty"]
'''
TEST = """
import pytest
pytestmark = [pytest.mark.rules("sample.deal.seven")]
@pytest.mark.parametrize("x", [pytest.param(1, marks=pytest.mark.rules("sample.deal.open"))])
def test_it(x): deal(sample_empty="king")
"""
SCENARIO = """
example = "sample.ex.seven"
rules = ["sample.deal.seven"]
[options]
sample_empty = "any"
[[step]]
rules = ["sample.deal.open"]
"""


def tree(home: Path, files: dict[str, str]) -> Coverage:
    for name, text in {"catalogue/solitaire/sample.toml": CATALOGUE, **files}.items():
        path = home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return Coverage(home, Catalogue(home / "catalogue"))


GAME = "src/astragal/games/solitaire.py"
COMPLETE = {GAME: CODE, "tests/games/test_a.py": TEST, "tests/examples/a.toml": SCENARIO}


def test_nothing_done(tmp_path: Path):
    chapter = tree(tmp_path, {}).chapter("sample")
    assert chapter.rules == ("sample.deal.seven", "sample.deal.open")
    assert chapter.pending_rules == chapter.not_in_code == chapter.not_in_tests == chapter.rules
    assert chapter.not_replayed == ("sample.ex.seven",)
    assert chapter.not_tried == ("sample_empty", "sample_empty=any", "sample_empty=king")
    assert chapter.options_tried == 0
    assert len(chapter.missing()) == 8


def test_all_done(tmp_path: Path):
    chapter = tree(tmp_path, COMPLETE).chapter("sample")
    assert chapter.missing() == []
    assert chapter.is_complete
    assert chapter.options_tried == 1


@pytest.mark.parametrize(
    ("file", "old", "new", "missing"),
    [
        (GAME, "# sample.deal.open", "", "sample.deal.open: not cited by the code"),
        (
            GAME,
            "# sample.deal.open",
            "; sample.deal.open",
            "sample.deal.open: not cited by the code",
        ),
        (GAME, "# sample.deal.open", "# my.sample.deal.open", "sample.deal.open: not cited"),
        (GAME, '"sample_empty"', '"other"', "sample_empty: the games do not read this option"),
        ("tests/games/test_a.py", '"king"', '"queen"', "sample_empty=king: no test"),
        ("tests/games/test_a.py", "sample_empty=", "other=", "sample_empty=king: no test"),
        ("tests/examples/a.toml", "example = ", "like = ", "sample.ex.seven: no scenario"),
        ("tests/examples/a.toml", '"any"', '"king"', "sample_empty=any: no test"),
    ],
)
def test_one_thing_missing(tmp_path: Path, file: str, old: str, new: str, missing: str):
    changed = {**COMPLETE, file: COMPLETE[file].replace(old, new)}
    found = tree(tmp_path, changed).chapter("sample").missing()
    assert len(found) == 1
    assert found[0].startswith(missing)


def test_a_mark_or_a_scenario_cites_for_the_tests_and_a_comment_does_not(tmp_path: Path):
    marks = {**COMPLETE, "tests/examples/a.toml": SCENARIO.replace("rules", "about")}
    assert tree(tmp_path / "a", marks).chapter("sample").is_complete
    scenario = {**COMPLETE, "tests/games/test_a.py": TEST.replace("mark.rules", "mark.about")}
    assert tree(tmp_path / "b", scenario).chapter("sample").is_complete
    neither = {**marks, "tests/games/test_a.py": "# sample.deal.seven\nf(sample_empty='king')"}
    assert tree(tmp_path / "c", neither).chapter("sample").not_in_tests == (
        "sample.deal.seven",
        "sample.deal.open",
    )


@pytest.mark.parametrize(
    ("code", "why"),
    [
        (CODE.replace("Deal, deal)", "Deal, fold)"), "is used by no procedure or page"),
        (
            CODE.replace("Deals seven: sample.deal.seven", "Deals seven").replace(
                "Deals cards", "Deals: sample.deal.seven"
            ),
            "describes a module or class",
        ),
    ],
)
def test_a_citation_counts_where_the_code_is_used_and_does_something(
    tmp_path: Path, code: str, why: str
):
    missing = tree(tmp_path, {**COMPLETE, GAME: code}).chapter("sample").missing()
    seven = [line for line in missing if line.startswith("sample.deal.seven: not cited")]
    assert len(seven) == 1
    assert why in seven[0]


def test_a_rule_of_structure_may_be_cited_by_a_description(tmp_path: Path):
    described = CODE.replace("Deals seven: sample.deal.seven", "Deals seven").replace(
        "Deals cards", "Deals: sample.deal.seven"
    )
    listed = {"tests/rules/structural.toml": '[rules]\n"sample.deal.seven" = "the pack itself"\n'}
    found = tree(tmp_path, {**COMPLETE, **listed, GAME: described})
    assert found.chapter("sample").is_complete


def test_the_catalogue_package_does_not_cite_itself(tmp_path: Path):
    elsewhere = {"src/astragal/rules/solitaire.py": CODE}
    assert tree(tmp_path, elsewhere).in_code == set()


def test_tests_that_play_no_game_try_no_option(tmp_path: Path):
    moved = {**COMPLETE, "tests/rules/test_a.py": COMPLETE["tests/games/test_a.py"]}
    del moved["tests/games/test_a.py"]
    assert tree(tmp_path, moved).chapter("sample").not_tried == ("sample_empty=king",)


def test_dead_links_are_named_with_file_and_line(tmp_path: Path):
    dead = {
        GAME: '"""One.\n\nsample.deal.six\n"""\nsample.deal.code\n',
        "tests/examples/a.toml": '\nrules = ["sample.ex.nine"]\n',
        "docs/rules.md": "See sample.deal.* and sample.fold.* here.\n",
        "README.md": "sample.deal.seven\n",
    }
    assert tree(tmp_path, dead).dead_links() == [
        f"{GAME}:3: sample.deal.six is not in the catalogue",
        "tests/examples/a.toml:2: sample.ex.nine is not in the catalogue",
        "docs/rules.md:1: sample.fold.* is not in the catalogue",
    ]


def test_ids_filled_in_later_and_places_on_a_sheet_are_not_dead(tmp_path: Path):
    written = {
        GAME: """rule = f"sample.deal.{word}"\nother = f"sample.fold.flat_{word}"\n""",
        "tests/examples/a.toml": 'path = "sample.0.text"\n',
    }
    assert tree(tmp_path, written).dead_links() == [
        f"{GAME}:2: sample.fold.flat_* is not in the catalogue",
    ]


def test_the_report_marks_what_is_done(tmp_path: Path):
    done = tree(tmp_path / "done", COMPLETE).chapters()
    assert "1/1      1/1  done\n" in table(done)
    undone = tree(tmp_path / "undone", {}).chapters()
    assert "INCOMPLETE" in table(undone)
    assert "0 of 1 chapters done" in table(undone)


def test_an_unknown_chapter_is_refused():
    with pytest.raises(BadInput, match="did you mean steel"):
        Coverage().chapter("steal")
