"""The two editions side by side: Circles, affiliations, relationships."""

from __future__ import annotations

import pytest

from astragal.errors import BadInput, NotAllowed
from astragal.games.burning_wheel.circles.affiliations import GroupKind, affiliation_price
from astragal.games.burning_wheel.circles.search_obstacle import modifier, station_modifier
from astragal.games.burning_wheel.sheet.editions import GOLD, REVISED
from astragal.rules import Options, catalogue
from games.burning_wheel.editions_beside import at_table, both, either
from games.burning_wheel.playing import play
from games.burning_wheel.seeking import knight, listen


def court(edition, options=None, scene=None, **more):
    return at_table(edition, options, scene, knight=knight(**more), tam={"circles": "B5"})


def seek(at, rolls=(4,), answers=None, **more):
    arguments = {
        "character": "knight",
        "sought": "a squire",
        "intent": "news of the court",
        "how": "asks in the stables",
        "through": "Knight",
        **more,
    }
    return play("circles_test", arguments, at, answers, rolls)


@pytest.mark.rules("gold.circles.intent", "gold.diff.circles_scope")
@both(revised=True, gold=False)
def test_whom_a_character_may_know(edition, expected):
    assert seek(court(edition)).outcome.found
    assert seek(court(edition), through="", setting="Noble").outcome.found
    outcast = {"through": "Knight", "setting": "Outcast"}  # a lead of the lifepath
    if expected:
        assert seek(court(edition), **outcast, rolls=[4]).outcome.obstacle.total
    else:
        with pytest.raises(NotAllowed, match="Nothing connects"):
            seek(court(edition), **outcast)
    with pytest.raises(NotAllowed, match="Nothing connects"):
        seek(court(edition), through="", setting="Dwarven Clansman")


@pytest.mark.rules("gold.circles.task")
@either
def test_how_the_search_is_made_must_be_said(edition):
    assert "Task: asks in the stables" in seek(court(edition)).told
    with pytest.raises(BadInput, match="how: found ' '"):
        seek(court(edition), how=" ")


@pytest.mark.rules("gold.circles.say_yes", "gold.diff.say_yes")
@both(revised=False, gold=True)
def test_a_contact_on_which_nothing_hangs_is_granted(edition, expected):
    if not expected:
        assert "at_stake" not in seek(court(edition)).asked
        return
    granted = seek(court(edition), [], {"at_stake": False})
    assert granted.outcome.found
    assert granted.outcome.granted
    assert granted.table.scene.rides == ()
    assert not seek(court(edition)).outcome.granted


@pytest.mark.rules("gold.circles.consequence", "gold.circles.failure")
@both(revised=("", ()), gold=("the Duke hears of it", ("tam",)))
def test_what_a_failed_search_brings_is_said_beforehand(edition, expected):
    consequence, _sharing = expected
    said = {"help": "Circles"} | ({"on_failure": consequence} if consequence else {})
    failed = seek(court(edition), [0], said, helpers=["tam"])
    assert (failed.outcome.consequence, failed.outcome.shared_by) == expected
    assert failed.before_the_dice("on_failure") is bool(consequence)
    if consequence:
        assert f"{consequence}." in failed.told
        passed = seek(court(edition), [4], said, helpers=["tam"]).outcome
        assert (passed.consequence, passed.shared_by) == ("", ())


@pytest.mark.rules("gold.dice.help_circles", "gold.circles.help", "gold.diff.help_circles")
@both(revised="tests.amb.attributes_helping", gold="gold.dice.help_circles")
def test_circles_may_help_circles_if_the_gm_finds_them_relevant(edition, expected):
    helped = seek(court(edition), [1], {"help": "Circles"}, helpers=["tam"])
    assert helped.outcome.dice.total == 4 + 2
    options = helped.asks["help"].question.options
    assert next(o.rule for o in options if o.key == "Circles") == expected
    said = {"help": "Circles", "allow_help": []}
    assert seek(court(edition), [1], said, helpers=["tam"]).outcome.dice.total == 4


STATIONS = {
    "same": (0, 0),
    "higher_1": (1, 2),
    "higher_2": (2, 2),
    "higher_3": (3, 2),
    "lower_1": (1, 1),
    "lower_2": (2, 1),
    "lowest": (2, 1),
    "highest": (3, 3),
}


