import type { PassageLine } from "./types.ts";

/** What heartwood itself writes into the front matter of nodes: digests and places, which nobody looks for. */
const machineKeys: ReadonlySet<string> = new Set([
  "type",
  "status",
  "period",
  "late",
  "since",
  "dates",
  "weeks",
  "source-files",
  "made-by",
  "redacted-by",
  "answer",
  "model",
  "spans",
  "sources",
  "content",
  "last-updated",
]);

const key = /^["']?([^\s#"'][^:]*?)["']?\s*:/u;

/** The lines of front matter that tell something: those of keys that heartwood does not keep for itself. */
export function toldInFront(lines: readonly string[]): readonly PassageLine[] {
  const told: PassageLine[] = [];
  let isOwn = true;
  lines.forEach((text, index) => {
    if (text.trimEnd() === "---") return;
    const found = /^\S/u.test(text) ? key.exec(text)?.[1] : undefined;
    if (found !== undefined) isOwn = machineKeys.has(found);
    if (!isOwn && text.trim() !== "") told.push({ number: index + 1, text });
  });
  return told;
}
