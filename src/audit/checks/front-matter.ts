import { readFrontMatter } from "../../base/front-matter.ts";
import { createFinding, type AuditFinding } from "../model/finding.ts";
import type { MemoryText } from "../model/memory-text.ts";
import { oneLine } from "../model/shown-text.ts";

/** `broken_front_matter`: the file begins a front matter that cannot be read. */
export function checkFrontMatter({ path, lines }: MemoryText): readonly AuditFinding[] {
  if (lines[0]?.text.trimEnd() !== "---") return [];
  const reading = readFrontMatter(lines.map(({ text }) => text));
  if (reading.state !== "broken") return [];
  const message = `The front matter cannot be read: ${oneLine([reading.message], 120)}. Put this line right, or take the front matter out.`;
  return [createFinding({ code: "broken_front_matter", path, lines: [reading.line, reading.line], message })];
}
