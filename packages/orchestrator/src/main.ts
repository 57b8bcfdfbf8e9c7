import { parseVerb, UsageError, type VerbArguments } from "./cli/arguments.js";
import { drained, endWithReader, print, printError } from "./cli/output.js";
import { helpText } from "./cli/verbs.js";

/** Runs one verb. Answers go to stdout as JSON, also refusals; 1 is for usage and for an orchestrator that is not there. */
export async function main(argv: string[]): Promise<number> {
  endWithReader();
  if (argv.length === 0 || argv.includes("--help") || argv.includes("-h")) {
    print(helpText());
    return argv.length === 0 ? 1 : 0;
  }
  try {
    const code = await run(parseVerb(argv));
    await drained();
    return code;
  } catch (error) {
    printError(`Error: ${(error as Error).message}`);
    if (error instanceof UsageError) printError("Try pi-orchestrator --help.");
    return 1;
  }
}

async function run(args: VerbArguments): Promise<number> {
  switch (args.verb.name) {
    case "serve":
      return (await import("./cli/serve.js")).serve(args);
    case "attach":
      return (await import("./cli/attach.js")).attach(args);
    case "rpc-stream":
      return (await import("./cli/rpc-stream.js")).rpcStream(args);
    default:
      return (await import("./cli/requests.js")).request(args);
  }
}
