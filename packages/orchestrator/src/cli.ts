#!/usr/bin/env node
// The front door: answers --version at once and loads the rest only when there is more to do.
import { version } from "./version.js";

const argv = process.argv.slice(2);
if (argv.length === 1 && (argv[0] === "--version" || argv[0] === "-v")) {
  process.stdout.write(`${version}\n`);
} else {
  const { main } = await import("./main.js");
  process.exitCode = await main(argv);
}
