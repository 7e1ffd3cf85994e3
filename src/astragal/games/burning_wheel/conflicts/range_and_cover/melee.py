"""Too close to shoot: the last arrows, those who are out of sight, and the way into Fight!

A section of the chapter on Range and Cover (``conflicts/range_and_cover/skirmish``).
What follows is
another conflict; it gets people, wounds and weapons as plain data.
"""

from __future__ import annotations

from astragal.games.about import listed
from astragal.play import Step, Tally, call, choose, note

from ...sheet.ranged_weapons import is_reloaded
from ...tests.attempts import full_obstacle, throw_attempt
from ...tests.conclusions import after_test
from ...tests.intent import Context, Declaration
from ..rolls import gathered
from .hesitation import is_in_sight
from .state import Skirmish

READY, UNLOADED, BY_POSITION = "ready", "unloaded", "by_melee_positioning"
"""How a missile weapon begins a melee; the last is settled by the first test of Fight!."""

LOST_TO_SIGHT = "lost_to_sight"


def find(skirmish: Skirmish, winner: int | None) -> Step[Skirmish]:
    """Whoever comes near to somebody who has swooned out of sight has to find him first.

    range_and_cover.hesitate.swoon.finding: Perception or Observation, against as many successes as
    he had. If found, he may be shot or attacked (range_and_cover.hesitate.swoon.found); if not,
    the conflict is over (range_and_cover.hesitate.swoon.not_found).
    """
    if winner is None:
        return skirmish
    hiding = [
        each for each in skirmish.active(1 - winner) if not is_in_sight(skirmish, each.character)
    ]
    if len(hiding) < len(skirmish.active(1 - winner)):
        return skirmish
    seeker = skirmish.leader(winner).character
    obstacle = min(each.hidden for each in hiding)
    rule = "range_and_cover.hesitate.swoon.finding"
    ability = "Perception"
    skill = skirmish.sheet(seeker).find("Observation")
    if skill is not None and skill.exponent:
        ability = yield from choose(
            skirmish.seat(seeker),
            "find_with",
            f"{skirmish.name(seeker)} searches with",
            {"Observation": str(skill), "Perception": "Perception"},
            default="Observation",
            because=rule,
        )
    context = Context(called_for=True, laid_down=True, several=True, lasting=True, folded=True)
    said = Declaration(character=seeker, task="searches the ground", ability=ability)
    attempt = yield from call(gathered, said, context, (), skirmish.table)
    whole = full_obstacle(Tally.of(obstacle, "out of sight", rule), attempt)
    thrown = yield from throw_attempt(attempt, whole, skirmish.table)
    found = thrown.successes >= whole.total
    if skirmish.series:
        table, _ = yield from after_test(
            attempt, thrown, whole.total, skirmish.table, passed=found, base=obstacle
        )
        skirmish = skirmish.on(table)
    names = listed([skirmish.name(each.character) for each in hiding])
    if not found:
        text = f"{names}: not found. The conflict is over; the sleeper wakes hours later, alone."
        yield from note(text, "range_and_cover.hesitate.swoon.not_found")
        return skirmish.ended(LOST_TO_SIGHT)
    yield from note(f"{names}: found.", "range_and_cover.hesitate.swoon.found")
    for each in hiding:
        skirmish = skirmish.change(each.character, hidden=0)
    return skirmish


def into_melee(skirmish: Skirmish, winner: int | None, fired: tuple[str, ...]) -> Step[Skirmish]:
    """The volleys stop, and Fight! follows (range_and_cover.range.too_close.ends_volleys).

    A Close out of optimal range has brought them together (range_and_cover.tcts.trigger). From here
    on shots cost actions and have the obstacles of that chapter
    (range_and_cover.range.too_close.meaning, range_and_cover.range.too_close.shots_use_fight). A
    melee positioning test comes first (range_and_cover.tcts.then_melee_position). Whoever won or
    tied the last test and held his shot has his weapon ready, or else not
    (range_and_cover.amb.lastditch_won_then_melee). Whoever lost it has had no last shot
    (range_and_cover.lastditch.lost, but for range_and_cover.amb.steel_vs_last_ditch): if he wins or
    ties the melee test, he names the distance and is ready
    (range_and_cover.lastditch.lost_then_melee_win), if he loses that, too, he is not
    (range_and_cover.lastditch.lost_then_melee_loss).
    """
    yield from note(
        "Too close to shoot: go on with Fight!, a melee positioning test first.",
        "range_and_cover.range.too_close.ends_volleys",
    )
    for each in skirmish.skirmishers:
        if each.out or not each.weapon:
            continue
        lost = winner is not None and each.side != winner
        carried = skirmish.carried(each.character)
        assert carried is not None
        # What is still to be reloaded after an earlier shot is not ready either
        # (range_and_cover.reload.conditions).
        spent = is_reloaded(carried.weapon) and not carried.loaded
        ready = UNLOADED if spent or each.character in fired else READY
        rule = "range_and_cover.lastditch.won_or_tied"
        said = "ready" if ready == READY else "not ready"
        if lost:
            ready, rule = BY_POSITION, "range_and_cover.lastditch.lost"
            said = "loaded and ready, unless the melee positioning test is lost"
        yield from note(f"{skirmish.name(each.character)}'s {carried.called}: {said}.", rule)
        skirmish = skirmish.change(each.character, ready=ready)
    return skirmish
