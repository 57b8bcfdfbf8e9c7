export const HASH_LENGTH = 8;

/** A short text that stands for a longer one; equal texts give equal hashes in every process. */
export function shortHash(text: string): string {
  // FNV-1a in two halves: 64 bits without big integers.
  let low = 0x811c9dc5;
  let high = 0x9747b28c;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    low = Math.imul(low ^ unit, 0x01000193);
    high = Math.imul(high ^ unit, 0x85ebca6b);
  }
  const digits = (low >>> 0).toString(36) + (high >>> 0).toString(36);
  return digits.padStart(HASH_LENGTH, "0").slice(0, HASH_LENGTH);
}

const MADE_LENGTH = 9;

/** Nine letters and digits that stand for a text: as the id of a call, all APIs accept them. */
export function madeToolCallId(text: string): string {
  // Two hashes of eight digits: one alone is too short.
  return (shortHash(text) + shortHash(`${text}.`)).slice(0, MADE_LENGTH);
}
