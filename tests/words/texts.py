"""`make texts`: every text that a person can meet, with its place, to be proofread as one text.

From Python it takes the strings that reach people: prompts, labels, titles, sentences of facts,
refusals, help; from the page its strings and its markup. What a person cannot meet (keys, ids of
rules, SQL, names of classes) is left out. In doubt a string is listed: a line too many is skipped
in reading, a missing one is never read.
"""

from __future__ import annotations

import argparse
import ast
import re
import sys
from collections.abc import Container, Iterable, Iterator
from functools import cache
from html.parser import HTMLParser
from importlib.util import resolve_name
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]


class Text(NamedTuple):
    """One text: the file and line where it stands, what it is, and what it says.

    What is filled in later stands in it as it is written in the code, in braces.
    """

    path: Path
    line: int
    kind: str
    words: str


def texts(root: Path = ROOT) -> Iterator[Text]:
    """Every text in a source tree, in the order of files and lines."""
    sources = {
        path: path.read_text(encoding="utf-8")
        for path in sorted((root / "src/astragal").rglob("*"))
        if path.suffix in (".py", ".js", ".html", ".css")
    }
    modules = {path: ast.parse(text) for path, text in sources.items() if path.suffix == ".py"}
    named = {
        path: ".".join(path.relative_to(root / "src").with_suffix("").parts) for path in modules
    }
    forms = {
        form
        for path, module in modules.items()
        if "Procedure(" in sources[path]
        for form in _forms(module, named[path])
    }
    styles = "".join(text for path, text in sources.items() if path.suffix == ".css")
    classes = frozenset(re.findall(r"\.([a-z][\w-]*)", styles))
    for path, source in sources.items():
        if path.suffix == ".py":
            found = in_python(modules[path], {name for home, name in forms if home == named[path]})
        elif path.suffix == ".js":
            found = in_script(source, classes)
        else:
            found = in_markup(source) if path.suffix == ".html" else iter(())
        yield from sorted(Text(path.relative_to(root), *each) for each in found)


@cache
def all_texts() -> tuple[Text, ...]:
    """Every text of the product."""
    return tuple(texts())


Found = tuple[int, str, str]


# --- Python --------------------------------------------------------------------------------

POSITIONS: dict[str, tuple[int, ...]] = {
    "Argument": (),
    "Ask": (2,),
    "BadInput": (2,),
    "Line": (1,),
    "Meaning": (),
    "NotAllowed": (0,),
    "Noted": (0,),
    "Option": (1, 3, 4),
    "Procedure": (1,),
    "Refusal": (0,),
    "Roll": (1,),
    "ask": (2,),
    "choose": (2, 3),
    "confirm": (2,),
    "note": (0,),
    "roll": (1,),
}
"""Which arguments of these are read by people, even where it is a single word."""

WITH_KEYS = {"Ask": 2, "Option": 1, "Procedure": 1, "ask": 2, "choose": 2, "confirm": 2}
"""How many arguments of these come first that are keys and seats."""

KEYWORDS = frozenset(
    {
        "cost",
        "description",
        "epilog",
        "expected",
        "help",
        "label",
        "note",
        "prompt",
        "summary",
        "text",
        "title",
        "unit",
        "what",
        "zero",
    }
)
"""Names of arguments and fields that are read by people, whatever takes them."""

HIDDEN_KEYWORDS = frozenset(
    {"because", "default_factory", "key", "path", "rule", "style", "tag", "tag_field", "target"}
)
"""Names of arguments and fields that nobody reads."""

HIDDEN_CALLS = frozenset(
    {
        "AssertionError",
        "TypeError",
        "Literal",
        "TypeVar",
        "cast",
        "compile",
        "execute",
        "find_spec",
        "fromisoformat",
        "getattr",
        "getenv",
        "hasattr",
        "import_module",
        "records",
        "setattr",
        "split",
        "strftime",
        "strptime",
        "table",
        "value",
        "where",
    }
)
"""Calls whose arguments are for the program."""

ROUTES = frozenset({"delete", "get", "patch", "post", "put", "websocket"})
"""What makes a function a route, whose description is in the documentation of the interface."""

