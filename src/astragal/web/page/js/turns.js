// Whose turn it is: who has something to answer, to write or to roll.

import { listed } from "./dom.js";
import { table } from "./table.js";

/** A line that is answered on the card, not by itself. */
export const isOnCard = ({ step }) => (step ?? null) === null;

/** A question of its own: faces, and what is written in secret without anything to begin with. */
const isApart = ({ secret, question }) => question.kind === "faces" || ((secret || question.kind === "script") && (question.default ?? null) === null);

/** The questions of their own; also what several decide in secret at once, which no card reaches. */
export function apartIn(open, card) {
  const isBeside = ({ key, prompt }) => card?.lines.some((line) => line.seat === table.seat && line.key === key && line.prompt === prompt && !isOnCard(line));
  return open.questions.filter((question) => isApart(question) || isBeside(question));
}

/** The GM's character whose script a question asks for, where the GM is asked. */
export function scriptedFor({ key, seat, prompt }) {
  if (!table.isGM || key !== "script" || seat !== table.seat || table.as) return null;
  return Object.values(table.view.characters).find(({ mine, name }) => mine && prompt.startsWith(`${name}: `));
}

/** For whom a seat writes scripts: the GM's characters, whose scripts the table may write; or nobody else. */
const writesFor = ({ characters }, seat) => listed((seat === "gm" ? Object.values(table.view.characters).filter((each) => each.seat === seat && characters.includes(each.key)) : []).map(({ name }) => name));

/** Whose script is waited for. */
export const writer = (open, seat) => writesFor(open, seat) || (seat === "gm" ? "the GM" : table.nameOf(seat));

/** Whose scripts are being written besides one's own, as sentences. */
export function othersWriting({ procedure, seat: mine }) {
  const open = table.view.open.find(({ id }) => id === procedure);
  const seats = new Set(open?.waiting.filter(({ seat, writes_script: writes }) => writes && seat !== mine).map(({ seat }) => seat));
  return [...seats].map((seat) => (writesFor(open, seat) ? `A script is being written for ${writesFor(open, seat)}` : `${table.nameOf(seat)} is writing a script`));
}

/** Whether the advice and the scripts of the table come from a solved duel. */
export const isDuel = (procedure) => table.view.open.find(({ id }) => id === procedure)?.name === "duel_of_wits";

/** Whether the table writes the script that a question asks for. */
export const isByTable = (question, procedure) => Boolean(scriptedFor(question)?.partner) && (table.view.campaign.can_solve || !isDuel(procedure));

/** Those who are ready for the dice of a card, or need not say so. */
export const readyFor = (open, card) => [...open.ready, ...(card.rolls.length ? card.rolls_on : [])];

/**
 * A line that is offered to somebody who does not roll: help that was asked for. Nothing waits for
 * it, but its owner should know, until they have answered anything. The GM, who has such lines on
 * every card, is not told of them.
 */
export function isFavour({ kind, seat, step }, { lines, releasers }) {
  return kind === "offered" && isOnCard({ step }) && seat !== "gm" && releasers.length > 0 && !releasers.includes(seat) && !lines.some((each) => each.seat === seat && each.drafted);
}

/** What is waited for or hoped for (`isFavour`), each with the seat that it waits for. */
export function turns() {
  return (table.view?.open ?? []).flatMap((open) => {
    const of = (seat, key, prompt) => ({ procedure: open.id, title: open.title, step: open.told, seat, key, prompt });
    const card = table.cards[open.id];
    const apart = apartIn(open, card);
    const writing = open.waiting.filter((each) => each.writes_script);
    const missing = (card?.lines ?? []).filter((line) => line.is_open && isOnCard(line));
    const late = (card?.releasers ?? []).filter((seat) => !readyFor(open, card).includes(seat) && !missing.some((line) => line.seat === seat));
    const first = (seat) => card.lines.find((line) => line.seat === seat && line.kind === "offered")?.prompt;
    return [
      ...apart.filter((each) => !isByTable(each, open.id)).map(({ key, prompt }) => of(table.seat, key, prompt)),
      ...writing.map(({ seat }) => of(seat, "script", "Script")),
      ...missing.map(({ seat, key, prompt }) => of(seat, key, prompt)),
      ...(card?.lines ?? []).filter((line) => isFavour(line, card)).map(({ seat, key, prompt }) => ({ ...of(seat, key, prompt), isFavour: true })),
      ...late.map((seat) => of(seat, "release", card.rolls.length ? `Roll: ${open.title}` : (first(seat) ?? open.title))),
    ];
  });
}

/** What waits for this seat. */
export function myTurns() {
  return turns().filter(({ seat }) => seat === table.seat);
}
