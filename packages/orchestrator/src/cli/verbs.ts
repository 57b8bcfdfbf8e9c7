/** Every verb and option of `pi-orchestrator`, once: parsing and help come from these tables. */

export interface OptionSpec {
  name: string;
  /** Absent for a switch. */
  value?: string;
  /** May be given several times. */
  multiple?: true;
  description: string;
}

export interface VerbSpec {
  name: string;
  /** Words after it, for the help text. */
  words: string;
  /** Least and most of them. */
  count: [number, number];
  description: string;
  options: readonly OptionSpec[];
}

const cursor: OptionSpec = {
  name: "cursor",
  value: "cursor",
  description: "Frames with cursors, from this one on; `now`: only what comes; empty: from the beginning",
};

export const verbs: readonly VerbSpec[] = [
  {
    name: "serve",
    words: "",
    count: [0, 0],
    description: "Run the orchestrator",
    options: [
      { name: "detach", description: "In the background; returns when it can be reached" },
      { name: "keep-agents", description: "When ended by a signal, leave the agents running for the next one" },
      { name: "http", value: "port", description: "Serve HTTP and the page on 127.0.0.1; 0 takes a free port" },
      { name: "max-instances", value: "n", description: "Agents with a process at the same time (100)" },
      { name: "memory", value: "MB", description: "Start an agent anew that uses more" },
      { name: "idle", value: "s", description: "End the process of an agent without work until its next prompt" },
      { name: "health-interval", value: "s", description: "How often agents are asked how they are (10)" },
      { name: "health-timeout", value: "s", description: "How long they may take to answer (30)" },
      { name: "restart-wait", value: "ms", description: "First wait before a restart; doubles up to 30 s (1000)" },
      { name: "give-up", value: "n", description: "Failures within ten minutes after which an agent is given up (5)" },
      { name: "spares", value: "n", description: "Processes that wait for agents to keep (1)" },
    ],
  },
  {
    name: "spawn",
    words: "[-- agent arguments]",
    count: [0, 1000],
    description: "Start an agent",
    options: [
      { name: "cwd", value: "folder", description: "Where it works (here)" },
      { name: "label", value: "text", description: "A name for people" },
      { name: "provider", value: "name", description: "As for pi" },
      { name: "model", value: "pattern", description: "As for pi" },
      { name: "policy", value: "when", description: "Restart: never, on-failure (default), always" },
      { name: "memory", value: "MB", description: "Start it anew when it uses more" },
      { name: "idle", value: "s", description: "End its process without work until the next prompt" },
      { name: "id", value: "id", description: "Its id; spawning it again changes nothing" },
    ],
  },
  { name: "list", words: "", count: [0, 0], description: "All agents", options: [] },
  {
    name: "status",
    words: "[id]",
    count: [0, 1],
    description: "One agent, its open dialogs and last prompts; without id: the orchestrator and its page",
    options: [],
  },
  {
    name: "send",
    words: "<id> <message>",
    count: [2, 2],
    description: "Give an agent a prompt; returns when it is on the disk",
    options: [
      { name: "steer", description: "While it works: between two turns instead of after the run" },
      { name: "wait", description: "Wait until it has settled and print its last answer" },
      { name: "prompt-id", value: "id", description: "The prompt's id; sending it again changes nothing" },
    ],
  },
  { name: "attach", words: "<id>", count: [1, 1], description: "Follow an agent and talk to it", options: [] },
  { name: "rpc", words: "<id> <json>", count: [2, 2], description: "One command of the agent's protocol", options: [] },
  {
    name: "rpc-stream",
    words: "<id>",
    count: [1, 1],
    description: "The agent's protocol on stdin and stdout",
    options: [cursor],
  },
  {
    name: "logs",
    words: "[id]",
    count: [0, 1],
    description: "What an agent said on stderr, or the orchestrator's own log",
    options: [{ name: "lines", value: "n", description: "How many (100)" }],
  },
  { name: "stop", words: "<id>", count: [1, 1], description: "End an agent and forget it", options: [] },
];

export function helpText(): string {
  const lines = ["pi-orchestrator: many agents, supervised", "", "Usage: pi-orchestrator <verb> [options]", ""];
  for (const { name, words, description, options } of verbs) {
    lines.push(`  ${`${name} ${words}`.trim().padEnd(30)} ${description}`);
    for (const option of options) {
      const head = `--${option.name}${option.value === undefined ? "" : ` <${option.value}>`}`;
      lines.push(`      ${head.padEnd(26)} ${option.description}`);
    }
  }
  lines.push("", "  --help, --version", "", "State folder: PI_ORCHESTRATOR_DIR, else ~/.pi/orchestrator.", "");
  return lines.join("\n");
}
