import type { ReadResult } from "./read-place.ts";

/** One line that says where the whole log of a day is; empty when the text is all of it. */
export function logsTold({ logs = [] }: Pick<ReadResult, "logs">): string {
  return logs.length === 0 ? "" : `The whole log of this day: ${logs.join(", ")}`;
}
