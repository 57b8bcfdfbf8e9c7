import { describe, expect, it } from "vitest";
import { parseArgs } from "./args.js";

/** Only what was given. */
function given(...argv: string[]) {
  const { diagnostics, unknownFlags, ...rest } = parseArgs(argv);
  return {
    ...rest,
    ...(diagnostics.length > 0 && { problems: diagnostics.map(({ type, message }) => `${type}: ${message}`) }),
    ...(unknownFlags.size > 0 && { flags: Object.fromEntries(unknownFlags) }),
  };
}

const nothing = { messages: [], fileArgs: [] };

describe("parseArgs (cli-and-config.md section 1.2)", () => {
  it.each<[string[], object]>([
    [[], {}],
    [["hello", "world"], { messages: ["hello", "world"] }],
    [["@a.md", "hi"], { fileArgs: ["a.md"], messages: ["hi"] }],
    [["-p", "hi"], { print: true, messages: ["hi"] }],
    [["-p", "@a.md"], { print: true, fileArgs: ["a.md"] }],
    [["-p", "--model", "x"], { print: true, model: "x" }],
    [["-p", "---\ntitle: x"], { print: true, messages: ["---\ntitle: x"] }],
    [["--session-id", "-bad"], { sessionId: "-bad" }],
    [["--model", "a", "--model", "b"], { model: "b" }],
    [["--append-system-prompt", "a", "--append-system-prompt", "b"], { appendSystemPrompt: ["a", "b"] }],
    [["--tools", "read, bash,,ls"], { tools: ["read", "bash", "ls"] }],
    [
      ["-nt", "-nbt", "-ne", "-ns", "-np", "-nc"],
      {
        noTools: true,
        noBuiltinTools: true,
        noExtensions: true,
        noSkills: true,
        noPromptTemplates: true,
        noContextFiles: true,
      },
    ],
    [["--", "-p", "@f"], { messages: ["-p"], fileArgs: ["f"] }],
    [["--list-models"], { listModels: true }],
    [["--list-models", "gpt"], { listModels: "gpt" }],
    [["--list-models", "-p"], { listModels: true, print: true }],
    [["-a", "-na"], { projectTrustOverride: false }],
    [["--no-trust", "--trust"], { projectTrustOverride: true }],
    [["--thinking", "high"], { thinking: "high" }],
  ])("%j", (argv, expected) => {
    expect(given(...argv)).toEqual({ ...nothing, ...expected });
  });

  it.each<[string[], object]>([
    [["--model"], { flags: { model: true } }],
    [["--model=x"], { flags: { model: "x" } }],
    [["--plan", "hello"], { flags: { plan: "hello" } }],
    [["--plan", "--print"], { flags: { plan: true }, print: true }],
    [["--plan", "@f"], { flags: { plan: true }, fileArgs: ["f"] }],
    [["-x"], { problems: ["error: Unknown option: -x"] }],
    [["-px"], { problems: ["error: Unknown option: -px"] }],
    [["--mode"], { problems: ["error: --mode requires text, json, or rpc"] }],
    [["--mode", "-p"], { problems: ["error: --mode requires text, json, or rpc"], print: true }],
    [["--mode", "foo"], { problems: ['error: Invalid mode "foo". Valid values: text, json, rpc'] }],
    [["--name"], { problems: ["error: --name requires a value"] }],
    [["--name", "  "], { problems: ["error: --name requires a non-empty value"] }],
    [["--tui-mode"], { problems: ["error: --tui-mode requires regular or fullscreen"] }],
    [["--tui-mode", "wat"], { problems: ['error: Invalid TUI mode "wat". Valid values: regular, fullscreen'] }],
    [["--use-theme"], { problems: ["error: --use-theme requires a theme name"] }],
    [
      ["--thinking", "wat"],
      {
        problems: ['warning: Invalid thinking level "wat". Valid values: off, minimal, low, medium, high, xhigh, max'],
      },
    ],
    [
      ["--tools", "read,+bash"],
      {
        tools: ["read", "+bash"],
        problems: ["error: --tools: tool names cannot be mixed with +name or -name entries"],
      },
    ],
    [
      ["-t", "+ba*"],
      {
        tools: ["+ba*"],
        problems: ["error: -t: +name and -name entries take exact tool names, not patterns: +ba*"],
      },
    ],
  ])("%j is a problem or a flag of an extension", (argv, expected) => {
    expect(given(...argv)).toEqual({ ...nothing, ...expected });
  });
});
