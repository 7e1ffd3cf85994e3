"""The package as a stranger gets it: the wheel has everything that playing needs."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    out = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "pip", "wheel", str(ROOT), "--no-deps", "-q", "-w", str(out)]
    command += ["--no-build-isolation", "--disable-pip-version-check"]
    subprocess.run(command, check=True, capture_output=True)
    (built,) = out.glob("astragal-*.whl")
    return built


def test_a_test_is_played_from_the_wheel_alone(wheel, tmp_path):
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "site")
    environment = {**os.environ, "PYTHONPATH": str(tmp_path / "site")}
    where = "import astragal; print(astragal.__file__)"
    found = subprocess.run(
        [sys.executable, "-c", where], env=environment, cwd=tmp_path, capture_output=True, text=True
    )
    assert found.stdout.startswith(str(tmp_path))
    command = [
        "test",
        "mara",
        "--ability",
        "Streetwise",
        "--ob",
        "1",
        "--faces",
        "4,1,1,1",
        "--no-ask",
    ]
    done = subprocess.run(
        [sys.executable, "-m", "astragal", *command],
        env=environment,
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert "Success, exactly." in done.stdout
