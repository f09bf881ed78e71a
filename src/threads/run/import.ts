import { MemoryError } from "../../base/errors.ts";
import type { ImportLine } from "../store/thread-store.ts";
import type { ThreadMemory } from "../memory.ts";
import type { Call } from "../../base/operation.ts";
import { frameLines } from "./frame-lines.ts";
import type { ImportInput } from "./inputs.ts";
import type { ThreadImportResult } from "./results.ts";

/**
 * Takes the frames of a file into the threads that they name, byte for byte. What is wrong with a thread is in its report. Errors: `invalid_frame` for a
 * line of which it is not known whose it is; those of the file. Then nothing is imported.
 */
export async function importFrames(
  memory: ThreadMemory,
  input: ImportInput,
  call: Call = {},
): Promise<ThreadImportResult> {
  memory.onWork?.();
  const source = frameLines(input.file, call.signal);
  const reports = await memory.threads.import(watched(source.lines, call));
  const threads = reports.map(({ error, ...report }) => ({ ...report, error: error ?? null }));
  const torn_line = source.torn() ?? null;
  return {
    threads,
    imported: sumOf(threads.map(({ imported }) => imported)),
    known: sumOf(threads.map(({ known }) => known)),
    torn_line,
    warnings: torn_line === null ? [] : [tornWarning(input.file.name, torn_line)],
  };
}

const TOLD_EVERY = 1_000;

/** Tells how far it is, and ends with `aborted` when the signal says so: nothing of the file is imported then. */
async function* watched(
  lines: AsyncIterable<ImportLine>,
  { signal, progress }: Call,
): AsyncGenerator<ImportLine, void, void> {
  let done = 0;
  for await (const line of lines) {
    if (done % TOLD_EVERY === 0) progress?.({ phase: "import", done, total: 0 });
    if (signal?.aborted === true) throw stopped();
    done += 1;
    yield line;
  }
  // A source that ends because of the signal is not a file that ended.
  if (signal?.aborted === true) throw stopped();
}

function stopped(): MemoryError {
  return new MemoryError("aborted", "Stopped before the end of the file; nothing of it was imported.");
}

function tornWarning(file: string, line: number): ThreadImportResult["warnings"][number] {
  const message = `the last line of ${file} is not a complete JSON object and was left out`;
  return { code: "torn_line", message, line };
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}
