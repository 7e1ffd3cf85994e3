// A soft sound when it is your turn; off until it is switched on.

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
    if (!this.on) return;
    context ??= new AudioContext();
    context.resume();
    [523.25, 659.25].forEach((pitch, at) => {
      const tone = context.createOscillator();
      const level = context.createGain();
      const from = context.currentTime + 0.14 * at;
      tone.frequency.value = pitch;
      level.gain.setValueAtTime(0, from);
      level.gain.linearRampToValueAtTime(0.08, from + 0.02);
      level.gain.exponentialRampToValueAtTime(0.0001, from + 0.5);
      tone.connect(level).connect(context.destination);
      tone.start(from);
      tone.stop(from + 0.5);
    });
  },
};
