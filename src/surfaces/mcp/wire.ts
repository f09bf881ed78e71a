import type { Readable, Writable } from "node:stream";
import type { JSONRPCMessage } from "@modelcontextprotocol/server";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { errorToldOf } from "./errors.ts";

/** Bytes of unread answers. Above this limit, no new requests are read, so a slow client cannot use up RAM. */
const mostUnread = 8 * 1024 * 1024;

/** The protocol on two streams. Calls `ended` once: when the input ends, the reader is gone, or `close` is called. */
export class Wire extends StdioServerTransport {
  readonly #input: Readable;
  readonly #output: Writable;
  readonly #ended: () => void;
  #state: "open" | "closed" = "open";

  constructor(streams: { readonly input: Readable; readonly output: Writable; readonly ended: () => void }) {
    super(streams.input, streams.output);
    this.#input = streams.input;
    this.#output = streams.output;
    this.#ended = streams.ended;
  }

  override async start(): Promise<void> {
    this.#input.on("data", this.#brake);
    await super.start();
  }

  override async send(message: JSONRPCMessage): Promise<void> {
    await super.send("error" in message ? { ...message, error: errorToldOf(message.error) } : message);
  }

  override async close(): Promise<void> {
    if (this.#state === "closed") return;
    this.#state = "closed";
    this.#input.off("data", this.#brake);
    await super.close();
    this.#ended();
  }

  readonly #brake = (): void => {
    if (this.#output.writableLength <= mostUnread) return;
    this.#input.pause();
    this.#output.once("drain", () => this.#state === "open" && this.#input.resume());
  };
}
