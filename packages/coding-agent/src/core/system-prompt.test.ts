import { describe, expect, it } from "vitest";
import { buildSystemPromptSections, type SystemPromptOptions } from "./system-prompt.js";

const build = (options: Partial<SystemPromptOptions> = {}) =>
  buildSystemPromptSections({ cwd: "/w", tools: [], ...options });
const tool = (name: string, promptSnippet?: string, promptGuidelines?: string[]) => ({
  name,
  promptSnippet,
  promptGuidelines,
});

describe("buildSystemPromptSections", () => {
  it("names the sections in order, each in its tags but the preamble", () => {
    const sections = build({
      docs: { readme: "/p/README.md", docs: "/p/docs", examples: "/p/examples" },
      appendSystemPrompt: ["one", "two"],
      contextFiles: [{ path: "/w/AGENTS.md", content: "text" }],
      sections: { mine: "x" },
    });
    expect(Object.keys(sections)).toEqual([
      "preamble",
      "tools",
      "rules",
      "docs",
      "addendum",
      "project_context",
      "cwd",
      "mine",
    ]);
    for (const [name, text] of Object.entries(sections)) {
      if (name === "preamble") expect(text).not.toMatch(/^</);
      else expect(text.startsWith(`<${name}>\n`) && text.endsWith(`\n</${name}>`)).toBe(true);
    }
    expect(sections["addendum"]).toBe("<addendum>\none\n\ntwo\n</addendum>");
    expect(sections["mine"]).toBe("<mine>\nx\n</mine>");
  });

  it("shows skills when read or bash can load them, also under a custom prompt", () => {
    const filePath = "/s/a/SKILL.md";
    const sourceInfo = { path: filePath, source: "auto", scope: "user", origin: "top-level" } as const;
    const skills = [
      { name: "a", description: "d", filePath, baseDir: "/s/a", sourceInfo, disableModelInvocation: false },
    ];
    const named = (tools: string[], customPrompt?: string) =>
      build({ skills, customPrompt, tools: tools.map((name) => tool(name)) });
    expect(named(["bash", "read"])["skills"]).toMatch(/^<skills>\n.*the read tool[\s\S]*SKILL\.md[\s\S]*\n<\/skills>$/);
    expect(named(["bash"], "You are a test.")["skills"]).toContain("the bash tool");
    expect(Object.keys(named(["read"])).slice(-2)).toEqual(["skills", "cwd"]);
    expect(named(["edit", "grep"])["skills"]).toBeUndefined();
  });

  it("leaves empty sections out, and holds no date", () => {
    expect(Object.keys(build())).toEqual(["preamble", "tools", "rules", "cwd"]);
    expect(Object.keys(build({ docs: {} }))).not.toContain("docs");
    expect(JSON.stringify(build())).not.toContain(String(new Date().getFullYear()));
  });

  it("a custom prompt replaces preamble, tools, rules and docs", () => {
    const sections = build({
      customPrompt: "You are a test.",
      tools: [tool("read", "Read files", ["a rule"])],
      docs: { readme: "/r" },
      appendSystemPrompt: ["more"],
    });
    expect(sections).toEqual({
      preamble: "You are a test.",
      addendum: "<addendum>\nmore\n</addendum>",
      cwd: "<cwd>\n/w\n</cwd>",
    });
  });

  it.each([
    [[], "(none)"],
    [[tool("x")], "(none)"],
    [
      [tool("read", "Read\n  files"), tool("x"), tool("bash", "Run commands")],
      "- read: Read files\n- bash: Run commands",
    ],
  ])("tools %#: a line each, of those with a snippet", (tools, expected) => {
    expect(build({ tools })["tools"]?.startsWith(`<tools>\n${expected}\n\n`)).toBe(true);
  });

  const general = ["- Keep answers short and to the point.", "- Name files by their paths."];
  it.each<[string, Partial<SystemPromptOptions>, string[]]>([
    ["none of a tool", {}, general],
    [
      "bash alone searches",
      { tools: [tool("bash")] },
      ["- List and search files with bash (ls, rg, find).", ...general],
    ],
    ["powershell alone too", { tools: [tool("powershell")] }, ["- List and search files with powershell.", ...general]],
    ["not beside a search tool", { tools: [tool("bash"), tool("ls")] }, general],
    [
      "in the order of tools, each once, then extra ones",
      {
        tools: [tool("read", undefined, ["b", " a "]), tool("x", undefined, ["a", "", "c"])],
        promptGuidelines: ["d", "b"],
      },
      ["- b", "- a", "- c", "- d", ...general],
    ],
  ])("rules: %s", (_name, options, rules) => {
    expect(build(options)["rules"]).toBe(`<rules>\n${rules.join("\n")}\n</rules>`);
  });

  it("docs: the paths there are", () => {
    expect(build({ docs: { readme: "/p/README.md", docs: "/p/docs" } })["docs"]).toMatch(
      /\n- Overview: \/p\/README\.md\n- Guides: \/p\/docs\n<\/docs>$/,
    );
  });

  it("project context: each file in its tag", () => {
    const contextFiles = [
      { path: "/a", content: "1\n" },
      { path: "/b", content: "2" },
    ];
    expect(build({ contextFiles })["project_context"]).toMatch(
      /^<project_context>\n.+\n\n<project_instructions path="\/a">\n1\n\n<\/project_instructions>\n\n<project_instructions path="\/b">\n2\n<\/project_instructions>\n<\/project_context>$/,
    );
  });

  it("the working directory has slashes", () => {
    expect(build({ cwd: "C:\\w\\x" })["cwd"]).toBe("<cwd>\nC:/w/x\n</cwd>");
  });

  it.each(["preamble", "Mine", "1a", "a b", ""])("refuses a section named %j", (name) => {
    expect(() => build({ sections: { [name]: "x" } })).toThrow(`Invalid system prompt section name: ${name}`);
  });

  it("a section of an extension replaces ours in its place, or takes it away", () => {
    const sections = build({ sections: { rules: "be kind", tools: "" } });
    expect(Object.keys(sections)).toEqual(["preamble", "rules", "cwd"]);
    expect(sections["rules"]).toBe("<rules>\nbe kind\n</rules>");
  });
});
