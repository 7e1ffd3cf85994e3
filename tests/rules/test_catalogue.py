"""The catalogue that comes with Astragal: complete, sound, and read no further than needed."""

from __future__ import annotations

import tomllib
from pathlib import Path

import msgspec
import pytest

import astragal.rules
from astragal.errors import BadInput
from astragal.rules import Catalogue, RuleKind, catalogue, faults

HOME = Path(astragal.rules.__file__).with_name("catalogue")
FILES = sorted(HOME.glob("*/*.toml"))


def test_it_has_no_faults():
    assert faults(catalogue()) == []


def test_its_size_is_known():
    chapters = [catalogue().chapter(name) for name in catalogue().chapters]
    count = {
        section: sum(chapter.count(section) for chapter in chapters)
        for section in ("rule", "table", "example", "ambiguity")
    }
    assert count == {"rule": 2634, "table": 238, "example": 318, "ambiguity": 905}
    assert sum(rule.to_implement for chapter in chapters for rule in chapter.rules) == 2329


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_cutting_a_file_into_entries_loses_nothing(path: Path):
    """The standard library reads the file whole; entry by entry must come to the same."""
    whole = tomllib.loads(path.read_text(encoding="utf-8"))
    chapter = catalogue().chapter(whole["chapter"])
    for section, entries in (
        ("rule", chapter.rules),
        ("table", chapter.tables),
        ("example", chapter.examples),
        ("ambiguity", chapter.readings),
    ):
        assert [_without_blanks(msgspec.to_builtins(entry)) for entry in entries] == [
            _without_blanks(entry) for entry in whole[section]
        ]


def _without_blanks(value: object) -> object:
    """Sequences alike whatever their type, and what is optional and absent left out."""
    if isinstance(value, dict):
        return {
            key: _without_blanks(item) for key, item in value.items() if item not in (None, "", {})
        }
    if isinstance(value, list | tuple):
        return [_without_blanks(item) for item in value]
    return value


def test_chapters_stand_in_book_order_and_the_later_edition_last():
    assert catalogue().systems == ("burning_wheel", "cores", "percentile", "signs")
    burning_wheel = [chapter.name for chapter in catalogue().chapters_of("burning_wheel")]
    assert burning_wheel[:4] == ["tests", "advancement", "beliefs", "artha"]
    assert burning_wheel[-1] == "gold"


def test_the_catalogue_is_one_object():
    assert catalogue() is catalogue()


def test_one_table_costs_one_file(monkeypatch: pytest.MonkeyPatch):
    read: list[str] = []
    original = Path.read_text

    def noting(self: Path, *args: object, **kwargs: object) -> str:
        read.append(self.name)
        return original(self, *args, **kwargs)  # type: ignore[arg-type]

    monkeypatch.setattr(Path, "read_text", noting)
    Catalogue().table("tests.table.shade")
    assert read == ["tests.toml"]


def test_a_rule_knows_its_kind_and_chapter():
    rule = catalogue().rule("tests.advantage.one_die")
    assert (rule.kind, rule.chapter, rule.to_implement) == (RuleKind.MECHANIC, "tests", True)


def test_a_rule_that_points_elsewhere_is_not_to_implement():
    rule = catalogue().rule("gold.tests.intent")
    assert rule.text.startswith("See tests.intent.both_declared")
    assert rule.points_elsewhere
    assert not rule.to_implement


def test_guidance_is_not_to_implement():
    rule = catalogue().rule("tests.let_it_ride.purpose")
    assert (rule.kind, rule.to_implement) == (RuleKind.GUIDANCE, False)


def test_an_unknown_id_is_refused_with_the_nearest():
    with pytest.raises(BadInput, match=r"nearest: tests\.advantage\.one_die"):
        catalogue().rule("test.advantage.one_die")


def test_an_id_like_nothing_points_to_the_search():
    with pytest.raises(BadInput, match="astragal rules WORDS"):
        catalogue().entry("zzzzzzzzzzzzz")


def test_an_entry_of_another_sort_is_refused():
    with pytest.raises(BadInput, match="expected a rule; this is a table"):
        catalogue().rule("tests.table.shade")


@pytest.mark.parametrize("ask", ["chapter", "chapters_of", "options"])
def test_an_unknown_chapter_or_game_is_refused(ask: str):
    with pytest.raises(BadInput, match="expected one"):
        getattr(catalogue(), ask)("burning_weel")


def test_anything_can_be_asked_for_membership():
    assert "tests.ex.haggling" in catalogue()
    assert "nowhere.at.all" not in catalogue()
    assert 3 not in catalogue()


def test_families_of_ids_resolve():
    assert catalogue().resolves("artha.epiphany.*")
    assert not catalogue().resolves("artha.no_such_family" + ".*")
    assert not catalogue().resolves("nowhere.at.*")


def test_mentioning_finds_examples_and_readings_of_every_chapter():
    found = {entry.id for entry in catalogue().mentioning("tests.advantage.one_die")}
    assert "tests.ex.roof_shove" in found
    assert {"artha.basics.steps_toward_epiphany"} <= {
        entry.id for entry in catalogue().mentioning(_first_with("artha.epiphany."))
    }


def _first_with(beginning: str) -> str:
    return next(name for name in catalogue() if name.startswith(beginning))
