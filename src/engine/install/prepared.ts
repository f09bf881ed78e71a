import type { Warning } from "../../base/errors.ts";
import type { ClientFiles } from "../../ports/client-files.ts";
import type { ClientPlaces } from "./places.ts";
import type { Edit } from "./plan.ts";

/** Where it happens. */
export interface Installing {
  readonly files: ClientFiles;
  readonly places: ClientPlaces;
}

/** What is to be done, to be shown before it is done. */
export interface Prepared {
  readonly edits: readonly Edit[];
  /** What the person has to do or to know afterwards. */
  readonly notes: readonly string[];
  readonly warnings: readonly Warning[];
  /** Files that stay installed afterwards. */
  readonly remaining: readonly string[];
  /** Does it. Nothing is done when nothing is to be. Errors: `changed_by_other` when a file was changed meanwhile; what is done is in the record, and the command goes on from there. */
  apply(): Promise<void>;
}
