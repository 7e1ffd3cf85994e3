"""The real server in a process of its own, and what a test prepares there without a browser."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import httpx

PATIENCE = 60
"""Seconds that a server may take to begin on a busy machine."""


class Server:
    """A server on a database of its own; it can be killed, and comes back at the same address."""

    def __init__(self, folder: Path, database: str = "", workers: int = 1) -> None:
        self._database = database or f"sqlite:///{folder}/tables.db"
        self._workers = str(workers)
        self._port = 0
        self.said: list[str] = []
        """What the server has written since it began."""
        self._process: subprocess.Popen[str] | None = None
        self.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._port}"

    def start(self) -> None:
        program = [sys.executable, "-m", "astragal", "serve", "--no-browser"]
        program += ["--workers", self._workers]
        place = ["--port", str(self._port), "--database", self._database]
        kept = {key: value for key, value in os.environ.items() if not key.startswith("ASTRAGAL_")}
        self._process = subprocess.Popen(
            [*program, *place],
            env=kept,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        stop = threading.Timer(PATIENCE, self._process.kill)
        stop.start()
        heard = ""
        for line in self._process.stdout or ():
            heard += line
            if found := re.search(r"is at http://127\.0\.0\.1:(\d+)", line):
                self._port = int(found[1])
                break
        stop.cancel()
        assert self._port, f"the server does not begin: {heard}"
        # What it says later is read, too, or it would wait for somebody to read it.
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        for line in (self._process and self._process.stdout) or ():
            self.said.append(line.rstrip())

    def kill(self) -> None:
        """End it as a power cut would."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        self._end(signal.SIGTERM)

    def _end(self, how: signal.Signals) -> None:
        if self._process and self._process.poll() is None:
            self._process.send_signal(how)
            try:
                self._process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait(PATIENCE)

    def _send(self, method: str, path: str, token: str = "", **body: Any) -> Any:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        answer = httpx.request(
            method, self.url + path, headers=headers, json=body, timeout=PATIENCE
        )
        assert answer.is_success, f"{method} {path}: {answer.status_code} {answer.text}"
        return answer.json()

    def create(self, game: str, *, demo: bool = True, title: str = "A trial") -> Campaign:
        """A campaign whose GM is called Gus; as a demo with its characters."""
        about = {} if demo else {"title": title, "options": {}}
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
        return int(sent["seq"])

    def seat(self, name: str, *characters: str, role: str = "player") -> str:
        """Somebody gets a seat, and these characters; the seat is their name in small letters."""
        seat = name.lower()
        self.do({"do": "seat", "seat": seat, "name": name, "role": role})
        made = self._server._send("POST", f"/api/t/{self.id}/links/{seat}", self._tokens["gm"])
        self._tokens[seat] = made["link"].rpartition("/")[2]
        for character in characters:
            self.do({"do": "give", "character": character, "seat": seat})
        return seat
