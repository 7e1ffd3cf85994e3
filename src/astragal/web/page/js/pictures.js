// The session in pictures: luck against the odds, artha, tests logged, as the server draws them.

import { fill, h } from "./dom.js";
import { table } from "./table.js";

/** The pictures of a session, each with its words; fetched when they are wanted. */
export function picturesOf(session) {
  const place = h("div", { class: "session-pictures", aria: { busy: "true" } }, h("p", { class: "soft", text: "Drawing…" }));
  const image = ({ title, told, svg }) => h("img", { src: `data:image/svg+xml;utf8,${encodeURIComponent(svg)}`, width: "340", alt: `${title}. ${told}` });
  const show = ({ pictures }) => fill(place, pictures.length ? pictures.map(image) : h("p", { class: "soft", text: "No dice were rolled in this session." }));
  const fail = (refused) => fill(place, h("p", { class: "soft", text: refused.line ?? "The pictures could not be fetched." }));
  place.drawn = table.get(`pictures/${session}`).then(show, fail).finally(() => place.removeAttribute("aria-busy"));
  return place;
}
