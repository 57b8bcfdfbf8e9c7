/**
 * A client that answers the questions of extensions: with a policy in place of a person.
 * Node 22 and later run it as it is: `node extension-ui.ts <path of cli.js> <extension> "Delete the build folder"`
 */
import { RpcClient, type RpcExtensionUIRequest } from "@earendil-works/pi-coding-agent";

const [cliPath = "dist/cli.js", extension = "permission-gate.ts", prompt = "Delete the build folder"] =
  process.argv.slice(2);

const pi = new RpcClient({ cliPath, args: ["-e", extension] });
await pi.start();

function answer(request: RpcExtensionUIRequest) {
  const { id } = request;
  switch (request.method) {
    case "confirm":
      console.log(`${request.title} ${request.message}: no`);
      return pi.sendExtensionUIResponse({ type: "extension_ui_response", id, confirmed: false });
    case "select":
    case "input":
    case "editor":
      return pi.sendExtensionUIResponse({ type: "extension_ui_response", id, cancelled: true });
    case "notify":
      return console.log(`[${request.notifyType ?? "info"}] ${request.message}`);
    default:
      // Status lines, widgets and titles are for screens.
      return undefined;
  }
}

pi.onEvent((event) => {
  // Records that are no events of the session come this way too.
  const record = event as typeof event | RpcExtensionUIRequest;
  if (record.type === "extension_ui_request") answer(record);
});
try {
  await pi.promptAndWait(prompt);
  console.log(await pi.getLastAssistantText());
} finally {
  await pi.stop();
}
