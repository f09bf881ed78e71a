import type { MemoryType, Origin } from "../../base/memory-type.ts";

/** A remembered text with its place. */
export interface Remembered {
  /** `memory/2026-03-15.md`, `thread:ID`. */
  readonly source: string;
  /** 1-based and inclusive; of a thread they are seqs. */
  readonly lines: readonly [number, number];
  /** `YYYY-MM-DD`; empty when it has none. */
  readonly day: string;
  readonly type: MemoryType;
  /** Of its entry; empty when it is not recorded. */
  readonly origin: Origin | "";
  readonly heading: string;
  /** Number of its section, where it is known: of one heading there may be several. */
  readonly section?: number;
  readonly text: string;
}

/** `memory/2026-03-15.md:12-18`, `thread:ID:5-5`: always with both ends. */
export function printSource({ source, lines: [from, to] }: Pick<Remembered, "source" | "lines">): string {
  return `${source}:${from}-${to}`;
}
