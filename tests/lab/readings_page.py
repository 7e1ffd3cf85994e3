"""`make readings`: flip every house rule, and write what moves into docs/readings.md.

With a file of results (``astragal lab readings --json``) it is written from those.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from astragal.lab.readings import BATTERY, Flip, Moved, option_flips, what_moves
from astragal.rules import catalogue

PAGE = Path(__file__).parents[2] / "docs" / "readings.md"
HEAD = "| house rule | choice | what moves | from | to |"


def row(each: Moved) -> str:
    """One line of the table."""
    shown = f"{each.before:.1%} | {each.after:.1%}"
    return f"| `{each.flip.option}` | {each.flip.choice} | {each.what} | {shown} |"


def rows(chapter: str = "") -> list[str]:
    """The lines of the table as the page has them, of all chapters or of one."""
    names = {flip.option for flip in option_flips(chapter)}
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line.startswith("| `") and line.split("`")[1] in names]


def page(moved: list[Moved]) -> str:
    """The whole page."""
    chapters = {spec.name: spec.chapter for spec in catalogue().options("burning_wheel")}
    tried = option_flips()
    moving = {each.flip for each in moved}
    text = [
        "# House rules compared",
        "",
        "Each house rule of the Burning Wheel is flipped from its default to each of its other",
        "choices, and everything that moves by more than 1% is listed here. It is what",
        "`astragal lab readings` prints; `make readings` writes this page again.",
        "",
        f"{len(moving)} of {len(tried)} choices move something of this:",
        "",
        *(f"- {each.title}" for each in BATTERY),
        "- a Duel of Wits at bodies 3 and 3: its value, and the cards of the best scripts",
        "",
        "Of a test that is the chance of success and as what it counts for advancement, of an",
        "action or a maneuver how often it hits and is hit. Most other choices change something",
        "that is no chance: who decides, what is asked, how long something takes. The rest are",
        "about weapons, spells, wounds and situations that none of these has.",
    ]
    for chapter in dict.fromkeys(chapters[each.flip.option] for each in moved):
        mine = [each for each in moved if chapters[each.flip.option] == chapter]
        title = chapter.replace("_", " ").capitalize()
        text += ["", f"## {title}", "", HEAD, "|---|---|---|---|---|", *map(row, mine)]
    return "\n".join([*text, ""])


def main() -> None:
    """Work everything out, on all cores, or read what was; and write the page."""
    if sys.argv[1:]:
        raw = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
        moved = [Moved(**{**each, "flip": Flip(**each["flip"])}) for each in raw]
    else:
        moved = what_moves(option_flips(), processes=0)
    PAGE.write_text(page(moved), encoding="utf-8")


if __name__ == "__main__":
    main()
