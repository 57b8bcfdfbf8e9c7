/** Schemes a link may have. Source: sessions.md section 8. */
const schemes = new Set(["http", "https", "mailto", "tel", "ftp"]);
/** Browsers ignore these in front of and within a scheme. */
const IGNORED = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
const SCHEME = /^\s*([^/?#\\]*?)\s*:/;

/** The address as a link may have it; undefined for one that must stay text. */
export function safeLink(address: string): string | undefined {
  const cleaned = address.replace(IGNORED, "").trim();
  if (cleaned === "") return undefined;
  const scheme = SCHEME.exec(cleaned)?.[1];
  return scheme === undefined || schemes.has(scheme.toLowerCase()) ? cleaned : undefined;
}

/** Pictures that are pixels; an SVG is a document. */
const pictureTypes = new Set(["image/png", "image/jpeg", "image/gif", "image/webp", "image/bmp", "image/avif"]);
const BASE64 = /^[A-Za-z0-9+/\s]+={0,2}\s*$/;

/** `data:` address of an image of a session; undefined for what is none. */
export function pictureAddress(mimeType: string, data: string): string | undefined {
  return pictureTypes.has(mimeType.toLowerCase()) && BASE64.test(data)
    ? `data:${mimeType.toLowerCase()};base64,${data.replace(/\s/g, "")}`
    : undefined;
}

/** The address of an image in Markdown, when it is in the page itself. */
export function inlinePicture(address: string): string | undefined {
  const [, mimeType = "", data = ""] = /^data:([\w/+.-]+);base64,(.*)$/s.exec(address.trim()) ?? [];
  return pictureAddress(mimeType, data);
}
