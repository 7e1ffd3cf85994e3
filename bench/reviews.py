"""A finished evening reviewed: the longest that the archives of old campaigns have."""

from __future__ import annotations

import tarfile
from collections.abc import Iterator
from pathlib import Path

import msgspec

from astragal.table.export import CampaignExport
from astragal.table.review import review
from bench.clock import Figure, best_of

ARCHIVES = Path(__file__).parents[1] / "tests" / "table" / "old_campaigns"
GAME = "burning_wheel"


def longest() -> CampaignExport:
    """The export with the most entries in its log."""
    found = (each for path in ARCHIVES.glob("*.tar.xz") for each in exports(path))
    return max(found, key=lambda each: len(each.entries))


def exports(archive: Path) -> Iterator[CampaignExport]:
    """The exported campaigns of the game in an archive."""
    with tarfile.open(archive) as packed:
        for member in packed:
            if member.name.removeprefix("./").startswith("exports/") and member.isfile():
                file = packed.extractfile(member)
                assert file is not None
                campaign = msgspec.convert(
                    msgspec.json.decode(file.read()), CampaignExport, str_keys=True
                )
                if campaign.game == GAME:
                    yield campaign


def figures() -> Iterator[Figure]:
    """The whole review from cold; the bar is 5 s."""
    evening = longest()
    name = f"an evening of {len(evening.entries)} entries reviewed"
    yield Figure(name, best_of(lambda: review(GAME, evening.entries), 1), within=5.0)


if __name__ == "__main__":
    for figure in figures():
        print(figure.line())
