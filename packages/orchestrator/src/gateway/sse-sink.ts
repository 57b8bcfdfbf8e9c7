import { mostWaiting, type Sink } from "../streams/sink.js";

/** Frames as server-sent events, each under its cursor as id. A comment now and then keeps the connection in use. */
export function eventStream(onClose: () => void): { sink: Sink; body: ReadableStream<Uint8Array> } {
  const encoder = new TextEncoder();
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  let drained: (() => void)[] = [];
  let heartbeat: NodeJS.Timeout | undefined;
  const end = () => {
    controller = undefined;
    clearInterval(heartbeat);
    onClose();
  };
  const send = (text: string) => controller?.enqueue(encoder.encode(text));
  const body = new ReadableStream<Uint8Array>(
    {
      start(started) {
        controller = started;
        heartbeat = setInterval(() => send(": \n\n"), 15_000);
      },
      pull() {
        const waiting = drained;
        drained = [];
        for (const then of waiting) then();
      },
      cancel: end,
    },
    new ByteLengthQueuingStrategy({ highWaterMark: mostWaiting }),
  );
  const sink: Sink = {
    write(line) {
      const cursor = /^\{"type":"[a-z_]+","cursor":"([^"]*)"/.exec(line)?.[1];
      send(`${cursor === undefined ? "" : `id: ${cursor}\n`}data: ${line.trimEnd()}\n\n`);
    },
    get waiting() {
      return mostWaiting - (controller?.desiredSize ?? mostWaiting);
    },
    onDrained(then) {
      if (controller) drained.push(then);
    },
    close() {
      controller?.close();
      end();
    },
  };
  return { sink, body };
}
