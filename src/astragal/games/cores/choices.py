"""Asking somebody to pick one thing or none."""

from __future__ import annotations

from astragal.play import AskKind, Option, PickOne, Seat, Step, ask

NONE = "none"
"""The answer that picks nothing."""


def pick(
    seat: Seat,
    key: str,
    prompt: str,
    options: tuple[Option, ...],
    rule: str,
    *,
    default: str = NONE,
    kind: AskKind = "offered",
) -> Step[str]:
    """One of the options or none; without options nobody is asked."""
    if not options:
        return ""
    none = Option(key=NONE, label="None", rule=rule)
    question = PickOne(options=(none, *options), default=default)
    chosen = yield from ask(seat, key, prompt, question, because=rule, kind=kind)
    return "" if chosen == NONE else chosen
