import { type Oklab, oklabToLinear } from "./oklab.js";

/**
 * Okhsl (B. Ottosson, 2021): hue, saturation and lightness that look independent. The limits of what can be shown are
 * found by halving instead of by the paper's polynomials.
 */
interface Okhsl {
  h: number;
  s: number;
  l: number;
}

const K1 = 0.206;
const K2 = 0.03;
const K3 = (1 + K1) / (1 + K2);

/** Okhsl's lightness for Oklab's: 0.5 looks like a middle grey on a screen. */
export function oklabToOkhslLightness(L: number): number {
  const t = K3 * L - K1;
  return 0.5 * (t + Math.sqrt(t * t + 4 * K2 * K3 * L));
}

function okhslToOklabLightness(l: number): number {
  return (l * l + K1 * l) / (K3 * (l + K2));
}

export function okhslToOklab({ h, s, l }: Okhsl): Oklab {
  const L = okhslToOklabLightness(l);
  if (L <= 0 || L >= 1 || s === 0) return { L, a: 0, b: 0 };
  const angle = (h * Math.PI) / 180;
  const [a, b] = [Math.cos(angle), Math.sin(angle)];
  const { c0, mid, max } = chromas(L, a, b);
  let chroma: number;
  if (s < MIDDLE) {
    const t = s / MIDDLE;
    const k1 = MIDDLE * c0;
    chroma = (t * k1) / (1 - (1 - k1 / mid) * t);
  } else {
    const t = (s - MIDDLE) / (1 - MIDDLE);
    const k1 = ((1 - MIDDLE) * mid * mid) / (MIDDLE * MIDDLE * c0);
    chroma = mid + (t * k1) / (1 - (1 - k1 / (max - mid)) * t);
  }
  return { L, a: chroma * a, b: chroma * b };
}

export function oklabToOkhsl({ L, a, b }: Oklab): Okhsl {
  const chroma = Math.hypot(a, b);
  const h = ((Math.atan2(b, a) * 180) / Math.PI + 360) % 360;
  const l = oklabToOkhslLightness(L);
  if (chroma < 1e-6 || L <= 0 || L >= 1) return { h: 0, s: 0, l };
  const { c0, mid, max } = chromas(L, a / chroma, b / chroma);
  if (chroma < mid) {
    const k1 = MIDDLE * c0;
    return { h, s: (MIDDLE * chroma) / (k1 + chroma * (1 - k1 / mid)), l };
  }
  const k1 = ((1 - MIDDLE) * mid * mid) / (MIDDLE * MIDDLE * c0);
  const over = chroma - mid;
  return { h, s: Math.min(1, MIDDLE + ((1 - MIDDLE) * over) / (k1 + over * (1 - k1 / (max - mid)))), l };
}

/** The saturation at which the curve changes from even for all hues to reaching each hue's limit. */
const MIDDLE = 0.8;

function chromas(L: number, a: number, b: number): { c0: number; mid: number; max: number } {
  const cusp = findCusp(a, b);
  const max = maxChroma(L, a, b);
  const k = max / Math.min((L * cusp.C) / cusp.L, ((1 - L) * cusp.C) / (1 - cusp.L));
  const s = middleS(a, b);
  const t = middleT(a, b);
  const mid = 0.9 * k * (1 / (L * s) ** 4 + 1 / ((1 - L) * t) ** 4) ** -0.25;
  const c0 = (1 / (L * 0.4) ** 2 + 1 / ((1 - L) * 0.8) ** 2) ** -0.5;
  return { c0, mid, max };
}

function maxChroma(L: number, a: number, b: number): number {
  let low = 0;
  let high = 0.5;
  for (let step = 0; step < 30; step++) {
    const middle = (low + high) / 2;
    const shown = oklabToLinear({ L, a: middle * a, b: middle * b }).every(
      (value) => value >= -1e-7 && value <= 1 + 1e-7,
    );
    if (shown) low = middle;
    else high = middle;
  }
  return low;
}

/** Lightness and chroma of the most colourful shade of a hue. */
function findCusp(a: number, b: number): { L: number; C: number } {
  let low = 0;
  let high = 1;
  for (let step = 0; step < 40; step++) {
    const first = low + (high - low) / 3;
    const second = high - (high - low) / 3;
    if (maxChroma(first, a, b) < maxChroma(second, a, b)) low = first;
    else high = second;
  }
  const L = (low + high) / 2;
  return { L, C: maxChroma(L, a, b) };
}

/** Fits of the paper for the smooth middle of all hues. */
function middleS(a: number, b: number): number {
  const inner = -4.24894561 + 5.38770819 * b + 4.69891013 * a;
  const outer = -2.13704948 - 10.02301043 * b + a * inner;
  return 0.11516993 + 1 / (7.4477897 + 4.1590124 * b + a * (-2.19557347 + 1.75198401 * b + a * outer));
}

function middleT(a: number, b: number): number {
  const inner = 0.00299215 - 0.45399568 * b - 0.14661872 * a;
  const outer = -0.27087943 + 0.6122399 * b + a * inner;
  return 0.11239642 + 1 / (1.6132032 - 0.68124379 * b + a * (0.40370612 + 0.90148123 * b + a * outer));
}
