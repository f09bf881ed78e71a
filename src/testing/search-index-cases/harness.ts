import type {
  SearchIndex,
  IndexedSection,
  IndexedText,
  SourceChange,
  SourceContent,
} from "../../recall/index/search-index.ts";

export const rules = "rules-1";

export function textOf(text: string, more: Partial<IndexedText> = {}): IndexedText {
  return { lines: [1, 1], text, parts: "", weight: 0, ...more };
}

/** A section with a chunk of each text. */
export function sectionOf(texts: readonly string[], more: Partial<IndexedSection> = {}): IndexedSection {
  const chunks = texts.map((text, index) => textOf(text, { lines: [index + 1, index + 1] }));
  const lines = [1, texts.length] as const;
  return { heading: "", type: "project", origin: "", day: "", lines, chunks, statements: [], digest: "", ...more };
}

export function contentOf(sections: readonly IndexedSection[], more: Partial<SourceContent> = {}): SourceContent {
  return { kind: "raw", level: "raw", from: "", to: "", stamp: "s1", digest: "d1", sections, ...more };
}

/** A source with one section and one chunk. */
export function put(key: string, text: string, more: Partial<SourceContent> = {}): SourceChange {
  return { key, put: contentOf([sectionOf([text], { day: more.to ?? "" })], more) };
}

/** Two openings of one index, which is absent at first. */
export interface SearchIndexHarness {
  readonly index: SearchIndex;
  readonly other: SearchIndex;
  close(): Promise<void>;
}
