"""The files of the page as they are sent."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

import astragal.web
from astragal.web.joined_scripts import CannotJoin, joined
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


def test_all_scripts_are_sent_as_one_until_any_of_them_changes(tmp_path):
    """A second reader: every line of every module that is no import or export stands in it."""
    folder = tmp_path / "page"
    shutil.copytree(PAGE, folder)
    (tmp_path / "outside.js").write_text("const kept = 1;")
    (folder / "js" / "out.js").symlink_to(tmp_path / "outside.js")
    files = StaticFiles(folder)
    first = files.file("js/start.js")
    lines = set(first.plain.decode().splitlines())
    for script in SCRIPTS:
        for line in packed(script.read_text(encoding="utf-8")).splitlines():
            if script.name != "start.js" and "import" not in line:
                assert line.removeprefix("export ") in lines or line == "export { Refused };", line
    assert b"const kept = 1;" not in first.plain
    assert files.file("js/start.js") is first
    (folder / "js" / "more.js").write_text("export const more = 1;")
    second = files.file("js/start.js")
    assert b"const more = 1;" in second.plain
    assert second.tag != first.tag
    apart = StaticFiles(folder, joins_scripts=False)
    assert b"const more" not in apart.file("js/start.js").plain


def test_each_page_begins_with_a_script_that_is_there():
    begun = {
        each
        for page in PAGE.glob("*.html")
        for each in re.findall(r'src="/page/js/start.js" data-start="(\w+)"', page.read_text())
    }
    assert begun == {"app", "lobby", "watch"}
    assert begun <= {script.stem for script in SCRIPTS}


def test_nothing_that_is_exported_is_assigned_again():
    """Whoever imports it has a copy of its value."""
    for script in SCRIPTS:
        text = script.read_text(encoding="utf-8")
        for name in re.findall(r"^export (?:async )?(?:function|class) (\w+)", text, re.MULTILINE):
            again = re.search(
                rf"^(?!.*\b(?:const|let)\b).*(?<![.\w#]){name} [-+*/?|&]*= ", text, re.M
            )
            assert again is None, f"{script.name}: {again}"


@pytest.mark.parametrize(
    ("scripts", "refusal"),
    [
        ({"a": 'import { b } from "./b.js";'}, "a.js: there is no b.js"),
        ({"a": 'const b = await import("./b.js");'}, "a.js: there is no b.js"),
        ({"a": 'import { b, c } from "./b.js";', "b": "export const b = 1;"}, "does not export c"),
        ({"a": 'import "./b.js";', "b": 'import "./a.js";'}, "a -> b -> a"),
        ({"a": 'import "./a.js";'}, "a -> a"),
        ({"a": 'import b from "./b.js";', "b": ""}, "import b from"),
        ({"a": 'import * as b from "./b.js";', "b": ""}, "as b from"),
        ({"a": 'import {\nb } from "./b.js";', "b": "export const b = 1;"}, "'import {'"),
        ({"a": 'import { b } from "../b.js";', "b": "export const b = 1;"}, "../b.js"),
        ({"a": "export let b = 1;"}, "export let"),
        ({"a": "export default 1;"}, "export default"),
        ({"a": 'export * from "./b.js";', "b": ""}, "export *"),
        ({"a": "export const { b } = c;"}, "export const {"),
        ({"a": "const b = import.meta.url;"}, "import.meta"),
        ({"a": 'const b = (name) => import("./" + name);'}, 'import("./" + name)'),
        ({"a": "const b = $modules.c;"}, "$modules"),
    ],
)
def test_what_is_not_joined_is_refused(scripts, refusal):
    with pytest.raises(CannotJoin, match=re.escape(refusal)):
        joined(scripts)


def test_modules_that_meet_again_are_no_circle():
    joined(
        {
            "a": 'import "./b.js";\nimport "./c.js";',
            "b": 'import { d } from "./d.js";\nconst later = () => import("./a.js");',
            "c": 'import { d } from "./d.js";',
            "d": "export const d = 1;",
        }
    )


def test_style_sheets_keep_their_rules():
    sent = StaticFiles(PAGE).file("css/base.css").plain.decode()
    assert not any(line.startswith(("/*", " ")) for line in sent.splitlines())
    assert sent.count("{") == sent.count("}") > 50
    assert StaticFiles(PAGE).file("index.html").plain == (PAGE / "index.html").read_bytes()
