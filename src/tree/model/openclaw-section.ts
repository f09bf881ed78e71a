import { parseHeading, scanLines } from "../../base/markdown.ts";

const title = "Compaction Root";
const taken: ReadonlySet<string> = new Set(["Active Context (recent ~7 days)", "Recent Patterns", "Topics Index"]);

/**
 * MEMORY.md with its section `## Compaction Root` made anew from ROOT.md's body: Active Context, Recent Patterns and Topics Index, headings demoted by
 * one. It ends at the next `##` heading outside a fence; a missing one is appended. Line ends are those of the file.
 */
export function replaceCompactionRoot(text: string, rootBody: readonly string[]): string {
  const end = text.includes("\r\n") ? "\r\n" : "\n";
  const section = [`## ${title}`, ...sectionBody(rootBody)];
  const lines = text.split("\n");
  const plain = lines.map((line) => line.replace(/\r$/u, ""));
  const kinds = scanLines(plain).lines;
  const isHeading = (index: number): boolean => kinds[index]?.kind === "heading" && (kinds[index]?.level ?? 9) <= 2;
  const start = plain.findIndex(
    (line, index) => isHeading(index) && kinds[index]?.level === 2 && parseHeading(line)?.text === title,
  );
  if (start < 0) {
    const gap = text === "" ? "" : text.endsWith("\n") ? end : end + end;
    return text + gap + section.join(end) + end;
  }
  let stop = start + 1;
  while (stop < lines.length && !isHeading(stop)) stop += 1;
  const before = lines
    .slice(0, start)
    .map((line) => `${line}\n`)
    .join("");
  const after = lines.slice(stop).join("\n");
  return before + section.join(end) + end + (stop < lines.length ? end + after : "");
}

function sectionBody(rootBody: readonly string[]): readonly string[] {
  const body: string[] = [];
  let keeping = false;
  for (const line of rootBody) {
    const heading = line.startsWith("## ") ? line.slice(3) : undefined;
    if (heading !== undefined) keeping = taken.has(heading);
    if (heading !== undefined && keeping) body.push("", `### ${heading}`);
    else if (keeping && line !== "") body.push(line);
  }
  return body;
}
