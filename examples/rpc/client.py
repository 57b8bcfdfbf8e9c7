"""A client of `pi --mode rpc`, with the standard library only: sends a prompt, prints the answer as it comes.

    python3 client.py "What does this project do?" [further arguments of pi ...]
"""

import itertools
import json
import subprocess
import sys
import threading


class Pi:
    """One agent. Responses are matched by id; everything else goes to `on_event`."""

    def __init__(self, args, on_event):
        self._process = subprocess.Popen(
            ["pi", "--mode", "rpc", *args], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self._ids = itertools.count(1)
        self._pending = {}
        self._on_event = on_event
        threading.Thread(target=self._read, daemon=True).start()

    def call(self, type, **fields):
        """Sends a command and returns the `data` of its response."""
        id = f"py-{next(self._ids)}"
        answered = threading.Event()
        self._pending[id] = (answered, {})
        line = json.dumps({"id": id, "type": type, **fields}) + "\n"
        self._process.stdin.write(line.encode())
        self._process.stdin.flush()
        answered.wait()
        response = self._pending.pop(id)[1]
        if not response.get("success"):
            raise RuntimeError(response.get("error", "the agent has ended"))
        return response.get("data")

    def close(self):
        """The end of its input ends the agent in order."""
        self._process.stdin.close()
        return self._process.wait()

    def _read(self):
        # Bytes, not text: only LF separates records. U+2028 and its like are ordinary characters.
        for line in self._process.stdout:
            record = json.loads(line)
            pending = self._pending.get(record.get("id")) if record["type"] == "response" else None
            if pending:
                pending[1].update(record)
                pending[0].set()
            else:
                self._on_event(record)
        for answered, _ in list(self._pending.values()):
            answered.set()


def main():
    settled = threading.Event()

    def on_event(event):
        if event["type"] == "message_update":
            piece = event["assistantMessageEvent"]
            if piece["type"] == "text_delta":
                print(piece["delta"], end="", flush=True)
        elif event["type"] == "tool_execution_start":
            print(f"\n[{event['toolName']} {json.dumps(event['args'])}]", flush=True)
        elif event["type"] == "agent_settled":
            settled.set()

    prompt, *args = sys.argv[1:] or ["Hello"]
    pi = Pi(args, on_event)
    pi.call("prompt", message=prompt)
    # `agent_end` is not the end: a retry or a queued message may follow. This is.
    settled.wait()
    stats = pi.call("get_session_stats")
    print(f"\n{stats['tokens']['total']} tokens, ${stats['cost']:.4f}")
    return pi.close()


if __name__ == "__main__":
    sys.exit(main())
