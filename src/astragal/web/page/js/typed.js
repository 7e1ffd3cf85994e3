// What is typed and not sent yet outlives a reload: this tab keeps it, for each campaign.

import { table } from "./table.js";

const place = (what) => `astragal:typed:${table.campaign}:${what}`;

export const typed = {
  /** What was typed there before, or null. */
  at(what) {
    return JSON.parse(sessionStorage.getItem(place(what)) ?? "null");
  },
  /** Keep it; with nothing to keep, forget what was kept. */
  keep(what, value) {
    if (value) sessionStorage.setItem(place(what), JSON.stringify(value));
    else sessionStorage.removeItem(place(what));
  },
};
