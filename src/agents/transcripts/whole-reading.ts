import { MemoryError } from "../../base/errors.ts";
import { shown } from "../../text/shown.ts";
import type { TranscriptItem } from "./transcripts.ts";

/** Whoever called must be told these; a transcript has no part in them. */
const ofTheCaller = new Set(["busy", "aborted", "internal", "usage"]);

/**
 * A reading that comes to an end also where the transcript cannot be read further: a damaged database, a file that was taken away meanwhile. What was read
 * counts, and what happened is its last item.
 */
export async function* wholeReading(
  reading: AsyncIterable<TranscriptItem>,
): AsyncGenerator<TranscriptItem, void, void> {
  let place = "its beginning";
  let begun: "no" | "yes" = "no";
  try {
    for await (const item of reading) {
      begun = "yes";
      yield item;
      if (item.kind === "position") place = `place ${item.position.at}`;
    }
  } catch (error) {
    const message = `the rest cannot be read: ${reasonOf(error)}`;
    if (begun === "no") yield { kind: "begin", at: "start" };
    yield { kind: "fault", code: "unreadable_rest", message, place };
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof MemoryError && !ofTheCaller.has(error.code)) return error.message.replace(/\.$/u, "");
  // Of the system, in the middle of a file.
  if (!(error instanceof MemoryError) && isOfSystem(error)) return shown(error.message, 100);
  throw error;
}

function isOfSystem(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && "syscall" in error && "code" in error;
}
