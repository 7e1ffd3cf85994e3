"""The rules as players read them: decisions and rules, nothing of how the texts were prepared."""

from __future__ import annotations

import re
from functools import cache

import pytest

from astragal.rules import Reading, catalogue
from astragal.web.rulebook import RuleEntry, entry_page, is_for_players, search

WORKING_NOTES = re.compile(
    r"shredded|\bOCR\b|\bscan(s|ned|ning)?\b|\.(txt|toml|pdf)\b|\bsoftware\b|data model|"
    r"\bimplement|\(\d{3,4}(-\d{3,4})?\)|on line \d|lines \d|[a-z]+_[a-z_]+\.\*",
    re.IGNORECASE,
)
page_of = cache(entry_page)
"""The page of an entry; to make them all takes a while."""
RAW_ID = re.compile(r"\b[a-z]+(_[a-z]+)*(\.[a-z0-9_]+){2,}")


def ids() -> list[str]:
    book = catalogue()
    return [each for name in book.chapters for each in book.chapter(name).ids]


def test_no_entry_has_working_notes_or_lines_of_its_source():
    book = catalogue()
    found = {}
    for name in ids():
        if not is_for_players(book.entry(name)):
            continue
        page = page_of(name)
        texts = (page.text, page.note, page.issue, page.reading, page.question, page.expect)
        if notes := [text for text in texts if WORKING_NOTES.search(text)]:
            found[name] = notes
    assert found == {}


def test_readings_about_the_text_alone_are_nowhere_in_the_page():
    book = catalogue()
    editorial = {
        name for name in ids() if isinstance(entry := book.entry(name), Reading) and entry.editorial
    }
    assert {"gold.amb.advancement_table_ocr", "steel.amb.index_drool"} <= editorial
    # What a group may decide, and what the code reads, is never left out.
    assert all(book.entry(name).option is None for name in editorial)
    for words in ("shredded", "OCR", "scan"):
        assert search(words, "", 100).results == ()
    for name in ids():
        if name not in editorial:
            page: RuleEntry = page_of(name)
            listed = {hit.id for hit in (*page.readings, *page.related, *page.mentioned_by)}
            assert not listed & editorial, name


@pytest.mark.parametrize("words", ["obstacle", "help", "wound", "see", "roll", "steel", "fork"])
def test_hits_are_told_without_ids(words: str):
    hits = search(words, "", 100).results
    assert hits
    assert [hit.excerpt for hit in hits if RAW_ID.search(hit.excerpt)] == []


def test_reading_begins_with_its_decision():
    hit = next(hit for hit in search("boon steel", "", 100).results if hit.id == "steel.amb.boon")
    assert hit.excerpt.startswith("Yes, Steel is rolled like any other ability")
