"""How far the proofs have come, kept in a file after every step."""

from __future__ import annotations

from pathlib import Path

import msgspec


class Counts(msgspec.Struct):
    """What was tried so far, and the seed of the next step of each kind."""

    tried: dict[str, int] = {}
    seeds: dict[str, int] = {}
    faults: list[str] = []

    def add(self, what: str, count: int) -> None:
        self.tried[what] = self.tried.get(what, 0) + count

    def of(self, what: str) -> int:
        """So many of these were tried; of a group, all that begin with its name."""
        return sum(n for key, n in self.tried.items() if key == what or key.startswith(f"{what}: "))

    def next_seed(self, what: str) -> int:
        self.seeds[what] = self.seeds.get(what, 0) + 1
        return self.seeds[what]


def read(file: Path) -> Counts:
    """What an earlier run has come to; nothing, if there was none."""
    if not file.exists():
        return Counts()
    return msgspec.json.decode(file.read_bytes(), type=Counts)


def keep(counts: Counts, file: Path) -> None:
    """Write it so that there is always one whole file, whenever the run is stopped."""
    new = file.with_name(f"{file.name}.new")
    new.write_bytes(msgspec.json.format(msgspec.json.encode(counts)))
    new.replace(file)
