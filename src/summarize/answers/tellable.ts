import type { SourceSection } from "../../base/passage.ts";
import type { SourceTextLine } from "./request.ts";

/** The lines of sections of raw logs that may be told to a model: without what a summary leaves out, but with what an assistant said. */
export function tellable(sections: readonly SourceSection[]): readonly SourceTextLine[] {
  return sections.flatMap(({ lines, log }) =>
    lines.map(({ text, number }) => ({ text, refs: [{ log, from: number, to: number }] })),
  );
}

/** Lines of any other text that may be told, such as the messages of a thread or the body of a node, with their places kept. */
export function tellableLines(lines: readonly SourceTextLine[]): readonly SourceTextLine[] {
  return lines;
}
