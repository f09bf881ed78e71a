import type { ChoiceFault } from "./answer.ts";

/** What a model chose, see docs/formats/recall.md. */
export interface ChoiceRecord {
  /** Of what was asked: 64 digits. */
  readonly digest: string;
  readonly prompt_rule: string;
  readonly model: string;
  /** Local time with offset. */
  readonly at: string;
  /** Topics that there were to choose from. */
  readonly of: number;
  readonly state: "accepted" | "refused";
  /** Ascending; none of a refused one. */
  readonly numbers: readonly number[];
  /** Of a refused one. */
  readonly code?: ChoiceFault;
}
