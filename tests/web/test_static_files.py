"""What is sent of the page: without comments and indentation, and otherwise as it was written."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import astragal.web
from astragal.web.static_files import StaticFiles, without_comments

PAGE = Path(astragal.web.__file__).with_name("page")
WRITTEN = sorted([*PAGE.rglob("*.js"), *PAGE.rglob("*.css")])


@pytest.mark.parametrize("path", WRITTEN, ids=lambda path: path.name)
def test_nothing_but_comments_and_space_is_left_out(path: Path):
    plain = path.read_text(encoding="utf-8")
    # Block comments that fill whole lines, lines that are one comment, and all space.
    bare = re.sub(r"(?m)^\s*/\*(?:(?!\*/)[\s\S])*\*/[ \t]*$", "", plain)
    bare = re.sub(r"(?m)^\s*//.*$", "", bare)
    sent = without_comments(plain.encode()).decode()
    assert re.sub(r"\s+", "", sent) == re.sub(r"\s+", "", bare)


@pytest.mark.parametrize("path", WRITTEN, ids=lambda path: path.name)
def test_no_text_spans_several_lines(path: Path):
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        is_comment = line.strip().startswith(("//", "/*", "*"))
        assert is_comment or line.count("`") % 2 == 0, f"{path.name}:{number}"
        assert not line.endswith("\\"), f"{path.name}:{number}"


def test_what_is_asked_for_uncompressed_is_the_file_itself():
    file = StaticFiles(PAGE).file("js/app.js")
    assert file.plain == (PAGE / "js" / "app.js").read_bytes()
    assert len(file.compressed) < len(file.plain) / 3
