// Answers `get_messages` as plainly as can be: the messages are in memory, and are made JSON and written when asked for.
import { readFileSync } from "node:fs";

const messages = readFileSync(process.argv[2] ?? "", "utf8")
  .split("\n")
  .filter((line) => line.includes('"message":{'))
  .map((line) => JSON.parse(line).message);

process.stdin.on("data", (/** @type {Buffer} */ chunk) => {
  for (const line of chunk.toString().split("\n")) {
    if (line === "") continue;
    const { id, type } = JSON.parse(line);
    const data = type === "get_messages" ? { messages } : {};
    process.stdout.write(`${JSON.stringify({ id, type: "response", command: type, success: true, data })}\n`);
  }
});
