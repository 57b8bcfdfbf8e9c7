// The events of `pi --mode json` as somebody who watches would like to read them.

const dim = process.stdout.isTTY
  ? (/** @type {string} */ text) => `\x1b[2m${text}\x1b[22m`
  : (/** @type {string} */ text) => text;
const resultLines = 6;

/**
 * Prints one event.
 * @param {any} event
 */
export function showEvent(event) {
  switch (event.type) {
    case "message_update": {
      const update = event.assistantMessageEvent;
      if (update.type === "text_delta") process.stdout.write(update.delta);
      if (update.type === "text_end") process.stdout.write("\n");
      return;
    }
    case "tool_execution_start":
      console.log(`  > ${describeCall(event.toolName, event.args)}`);
      return;
    case "tool_execution_end": {
      const diff = event.result.details?.diff;
      const lines = diff ? changedLines(diff) : shorten(textOf(event.result.content));
      const mark = event.isError ? "  ! " : "    ";
      for (const line of lines) console.log(dim(mark + line));
      return;
    }
  }
}

/**
 * @param {string} name
 * @param {any} args
 */
function describeCall(name, args) {
  if (name === "bash") return `$ ${args.command}`;
  return `${name} ${args.path ?? args.pattern ?? ""}`.trim();
}

/** @param {{ type: string, text?: string }[]} content */
function textOf(content) {
  return content.map((block) => block.text ?? `[${block.type}]`).join("\n");
}

/** @param {string} diff */
function changedLines(diff) {
  return diff.split("\n").filter((line) => /^[+-]/.test(line));
}

/** @param {string} text */
function shorten(text) {
  const lines = text.trimEnd().split("\n");
  if (lines.length <= resultLines) return lines;
  const half = resultLines / 2;
  return [...lines.slice(0, half), `... ${lines.length - resultLines} lines ...`, ...lines.slice(-half)];
}
