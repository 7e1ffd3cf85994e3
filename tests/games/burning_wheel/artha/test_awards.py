import pytest

from astragal.errors import BadInput, NotAllowed
from astragal.games.burning_wheel.artha.awards import CONDITIONS, Decider, awards
from astragal.games.burning_wheel.sheet.parts import Artha
from astragal.play import GM, Change, DecisionEvent
from astragal.rules import catalogue
from games.burning_wheel.playing import play, table


def give(award, answers=None, at=None, **more):
    at = at or table(rich={}, andy={}, villain={"npc": True})
    arguments = {"character": "rich", "award": award, "why": "it was good", **more}
    return play("award_artha", arguments, at, answers)


AWARDS = [row["name"] for row in catalogue().table("artha.table.earning").records()]
IN_PLAY = [name for name in AWARDS if name not in ("Workhorse", "MVP", "Moldbreaker")]


def test_every_award_of_the_catalogue_is_known_with_its_conditions():
    assert {award.name for award in awards().values()} == set(AWARDS)
    voted = {key for key, award in awards().items() if award.decided_by is Decider.SCENARIO_VOTE}
    assert set(CONDITIONS) == set(awards()) - voted


@pytest.mark.rules(
    "artha.earn.one_point_each", "artha.earn.on_the_spot", "artha.types.character",
    "artha.basics.gm_role",
)  # fmt: skip
@pytest.mark.parametrize("name", IN_PLAY)
def test_an_award_is_one_point_of_its_kind_at_once(name):
    kinds = {"Belief": "fate", "Instinct": "fate", "Trait": "fate", "Humor": "fate"}
    kinds |= {"Right Skill, Right Time": "fate", "Embodiment": "persona"}
    kinds |= {"Personal Goals": "persona", "Greater Goals": "deeds", "Beyond the Call": "deeds"}
    played = give(name)
    assert played.changed == {f"rich.artha.{kinds[name]}": 1}
    assert isinstance(played.events[-1], Change)
    asked = {e.ask.seat for e in played.events if isinstance(e, DecisionEvent)}
    assert asked == {GM}  # on the GM's word alone


@pytest.mark.rules(
    "artha.earn.fate.belief",
    "artha.earn.fate.instinct",
    "artha.earn.fate.trait",
    "artha.earn.fate.humor",
    "artha.earn.fate.right_skill_right_time",
    "artha.earn.persona.embodiment",
    "artha.earn.persona.personal_goal",
    "artha.earn.persona.personal_goal_stated",
    "artha.earn.deeds.greater_goal",
    "artha.earn.deeds.needs_cost",
    "artha.earn.deeds.big_thing",
    "artha.earn.deeds.beyond_the_call",
)
@pytest.mark.parametrize(
    ("award", "condition", "rule"),
    [
        ("belief", "holds_belief", "artha.earn.fate.belief"),
        ("belief", "holds_belief#2", "artha.earn.fate.belief"),
        ("instinct", "holds_instinct", "artha.earn.fate.instinct"),
        ("trait", "holds_trait", "artha.earn.fate.trait"),
        ("humor", "holds_humor", "artha.earn.fate.humor"),
        (
            "right_skill_right_time",
            "holds_right_skill_right_time",
            "artha.earn.fate.right_skill_right_time",
        ),
        ("embodiment", "holds_embodiment", "artha.earn.persona.embodiment"),
        ("personal_goals", "holds_personal_goal", "artha.earn.persona.personal_goal"),
        ("personal_goals", "holds_personal_goal_stated", "artha.earn.persona.personal_goal_stated"),
        ("greater_goals", "holds_greater_goal", "artha.earn.deeds.greater_goal"),
        ("greater_goals", "holds_big_thing", "artha.earn.deeds.big_thing"),
        ("greater_goals", "holds_needs_cost", "artha.earn.deeds.needs_cost"),
        ("beyond_the_call", "holds_beyond_the_call", "artha.earn.deeds.beyond_the_call"),
        ("beyond_the_call", "holds_needs_cost", "artha.earn.deeds.needs_cost"),
    ],
)
def test_without_any_one_part_of_its_condition_there_is_no_award(award, condition, rule):
    played = give(award, {condition: False})
    assert not played.outcome.granted
    assert played.changed == {}
    assert played.asks[condition.partition("#")[0]].because == rule


# --- Nominations ---------------------------------------------------------------------------


