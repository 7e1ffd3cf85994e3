"""Initiative: bidding actions in order to go first.

A section of the chapter on Fight! (``conflicts/fight/fight``). When the exchange opens and nobody
has announced anything, anybody may say aloud that he bids.
"""

from __future__ import annotations

from astragal.errors import BadInput
from astragal.play import Number, Option, PickSeveral, Step, all_foregone, ask, choose, note

from ...sheet.words import counted
from .cards import label_of
from .forfeits import Scripts, plan_for, wants_changes, with_plan, without_action
from .script import Plan, actions_of, spreads
from .state import Fight

BID = "bid"
"""The key of the question for a bid; its default is to bid no more."""


def most_bid(fight: Fight, character: str) -> int:
    """Nobody bids more than Reflexes minus one (fight.initiative.maximum)."""
    fighter = fight.fighter(character)
    if fighter.is_hesitating or fighter.waits is not None:
        return 0
    return max(0, actions_of(fight, character) - 1)


def bid(fight: Fight) -> Step[dict[str, int]]:
    """Bids and counterbids, until nobody raises any more.

    Asked for when the GM calls the first volley (fight.sequence.2_first_volley).
    A counterbid cancels the bid, and both cost an action (fight.initiative.counterbid); bids are
    raised in turn (fight.initiative.escalate).
    """
    if (yield from all_foregone(BID)):  # whoever is asked
        return {}
    bids: dict[str, int] = {}
    for each in fight.standing:
        if most_bid(fight, each.character) and (yield from wants_changes(fight, each.character)):
            made = yield from _ask_bid(fight, each.character, bids)
            if made:
                bids[each.character] = made
    raised = bool(bids)
    while raised:
        raised = False
        for each in fight.standing:
            own, best = bids.get(each.character, 0), max(bids.values())
            leads = own == best and list(bids.values()).count(best) == 1
            if leads or most_bid(fight, each.character) <= own:
                continue
            made = yield from _ask_bid(fight, each.character, bids)
            if made > own:
                bids[each.character] = made
                raised = True
    return bids


def _ask_bid(fight: Fight, character: str, bids: dict[str, int]) -> Step[int]:
    own, most = bids.get(character, 0), most_bid(fight, character)
    standing = ", ".join(f"{fight.name(who)} {many}" for who, many in bids.items())
    said = f" (bids: {standing})" if standing else ""
    made: int = yield from ask(
        fight.seat(character),
        BID,
        f"{fight.name(character)}: actions bid to go first{said}",
        Number(
            least=own,
            most=most,
            names=tuple((n, counted(n, "action") if n else "No bid") for n in range(own, most + 1)),
            default=own,
        ),
        because="fight.initiative.bid",
        kind="offered" if bids else "aside",  # whoever is outbid is asked whether to raise
    )
    return made


def winner_of(bids: dict[str, int]) -> str:
    """Who has bid the most; after a tie nobody goes first (fight.amb.bid_script).

    >>> winner_of({"a": 2, "b": 1}), winner_of({"a": 1, "b": 1})
    ('a', '')
    """
    best = max(bids.values(), default=0)
    leading = [who for who, many in bids.items() if many == best]
    return leading[0] if len(leading) == 1 else ""


def pay_bids(fight: Fight, scripts: Scripts, bids: dict[str, int]) -> Step[Scripts]:
    """Each bid costs an action, winning or not (fight.initiative.cost, fight.amb.bid_script)."""
    for character, many in bids.items():
        text = f"{fight.name(character)} bids {counted(many, 'action')}."
        yield from note(text, "fight.initiative.cost")
        plan = yield from _strike_out(fight, character, plan_for(scripts, character), many)
        scripts = with_plan(scripts, character, plan)
    return scripts


def _strike_out(fight: Fight, character: str, plan: Plan, many: int) -> Step[Plan]:
    """The bidder strikes actions of his choice; what is left must be an even spread.

    fight.amb.bid_script; a struck action is Stand and Drool (fight.initiative.slots_lost).
    """
    places = {
        f"{volley}.{place}": (volley, place, cards)
        for volley, planned in enumerate(plan, 1)
        for place, cards in enumerate(planned.slots, 1)
    }
    default = _last_places(plan, many)
    rule = "fight.amb.bid_script"
    options = tuple(
        Option(key, f"Volley {v}, action {p}: {', '.join(label_of(c) for c in cards)}", rule)
        for key, (v, p, cards) in places.items()
    )
    chosen = yield from ask(
        fight.seat(character),
        "struck",
        f"{fight.name(character)}: which {counted(many, 'action')} to give up?",
        PickSeveral(options=options, least=many, most=many, default=default),
        because=rule,
        secret=True,
    )
    left = tuple(
        len(planned.slots) - sum(key.startswith(f"{volley}.") for key in chosen)
        for volley, planned in enumerate(plan, 1)
    )
    if left not in spreads(sum(left)):
        allowed = " or ".join("/".join(map(str, spread)) for spread in spreads(sum(left)))
        expected = f"actions left in the volleys as {allowed}"
        raise BadInput("struck", "/".join(map(str, left)), expected, "fight.reflexes.even_division")
    for key in chosen:
        volley, place, _ = places[key]
        plan = without_action(plan, volley, place)
    return plan


def _last_places(plan: Plan, many: int) -> tuple[str, ...]:
    """The last actions that can be struck so that the rest is spread evenly."""
    slots = [len(planned.slots) for planned in plan]
    struck: list[str] = []
    for _ in range(many):
        most = max(slots)
        volley = max(at for at, count in enumerate(slots) if count == most)
        struck.append(f"{volley + 1}.{slots[volley]}")
        slots[volley] -= 1
    return tuple(sorted(struck))


def before_positioning(fight: Fight) -> Step[bool]:
    """Whether the quick action comes before the positioning tests.

    fight.initiative.position_choice.
    """
    said = yield from choose(
        fight.seat(fight.quick),
        "quick_action",
        f"{fight.name(fight.quick)} goes first: before or after positioning?",
        {"before": "Before positioning", "after": "After positioning"},
        default="after",
        because="fight.initiative.position_choice",
    )
    return said == "before"
