"""Draw the pictures of the README from real runs: `make pictures`."""

from __future__ import annotations

import io
import re
from pathlib import Path

from rich._export_format import CONSOLE_SVG_FORMAT
from rich.console import Console
from rich.terminal_theme import TerminalTheme

from astragal.cli import main
from astragal.cli.demo import pages

HERE = Path(__file__).parent
WIDTH = 92
SEED = "4"

CALM = TerminalTheme(
    (27, 30, 36),
    (214, 218, 224),
    [
        (60, 64, 72),
        (224, 108, 117),
        (126, 190, 130),
        (222, 184, 105),
        (97, 160, 230),
        (190, 130, 210),
        (98, 182, 190),
        (200, 204, 210),
    ],
    [(110, 116, 128)] + [(230, 230, 230)] * 7,
)


def picture(title: str) -> str:
    """The guided tour as one SVG, with no font or anything else from elsewhere."""
    console = Console(record=True, width=WIDTH, file=io.StringIO(), highlight=False, markup=False)
    for page in list(pages(SEED))[1:5]:
        console.print(page)
        console.print()
    template = re.sub(r"@font-face \{\{.*?\}\}", "", CONSOLE_SVG_FORMAT, flags=re.S)
    template = template.replace("Fira Code", "ui-monospace").replace(
        "font-family: ui-monospace", "font-family: ui-monospace, Menlo, Consolas"
    )
    return console.export_svg(title=title, theme=CALM, code_format=template, unique_id="demo")


if __name__ == "__main__":
    (HERE / "demo.svg").write_text(picture("astragal demo"), encoding="utf-8")
    chances = ["odds", "bw", "--sweep", "dice", "1..10", "--sweep", "ob", "1..8", "--svg"]
    main([*chances, str(HERE / "sweep.svg")])
    print(f"drew {HERE.name}/demo.svg and {HERE.name}/sweep.svg")