@pytest.mark.rules("artha.earn.nominate_players")
def test_players_nominate_and_the_gm_decides():
    assert give("belief", by="andy").outcome.granted
    refused = give("belief", {"holds_belief": False}, by="andy")
    assert not refused.outcome.granted
    assert "Andy nominates Rich for Belief" in refused.told


@pytest.mark.rules("artha.earn.nominate_players", "artha.earn.persona.moldbreaker_vote")
@pytest.mark.parametrize("award", ["belief", "moldbreaker"])
def test_players_nominate_each_other_and_not_themselves(award):
    with pytest.raises(NotAllowed, match=r"artha\.earn\.nominate_players"):
        give(award, by="rich")


@pytest.mark.rules("artha.earn.no_deeds_nomination")
@pytest.mark.parametrize("award", ["greater_goals", "beyond_the_call"])
def test_nobody_but_the_gm_speaks_of_deeds(award):
    with pytest.raises(NotAllowed, match=r"artha\.earn\.no_deeds_nomination"):
        give(award, by="andy")
    with pytest.raises(NotAllowed):
        give(award, by="andy", character="villain")


@pytest.mark.rules("artha.earn.nominate_npcs")
def test_the_gm_must_accept_a_nomination_of_his_own_characters():
    played = give("belief", by="andy", character="villain")
    assert played.asked == []
    assert played.table.character("villain").artha == Artha(fate=1)


@pytest.mark.rules("artha.earn.persona.moldbreaker", "artha.earn.persona.moldbreaker_vote")
@pytest.mark.parametrize(
    ("votes", "granted"),
    [
        (("yes", "yes", "no"), True),
        (("yes", "no", "abstain"), False),  # a tie fails
        (("no", "yes", "yes"), True),  # the GM can be outvoted
        (("no", "no", "yes"), False),
    ],
)
def test_moldbreaker_is_the_tables_to_give(votes, granted):
    at = table(rich={}, andy={}, ben={}, villain={"npc": True})
    seats = ("gm", "andy", "ben")
    answers = {f"{s}/moldbreaker": vote for s, vote in zip(seats, votes, strict=True)}
    played = give("moldbreaker", answers, at)
    assert played.outcome.granted is granted
    voters = {e.ask.seat for e in played.events if isinstance(e, DecisionEvent)}
    assert voters == set(seats)  # not the nominee
    assert played.table.character("rich").artha.persona == granted
    (count,) = played.outcome.votes
    assert (count.character, count.motion) == ("rich", "moldbreaker")
    assert (count.yes, count.no) == (votes.count("yes"), votes.count("no"))
    assert count.abstained == votes.count("abstain")
    assert f"Moldbreaker for Rich: {votes.count('yes')} for" in played.told


def test_an_unknown_award_is_refused_with_the_nearest():
    with pytest.raises(BadInput, match="award: found 'belif', expected one of belief"):
        give("belif")


# --- Withholding ---------------------------------------------------------------------------


@pytest.mark.rules("artha.withhold.warn_first", "artha.withhold.gm_power")
def test_awards_are_withheld_only_after_a_warning():
    at = table(rich={}, andy={})
    assert "withhold" not in give("belief", at=at).asked
    warned = play("warn_player", {"seat": "rich"}, at)
    assert warned.seats["gently"] == GM
    assert [e.audience for e in warned.events if hasattr(e, "audience")] == [("rich", "gm")]
    kept = give("belief", {"withhold": True}, warned.table)
    assert not kept.outcome.granted
    assert give("belief", at=warned.table).outcome.granted
    assert "withhold" not in give("belief", at=warned.table, character="andy").asked


@pytest.mark.rules("artha.earn.fate.instinct_withheld")
def test_instincts_that_disrupt_earn_nothing_unless_all_is_for_laughs():
    assert not give("instinct", {"obstructs": True}).outcome.granted
    funny = give("instinct", for_laughs=True)
    assert "obstructs" not in funny.asked
    assert funny.outcome.granted
    assert "obstructs" not in give("belief").asked


# --- Workhorse and MVP ---------------------------------------------------------------------

THREE = {"participants": ["rich", "andy", "ben"]}


def seated(**options):
    return table(options=options or None, rich={}, andy={}, ben={}, away={})


def ballots(kind, round_=1, **votes):
    return {f"{seat}/{kind}_{round_}": vote for seat, vote in votes.items()}


