// "Your turn" as a notification of the device, while the page is hidden; off until it is wanted.

const KEY = "astragal:notifications";
let shown = null;

export const notifications = {
  get isPossible() {
    return "Notification" in globalThis && Notification.permission !== "denied";
  },

  get on() {
    return this.isPossible && Notification.permission === "granted" && localStorage.getItem(KEY) === "on";
  },

  /** Switch them on or off; the browser asks once whether it may. */
  async set(on) {
    localStorage.setItem(KEY, on ? "on" : "off");
    if (on && Notification.permission === "default") await Notification.requestPermission();
  },

  /** Tell whoever looks elsewhere; a later one takes the place of an earlier one. */
  tell(title, body) {
    if (!this.on || !document.hidden) return;
    try {
      shown = new Notification(title, { body, tag: location.pathname, icon: "/page/icon-192.png" });
      shown.addEventListener("click", () => globalThis.focus());
    } catch {
      // Some phones allow them to installed pages only: the title and the sound tell, too.
    }
  },
};

document.addEventListener("visibilitychange", () => document.hidden || shown?.close());
