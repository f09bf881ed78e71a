import { parseRootLine } from "../../tree/root/root-format.ts";
import type { Share } from "./space.ts";

interface RankedLine {
  readonly text: string;
  readonly heading: string;
  /** 0 to 1: those with the lowest are kept first. */
  readonly rank: number;
}

/** Of whom the memory is, and how they want to be answered. */
const kept: ReadonlySet<string> = new Set(["user", "feedback"]);

/**
 * The lines of ROOT.md in at most `most` of the space. No line is cut: each section loses the same part of its lines, from its end on, and those that the person's own
 * words stand behind go last. Headings without a line, and blank lines, are left out.
 */
export function fitRoot(body: readonly string[], share: Share, most: number): readonly string[] {
  const lines = ranked(body);
  const chosen = new Set<RankedLine>();
  const headings = new Set<string>();
  let taken = 0;
  for (const line of lines.toSorted((a, b) => a.rank - b.rank)) {
    const heading = headings.has(line.heading) || line.heading === "" ? 0 : share(`${line.heading}\n`);
    const own = share(`${line.text}\n`);
    if (taken + own + heading > most) continue;
    taken += own + heading;
    chosen.add(line);
    headings.add(line.heading);
  }
  let last = "";
  return lines
    .filter((line) => chosen.has(line))
    .flatMap(({ text, heading }) => {
      const above = heading === last ? [] : [heading];
      last = heading;
      return [...above, text];
    });
}

function ranked(body: readonly string[]): readonly RankedLine[] {
  const sections: { readonly heading: string; readonly lines: string[] }[] = [{ heading: "", lines: [] }];
  for (const text of body) {
    if (text.startsWith("## ")) sections.push({ heading: text, lines: [] });
    else if (text.trim() !== "") sections.at(-1)?.lines.push(text);
  }
  return sections.flatMap(({ heading, lines }) =>
    lines.map((text, at) => {
      const isKept = text.startsWith("- ") && kept.has(parseRootLine(text).type);
      return { text, heading, rank: isKept ? at / lines.length / 1000 : (at + 1) / lines.length };
    }),
  );
}
