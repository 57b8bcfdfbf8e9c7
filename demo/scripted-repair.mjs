// The scripted model of the demo: it works out each step from the real results of the step before, and refuses to go on
// when they are not what a repair needs.

const testCommand = "node --test --test-reporter=tap";

/** Lines it knows how to mend, as somebody who can program would see them. */
const repairs = [
  {
    broken: /^(\s*for \(let i = 0; i) <= (\w+\.length; i\+\+\) \{)$/,
    mended: "$1 < $2",
    why: "the loop runs one item too far",
  },
  { broken: /^(.*net \* discountPercent)(\);)$/, mended: "$1 / 100$2", why: "a percentage is a part of a hundred" },
  {
    broken: /^(\s*const rest = )(cents % 100)(;)$/,
    mended: '$1String($2).padStart(2, "0")$3',
    why: "cents need two digits",
  },
];

/**
 * Answers one request of the agent.
 *
 * @param {import("@pi/testkit").RecordedRequest} request
 * @returns {import("@pi/testkit").ScriptedTurn}
 */
export function repairStep({ conversation }) {
  const results = conversation.lastResults;
  const answers = conversation.turns.filter((turn) => turn.role === "assistant").length;
  switch (answers) {
    case 0:
      return say("I'll run the tests and look at what there is.", [
        call("bash", { command: testCommand }),
        call("bash", { command: "ls src/*" }),
      ]);
    case 1: {
      const [tests, listing] = results;
      expect(/^# fail [1-9]/m.test(tests?.text ?? ""), "the test suite should fail before the repair");
      const files = (listing?.text ?? "").split("\n").filter((line) => line.endsWith(".js"));
      expect(files.length > 0, "there should be source files to read");
      const failing = /^# fail (\d+)/m.exec(tests?.text ?? "")?.[1];
      return say(
        `${failing} tests fail. The sources should tell why.`,
        files.map((path) => call("read", { path })),
      );
    }
    case 2: {
      const read = callsOfLastAnswer(conversation).filter((toolCall) => toolCall.name === "read");
      const edits = read.flatMap((toolCall, index) => {
        const text = results[index]?.text ?? "";
        const found = editsFor(text);
        const path = /** @type {{ path: string }} */ (toolCall.arguments).path;
        return found.length > 0 ? [{ path, found }] : [];
      });
      expect(edits.length > 0, "the sources that were read should show the faults");
      const reasons = edits.flatMap(({ found }) => found.map(({ why }) => why));
      return say(
        `Found it: ${reasons.join("; ")}.`,
        edits.map(({ path, found }) =>
          call("edit", { path, edits: found.map(({ oldText, newText }) => ({ oldText, newText })) }),
        ),
      );
    }
    case 3:
      expect(
        results.length > 0 &&
          results.every(({ isError, text }) => !isError && text.startsWith("Successfully replaced")),
        `every edit should have been made: ${results.map(({ text }) => text).join(" | ")}`,
      );
      return say("Now the tests again.", [call("bash", { command: testCommand })]);
    case 4: {
      const text = results[0]?.text ?? "";
      expect(/^# fail 0$/m.test(text), `the test suite should pass after the repair:\n${text}`);
      const passed = /^# pass (\d+)/m.exec(text)?.[1];
      return say(`The project is repaired: all ${passed} tests pass.`, []);
    }
    default:
      throw new Error("the script has ended, but the agent asked again");
  }
}

/** @param {string} source */
function editsFor(source) {
  return source.split("\n").flatMap((line) => {
    const repair = repairs.find(({ broken }) => broken.test(line));
    return repair ? [{ oldText: line, newText: line.replace(repair.broken, repair.mended), why: repair.why }] : [];
  });
}

/**
 * @param {string} text
 * @param {import("@pi/testkit").ScriptedBlock[]} calls
 * @returns {import("@pi/testkit").ScriptedTurn}
 */
function say(text, calls) {
  // Cut anywhere, and slow enough to be watched.
  return { blocks: [{ type: "text", text }, ...calls], chunking: { seed: text.length }, deltaSize: 8, eventDelayMs: 4 };
}

/**
 * @param {string} name
 * @param {Record<string, unknown>} args
 * @returns {import("@pi/testkit").ScriptedBlock}
 */
function call(name, args) {
  return { type: "toolCall", name, arguments: args };
}

/** @param {import("@pi/testkit").SeenConversation} conversation */
function callsOfLastAnswer(conversation) {
  const last = conversation.turns.findLast((turn) => turn.role === "assistant");
  return last?.role === "assistant" ? last.toolCalls : [];
}

/**
 * @param {boolean} condition
 * @param {string} what
 */
function expect(condition, what) {
  if (!condition) throw new Error(`scripted model: ${what}`);
}
