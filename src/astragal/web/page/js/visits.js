// When this device was here last, and up to where it has read: for the mark in the story and the recap.

import { table } from "./table.js";

/** After so long away somebody is told what happened meanwhile. */
const A_WHILE = 15 * 60 * 1000;

class Visits {
  #campaign = null;
  #last = null;

  /** The last visit, {seq, at}, if it is a while ago. */
  get last() {
    if (this.#campaign !== table.campaign) {
      this.#campaign = table.campaign;
      const kept = JSON.parse(localStorage.getItem(this.#place) ?? "null");
      this.#last = kept && Date.now() - kept.at > A_WHILE ? kept : null;
    }
    return this.#last;
  }

  get #place() {
    return `astragal:seen:${table.campaign}`;
  }

  /** What is here now has been seen. */
  keep() {
    if (this.last !== undefined && !document.hidden && !table.as) localStorage.setItem(this.#place, JSON.stringify({ seq: table.view.seq, at: Date.now() }));
  }
}

export const seen = new Visits();
