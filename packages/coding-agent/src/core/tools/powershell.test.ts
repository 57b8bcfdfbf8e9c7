import { describe, expect, it } from "vitest";
import { createLocalPowerShellOperations } from "../process/local-bash-operations.js";
import { createPowerShellTool, createPowerShellToolDefinition } from "./powershell.js";

describe("the powershell tool", () => {
  it("is as bash, with operations of its own", async () => {
    const commands: string[] = [];
    const tool = createPowerShellTool("/tmp", {
      operations: {
        async exec(command, cwd, { onData }) {
          commands.push(`${cwd}: ${command}`);
          await onData(Buffer.from("listed\n"));
          return { exitCode: 3 };
        },
      },
    });
    const result = await tool.execute("1", { command: "Get-ChildItem" });
    expect(commands).toEqual(["/tmp: Get-ChildItem"]);
    expect(result).toMatchObject({
      isError: true,
      content: [{ type: "text", text: "listed\n\n\nCommand exited with code 3" }],
    });
    expect(tool).toMatchObject({ name: "powershell", label: "powershell" });
    expect(createPowerShellToolDefinition("/tmp").promptGuidelines?.[0]).toContain("powershell");
  });

  it.skipIf(process.platform === "win32")("refuses commands away from Windows", async () => {
    const run = createLocalPowerShellOperations().exec("x", "/tmp", { onData: () => {} });
    await expect(run).rejects.toThrow("The powershell tool is only available on Windows.");
    await expect(createPowerShellTool("/tmp").execute("1", { command: "x" })).rejects.toThrow(
      "The powershell tool is only available on Windows.",
    );
  });
});
