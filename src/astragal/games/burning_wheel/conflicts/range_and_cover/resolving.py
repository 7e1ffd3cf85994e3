"""What a positioning test comes to: the range moves, the margin is spent, and shots are made.

A section of the chapter on Range and Cover (``conflicts/range_and_cover/skirmish``). It depends on
the skirmish and on who won by how much, not on the dice behind it.
"""

from __future__ import annotations

import msgspec

from astragal.play import Ask, Option, PickOne, Play, Step, ask_all, call, choose, note, then

from .maneuvers import CLOSE, MINE, THEIRS, TIED, WITHDRAW, Shooting, maneuver, meeting
from .melee import find
from .positioning import PositionResult
from .ranges import MELEE, OPTIMAL, OVER
from .shots import PlannedHit, PlannedShot, may_shoot, shoot, targets
from .spells_and_prayers import CAST, PRAY, MagicAct, what_is_ready
from .spending import Bought, MarginLeft, price_of, spend
from .starting import say_ranges
from .state import Skirmish


class Resolved(msgspec.Struct, frozen=True):
    """A volley after its shots: the hits that are still to be marked, what was bought, who shot.

    ``magic`` are the spells and prayers that are still to be rolled, ``ducking`` those who duck.
    """

    skirmish: Skirmish
    hits: tuple[PlannedHit, ...] = ()
    bought: tuple[Bought, Bought] = (Bought(), Bought())
    fired: tuple[str, ...] = ()
    magic: tuple[MagicAct, ...] = ()
    ducking: tuple[str, ...] = ()


def resolve(
    skirmish: Skirmish, keys: tuple[str, str], passive: tuple[bool, bool], result: PositionResult
) -> Play[Resolved]:
    """The range moves, the margin is spent, and the shots are made."""
    resolved, shots = yield from call(move_and_spend, skirmish, keys, passive, result)
    return then(fire, resolved, shots)


def move_and_spend(
    skirmish: Skirmish, keys: tuple[str, str], passive: tuple[bool, bool], result: PositionResult
) -> Play[tuple[Resolved, tuple[PlannedShot, ...]]]:
    """The winner's intent takes effect and the loser's does not; the shots are still to be made.

    range_and_cover.win.intent_succeeds. Nobody shoots who has not got into position
    (range_and_cover.basics.position_before_shot). The loser has no action
    (range_and_cover.lose.no_actions), and nothing comes of what he wanted
    (range_and_cover.lose.no_progress, range_and_cover.amb.like_maneuvers_one_wins).
    """
    before = skirmish.at
    skirmish = _forget_aim(skirmish, result)
    after = yield from _move(skirmish, keys, result)
    if after != before:
        text = f"Range: {say_ranges(skirmish, 0, after)}."
        yield from note(_cap(text), "range_and_cover.range.change_only_by_positioning")
    skirmish = skirmish.moved(after)
    if after == MELEE:
        skirmish = yield from find(skirmish, result.winner)
        if skirmish.settled:
            return Resolved(skirmish), ()
    allowed = _allowed(keys, passive, result)
    bought = [Bought(), Bought()]
    planned: list[PlannedShot] = []
    magic: list[MagicAct] = []
    ducking: list[str] = []
    if result.tied:
        planned, magic, ducking = yield from _shoot_or_duck(skirmish, keys, before)
    for side in (0, 1):
        if allowed[side] in (Shooting.NONE, Shooting.FREE_OR_DUCK):
            continue
        free = allowed[side] is Shooting.FREE
        won = side == result.winner
        if won and after == OVER:  # he is gone: the conflict ends at once
            continue
        # The winner shoots at the resulting range (range_and_cover.shot.at_resulting_range); the
        # free shot of a loser is at the range before the move
        # (range_and_cover.amb.steel_free_shot_range).
        at = after if won else before
        near = after == MELEE
        categories = {
            each.character: OPTIMAL if near else skirmish.category(each.character, at)
            for each in skirmish.active(side)
        }
        does = maneuver(keys[side])
        # Who has beaten a Steel maneuver has his shot for nothing, and the whole margin for aim and
        # cover (range_and_cover.steel_close.opponent_won_extras).
        purse = MarginLeft(result.margin if won else 0, price_of("shot", does.cost), free)
        skirmish, bought[side] = yield from spend(
            skirmish, side, purse, categories, keeps_cover=does.keeps_cover
        )
        magic += bought[side].magic
        for shooter, target in bought[side].shots:
            aim = skirmish.one(shooter).aim + bought[side].aim_of(shooter)
            planned.append(
                PlannedShot(
                    shooter,
                    target,
                    categories[shooter],
                    aim,
                    maneuver="" if passive[1 - side] else keys[1 - side],
                    position="won" if won else "lost",
                )
            )
    resolved = Resolved(
        skirmish, (), (bought[0], bought[1]), magic=tuple(magic), ducking=tuple(ducking)
    )
    return resolved, _answered(planned)


