import type { Sink } from "../streams/sink.js";
import type { Socket } from "./socket.js";

/** Frames of one turn of the event loop go out together. */
export function socketSink(socket: Socket): Sink {
  return {
    write(text) {
      if (socket.destroyed || socket.writableEnded) return;
      if (socket.writableCorked === 0) {
        socket.cork();
        process.nextTick(() => socket.uncork());
      }
      socket.write(text);
    },
    get waiting() {
      return socket.writableLength;
    },
    onDrained(then) {
      if (socket.destroyed) return;
      if (socket.writableNeedDrain) socket.once("drain", then);
      else setImmediate(then);
    },
    close() {
      socket.destroySoon();
    },
  };
}
