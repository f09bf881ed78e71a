import { MemoryError } from "../../base/errors.ts";

/** What of a stream standard input has. */
export interface InputStream {
  on(event: "data", listener: (chunk: Uint8Array) => void): unknown;
  on(event: "end" | "close" | "error", listener: () => void): unknown;
  pause(): unknown;
}

export interface InputLimits {
  /** Milliseconds to wait for its end. */
  readonly waitMs: number;
  /** Bytes. */
  readonly most: number;
}

export interface ReadInput {
  readonly text: string;
  readonly fault: MemoryError | undefined;
}

/** Longer texts are not tried before their end: each time costs as much as all of it. */
const mostTried = 64 * 1024;

/** Reads what a client writes, to its end, or to the end of its JSON where the client leaves the stream open. Never fails. */
export function readStream(stream: InputStream, { waitMs, most }: InputLimits): Promise<ReadInput> {
  return new Promise((resolve) => {
    const chunks: Uint8Array[] = [];
    let size = 0;
    const finish = (fault?: MemoryError): void => {
      clearTimeout(timer);
      // To destroy it would load what writes to standard error; the process is about to end.
      stream.pause();
      resolve({ text: Buffer.concat(chunks).subarray(0, most).toString("utf8"), fault });
    };
    const timer = setTimeout(() => finish(size === 0 ? undefined : tooLate(waitMs)), waitMs);
    stream.on("data", (chunk) => {
      chunks.push(chunk);
      size += chunk.length;
      if (size > most) finish(tooMuch(most));
      else if (size <= mostTried && chunk.at(-1) === closingBrace && isWhole(Buffer.concat(chunks))) finish();
    });
    for (const event of ["end", "close", "error"] as const) stream.on(event, () => finish());
  });
}

const closingBrace = 0x7d;

function isWhole(bytes: Buffer): boolean {
  try {
    JSON.parse(bytes.toString("utf8"));
    return true;
  } catch {
    return false;
  }
}

function tooLate(ms: number): MemoryError {
  return new MemoryError(
    "io",
    `Standard input did not end within ${ms} ms; a client writes one JSON object and closes it.`,
  );
}

function tooMuch(most: number): MemoryError {
  return new MemoryError("io", `Standard input has more than ${most} bytes; what lies behind them was not read.`);
}