@pytest.mark.rules(
    "gold.circles.ob_lower",
    "gold.circles.ob_higher",
    "gold.circles.ob_highest",
    "gold.diff.circles_station",
)
@pytest.mark.parametrize("station", STATIONS)
def test_what_rank_adds(station):
    for place, edition in enumerate(("revised", "gold")):
        more = STATIONS[station][place]
        assert seek(court(edition), station=station).outcome.obstacle.total == 1 + more


@pytest.mark.rules(
    "gold.circles.ob_uncommon", "gold.circles.ob_rare", "gold.diff.circles_occupation"
)
@either
def test_what_the_occupation_adds(edition):
    for occupation, more in (("common", 0), ("uncommon", 2), ("specific", 3)):
        assert seek(court(edition), occupation=occupation).outcome.obstacle.total == 1 + more
    # A lifepath of the setting that the character does not have:
    other = seek(court(edition), through="", setting="Noble")
    assert other.outcome.obstacle.total == (1 if edition == "revised" else 1 + 2)


@pytest.mark.rules(
    "gold.circles.ob_unusual_disposition",
    "gold.circles.ob_rare_disposition",
    "gold.diff.circles_disposition",
)
@either
def test_what_disposition_and_knowledge_add(edition):
    at = court(edition, {"circles_different_disposition": "gm_each_time"})
    assert seek(at, disposition="specific").outcome.obstacle.total == 1 + 3
    for amount in (1, 2):
        said = {"how_different": amount}
        unusual = seek(at, [4], said, disposition="different")
        assert unusual.outcome.obstacle.total == 1 + amount
    with pytest.raises(BadInput, match="how_different: found 3"):
        seek(at, [4], {"how_different": 3}, disposition="different")


@pytest.mark.rules(
    "gold.circles.ob_time_place", "gold.circles.ob_here_now", "gold.diff.circles_time_place"
)
@pytest.mark.parametrize(
    ("place", "time", "revised", "gold"),
    [
        ("anywhere", "eventually", 0, 0),
        ("local", "eventually", 1, 1),
        ("anywhere", "soon", 1, 1),
        ("local", "soon", 2, 2),
        ("specific", "soon", 4, 2),
        ("anywhere", "now", 3, 3),
        ("specific", "now", 6, 3),
    ],
)
def test_time_and_place_are_two_modifiers_or_one(place, time, revised, gold):
    for edition, more in (("revised", revised), ("gold", gold)):
        named = {"place_name": "the White Hart"} if place == "specific" else {}
        played = seek(court(edition), place=place, time=time, **named)
        assert played.outcome.obstacle.total == 1 + more
        assert ("time_and_place" in played.asked) is (edition == "gold")
    ruled = seek(court("gold"), [4], {"time_and_place": "unusual", "how_unusual": 2})
    assert ruled.outcome.obstacle.total == 3
    with pytest.raises(BadInput, match="how_unusual: found 3"):
        seek(court("gold"), [4], {"time_and_place": "unusual", "how_unusual": 3})


def test_every_row_of_the_guides_table_is_read():
    read = [
        ("occupation", modifier("occupation", "uncommon", GOLD)),
        ("occupation", modifier("occupation", "specific", GOLD)),
        ("station", station_modifier("lower_1", GOLD)),
        ("station", station_modifier("higher_1", GOLD)),
        ("station", station_modifier("highest", GOLD)),
        ("knowledge or disposition", modifier("disposition or knowledge", "different", GOLD)),
        ("knowledge or disposition", modifier("disposition or knowledge", "specific", GOLD)),
        ("time and place", modifier("time and place", "unusual", GOLD)),
        ("time and place", modifier("time and place", "here_and_now", GOLD)),
    ]

    found = {(group, row.condition, row.least, row.most) for group, row in read}
    rows = catalogue().table("gold.table.circles_obstacle").records()
    wanted = {(row["group"], row["case"], row["ob_least"], row["ob_most"]) for row in rows}
    assert found == {row for row in wanted if row[0] not in ("base", "linked")}
    assert modifier("occupation", "uncommon", REVISED).rule == "circles.test.occupation"


@pytest.mark.rules("gold.diff.circles_named")
@both(revised=5, gold=1)
def test_somebody_named_is_sought_with_a_die_and_at_which_obstacle(edition, expected):
    known = [{"name": "Bern", "sought": "a squire", "obstacle": 5}]
    played = seek(court(edition, contacts=known), contact="Bern")
    assert played.outcome.dice.total == 4 + 1
    assert played.outcome.obstacle.total == expected
    unsaid = seek(court(edition, contacts=known), contact="Bern", through="")
    assert unsaid.outcome.obstacle.total == expected  # how he is known has been said already


