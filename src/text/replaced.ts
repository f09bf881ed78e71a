import type { MemoryType, Origin } from "../base/memory-type.ts";

/** A statement with when and where it was made. */
export interface DatedStatement {
  readonly text: string;
  readonly topic: string;
  readonly type: MemoryType;
  readonly day: string;
  readonly order: number;
  readonly source: string;
  readonly origin?: Origin;
  readonly entry?: number;
}

export function replacedAmong(_: readonly DatedStatement[]): ReadonlyMap<number, number> {
  return new Map();
}
