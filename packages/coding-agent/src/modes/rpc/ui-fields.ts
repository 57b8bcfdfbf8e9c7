/**
 * Fields of UI requests as the protocol has them. Extensions in JavaScript give what they like, and clients that check
 * what they read must not fail for it. Source: protocol.md section 5.
 */
import { givenText as text, givenTexts as texts } from "../../core/extensions/running/given.js";

const oneOf =
  (...allowed: string[]) =>
  (value: unknown) =>
    allowed.find((one) => one === value);

const FIELDS: Readonly<Record<string, (value: unknown) => unknown>> = {
  title: text,
  message: text,
  placeholder: text,
  prefill: text,
  text,
  statusKey: text,
  statusText: text,
  widgetKey: text,
  widgetLines: texts,
  options: texts,
  notifyType: oneOf("info", "warning", "error"),
  widgetPlacement: oneOf("aboveEditor", "belowEditor"),
};

/** The same fields, each of its type. One that means nothing is left out. */
export function wellFormed<Content extends object>(content: Content): Content {
  return Object.fromEntries(
    Object.entries(content).map(([name, value]) => [name, FIELDS[name] ? FIELDS[name](value) : value]),
  ) as Content;
}
