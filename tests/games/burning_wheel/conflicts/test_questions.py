"""How conflicts, purchases and searches ask before their dice: nobody adds a question unnoticed.

What is expected is written down from what people should have to do: at most one line that the GM
must fill in, and nothing offered that a plain case has no use for.
"""

from __future__ import annotations

from astragal.play import GM, DecisionEvent, RollEvent
from games.burning_wheel.dueling import argue, try_volley
from games.burning_wheel.fighting import fight
from games.burning_wheel.playing import Played, play, table
from games.burning_wheel.seeking import seek
from games.burning_wheel.skirmishing import one_volley, skirmish

FIGHTER = {
    "stats": {"Will": "B4", "Perception": "B4", "Power": "B4", "Forte": "B4", "Agility": "B4"},
    "attributes": {"Steel": "B4", "Health": "B4"},
    "skills": {"Brawling": "B4"},
}


def lines(run: Played, kind: str) -> list[tuple[str, str]]:
    """Seat and key of each question of a kind before the first dice."""
    found = []
    for event in run.events:
        if isinstance(event, RollEvent):
            break
        if isinstance(event, DecisionEvent) and event.ask.kind == kind:
            found.append((event.ask.seat, event.ask.key))
    return found


def test_a_duel_whose_terms_are_said_needs_nobodys_answer_before_the_scripts():
    duel = argue([("point",) * 3], [("avoid",) * 3], answers={"ann/concede": True})
    before = duel.asked[: duel.asked.index("script")]
    kinds = {duel.asks[key].kind for key in before}
    assert kinds <= {"consent", "aside"}


def test_a_volley_is_words_circumstances_and_dice_for_each_side():
    volley = try_volley("point", "rebuttal", [2, 2, 2])
    assert not lines(volley, "needed")
    assert set(lines(volley, "consent")) == {(GM, "spoken")}
    mine = {key for seat, key in lines(volley, "offered") if seat == "ann"}
    theirs = {key for seat, key in lines(volley, "offered") if seat == "bob"}
    assert mine == {"speech", "advantage", "forks"}
    assert theirs == {"speech", "advantage", "forks", "split"}
    assert {key for seat, key in lines(volley, "offered") if seat == GM} == {"disadvantages"}


def test_a_volley_without_dice_offers_nothing_to_wait_for():
    volley = try_volley("avoid", "avoid", [])
    assert not lines(volley, "needed")
    assert not lines(volley, "offered")


def test_a_skirmish_asks_where_it_begins_and_for_scripts_and_nothing_else_has_to_be_said():
    played = skirmish(
        [["speed_maintain"] * 3], [["speed_maintain"] * 3], [3, 2, *[2, 3, 0] * 3], start=""
    )
    assert not lines(played, "needed")
    assert lines(played, "offered") == [("ann", "first_positioning"), ("bob", "first_positioning")]
    assert not lines(played, "consent")
    needed = {
        e.ask.key for e in played.events if isinstance(e, DecisionEvent) and e.ask.kind == "needed"
    }
    assert needed == {"script"}


def test_a_volley_of_a_skirmish_offers_only_what_the_margin_buys():
    volley = one_volley("speed_maintain", "speed_maintain", [5, 1, 0])
    assert not lines(volley, "needed")
    assert not lines(volley, "offered")  # before the dice of positioning
    offered = {
        (e.ask.seat, e.ask.key)
        for e in volley.events
        if isinstance(e, DecisionEvent) and e.ask.kind == "offered"
    }
    assert offered == {("ann", "shoot"), ("ann", "aim_dice"), ("ann", "cover_dice")}


def test_bare_fists_against_bare_skin_ask_for_no_location():
    at = table(a=FIGHTER, d=FIGHTER)
    arguments = {"attacker": {"character": "a"}, "defender": {"character": "d"}}
    fight = play("bloody_versus", arguments, at)
    assert not lines(fight, "needed")
    assert fight.asks["open"].kind == "aside"
    worn = {**FIGHTER, "armor": {"head": {"location": "head", "type": "chainmail"}}}
    fight = play("bloody_versus", arguments, table(a=FIGHTER, d=worn))
    assert fight.asks["open"].kind == "offered"


def test_a_purchase_needs_one_number_from_the_gm_and_nothing_else():
    at = table(anna={"resources": "B5"})
    run = play("purchase", {"character": "anna", "item": "a strange machine"}, at, {"price": 3})
    assert lines(run, "needed") == [(GM, "price")]
    assert set(lines(run, "offered")) <= {("anna", "advantage"), (GM, "disadvantages")}


def test_a_search_by_circles_needs_nothing_from_the_gm():
    run = seek()
    assert not lines(run, "needed")
    assert {key for _, key in lines(run, "offered")} <= {"advantage", "disadvantages"}


# --- Fight! ----------------------------------------------------------------------------------


def kinds(played, seat: str, key: str) -> list[tuple[str, str]]:
    """The kinds of a question each time it was asked, with its prompt."""
    return [
        (event.ask.kind, event.ask.prompt)
        for event in played.events
        if isinstance(event, DecisionEvent) and (event.ask.seat, event.ask.key) == (seat, key)
    ]


def test_nobody_is_waited_for_because_of_bids_and_forfeits():
    blocks = ("stay", "block") * 3
    played = fight({"ann": [blocks], "bob": [blocks]})
    assert "bids_and_forfeits" not in played.asked  # players have the lines themselves
    assert {kind for kind, _ in kinds(played, "ann", "bid")} == {"aside"}
    assert {kind for kind, _ in kinds(played, "ann", "forfeit")} == {"aside"}
    bid = {"ann/bid#1": 1, "ann/struck": ["3.1"]}
    raised = fight({"ann": [blocks], "bob": [blocks]}, None, bid)
    assert {kind for kind, _ in kinds(raised, "bob", "bid")} == {"offered"}  # whoever is outbid


def test_forks_are_offered_when_an_ability_is_first_rolled_in_a_fight():
    """Ann strikes in the first and the third volley; what she said at first holds for the rest."""
    scripts = {
        "ann": [("stay", "strike", "stay", "block", "stay", "strike")],
        "bob": [("stay", "push", "stay", "block", "stay", "push")],
    }
    played = fight(scripts, [2, 1, 0, 0, 0, 0, 0, 0])
    sword = [kind for kind, prompt in kinds(played, "ann", "forks") if "Sword" in prompt]
    assert sword == ["offered", "aside"]
    steps = [kind for kind, prompt in kinds(played, "ann", "forks") if "Speed" in prompt]
    assert set(steps) == {"aside"}  # positioning is in passing
