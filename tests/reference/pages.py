"""The pages of the reference, in Markdown: one for each chapter, and one that leads to them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath

import msgspec

from astragal.games import Game, games
from astragal.games.reference import (
    ProcedureReference,
    QuestionReference,
    answers_in_words,
    default_in_words,
    references,
)

MARK = "<!-- Written by make reference from the code; do not edit. -->"
COMMON = 4
"""A question that this many procedures of a chapter ask stands only at the end of its page."""

CHAPTER_TITLES = {"duel_of_wits": "Duel of Wits", "die_of_fate": "Die of Fate"}


def pages() -> dict[str, str]:
    """Every page by its path."""
    found = {"docs/reference.md": "\n".join(_index()) + "\n"}
    for game in games().values():
        every = references(game)
        for chapter in dict.fromkeys(each.chapter for each in every):
            page = "\n".join(_chapter(game, chapter, every))
            found[path_of(game.name, chapter)] = re.sub(r"\n{3,}", "\n\n", f"{page}\n")
    return found


def path_of(game: str, chapter: str) -> str:
    """Where the page of a chapter is."""
    if chapter == game:
        return f"docs/{game}/reference.md"
    return f"docs/{game}/reference/{chapter}.md"


def title_of(chapter: str) -> str:
    """What a chapter is called."""
    return CHAPTER_TITLES.get(chapter, chapter.replace("_", " ").capitalize())


# --- One chapter ---------------------------------------------------------------------------


def _chapter(game: Game, chapter: str, every: tuple[ProcedureReference, ...]) -> Iterator[str]:
    some = [each for each in every if each.chapter == chapter]
    title = game.title if chapter == game.name else f"{game.title}: {title_of(chapter)}"
    here = path_of(game.name, chapter)
    yield from (MARK, f"# Reference: {title}", "")
    yield f"[How to read this]({_from(here, 'docs/reference.md')})"
    yield from ("", "| procedure | what it is |", "|---|---|")
    yield from (f"| [`{each.name}`](#{each.name}) | {_cell(each.title)} |" for each in some)
    own = [question for each in some for question in _own(each)]
    times = Counter(_same(each) for each in own)
    common = {key for key, number in times.items() if number >= COMMON}
    for each in some:
        yield from _procedure(each, common, here)
    elsewhere = {
        _same(question)
        for each in every
        for question in each.questions
        if question.chapter == chapter != each.chapter
    }
    asked = (question for each in every for question in each.questions)
    shared = [
        each
        for each in _merged(question for question in asked if question.chapter == chapter)
        if _same(each) in common | elsewhere
    ]
    if shared:
        yield from ("", "## Shared questions", "")
        yield from ("Questions that many procedures of this chapter, or of others, ask.", "")
        yield from _question_table(shared)


def _own(procedure: ProcedureReference) -> list[QuestionReference]:
    return [each for each in procedure.questions if each.chapter == procedure.chapter]


Same = tuple[str, str, tuple[str, ...]]


def _same(question: QuestionReference) -> Same:
    return question.key, question.answer, question.seats


def _merged(questions: Iterable[QuestionReference]) -> Iterator[QuestionReference]:
    """The questions of several procedures, those of one key, kind and seat together."""
    found: dict[Same, QuestionReference] = {}
    for each in questions:
        known = found.setdefault(_same(each), each)
        found[_same(each)] = msgspec.structs.replace(
            known,
            rules=tuple(dict.fromkeys((*known.rules, *each.rules))),
            defaults=(
                *known.defaults,
                *(one for one in each.defaults if one not in known.defaults),
            ),
            can_lack_default=known.can_lack_default or each.can_lack_default,
            default_varies=known.default_varies or each.default_varies,
        )
    yield from found.values()


def _procedure(procedure: ProcedureReference, common: set[Same], here: str) -> Iterator[str]:
    yield from ("", f"## {procedure.name}")
    who = " Only the GM can start it." if procedure.gm_only else ""
    yield f"**{_sentence(procedure.title)}** {procedure.about}{who}"
    if procedure.arguments_about and procedure.arguments_about != procedure.about:
        yield from ("", procedure.arguments_about)
    if procedure.rules:
        yield from ("", f"Rules: {', '.join(f'`{each}`' for each in procedure.rules)}.")
    if procedure.arguments:
        yield from ("", "| argument | type | default | meaning |", "|---|---|---|---|")
        for each in procedure.arguments:
            default = "**needed**" if each.required else each.default
            yield f"| `{each.name}` | {_cell(each.type)} | {default} | {_cell(each.meaning)} |"
    yield from _questions(procedure, common, here)
    yield ""
    if not procedure.outcome:
        yield "The outcome has no fields."
        return
    if procedure.outcome_about:
        yield from (procedure.outcome_about, "")
    yield from ("| outcome | type | meaning |", "|---|---|---|")
    for field in procedure.outcome:
        yield f"| `{field.name}` | {_cell(field.type)} | {_cell(field.meaning)} |"


def _questions(procedure: ProcedureReference, common: set[Same], here: str) -> Iterator[str]:
    yield ""
    if not procedure.questions:
        yield "It asks nothing."
        return
    own = _own(procedure)
    alone = [each for each in own if _same(each) not in common]
    if alone:
        yield from _question_table(alone)
    shared = [each.key for each in own if _same(each) in common]
    if shared:
        yield from ("", f"[Shared questions](#shared-questions): {_keys(shared)}.")
    others = [each for each in procedure.questions if each.chapter != procedure.chapter]
    for chapter in dict.fromkeys(each.chapter for each in others):
        page = _from(here, path_of(procedure.game, chapter))
        link = f"[{title_of(chapter)}]({page}#shared-questions)"
        keys = [each.key for each in others if each.chapter == chapter]
        yield from ("", f"Questions of {link}: {_keys(keys)}.")


def _question_table(questions: Iterable[QuestionReference]) -> Iterator[str]:
    yield "| key | who | answer | default | kind | rule | question |"
    yield "|---|---|---|---|---|---|---|"
    for each in questions:
        default = default_in_words(each)
        cells = (
            f"`{each.key}`",
            " or ".join(each.seats),
            answers_in_words(each),
            "**needed**" if default == "needed" else default,
            each.kind,
            ", ".join(f"`{rule}`" for rule in each.rules),
            each.prompt,
        )
        yield f"| {' | '.join(map(_cell, cells))} |"


# --- All chapters --------------------------------------------------------------------------


def _index() -> Iterator[str]:
    yield from (MARK, *INTRODUCTION.read_text(encoding="utf-8").splitlines(), "")
    for game in games().values():
        every = references(game)
        yield from ("", f"## {game.title}")
        yield from ("| chapter | procedures |", "|---|---|")
        for chapter in dict.fromkeys(each.chapter for each in every):
            page = path_of(game.name, chapter).removeprefix("docs/")
            some = (each for each in every if each.chapter == chapter)
            named = ", ".join(f"[`{each.name}`]({page}#{each.name})" for each in some)
            title = game.title if chapter == game.name else title_of(chapter)
            yield f"| [{title}]({page}) | {named} |"


INTRODUCTION = Path(__file__).with_name("introduction.md")
"""How to read the reference; the list of chapters follows it."""


# --- Markdown ------------------------------------------------------------------------------


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def _sentence(text: str) -> str:
    return text if text.endswith((".", "?", "!")) else f"{text}."


def _keys(keys: Iterable[str]) -> str:
    return ", ".join(f"`{each}`" for each in dict.fromkeys(keys))


def _from(here: str, there: str) -> str:
    """A link from one page to another."""
    up = len(PurePosixPath(here).parent.parts)
    common = 0
    for one, other in zip(
        PurePosixPath(here).parent.parts, PurePosixPath(there).parts, strict=False
    ):
        if one != other:
            break
        common += 1
    return "/".join([".."] * (up - common) + list(PurePosixPath(there).parts[common:]))
