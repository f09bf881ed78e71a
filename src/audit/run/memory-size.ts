import { readText } from "../model/memory-text.ts";
import { thresholds } from "../model/thresholds.ts";
import type { StatusResult } from "../../tree/run/results.ts";

type MemorySize = NonNullable<StatusResult["memory"]>;

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
