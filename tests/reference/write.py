"""`make reference`: read the questions from the code again, and write the reference with them."""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path

if __name__ == "__main__":  # run as a script, when pytest has not put tests on the path
    sys.path[0] = str(Path(__file__).parents[1])

import msgspec

from astragal.games import Game, games
from astragal.games.reference import QuestionFile, question_file
from reference import collecting
from reference.pages import pages
from reference.played import questions_met
from reference.questions import QuestionReader
from reference.sources import Sources

ROOT = Path(__file__).parents[2]


@cache
def reader() -> QuestionReader:
    """All questions of all games, read from the code."""
    return QuestionReader(Sources())


def question_files() -> dict[str, QuestionFile]:
    """The questions of every game as the code has them, by the game's name."""
    met = tuple(questions_met())
    return {
        name: collecting.question_file(game, reader(), met)
        for name, game in sorted(games().items())
    }


def path_of(game: Game) -> Path:
    """Where the questions of a game are kept."""
    return ROOT / "src" / Path(*game.package.split(".")) / "questions.json"


def as_text(file: QuestionFile) -> str:
    """The file with one line for each procedure and each question."""
    lines = ["{", '"procedures": {']
    lines += _lines({name: msgspec.to_builtins(each) for name, each in file.procedures.items()})
    lines += ["},", '"questions": {']
    lines += _lines({name: msgspec.to_builtins(each) for name, each in file.questions.items()})
    return "\n".join([*lines, "}", "}", ""])


def _lines(entries: dict[str, object]) -> list[str]:
    written = [
        f"{msgspec.json.encode(name).decode()}: {msgspec.json.encode(each).decode()}"
        for name, each in entries.items()
    ]
    return [*(f"{line}," for line in written[:-1]), *written[-1:]]


def main() -> None:
    """Write everything that has changed."""
    for name, file in question_files().items():
        path_of(games()[name]).write_text(as_text(file), encoding="utf-8")
    question_file.cache_clear()
    for path, text in pages().items():
        (ROOT / path).parent.mkdir(parents=True, exist_ok=True)
        (ROOT / path).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