@pytest.mark.rules(
    "gold.circles.dice_affiliation",
    "gold.circles.dice_reputation",
    "gold.circles.dice_npc_reputation",
    "gold.diff.circles_npc_reputation",
)
@pytest.mark.parametrize("dice", [1, 3, 5])
@either
def test_standings_are_worth_at_most_three_dice_in_the_later_edition(edition, dice):
    worth = min(dice, 3) if edition == "gold" else dice
    for group in ("affiliations", "reputations"):
        at = court(edition, **{group: [{"name": "The Guild", "dice": dice}]})
        found = seek(at)
        assert found.outcome.dice.total == 4 + worth, group
        # What was used can be used against the seeker (circles.detect.opponent_reputation).
        (made,) = found.table.scene.searches
        assert made.reputation_dice == (worth if group == "reputations" else 0)
    assert seek(court(edition), renown=dice).outcome.dice.total == 4 + worth


@pytest.mark.rules("gold.ob.infamous", "gold.diff.infamous_ob")
@pytest.mark.parametrize("dice", [1, 2, 3])
@either
def test_an_infamous_reputation_hampers_a_search_by_its_dice(edition, dice):
    at = court(edition, reputations=[{"name": "Kinslayer", "dice": dice, "infamous": True}])
    played = seek(at, [4], {"offended": ["Kinslayer"]})
    assert played.outcome.obstacle.total == 1 + dice


@pytest.mark.rules("gold.circles.aptitude")
@pytest.mark.parametrize(
    ("likes", "dislikes", "taps"),
    [((), (), 10 - 4), (("Just",), (), 10 - 4 - 2), (("Just",), ("Cruel",), 10 - 4 - 2 + 1)],
)
@either
def test_the_aptitude_for_a_relationship(edition, likes, dislikes, taps):
    known = [{"name": "Bern", "sought": "a squire", "obstacle": 1, "taps": taps - 2}]
    fame = [{"name": "Just", "dice": 2}, {"name": "Cruel", "dice": 1}]
    at = court(edition, contacts=known, reputations=fame)
    said = {"contact_likes": list(likes), "contact_dislikes": list(dislikes), "standings": []}
    played = seek(at, [4], said, contact="Bern")
    assert played.outcome.bond.aptitude == taps
    assert (played.outcome.bond.taps, played.outcome.bond.built) == (taps - 1, False)


@pytest.mark.rules("gold.circles.aptitude", "circles.build.aptitude")
@both(revised=10 - 4, gold=10 - 4 - 2 + 3)
def test_reputations_count_towards_a_relationship_by_their_sign(edition, expected):
    fame = [{"name": "Just", "dice": 2}, {"name": "Kinslayer", "dice": 3, "infamous": True}]
    at = court(edition, reputations=fame)
    named = seek(at, [4], {"standings": [], "name_contact": "Bern"})
    assert (named.outcome.bond.taps, named.outcome.bond.aptitude) == (1, expected)
    proud = seek(at, [4], {"standings": [], "name_contact": "Bern", "contact_likes": ["Kinslayer"]})
    assert proud.outcome.bond.aptitude == 10 - 4 - 3


@pytest.mark.rules("gold.circles.relationship", "gold.diff.relationship_status")
@both(revised=True, gold=False)
def test_a_contact_becomes_a_relationship_by_choice_or_by_rule(edition, expected):
    known = [{"name": "Bern", "sought": "a squire", "obstacle": 1, "taps": 5}]
    at = court(edition, contacts=known)
    said = {"build_relationship": False} if expected else {}
    played = seek(at, [4], said, contact="Bern")
    assert ("build_relationship" in played.asked) is expected
    made = [each.name for each in played.table.character("knight").relationships]
    assert made == ([] if expected else ["Bern"])
    early = court(edition, contacts=[{**known[0], "taps": 4}])
    assert not seek(early, [4], contact="Bern").outcome.bond.built


