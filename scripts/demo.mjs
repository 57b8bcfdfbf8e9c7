// The main job on real input: the agent repairs a small failing project with its real tools.
// With ANTHROPIC_API_KEY or OPENAI_API_KEY set it asks that provider, else a scripted model on a local server.
import { spawn, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { showEvent } from "../demo/show-events.mjs";
import { ensureInstalled, root } from "./lib/setup.mjs";

/** What is being done, for the message when it fails. */
let step = "set up";

try {
  await demo();
} catch (error) {
  console.error(`\nThe demo failed at the step "${step}": ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
}

async function demo() {
  ensureInstalled();
  step = "build";
  run(process.execPath, [join(root, "scripts", "build.mjs"), "--js"], root);

  step = "prepare a copy of the sample project";
  const home = mkdtempSync(join(tmpdir(), "pi-demo-"));
  const project = join(home, "project");
  const agentDir = join(home, "agent");
  cpSync(join(root, "demo", "project"), project, { recursive: true });
  mkdirSync(agentDir, { recursive: true });

  step = "check that its test suite is red";
  if (testsPass(project)) throw new Error("the sample project's tests pass before the repair");
  console.log(`Sample project: ${project}\nIts test suite is red.\n`);

  step = "choose a model";
  const model = await chooseModel(agentDir);
  try {
    step = "let the agent repair it";
    const sessionFile = await runAgent(project, agentDir, model);
    const problem = model.problem();
    if (problem) throw new Error(problem);

    step = "find the session file";
    if (!existsSync(sessionFile)) throw new Error(`there is no ${sessionFile}`);

    step = "check that its test suite is green";
    if (!testsPass(project)) throw new Error(`the tests still fail: see ${project}`);
    console.log(`\nThe test suite is green.\nSession file: ${sessionFile}`);
  } finally {
    await model.close();
  }
}

/**
 * @typedef {object} DemoModel
 * @property {string[]} args for pi
 * @property {() => string | undefined} problem why the scripted model refused to go on
 * @property {() => Promise<void>} close
 */

/**
 * @param {string} agentDir
 * @returns {Promise<DemoModel>}
 */
async function chooseModel(agentDir) {
  for (const [variable, provider] of [
    ["ANTHROPIC_API_KEY", "anthropic"],
    ["OPENAI_API_KEY", "openai"],
  ]) {
    if (!variable || !process.env[variable]) continue;
    const { findProviderInfo } = await import("@earendil-works/pi-ai/providers/all");
    const name = `${provider}/${findProviderInfo(String(provider))?.defaultModel}`;
    console.log(`Model: ${name} (${variable} is set, so this is the real provider and costs money).\n`);
    return { args: ["--model", name], problem: () => undefined, close: async () => {} };
  }
  console.log(
    "Model: scripted. No ANTHROPIC_API_KEY or OPENAI_API_KEY is set, so a local server plays the model over the\n" +
      "Anthropic Messages wire format; it works out its steps from the real results of the tools.\n",
  );
  const { startScriptedServer } = await import("@pi/testkit");
  const { repairStep } = await import("../demo/scripted-repair.mjs");
  /** @type {string | undefined} */
  let problem;
  const server = await startScriptedServer({
    script: (request) => {
      try {
        return repairStep(request);
      } catch (error) {
        problem = error instanceof Error ? error.message : String(error);
        return {
          fault: {
            kind: "status",
            status: 400,
            body: { type: "error", error: { type: "invalid_request_error", message: problem } },
          },
        };
      }
    },
  });
  writeFileSync(
    join(agentDir, "models.json"),
    JSON.stringify({
      providers: {
        scripted: {
          baseUrl: server.baseUrl("anthropic-messages"),
          api: "anthropic-messages",
          apiKey: "demo",
          models: [{ id: "scripted" }],
        },
      },
    }),
  );
  return { args: ["--model", "scripted/scripted"], problem: () => problem, close: () => server.close() };
}

/**
 * Runs `pi --mode json`, shows its events, and returns the path of the session file.
 * @param {string} project
 * @param {string} agentDir
 * @param {DemoModel} model
 * @returns {Promise<string>}
 */
function runAgent(project, agentDir, model) {
  const prompt =
    "The test suite of this project fails (run it with: node --test). Find out why, repair the code - not the tests - " +
    "and run the tests again until they pass.";
  const sessionDir = join(agentDir, "sessions");
  const cli = join(root, "packages", "coding-agent", "dist", "cli.js");
  const args = [cli, "--mode", "json", "--session-dir", sessionDir, ...model.args, prompt];
  const child = spawn(process.execPath, args, {
    cwd: project,
    env: { ...process.env, PI_CODING_AGENT_DIR: agentDir },
    stdio: ["ignore", "pipe", "inherit"],
  });
  /** @type {any} */
  let header;
  /** @type {any} */
  let lastAnswer;
  createInterface({ input: child.stdout }).on("line", (line) => {
    const event = JSON.parse(line);
    if (event.type === "session") header = event;
    if (event.type === "message_end" && event.message.role === "assistant") lastAnswer = event.message;
    showEvent(event);
  });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => {
      if (code !== 0) reject(new Error(`pi ended with exit code ${code}`));
      else if (lastAnswer?.stopReason !== "stop") {
        reject(new Error(model.problem() ?? lastAnswer?.errorMessage ?? "the agent gave no answer"));
      } else {
        resolve(join(sessionDir, `${header.timestamp.replace(/[:.]/g, "-")}_${header.id}.jsonl`));
      }
    });
  });
}

/** @param {string} project */
function testsPass(project) {
  // A surrounding test runner must not make this one report to it.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  return spawnSync(process.execPath, ["--test"], { cwd: project, env, stdio: "ignore" }).status === 0;
}

/**
 * @param {string} command
 * @param {string[]} args
 * @param {string} cwd
 */
function run(command, args, cwd) {
  const result = spawnSync(command, args, { cwd, stdio: ["ignore", "ignore", "inherit"] });
  if (result.status !== 0) throw new Error(`${args.join(" ")} ended with exit code ${result.status}`);
}
