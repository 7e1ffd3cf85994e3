from astragal.cli import main


def test_the_tour_shows_a_test_its_odds_and_its_story(capsys):
    assert main(["demo", "--seed", "4", "--no-pause"]) == 0
    out = capsys.readouterr().out
    assert "and help from Tam               7D      5     22.7%" in out  # 29 of 128
    assert "She follows the advice" in out
    assert "Mara, Streetwise (8D): " in out
