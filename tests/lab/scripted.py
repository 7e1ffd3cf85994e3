"""What can be scripted, read a second time: for scripts that a program has written."""

from __future__ import annotations

from astragal.play import Script

POSITIONING = {"close", "maintain", "withdraw", "stay"}


def can_be_scripted(question: Script, cards: tuple[str, ...]) -> bool:
    """Whether somebody may write these cards in answer to this question.

    In a Fight! a positioning card begins each of three volleys, the actions are divided as evenly
    as can be, and a Great Strike comes directly after its Set; in a skirmish there is one maneuver
    for each volley that is not lost.
    """
    offered = {option.key for option in (*question.openers, *question.cards)}
    barred = {option.key for option in question.barred}
    if question.check(cards) != cards or not set(cards) <= offered - (barred - offered):
        return False
    if not question.openers:
        return len(cards) == question.slots
    starts = [at for at, card in enumerate(cards) if card in POSITIONING]
    many = [end - start - 1 for start, end in zip(starts, [*starts[1:], len(cards)], strict=True)]
    acts = [card for card in cards if card not in POSITIONING]
    is_set = all(
        acts[at - 1] == "great_strike_set" for at, card in enumerate(acts) if card == "great_strike"
    )
    return len(starts) == 3 and starts[0] == 0 and max(many) - min(many) <= 1 and is_set
