"""The list of texts: what is on it, and what is not."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from words.texts import in_markup, in_python, in_script, texts, written

MODULE = '''
"""About the module."""

import typer

PROCEDURES = (Procedure("dance", "Dance all night", Dancing, dance),)
STYLES = {"polka": "quick and light"}

class Dancing(Struct):
    """Whom one dances with."""

class Danced(Outcome, frozen=True):
    """How long the dance was."""

class Tired(Fact, tag="was tired"):
    """Not shown."""
    def sentence(self) -> str:
        """Not shown either."""
        return f"{self.who} is tired after {self.hours} hour{'' if self.hours == 1 else 's'}."

def dance(arguments, table):
    """One dances until it is late."""
    label = "tango" if table.late else "waltz"
    options = (Option("a", "jig"),)
    yield from ask("gm", "the key", "Which?", PickOne(options=options), because="a.b c")
    yield from confirm("gm", "dance.again", prompt="again?")
    yield from choose("gm", "a key", "whom", {"mara": "mara", "some body": "nobody"})
    if table.option("slow_dances") == "the slow ones":
        raise NotAllowed("nobody dances", "dances.rule.none")
    yield Text("SELECT a FROM b")
    assert table, "a table is there"

def command(tune: Annotated[str, typer.Argument(help="The tune.")]) -> None:
    """Play a tune."""

@get("/tunes")
async def tunes() -> list[str]:
    """Every tune."""
'''


def test_python_texts_are_found_with_their_place():
    found = list(in_python(ast.parse(MODULE), {"Dancing", "dance"}))
    assert [words for _, _, words in sorted(found)] == [
        "Dance all night",
        "quick and light",
        "Whom one dances with.",
        "How long the dance was.",
        "{self.who} is tired after {self.hours} hour{'' if self.hours == 1 else 's'}.",
        "One dances until it is late.",
        "tango",
        "waltz",
        "jig",
        "Which?",
        "again?",
        "mara",
        "nobody",
        "whom",
        "nobody dances",
        "The tune.",
        "Play a tune.",
        "Every tune.",
    ]
    assert (6, "Procedure", "Dance all night") in found


SCRIPT = """
// A comment with "many words in it".
import { h } from "./a file.js";
h("p", { class: "small quiet", text: "Go on" }, `Hello ${name}`);
button(isOpen ? "Close it" : `${count ? "Some are left" : ""}`, "small quiet");
go.textContent = done ? "ready" : `${left} to go`;
const found = line.match(/[^"'`]+ and more/g) ?? document.querySelector("main p");
const more = { label: "one", role: "list item" };
const tools = [["Throw dice", throwing], [names["a key"], hidden]];
const said = name + " (usual)";
const small = matchMedia("(max-width: 999px)");
"""


def test_script_texts_are_found_with_their_place():
    assert [(line, words) for line, _, words in in_script(SCRIPT, {"small", "quiet"})] == [
        (4, "Go on"),
        (4, "Hello ${name}"),
        (5, "Close it"),
        (5, "Some are left"),
        (6, "ready"),
        (6, "${left} to go"),
        (8, "one"),
        (9, "Throw dice"),
        (10, "(usual)"),
    ]


def test_markup_texts_are_found_with_their_place():
    markup = '<h1 title="The title">A head</h1>\n<script>not this one</script><p>  A\n line </p>'
    assert list(in_markup(markup)) == [
        (1, "title", "The title"),
        (1, "h1", "A head"),
        (2, "p", "A line"),
    ]


def test_files_are_written_one_after_the_other(tmp_path: Path):
    home = tmp_path / "src/astragal"
    (home / "web").mkdir(parents=True)
    (home / "a.py").write_text('raise Refusal("Not like this")\n', encoding="utf-8")
    (home / "web/a.css").write_text(".small { color: red }", encoding="utf-8")
    (home / "web/a.js").write_text('say("Now it works", "small");\n', encoding="utf-8")
    assert written(texts(tmp_path)) == (
        "src/astragal/a.py\n     1  Refusal: Not like this\n\n"
        "src/astragal/web/a.js\n     1  text: Now it works"
    )


@pytest.mark.parametrize("ending", [".py", ".js", ".html"])
def test_texts_of_the_product_are_found(ending: str):
    assert sum(text.path.suffix == ending for text in texts()) > 10
