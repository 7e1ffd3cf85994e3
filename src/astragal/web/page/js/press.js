// Between the press of a button and its release nothing is drawn again.

/** Whoever holds something down for longer does not mean to press it: milliseconds. */
const LONGEST = 700;

const waiting = [];
let isDown = false;
let timer = 0;

function release() {
  clearTimeout(timer);
  isDown = false;
  for (const work of waiting.splice(0)) {
    try {
      work();
    } catch (error) {
      reportError(error);
    }
  }
}

function press() {
  clearTimeout(timer);
  isDown = true;
  timer = setTimeout(release, LONGEST);
}

/** The click follows the release at once: what waited comes after it. */
function soon() {
  clearTimeout(timer);
  if (isDown) timer = setTimeout(release);
}

addEventListener("pointerdown", press, true);
addEventListener("pointerup", soon, true);
addEventListener("pointercancel", soon, true);
addEventListener("blur", soon); // of the window alone
addEventListener("keydown", ({ key, repeat }) => key === " " && !repeat && press(), true);
addEventListener("keyup", ({ key }) => key === " " && soon(), true);

/**
 * Do something now or, while something is pressed, right after it: a button that is drawn again
 * in between would never hear that it was pressed. The order is kept.
 */
export function afterPress(work) {
  if (isDown) waiting.push(work);
  else work();
}
