/**
 * Sub-agents: a tool that gives questions to agents of their own, which work side by side, only look, and answer.
 * Start: `pi -e delegate.ts "Compare how the three parsers report errors; delegate the reading."`
 */
import { join } from "node:path";
import { type ExtensionAPI, getPackageDir, RpcClient } from "@earendil-works/pi-coding-agent";
import { Text } from "@earendil-works/pi-tui";
import { Type } from "typebox";

interface Job {
  question: string;
  answer?: string;
}

const bulletins = (jobs: readonly Job[]) =>
  jobs.map(({ question, answer }) => `${answer === undefined ? "…" : "✓"} ${question}`).join("\n");

export default function delegate(pi: ExtensionAPI) {
  pi.registerTool({
    name: "delegate",
    label: "Delegate",
    description: "Gives each question to an agent of its own, which can read the project, and returns their answers.",
    promptSnippet: "Let other agents look into several questions at once",
    parameters: Type.Object({ questions: Type.Array(Type.String(), { minItems: 1, maxItems: 4 }) }),
    async execute(_id, { questions }, signal, onUpdate, ctx) {
      const jobs: Job[] = questions.map((question) => ({ question }));
      const model = ctx.model ? { provider: ctx.model.provider, model: ctx.model.id } : {};
      const tell = () => onUpdate?.({ content: [{ type: "text", text: bulletins(jobs) }], details: { jobs } });
      await Promise.all(
        jobs.map(async (job) => {
          const agent = new RpcClient({
            cliPath: join(getPackageDir(), "dist", "cli.js"),
            cwd: ctx.cwd,
            ...model,
            args: ["--no-session", "--no-extensions", "--tools", "read,grep,find,ls"],
          });
          const stop = () => void agent.stop();
          signal?.addEventListener("abort", stop);
          try {
            await agent.start();
            await agent.promptAndWait(job.question);
            job.answer = (await agent.getLastAssistantText()) ?? "(no answer)";
            tell();
          } finally {
            signal?.removeEventListener("abort", stop);
            await agent.stop();
          }
        }),
      );
      const text = jobs.map(({ question, answer }) => `## ${question}\n\n${answer}`).join("\n\n");
      return { content: [{ type: "text", text }], details: { jobs } };
    },
    renderResult(result, { expanded }, theme) {
      const { jobs } = result.details as { jobs: Job[] };
      const lines = jobs.map(({ question, answer = "…" }) =>
        expanded ? `${theme.bold(question)}\n${answer}` : `${theme.bold(question)} ${answer.split("\n")[0]}`,
      );
      return new Text(lines.join("\n"), 0, 0);
    },
  });
}
