/** Asks the handlers of an event, one after another. Source: extensions.md section 6. */
import { unanswered } from "@earendil-works/pi-agent-core";
import type { ExtensionEventName, ExtensionEventOf } from "../types/event-map.js";
import type { AnyExtensionHandler, Extension, ExtensionError } from "../types/host.js";
import { type MergeRule, mergeRules, type SumOf } from "./merge-rules.js";
import { SLOW_HANDLER_MS, supervised } from "./supervision.js";
import { waiting } from "./waits.js";

export interface DispatchHost {
  extensions: readonly Extension[];
  /** What the handlers of an extension are given; the same for all events. */
  context(extension: Extension): unknown;
  /** Of the run in progress. */
  signal(): AbortSignal | undefined;
  isPrompting(): boolean;
  report(error: ExtensionError): void;
}

/** A handler was not waited for to its end. */
class Abandoned extends Error {}

type AnyRule = MergeRule<unknown, unknown, unknown>;

export class Dispatcher {
  readonly #host: DispatchHost;
  /** What was told: a handler that fails the same way again is not told again. */
  readonly #told = new Set<string>();
  /** Extensions that held an aborted run: it does not wait for them again. */
  readonly #holding = new WeakMap<AbortSignal, Set<Extension>>();

  constructor(host: DispatchHost) {
    this.#host = host;
  }

  has(name: string): boolean {
    return this.#host.extensions.some(({ handlers }) => (handlers.get(name)?.length ?? 0) > 0);
  }

  /** Resolves when all have answered; with what their answers add up to. Never rejects. */
  async emit<Name extends ExtensionEventName>(
    event: ExtensionEventOf<Name>,
    to: readonly Extension[] = this.#host.extensions,
  ): Promise<SumOf<Name> | undefined> {
    const name = (event as { type: ExtensionEventName }).type;
    const rule = mergeRules[name] as AnyRule | undefined;
    let sum: unknown;
    for (const [extension, handler] of handlersOf(name, to)) {
      const answer = await this.#ask(extension, handler, name, event, rule);
      if ("failure" in answer) {
        if (rule?.afterThrow) return rule.afterThrow(answer.failure, answer.thrown) as SumOf<Name>;
        continue;
      }
      if (!rule || answer.value === undefined) continue;
      const fault = this.#faultOf(rule, answer.value, event);
      if (fault !== undefined) {
        const isWhole = fault.startsWith("message_end handlers");
        this.#tell(extension, name, new Error(isWhole ? fault : `${name} handler returned something else: ${fault}`));
        continue;
      }
      sum = rule.merge(sum, answer.value, event);
      if (sum !== undefined && rule.isFinal?.(sum)) break;
    }
    return sum as SumOf<Name> | undefined;
  }

  async #ask(
    extension: Extension,
    handler: AnyExtensionHandler,
    name: string,
    event: unknown,
    rule: AnyRule | undefined,
  ): Promise<{ value: unknown } | { failure: string; thrown: unknown }> {
    try {
      const given = handler(event, this.#host.context(extension));
      if (!isThenable(given)) return { value: given };
      return { value: await this.#wait(extension, name, Promise.resolve(given)) };
    } catch (error) {
      if (error instanceof Abandoned && rule?.afterAbandon) {
        this.#tell(extension, name, error);
        return { value: rule.afterAbandon };
      }
      const failure =
        rule?.isThrowAnAnswer && !(error instanceof Abandoned) ? textOf(error) : this.#tell(extension, name, error);
      return { failure, thrown: error };
    }
  }

  async #wait(extension: Extension, name: string, pending: Promise<unknown>): Promise<unknown> {
    const { signal: currentSignal, isPrompting } = this.#host;
    const signal = currentSignal();
    const held = signal && this.#holding.get(signal);
    if (signal?.aborted && held?.has(extension)) {
      pending.catch((error) => this.#tell(extension, name, error));
      return mergeRules[name as ExtensionEventName]?.afterAbandon;
    }
    const onSlow = () => {
      const seconds = SLOW_HANDLER_MS / 1000;
      this.#tell(extension, name, new Error(`The handler of ${name} has not answered for ${seconds} s.`), false);
    };
    // Who leaves is not kept by who does not answer.
    const givesUp = name === "session_shutdown";
    const value = await waiting(
      { extensionPath: extension.path, what: `the handler of ${name}` },
      supervised(pending, { signal, isPrompting: () => isPrompting.call(this.#host), onSlow, givesUp }),
    );
    if (value !== unanswered) return value;
    if (givesUp && !signal?.aborted) {
      pending.catch((error) => this.#tell(extension, name, error));
      return undefined;
    }
    if (signal) this.#holding.set(signal, (held ?? new Set()).add(extension));
    pending.catch((error) => this.#tell(extension, name, error));
    throw new Abandoned(`The handler of ${name} did not end when the run was aborted.`);
  }

  #faultOf(rule: AnyRule, value: unknown, event: unknown): string | undefined {
    try {
      return rule.fault(value, event);
    } catch (error) {
      // An answer whose members throw when they are read.
      return textOf(error);
    }
  }

  /** @returns the message */
  #tell(extension: Extension, event: string, error: unknown, withStack = true): string {
    const message = textOf(error);
    const key = `${extension.path}\0${event}\0${message}`;
    if (!this.#told.has(key)) {
      this.#told.add(key);
      const stack = withStack && error instanceof Error ? error.stack : undefined;
      this.#host.report({ extensionPath: extension.path, event, error: message, ...(stack && { stack }) });
    }
    return message;
  }
}

/** As they are now: those that come or go meanwhile change nothing. */
function handlersOf(name: string, extensions: readonly Extension[]): [Extension, AnyExtensionHandler][] {
  return extensions.flatMap((extension) =>
    (extension.handlers.get(name) ?? []).map((handler): [Extension, AnyExtensionHandler] => [extension, handler]),
  );
}

/** The words of whatever was thrown. */
export function textOf(error: unknown): string {
  try {
    return error instanceof Error ? error.message : String(error);
  } catch {
    return "An error that has no text";
  }
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null && typeof (value as { then?: unknown }).then === "function";
}
