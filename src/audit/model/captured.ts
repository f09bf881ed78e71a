import { parseEntryComment } from "../../base/memory-type.ts";
import type { MemoryText } from "./memory-text.ts";

/** Whether all that stands in the note besides its title are entries whose ids begin with `capture-`. */
export function isCaptured({ lines }: MemoryText): boolean {
  const first = lines.findIndex(isEntryHeading);
  if (first < 0) return false;
  const before = lines.slice(0, first).filter((line) => line.reading !== "exact" || line.text.trim() !== "");
  if (before.length > 1 || before.some((line) => line.kind !== "heading" || line.level !== 1)) return false;
  return lines.every((line, index) => {
    if (!isEntryHeading(line)) return true;
    return parseEntryComment(lines[index + 1]?.text ?? "")?.id.startsWith("capture-") === true;
  });
}

function isEntryHeading({ kind, level }: MemoryText["lines"][number]): boolean {
  return kind === "heading" && level === 2;
}
