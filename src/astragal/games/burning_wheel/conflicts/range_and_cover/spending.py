"""What a won positioning test buys: a shot, aim, cover, or another deed.

A section of the chapter on Range and Cover (``conflicts/range_and_cover/skirmish``). The prices
are in ``range_and_cover.table.action_costs``. Companions buy from one margin
(range_and_cover.amb.groups).
"""

from __future__ import annotations

from functools import cache, lru_cache

import msgspec

from astragal.play import GM, Number, Option, Step, Text, ask, call, choose, note
from astragal.rules import catalogue

from ...conditions.borne_pain import PainMethod, bearable, takes
from ...injury.shrugging_off import ClearCobwebs, GritTeeth, cobwebs, gritting, which_wound
from ...sheet.sheet import Sheet
from ...sheet.words import as_sentence, counted
from .position_dice import prayed
from .ranges import MELEE
from .shots import may_shoot, targets
from .spells_and_prayers import CAST, MagicAct, what_is_ready
from .state import MOST_COVER, Skirmish


class MarginLeft(msgspec.Struct, frozen=True):
    """The margin of a side and what an action costs it."""

    left: int
    price: int
    free_shot: bool = False

    @property
    def actions(self) -> int:
        """How many more actions it buys (range_and_cover.action.none_without_margin)."""
        return self.left // self.price

    def less(self, actions: int) -> MarginLeft:
        """What is left after some actions."""
        return msgspec.structs.replace(self, left=self.left - actions * self.price)


class Bought(msgspec.Struct, frozen=True):
    """What a side has bought: shots at whom, dice of aim and cover, and spells and prayers."""

    shots: tuple[tuple[str, str], ...] = ()
    aim: tuple[tuple[str, int], ...] = ()
    cover: int = 0
    magic: tuple[MagicAct, ...] = ()

    def aim_of(self, character: str) -> int:
        """The aiming dice that somebody has bought."""
        return dict(self.aim).get(character, 0)


@cache
def price_of(action: str, cost: int) -> int:
    """What an action costs: one success, or three in a volley of Speed Withdraw.

    range_and_cover.shot.cost_one, range_and_cover.speed_withdraw.actions_cost_three, for each die
    of aim or cover as well (range_and_cover.amb.speed_withdraw_aim_cover).

    >>> price_of("shot", 1), price_of("aim", 3)
    (1, 3)
    """
    row = catalogue().table("range_and_cover.table.action_costs").where(action=action)
    return row.number("cost_in_successes" if cost == 1 else "cost_under_speed_withdraw")


