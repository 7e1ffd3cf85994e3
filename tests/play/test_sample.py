from fractions import Fraction

from astragal.play import Scripted, exact, sample, then
from play.toys import pool_then, press_your_luck, secret_fingers, two_calls


def test_frequencies_agree_with_the_exact_walk():
    runs = 4000
    for start in (then(two_calls, 5), then(pool_then, 4, 3)):
        odds = exact(start)
        seen = sample(start, runs, "agree")
        for value in odds:
            chance = float(odds.chance(value))
            spread = (chance * (1 - chance) / runs) ** 0.5
            assert abs(float(seen.chance(value)) - chance) < 4.5 * spread


def test_the_same_seed_gives_the_same_answer_and_progress_is_reported():
    heard = []
    one = sample(then(two_calls, 4), 50, 7, progress=heard.append)
    assert one == sample(then(two_calls, 4), 50, 7)
    assert one != sample(then(two_calls, 4), 50, 8)
    assert heard == list(range(1, 51))


def test_policies_answer_in_samples_too():
    seen = sample(then(secret_fingers), 10, 1, Scripted({"fingers": 1}))
    assert seen.chance("even") == 1
    low = sample(then(press_your_luck, 0), 3000, 2, lambda ask: int(ask.prompt[0]) <= 3)
    assert abs(low.mean() - Fraction(17, 4)) < Fraction(1, 8)
