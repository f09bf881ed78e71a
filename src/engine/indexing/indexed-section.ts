import type { IndexedSection, IndexedText } from "../../ports/search-index.ts";
import type { CutSection, CutText } from "../../recall/passages/types.ts";
import { partsOf } from "../../recall/words/index.ts";

export function indexedSection(section: CutSection, day: string): IndexedSection {
  const { heading, type, lines } = section;
  return {
    heading,
    type,
    day,
    lines,
    chunks: section.chunks.map((chunk) => indexedText(chunk, 0)),
    statements: section.statements.map((statement) => indexedText(statement, statement.weight)),
  };
}

function indexedText({ lines, text }: CutText, weight: number): IndexedText {
  return { lines, text, parts: partsOf(text), weight };
}
