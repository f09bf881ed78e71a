import type { RecallMemory } from "../recall/memory.ts";
import type { ThreadMemory } from "../threads/memory.ts";
import type { Summarizer } from "./models/summarizer.ts";

/** An opened project folder, with the models that summaries and recall may use. */
export interface SummaryMemory extends ThreadMemory, RecallMemory {
  /** The model from the user's settings; absent if none is configured. Opened only when a request is about to be sent. */
  readonly summarizer?: NamedSummarizer;
  /** The model that chooses among nodes for recall, from the user's settings; absent if none is configured. */
  readonly chooser?: NamedSummarizer;
}

/** A summarizer whose id is known before it is opened, because opening may load a package or a model. */
export interface NamedSummarizer extends Pick<Summarizer, "id" | "contextTokens"> {
  open(): Promise<Summarizer>;
}