def fire(resolved: Resolved, left: tuple[PlannedShot, ...]) -> Play[Resolved]:
    """One shot after the other; what they do is seen when all are made."""
    if not left:
        return resolved
    shot, *others = left
    skirmish, more = yield from call(shoot, resolved.skirmish, shot)
    made = msgspec.structs.replace(
        resolved,
        skirmish=skirmish,
        hits=resolved.hits + more,
        fired=(*resolved.fired, shot.shooter),
    )
    return then(fire, made, tuple(others))


def _cap(text: str) -> str:
    return text[0].upper() + text[1:]


def _forget_aim(skirmish: Skirmish, result: PositionResult) -> Skirmish:
    """A lost positioning test loses the aiming dice, also for a free shot.

    range_and_cover.aim.lost, range_and_cover.amb.steel_free_shot_aim; a tie does not.
    """
    losers = () if result.winner is None else (1 - result.winner,)
    for side in (*losers, *(side for side in (0, 1) if result.short[side])):
        for each in skirmish.active(side):
            skirmish = skirmish.change(each.character, aim=0)
    return skirmish


def _allowed(
    keys: tuple[str, str], passive: tuple[bool, bool], result: PositionResult
) -> tuple[Shooting, Shooting]:
    """Who may shoot, by the row of the two maneuvers; who cannot act may not.

    The opponent of a Steel maneuver always may
    (range_and_cover.steel_close.opponent_always_shoots).
    """
    row = meeting(*keys)
    if result.winner is not None:
        codes = row.shots[MINE if result.winner == 0 else THEIRS]
    elif result.tied:
        codes = row.shots[TIED]
    else:  # nobody has reached his own hesitation
        steel = [maneuver(key).is_steel for key in keys]
        codes = (
            Shooting.FREE if steel[1] else Shooting.NONE,
            Shooting.FREE if steel[0] else Shooting.NONE,
        )
    one, other = (Shooting.NONE if passive[side] else codes[side] for side in (0, 1))
    return one, other


def _answered(planned: list[PlannedShot]) -> tuple[PlannedShot, ...]:
    """Who shoots has no use of a shield (range_and_cover.shield.not_while_shooting)."""
    shooters = {shot.shooter for shot in planned}
    return tuple(msgspec.structs.replace(shot, answers=shot.target in shooters) for shot in planned)


# --- Movement --------------------------------------------------------------------------------


def places_of(skirmish: Skirmish, at: str, side: int, intent: str) -> tuple[str, ...]:
    """Where a Close or Withdraw may lead a side from a state, at this table."""
    never = skirmish.table.options["range_and_cover_skipping_rungs"] == "never_skip"
    return skirmish.ladder.moved(at, side, intent, never_skip=never)


def _move(skirmish: Skirmish, keys: tuple[str, str], result: PositionResult) -> Step[str]:
    """Where the test leaves them (range_and_cover.win.maintain_effect).

    On a tie of unlike intents nothing changes (range_and_cover.tie.range.mixed); alike, both move
    (range_and_cover.tie.range.like), each one category, whoever has the shorter weapon first
    (range_and_cover.amb.like_close_tie_distance).
    """
    row = meeting(*keys)
    if result.winner is None and not result.tied:
        return skirmish.at
    at = TIED if result.tied else (MINE if result.winner == 0 else THEIRS)
    who, _, what = row.ranges[at].partition("_")
    intent = {"advance": CLOSE, "retreat": WITHDRAW}.get(what, "")
    if not intent:
        return skirmish.at
    shorter = 1 - skirmish.ladder.longer
    sides = {"i": (0,), "they": (1,), "both": (shorter, 1 - shorter)}[who]
    now = skirmish.at
    for side in sides:
        if now not in (MELEE, OVER):
            now = yield from _place(skirmish, now, side, intent)
    return now


