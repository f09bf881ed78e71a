import type { Topic } from "../../base/memory-type.ts";
import type { Passage, SourceSection } from "../../base/passage.ts";

/**
 * What turns text into passages and says which of them are worth their space. Pure: the same sections give the same passages,
 * and nothing but the sections counts.
 */
export interface NodeSummarizer {
  /** Changes whenever it would answer otherwise. */
  readonly id: string;
  /** Everything worth telling in these sections, one `topic` passage for each topic among them. */
  extract(sections: readonly SourceSection[]): readonly Passage[];
  /** The topics of these sections alone, in their order: what `extract` would name, for less. */
  topics(sections: readonly SourceSection[]): readonly Topic[];
  /** The same merged where it says the same, the most valuable first, for a summary of so many lines and UTF-8 bytes. */
  rank(passages: readonly Passage[], space: { readonly lines: number; readonly bytes: number }): readonly Passage[];
  /** The words of a text that name something, in the form in which they are compared. */
  keys(text: string): readonly string[];
}
