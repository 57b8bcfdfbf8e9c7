import { SessionLines } from "./session-file.js";

/** Texts that would run if anything took them for markup, script, style, an address or a replacement pattern. */
export const payloads = [
  "<script>window.pwned=1</script>",
  "</script><script>window.pwned=2</script>",
  "<!--<script>",
  "--><img src=x onerror=window.pwned=3>",
  "\"><img src=x onerror='window.pwned=4'>",
  "'><svg onload=window.pwned=5>",
  "<iframe srcdoc='<script>parent.pwned=6</script>'></iframe>",
  "<style>*{background:url(http://127.0.0.1:9/css)}</style>",
  "<base href=http://127.0.0.1:9/><meta http-equiv=refresh content='0;url=http://127.0.0.1:9/'>",
  "[a](javascript:window.pwned=7) [b](java\nscript:window.pwned=8) <javascript:window.pwned=9>",
  "[c](data:text/html,<script>window.pwned=10</script>) [d](vbscript:x)",
  "[e](&#106;avascript:window.pwned=11) [f](java&#10;script:window.pwned=12)",
  "![g](http://127.0.0.1:9/picture.png) ![h](data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9YWxlcnQoMSk+)",
  "![i](javascript:window.pwned=13 \"onerror='window.pwned=14'\")",
  '```html"><img src=x onerror=window.pwned=15>\n<script>window.pwned=16</script>\n```',
  "```js\nconst a = '</span><img src=x onerror=window.pwned=17>';\n```",
  "| <img src=x onerror=window.pwned=18> |\n|---|\n| <script>window.pwned=19</script> |",
  "$& $` $' $1 $$ {{script}} {{data}}",
  "\u001b]0;title\u0007\u001b[31m\u001b[2J\u009b31m\u202e\u0000",
  "__proto__",
  "constructor",
  "\ud800",
  "]]>&lt;script&gt;window.pwned=20&lt;/script&gt;",
];

const all = payloads.join("\n\n");

/** A session that has the payloads in every field of every kind of entry, as values, as names and as ids. */
export function hostileSession(): SessionLines {
  const lines = new SessionLines({ id: `s${all}`, cwd: all, timestamp: all, parentSession: all, [all]: all });
  for (const payload of payloads) addEntries(lines, payload);
  addEntries(lines, all);
  for (const payload of [...payloads, 7, null, [], {}, [[]], true]) addOddShapes(lines, payload);
  lines.raw(
    '{"type":"message","id":"p1","parentId":null,"__proto__":{"polluted":1},"message":{"role":"user","content":"x"}}',
  );
  lines.raw(
    '{"type":"message","id":"__proto__","parentId":"constructor","message":{"role":"__proto__","content":"x"}}',
  );
  lines.raw('{"type":"__proto__","id":"constructor","parentId":"__proto__"}');
  lines.add("label", { targetId: "e0", label: all });
  lines.add("session_info", { name: all });
  return lines;
}

function addEntries(lines: SessionLines, text: string): void {
  const content = [
    { type: "text", text },
    { type: "image", mimeType: text, data: text },
    { type: "image", mimeType: "image/svg+xml", data: "PHN2ZyBvbmxvYWQ9YWxlcnQoMSk+" },
    { type: "image", mimeType: "image/png", data: `"><img src=x onerror=window.pwned=30>` },
    { type: text, [text]: text },
  ];
  const base = { [text]: text, timestamp: text };
  lines.add("model_change", { provider: text, modelId: text });
  lines.add("thinking_level_change", { thinkingLevel: text });
  lines.add("compaction", { summary: text, firstKeptEntryId: text, tokensBefore: text, details: text });
  lines.add("branch_summary", { summary: text, fromId: text });
  lines.add("custom", { customType: text, data: text });
  lines.add("custom_message", { customType: text, content, display: true });
  lines.add("custom_message", { customType: text, content: text, display: false });
  lines.add("context_edit", { targetId: text, replacement: { content } });
  lines.add("usage", { kind: text, provider: text, model: text, usage: { input: text, cost: { total: text } } });
  lines.add(text, { [text]: text });
  const sections = { [text]: text };
  const toolsAdded = [{ name: text, description: text, parameters: { [text]: text } }];
  lines.message({ role: "system", content: text, sections, toolsAdded, toolsRemoved: [{ name: text }], ...base });
  lines.message({ role: "user", content, ...base });
  lines.message({ role: "bashExecution", command: text, output: text, exitCode: text, ...base });
  lines.message({ role: text, content, ...base });
  const calls = [text, "bash", "read", "write", "edit", "ls"].map((name, index) => ({
    type: "toolCall",
    id: `${text}${index}`,
    name,
    arguments: {
      command: text,
      path: text,
      file_path: text,
      content: text,
      edits: [{ oldText: text, newText: text }],
      [text]: text,
    },
  }));
  const thinking = { type: "thinking", thinking: text, thinkingSignature: text };
  const figures = { provider: text, model: text, errorMessage: text, stopReason: "error", ...base };
  lines.assistant([...content, thinking, ...calls], figures);
  for (const [index, { id, name }] of calls.entries()) {
    const details = { diff: text, patch: text, [text]: text };
    lines.message({
      role: "toolResult",
      toolCallId: id,
      toolName: name,
      content,
      details,
      isError: index % 2 === 1,
      ...base,
    });
  }
  lines.message({ role: "toolResult", toolCallId: `${text} nobody`, toolName: text, content, isError: false, ...base });
}

/** Fields of shapes that no program would write. */
function addOddShapes(lines: SessionLines, value: unknown): void {
  for (const role of ["user", "assistant", "toolResult", "system", "bashExecution", value]) {
    lines.message({
      role,
      content: value,
      usage: value,
      toolCallId: value,
      toolName: value,
      command: value,
      output: value,
    });
    lines.message({
      role,
      content: [value],
      sections: value,
      toolsAdded: [value],
      toolsRemoved: value,
      arguments: value,
    });
  }
  const call = { type: "toolCall", id: value, name: value, arguments: value };
  lines.assistant([
    call,
    { ...call, name: "edit" },
    { type: "text", text: value },
    { type: "thinking", thinking: value },
  ]);
  lines.add("custom_message", { customType: value, content: value, display: value });
  lines.add("compaction", { summary: value, tokensBefore: value });
  lines.add("label", { targetId: value, label: value });
}
