// Against whom: who begins a contest names the other side first, and fills in one half of it. The
// other side fills in its own on the card.

import { cast, myself } from "./forms.js";
import { table } from "./table.js";

const GM = "gm";
const THEIRS = "their ";

/** The fields that make a sentence come first, labelled by its words: I want to …, by …, with … */
export function asSentence(form, sentence = form.sentence ?? []) {
  const words = new Map(sentence);
  const order = [...words.keys()];
  const rank = ({ name }) => (words.has(name) ? order.indexOf(name) : order.length);
  const fields = (form.fields ?? []).map((field) => ({ ...field, label: words.get(field.name) ?? field.label }));
  return { ...form, fields: fields.sort((a, b) => rank(a) - rank(b)) };
}

/**
 * Everybody who could oppose: other players' characters first, then the GM's, then one's own. An
 * only character is on its player's side.
 */
export function opponents(taken) {
  const rank = ({ mine, seat }) => (mine ? 2 : seat === GM ? 1 : 0);
  const own = cast().filter(({ mine }) => mine);
  const isFree = ({ key, mine }) => !taken.includes(key) && !(mine && own.length === 1);
  return cast().filter(isFree).sort((one, other) => rank(one) - rank(other));
}

/** Whose character it is, in a word. */
export const playedBy = ({ mine, seat }) => (mine ? "yours" : table.nameOf(seat));

/** A contest as its own side begins it: the form of that side, and the arguments of all sides. */
export class Contest {
  /** The keys of those who oppose. */
  chosen = [];

  constructor({ form, against }, sentence) {
    this.against = against;
    const [own, other = own] = against.map((name) => form.fields.find((field) => field.name === name));
    this.own = own.fields.map(({ name }) => name);
    const theirs = other.fields.filter(({ name, required }) => required && name !== "character");
    const asked = theirs.map((field) => ({ ...field, name: THEIRS + field.name, label: `${field.label} of the other side` }));
    /** Whether something of the other side has to be said before it can begin. */
    this.asksForOthers = asked.length > 0;
    const rest = form.fields.filter(({ name }) => !against.includes(name));
    // Help and gear are asked for on the card, too: the sentence is enough to begin with.
    const isSaid = ({ name, required }) => required || sentence.some(([said]) => said === name);
    const fold = (field) => (isSaid(field) ? field : { ...field, seldom: true });
    this.form = asSentence({ ...form, fields: [...own.fields.map(fold), ...asked, ...rest.map(fold)] }, sentence);
  }

  /** Whether there can be more than two sides. */
  get isOpen() {
    return this.against.length === 1;
  }

  /** My own character where nothing else is said: not one that is on the other side. */
  get me() {
    const other = (each) => each.mine && each.page && !this.chosen.includes(each.key);
    return (myself(this.chosen) ?? cast().find(other))?.key;
  }

  /** The arguments, from what the form says. */
  read(values) {
    const all = Object.entries(values);
    const own = Object.fromEntries(all.filter(([name]) => this.own.includes(name)));
    const theirs = Object.fromEntries(all.filter(([name]) => name.startsWith(THEIRS)).map(([name, value]) => [name.slice(THEIRS.length), value]));
    const rest = Object.fromEntries(all.filter(([name]) => !this.own.includes(name) && !name.startsWith(THEIRS)));
    const others = this.chosen.map((character) => ({ character, ...theirs }));
    const [mine, other] = this.against;
    return this.isOpen ? { ...rest, [mine]: [own, ...others] } : { ...rest, [mine]: own, [other]: others[0] };
  }

  /** A refusal with its place in this form. */
  placed(refused) {
    const [mine, other] = this.isOpen ? [`${this.against[0]}[0].`, `${this.against[0]}[1].`] : this.against.map((name) => `${name}.`);
    const place = refused.place.replace(/^(command\.)?(arguments\.)?/, "");
    const here = place.startsWith(mine) ? place.slice(mine.length) : place.startsWith(other) ? THEIRS + place.slice(other.length) : place;
    return Object.assign(Object.create(refused), { place: here });
  }
}
