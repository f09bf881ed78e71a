import type { MemoryType, Origin } from "../../base/memory-type.ts";

/** A line of a source, redacted: its 1-based number (of a thread: the seq) and its text without the line end. */
export interface PassageLine {
  readonly number: number;
  readonly text: string;
}

/** A heading of level 1 or 2 with the lines below it. */
export interface CutSection {
  readonly heading: string;
  readonly type: MemoryType;
  /** Empty when it is not recorded. */
  readonly origin: Origin | "";
  readonly lines: readonly [number, number];
  readonly chunks: readonly CutText[];
  readonly statements: readonly CutStatement[];
}

export interface CutText {
  readonly lines: readonly [number, number];
  readonly text: string;
}

export interface CutStatement extends CutText {
  /** 0 to 1: how much it tells. */
  readonly weight: number;
}
