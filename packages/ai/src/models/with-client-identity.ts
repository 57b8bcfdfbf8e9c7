import { mergeClientIdentity } from "../identity.js";
import type { ClientIdentity } from "../types.js";
import type { Models } from "./types.js";

/** Methods whose third argument is the options of a request. */
const REQUESTS: ReadonlySet<string | symbol> = new Set<keyof Models>([
  "stream",
  "complete",
  "streamSimple",
  "completeSimple",
  "fetchDeferred",
  "cancelDeferred",
  "generateImages",
  "classify",
]);

/** The same collection, whose requests present themselves as `identity`; a request's own identity wins. */
export function withClientIdentity<M extends Models>(models: M, identity: ClientIdentity): M {
  return new Proxy(models, {
    get(target, property) {
      const value: unknown = Reflect.get(target, property, target);
      if (typeof value !== "function") return value;
      if (!REQUESTS.has(property)) return value.bind(target);
      return (model: unknown, input: unknown, options: { identity?: ClientIdentity } = {}) =>
        value.call(target, model, input, { ...options, identity: mergeClientIdentity(identity, options.identity) });
    },
  });
}
