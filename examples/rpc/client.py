"""A client of `pi --mode rpc`, with the standard library only: sends a prompt, prints the answer as it comes.

    python3 client.py "What does this project do?" [further arguments of pi ...]
"""

import itertools
import json
import subprocess
import sys
import threading


DIALOGS = ("select", "confirm", "input", "editor")


class Pi:
    """One agent. Responses are matched by id; everything else goes to `on_event`."""

    def __init__(self, args, on_event):
        self._process = subprocess.Popen(
            ["pi", "--mode", "rpc", *args], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self._ids = itertools.count(1)
        self._pending = {}
        self._on_event = on_event
        #: Why nothing comes any more; None while something may.
        self.ended = None
        threading.Thread(target=self._read, daemon=True).start()

    def call(self, type, **fields):
        """Sends a command and returns the `data` of its response."""
        id = f"py-{next(self._ids)}"
        answered = threading.Event()
        self._pending[id] = (answered, {})
        self.send({"id": id, "type": type, **fields})
        # Who reads has told all that were pending when it ended; this one may have come later.
        while not answered.wait(0.2) and not self.ended:
            pass
        response = self._pending.pop(id)[1]
        if not response.get("success"):
            raise RuntimeError(response.get("error", self.ended))
        return response.get("data")

    def send(self, record):
        """Sends a record that has no response, as the answer to a dialog."""
        try:
            self._process.stdin.write((json.dumps(record) + "\n").encode())
            self._process.stdin.flush()
        except OSError:
            # The agent is gone; `ended` says so in a moment.
            pass

    def close(self):
        """The end of its input ends the agent in order. Returns its exit code."""
        try:
            self._process.stdin.close()
        except OSError:
            pass
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
        self.ended = f"the agent has ended (exit code {self._process.wait()})"
        for answered, _ in list(self._pending.values()):
            answered.set()
        self._on_event({"type": "ended"})


def main():
    settled = threading.Event()

    def on_event(event):
        if event["type"] == "message_update":
            piece = event["assistantMessageEvent"]
            if piece["type"] == "text_delta":
                print(piece["delta"], end="", flush=True)
        elif event["type"] == "tool_execution_start":
            print(f"\n[{event['toolName']} {json.dumps(event['args'])}]", flush=True)
        elif event["type"] == "extension_ui_request" and event["method"] in DIALOGS:
            # Nobody is here to ask: without an answer the extension would wait for ever.
            print(f"\n[not answered: {event['title']}]", flush=True)
            pi.send({"type": "extension_ui_response", "id": event["id"], "cancelled": True})
        elif event["type"] in ("agent_settled", "ended"):
            settled.set()

    prompt, *args = sys.argv[1:] or ["Hello"]
    pi = Pi(args, on_event)
    # A command of an extension is answered without a run.
    if pi.call("prompt", message=prompt)["disposition"] != "handled":
        # `agent_end` is not the end: a retry or a queued message may follow. This is.
        settled.wait()
    if pi.ended:
        sys.exit(pi.ended)
    stats = pi.call("get_session_stats")
    print(f"\n{stats['tokens']['total']} tokens, ${stats['cost']:.4f}")
    return pi.close()


if __name__ == "__main__":
    sys.exit(main())
