import { MemoryError } from "../../base/errors.ts";
import { shown } from "../../text/shown.ts";

/** A place in the memory, as search and recall name it. */
export type Place =
  | { readonly is: "file"; readonly path: string; readonly from: number; readonly to: number | undefined }
  | { readonly is: "thread"; readonly thread_id: string; readonly from: number; readonly to: number | undefined };

/**
 * `memory/2026-03-15.md`, `memory/2026-03-15.md:12`, `memory/2026-03-15.md:12-18`, `thread:ID:5-7`. Lines are 1-based, seqs begin at 0. Whether the file is
 * one of the memory's is not told here. Errors: `invalid_path`.
 */
export function parsePlace(text: string): Place {
  const wanted = text.trim();
  const [, name = "", first, last] = /^(.*?)(?::(\d{1,15})(?:-(\d{1,15}))?)?$/su.exec(wanted) ?? [];
  const thread = /^thread:(.+)$/su.exec(name)?.[1];
  const lowest = thread === undefined ? 1 : 0;
  const from = first === undefined ? lowest : Number(first);
  const to = last === undefined ? (first === undefined ? undefined : from) : Number(last);
  if (name === "" || from < lowest || (to !== undefined && to < from)) throw invalidPlace(wanted);
  return thread === undefined ? { is: "file", path: name, from, to } : { is: "thread", thread_id: thread, from, to };
}

function invalidPlace(seen: string): MemoryError {
  const place = shown(seen, 80);
  const message = `The place is "${place}"; it must be a file with its lines (memory/2026-03-15.md:12-18), or a thread with its messages (thread:ID:5-7), as search and recall name them.`;
  return new MemoryError("invalid_path", message, { place });
}

/** One line that says where the whole log of a day is; empty when the text is all of it. */
export function logsTold({ logs = [] }: { readonly logs?: readonly string[] }): string {
  return logs.length === 0 ? "" : `The whole log of this day: ${logs.join(", ")}`;
}
