/** What one child of a stack asks for. */
export interface FlexItem {
  readonly basis: number;
  readonly grow: number;
  readonly shrink: number;
  readonly min: number;
  readonly max: number;
}

/** Cells for each item: what they ask for, then what is left by `grow`, or what is missing by `shrink`. */
export function distribute(items: readonly FlexItem[], available: number): number[] {
  const sizes = items.map(({ basis, min, max }) => clamp(basis, min, max));
  for (;;) {
    const rest = available - sum(sizes);
    if (rest === 0) return sizes;
    // One cell at a time would be exact and slow; by shares, with the remainder to the first, is both.
    const weights = items.map((item, at) => weight(item, sizes[at] ?? 0, rest));
    const total = sum(weights);
    if (total === 0) return rest > 0 ? sizes : cut(sizes, available);
    const before = [...sizes];
    let left = rest;
    for (const [at, item] of items.entries()) {
      const share = ((weights[at] ?? 0) / total) * rest;
      const whole = rest > 0 ? Math.floor(share) : Math.ceil(share);
      const next = clamp((sizes[at] ?? 0) + whole, item.min, item.max);
      left -= next - (sizes[at] ?? 0);
      sizes[at] = next;
    }
    if (left !== rest) continue;
    // All shares were below one cell.
    const first = weights.findIndex((one) => one > 0);
    sizes[first] = (before[first] ?? 0) + Math.sign(rest);
  }
}

function weight({ grow, shrink, min, max, basis }: FlexItem, size: number, rest: number): number {
  if (rest > 0) return size < max ? grow : 0;
  return size > min ? shrink * Math.max(1, basis) : 0;
}

/** Nothing may shrink any more: the last ones are cut off. */
function cut(sizes: readonly number[], available: number): number[] {
  let left = available;
  return sizes.map((size) => {
    const kept = Math.max(0, Math.min(size, left));
    left -= kept;
    return kept;
  });
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function clamp(value: number, low: number, high: number): number {
  return Math.max(low, Math.min(high, value));
}
