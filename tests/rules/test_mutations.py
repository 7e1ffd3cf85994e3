"""The mutants of a rule: each is a change of the code that cites it, and still a program."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from rules.mutations import File, changes, mutants_of

SOURCE = '''
LIMIT = 3
"""The most (sample.limit)."""


def judge(hand, table):
    """Judge a hand (sample.judge)."""
    if hand.total > LIMIT and not hand.marked:
        raise NotAllowed("too many", "sample.refusal")
    yield from tell(Noted("judged", "sample.judge"))
    yield from table.amend("hand", hand, because="sample.effect")
    return Line(hand.total, f"of {LIMIT + 1}", "sample.line")
'''


@pytest.fixture
def path(tmp_path: Path) -> str:
    (tmp_path / "sample.py").write_text(SOURCE, encoding="utf-8")
    return str(tmp_path / "sample.py")


def line_of(text: str) -> int:
    return SOURCE[: SOURCE.index(text)].count("\n") + 1


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        ("sample.limit", {("3", "4")}),
        (
            "sample.effect",
            {('yield from table.amend("hand", hand, because="sample.effect")', "pass")},
        ),
        ("sample.line", {("hand.total", "(hand.total) + 1")}),
        (
            "sample.refusal",
            {
                ("hand.total > LIMIT", "((hand.total) >= LIMIT)"),
                ("hand.total > LIMIT and not hand.marked", "((hand.total > LIMIT))"),
                ("hand.total > LIMIT and not hand.marked", "((not hand.marked))"),
                (
                    "hand.total > LIMIT and not hand.marked",
                    "(not (hand.total > LIMIT and not hand.marked))",
                ),
                ("hand.total > LIMIT and not hand.marked", "False"),
                ("not hand.marked", "bool(hand.marked)"),
            },
        ),
    ],
)
def test_what_is_changed_is_where_the_rule_is_cited(
    path: str, rule: str, expected: set[tuple[str, str]]
):
    found = mutants_of(rule, [(path, line_of(rule))])
    assert {(mutant.old, mutant.new) for mutant in found} == expected


def test_a_citation_of_the_whole_function_is_for_all_of_it(path: str):
    found = mutants_of("sample.judge", [(path, line_of("Judge a hand"))])
    assert {"False", "pass", "(hand.total) + 1"} <= {mutant.new for mutant in found}


def test_what_is_only_said_stays_as_it_is(path: str):
    found = mutants_of("sample.judge", [(path, line_of("Judge a hand"))])
    assert not any("tell" in mutant.old or mutant.old == "1" for mutant in found)


def test_every_mutant_is_another_program(path: str):
    file = File(Path(path))
    found = mutants_of("sample.judge", [(path, line_of("Judge a hand"))])
    assert found
    for mutant in found:
        changed = mutant.applied_to(file.text)
        assert ast.dump(ast.parse(changed)) != ast.dump(file.tree), mutant


def test_the_editions_are_exchanged(tmp_path: Path):
    (tmp_path / "sample.py").write_text("most = by_edition(revised=1, gold=2)\n", encoding="utf-8")
    file = File(tmp_path / "sample.py")
    found = [new for node in ast.walk(file.tree) for _, _, new in changes(file, node)]
    assert "by_edition(revised=2, gold=1)" in found