RULE_ID = re.compile(r"[a-z_]+(\.[\w{}*-]+)+")
SQL = re.compile(r"\b(SELECT|INSERT INTO|UPDATE|DELETE FROM|CREATE|ALTER|PRAGMA|BEGIN|NOTIFY)\b")
SENTENCE = re.compile(r"\w[^\s]*[ \n]+[^\s]*[a-zA-Z]|[A-Z][a-z]+")
"""What reads like words: two of them, or one that begins with a capital letter."""


def in_python(module: ast.Module, forms: Container[str] = ()) -> Iterator[Found]:
    """The texts of a module; ``forms`` are the classes and functions that procedures name.

    Their descriptions are read by people, above a form and in the reference; so are those of
    outcomes.
    """
    yield from _Reader(forms).read(module)


def _forms(module: ast.Module, name: str) -> Iterator[tuple[str, str]]:
    """What procedures take their arguments in and run, with the modules in which it stands."""
    package = name.rpartition(".")[0]
    imported = {
        alias.asname or alias.name: (
            resolve_name("." * node.level + (node.module or ""), package),
            alias.name,
        )
        for node in ast.walk(module)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    for node in ast.walk(module):
        if isinstance(node, ast.Call) and _name(node.func) == "Procedure" and len(node.args) > 2:
            for each in map(_name, node.args[2:4]):
                yield imported.get(each, (name, each))


class _Reader:
    """Walks a module from the outside in, keeping what a string would be there."""

    def __init__(self, forms: Container[str]) -> None:
        self._forms = forms

    def read(self, node: ast.AST, kind: str = "text", *, sure: bool = False) -> Iterator[Found]:
        """The texts in a node; ``sure`` says that even a single word is read by people here."""
        match node:
            case ast.Constant(value=str(words)):
                if (sure and words.strip()) or _reads_like_words(words):
                    yield node.lineno, kind, " ".join(words.split())
            case ast.JoinedStr():
                words = "".join(_parts(node))
                if sure or _reads_like_words(_without_fields(node)):
                    yield node.lineno, kind, " ".join(words.split())
            case ast.Call():
                yield from self._call(node)
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                yield from self._function(node)
            case ast.ClassDef():
                if node.name in self._forms:
                    yield from _described(node, "form")
                elif "Outcome" in map(_name, node.bases):
                    yield from _described(node, "outcome")
                for each in _body(node):
                    yield from self.read(each, node.name)
            case ast.Module():
                for each in _body(node):
                    yield from self.read(each)
            case ast.Assign(targets=[ast.Name(id="__all__")]) | ast.Assert():
                return
            case ast.Assign(targets=[target], value=value):
                named = _name(target)
                yield from self.read(value, named.lower() or kind, sure=named in KEYWORDS)
            case ast.AnnAssign(target=target, value=value):
                if value is not None and _name(target) not in HIDDEN_KEYWORDS:
                    yield from self.read(value, _name(target).lower() or kind)
            case ast.Subscript():
                yield from self.read(node.value, kind)
                if _name(node.value) == "Annotated":
                    yield from self.read(node.slice, kind)
            case ast.Compare():
                yield from self.read(node.left, kind)
                for each in node.comparators:
                    if not isinstance(each, ast.Constant | ast.Tuple | ast.Set):
                        yield from self.read(each, kind)
            case ast.IfExp():
                yield from self.read(node.test, kind)
                yield from self.read(node.body, kind, sure=sure)
                yield from self.read(node.orelse, kind, sure=sure)
            case ast.Dict():
                for key in node.keys:
                    if isinstance(key, ast.Call):
                        yield from self.read(key, kind)
                for each in node.values:
                    yield from self.read(each, kind, sure=sure)
            case ast.BinOp() | ast.BoolOp() | ast.Tuple() | ast.List() | ast.Starred():
                for each in ast.iter_child_nodes(node):
                    yield from self.read(each, kind, sure=sure)
            case ast.Expr(value=ast.Constant()):
                return  # a description of the name before it
            case _:
                for each in ast.iter_child_nodes(node):
                    yield from self.read(each, kind)

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[Found]:
        """A function; what a sentence returns is read by people in every part."""
        if any("Annotated" in ast.unparse(each) for each in _annotations(node)):
            yield from _described(node, "command")
        if any(_name(_called(each)) in ROUTES for each in node.decorator_list):
            yield from _described(node, "route")
        if node.name in self._forms:
            yield from _described(node, "procedure")
        yield from (found for each in _annotations(node) for found in self.read(each, "command"))
        yield from (
            found
            for each in (*node.args.defaults, *node.args.kw_defaults, *node.decorator_list)
            if each is not None
            for found in self.read(each, node.name)
        )
        for each in _body(node):
            yield from self.read(each, node.name)

    def _call(self, node: ast.Call) -> Iterator[Found]:
        called = _name(node.func)
        yield from self.read(node.func)
        if called in HIDDEN_CALLS:
            for inner in (*node.args, *(each.value for each in node.keywords)):
                if not isinstance(inner, ast.Constant):
                    yield from self.read(inner, called)
            return
        shown = POSITIONS.get(called)
        for at, argument in enumerate(node.args):
            if called in WITH_KEYS and at < WITH_KEYS[called]:
                continue
            yield from self.read(argument, called, sure=shown is not None and at in shown)
        for keyword in node.keywords:
            name = keyword.arg or ""
            if name not in HIDDEN_KEYWORDS:
                where = f"{called} {name}" if name else called
                yield from self.read(keyword.value, where, sure=name in KEYWORDS)


def _body(
    node: ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef,
) -> list[ast.stmt]:
    """The statements, without the description at the top."""
    return node.body[1:] if ast.get_docstring(node, clean=False) is not None else node.body


def _described(
    node: ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef, kind: str
) -> Iterator[Found]:
    """A description that is shown: of a command as its help, of arguments in their form."""
    words = ast.get_docstring(node)
    if words:
        yield node.lineno, kind, " ".join(words.split())


def _annotations(node: ast.FunctionDef | ast.AsyncFunctionDef) -> list[ast.expr]:
    arguments = (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)
    return [each.annotation for each in arguments if each.annotation is not None]


def _called(node: ast.expr) -> ast.expr:
    return node.func if isinstance(node, ast.Call) else node


def _name(node: ast.AST) -> str:
    """The last part of a name: of `typer.Option` it is Option."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case ast.Subscript(value=value):
            return _name(value)
    return ""


def _parts(node: ast.JoinedStr) -> Iterator[str]:
    for part in node.values:
        if isinstance(part, ast.Constant):
            yield str(part.value)
        elif isinstance(part, ast.FormattedValue):
            yield f"{{{ast.unparse(part.value)}}}"


def _without_fields(node: ast.JoinedStr) -> str:
    """A text with a plain word wherever something is filled in."""
    return "".join(str(p.value) if isinstance(p, ast.Constant) else "x" for p in node.values)


def _reads_like_words(words: str) -> bool:
    if RULE_ID.fullmatch(words) or SQL.search(words):
        return False
    return SENTENCE.search(words) is not None


# --- The page ------------------------------------------------------------------------------

SCRIPT = re.compile(
    r"""
    (?P<comment> //[^\n]* | /\*.*?\*/ )
  | (?P<string> "(?:[^"\\\n]|\\.)*" | '(?:[^'\\\n]|\\.)*' )
  | (?P<template> ` )
  | (?P<regex> (?<=[=(,:&|?!{};])\s*/(?![*/])(?:[^/\\\n\[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+/[a-z]* )
    """,
    re.VERBOSE | re.DOTALL,
)
NEAREST_KEY = re.compile(
    r"\b(class|className|role|type|id|for|href|src|rel|inputmode|autocomplete|style|dataset|import|from"
    r"|querySelector|querySelectorAll|closest|matches|getItem|setItem|addEventListener|define"
    r"|text|label|title|placeholder|textContent|describe|note|help|summary|alt)\b[\"']?\s*[:=(,]"
)
NOT_WORDS = re.compile(
    r"^[.#\[@/]|^astragal|[<>]=?|::|^--|=>|^\([a-z-]+:|\\n$|^[Mm][\d.]+ [\d.]+\S*[a-z]|^ast-"
)
"""Selectors, names in storage, media queries, outlines of drawings, names of elements."""
WORDS = re.compile(r"[A-Za-z]\S* +\S*[A-Za-z]|^[A-Z][a-z]+|^ \([a-z]")
"""Two words, one with a capital letter, or something added in brackets."""
READ_KEYS = frozenset(
    [
        "text",
        "label",
        "title",
        "placeholder",
        "textContent",
        "describe",
        "note",
        "help",
        "summary",
        "alt",
    ]
)


def in_script(source: str, classes: Container[str] = ()) -> Iterator[Found]:
    """The texts of a module of the page; ``classes`` are the names that its styles use."""
    at = 0
    while (found := SCRIPT.search(source, at)) is not None:
        at, start = found.end(), found.start()
        if found.lastgroup == "template":
            at = _end_of_template(source, found.end())
        elif found.lastgroup != "string":
            continue
        words = source[start + 1 : at - 1]
        kind = _kind_in_script(source, start)
        line = source.count("\n", 0, start)
        if kind is not None and _shown_in_script(words, kind, classes):
            yield line + 1, kind, " ".join(words.split())
        elif found.lastgroup == "template":  # what is filled in may hold texts of its own
            for inner, name, said in in_script(words, classes):
                yield line + inner, name, said


def _end_of_template(source: str, at: int) -> int:
    """The position behind the backtick that closes a template."""
    depth = 0
    while at < len(source):
        character = source[at]
        if character == "\\":
            at += 1
        elif character == "$" and source[at + 1 : at + 2] == "{":
            depth += 1
            at += 1
        elif depth and character == "}":
            depth -= 1
        elif depth and character == "{":
            depth += 1
        elif character == "`":
            if not depth:
                return at + 1
            at = _end_of_template(source, at + 1) - 1
        at += 1
    return at


def _kind_in_script(source: str, start: int) -> str | None:
    """What a string is by the nearest word before it on its line; None if nobody reads it."""
    before = source[source.rfind("\n", 0, start) + 1 : start]
    if re.search(r"(\bfrom|\bimport|\bcase|===|!==|[\w)\]]\[|\bin|\b(h|svg)\()\s*$", before):
        return None
    keys = NEAREST_KEY.findall(before)
    if not keys:
        return "text"
    return keys[-1] if keys[-1] in READ_KEYS else ("text" if _is_closed(before, keys[-1]) else None)


def _is_closed(before: str, key: str) -> bool:
    """Whether what a key is given has ended before this place."""
    rest = before[before.rfind(key) :]
    return "}" in rest.replace("${", "").replace("}`", "`") or ")" in rest


def _shown_in_script(words: str, kind: str, classes: Container[str]) -> bool:
    plain = re.sub(r"\$\{[^}]*\}+", "x", words)
    if not re.search(r"[A-Za-z]{2}", plain) or NOT_WORDS.search(plain):
        return False
    if all(word in classes for word in plain.split()):
        return False
    return kind != "text" or WORDS.search(plain) is not None


class _Markup(HTMLParser):
    """Collects what a page says."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[Found] = []
        self._inside: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        for name in ("title", "placeholder", "aria-label", "alt", "label"):
            self._add(name, given.get(name))
        if tag == "meta" and given.get("name") == "description":
            self._add("description", given.get("content"))
        self._inside.append(tag)

    def handle_endtag(self, tag: str) -> None:
        while self._inside and self._inside.pop() != tag:
            pass

    def handle_data(self, data: str) -> None:
        if self._inside and self._inside[-1] not in ("script", "style"):
            self._add(self._inside[-1], data)

    def _add(self, kind: str, words: str | None) -> None:
        if words and words.strip():
            self.found.append((self.getpos()[0], kind, " ".join(words.split())))


def in_markup(source: str) -> Iterator[Found]:
    """The texts of a page's markup."""
    markup = _Markup()
    markup.feed(source)
    yield from markup.found


def written(found: Iterable[Text]) -> str:
    """All of them, under the name of their file."""
    lines = []
    for path, group in groupby(found, key=lambda text: text.path):
        lines += ["", str(path)]
        lines += [f"  {text.line:>4}  {text.kind}: {text.words}" for text in group]
    return "\n".join(lines).lstrip()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("part", nargs="?", default="", help="only files whose path contains this")
    asked = parser.parse_args().part
    print(written(text for text in all_texts() if asked in str(text.path)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
