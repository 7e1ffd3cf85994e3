"""What a table has besides the game: handouts, portraits, saved tests."""

from __future__ import annotations

from typing import Any

from astragal.errors import BadInput, Refusal
from astragal.play import GM
from astragal.table.commands import commands as do
from astragal.table.commands.seat import Forbidden, SeatAt
from astragal.table.log import events as happened
from astragal.table.log.events import AnyEvent
from astragal.table.log.fold import saved_key
from astragal.table.running.votes import procedure_of

MOST_HANDOUTS = 200
MOST_SAVED = 40
"""How many tests and obstacles one seat may save."""
MOST_OB = 30


def handout_shown(at: SeatAt, command: do.ShowHandout) -> AnyEvent:
    """A new handout, or a change of one."""
    handouts = at.campaign.handouts
    title, text = command.title.strip(), command.text.strip()
    if not title:
        raise BadInput("title", command.title, "a title")
    if not text and not command.image:
        raise BadInput("text", command.text, "a text or an image")
    if command.everyone and command.to:
        raise BadInput("to", command.to, "nobody in particular, if it is for everyone")
    for seat in command.to:
        if seat not in at.campaign.chairs:
            raise BadInput("to", seat, f"one of {', '.join(at.campaign.chairs)}")
    if command.id not in handouts and len(handouts) >= MOST_HANDOUTS:
        raise Refusal(f"There are already {MOST_HANDOUTS} handouts. Remove one first.")
    audience = () if command.everyone else tuple(dict.fromkeys((GM, *command.to)))
    event = happened.HandoutShown(command.id, title, text, command.image, audience)
    had = handouts.get(command.id)
    if had is not None and (had.title, had.text, had.image, had.audience) == (
        event.title,
        event.text,
        event.image,
        event.audience,
    ):
        raise Refusal("This handout is already like that. Nothing was changed.")
    return event


def handout_removed(at: SeatAt, command: do.RemoveHandout) -> AnyEvent:
    """A handout is there no longer."""
    had = at.campaign.handouts.get(command.id)
    if had is None:
        known = ", ".join(at.campaign.handouts) or "there are none"
        raise BadInput("id", command.id, f"a handout: {known}")
    return happened.HandoutRemoved(had.id, had.title, had.audience)


def portrait_changed(at: SeatAt, command: do.ChangePortrait) -> AnyEvent:
    """A character looks like this; a hidden one to those who know of it."""
    key = at.character(command.character)
    if not at.plays(key) and not at.is_gm:
        raise Forbidden(f"{at.name(key)} is not your character. Ask the GM.")
    there = at.standing.characters[key]
    if there.portrait == command.image:
        expected = "a different image: it is already set to this"
        raise BadInput("image", command.image, expected)
    audience = at.hidden.sheets[key] if there.hidden else ()
    return happened.PortraitChanged(key, command.image, at.name(key), audience)


def saved_or_removed(at: SeatAt, command: do.SaveTest) -> AnyEvent:
    """A test is saved for its seat alone, or removed."""
    name, key = command.name.strip(), saved_key(at.seat, command.id)
    there = at.campaign.saved
    if not name:
        if key not in there:
            raise BadInput("name", command.name, "a name: there is no such saved test")
        return happened.TestSaved(command.id)
    if command.procedure:
        procedure_of(at.game, command.procedure)
    else:
        _check_obstacle(command.arguments)
    mine = sum(each.seat == at.seat for each in there.values())
    if key not in there and mine >= MOST_SAVED:
        raise Refusal(f"You already have {MOST_SAVED} saved tests. Remove one first.")
    return happened.TestSaved(command.id, name, command.procedure, command.arguments)


def _check_obstacle(arguments: dict[str, Any]) -> None:
    """Without a procedure it is an obstacle that is set in advance, to be put on a card."""
    number = arguments.get("obstacle")
    if set(arguments) != {"obstacle"} or type(number) is not int or not 1 <= number <= MOST_OB:
        expected = f"a procedure, or just an obstacle from 1 to {MOST_OB}"
        raise BadInput("arguments", arguments, expected)
