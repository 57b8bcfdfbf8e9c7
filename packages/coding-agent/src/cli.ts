#!/usr/bin/env node
// The front door: answers --version at once and loads the rest only when there is more to do.
import { watchOutput } from "./modes/lost-output.js";
import { RELEASE, VERSION } from "./version.js";

const argv = process.argv.slice(2);
if (argv.length === 1 && (argv[0] === "--version" || argv[0] === "-v")) {
  watchOutput();
  // Scripts compare the bare contract version; people also want to know which build they run.
  process.stdout.write(process.stdout.isTTY ? `${VERSION} (release ${RELEASE})\n` : `${VERSION}\n`);
} else {
  const { main } = await import("./main.js");
  await main(argv);
}
