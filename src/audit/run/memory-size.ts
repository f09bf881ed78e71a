import { readText } from "../model/memory-text.ts";
import { thresholds } from "../model/thresholds.ts";

/** What `status` says of MEMORY.md. */
interface MemorySize {
  readonly bytes: number;
  readonly own_bytes: number;
  readonly lines: number;
  readonly loaded_lines: number;
  readonly over: readonly ("trigger" | "loader_lines" | "loader_bytes")[];
}

/** How large MEMORY.md is, and which limits that is over. Linear. */
export function memorySizeOf(bytes: Uint8Array): MemorySize {
  const { lines } = readText({ path: "MEMORY.md", bytes });
  const derived = lines.reduce((sum, { part, from, to }) => sum + (part === "derived" ? to - from : 0), 0);
  const own = bytes.length - derived;
  const read = lines.findIndex(({ to }, index) => index === thresholds.loaderLines || to > thresholds.loaderBytes);
  const over: MemorySize["over"][number][] = [];
  if (own > thresholds.trigger) over.push("trigger");
  if (lines.length > thresholds.loaderLines) over.push("loader_lines");
  if (bytes.length > thresholds.loaderBytes) over.push("loader_bytes");
  return {
    bytes: bytes.length,
    own_bytes: own,
    lines: lines.length,
    loaded_lines: read < 0 ? lines.length : read,
    over,
  };
}
