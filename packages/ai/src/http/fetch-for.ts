import type { FetchFunction } from "../types.js";
import { withBaselineWasm } from "../wasm-baseline.js";
import { type WayOptions, wayOf } from "./way.js";

/**
 * The fetch function for a request: Node's own, and undici (20 MB) only where a proxy, certificates of a provider or a
 * limit beyond Node's own ask for it.
 * @throws UnsupportedProxyError
 */
export async function fetchFor(url: string, options: WayOptions): Promise<FetchFunction> {
  const way = wayOf(url, options);
  if (!way) return nodeFetch;
  const { fetchBy } = await import("./dispatcher.js");
  return fetchBy(way);
}

const nodeFetch: FetchFunction = (url, init) => withBaselineWasm(() => fetch(url, init));
