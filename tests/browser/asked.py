"""What each seat was ever asked, read from the messages that its page received.

A line of a card is asked of its owner. What was decided is in the story of the procedure, so a
line that comes back after it was decided is known, and so is whether anything has changed since:
new cards were turned over, dice were rolled, or a new exchange began.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

from browser.people import Person


class Line(NamedTuple):
    """A question as somebody reads it."""

    procedure: str
    key: str
    prompt: str

    def __str__(self) -> str:
        return f"{self.procedure} {self.key}: {self.prompt}"


class Asked:
    """Everything that one seat was asked, and what should not have been.

    Whoever comes back on another page is still the same: the visits follow each other.
    """

    def __init__(self, seat: str, visits: Sequence[Person]) -> None:
        self.seat = seat
        self.lines: dict[Line, int] = {}
        """On how many cards each line stood, or how often it was a question of its own."""
        self.twice: list[str] = []
        self.not_theirs: list[str] = []
        self._titles: dict[str, str] = {}
        self._stories: dict[str, list[dict[str, Any]]] = {}
        self._steps: dict[str, int] = {}
        self._decided_at: dict[tuple[str, int], int] = {}
        for frame in (frame for person in visits for frame in person.frames):
            self._hears(json.loads(frame))

    def _hears(self, said: dict[str, Any]) -> None:
        for entry in said.get("log", ()):
            if entry.get("kind") == "undone":
                raise AssertionError("what was undone may be asked again: not counted here")
        for each in said.get("open") or ():
            self._follows(each, whole=said["type"] == "view")
        if said["type"] == "card":
            self._reads(said)

    def _follows(self, procedure: dict[str, Any], *, whole: bool) -> None:
        """Keep the story so far, and the questions that are open in it."""
        name = procedure["id"]
        self._titles[name] = procedure["title"]
        news = procedure["story"]
        known = [] if whole else self._stories.get(name, [])[: procedure["told"] - len(news)]
        for at in range(len(known), len(known) + len(news)):
            self._decided_at.setdefault((name, at), self._steps.get(name, -1))
        self._stories[name] = [*known, *news]
        for question in procedure["questions"]:
            if question["seat"] != self.seat:
                self.not_theirs.append(f"{self.seat} was asked {question['prompt']}")

    def _reads(self, card: dict[str, Any]) -> None:
        name = card["procedure"]
        for line in card["lines"]:
            if line["seat"] == self.seat:
                self._reads_line(name, card["step"], line)
            elif line.get("question") is not None and self.seat != "gm":
                self.not_theirs.append(f"{self.seat} could choose {line['prompt']}")
        self._steps[name] = max(card["step"], self._steps.get(name, -1))

    def _reads_line(self, name: str, step: int, line: dict[str, Any]) -> None:
        is_asked = line["kind"] in ("needed", "offered") or line.get("is_open", False)
        if not is_asked or line.get("standing", False):
            return
        asked = Line(self._titles.get(name, name), line["key"], line["prompt"])
        self.lines[asked] = self.lines.get(asked, 0) + 1
        if self._was_decided(name, step, line) and str(asked) not in self.twice:
            self.twice.append(str(asked))

    def _was_decided(self, name: str, step: int, line: dict[str, Any]) -> bool:
        """Whether it was decided already, and nothing new lies on the table since.

        A card that was on its way while something was decided has the step from before.
        """
        for at, item in reversed(list(enumerate(self._stories.get(name, [])))):
            # Dice end a test; what follows them is another, such as a Steel test after a wound.
            is_news = item.get("cards") or item["item"] == "rolled"
            if is_news or item.get("role") == "heading":
                return False
            same = item["item"] == "decided" and all(
                item[field] == line[field] for field in ("seat", "key", "prompt")
            )
            if same:
                return step > self._decided_at[name, at]
        return False
