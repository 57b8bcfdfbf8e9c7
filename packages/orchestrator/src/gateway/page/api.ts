/** The gateway as the page uses it. */
export interface Instance {
  id: string;
  status: string;
  cwd: string;
  label?: string;
  reason?: string;
  restarts: number;
  isStreaming?: boolean;
}

export interface Dialog {
  id: string;
  method: "select" | "confirm" | "input" | "editor";
  title: string;
  message?: string;
  options?: string[];
  placeholder?: string;
  prefill?: string;
}

const token = takeToken();

/** From the address, which is cleared of it, or from before a reload. */
function takeToken(): string {
  const given = new URLSearchParams(location.hash.slice(1)).get("token");
  if (given !== null) {
    sessionStorage.setItem("token", given);
    history.replaceState(null, "", location.pathname);
  }
  return sessionStorage.getItem("token") ?? "";
}

/** @throws with what the gateway says */
export async function call<T>(method: string, path: string, body?: object): Promise<T> {
  const response = await fetch(path, { ...options(method), ...(body && { body: JSON.stringify(body) }) });
  const answer = (await response.json()) as T & { error?: string };
  if (!response.ok) throw new Error(answer.error ?? response.statusText);
  return answer;
}

/** Frames of an instance until the signal ends it; comes back from where it was when the connection is lost. */
export async function follow(
  id: string,
  signal: AbortSignal,
  onFrame: (frame: Record<string, unknown>) => void,
): Promise<void> {
  let cursor = "";
  while (!signal.aborted) {
    try {
      const path = `/v1/instances/${id}/events?cursor=${encodeURIComponent(cursor)}`;
      const response = await fetch(path, { ...options("GET"), signal });
      if (response.status === 404) return;
      const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
      let rest = "";
      for (let piece = await reader?.read(); piece && !piece.done; piece = await reader?.read()) {
        const events = (rest + piece.value).split("\n\n");
        rest = events.pop() ?? "";
        for (const event of events) {
          const data = event.split("\n").find((line) => line.startsWith("data: "));
          if (data === undefined) continue;
          const frame = JSON.parse(data.slice(6)) as Record<string, unknown>;
          if (typeof frame["cursor"] === "string") cursor = frame["cursor"];
          onFrame(frame);
        }
      }
    } catch {
      // Lost: the supervisor may be starting again.
    }
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

function options(method: string): RequestInit {
  return { method, headers: { authorization: `Bearer ${token}`, "content-type": "application/json" } };
}
