import type { ShorteningStep } from "../../tree/model/moved-format.ts";
import type { LinePair } from "./finding.ts";

/**
 * A change of one file as a value: it applies to the bytes with the digest `before` and no others.
 * `cut`: these ranges go (in order, apart). `rotated`: the file keeps a summary of itself.
 */
export interface Edit {
  readonly path: string;
  /** SHA-256 of the bytes that it was made for. */
  readonly before: string;
  readonly change: ShorteningStep["change"];
  /** What it does, for the report; at least one. */
  readonly actions: readonly EditAction[];
}

export interface EditAction {
  readonly kind: "remove_section" | "remove_duplicates" | "merge_blank_lines" | "rotate";
  /** Lines of the file that go; of a rotation all. */
  readonly lines: readonly LinePair[];
  /** What it saves in the file; for `rotate` less the summary that stays. */
  readonly bytes: number;
  /** Tokens (estimate). */
  readonly tokens: number;
  readonly message: string;
}
