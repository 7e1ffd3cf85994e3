// Entering the faces of one's own dice: a box for each die, or all in one line.

import { h } from "./dom.js";

/** The numbers in a line: "3 4 6 2", and of small dice also "3462". */
function facesIn(line, sides) {
  const parts = line.match(sides < 10 ? /\d/g : /\d+/g) ?? [];
  return parts.map(Number);
}

/** The control for a question for faces. */
export function facesBox({ count, sides }, send) {
  const digits = String(sides).length;
  const boxes = Array.from({ length: count }, (_, at) =>
    h("input", { type: "text", inputmode: "numeric", class: "face-box", maxlength: digits, autocomplete: "off", aria: { label: `Die ${at + 1} of ${count}` } }),
  );
  const line = h("input", { type: "text", inputmode: "text", autocomplete: "off", placeholder: "3 4 6 2", aria: { label: "All faces in one line" } });
  const go = h("button", { type: "button", class: "btn main", on: { click: () => send(read()) } });
  const wrong = h("p", { class: "field-error", role: "status" });

  const isFace = (text) => /^\d+$/.test(text) && Number(text) >= 1 && Number(text) <= sides;
  const read = () => boxes.map((box) => Number(box.value));

  function check() {
    const bad = boxes.filter((box) => box.value && !isFace(box.value));
    for (const box of boxes) box.setAttribute("aria-invalid", String(bad.includes(box)));
    wrong.textContent = bad.length ? `A d${sides} shows 1 to ${sides}${sides === 10 ? " (enter a 0 as 10)" : ""}.` : "";
    const typed = boxes.filter((box) => isFace(box.value)).length;
    go.disabled = typed < count;
    go.textContent = typed < count ? `${count - typed} left` : "Use these";
  }

  boxes.forEach((box, at) => {
    box.addEventListener("focus", () => box.select());
    box.addEventListener("input", () => {
      check();
      const full = box.value.length === digits || Number(box.value) * 10 > sides;
      if (full && isFace(box.value)) (boxes[at + 1] ?? go).focus();
    });
    box.addEventListener("keydown", (event) => {
      if (event.key === "Backspace" && !box.value) boxes[at - 1]?.focus();
      else if (event.key === "Enter" && !go.disabled) send(read());
    });
  });
  line.addEventListener("input", () => {
    const typed = facesIn(line.value, sides);
    boxes.forEach((box, at) => {
      box.value = typed[at] ?? "";
    });
    check();
    if (typed.length > count) wrong.textContent = `Enter ${count} faces, not ${typed.length}.`;
  });
  line.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !go.disabled) send(read());
  });
  check();
  const node = h(
    "div",
    { class: "stack" },
    h("div", { class: "face-boxes", role: "group", aria: { label: `Faces of ${count} d${sides}` } }, boxes),
    count > 1 ? h("label", { class: "row nowrap" }, h("span", { class: "soft", text: "or all at once" }), h("span", { class: "grow" }, line)) : null,
    wrong,
    h("div", { class: "row" }, go),
  );
  return { node, focus: boxes[0] };
}
