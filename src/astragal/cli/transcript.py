"""A played procedure as a story: what was said, decided, rolled and changed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from astragal.dice import Count, Expression, OpenEnded, Pool, Rolled, Shade
from astragal.play import (
    GM,
    Ask,
    Change,
    DecisionEvent,
    PickOne,
    PickSeveral,
    Roll,
    RollEvent,
    Seat,
    SessionEvent,
    Tally,
    Tell,
)


def transcript(events: Iterable[SessionEvent], *, with_rules: bool = False) -> RenderableType:
    """The whole story, one line for each thing that happened, indented as a block.

    ``with_rules`` names the rules behind each of them, where there are any, and at the end all
    that applied: dice and verdicts have none of their own, and what was only the default is not
    told.
    """
    lines = []
    applied: dict[str, None] = {}
    for event in events:
        rules = rules_behind(event) if with_rules else ()
        applied |= dict.fromkeys(rules)
        line = told(event)
        if line is None:
            continue
        if rules and not isinstance(event, Change):  # a change has it already
            line.append(f"  [{', '.join(rules)}]", style="dim")
        lines.append(line)
    if applied:
        lines.append(Text(f"Rules: {', '.join(applied)}", style="dim"))
    return Padding(Group(*lines), (0, 0, 0, 2))


def rules_behind(event: SessionEvent) -> tuple[str, ...]:
    """The ids of the rules by which something happened: of a pool those of its every line."""
    found: list[str] = []
    match event:
        case Tell(fact=fact):
            found.append(str(getattr(fact, "rule", "")))
            for name in fact.__struct_fields__:
                if isinstance(tally := getattr(fact, name), Tally):
                    found += tally.rules
        case DecisionEvent(ask=ask):
            found.append(ask.because)
        case Change(because=because):
            found.append(because)
    return tuple(dict.fromkeys(filter(None, found)))


def told(event: SessionEvent) -> Text | None:
    """One line of the story, or nothing for what was only the default."""
    match event:
        case Tell(fact=fact):
            return Text(f"{fact.sentence()}")
        case RollEvent(roll=roll, rolled=rolled):
            return _roll(roll, rolled)
        case DecisionEvent(ask=ask, answer=answer):
            if answer == ask.question.default:
                return None
            said = f"{seat_name(ask.seat)}, {ask.key.replace('_', ' ')}: {_answer(ask, answer)}"
            return Text(said, "cyan")
        case Change(target=target, path=path, before=before, after=after, because=because):
            return Text.assemble(
                (f"{target}: {path} ", "yellow"),
                (f"{_short(before)} -> {_short(after)}", "bold yellow"),
                (f"  [{because}]", "dim"),
            )


def seat_name(seat: Seat) -> str:
    """A seat as people read it."""
    return "GM" if seat == GM else seat


def _roll(roll: Roll, rolled: Rolled[Any]) -> Text:
    line = Text.assemble((f"{roll.label} ({_in_words(roll.expression)}): ", "bold"))
    line.append_text(dice(roll, rolled))
    value = rolled.value
    if isinstance(value, Count):
        plural = "" if value.successes == 1 else "es"
        line.append(f"  = {value.successes} success{plural}", style="bold")
    elif isinstance(value, int):
        line.append(f"  = {value}", style="bold")
    return line


def _in_words(expression: Expression[Any]) -> str:
    """The dice as players say them: black dice are just dice, 4D, and other shades are named."""
    if not isinstance(expression, Pool):
        notation = expression.notation
        return notation[1:-1] if notation[0] == "(" and notation[-1] == ")" else notation
    dice = [
        f"{number}D" if shade is Shade.BLACK else f"{number}D {shade.name.lower()}"
        for shade, number in expression.dice.items()
        if number
    ]
    how = "" if expression.open_ended is OpenEnded.NO else ", open-ended"
    return f"{' + '.join(dice) or '0D'}{how}"


def dice(roll: Roll, rolled: Rolled[Any]) -> Text:
    """The faces; of a pool of one shade also which of them are successes."""
    text = Text()
    shades = []
    if isinstance(roll.expression, Pool):
        shades = [shade for shade, number in roll.expression.dice.items() if number]
    for face in rolled.faces:
        if len(shades) == 1 and face >= shades[0].difficulty:
            text.append(f"[{face}] " if face == 6 else f"{face}+ ", style="bold green")
        else:
            text.append(f"{face}  ", style="dim")
    return text


def _answer(ask: Ask, answer: object) -> str:
    """An answer as people read it: what was chosen by its label, not by its key."""
    question = ask.question
    if isinstance(question, PickOne):
        return next(option.label for option in question.options if option.key == answer)
    if isinstance(question, PickSeveral) and isinstance(answer, tuple):
        labels = {option.key: option.label for option in question.options}
        return ", ".join(labels.get(str(key), str(key)) for key in answer) or "none"
    if isinstance(answer, tuple):
        return ", ".join(map(str, answer)) or "none"
    if isinstance(answer, bool):
        return "yes" if answer else "no"
    return str(answer)


def _short(value: object) -> str:
    """A value in a few words: entries of a list or a mapping by their number."""
    if isinstance(value, tuple | Mapping):
        return f"{len(value)} entries" if len(value) != 1 else "1 entry"
    if isinstance(value, msgspec.Struct):
        return type(value).__name__
    return str(value)
