// Two hundred tool turns in one run: what the loop itself takes, with a model and a tool that answer at once.
import { Agent } from "@earendil-works/pi-agent-core";
import { fauxAssistantMessage, fauxToolCall, registerFauxProvider, streamSimple } from "@earendil-works/pi-ai/compat";
import { inTurn } from "./measure.mjs";

const turns = 200;

/**
 * @param {import("./types.mjs").BenchContext} context
 * @returns {Promise<import("./types.mjs").BenchResult[]>}
 */
export async function benchTurns({ rounds }) {
  const faux = registerFauxProvider();
  try {
    const samples = await inTurn(
      {
        floor: async () => {
          // Only the model: the same answers, asked for one after another.
          faux.setResponses(answers());
          const cpu = process.cpuUsage();
          for (let turn = 0; turn <= turns; turn++) {
            await streamSimple(faux.getModel(), { messages: [] }, { apiKey: "k" }).result();
          }
          return { ms: cpuMs(cpu) / turns };
        },
        ours: async () => {
          faux.setResponses(answers());
          const agent = new Agent({
            streamFn: (model, context, options) => streamSimple(model, context, { ...options, apiKey: "k" }),
            initialState: { model: faux.getModel(), tools: [instantTool] },
          });
          const cpu = process.cpuUsage();
          await agent.prompt("go");
          const ms = cpuMs(cpu) / turns;
          const results = agent.state.messages.filter(({ role }) => role === "toolResult");
          if (results.length !== turns) throw new Error(`expected ${turns} results, got ${results.length}`);
          return { ms };
        },
      },
      Math.min(rounds, 7),
    );
    const { floor, ours } = /** @type {Record<"floor" | "ours", import("./measure.mjs").Sample>} */ (samples);
    return [
      {
        name: `${turns} tool turns: CPU per turn`,
        unit: "ms",
        floorIs: "the scripted answers alone",
        figures: { floor: floor.ms, ours: ours.ms },
        limit: { atMost: 3 },
      },
    ];
  } finally {
    faux.unregister();
  }
}

const instantTool = {
  name: "instant",
  label: "instant",
  description: "Answers at once",
  parameters: { type: "object", properties: { n: { type: "number" } } },
  execute: async () => ({ content: [{ type: /** @type {const} */ ("text"), text: "ok" }], details: undefined }),
};

function answers() {
  return [
    ...Array.from({ length: turns }, (_, n) =>
      fauxAssistantMessage(fauxToolCall("instant", { n }), { stopReason: "toolUse" }),
    ),
    fauxAssistantMessage("done"),
  ];
}

/** @param {NodeJS.CpuUsage} since */
function cpuMs(since) {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1000;
}
