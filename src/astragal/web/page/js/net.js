// The connection to the table: it reconnects, and no command is lost.

import { afterPress } from "./press.js";

const SHORTEST = 300;
const LONGEST = 5000;
const PING = 20000;
const PATIENCE = 8000;
const SEAT_CHECK = 900;

/** Why something was refused: a sentence, and the place, value, expectation and rule. */
export class Refused extends Error {
  constructor(error = {}) {
    // The rule has a link: its id need not be read.
    const said = (error.line || "That did not work. Try again.").replace(` [${error.rule}]`, "");
    const line = said[0].toUpperCase() + said.slice(1);
    super(line);
    this.name = "Refused";
    this.line = line;
    this.place = error.place ?? "";
    this.value = error.value ?? null;
    this.expected = error.expected ?? "";
    this.rule = error.rule ?? "";
  }
}

/** JSON over HTTP; whatever is not a success is a `Refused` with the server's own words. */
export async function fetchJSON(path, { method = "GET", body, file } = {}) {
  let answer;
  try {
    answer = await fetch(path, {
      method,
      credentials: "same-origin",
      headers: body === undefined ? {} : { "Content-Type": "application/json" },
      body: body === undefined ? file : JSON.stringify(body),
    });
  } catch {
    throw new Refused({ line: "The server cannot be reached. Check your connection and try again." });
  }
  const text = await answer.text();
  let said = null;
  try {
    said = text ? JSON.parse(text) : null;
  } catch {
    // Not JSON: the status says enough.
  }
  if (answer.ok) return said;
  const refused = new Refused(said?.error ?? { line: `The server could not do that (error ${answer.status}). Try again.` });
  refused.status = answer.status;
  throw refused;
}

/** A unique id for a command. */
export function newMark() {
  return Array.from(crypto.getRandomValues(new Uint8Array(12)), (n) => n.toString(16).padStart(2, "0")).join("");
}

/**
 * One table's WebSocket. `hear(message)` gets what the server says; `state(link)` gets "connecting",
 * "live" or "lost"; `gone(why)` is called when the seat is lost.
 */
export class Connection {
  #socket = null;
  #wait = SHORTEST;
  #timer = 0;
  #pinger = 0;
  #patience = 0;
  #seatCheck = 0;
  #pings = 0;
  #unanswered = new Map();
  #closed = false;

  constructor(campaign, { hear, state, gone }) {
    this.campaign = campaign;
    this.hear = hear;
    this.state = state;
    this.gone = gone;
    this.wake = () => this.#hurry();
    addEventListener("online", this.wake);
    document.addEventListener("visibilitychange", this.wake);
    this.#connect();
  }

  /** Send a command; it is sent again, with the same mark, until the server has answered it. */
  command(command) {
    const mark = newMark();
    return new Promise((resolve, reject) => {
      this.#unanswered.set(mark, { command, resolve, reject });
      this.#send({ mark, command });
    });
  }

  /** Ask for something that arrives as a message of its own: the odds, or the next questions. */
  request(what) {
    this.#send(what);
  }

  close() {
    this.#closed = true;
    removeEventListener("online", this.wake);
    document.removeEventListener("visibilitychange", this.wake);
    clearTimeout(this.#timer);
    this.#clearTimers();
    this.#socket?.close();
  }

  #connect() {
    if (this.#closed) return;
    clearTimeout(this.#timer);
    this.state("connecting");
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/ws/${encodeURIComponent(this.campaign)}`);
    this.#socket = socket;
    socket.addEventListener("open", () => {
      this.#expect();
      // A page without a seat hears nothing.
      this.#seatCheck = setTimeout(() => this.#isSeatKept(), SEAT_CHECK);
    });
    socket.addEventListener("message", (event) => {
      if (socket !== this.#socket) return;
      this.#alive();
      afterPress(() => {
        if (socket === this.#socket) this.#heard(JSON.parse(event.data));
      });
    });
    socket.addEventListener("close", () => {
      if (socket === this.#socket) this.#lost();
    });
  }

  #heard(message) {
    if (message.type === "view") {
      this.#wait = SHORTEST;
      this.hear(message);
      this.state("live");
      for (const [mark, { command }] of this.#unanswered) this.#send({ mark, command });
    } else if (message.type === "ack") {
      this.#unanswered.get(message.mark)?.resolve(message.seq);
      this.#unanswered.delete(message.mark);
    } else if (message.type === "refused" && this.#unanswered.has(message.mark)) {
      this.#unanswered.get(message.mark).reject(new Refused(message.error));
      this.#unanswered.delete(message.mark);
    } else if (message.type !== "pong") {
      this.hear(message);
    }
  }

  #lost() {
    this.#socket = null;
    this.#clearTimers();
    if (this.#closed) return;
    this.state("lost");
    this.#isSeatKept();
    this.#timer = setTimeout(() => this.#connect(), this.#wait * (0.8 + 0.4 * Math.random()));
    this.#wait = Math.min(LONGEST, this.#wait * 1.8);
  }

  /** A refused handshake looks like a lost connection: plain HTTP tells the difference. */
  async #isSeatKept() {
    try {
      await fetchJSON(`/api/t/${encodeURIComponent(this.campaign)}/view`);
    } catch (refused) {
      if (![401, 403, 404].includes(refused.status) || this.#closed) return;
      this.close();
      this.gone(refused.line);
    }
  }

  #hurry() {
    if (document.hidden || this.#closed) return;
    if (this.#socket === null) this.#connect();
    else if (this.#socket.readyState === WebSocket.OPEN) this.#ping();
  }

  #ping() {
    this.#send({ ping: ++this.#pings });
    this.#expect();
  }

  /** If nothing is heard soon, the connection is dead. */
  #expect() {
    clearTimeout(this.#patience);
    this.#patience = setTimeout(() => this.#socket?.close(), PATIENCE);
  }

  #alive() {
    this.#clearTimers();
    this.#pinger = setTimeout(() => this.#ping(), PING);
  }

  #clearTimers() {
    clearTimeout(this.#patience);
    clearTimeout(this.#seatCheck);
    clearTimeout(this.#pinger);
  }

  #send(message) {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }
}
