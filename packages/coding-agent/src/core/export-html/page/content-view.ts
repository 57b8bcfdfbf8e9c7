import { type Child, element } from "./dom.js";
import { type Fields, number, text } from "./fields.js";
import { pictureAddress } from "./links.js";

/** An image of a session, or what is to be said instead. */
export function picture(block: Fields): HTMLElement {
  const mimeType = text(block["mimeType"]);
  const leftOut = number(block["leftOut"]);
  if (leftOut > 0) {
    return element("p", "dim", `[image left out of this page: ${megabytes(leftOut)} MB of ${mimeType}]`);
  }
  const address = pictureAddress(mimeType, text(block["data"]));
  if (address === undefined) return element("p", "dim", `[image that cannot be shown: ${mimeType || "unknown type"}]`);
  const image = element("img", "picture");
  image.src = address;
  image.alt = "image of the session";
  return image;
}

/** The images among blocks. */
export function pictures(content: readonly Fields[]): Child[] {
  return content.filter((block) => block["type"] === "image").map(picture);
}

/** Base64 characters as megabytes of the image. */
function megabytes(characters: number): string {
  return ((characters * 0.75) / 1e6).toFixed(1);
}