@pytest.mark.rules("gold.circles.relationship", "gold.circles.say_yes")
def test_a_contact_that_is_granted_counts_toward_a_relationship():
    """Circles B4: 10 - 4 = 6 contacts."""
    for taps, made in ((4, []), (5, ["Bern"])):
        known = [{"name": "Bern", "sought": "a squire", "obstacle": 1, "taps": taps}]
        played = seek(court("gold", contacts=known), [], {"at_stake": False}, contact="Bern")
        assert (played.outcome.name, played.outcome.bond.taps) == ("Bern", taps + 1)
        assert [each.name for each in played.table.character("knight").relationships] == made
    enemies = {"enemies": [{"character": "knight", "name": "Bern", "grudge": "an insult"}]}
    at = court("gold", scene=enemies, contacts=known)
    hostile = seek(at, [], {"at_stake": False}, contact="Bern").outcome
    assert (hostile.disposition, hostile.bond) == ("hostile", None)


@pytest.mark.rules("gold.result.cheat_death", "gold.circles.consequence")
def test_death_that_a_search_threatens_is_bought_off():
    said = {"deadly": True, "death": "the Duke has him hanged"}
    spared = "branded and banished"
    at = court("gold", artha={"persona": 1})
    played = seek(at, [0], {**said, "complication": spared})
    assert (played.outcome.passed, played.outcome.consequence) == (False, spared)
    assert played.table.character("knight").artha.persona == 0
    assert played.table.character("knight").circles.spent.persona == 1
    assert "hanged" in seek(at, [0], said).outcome.consequence  # nobody has to
    assert "complication" not in seek(at, [4], said).asked
    assert "complication" not in seek(at, [0]).asked


@pytest.mark.rules("gold.circles.enmity", "gold.diff.enemy_named_by")
@both(revised="gm", gold="knight")
def test_who_names_an_enemy(edition, expected):
    said = {"enmity": True, "enemy_name": "Ordog"}
    played = seek(court(edition), [0], said)
    assert played.seats["enemy_name"] == expected
    assert played.seats["enmity"] == "gm"  # whether it comes to that is for the GM
    assert [each.name for each in played.table.scene.enemies] == ["Ordog"]


@pytest.mark.rules("gold.circles.enmity", "gold.circles.failure")
def test_an_enemy_comes_instead_of_the_consequence():
    threat = "the Duke hears of it"
    said = {"help": "Circles", "on_failure": threat}
    enemy = {"enmity": True, "enemy_name": "Ordog"}
    hostile = seek(court("gold"), [0], said | enemy, helpers=["tam"])
    assert hostile.outcome.disposition == "hostile"
    assert (hostile.outcome.consequence, hostile.outcome.shared_by) == ("", ())
    assert "The Duke hears of it." not in hostile.told.splitlines()
    alone = seek(court("gold"), [0], said, helpers=["tam"])
    assert (alone.outcome.consequence, alone.outcome.disposition) == (threat, "")
    assert "The Duke hears of it." in alone.told.splitlines()


@pytest.mark.rules("gold.circles.infamy", "gold.diff.infamy_trigger")
@pytest.mark.parametrize("successes", [0, 4])
@either
def test_what_turns_a_lost_die_into_infamy(edition, successes):
    fame = [{"name": "Just", "dice": 2}]
    at = court(edition, reputations=fame)
    searched = seek(at, [successes]).table
    ruin = {"character": "knight", "standing": "Just", "what": "the Duke is insulted."}
    may = edition == "revised" or successes == 0
    said = {"infamy": "escalate", "infamous_for": "Oathbreaker"} if may else {}
    if edition == "revised":
        said["deed"] = "he draws steel at table"
    played = play("disaster", ruin, searched, said)
    assert ("infamy" in played.asked) is may
    assert ("deed" in played.asked) is (edition == "revised")
    after = {r.name: (r.dice, r.infamous) for r in played.table.character("knight").reputations}
    if may:
        assert after == {"Just": (1, False), "Oathbreaker": (1, True)}
    else:
        assert after == {"Just": (1, False)}
    if may and edition == "gold":
        refused = {"infamy": "escalate", "story_justifies": False}
        lost = play("disaster", ruin, searched, refused).table.character("knight")
        assert [(r.name, r.dice) for r in lost.reputations] == [("Just", 1)]
        borne = play("disaster", ruin, searched, {"infamy": "lose_die"})
        assert "story_justifies" not in borne.asked  # there is nothing to justify
        sheet = borne.table.character("knight")
        assert [(r.name, r.dice, r.infamous) for r in sheet.reputations] == [("Just", 1, False)]


