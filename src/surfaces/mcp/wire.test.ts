import { PassThrough, Writable } from "node:stream";
import { describe, expect, test } from "vitest";
import { Wire } from "./wire.ts";

/** A client that reads answers only when allowed. */
class Slow extends Writable {
  readonly taken: string[] = [];
  #go: (() => void) | undefined;
  #reads = false;

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.taken.push(chunk.toString("utf8"));
    if (this.#reads) done();
    else this.#go = done;
  }

  read(): void {
    this.#reads = true;
    this.#go?.();
  }
}

const later = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));

describe("the wire", () => {
  test("reads no requests while 8 MiB of answers are unread, and all of them afterwards", async () => {
    const [input, output] = [new PassThrough(), new Slow()];
    const wire = new Wire({ input, output, ended: () => undefined });
    const taken: unknown[] = [];
    wire.onmessage = (message) => {
      taken.push(message);
      void wire.send({ jsonrpc: "2.0", id: taken.length, result: { text: "x".repeat(1024 * 1024) } });
    };
    await wire.start();
    for (let id = 1; id <= 40; id += 1) {
      input.write(`${JSON.stringify({ jsonrpc: "2.0", id, method: "tools/list" })}\n`);
      await later();
    }
    expect(taken.length).toBeGreaterThan(8);
    expect(taken.length).toBeLessThan(12);
    output.read();
    while (taken.length < 40) await later();
    expect(output.taken.length).toBe(40);
  });

  test.each(["its input ends", "its reader is gone", "it is closed", "a frame is too large"])(
    "calls ended once if %s",
    async (why) => {
      const [input, output] = [new PassThrough(), new PassThrough()];
      let ended = 0;
      const wire = new Wire({ input, output, ended: () => void (ended += 1) });
      await wire.start();
      if (why === "its input ends") input.end();
      else if (why === "its reader is gone") output.destroy(new Error("write EPIPE"));
      else if (why === "it is closed") await wire.close();
      else input.write("x".repeat(11 * 1024 * 1024));
      await later();
      await wire.close();
      expect(ended).toBe(1);
      expect(input.listenerCount("data")).toBe(0);
    },
  );
});
