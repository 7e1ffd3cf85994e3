"""Story Points and Life Experience on a test, and the advice about them."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import combinations, product
from typing import Any

import pytest

from astragal.dice import Recorded
from astragal.games.cores import GAME, CoresTable, plain_test
from astragal.play import Scripted, Session, best, by, exact
from games.cores.playing import make_test, play, start, table_of

RICH = {"story_points": 5, "life_experience": 5}


# --- Story Points --------------------------------------------------------------------------


@pytest.mark.rules("cores.story.reroll", "cores.story.reroll_replaces")
def test_a_reroll_replaces_the_first_roll_even_if_it_is_worse():
    table = table_of(ann=RICH)
    played = make_test(table, [[5, 2], [1]], {"reroll": ["base"]})
    assert played.outcome.total == 3
    assert played.rolled == ["(d6, d6)", "(d6!)"]
    assert played.table.character("ann").story_points == 4
    both = make_test(table, [[2, 2], [3, 6]], {"reroll": ["core", "base"]})
    assert both.outcome.total == 9  # in the order of the dice, however they were named
    assert both.table.character("ann").story_points == 3


@pytest.mark.rules("cores.story.reroll_explosive", "cores.explode.sources")
def test_a_rerolled_base_die_is_explosive_and_starts_afresh():
    table = table_of(ann=RICH | {"perks": ["Lucky"]})
    played = make_test(table_of(ann=RICH), [[1, 1], [6, 6]], {"dn": 14, "reroll": ["base"]})
    assert played.outcome.total == 13
    # With a Perk the first explosion is discarded as a whole (cores.amb.reroll_exploded).
    lucky = make_test(table, [[6, 6, 1], [2]], {"dn": 14, "reroll": ["base"]}, perks=["Lucky"])
    assert lucky.outcome.total == 3
    # The Core Die never explodes, rerolled or not.
    core = make_test(table_of(ann=RICH), [[1, 1], [6]], {"dn": 14, "reroll": ["core"]})
    assert core.outcome.total == 7


@pytest.mark.rules("cores.story.reroll")
@pytest.mark.parametrize(("points", "most"), [(0, None), (1, 1), (2, 2), (3, 3), (7, 3)])
def test_one_to_three_points_for_as_many_dice(points: int, most: int | None):
    raw = {"story_points": points, "rocks": {"It": "really physical"}}
    played = make_test(table_of(ann=raw), [[1, 1, 1]], {"dn": 17, "rock": "It"})
    if most is None:
        assert "reroll" not in played.keys
        return
    question = played.question("reroll")
    assert [option.key for option in question.options] == ["base", "core", "bonus"]
    assert question.most == most
    assert question.default == ()


@pytest.mark.rules("cores.story.reroll")
def test_one_reroll_per_test():
    played = make_test(table_of(ann=RICH), [[1, 1], [1]], {"reroll": ["base"]})
    assert played.keys.count("reroll") == 1
    assert "reroll_after" not in played.keys
    after = make_test(
        table_of(ann=RICH), [[1, 1], [1]], {"experience": 1, "reroll_after": ["base"]}
    )
    assert after.keys.count("experience") == 1


# --- Life Experience -----------------------------------------------------------------------


@pytest.mark.rules("cores.life.add")
@pytest.mark.parametrize("points", [0, 1, 2, 3])
def test_life_experience_adds_to_the_result(points: int):
    played = make_test(table_of(ann={"life_experience": 5}), [[3, 2]], {"experience": points})
    assert played.outcome.total == 5 + points
    assert played.outcome.passed is (points == 3)
    assert played.table.character("ann").life_experience.left == 5 - points
    question = played.question("experience")
    assert (question.least, question.most) == (0, 3)
    assert played.keys.count("experience") == 1


@pytest.mark.rules("cores.life.add")
def test_no_more_life_experience_than_there_is():
    raw = {"life_experience": {"full": 4, "left": 1}}
    assert make_test(table_of(ann=raw), [[3, 2]]).question("experience").most == 1
    raw = {"life_experience": {"full": 4, "left": 0}}
    assert "experience" not in make_test(table_of(ann=raw), [[3, 2]]).keys


def test_both_may_be_spent_in_either_order_each_once():
    """cores.amb.spend_order."""
    table = table_of(ann=RICH)
    first = make_test(table, [[1, 2], [4]], {"dn": 9, "reroll": ["core"], "experience": 3})
    assert first.outcome.total == 1 + 4 + 3
    other = make_test(table, [[1, 2], [4]], {"dn": 9, "experience": 3, "reroll_after": ["core"]})
    assert other.outcome.total == 1 + 4 + 3
    for played in (first, other):
        ann = played.table.character("ann")
        assert (ann.story_points, ann.life_experience.left) == (4, 2)


def test_nobody_is_asked_to_spend_on_what_is_won():
    table = table_of(ann=RICH)
    assert {"reroll", "experience"}.isdisjoint(make_test(table, [[4, 4]]).keys)
    halfway = make_test(table, [[4, 3]], {"experience": 1})
    assert "reroll_after" not in halfway.keys


# --- Odds and advice -----------------------------------------------------------------------


def policy_odds(dice: tuple[str, ...], **numbers: int | str) -> Fraction:
    """The chance of success if these dice are always rerolled."""
    name, arguments, table, answers = plain_test(**numbers).parts
    start = GAME.procedure(name).start(arguments, table)
    always = Scripted(answers | {"reroll": dice})
    return exact(start, always).where(lambda outcome: outcome.passed)


def base_faces(explosive: bool) -> list[int]:
    """36 equally likely values of a Base Die."""
    if not explosive:
        return [face for face in range(1, 7) for _ in range(6)]
    return [face for face in range(1, 6) for _ in range(6)] + [6 + face for face in range(1, 7)]


@pytest.mark.rules("cores.story.reroll", "cores.story.reroll_explosive")
@pytest.mark.parametrize("dn", [7, 11, 15])
@pytest.mark.parametrize("dice", [("base",), ("core",), ("base", "core")])
def test_the_odds_of_a_reroll_by_counting_faces(dn: int, dice: tuple[str, ...]):
    wins = cases = 0
    again = base_faces(explosive=True)
    for base, core in product(range(1, 7), range(1, 9)):
        for rebase, recore in product(again, range(1, 9)):
            cases += 1
            if base + core >= dn:
                wins += 1
                continue
            new = rebase if "base" in dice else base
            wins += new + (recore if "core" in dice else core) >= dn
    assert policy_odds(dice, core="d8", dn=dn, story_points=3) == Fraction(wins, cases)


def brute_force(core: int, dn: int, d4: int, perk: bool, story: int, life: int) -> Fraction:
    """The best chance there is, by trying every subset of dice at every roll."""

    @cache
    def again(kept: int, dice: tuple[str, ...]) -> Fraction:
        faces = {
            "base": base_faces(explosive=True),
            "core": list(range(1, core + 1)),
            "d4": [d4 * face for face in range(1, 5)],
        }
        lists = [faces[die] for die in dice]
        throws = list(product(*lists))
        return Fraction(sum(kept + sum(throw) + life >= dn for throw in throws), len(throws))

    names = ("base", "core", "d4") if d4 else ("base", "core")
    fourth = [d4 * face for face in range(1, 5)] if d4 else [0]
    firsts = list(product(base_faces(perk), range(1, core + 1), fourth))
    total = Fraction(0)
    for faces in firsts:
        chance = Fraction(sum(faces) + life >= dn)
        values = dict(zip(("base", "core", "d4"), faces, strict=True))
        for size in range(1, min(story, len(names)) + 1):
            for dice in combinations(names, size):
                kept = sum(value for name, value in values.items() if name not in dice)
                chance = max(chance, again(kept, dice))
        total += chance
    return total / len(firsts)


@pytest.mark.slow
@pytest.mark.rules("cores.story.reroll", "cores.life.add")
@pytest.mark.parametrize(
    ("core", "dn", "rock", "suck", "perk", "story", "life"),
    [
        (8, 9, 0, 0, 0, 1, 0),
        (8, 12, 0, 0, 1, 2, 1),
        (6, 12, 2, 0, 0, 3, 3),
        (10, 11, 0, 2, 0, 3, 2),
        (12, 17, 2, 0, 1, 3, 3),
    ],
)
def test_the_advice_is_as_good_as_trying_everything(core, dn, rock, suck, perk, story, life):
    name, arguments, table, answers = plain_test(
        core=core,
        dn=dn,
        rock=rock,
        suck=suck,
        perk=perk,
        story_points=story,
        life_experience=life,
    ).parts
    start = GAME.procedure(name).start(arguments, table)
    advice = best(
        start,
        {"somebody": lambda outcome: int(outcome.passed)},
        Scripted(answers),
        about={"reroll", "experience"},
    )
    sizes = (4, 6, 8, 10, 12)
    at = sizes.index(core) + bool(rock) - bool(suck)
    sides = sizes[max(0, min(at, 4))]
    d4 = (rock == 2) - (suck == 2)
    assert advice.worth["somebody"] == brute_force(sides, dn, d4, bool(perk), story, life)


def test_advice_at_the_moment_of_the_reroll():
    """2 and 3 against DN 8 with d6 and d6: what each choice is worth, by hand."""
    table = table_of(ann={"story_points": 2})
    session = rolled_session(table, [2, 3])
    advice = best(session.state, {"ann": lambda outcome: int(outcome.passed)})
    worth = {choice.answer: choice.worth for choice in advice.choices}
    assert advice.ask is not None
    assert advice.ask.key == "reroll"
    assert worth[()] == 0
    assert worth["base",] == Fraction(2, 6)  # 5, or a 6 and whatever follows
    assert worth["core",] == Fraction(1, 6)  # only a 6
    # d6! and d6 for 8: 15 pairs of plain faces out of 36, but a 6 on the Base Die always does.
    plain = sum(a + b >= 8 for a in range(1, 6) for b in range(1, 7))
    always = 6  # a 6 and 1 more is 7 at least, whatever the Core Die adds
    assert worth["base", "core"] == Fraction(plain + always, 36)
    assert advice.best == ("base", "core")


def rolled_session(table: CoresTable, faces: list[int]) -> Session[Any]:
    """A test against DN 8 up to the moment at which the dice are seen."""
    begun = start(table, "test", character="ann", core="physical")
    session = Session(begun, by(Recorded(faces)))
    session.answer("ann", "")
    session.answer("gm", "physical")
    session.answer("gm", 8)
    assert session.waiting[0].key == "reroll"
    return session


def test_a_purge_can_be_rerolled_for_a_six():
    raw = {"angst": {"Fear": 3}, "story_points": 1}
    table = table_of(ann=raw)
    purge = {"character": "ann", "occasion": "milestone"}
    played = play(table, "purge_angst", [[5, 5], [6, 1]], {"reroll": ["base"]}, **purge)
    assert (played.outcome.total, played.outcome.after) == (12, 1)
    # With a single point to lose, or with the 6 there already, nobody is asked.
    one = play(table_of(ann=raw | {"angst": {"Fear": 1}}), "purge_angst", [[5, 5]], **purge)
    assert "reroll" not in one.keys
    six = play(table, "purge_angst", [[6, 5]], **purge)
    assert "reroll" not in six.keys
    assert six.outcome.after == 1
