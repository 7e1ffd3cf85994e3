"""All scripts of the page as one file.

A browser would send fifty requests for as many modules, and over a mobile network wait for each.
Joined, each module is a function that runs when it is first imported, as a browser would run it.

The page needs a small part of what modules can be, and nothing else is joined: imports of names
from files of the same folder, exports where something is declared, and no circles. Nothing that is
exported is ever assigned again, so whoever imports a name can have a copy of its value.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

_IMPORT = re.compile(r'^import (?:\{ ([\w$, ]+) \} from )?"\./(\w+)\.js";$', re.MULTILINE)
_LATER = re.compile(r'\bimport\("\./(\w+)\.js"\)')
_DECLARED = re.compile(r"^export ((?:const|class|(?:async )?function) ([\w$]+))", re.MULTILINE)
_PASSED_ON = re.compile(r"^export \{ ([\w$, ]+) \};$", re.MULTILINE)
_ANY_OTHER = re.compile(r"(?:^\s*(?:import|export)\b|\bimport\s*[(.]|\$modules).*", re.MULTILINE)

_HEAD = """\
const $loaded = {};
const $need = (name) => ($loaded[name] ??= $modules[name].call());
const $later = async (name) => $need(name);
const $modules = {
"""
_FOOT = """\
};
$need(document.querySelector("script[data-start]").dataset.start);
"""


class CannotJoin(Exception):
    """A script has something that is not joined: which script, and what it is."""


class _Module(NamedTuple):
    text: str
    imports: dict[str, list[str]]
    """The names that it takes from each module that has to run before it."""
    later: list[str]
    """The modules that it loads when somebody needs them."""
    exports: list[str]


def joined(scripts: Mapping[str, str]) -> str:
    r"""One script made of modules by their names; the page says with which it begins.

    >>> print(joined({"a": 'import { b as c } from "./b.js";\nc();', "b": "export const b = 1;"}))
    const $loaded = {};
    const $need = (name) => ($loaded[name] ??= $modules[name].call());
    const $later = async (name) => $need(name);
    const $modules = {
    async a() {
    const { b: c } = $need("b");
    c();
    return {};
    },
    b() {
    const b = 1;
    return {b};
    },
    };
    $need(document.querySelector("script[data-start]").dataset.start);
    <BLANKLINE>
    """
    modules = {name: _read(f"{name}.js", text) for name, text in scripts.items()}
    checked: set[str] = set()
    for name in modules:
        _check(name, modules, (), checked)
    imported = {each for module in modules.values() for each in module.imports}
    parts = [
        # Nobody waits for a module that is not imported, so that it may wait for something.
        f"{'' if name in imported else 'async '}{name}() {{\n{module.text}\n"
        f"return {{{', '.join(module.exports)}}};\n}},\n"
        for name, module in modules.items()
    ]
    return "".join((_HEAD, *parts, _FOOT))


def _read(file: str, text: str) -> _Module:
    module = _Module("", {}, _LATER.findall(text), [])

    def imported(found: re.Match[str]) -> str:
        needed = f'$need("{found[2]}");'
        names = module.imports.setdefault(found[2], [])
        if found[1] is None:
            return needed
        names += [name.partition(" as ")[0] for name in found[1].split(", ")]
        return f"const {{ {found[1].replace(' as ', ': ')} }} = {needed}"

    def declared(found: re.Match[str]) -> str:
        module.exports.append(found[2])
        return found[1]

    def passed_on(found: re.Match[str]) -> str:
        module.exports.extend(found[1].split(", "))
        return ""

    text = _IMPORT.sub(imported, text.strip())
    text = _PASSED_ON.sub(passed_on, _DECLARED.sub(declared, text))
    text = _LATER.sub(r'$later("\1")', text)
    if other := _ANY_OTHER.search(text):
        raise CannotJoin(f"{file}: {other[0]!r} is not written as the page's modules are")
    return module._replace(text=text)


def _check(
    name: str, modules: Mapping[str, _Module], above: tuple[str, ...], checked: set[str]
) -> None:
    """All that it imports is there, and nothing waits for itself."""
    if name in checked:
        return
    if name in above:
        raise CannotJoin(f"modules import each other: {' -> '.join((*above, name))}")
    module = modules[name]
    for each in (*module.imports, *module.later):
        if each not in modules:
            raise CannotJoin(f"{name}.js: there is no {each}.js")
    for each, names in module.imports.items():
        if missing := set(names) - set(modules[each].exports):
            raise CannotJoin(f"{name}.js: {each}.js does not export {', '.join(sorted(missing))}")
        _check(each, modules, (*above, name), checked)
    checked.add(name)
