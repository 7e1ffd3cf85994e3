"""The files of the page as they are sent."""

from __future__ import annotations

from pathlib import Path

import pytest

import astragal.web
from astragal.web.static_files import StaticFiles, packed

PAGE = Path(astragal.web.__file__).with_name("page")
SCRIPTS = sorted(PAGE.rglob("*.js"))


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_no_string_spans_lines_so_that_indentation_can_be_left_out(script: Path):
    for number, line in enumerate(script.read_text(encoding="utf-8").splitlines(), 1):
        assert line.replace(r"\`", "").count("`") % 2 == 0, f"{script.name}:{number}"


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_every_line_of_code_is_sent(script: Path):
    """A second reader: line by line, with what is between the marks of a comment left out."""
    wanted, inside = [], False
    for line in script.read_text(encoding="utf-8").splitlines():
        bare = line.lstrip(" \t")
        if not inside and bare.startswith("/*"):
            inside = True
        if inside:
            inside = "*/" not in bare
            continue
        if bare and not bare.startswith("//"):
            wanted.append(bare)
    assert packed(script.read_text(encoding="utf-8")).splitlines() == wanted


def test_style_sheets_keep_their_rules():
    sent = StaticFiles(PAGE).file("css/base.css").plain.decode()
    assert not any(line.startswith(("/*", " ")) for line in sent.splitlines())
    assert sent.count("{") == sent.count("}") > 50
    assert StaticFiles(PAGE).file("index.html").plain == (PAGE / "index.html").read_bytes()
