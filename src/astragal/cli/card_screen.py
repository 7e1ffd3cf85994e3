"""A card at the terminal: everything before the dice on one screen, and one key to roll."""

from __future__ import annotations

import sys
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import msgspec
from rich.console import Console
from rich.text import Text

from astragal.cli.charts import percent
from astragal.cli.terminal import Terminal, whole_number
from astragal.cli.transcript import seat_name
from astragal.errors import Refusal
from astragal.play import (
    Answer,
    Answerer,
    Ask,
    Card,
    CardLine,
    Session,
    Tally,
    answer_in_words,
    card_of,
    exact,
)

WIDEST_PROMPT = 46
SHOW_ALL = "+"

Wanted = Callable[[Any], bool | None]
"""Whether an outcome is the one that is wanted, where a game can tell."""


class TypedAnswer(msgspec.Struct, frozen=True):
    """What was said beforehand, or typed in, for one line."""

    answer: Any


Line = CardLine[TypedAnswer]


class CardScreen:
    """Shows the card of a session, takes changes line by line, and answers all of it at once."""

    def __init__(
        self,
        console: Console,
        wanted: Wanted,
        given: Callable[[Ask], TypedAnswer | None],
        otherwise: Answerer,
    ) -> None:
        """``given`` is what was said beforehand for a question, if anything was.

        ``otherwise`` answers what comes after the dice, for the odds.
        """
        self._console = console
        self._wanted = wanted
        self._given = given
        self._otherwise = otherwise
        self._typed: dict[tuple[str, str, str], TypedAnswer] = {}
        self._said: dict[tuple[str, str, str], Any] = {}
        self._unfolded = False

    def release(self, session: Session[Any]) -> None:
        """Have the card of a session filled in, and answer every line of it."""
        while True:
            card = card_of(session, self._draft_for, self._said)
            if card.refusal is not None:
                raise card.refusal
            shown = self._show(card, session)
            word = self._key(card, len(shown))
            if word == SHOW_ALL:
                self._unfolded = True
            elif word:
                self._change(shown[int(word) - 1], session)
            elif card.open_lines:
                self._change(card.open_lines[0], session)
            else:
                break
        for line in card.lines:
            self._said[line.ask.seat, line.ask.key, line.ask.prompt] = line.answer
            session.answer(line.ask.seat, line.answer)
        self._typed.clear()

    def _draft_for(self, ask: Ask) -> TypedAnswer | None:
        typed = self._typed.get((ask.seat, ask.key, ask.prompt))
        return self._given(ask) if typed is None else typed

    def _show(self, card: Card[TypedAnswer], session: Session[Any]) -> list[Line]:
        """Print the lines with their numbers; those that are hardly ever wanted on demand."""
        folded = [line for line in card.lines if _is_folded(line) and not self._unfolded]
        shown = [line for line in card.lines if line not in folded]
        width = min(WIDEST_PROMPT, max((len(_asked(line)) for line in shown), default=0))
        page = Text("\n")
        for number, line in enumerate(shown, start=1):
            said = "?" if line.is_open else answer_in_words(line.ask, line.answer)
            said = said.removeprefix(f"{line.ask.key.replace('_', ' ')}: ")
            style = "bold red" if line.is_open else "bold" if line.draft is not None else ""
            page.append(f"{number:>3}  ", "cyan")
            page.append(f"{_asked(line)[:width]:<{width}}  ")
            page.append(f"{said or 'none'}\n", style)
        if folded:
            defaults = "1 default" if len(folded) == 1 else f"{len(folded)} defaults"
            page.append(f"     and {defaults} ({SHOW_ALL} to show)\n", "dim")
        page.append_text(self._odds(card, session))
        self._console.print(page, end="")
        return shown

    def _odds(self, card: Card[TypedAnswer], session: Session[Any]) -> Text:
        """The dice, the obstacle and the chance as things are, in one line."""
        if card.open_lines or not card.rolls:
            return Text()
        outcomes = exact(session.state, self._policy(card))
        first = next(iter(outcomes.weights))
        parts = [
            f"{value.total}D" if name == "dice" else f"{name} {value.total}"
            for name in ("dice", "obstacle", "dn", "target")
            if isinstance(value := getattr(first, name, None), Tally)
        ]
        if all(self._wanted(outcome) is not None for outcome in outcomes.weights):
            chance: Fraction = outcomes.where(lambda outcome: bool(self._wanted(outcome)))
            parts.append(f"{percent(chance)} to succeed")
        return Text(f"     {'   '.join(parts)}\n", "bold green")

    def _policy(self, card: Card[TypedAnswer]) -> Callable[[Ask], Answer]:
        answers: dict[tuple[str, str, str], Answer] = {
            (line.ask.seat, line.ask.key, line.ask.prompt): line.answer for line in card.lines
        }

        def answer(ask: Ask) -> Answer:
            line = ask.seat, ask.key, ask.prompt
            return answers[line] if line in answers else self._otherwise(ask)

        return answer

    def _key(self, card: Card[TypedAnswer], lines: int) -> str:
        """What is typed: the number of a line, the sign that shows all, or nothing."""
        go = "Enter to roll" if card.rolls else "Enter to continue"
        if card.open_lines:
            go = f"Enter for {card.open_lines[0].ask.prompt}"
        while True:
            self._console.print(Text(f"  {go}, or the number of a line:", "dim"), end=" ")
            typed = sys.stdin.readline()
            if not typed:
                raise Refusal(
                    "The input ended before the roll. Press Enter to roll, or use --no-ask."
                )
            word = typed.strip()
            number = whole_number(word)
            if word in ("", SHOW_ALL) or (isinstance(number, int) and 1 <= number <= lines):
                return word
            self._console.print(Text(f"  {word!r} is not valid: expected 1 to {lines}", "red"))

    def _change(self, line: Line, session: Session[Any]) -> None:
        ask = line.ask
        chance = self._chance_with(line, session)
        answer = Terminal(self._console, chance)(ask)
        self._typed[ask.seat, ask.key, ask.prompt] = TypedAnswer(answer)

    def _chance_with(self, line: Line, session: Session[Any]) -> Callable[[Answer], Any]:
        """The chance of what is wanted with each answer to a line, where that can be told."""
        ask = line.ask

        def chance(answer: Answer) -> Fraction | None:
            supposed = {(ask.seat, ask.key, ask.prompt): TypedAnswer(answer)}
            typed, self._typed = self._typed, {**self._typed, **supposed}
            try:
                card = card_of(session, self._draft_for, self._said)
            finally:
                self._typed = typed
            if card.refusal is not None or card.open_lines or not card.rolls:
                return None
            outcomes = exact(session.state, self._policy(card))
            if any(self._wanted(outcome) is None for outcome in outcomes.weights):
                return None
            found: Fraction = outcomes.where(lambda outcome: bool(self._wanted(outcome)))
            return found

        return chance


def _is_folded(line: Line) -> bool:
    return line.ask.kind in ("aside", "consent") and line.draft is None and not line.is_open


def _asked(line: Line) -> str:
    return f"{seat_name(line.ask.seat)}: {line.ask.prompt}"
