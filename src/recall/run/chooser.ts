import type { Warning } from "../../base/errors.ts";
import type { SearchIndex } from "../index/search-index.ts";
import type { Call } from "../../base/operation.ts";
import type { Pointed } from "./pointed.ts";
import type { RecallQuery } from "./query.ts";

/** A model that chooses among the topics of nodes. What it does wrong is a warning. */
export interface Chooser {
  /** Asks once for each message and manifest. Errors: `aborted`. */
  choose(message: string, call: Call): Promise<Choice>;
  close(): Promise<void>;
}

export interface Choice {
  /** What to tell of it; nothing when nobody was asked. */
  readonly notes: readonly string[];
  readonly warnings: readonly Warning[];
  /** Where the chosen topics lead. */
  follow(index: SearchIndex, query: RecallQuery): Promise<readonly Pointed[]>;
}
