"""Do the tests notice a rule that is slightly wrong? One mutant for each of some rules.

    python tests/rules/mutants.py --seed 7 --count 20
    python tests/rules/mutants.py --rule injury.bleed.cumulative

It draws rules of the chapters that are done and changes one thing where the code cites each (see
mutations.py), in a copy of the source. Then the tests run: those that are marked with the rule, its
scenarios, the tests in the same folders, and at last those of the game. A mutant that none of them
notices shows that a test is missing, or changes nothing that matters: a reader has to decide that.
The same seed always draws the same rules and mutants, as long as the code stays the same.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

if __name__ == "__main__":  # run as a script, when pytest has not put tests on the path
    sys.path[0] = str(Path(__file__).parents[1])

import pytest

from rules.coverage import ROOT, Coverage, ids_in_scenario, ids_marked
from rules.mutations import Mutant, mutants_of

ONLY_RULE = "ASTRAGAL_ONLY_RULE"
NARROW, WIDE = 240, 1200
"""Seconds for the tests of a rule and for those of a game; what takes longer is noticed."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """As a plugin of pytest: keep only the tests that are marked with one rule."""
    if rule := os.environ.get(ONLY_RULE):
        items[:] = [
            item for item in items if any(rule in mark.args for mark in item.iter_markers("rules"))
        ]


class Judge:
    """Runs the tests on a copy of the source, with a mutant in it."""

    def __init__(self, copy: Path, coverage: Coverage) -> None:
        self.copy, self.tests, self.book = copy, ROOT / "tests", coverage.book
        shutil.copytree(ROOT / "src", copy / "src")
        self.marked = {path: set(ids_marked(path)) for path in self.tests.rglob("test_*.py")}
        paths = sorted((self.tests / "examples").rglob("*.toml"))
        self.replayed = {
            path: set(ids_in_scenario(raw))
            for path, raw in zip(paths, coverage.scenarios, strict=True)
        }

    def noticed_by(self, mutant: Mutant) -> str | None:
        """Which tests notice a mutant: those of its rule run first, those of its game last."""
        source = (ROOT / mutant.path).read_text(encoding="utf-8")
        path = self.copy / mutant.path
        path.write_text(mutant.applied_to(source), encoding="utf-8")
        try:
            return next((stage for stage, fails in self.stages(mutant) if fails), None)
        finally:
            shutil.copy2(ROOT / mutant.path, path)

    def stages(self, mutant: Mutant) -> Iterator[tuple[str, bool]]:
        """Run one set of tests after the other: its name, and whether one of them fails."""
        rule = self.book.rule(mutant.rule)
        game = self.book.chapter(rule.chapter).system
        mirrored = self.tests / Path(mutant.path).relative_to("src/astragal").parent
        own = [path for path, ids in self.marked.items() if rule.id in ids]
        played = [path.stem for path, ids in self.replayed.items() if rule.id in ids]
        examples = self.tests / "test_examples.py"
        if own:
            yield "its tests", self.fails(own, NARROW, only=rule.id)
        if played:
            yield "its scenarios", self.fails([examples, "-k", " or ".join(played)], NARROW)
        folders = {mirrored, *(path.parent for path in own)}
        if beside := sorted(path for path in folders if path.exists()):
            yield "the tests beside them", self.fails(beside, NARROW)
        yield "its game", self.fails([self.tests / "games" / game], WIDE)
        yield "all scenarios", self.fails([examples, "-k", game], WIDE)

    def fails(self, what: Sequence[Path | str], seconds: int, only: str = "") -> bool:
        """Whether a test fails, or none comes to an end."""
        command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider"]
        path = os.pathsep.join((str(self.copy / "src"), str(self.tests)))
        try:
            done = subprocess.run(
                [*command, "-p", "rules.mutants", *map(str, what)],
                cwd=ROOT,
                env={**os.environ, "PYTHONPATH": path, ONLY_RULE: only},
                capture_output=True,
                timeout=seconds,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return True
        return done.returncode not in (0, 5)  # 5: there were no such tests


def cited_in(coverage: Coverage) -> dict[str, list[tuple[str, int]]]:
    """By rule, the files and lines in which code that is used cites it."""
    found: dict[str, list[tuple[str, int]]] = {}
    for each in coverage.citations:
        if each.used:
            path, _, line = each.place.partition(":")
            found.setdefault(each.id, []).append((path, int(line)))
    return found


def drawn(coverage: Coverage, seed: int, chapters: list[str]) -> Iterator[Mutant]:
    """One mutant for each rule that has any, in the order in which the seed draws them."""
    cited = cited_in(coverage)
    rules = [
        rule
        for chapter in coverage.chapters()
        if not chapters or chapter.name in chapters
        for rule in chapter.rules
    ]
    random.Random(seed).shuffle(rules)
    for rule in rules:
        if pool := mutants_of(rule, cited.get(rule, [])):
            yield random.Random(f"{seed} {rule}").choice(pool)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=20, help="how many rules to draw")
    parser.add_argument("--chapter", action="append", default=[], help="only rules of this chapter")
    parser.add_argument("--rule", help="only this rule, with all its mutants")
    parser.add_argument("--list", action="store_true", help="show the mutants and run no test")
    asked = parser.parse_args()
    coverage = Coverage()
    if asked.rule:
        mutants = mutants_of(asked.rule, cited_in(coverage).get(asked.rule, []))
    else:
        mutants = list(islice(drawn(coverage, asked.seed, asked.chapter), asked.count))
    if asked.list:
        print("\n".join(map(str, mutants)))
        return 0
    unnoticed = 0
    with tempfile.TemporaryDirectory() as copy:
        judge = Judge(Path(copy), coverage)
        for mutant in mutants:
            by = judge.noticed_by(mutant)
            unnoticed += by is None
            print(f"{mutant}\n    {f'noticed by {by}' if by else 'NOT NOTICED'}", flush=True)
    print(f"{len(mutants) - unnoticed} of {len(mutants)} noticed")
    return 1 if unnoticed else 0


if __name__ == "__main__":
    sys.exit(main())
