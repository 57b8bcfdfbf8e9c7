/**
 * A client of `pi --mode rpc` with the `RpcClient` of the package: sends a prompt, prints the answer as it comes.
 * Node 22 and later run it as it is: `node client.ts <path of cli.js> "What does this project do?"`
 */
import { RpcClient } from "@earendil-works/pi-coding-agent";

const [cliPath = "dist/cli.js", prompt = "Hello"] = process.argv.slice(2);

const pi = new RpcClient({ cliPath });
await pi.start();
pi.onEvent((event) => {
  if (event.type === "message_update" && event.assistantMessageEvent.type === "text_delta") {
    process.stdout.write(event.assistantMessageEvent.delta);
  }
  if (event.type === "tool_execution_start") console.log(`\n[${event.toolName} ${JSON.stringify(event.args)}]`);
});
try {
  await pi.promptAndWait(prompt);
  const { tokens, cost } = await pi.getSessionStats();
  console.log(`\n${tokens.total} tokens, $${cost.toFixed(4)}`);
} finally {
  await pi.stop();
}
