// Images of the table: portraits of characters, uploading, and their addresses.

import { h } from "./dom.js";
import { fetchJSON, Refused } from "./net.js";
import { table } from "./table.js";

export const KINDS = "image/png,image/jpeg,image/webp,image/gif";
const MOST = 2 * 1024 * 1024;
const NOT_AN_IMAGE = "This is not a PNG, JPEG, WebP or GIF image. Choose another file.";

const at = (path) => `/api/t/${encodeURIComponent(table.campaign)}/images${path}`;

/** Where an image is; the server sends it to seats that may see it. */
export const imageUrl = (id) => at(`/${id}`);

/** The initials of a name. */
export function initials(name) {
  return name
    .split(/\s+/)
    .filter(Boolean)
    .map((part) => part[0])
    .slice(0, 2)
    .join("")
    .toUpperCase();
}

/** A small image in a fixed size. */
export const thumbnail = (id, size) => h("img", { class: "portrait", src: imageUrl(id), alt: "", vars: { "--size": `${size}px` } });

/** A character's portrait in a fixed size; null where there is none. */
export function portrait(key, size) {
  const { portrait: id, name } = table.view.characters[key] ?? {};
  if (!id) return null;
  const el = thumbnail(id, size);
  // It may be gone after an undo: the initials take its place, in the same size.
  el.addEventListener("error", () => el.replaceWith(h("span", { class: "portrait", aria: { hidden: "true" }, vars: { "--size": `${size}px` }, text: initials(name) })));
  return el;
}

/**
 * Upload a file; resolves to the name of the image. It is drawn anew with sides of at most `side`
 * pixels: that is quick to send, and nothing hidden in a photo (where it was taken) goes along.
 */
export async function upload(file, side) {
  let body = file;
  try {
    const image = await createImageBitmap(file);
    const scale = Math.min(1, side / Math.max(image.width, image.height));
    if (file.type !== "image/gif") {
      const canvas = h("canvas", { width: Math.round(image.width * scale) || 1, height: Math.round(image.height * scale) || 1 });
      canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
      body = (await new Promise((done) => canvas.toBlob(done, "image/webp", 0.86))) ?? file;
    }
  } catch {
    throw new Refused({ line: NOT_AN_IMAGE });
  }
  if (body.size > MOST) throw new Refused({ line: "This image is larger than 2 MB. Choose a smaller one." });
  return (await fetchJSON(at(""), { method: "POST", file: body })).image;
}
