/**
 * A list of tasks the model keeps, drawn as a list. It lives in the details of results, so every branch has its own.
 * Start: `pi -e task-list.ts "Plan the migration as tasks"`, `/tasks` shows them.
 */
import { StringEnum } from "@earendil-works/pi-ai";
import type { ExtensionAPI, ExtensionContext, Theme } from "@earendil-works/pi-coding-agent";
import { Text } from "@earendil-works/pi-tui";
import { Type } from "typebox";

interface Task {
  text: string;
  isDone: boolean;
}

const plain = (tasks: readonly Task[]) =>
  tasks.map(({ text, isDone }, at) => `${at + 1}. [${isDone ? "x" : " "}] ${text}`).join("\n") || "No tasks.";

function drawn(tasks: readonly Task[], theme: Theme): string {
  const line = ({ text, isDone }: Task) =>
    isDone ? theme.fg("success", "✔ ") + theme.strikethrough(theme.fg("dim", text)) : theme.fg("muted", `○ ${text}`);
  return tasks.map(line).join("\n") || theme.fg("dim", "No tasks.");
}

export default function taskList(pi: ExtensionAPI) {
  let tasks: readonly Task[] = [];

  /** The list as the branch we are on has left it. */
  function recall(ctx: ExtensionContext) {
    tasks = [];
    for (const entry of ctx.sessionManager.getBranch()) {
      if (entry.type !== "message" || entry.message.role !== "toolResult") continue;
      const { toolName, details } = entry.message;
      if (toolName === "tasks" && details) tasks = (details as unknown as { tasks: Task[] }).tasks;
    }
    tell();
  }
  /** Other extensions may want to know: see status-line.ts. */
  const tell = () => pi.events.emit("task-list", { open: tasks.filter(({ isDone }) => !isDone).length });

  pi.on("session_start", (_event, ctx) => recall(ctx));
  pi.on("session_tree", (_event, ctx) => recall(ctx));

  pi.registerTool({
    name: "tasks",
    label: "Tasks",
    description: "Keeps the list of tasks: `add` a text, set one `done` by its number, or `list` them.",
    promptSnippet: "Keep a list of tasks",
    promptGuidelines: ["Keep the list of tasks true: set a task done as soon as it is."],
    parameters: Type.Object({
      action: StringEnum(["add", "done", "list"] as const),
      text: Type.Optional(Type.String()),
      number: Type.Optional(Type.Integer()),
    }),
    // Two calls of one answer must not both start from the same list.
    executionMode: "sequential",
    async execute(_id, { action, text, number = 0 }) {
      if (action === "add") {
        if (!text) throw new Error("A task needs a text.");
        tasks = [...tasks, { text, isDone: false }];
      } else if (action === "done") {
        if (!tasks[number - 1]) throw new Error(`There is no task ${number}.`);
        tasks = tasks.map((task, at) => (at === number - 1 ? { ...task, isDone: true } : task));
      }
      tell();
      return { content: [{ type: "text", text: plain(tasks) }], details: { tasks } };
    },
    renderCall({ action, text, number }, theme) {
      return new Text(`${theme.fg("toolTitle", theme.bold("tasks"))} ${action ?? ""} ${text ?? number ?? ""}`, 0, 0);
    },
    renderResult(result, _options, theme, { isError }) {
      const [first] = result.content;
      if (isError) return new Text(theme.fg("error", first?.type === "text" ? first.text : "failed"), 0, 0);
      return new Text(drawn((result.details as { tasks: Task[] }).tasks, theme), 0, 0);
    },
  });

  pi.registerCommand("tasks", {
    description: "Show the tasks of this branch",
    handler: async (_args, ctx) => ctx.ui.notify(plain(tasks)),
  });
}
