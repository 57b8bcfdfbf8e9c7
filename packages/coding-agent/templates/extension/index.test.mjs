// `npm test`. The extension is loaded as pi loads it, with pi's own modules.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { discoverAndLoadExtensions } from "@earendil-works/pi-coding-agent";

const scratch = mkdtempSync(join(tmpdir(), "extension-"));
after(() => rmSync(scratch, { recursive: true, force: true }));

const file = fileURLToPath(new URL("index.ts", import.meta.url));
const { extensions, errors } = await discoverAndLoadExtensions([file], scratch, scratch);
const [extension] = extensions;

test("it loads", () => assert.deepEqual(errors, []));

test("the tool rolls as many dice as it is told", async () => {
  const { execute } = extension.tools.get("roll_dice").definition;
  const { content, details } = await execute("call", { count: 3 }, undefined, undefined, undefined);
  assert.equal(details.dice.length, 3);
  assert.ok(details.dice.every((die) => die >= 1 && die <= 6));
  assert.equal(content[0].text, details.dice.join(", "));
  await assert.rejects(execute("call", { count: 0 }), /Roll 1 to 100 dice/);
});

test("the command tells what was rolled", async () => {
  const said = [];
  await extension.commands.get("roll").handler("2", { ui: { notify: (text) => said.push(text) } });
  assert.match(said[0], /^You rolled [1-6], [1-6]$/);
});
