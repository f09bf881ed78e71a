import type { IndexedSection } from "./search-index.ts";
import type { CutSection } from "../passages/types.ts";
import { partsOf } from "../../text/words/parts.ts";

export function indexedSection(section: CutSection, day: string, digest = ""): IndexedSection {
  const { heading, type, origin, lines } = section;
  return {
    heading,
    type,
    origin,
    day,
    lines,
    chunks: section.chunks.map(({ lines: at, text }) => ({ lines: at, text, parts: partsOf(text), weight: 0 })),
    statements: section.statements.map(({ lines: at, text, weight }) => ({ lines: at, text, parts: "", weight })),
    digest,
  };
}