@pytest.mark.rules(
    "gold.resources.affiliation_ob",
    "gold.resources.ob_low_nobility",
    "gold.resources.ob_high_nobility",
    "gold.resources.ob_elite",
    "gold.diff.affiliation_surcharge",
)
@pytest.mark.parametrize(
    ("group", "surcharge"),
    [
        ((), 0),
        ((GroupKind.COSTLY,), 1),
        ((GroupKind.EXALTED,), 2),
        ((GroupKind.SECRET,), 3),
        ((GroupKind.COSTLY, GroupKind.EXALTED), 2),
    ],
)
@either
def test_an_affiliation_has_its_price_and_one_surcharge(edition, group, surcharge):
    options = Options.of("burning_wheel", {"edition": edition})
    for dice, base in ((1, 3), (2, 5)):
        price, advantage = affiliation_price(dice, group, options, raising=False)
        assert (price.total, advantage) == (base + surcharge, ())
    price, advantage = affiliation_price(2, group, options, raising=True)
    assert (price.total, sum(line.amount for line in advantage)) == (5 + surcharge, 2)


@pytest.mark.rules("gold.resources.affiliation_ob", "gold.diff.affiliation_3d")
@both(revised=None, gold=7)
def test_three_dice_have_a_price_in_the_later_edition(edition, expected):
    options = Options.of(
        "burning_wheel", {"edition": edition, "circles_affiliation_3d": "not_for_sale"}
    )
    if expected is None:
        with pytest.raises(BadInput, match="no more can be bought"):
            affiliation_price(3, (), options, raising=False)
    else:
        assert affiliation_price(3, (), options, raising=False)[0].total == expected
        assert affiliation_price(3, (GroupKind.SECRET,), options, raising=True)[0].total == 10


@pytest.mark.rules("gold.circles.join")
@either
def test_joining_a_body_goes_from_circles_to_resources_at_once(edition):
    arguments = {
        "character": "knight",
        "affiliation": "The Guild",
        "dice": 1,
        "invitation": "its master owes him a debt",
    }
    at = court(edition, resources="B4")
    joined = play("buy_affiliation", arguments, at, None, [4, 4])
    assert [roll.label.split(", ")[1] for roll in joined.rolls] == ["Circles", "Resources"]
    assert joined.outcome.joined
    assert joined.table.character("knight").affiliations[0].dice == 1
    shut = play("buy_affiliation", arguments, at, None, [0])
    assert not shut.outcome.joined
    broke = play("buy_affiliation", arguments, at, None, [4, 0])
    assert (broke.outcome.joined, broke.outcome.dice) == (False, 0)
    assert broke.table.character("knight").affiliations == ()
    one_die = court(edition, resources="B4", affiliations=[{"name": "The Guild", "dice": 1}])
    no_more = play("buy_affiliation", {**arguments, "dice": 2}, one_die, None, [4, 0])
    assert (no_more.outcome.joined, no_more.outcome.dice) == (False, 1)
    assert no_more.table.character("knight").affiliations[0].dice == 1


@pytest.mark.rules("gold.diff.circles_extra_systems")
@either
def test_searches_can_be_noticed_hidden_and_covered_up(edition):
    quiet = seek(court(edition), [4], None, quietly=2)
    assert quiet.outcome.obstacle.total == 1 + 2
    assert quiet.table.scene.searches[0].hidden == 2
    cut = {"character": "knight", "affiliation": "The Guild", "dice": 1}
    at = court(edition, affiliations=[{"name": "The Guild", "dice": 2}])
    assert play("cut_ties", cut, at).table.character("knight").affiliations[0].dice == 1
    named = play("take_identity", {"character": "knight", "identity": "Brother Hal"}, at)
    assert seek(named.table).outcome.dice.total == 4


@pytest.mark.rules("gold.diff.circles_extra_systems")
@either
def test_searches_can_be_detected(edition):
    mark = {"circles": "B6", "player": "tess"}
    at = at_table(edition, knight=knight(), mark=mark)
    nobody = listen(at, [3], {"sham_obstacle": 3})
    assert (nobody.outcome.passed, nobody.outcome.inquiries) == (True, 0)
    with pytest.raises(BadInput, match="sham_obstacle"):
        listen(at, [3], {"sham_obstacle": 7})
    # Ten less the obstacle of the search, and no sham: 1 for a squire, 4 for one here and now.
    easy = seek(at, [4], about="mark").table
    assert "Mark listens: Ob 9." in listen(easy, [6]).told
    hard = seek(at, [4], about="mark", time="now").table
    found = listen(hard, [6])
    assert "Mark listens: Ob 6." in found.told
    assert (found.outcome.passed, found.outcome.inquiries) == (True, 1)
    # Moving quietly hinders those who listen by as much as it hindered the search.
    quiet = seek(at, [4], about="mark", time="now", quietly=2).table
    assert "Mark listens: Ob 8." in listen(quiet, [6]).told


