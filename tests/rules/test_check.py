"""A catalogue with faults is refused, and all its faults are named together."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from astragal.errors import BadInput
from astragal.rules import Catalogue, faults

HEADER = """
system  = "solitaire"
chapter = "sample"
title   = "A sample"
seed    = "book"
lines   = "1-9"
"""
RULE = """
[[rule]]
id    = "sample.deal.seven"
kind  = "mechanic"
lines = "1"
text  = "Deal seven."
"""

CODED = """
[[table]]
id = "sample.table.ways"
lines = "1"
columns = ["way", "way_code"]
rows = [["to the top", "up"]]
codes.way_code.up = "upwards"
"""


def write(home: Path, text: str, name: str = "sample.toml") -> Catalogue:
    folder = home / "solitaire"
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(text, encoding="utf-8")
    return Catalogue(home)


def test_a_sound_catalogue_has_no_faults(tmp_path: Path):
    assert faults(write(tmp_path, HEADER + RULE + CODED)) == []


@pytest.mark.parametrize(
    ("entry", "complaint"),
    [
        (RULE, "occurs 2 times"),
        (RULE.replace("deal.seven", "deal.eight") + 'colour = "red"\n', "unknown field `colour`"),
        (RULE.replace("sample.deal", "elsewhere.deal"), "ids here are sample.word.word"),
        (RULE.replace(".deal.seven", ".deal"), "ids here are sample.word.word"),
        (RULE.replace('id    = "sample.deal.seven"', ""), "without id"),
        (RULE.replace("seven", "eight").replace("mechanic", "hunch"), "'hunch'"),
        (RULE.replace("seven", "eight").replace("Deal eight", "See below"), "names no entry"),
        (
            RULE.replace("deal.seven", "deal.eight").replace("Deal", "See sample.deal.nine"),
            "mentions sample.deal.nine",
        ),
        (
            RULE.replace("deal.seven", "deal.eight").replace("Deal", "Like sample.fold.*"),
            r"mentions sample.fold.\*",
        ),
        (
            '[[table]]\nid = "sample.table.a"\nlines = "1"\ncolumns = ["a", "b"]\n'
            "rows = [[1, 2], [3]]",
            r"rows \[2\] are not as long as the 2 columns",
        ),
        (
            '[[table]]\nid = "sample.table.a"\nlines = "1"\ncolumns = ["a", "a"]\nrows = []',
            "two columns of one name",
        ),
        (
            CODED.replace('"up"]', '"sideways"]'),
            "way_code has codes that are not listed: sideways",
        ),
        (
            CODED + 'codes.way_code.down = "downwards"\n',
            "way_code lists codes that no row has: down",
        ),
        (CODED.replace("codes.way_code", "codes.road_code"), "codes for road_code, which is not"),
        (
            '[[example]]\nid = "sample.ex.a"\nrules = ["sample.deal.nine"]\nlines = "1"\n'
            'given = "g"\nrolls = "r"\nexpect = "e"',
            "cites sample.deal.nine",
        ),
        (
            '[[ambiguity]]\nid = "sample.amb.a"\nlines = "1"\nissue = "i"\nreading = "r"\n'
            'question = "q"\noption = "o"\ndefault = "x"\nchoices = ["y", "z"]',
            "default 'x' is not among",
        ),
        (
            '[[ambiguity]]\nid = "sample.amb.a"\nlines = "1"\nissue = "i"\nreading = "r"\n'
            'option = "o"',
            "belong together",
        ),
        (
            '[[ambiguity]]\nid = "sample.amb.a"\nlines = "1"\nissue = "i"\nreading = "r"\n'
            'question = "q"\noption = "o"\ndefault = "x"\nchoices = ["x", "x"]',
            "two or more different",
        ),
        ('[[verse]]\nid = "sample.verse.a"', "one of the sections"),
        ('[[rule]]\nid = "sample.deal.ten"\nlines 1', "a rule: "),
    ],
)
def test_each_fault_is_named(tmp_path: Path, entry: str, complaint: str):
    found = faults(write(tmp_path, HEADER + RULE + entry))
    assert len(found) == 1
    assert re.search(complaint, found[0])


def test_faults_of_several_kinds_come_together(tmp_path: Path):
    twice = '\n[[ambiguity]]\nid = "sample.amb.{}"\nlines = "1"\nissue = "i"\nreading = "r"\n'
    twice += 'question = "q"\noption = "o"\ndefault = "x"\nchoices = ["x", "y"]\n'
    crooked = '\n[[table]]\nid = "sample.table.a"\nlines = "1"\ncolumns = ["a"]\nrows = [[]]\n'
    text = HEADER + RULE + RULE + twice.format("a") + twice.format("b") + crooked
    assert faults(write(tmp_path, text)) == [
        "sample.deal.seven: occurs 2 times",
        "sample.amb.b: option o is also that of sample.amb.a",
        "sample.table.a: a table: rows [1] are not as long as the 1 columns",
    ]


def test_a_chapter_with_faulty_ids_cannot_be_used(tmp_path: Path):
    with pytest.raises(BadInput, match="occurs 2 times"):
        write(tmp_path, HEADER + RULE + RULE).rule("sample.deal.seven")


def test_a_faulty_entry_cannot_be_used(tmp_path: Path):
    with pytest.raises(BadInput, match="unknown field `colour`"):
        write(tmp_path, HEADER + RULE + 'colour = "red"').rule("sample.deal.seven")


@pytest.mark.parametrize(
    ("header", "complaint"),
    [
        (HEADER + 'mood = "gay"', "unknown field `mood`"),
        (HEADER.replace('title   = "A sample"', ""), "missing required field `title`"),
        (HEADER.replace("solitaire", "whist"), "the system 'solitaire'"),
    ],
)
def test_a_faulty_header_is_refused(tmp_path: Path, header: str, complaint: str):
    with pytest.raises(BadInput, match=complaint):
        faults(write(tmp_path, header + RULE))


def test_two_chapters_of_one_name_are_refused(tmp_path: Path):
    write(tmp_path, HEADER + RULE)
    with pytest.raises(BadInput, match="occurs once"):
        faults(write(tmp_path, HEADER + RULE, "again.toml"))