def aim_limit(sheet: Sheet) -> int:
    """How many aiming dice somebody can hold: half Perception, rounded up.

    range_and_cover.aim.cap, range_and_cover.amb.aim_carry_length.
    """
    return -(-sheet.ability("Perception").exponent // 2)


@lru_cache(256)  # odds ask for it again with every margin
def most_of_use(skirmish: Skirmish, side: int, price: int) -> int | None:
    """As much of a margin as a side can use in a volley: with more, nothing comes out differently.

    A shot, aim, another deed and bearing pain for each, and cover: further deeds are told, but
    change no number. There is no such limit (None) where the GM may ask for any part of a margin
    for a deed (range_and_cover.amb.other_action_price).
    """
    if skirmish.table.options["range_and_cover_other_action_price"] == "gm_sets":
        return None
    other = 1 + max(takes(method).bought for _, method in PAIN.values())
    armed = [each for each in skirmish.active(side) if skirmish.carried(each.character) is not None]
    aim = sum(aim_limit(skirmish.sheet(each.character)) for each in armed)
    return price * (len(armed) + aim + MOST_COVER + other * len(skirmish.active(side)))


def spend(
    skirmish: Skirmish,
    side: int,
    purse: MarginLeft,
    categories: dict[str, str],
    *,
    keeps_cover: bool,
) -> Step[tuple[Skirmish, Bought]]:
    """The winner spends the margin (range_and_cover.position.margin_is_currency).

    What the maneuver itself does costs nothing of it (range_and_cover.position.intent_is_free). On
    the list are shots, aim, cover and any other deed (range_and_cover.position.action_list).
    """
    able = [each.character for each in skirmish.active(side) if not each.is_hesitating]
    shots: list[tuple[str, str]] = []
    aims: list[tuple[str, int]] = []
    magic: list[MagicAct] = []
    for character in able:
        acts, purse = yield from _magic(skirmish, character, purse)
        magic += acts
    busy_casting = {act.character for act in magic if act.what == CAST}
    for character in able:
        if character in busy_casting:
            continue
        target, purse = yield from _shot(skirmish, character, purse, categories[character])
        if target:
            shots.append((character, target))
    for character in able:
        dice, purse = yield from _aim(skirmish, character, purse, character in dict(shots))
        if dice:
            aims.append((character, dice))
    cover = 0
    # Against a battle prayer nobody gains cover either (faith.amb.rc_no_cover_scope).
    if able and skirmish.at != MELEE and not prayed(skirmish, 1 - side):
        cover, purse = yield from _cover(skirmish, side, able[0], purse, keeps_cover=keeps_cover)
    for character in able:
        spoke = any(act.character == character for act in magic)
        busy = spoke or character in dict(shots) or character in dict(aims) or cover > 0
        skirmish, purse = yield from _others(skirmish, character, purse, busy=busy)
    return skirmish, Bought(tuple(shots), tuple(aims), cover, tuple(magic))


def _magic(
    skirmish: Skirmish, character: str, purse: MarginLeft
) -> Step[tuple[list[MagicAct], MarginLeft]]:
    """The spell that is ready and the prayer of a volley cost a success each.

    sorcery.duel.rc_win_spend_to_cast, faith.amb.rc_use; what is left buys other actions
    (sorcery.duel.rc_other_actions). Who has lost has none to spend (sorcery.duel.rc_lose).
    """
    acts: list[MagicAct] = []
    for option in what_is_ready(skirmish, character):
        if purse.actions < 1:
            break
        said = yield from choose(
            skirmish.seat(character),
            "magic",
            skirmish.name(character),
            (option, Option("hold", "Do not", option.rule)),
            default=option.key,
            because=option.rule,
        )
        if said == option.key:
            acts.append(MagicAct(character, said))
            purse = purse.less(1)
    return acts, purse


def _shot(
    skirmish: Skirmish, character: str, purse: MarginLeft, category: str
) -> Step[tuple[str, MarginLeft]]:
    """At whom somebody shoots, once in a volley (range_and_cover.shot.once_per_volley).

    A success, unless it is free (range_and_cover.shot.cost_one,
    range_and_cover.steel_close.opponent_shot_free).
    """
    there = targets(skirmish, skirmish.one(character).side)
    affordable = purse.free_shot or purse.actions > 0
    if not there or not affordable or not may_shoot(skirmish, character, category):
        return "", purse
    rule = "range_and_cover.shot.cost_one"
    said = yield from choose(
        skirmish.seat(character),
        "shoot",
        f"{skirmish.name(character)} shoots at {category} range",
        {**{each: skirmish.name(each) for each in there}, "hold": "Hold fire"},
        default=there[0],
        because=rule,
    )
    if said == "hold":
        return "", purse
    return said, purse if purse.free_shot else purse.less(1)


def _aim(
    skirmish: Skirmish, character: str, purse: MarginLeft, shoots: bool
) -> Step[tuple[int, MarginLeft]]:
    """How many successes become aiming dice (range_and_cover.aim.cost).

    For the shot of this volley or a later one (range_and_cover.aim.carry).
    """
    if skirmish.carried(character) is None:
        return 0, purse
    held = skirmish.one(character).aim
    most = min(aim_limit(skirmish.sheet(character)) - held, purse.actions)
    if most <= 0:
        return 0, purse
    dice = yield from ask(
        skirmish.seat(character),
        "aim_dice",
        f"{skirmish.name(character)}: aiming dice",
        Number(least=0, most=most, default=most if shoots else 0),
        because="range_and_cover.aim.cost",
    )
    return dice, purse.less(dice)


def _cover(
    skirmish: Skirmish, side: int, character: str, purse: MarginLeft, *, keeps_cover: bool
) -> Step[tuple[int, MarginLeft]]:
    """How many successes become cover dice for the next volley, a die each.

    range_and_cover.cover.dice.cost, range_and_cover.amb.cover_cost; never more than two in hand
    (range_and_cover.cover.dice.max_two). Who moves loses the old ones, and may win new ones
    (range_and_cover.cover.dice.win_new_while_moving).
    """
    held = skirmish.teams[side].cover if keeps_cover else 0
    most = min(MOST_COVER - held, purse.actions)
    if most <= 0:
        return 0, purse
    dice = yield from ask(
        skirmish.seat(character),
        "cover_dice",
        f"{skirmish.name(character)}: cover dice for the next volley",
        Number(least=0, most=most, default=most),
        because="range_and_cover.cover.dice.cost",
    )
    return dice, purse.less(dice)


# --- Other deeds -----------------------------------------------------------------------------


def _others(
    skirmish: Skirmish, character: str, purse: MarginLeft, *, busy: bool
) -> Step[tuple[Skirmish, MarginLeft]]:
    """Any other deed has to be bought, too, as many as there are successes for.

    range_and_cover.action.other_cost; only the shot is one in a volley
    (range_and_cover.shot.once_per_volley). Whoever is wounded may shrug it off, by gritting teeth
    only if there is no other action in the volley (range_and_cover.crossref.other_chapters); what
    else somebody does is said at the table, and tested as the GM says
    (range_and_cover.sequence.position_then_act).
    """
    while purse.actions >= 1:
        said = yield from _which(skirmish, character, purse, busy=busy)
        if said == "none":
            break
        busy = True
        if said == "deed":
            purse = yield from _deed(skirmish, character, purse)
            continue
        method = PAIN[said][1]
        if method is PainMethod.COBWEBS:
            _, table = yield from call(cobwebs, ClearCobwebs(character), skirmish.table)
        else:
            seat = skirmish.seat(character)
            wound = yield from which_wound(skirmish.sheet(character), seat, PainMethod.GRITTING)
            _, table = yield from call(gritting, GritTeeth(character, wound), skirmish.table)
        skirmish, purse = skirmish.on(table), purse.less(takes(method).bought)
        if takes(method).no_other:
            break
    return skirmish, purse


def _which(skirmish: Skirmish, character: str, purse: MarginLeft, *, busy: bool) -> Step[str]:
    """The next other deed of somebody, or none."""
    rule = "range_and_cover.action.other_cost"
    options = [Option("none", "Nothing else", rule)]
    for key, (label, method) in PAIN.items():
        if bearable(skirmish.sheet(character), method):
            cost = takes(method)
            if cost.bought <= purse.actions and not (busy and cost.no_other):
                options.append(Option(key, label, rule))
    options.append(Option("deed", "Something else", rule))
    return (
        yield from choose(
            skirmish.seat(character),
            "other_action",
            f"{skirmish.name(character)}: another action",
            tuple(options),
            default="none",
            because=rule,
            kind="aside",
        )
    )


PAIN = {
    "cobwebs": ("Clear the Cobwebs", PainMethod.COBWEBS),
    "grit_teeth": ("Grit Your Teeth", PainMethod.GRITTING),
}


def _deed(skirmish: Skirmish, character: str, purse: MarginLeft) -> Step[MarginLeft]:
    """What a deed costs: one success, or as many as the GM asks.

    range_and_cover.amb.other_action_price.
    """
    rule = "range_and_cover.amb.other_action_price"
    what = yield from ask(
        skirmish.seat(character),
        "deed",
        f"{skirmish.name(character)} does",
        Text(default="something else", longest=200),
        because=rule,
    )
    if skirmish.table.options["range_and_cover_other_action_price"] == "gm_sets":
        price = yield from ask(
            GM,
            "deed_price",
            f"Successes for this: {what}",
            Number(least=1, most=purse.left, default=min(purse.left, purse.price)),
            because=rule,
        )
        purse = msgspec.structs.replace(purse, left=purse.left - price)
    else:
        price = purse.price
        purse = purse.less(1)
    text = f"{skirmish.name(character)}: {what} ({counted(price, 'success')})"
    yield from note(as_sentence(text), rule)
    return purse