@pytest.mark.rules("gold.diff.circles_extra_systems")
@either
@pytest.mark.parametrize(("hides", "hidden", "traces"), [(4, 2, 0), (2, 0, 0), (1, 0, 1)])
def test_tracks_can_be_covered_with_inconspicuous(edition, hides, hidden, traces):
    skilled = knight(skills={"Inconspicuous": "B4"})
    at = at_table(edition, knight=skilled, mark={"circles": "B6", "player": "tess"})
    run = seek(at, [1, hides], about="mark", inconspicuous=True)
    assert (run.outcome.veil.obstacle, run.outcome.veil.dice) == (hidden, traces)
    found = listen(run.table, [0])
    assert f"Mark listens: Ob {9 + hidden}." in found.told
    assert found.rolls[0].expression.dice.total == 6 + traces


JOIN = {
    "character": "knight",
    "affiliation": "The Guild",
    "dice": 1,
    "invitation": "its master owes him a debt",
    "helpers": ["tam"],
}


@pytest.mark.rules("gold.circles.consequence", "gold.circles.failure", "gold.result.cheat_death")
@both(revised=False, gold=True)
def test_what_being_turned_away_brings_is_said_beforehand_and_shared(edition, expected):
    helped = {"tam/help": "Circles"}
    threat = {"on_failure": "the masters laugh at them"} if expected else {}
    at = court(edition, resources="B4", artha={"persona": 1})
    shut = play("buy_affiliation", JOIN, at, {**helped, **threat}, [0])
    assert shut.before_the_dice("on_failure") is expected
    told = "the masters laugh at them" if expected else ""
    assert (shut.outcome.consequence, shut.outcome.shared_by) == (
        told,
        ("tam",) if expected else (),
    )
    if not expected:
        return
    death = {"deadly": True, "death": "they are drowned", "complication": "a brand"}
    spared = play("buy_affiliation", JOIN, at, {**helped, **death}, [0])
    assert (spared.outcome.consequence, spared.outcome.joined) == ("a brand", False)
    assert spared.table.character("knight").artha.persona == 0
    taken = play("buy_affiliation", {**JOIN, "helpers": []}, at, threat, [4, 4])
    assert (taken.outcome.joined, taken.outcome.consequence) == (True, "")


@pytest.mark.rules("gold.circles.dice_reputation", "gold.ob.infamous")
@both(revised=("+5D", "+4 Ob"), gold=("+3D", "+3 Ob"))
def test_what_a_standing_is_said_to_be_worth_is_what_it_counts(edition, expected):
    names = [{"name": "The Just", "dice": 5}, {"name": "Oathbreaker", "dice": 4, "infamous": True}]
    at = court(edition, reputations=names)
    said = {"standings": ["The Just"], "offended": ["Oathbreaker"]}
    played = seek(at, [5], said)
    (just,) = played.asks["standings"].question.options
    (oath,) = played.asks["offended"].question.options
    assert (just.note, oath.note) == expected
    amounts = {line.label: line.amount for line in played.outcome.dice.lines}
    assert f"+{amounts['The Just']}D" == expected[0]


@pytest.mark.rules("gold.dice.carefully", "tests.method.carefully_failure")
@either
def test_careful_searches_run_out_of_time(edition):
    """Where the table lets instantaneous tests be made carefully."""
    at = court(edition, {"tests_careful_on_instantaneous": "gm_may_agree"}, artha={"persona": 1})
    key = "time_threat" if edition == "gold" else "time_complication"
    said = {"careful_allowed": True, "carefully": True, key: "the ship has sailed"}
    late = seek(at, [0], said)
    assert late.outcome.complication == "the ship has sailed"
    focus = seek(at, [0], {**said, "focus": True})
    assert focus.outcome.complication == ""
    assert focus.table.character("knight").circles.spent.persona == 1
    in_time = dict(said) if edition == "gold" else {"careful_allowed": True, "carefully": True}
    assert seek(at, [4], in_time).outcome.complication == ""