@pytest.mark.rules("artha.earn.persona.vote_timing")
def test_the_votes_wait_for_the_end_of_the_scenario():
    for name in ("Workhorse", "MVP"):
        with pytest.raises(NotAllowed, match=r"artha\.earn\.persona\.vote_timing"):
            give(name)
    with pytest.raises(NotAllowed):
        play("scenario_votes", THREE, seated(), {"scenario_over": False})


@pytest.mark.rules(
    "artha.earn.persona.vote_electorate",
    "artha.earn.persona.workhorse",
    "artha.earn.persona.mvp",
)
def test_most_votes_win_and_the_gm_has_one():
    answers = ballots("workhorse", gm="rich", rich="andy", andy="rich", ben="andy")
    answers["gm/workhorse_1"] = "andy"
    answers |= ballots("mvp", gm="rich", rich="andy", andy="rich", ben="rich")
    played = play("scenario_votes", THREE, seated(), answers)
    assert (played.outcome.workhorse, played.outcome.mvp) == ("andy", "rich")
    work, mvp = played.outcome.ballots
    assert (work.award, work.round, dict(work.votes)) == (
        "workhorse",
        1,
        {"rich": 1, "andy": 3, "ben": 0},
    )
    assert (mvp.award, dict(mvp.votes)) == ("mvp", {"rich": 3, "andy": 1, "ben": 0})
    assert "votes: Rich 1, Andy 3, Ben 0." in played.told
    assert played.table.character("andy").artha == Artha(persona=1)
    assert played.table.character("rich").artha == Artha(persona=1)
    voters = {e.ask.seat for e in played.events if isinstance(e, DecisionEvent)}
    assert voters == {GM, "rich", "andy", "ben"}
    both = ballots("workhorse", gm="ben") | ballots("mvp", gm="ben")
    assert play("scenario_votes", THREE, seated(), both).table.character("ben").artha.persona == 2


def test_a_tie_is_voted_on_again_and_then_agreed_on():
    tied = ballots("workhorse", gm="rich", rich="andy")
    again = tied | ballots("workhorse", 2, gm="andy")
    assert play("scenario_votes", THREE, seated(), again).outcome.workhorse == "andy"
    stuck = tied | ballots("workhorse", 2, gm="rich", rich="andy")
    played = play("scenario_votes", THREE, seated(), stuck)
    assert played.outcome.workhorse is None
    first, second, *_ = played.outcome.ballots
    assert (first.round, first.abstained, dict(first.votes)["ben"]) == (1, 2, 0)
    assert (second.round, dict(second.votes)) == (2, {"rich": 1, "andy": 1})
    candidates = {o.key for o in played.asks["workhorse_agreed"].question.options}
    assert candidates == {"rich", "andy", "none"}
    agreed = play("scenario_votes", THREE, seated(), stuck | {"workhorse_agreed": "rich"})
    assert agreed.outcome.workhorse == "rich"


@pytest.mark.rules("artha.earn.persona.workhorse", "artha.earn.persona.mvp")
def test_without_any_votes_nobody_is_elected_even_alone():
    alone = {"participants": ["rich"]}
    played = play("scenario_votes", alone, seated())
    assert (played.outcome.workhorse, played.outcome.mvp) == (None, None)
    assert played.table.character("rich").artha == Artha()
    voted = play("scenario_votes", alone, seated(), ballots("mvp", gm="rich"))
    assert (voted.outcome.workhorse, voted.outcome.mvp) == (None, "rich")


@pytest.mark.rules("artha.earn.persona.vote_electorate")
@pytest.mark.parametrize("who", [[], ["rich", "rich"]])
def test_everyone_who_took_part_is_named_once(who):
    with pytest.raises(BadInput, match=r"participants: found .* each once"):
        play("scenario_votes", {"participants": who}, seated())


@pytest.mark.parametrize(("custom", "allowed"), [("refused", False), ("allowed", True)])
def test_voting_for_ones_own_character(custom, allowed):
    at = seated(artha_vote_for_own_character=custom)
    mine = ballots("mvp", rich="rich")
    if allowed:
        assert play("scenario_votes", THREE, at, mine).outcome.mvp == "rich"
    else:
        with pytest.raises(BadInput, match="rich/mvp_1: found 'rich'"):
            play("scenario_votes", THREE, at, mine)
