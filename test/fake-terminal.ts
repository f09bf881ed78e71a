import { MemoryError } from "../src/base/errors.ts";
import type { SinkLook, Terminal } from "../src/surfaces/cli/terminal.ts";

/** A terminal that remembers what was printed, for tests in process. */
export interface FakeTerminal extends Terminal {
  out(): string;
  err(): string;
  /** What was written to files, by absolute path. */
  readonly written: ReadonlyMap<string, string>;
}

export interface FakeTerminalOptions {
  readonly cwd?: string;
  readonly look?: Partial<SinkLook>;
  /** By absolute path. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  readonly stdin?: { readonly kind: "terminal" | "pipe"; readonly chunks: readonly (string | Uint8Array)[] };
  /** The next reading of the stop watch, again and again. */
  readonly elapsedMs?: () => number;
  readonly signal?: AbortSignal;
  readonly debugging?: "on" | "off";
  readonly errorCodes?: "told" | "left out";
}

export function createFakeTerminal(options: FakeTerminalOptions = {}): FakeTerminal {
  const printed = { out: "", err: "" };
  const written = new Map<string, string>();
  const look = (): SinkLook => ({ kind: "pipe", colours: "off", columns: 80, ...options.look });
  const { stdin } = options;
  const bytesOf = (chunk: string | Uint8Array): Uint8Array =>
    typeof chunk === "string" ? new TextEncoder().encode(chunk) : chunk;
  return {
    cwd: options.cwd ?? "/somewhere",
    stdout: { write: (text) => void (printed.out += text), drained: async () => {}, look },
    stderr: { write: (text) => void (printed.err += text), drained: async () => {}, look },
    stdin: {
      kind: () => stdin?.kind ?? "pipe",
      chunks: async function* () {
        if (stdin === undefined) throw new Error("stdin was read");
        for (const chunk of stdin.chunks) yield bytesOf(chunk);
      },
    },
    openFile: (path) => ({
      name: path,
      chunks: async function* () {
        const found = options.files?.[path];
        if (found === undefined) throw new MemoryError("not_found", `There is no file ${path}.`);
        yield bytesOf(found);
      },
    }),
    outputFile: (path) => ({
      name: path,
      read: async () => written.get(path),
      write: async (text) => void written.set(path, text),
    }),
    written,
    elapsedMs: options.elapsedMs ?? (() => 0),
    signal: options.signal ?? new AbortController().signal,
    debugging: options.debugging ?? "off",
    errorCodes: options.errorCodes ?? "left out",
    out: () => printed.out,
    err: () => printed.err,
  };
}