def _place(skirmish: Skirmish, now: str, side: int, intent: str) -> Step[str]:
    """Where a side goes; it may have a choice, and never goes more than one category.

    range_and_cover.close.purpose, range_and_cover.withdraw.purpose. The longer weapon may be put
    where it alone can shoot (range_and_cover.relation.longer_may_choose_extreme,
    range_and_cover.relation.tenfold). Beyond both weapons' reach one has escaped
    (range_and_cover.range.out_of_range.escape,
    range_and_cover.amb.withdraw_beyond_opponents_range,
    range_and_cover.amb.first_range_when_withdrawing_from_start).
    """
    places = places_of(skirmish, now, side, intent)
    if len(places) == 1:
        return places[0]
    names = {skirmish.ladder.name(each, side): each for each in places}
    leader = skirmish.leader(side).character
    said = yield from choose(
        skirmish.seat(leader),
        "move_to",
        f"{skirmish.name(leader)} moves to",
        {name: say_ranges(skirmish, side, each) for name, each in names.items()},
        default=next(iter(names)),
        because="range_and_cover.relation.longer_may_choose_extreme",
    )
    return names[said]


# --- A tie -----------------------------------------------------------------------------------


def _shoot_or_duck(
    skirmish: Skirmish, keys: tuple[str, str], before: str
) -> Step[tuple[list[PlannedShot], list[MagicAct], list[str]]]:
    """Each decides, unseen, to shoot, cast or pray for nothing, or to hold fire and duck.

    range_and_cover.tie.shot.choice, range_and_cover.tie.shot.free,
    range_and_cover.amb.tie_decisions; at the range before the move
    (range_and_cover.tie.shot.obstacle, range_and_cover.amb.tie_shot_range), or at optimal if they
    have run into each other (range_and_cover.lastditch.won_or_tied). Also after a Speed Withdraw
    (range_and_cover.amb.speed_withdraw_tie). Spells and prayers are as shots
    (sorcery.duel.rc_tie, faith.amb.rc_use).
    """
    asks: list[Ask] = []
    able: list[str] = []
    ranges: dict[str, str] = {}
    for side in (0, 1):
        there = targets(skirmish, side)
        for each in skirmish.active(side):
            near = skirmish.at == MELEE
            category = OPTIMAL if near else skirmish.category(each.character, before)
            ranges[each.character] = category
            if each.is_hesitating:
                continue
            able.append(each.character)
            shoots = may_shoot(skirmish, each.character, category)
            asks.append(_tie_ask(skirmish, each.character, there if shoots else ()))
    answers = yield from ask_all(*asks)
    said = {character: str(answer) for character, answer in zip(able, answers, strict=True)}
    ducking = [character for character, what in said.items() if what == "duck"]
    magic = [MagicAct(who, what) for who, what in said.items() if what in (CAST, PRAY)]
    planned = []
    for shooter, target in said.items():
        if target in ("duck", "neither", CAST, PRAY):
            continue
        side = skirmish.one(shooter).side
        ducks = target in ducking
        planned.append(
            PlannedShot(
                shooter,
                target,
                ranges[shooter],
                skirmish.one(shooter).aim,
                ducks=ducks,
                maneuver=keys[1 - side],
                position="tied",
            )
        )
    return planned, magic, ducking


def _tie_ask(skirmish: Skirmish, character: str, there: tuple[str, ...]) -> Ask:
    """Shoot or duck; whoever cannot shoot may still duck, and it is hardly ever otherwise."""
    rule = "range_and_cover.tie.shot.choice"
    magic = what_is_ready(skirmish, character)
    options = tuple(Option(each, f"Shoot {skirmish.name(each)}", rule) for each in there)
    options = magic + options
    options += (Option("duck", "Hold fire and duck", "range_and_cover.tie.shot.duck"),)
    if not there and not magic:
        options += (Option("neither", "Do neither", rule),)
    return Ask(
        skirmish.seat(character),
        "tie_shot",
        f"A tie: {skirmish.name(character)} shoots or ducks",
        PickOne(options=options, default=options[0].key),
        rule,
        secret=True,
        kind="offered" if there or magic else "aside",
    )
