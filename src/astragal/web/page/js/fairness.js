// Checking the dice on this device: the log's hash chain, and every throw from its own key. It needs
// nothing of the browser (a page that is not served over HTTPS has no crypto.subtle).

const K = [];
const START = [];
for (let n = 2; K.length < 64; n++) {
  if ([...Array(n).keys()].some((d) => d > 1 && n % d === 0)) continue;
  const bits = (x) => ((x - Math.floor(x)) * 2 ** 32) | 0;
  if (START.length < 8) START.push(bits(n ** (1 / 2)));
  K.push(bits(n ** (1 / 3)));
}

const rot = (x, n) => (x >>> n) | (x << (32 - n));

/** SHA-256 of bytes. */
export function sha256(bytes) {
  const size = Math.ceil((bytes.length + 9) / 64) * 64;
  const data = new Uint8Array(size);
  data.set(bytes);
  data[bytes.length] = 0x80;
  const view = new DataView(data.buffer);
  view.setUint32(size - 8, Math.floor(bytes.length / 2 ** 29));
  view.setUint32(size - 4, bytes.length * 8);
  const state = [...START];
  const w = new Int32Array(64);
  for (let at = 0; at < size; at += 64) {
    for (let i = 0; i < 16; i++) w[i] = view.getInt32(at + 4 * i);
    for (let i = 16; i < 64; i++) {
      const s0 = rot(w[i - 15], 7) ^ rot(w[i - 15], 18) ^ (w[i - 15] >>> 3);
      const s1 = rot(w[i - 2], 17) ^ rot(w[i - 2], 19) ^ (w[i - 2] >>> 10);
      w[i] = w[i - 16] + s0 + w[i - 7] + s1;
    }
    let [a, b, c, d, e, f, g, h] = state;
    for (let i = 0; i < 64; i++) {
      const t1 = (h + (rot(e, 6) ^ rot(e, 11) ^ rot(e, 25)) + ((e & f) ^ (~e & g)) + K[i] + w[i]) | 0;
      const t2 = ((rot(a, 2) ^ rot(a, 13) ^ rot(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      h = g;
      g = f;
      f = e;
      e = (d + t1) | 0;
      d = c;
      c = b;
      b = a;
      a = (t1 + t2) | 0;
    }
    [a, b, c, d, e, f, g, h].forEach((x, i) => (state[i] = (state[i] + x) | 0));
  }
  const out = new DataView(new ArrayBuffer(32));
  state.forEach((x, i) => out.setInt32(4 * i, x));
  return new Uint8Array(out.buffer);
}

const utf8 = (text) => new TextEncoder().encode(text);
export const hex = (bytes) => Array.from(bytes, (n) => n.toString(16).padStart(2, "0")).join("");
const unhex = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));

function joined(...parts) {
  const all = parts.map((part) => (typeof part === "string" ? utf8(part) : part));
  const out = new Uint8Array(all.reduce((sum, part) => sum + part.length, 0));
  all.reduce((at, part) => (out.set(part, at), at + part.length), 0);
  return out;
}

const hash = (...parts) => sha256(joined(...parts));

export function hmac(key, ...parts) {
  const padded = new Uint8Array(64);
  padded.set(key);
  return hash(padded.map((n) => n ^ 0x5c), hash(padded.map((n) => n ^ 0x36), ...parts));
}

/** The head after an entry of which the digest is known. */
export const nextHead = (head, digest) => hex(hash(unhex(head), unhex(digest)));

const eight = (number) => {
  const out = new DataView(new ArrayBuffer(8));
  out.setUint32(4, number);
  return new Uint8Array(out.buffer);
};

/** The faces that follow from a seed: a stream of bytes, and bytes that would be unfair skipped. */
function faces(seed, handfuls) {
  let block = 0;
  let bytes = [];
  const next = () => {
    if (!bytes.length) bytes = [...hmac(seed, eight(0), eight(block++))];
    return bytes.shift();
  };
  return handfuls.flatMap(([sides, count]) =>
    Array.from({ length: count }, () => {
      let byte = next();
      while (byte >= 256 - (256 % sides)) byte = next();
      return (byte % sides) + 1;
    }),
  );
}

const DEPTH = 12;

function root(leaves, edge) {
  let nodes = leaves.map(unhex);
  const more = edge.map(unhex);
  for (let level = 0; level < DEPTH; level++) {
    if (nodes.length % 2) nodes.push(more.shift() ?? new Uint8Array());
    nodes = nodes.flatMap((node, i) => (i % 2 ? [hash("node", nodes[i - 1], node)] : []));
  }
  return nodes.length === 1 && !more.length ? hex(nodes[0]) : "";
}

/** One walk through what a seat saw (evidence.json). */
class Check {
  heads = new Map();
  sessions = new Map();
  spans = [];
  thrown = [];
  wrong = [];
  fit = 0;
  typed = 0;

  constructor(seen) {
    this.seen = seen;
    this.all = seen.seat === "gm" || !seen.seat;
    let head = "";
    (seen.chain ?? []).forEach((entry, place) => {
      const seq = seen.first + place;
      head = nextHead(head, typeof entry === "string" ? entry : this.#entry(seq, entry));
      this.heads.set(seq, head);
    });
    if (head !== (seen.head ?? "")) this.wrong.push("The log's entries do not lead to the head that it ends with.");
    for (const session of this.sessions.values()) this.#session(session);
  }

  #entry(seq, { body, parts }) {
    const hashes = parts.map((part) => part.hash ?? part);
    for (const part of parts) {
      if (part.hash === undefined) {
        if (this.all && part.startsWith("throw:")) this.wrong.push(`Entry ${seq}: a roll is missing.`);
        for (const session of this.sessions.values()) session.hidden += 1;
        continue;
      }
      const [kind, hashed] = part.hash.split(":");
      if (hex(hash(unhex(part.salt), part.said)) !== hashed) this.wrong.push(`Entry ${seq} was changed.`);
      const said = JSON.parse(part.said);
      if (said[0] === kind) this.#part(seq, said);
      else this.wrong.push(`Entry ${seq} cannot be read.`);
    }
    return hex(hash(JSON.stringify([seq, body, hashes])));
  }

  #part(seq, [kind, ...said]) {
    if (kind === "session") {
      const [number, commitment, streams] = said;
      const keys = this.seen.sessions.find((each) => each.number === number);
      this.sessions.set(number, { number, commitment, streams, keys, given: [], mixes: [unhex(commitment)], numbers: new Map(), cast: new Map(), hidden: 0, unchecked: 0 });
      if (keys?.commitment !== commitment) this.wrong.push(`Session ${number} was replaced.`);
    } else if (kind === "gave") {
      const [number, seat, value] = said;
      const session = this.sessions.get(number);
      session.given.push([seat, value]);
      session.mixes.push(hash(session.mixes.at(-1), JSON.stringify([seat, value])));
    } else if (kind === "ended") {
      const session = this.sessions.get(said[0]);
      if (session) session.isOver = !said[1];
    } else if (kind === "undone") {
      this.spans = [...this.spans.filter(([, by]) => by <= said[0]), [said[0], seq]];
    } else if (kind === "cast") {
      for (const [number, stream, index, mixed] of said[0]) {
        if (!stream) this.sessions.get(number)?.cast.set(index, mixed);
      }
    } else if (kind === "throw") {
      this.#throw(seq, said);
    }
  }

  #throw(seq, [what, mixed, handfuls, shown, typed]) {
    const [number, stream, index, , label] = JSON.parse(what);
    const session = this.sessions.get(number);
    this.thrown.push(seq);
    if (!session || !Object.keys(session.streams).length) {
      // Before the chain began, or real dice between two sessions.
      if (typed) this.typed += 1;
      return;
    }
    const accuse = (why) => this.wrong.push(`Entry ${seq}: ${label}: ${why}`);
    if (!stream) {
      const before = session.numbers.get(index);
      if (before !== undefined && !(session.cast.has(index) && this.isUndone(before))) accuse(`roll ${index} appears twice.`);
      session.numbers.set(index, seq);
      const all = session.cast.get(index) ?? session.given.length;
      if (mixed !== all && !session.hidden) accuse("it was not made with all that players had added.");
    }
    if (typed) {
      this.typed += 1;
      return;
    }
    const key = stream ? session.keys?.streams?.[stream] : session.keys?.keys?.[index];
    if (!key) {
      if (this.all || !stream || stream === this.seen.stream) session.unchecked += 1;
      return;
    }
    const bytes = stream ? hmac(unhex(key), eight(index)) : unhex(key);
    const promised = stream ? session.streams[stream] : session.keys.leaves[index];
    if (hex(stream ? hash("stream", unhex(key)) : hash("leaf", bytes)) !== promised) accuse("its key is not the one committed to beforehand.");
    const derived = faces(hmac(bytes, session.mixes[mixed] ?? new Uint8Array(), what), handfuls);
    if (derived.join() === shown.join()) this.fit += 1;
    else accuse(`it shows ${shown.join(" ")}, but its key gives ${derived.join(" ")}.`);
  }

  #session({ number, commitment, keys, numbers, cast, hidden, streams, isOver, unchecked }) {
    if (!Object.keys(streams).length) return;
    if (isOver && unchecked) this.wrong.push(`Session ${number}: the keys of ${unchecked} ${unchecked === 1 ? "roll" : "rolls"} are missing.`);
    const leaves = keys?.leaves ?? [];
    if (leaves.length && root(leaves, keys.edge ?? []) !== commitment) this.wrong.push(`Session ${number}: the keys are not those committed to beforehand.`);
    const last = Math.max(-1, ...numbers.keys(), ...cast.keys());
    for (let index = 0; index <= last; index++) {
      if (!hidden && !numbers.has(index) && !cast.has(index)) this.wrong.push(`Session ${number}: roll ${index} was left out.`);
    }
  }

  isUndone(seq) {
    return this.spans.some(([after, by]) => after < seq && seq < by);
  }

  compare({ heads = [], gave = {} }) {
    const last = Math.max(0, ...this.heads.keys());
    const gone = heads.find(([seq]) => seq > last);
    if (gone) this.wrong.push(`This device saw entry ${gone[0]}, but the log ends with entry ${last}.`);
    const other = heads.find(([seq, head]) => this.heads.has(seq) && this.heads.get(seq) !== head);
    if (other) this.wrong.push(`This device saw another log up to entry ${other[0]}.`);
    for (const [number, value] of Object.entries(gave)) {
      const given = this.sessions.get(Number(number))?.given ?? [];
      if (!given.some(([seat, each]) => seat === this.seen.seat && each === value)) this.wrong.push(`What this device added to the dice of session ${number} is not in them.`);
    }
  }
}

/** Check what a seat saw against what its device kept: what fits, and what is wrong. */
export function check(seen, receipt = {}) {
  const found = new Check(seen);
  found.compare(receipt);
  const { fit, typed, wrong } = found;
  return { fit, typed, wrong, undone: found.thrown.filter((seq) => found.isUndone(seq)).length };
}
