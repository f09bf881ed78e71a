import type { ShorteningStep } from "../../tree/model/moved-format.ts";
import type { LinePair } from "./finding.ts";

/**
 * A proposed change to one file. It applies only to the bytes with the digest `before`. `cut`: these byte ranges are removed (in order, not adjacent).
 * `rotated`: the file is replaced by a summary of itself.
 */
export interface Edit {
  readonly path: string;
  /** SHA-256 of the bytes it was made for. */
  readonly before: string;
  readonly change: ShorteningStep["change"];
  /** What it does, for the report. At least one. */
  readonly actions: readonly EditAction[];
}

export interface EditAction {
  readonly kind: "remove_section" | "remove_duplicates" | "merge_blank_lines" | "rotate";
  /** Removed lines; for a rotation, all lines. */
  readonly lines: readonly LinePair[];
  /** Bytes saved. For `rotate`, the summary that stays is subtracted. */
  readonly bytes: number;
  /** Tokens saved (estimate). */
  readonly tokens: number;
  readonly message: string;
}
