import { describe, expect, it } from "vitest";
import type { InstanceRecord } from "../types.js";
import { CursorSubscriber } from "./cursor-subscriber.js";
import { LiveRing } from "./live-ring.js";
import type { Sink } from "./sink.js";
import type { StreamSource } from "./subscriber.js";

/** An instance whose events are made by hand. */
class Source implements StreamSource {
  readonly ring = new LiveRing(1000);
  record = { generation: 1, sessionId: "s" } as InstanceRecord;
  generation = 1;
  isComplete = false;

  get firstSeq(): number {
    return this.ring.firstSeq;
  }

  get lastSeq(): number {
    return this.ring.lastSeq;
  }

  eventsAfter(seq: number) {
    return this.ring.after(seq);
  }

  async entriesSince(): Promise<undefined> {
    return undefined;
  }
}

function read(source: StreamSource, cursor: string) {
  const frames: string[] = [];
  const sink: Sink = {
    write: (text) => {
      const { type, cursor: at, missed } = JSON.parse(text);
      frames.push(type === "gap" ? `gap ${missed}` : `${type} ${at}`);
    },
    waiting: 0,
    onDrained: (then) => then(),
    close: () => {},
  };
  const subscriber = new CursorSubscriber(source, sink, cursor);
  subscriber.begin();
  return { frames, subscriber };
}

describe("a stream with cursors", () => {
  it("keeps events under the process that said them while the record is at the next one", () => {
    const source = new Source();
    for (let count = 0; count < 3; count++) source.ring.add("{}");
    source.record = { ...source.record, generation: 2 };
    source.isComplete = true;
    const { frames, subscriber } = read(source, "1.1.");
    expect(frames).toEqual(["event 1.2.", "event 1.3."]);
    source.ring.clear();
    source.generation = 2;
    for (let count = 0; count < 5; count++) subscriber.event(source.ring.add("{}"));
    expect(frames.slice(2)).toEqual([1, 2, 3, 4, 5].map((seq) => `event 2.${seq}.`));
  });

  it("does not send again what the reader has when a new supervisor learns it", () => {
    const source = new Source();
    const { frames, subscriber } = read(source, "1.2.");
    for (let count = 0; count < 4; count++) subscriber.event(source.ring.add("{}"));
    expect(frames).toEqual(["event 1.3.", "event 1.4."]);
  });

  it("tells what is missing when the first events of a process are gone", () => {
    const source = new Source();
    const { frames, subscriber } = read(source, "1.2.");
    subscriber.event(source.ring.add("{}", 7));
    expect(frames).toEqual(["gap 4", "event 1.7."]);
  });
});
