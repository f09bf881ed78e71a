import type { RecallMemory } from "../recall/memory.ts";
import type { ThreadMemory } from "../threads/memory.ts";
import type { Summarizer } from "./models/summarizer.ts";

/** An opened project folder as summaries by a model see it. */
export interface SummaryMemory extends ThreadMemory, RecallMemory {
  /** The model that the user's settings name; absent without one. Opened when a request is about to go out. */
  readonly summarizer?: NamedSummarizer;
  /** The model that the user's settings let choose among nodes for recall; absent without one. */
  readonly chooser?: NamedSummarizer;
}

/** A summarizer whose id is known before it is opened: opening may load a package or a model. */
export interface NamedSummarizer extends Pick<Summarizer, "id" | "contextTokens"> {
  open(): Promise<Summarizer>;
}
