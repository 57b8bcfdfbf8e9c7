/** A point in time as the reader's system writes it; "" for none. */
export function moment(value: unknown): string {
  if (typeof value !== "string" && typeof value !== "number") return "";
  const date = new Date(value);
  return Number.isNaN(date.getTime()) ? "" : date.toLocaleString();
}

export function thousands(count: number): string {
  return Math.round(count).toLocaleString("en");
}

/** Small amounts keep the digits that say something. */
export function dollars(amount: number): string {
  return `$${amount.toFixed(amount !== 0 && amount < 0.1 ? 4 : 2)}`;
}
