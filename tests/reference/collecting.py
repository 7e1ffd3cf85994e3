"""The questions of a game as the reference lists them: what the code says, made presentable.

Of one procedure the questions of one key and kind are one entry, with every seat, default and rule
that they can have. Where the code leaves the rule or the kind open, what scenarios met is taken.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

import msgspec

from astragal.games import Game, Procedure
from astragal.games.reference import OPEN, QuestionFile, QuestionReference
from reference.evaluating import Unknown
from reference.played import QuestionMet
from reference.questions import QuestionRead, QuestionReader

CHAPTERS = {
    "burning_wheel.conditions": "steel",
    "burning_wheel.conflicts.scripting": "duel_of_wits",
    "burning_wheel.pages.grayscale": "shades",
    "burning_wheel.sheet.shades": "shades",
    "burning_wheel.tests.die_of_fate": "die_of_fate",
}
"""Modules that belong to another chapter than the folder they are in says."""

PLAYERS = frozenset({"character", "name", "by", "side", "speaker", "agent", OPEN})
"""What the code calls a character whose player is just the player."""

NAMES = {
    "sheet": "name",
    "rated": "ability",
    "tested": "ability",
    "ask": "answer",
    "choose": "answer",
}
"""What is read where the code says something else."""


def chapter_of(module: str) -> str:
    """The chapter that a module of a game belongs to; a small game is one chapter."""
    path = module.removeprefix("astragal.games.")
    for known, chapter in CHAPTERS.items():
        if path == known or path.startswith(f"{known}."):
            return chapter
    game, *folders = path.split(".")
    if game != "burning_wheel":
        return game
    return folders[1] if folders[0] == "conflicts" else folders[0]


def question_file(game: Game, reader: QuestionReader, met: Iterable[QuestionMet]) -> QuestionFile:
    """All questions of a game, each once, and those of each procedure."""
    reasons: dict[str, set[str]] = {}
    for each in met:
        if each.game == game.name:
            reasons.setdefault(each.ask.key, set()).add(each.ask.because)
    ids: dict[QuestionReference, str] = {}
    procedures: dict[str, Any] = {}
    for procedure in game.procedures.values():
        entries = _entries(procedure, reader, reasons)
        asked = [ids.setdefault(each, _id(each, ids)) for each in entries]
        chapter = chapter_of(procedure.run.__module__)
        procedures[procedure.name] = {"chapter": chapter, "questions": asked}
    questions = {name: each for each, name in ids.items()}
    return msgspec.convert({"procedures": procedures, "questions": questions}, QuestionFile)


def is_meant(entry: QuestionReference, key: str) -> bool:
    """Whether an entry is about a question of this key, also where only play completes its own."""
    return entry.key == key or (
        OPEN in entry.key and _open_key(entry.key).fullmatch(key) is not None
    )


@cache
def _open_key(key: str) -> re.Pattern[str]:
    return re.compile(".+".join(map(re.escape, key.split(OPEN))))


def _id(question: QuestionReference, ids: dict[QuestionReference, str]) -> str:
    if question in ids:
        return ids[question]
    plain = f"{question.chapter}.{question.key}"
    same = sum(1 for name in ids.values() if name == plain or name.startswith(f"{plain}~"))
    return f"{plain}~{same + 1}" if same else plain


def _entries(
    procedure: Procedure, reader: QuestionReader, reasons: dict[str, set[str]]
) -> Iterator[QuestionReference]:
    """The questions of a procedure; ``reasons`` are the rules behind those met in play, by key."""
    groups: dict[tuple[str, ...], list[QuestionRead]] = {}
    for read in reader.of(procedure):
        place = (chapter_of(read.place), _opened(read.key), read.answer, read.kind)
        groups.setdefault(place, []).append(read)
    for (chapter, key, answer, kind), reads in groups.items():
        defaults = [each.default for each in reads]
        known = [each for each in defaults if each is not None and not isinstance(each, Unknown)]
        entry = QuestionReference(
            key,
            chapter,
            answer,
            tuple(dict.fromkeys(_seat(each) for each in reads)),
            _prompt([each.prompt for each in reads]),
            (),
            tuple({repr(each): each for each in known}.values()),
            any(each is None for each in defaults),
            any(isinstance(each, Unknown) for each in defaults),
            tuple(dict.fromkeys(option for each in reads for option in each.options)),
            all(each.all_options for each in reads),
            kind,
        )
        met = (why for key, why in reasons.items() if is_meant(entry, key))
        yield msgspec.structs.replace(entry, rules=tuple(_rules(reads, met)))


def _rules(reads: list[QuestionRead], met: Iterable[set[str]]) -> Iterator[str]:
    known = dict.fromkeys(str(each.rule) for each in reads if each.rule)
    yield from (rule for rule in known if "<" not in rule)
    if any("<" in rule for rule in known):
        yield from sorted(set().union(*met) - {*known, ""})


def _seat(read: QuestionRead) -> str:
    if read.seat == "gm":
        return "GM"
    if read.is_of_several:
        return "everyone at once"
    whose = read.seat.partition("seat of ")[2]
    return whose if whose and whose not in PLAYERS else "player"


def _opened(text: str) -> str:
    """A key with a mark for what only play decides."""
    return re.sub(r"<[^<>]*>", OPEN, text)


def _prompt(prompts: list[str]) -> str:
    """The first prompt that says something, with the names of what is filled in."""
    text = next((each for each in prompts if not re.fullmatch(r"<[^<>]*>", each)), "")
    text = re.sub(r"<(?:\w+ of )?([^<>]*)>", lambda found: _blank(found[1]), text)
    return " ".join(text.split())


def _blank(label: str) -> str:
    words = NAMES.get(label, label).strip("_").replace("_", " ")
    return OPEN if words == OPEN else f"{{{words.lower()}}}"
