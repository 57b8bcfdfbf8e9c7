// Does one thing with a session in a process of its own, so that its time and memory can be told from the rest.
import { readFileSync } from "node:fs";
import { SessionManager } from "@earendil-works/pi-coding-agent";

const [what = "", path = ""] = process.argv.slice(2);
const appends = 2000;
/** @param {Iterable<Buffer>} pieces */
const drain = (pieces) => {
  let bytes = 0;
  for (const piece of pieces) bytes += piece.length;
  return bytes;
};
/** @type {Record<string, (manager: SessionManager) => unknown>} */
const questions = {
  entries: (manager) => drain(manager.entriesJson()),
  messages: (manager) => drain(manager.contextMessagesJson()),
  tree: (manager) => drain(manager.treeJson()),
  figures: (manager) => manager.getStatistics(),
  since: (manager) => drain(manager.entriesJson(manager.getLeafId() ?? undefined)),
};

const question = questions[what];
const before = peakMb();
if (what === "list") {
  const started = performance.now();
  const sessions = await SessionManager.list("/", path);
  report(performance.now() - started, sessions.length);
} else if (what === "append") {
  const manager = SessionManager.open(path, undefined, undefined, { fsync: "never" });
  manager.appendCustomEntry("warm-up");
  const started = performance.now();
  for (let count = 0; count < appends; count++) manager.appendCustomEntry("bench", { count });
  report((performance.now() - started) / appends, manager.getEntryCount());
  manager.close();
} else if (question) {
  const manager = SessionManager.open(path);
  const started = performance.now();
  const answer = question(manager);
  report(performance.now() - started, answer);
} else {
  const started = performance.now();
  const manager = SessionManager.open(path);
  report(performance.now() - started, manager.getEntryCount());
}

/**
 * @param {number} ms
 * @param {unknown} answer
 */
function report(ms, answer) {
  console.log(JSON.stringify({ ms, growthMb: peakMb() - before, answer }));
}

/** Highest resident memory so far: the kernel's own mark on Linux, this moment's elsewhere. */
function peakMb() {
  try {
    return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1]) / 1024;
  } catch {
    return process.memoryUsage().rss / 1024 / 1024;
  }
}
