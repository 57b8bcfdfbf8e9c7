/** The smallest host: everything is the user's own (`~/.pi/agent`), the session is kept on disk. */
import { createAgentSession } from "@earendil-works/pi-coding-agent";

const { session } = await createAgentSession();
session.subscribe((event) => {
  if (event.type === "message_update" && event.assistantMessageEvent.type === "text_delta") {
    process.stdout.write(event.assistantMessageEvent.delta);
  }
});
await session.prompt(process.argv[2] ?? "What files are here?");
session.dispose();
