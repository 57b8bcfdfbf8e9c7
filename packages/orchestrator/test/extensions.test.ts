import { describe, expect, it } from "vitest";
import { eventually, useFleet } from "./fleet.js";

const start = useFleet();

function kill(pid: number | undefined): void {
  process.kill(pid ?? Number.NaN, "SIGKILL");
}

describe("agents with extensions", () => {
  it("are followed into other sessions, and what ran under another text is not called interrupted", async () => {
    // What begins with `slow` is answered when nobody waits any more.
    const fleet = await start(({ conversation }: { conversation: { turns: { role: string; text?: string }[] } }) => {
      const last = conversation.turns.findLast(({ role }) => role === "user")?.text ?? "";
      return {
        blocks: [{ type: "text" as const, text: `re: ${last}` }],
        ...(last.includes("slow") && { delayMs: 60_000 }),
      };
    });
    fleet.addExtension(
      `pi.registerCommand("fresh", { description: "x", handler: async (args, ctx) => { await ctx.newSession(); } });
       pi.on("input", (event) => ({ action: "transform", text: "[" + event.text + "]" }));`,
    );
    await fleet.serve();
    const { id, sessionFile } = await fleet.spawn();
    const give = async (message: string, promptId: string) =>
      fleet.client.call("prompt", { instanceId: id, message, promptId });
    await give("one", "p-one");
    expect(await fleet.untilPrompt(id, "p-one", "delivered")).toMatchObject({ entryId: expect.any(String) });
    await fleet.until(id, ({ isStreaming }) => isStreaming === false, "idle");

    await give("/fresh", "p-fresh");
    await fleet.untilPrompt(id, "p-fresh", "handled");
    const fresh = await fleet.until(id, (record) => record.sessionFile !== sessionFile, "the new session");
    await give("slow", "p-slow");
    await fleet.untilPrompt(id, "p-slow", "started");
    await give("waiting", "p-waiting");
    await fleet.untilPrompt(id, "p-waiting", "queued");
    await eventually(
      () => (fleet.userTexts(fresh).includes("[slow]") ? true : undefined),
      () => "the prompt in the session",
    );
    kill(fresh.pid);
    const revived = await fleet.until(
      id,
      ({ generation, status }) => generation === 2 && status === "online",
      "revival",
    );
    expect(revived.sessionFile).toBe(fresh.sessionFile);
    expect(await fleet.untilPrompt(id, "p-slow", "delivered", "interrupted")).toMatchObject({ state: "delivered" });
    expect(await fleet.untilPrompt(id, "p-waiting", "delivered", "interrupted")).toMatchObject({
      state: "interrupted",
    });
    expect(fleet.userTexts(revived)).toEqual(["[slow]"]);
  });

  it("keep their dialogs over crashes of the orchestrator, without those that were answered or are over", async () => {
    const fleet = await start();
    fleet.addExtension(
      `for (const [name, options] of Object.entries({ answered: {}, timed: { timeout: 1500 }, open: {} }))
         pi.registerCommand(name, { description: "x", handler: async (args, ctx) => {
           ctx.ui.notify(name + ": " + await ctx.ui.input(name, "", options));
         } });`,
    );
    await fleet.serve("--health-interval", "0.2");
    const { id } = await fleet.spawn({ idleSeconds: 1 });
    const open = async () =>
      (await fleet.client.call("status", { instanceId: id })).dialogs.map(({ title }) => title).sort();
    const untilOpen = (...titles: string[]) =>
      eventually(
        async () => (JSON.stringify(await open()) === JSON.stringify(titles) ? true : undefined),
        () => `dialogs ${titles}`,
      );
    for (const name of ["answered", "timed", "open"]) {
      await fleet.client.call("prompt", { instanceId: id, message: `/${name}` });
    }
    await untilOpen("answered", "open", "timed");
    const frames: string[] = [];
    const stream = await fleet.client.stream(id, "now", (line) => frames.push(line));
    const { dialogs } = await fleet.client.call("status", { instanceId: id });
    const idOf = (title: string) => dialogs.find((dialog) => dialog.title === title)?.id ?? "";
    const answer = (title: string) => stream.send({ type: "extension_ui_response", id: idOf(title), value: "yes" });
    answer("answered");
    answer("answered");
    await eventually(
      () => (frames.some((line) => line.includes("somebody has answered it")) ? true : undefined),
      () => "the refusal of the second answer",
    );
    expect(frames).toContain(JSON.stringify({ type: "dialog_closed", dialogId: idOf("answered") }));
    await untilOpen("open");
    await fleet.served.kill();
    await fleet.serve("--health-interval", "0.2");
    await fleet.until(id, ({ status }) => status === "online", "online");
    expect(await open()).toEqual(["open"]);
    const next = await fleet.client.stream(id, "now", () => {});
    next.send({ type: "extension_ui_response", id: idOf("open"), value: "yes" });
    const parked = await fleet.until(id, ({ status }) => status === "stopped", "parked");
    expect(parked.reason).toContain("nothing to do");
    next.close();
  });
});
