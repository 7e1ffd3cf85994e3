"""`make rules`: how much of the catalogue is implemented and tested, chapter by chapter."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

if __name__ == "__main__":  # run as a script, when pytest has not put tests on the path
    sys.path[0] = str(Path(__file__).parents[1])


from astragal.errors import Refusal
from rules.coverage import ChapterCoverage, Coverage

HEADS = ("chapter", "rules", "by code", "by tests", "pending", "examples", "options", "")


def cells(chapter: ChapterCoverage) -> tuple[str, ...]:
    total, examples, options = map(len, (chapter.rules, chapter.examples, chapter.options))
    return (
        chapter.name,
        str(total),
        str(total - len(chapter.not_in_code)),
        str(total - len(chapter.not_in_tests)),
        str(len(chapter.pending_rules)),
        f"{examples - len(chapter.not_replayed)}/{examples}",
        f"{chapter.options_tried}/{options}",
        "done" if chapter.is_complete else "INCOMPLETE",
    )


def totals(chapters: list[ChapterCoverage]) -> tuple[str, ...]:
    whole = ChapterCoverage(
        "all",
        *(
            tuple(item for chapter in chapters for item in getattr(chapter, part))
            for part in (
                "rules",
                "not_in_code",
                "not_in_tests",
                "examples",
                "not_replayed",
                "options",
                "not_tried",
            )
        ),
    )
    done = sum(chapter.is_complete for chapter in chapters)
    return (*cells(whole)[:-1], f"{done} of {len(chapters)} chapters done")


def table(chapters: list[ChapterCoverage]) -> str:
    rows = [HEADS, *map(cells, chapters), totals(chapters)]
    widths = [max(len(row[at]) for row in rows) for at in range(len(HEADS))]
    lines = []
    for row in rows:
        numbers = (cell.rjust(width) for cell, width in zip(row[1:-1], widths[1:-1], strict=True))
        lines.append("  ".join((row[0].ljust(widths[0]), *numbers, row[-1])).rstrip())
    rule = "-" * max(map(len, lines))
    return "\n".join((lines[0], rule, *lines[1:-1], rule, lines[-1]))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--missing", metavar="CHAPTER", help="list what a chapter still lacks")
    asked = parser.parse_args().missing
    try:
        if asked:
            print("\n".join(Coverage().chapter(asked).missing()) or f"{asked} is complete")
        else:
            print(table(Coverage().chapters()))
    except Refusal as refusal:
        print(f"report: {refusal}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
