// Soft sounds: when it is your turn, and when dice fall; off until they are switched on.

const KEY = "astragal:sound";
let context = null;

export const sound = {
  get on() {
    return localStorage.getItem(KEY) === "on";
  },

  /** Switch it on or off; browsers play sound only after a person has pressed something. */
  set(on) {
    localStorage.setItem(KEY, on ? "on" : "off");
    if (on) this.play();
  },

  /** Two soft notes. */
  play() {
    [523.25, 659.25].forEach((pitch, at) => this.note(pitch, 0.14 * at, 0.08, 0.5));
  },

  /** A short knock for each die, so many milliseconds from now. */
  clatter(times) {
    for (const time of times) this.note(150 + 130 * Math.random(), time / 1000, 0.12, 0.07, "triangle");
  },

  note(pitch, after, loud, long, kind = "sine") {
    if (!this.on) return;
    context ??= new AudioContext();
    context.resume();
    const tone = context.createOscillator();
    const level = context.createGain();
    const from = context.currentTime + after;
    tone.type = kind;
    tone.frequency.value = pitch;
    level.gain.setValueAtTime(0, from);
    level.gain.linearRampToValueAtTime(loud, from + long / 25);
    level.gain.exponentialRampToValueAtTime(0.0001, from + long);
    tone.connect(level).connect(context.destination);
    tone.start(from);
    tone.stop(from + long);
  },
};
