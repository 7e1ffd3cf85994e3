"""The real server in a process of its own, and what a test prepares there without a browser."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import httpx

from astragal.client.http import tls
from crashes.serving import HERE, ServerProcess

PATIENCE = 60
"""Seconds that a server may take to begin on a busy machine."""


class Server:
    """A server on a database of its own; it can be killed, and comes back at the same address."""

    def __init__(
        self,
        folder: Path,
        database: str = "",
        workers: int = 1,
        program: Sequence[str] = HERE,
        options: Sequence[str] = (),
    ) -> None:
        chosen = database or f"sqlite:///{folder}/tables.db"
        self._process = ServerProcess(chosen, folder / "log", workers, program, options)
        self.done: dict[str, int] = {}
        """The latest entry of each campaign that did not come from a page."""
        self.start()

    @property
    def url(self) -> str:
        return self._process.url

    @property
    def said(self) -> list[str]:
        """The last of what the server has written."""
        return self._process.said().splitlines()

    def start(self) -> None:
        """Start it, and wait until it answers."""
        self._process.start()
        until = time.monotonic() + PATIENCE
        while not self._answers():
            assert not self._process.has_ended(), f"the server does not begin: {self.said}"
            assert time.monotonic() < until, f"the server does not answer: {self.said}"
            time.sleep(0.02)

    def _answers(self) -> bool:
        try:
            return httpx.get(f"{self.url}/health", timeout=PATIENCE, verify=tls()).is_success
        except httpx.TransportError:
            return False

    def kill(self) -> None:
        """End it as a power cut would."""
        self._process.kill()

    def stop(self) -> None:
        self._process.stop()

    def _send(self, method: str, path: str, token: str = "", **body: Any) -> Any:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        answer = httpx.request(
            method, self.url + path, headers=headers, json=body, timeout=PATIENCE, verify=tls()
        )
        assert answer.is_success, f"{method} {path}: {answer.status_code} {answer.text}"
        return answer.json()

    def create(
        self, game: str, *, demo: bool = True, title: str = "A trial", **options: str
    ) -> Campaign:
        """A campaign whose GM is called Gus; as a demo with its characters, or with house rules."""
        about = {} if demo else {"title": title, "options": options}
        made = self._send("POST", "/api/campaigns", game=game, demo=demo, name="Gus", **about)
        return Campaign(self, made["campaign"], {"gm": made["token"]})


class Campaign:
    """A campaign, and the links of those who have a seat at it."""

    def __init__(self, server: Server, campaign: str, tokens: dict[str, str]) -> None:
        self._server = server
        self._tokens = tokens
        self.id = campaign

    def link(self, seat: str) -> str:
        return f"{self._server.url}/join/{self._tokens[seat]}"

    def do(self, command: dict[str, Any], seat: str = "gm") -> int:
        path = f"/api/t/{self.id}/do"
        sent = self._server._send("POST", path, self._tokens[seat], command=command)
        seq = self._server.done[self.id] = int(sent["seq"])
        return seq

    def card(self, procedure: str) -> Any:
        """The card of an open procedure as the GM sees it."""
        path = f"/api/t/{self.id}/card/{procedure}"
        return self._server._send("GET", path, self._tokens["gm"])

    def is_open(self, procedure: str) -> bool:
        view = self._server._send("GET", f"/api/t/{self.id}/view", self._tokens["gm"])
        return any(each["id"] == procedure for each in view["open"])

    def seat(self, name: str, *characters: str, role: str = "player") -> str:
        """Somebody gets a seat, and these characters; the seat is their name in small letters."""
        seat = name.lower()
        self.do({"do": "seat", "seat": seat, "name": name, "role": role})
        made = self._server._send("POST", f"/api/t/{self.id}/links/{seat}", self._tokens["gm"])
        self._tokens[seat] = made["link"].rpartition("/")[2]
        for character in characters:
            self.do({"do": "give", "character": character, "seat": seat})
        return seat
