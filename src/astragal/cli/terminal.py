"""Asking people at a terminal: every kind of question, once, for every game.

The same person may speak for several seats; each question says whose it is. A wrong answer
is refused with what was expected, and asked again; nothing is lost.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from rich.console import Console
from rich.text import Text

from astragal.cli.charts import percent
from astragal.cli.transcript import seat_name
from astragal.errors import BadInput
from astragal.play import (
    Answer,
    Ask,
    Faces,
    Number,
    Option,
    PickOne,
    PickSeveral,
    Question,
    Script,
    Split,
    Unanswered,
    YesNo,
)
from astragal.play import Text as TextQuestion

ChanceOf = Callable[[Answer], Fraction | None]
"""The chance of what is wanted if a question is answered so, where that can be told."""


class Terminal:
    """An answerer that asks the person at the terminal."""

    def __init__(self, console: Console, odds: ChanceOf | None = None) -> None:
        """Ask on this console, with the odds in view if they can be had."""
        self._console = console
        self._odds = odds

    def __call__(self, ask: Ask) -> Answer:
        """Put the question until the answer fits."""
        self._console.print(self._card(ask))
        while True:
            self._console.print(Text(_hint(ask.question), style="dim"), end=" ")
            line = sys.stdin.readline()
            if not line:
                raise Unanswered(ask)
            try:
                return self._parsed(ask, line.strip())
            except BadInput as bad:
                self._console.print(
                    Text(f"  {bad.value!r} is not valid: expected {bad.expected}", "red")
                )

    def _parsed(self, ask: Ask, line: str) -> Answer:
        if not line and ask.question.default is not None:
            default: Answer = ask.question.default
            return default
        answer: Answer = ask.question.check(parse_answer(ask.question, line), ask.key)
        return answer

    def _card(self, ask: Ask) -> Text:
        card = Text.assemble(
            ("\n", ""), (seat_name(ask.seat), "bold cyan"), (": ", ""), (ask.prompt, "bold")
        )
        card.append(f"  [{ask.because}]", style="dim")
        options = _options(ask.question)
        chances = [self._chance(answer) for _, answer in options]
        now = None if ask.question.default is None else self._chance(ask.question.default)
        # The same odds whatever is answered say nothing.
        telling = len({*chances, now} if now is not None else set(chances)) > 1
        numbered = not isinstance(ask.question, Number)
        for index, ((option, _), chance) in enumerate(zip(options, chances, strict=True), start=1):
            card.append(f"\n  {index if numbered else option.key:>2}  {option.label}")
            for detail in (option.cost, option.note):
                if detail:
                    card.append(f"  ({detail})", style="dim")
            if chance is not None and telling:
                card.append(f"  {percent(chance)}", style="bold green")
        if now is not None and 0 < now < 1:
            card.append(f"\n  by default: {percent(now)}", style="green")
        return card

    def _chance(self, answer: Answer) -> Fraction | None:
        return None if self._odds is None else self._odds(answer)


def parse_answer(question: Question[Any], text: str) -> object:
    """What somebody typed, as an answer of the kind the question wants."""
    words = [word.strip() for word in text.split(",") if word.strip()]
    match question:
        case YesNo():
            known = dict.fromkeys(("yes", "y", "true", "1"), True)
            known |= dict.fromkeys(("no", "n", "false", "2"), False)
            return known.get(text.casefold(), text)
        case PickOne(options=options):
            return _key(text, options)
        case PickSeveral(options=options):
            return () if text.casefold() == "none" else tuple(_key(word, options) for word in words)
        case Script(openers=openers, cards=cards):
            return tuple(_key(word, (*openers, *cards)) for word in words)
        case Number():
            return whole_number(text)
        case Split() | Faces():
            parts = text.replace(",", " ").split()
            return tuple(whole_number(part) for part in parts)
        case TextQuestion():
            return text
    raise TypeError(f"{type(question).__name__} is not a kind of question")


def whole_number(text: str) -> int | str:
    """A number as people type it, within reason; anything else as it stands."""
    return int(text) if re.fullmatch(r"[+-]?[0-9]{1,18}", text) else text


def _key(word: str, options: tuple[Option, ...]) -> str:
    """An option by its key, whatever the capitals, or by its number in the list."""
    for option in options:
        if option.key.casefold() == word.casefold():
            return option.key
    number = whole_number(word)
    if isinstance(number, str):
        return word
    if not 1 <= number <= len(options):
        raise BadInput("option", word, f"a number from 1 to {len(options)}, or a name")
    return options[number - 1].key


def _options(question: Question[Any]) -> list[tuple[Option, Answer]]:
    """What can be listed, with the answer that taking just that would be."""
    match question:
        case PickOne(options=options):
            return [(option, option.key) for option in options]
        case PickSeveral(options=options):
            return [(option, (option.key,)) for option in options]
        case Script(openers=openers, cards=cards):
            return [(card, (card.key,)) for card in (*openers, *cards)]
        case YesNo():
            return [(Option("yes", "yes"), True), (Option("no", "no"), False)]
        case Number(least=least, most=most, names=names) if most - least < 10 or names:
            known = dict(names)
            listed = sorted(known) if names else range(least, most + 1)
            return [(Option(str(n), known.get(n, "")), n) for n in listed]
    return []


def _hint(question: Question[Any]) -> str:
    match question:
        case YesNo():
            wanted = "yes or no"
        case PickOne():
            wanted = "one, by number or name"
        case PickSeveral(write_in=True):
            wanted = "any, by number or name, or in your own words, comma-separated"
        case PickSeveral():
            wanted = "any, by number or name, comma-separated"
        case Number(least=least, most=most):
            wanted = f"a number, {least} to {most}"
        case Split(amount=amount, pools=pools, all_of_it=all_of_it):
            names = ", ".join(pool.label for pool in pools)
            limit = "" if all_of_it else "at most "
            wanted = f"{len(pools)} numbers ({names}), {limit}{amount} in total"
        case Script(slots=slots, openers=openers):
            first = " (each volley begins with one of the first cards)" if openers else ""
            wanted = f"{slots} cards in order, comma-separated{first}"
        case Faces(count=count, sides=sides):
            wanted = f"the faces of {count}d{sides}"
        case _:
            wanted = "in your own words"
    default = question.default
    if default is None:
        return f"  {wanted}:"
    if isinstance(default, bool):
        default = "yes" if default else "no"
    if isinstance(default, tuple):
        default = ", ".join(map(str, default))
    return f"  {wanted} (default: {'none' if default == '' else default}):"
