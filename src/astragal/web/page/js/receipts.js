// What this device keeps of the table, so that nobody can change the log behind its back: the heads
// of its hash chain, and the random numbers that it has added to the dice.

import { check, hex, nextHead } from "./fairness.js";
import { table } from "./table.js";

const LATEST = 20;
const EVERY = 100;

const place = () => `astragal:receipt:${table.campaign}:${table.seat}`;

class Receipts {
  /** What is wrong with the log, if anything is. */
  trouble = "";
  /** What came of checking the dice: { fit, typed, undone, wrong }, or null. */
  checked = null;

  #work = Promise.resolve();
  #listeners = new Set();
  #over = null;
  #asked = 0;

  constructor() {
    // What another seat keeps is not this device's to keep.
    table.watch(["head"], () => table.as || this.#follow());
    table.watch(["campaign", "link"], () => table.as || this.#contribute());
    table.watch(["campaign"], () => table.as || this.#checkWhenOver());
  }

  /** All that is kept, as `astragal verify --seen` takes it. */
  get receipt() {
    const kept = { campaign: table.campaign, seat: table.seat, heads: [], gave: {} };
    try {
      return { ...kept, ...JSON.parse(localStorage.getItem(place()) ?? "{}") };
    } catch {
      return kept;
    }
  }

  /** Be told when something is known about the log or the dice. */
  watch(fn) {
    this.#listeners.add(fn);
  }

  /** Check every roll that this seat saw. */
  async checkDice() {
    this.checked = check(await table.get("evidence.json"), this.receipt);
    this.#tell();
  }

  /** Follow the log from where it is now, whatever was kept before. */
  startOver() {
    this.#keep({ ...this.receipt, heads: [] });
    this.trouble = "";
    this.#follow();
    this.#tell();
  }

  #tell() {
    for (const fn of this.#listeners) fn();
  }

  #keep(receipt) {
    localStorage.setItem(place(), JSON.stringify(receipt));
  }

  /** One entry after the other, in their order. */
  #follow() {
    const { seq, head, digest } = table.view;
    if (head) this.#work = this.#work.then(() => this.#step(seq, head, digest)).catch(() => {});
  }

  async #step(seq, head, digest) {
    if (this.trouble) return;
    const { heads, ...rest } = this.receipt;
    const [had, last] = heads.at(-1) ?? [0, ""];
    if (had) {
      const trouble = await this.#difference(had, last, seq, head, digest);
      if (trouble) {
        this.trouble = trouble;
        document.dispatchEvent(new CustomEvent("refused", { detail: { line: trouble } }));
        this.#tell();
        return;
      }
    }
    if (had === seq) return;
    const kept = [...heads, [seq, head]].filter(([each], at, all) => at >= all.length - LATEST || each % EVERY === 0);
    this.#keep({ ...rest, heads: kept });
  }

  /** How the server's log differs from what this device saw; empty if it only went on. */
  async #difference(had, last, seq, head, digest) {
    if (seq < had) return `The server's log has lost entries: it ends with entry ${seq}, but this device saw entry ${had}.`;
    let now = last;
    if (seq === had + 1) now = nextHead(last, digest);
    else if (seq > had) now = (await table.get(`chain?after=${had}`)).slice(0, seq - had).reduce(nextHead, last);
    return now === head ? "" : `The server's log was changed: it is not the one that this device saw up to entry ${had}.`;
  }

  /** Players' devices add to the dice of each session, once it has begun. */
  async #contribute() {
    const session = table.view?.campaign.evening;
    if (!session || session.ended || session.is_older || table.link !== "live") return;
    if (table.view.you.role !== "player" || session.given.includes(table.seat) || this.#asked === session.number) return;
    this.#asked = session.number;
    const value = hex(crypto.getRandomValues(new Uint8Array(32)));
    try {
      await table.do({ do: "contribute", session: session.number, value });
      const { gave, ...rest } = this.receipt;
      this.#keep({ ...rest, gave: { ...gave, [session.number]: value } });
    } catch {
      // Another device of this seat was first, or the session is over.
    }
  }

  /** At the end of a session its dice are checked without being asked for. */
  #checkWhenOver() {
    const over = table.view.campaign.evenings.length;
    if (this.#over !== null && over > this.#over) this.checkDice().catch(() => {});
    this.#over = over;
  }
}

/** What this device keeps. */
export const receipts = new Receipts();
