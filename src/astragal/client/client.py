"""The server over HTTP: creating, joining, the games and the rules."""

from __future__ import annotations

from collections.abc import Mapping
from types import TracebackType
from typing import Any, Self, TypeVar
from urllib.parse import quote, urlsplit

import msgspec

from astragal.client.http import connected
from astragal.client.refused import refused
from astragal.client.seat import SeatClient
from astragal.web.messages import (
    CreateCampaign,
    Health,
    JoinTable,
    NewCampaign,
    OfferedGame,
    SeatOpened,
)
from astragal.web.rulebook import RuleEntry, RulesFound

T = TypeVar("T")


class Client:
    """One server; use it with ``async with``, or close it."""

    def __init__(self, url: str, key: str = "") -> None:
        """Use the server at this address; ``key`` is its creation key, where one is needed."""
        self.url = url.rstrip("/")
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        self._http = connected(self.url, headers)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Close the connections; joined seats have their own."""
        await self._http.aclose()

    async def health(self) -> Health:
        """Check whether the server works."""
        return await self._ask("GET", "/health", Health)

    async def games(self) -> tuple[OfferedGame, ...]:
        """The games that can be played."""
        return await self._ask("GET", "/api/games", tuple[OfferedGame, ...])

    async def search_rules(self, words: str, game: str = "", limit: int = 30) -> RulesFound:
        """Search the rules."""
        params = {"q": words, "game": game, "limit": str(limit)}
        return await self._ask("GET", "/api/rules/search", RulesFound, params=params)

    async def rule(self, name: str) -> RuleEntry:
        """One entry of the rules by its id."""
        return await self._ask("GET", f"/api/rules/{quote(name, safe='')}", RuleEntry)

    async def create(
        self,
        game: str,
        title: str = "",
        *,
        options: Mapping[str, str] | None = None,
        name: str = "",
        demo: bool = False,
    ) -> NewCampaign:
        """Create a campaign, or a game's demo; the answer has the GM's token."""
        wanted = CreateCampaign(game, title, dict(options or {}), name, demo)
        return await self._ask("POST", "/api/campaigns", NewCampaign, wanted)

    async def import_(self, exported: bytes) -> NewCampaign:
        """Import a campaign that was exported."""
        return await self._ask("POST", "/api/import", NewCampaign, msgspec.Raw(exported))

    async def join(self, token: str) -> SeatClient:
        """The seat that a link or its token opens."""
        opened = await self._ask("POST", "/api/join", SeatOpened, JoinTable(token_of(token)))
        return self.sit(opened.campaign, token_of(token))

    def sit(self, campaign: str, token: str) -> SeatClient:
        """The seat of a token, where the campaign is known; ``async with`` connects it."""
        return SeatClient(self.url, campaign, token)

    async def _ask(
        self,
        method: str,
        path: str,
        kind: type[T],
        body: Any = None,
        params: Mapping[str, str] | None = None,
    ) -> T:
        content = None if body is None else msgspec.json.encode(body)
        headers = {} if body is None else {"Content-Type": "application/json"}
        answer = await self._http.request(
            method, path, content=content, headers=headers, params=params
        )
        if answer.is_error:
            raise refused(answer.status_code, answer.content)
        return msgspec.json.decode(answer.content, type=kind)


def token_of(link: str) -> str:
    """The token in a link; a bare token stays as it is.

    >>> token_of("http://127.0.0.1:8000/join/abc"), token_of("abc")
    ('abc', 'abc')
    """
    path = urlsplit(link).path
    return path.rpartition("/join/")[2] if "/join/" in path else link
