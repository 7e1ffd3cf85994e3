import pytest

from astragal.cli.files import find_sheet, read_raw, ready_sheets
from astragal.errors import Refusal
from astragal.games import games


def test_a_mark_that_editors_put_in_front_is_passed_over(tmp_path):
    for name, text in (("a.toml", 'name = "Élodie"'), ("a.json", '{"name": "Élodie"}')):
        file = tmp_path / name
        file.write_bytes(b"\xef\xbb\xbf" + text.encode())
        assert read_raw(file) == {"name": "Élodie"}


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("a.toml", b"\xff\xfe\x00", "cannot be read as text"),
        ("a.toml", b"a = 1\nb = = 2", "a.toml, line 2: found 'b = = 2', expected TOML"),
        ("a.json", b"{\n1}", "a.json, line 2: found '1}', expected JSON"),
        ("a.json", b"[1]", "an object with fields"),
        ("a.json", b"[" * 100_000, "is nested too deeply"),
        ("a.toml", b"a = " + b"[" * 100_000, "is nested too deeply"),
        ("a.json", b'{"a": ' + b"9" * 10_000 + b"}", "is nested too deeply"),
        ("a.toml", b"a = " + b"9" * 10_000, "is nested too deeply"),
    ],
)
def test_what_is_no_sheet_is_one_clear_line(tmp_path, name, content, expected):
    file = tmp_path / name
    file.write_bytes(content)
    with pytest.raises(Refusal) as refused:
        read_raw(file)
    assert expected in str(refused.value)
    assert "\n" not in str(refused.value)


def test_folders_and_missing_files_are_named(tmp_path):
    with pytest.raises(Refusal, match="is a folder, not a file"):
        read_raw(tmp_path)
    with pytest.raises(Refusal, match="There is no file"):
        read_raw(tmp_path / "none.toml")


@pytest.mark.parametrize("game", games().values(), ids=lambda game: game.name)
def test_each_game_has_three_ready_sheets_at_least(game):
    ready = ready_sheets(game)
    assert len(ready) >= 3
    for name, path in ready.items():
        assert find_sheet(name, game) == path
        assert game.read_sheet(read_raw(path), name).name
