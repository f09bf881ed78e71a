import type { ScannedLine } from "./markdown.ts";
import type { MemoryType } from "./memory-type.ts";
import { printRefSuffix, type Ref } from "./refs.ts";

/** What a passage says about its topic. Each role has its section in a summary. */
export type Role =
  | "topic"
  | "preserved"
  | "said"
  | "decision"
  | "done"
  | "outcome"
  | "open"
  | "blocked"
  | "failed"
  | "abandoned"
  | "lesson"
  | "entity"
  | "note";

/** Whether the newest entry of a topic explicitly says that it is finished. */
export type Progress = "active" | "done";

/**
 * One thing that a text says, with the raw lines that say it: what summaries are made of and read back into. All texts are
 * redacted.
 */
export interface Passage {
  readonly role: Role;
  readonly topic: string;
  readonly type: MemoryType;
  /** `feedback by agent`: instead of the type, where the entry does not come from the person. */
  readonly tag?: string | undefined;
  /** One line; for `topic` its keywords, separated by commas. */
  readonly text: string;
  /** The verbatim lines of a `preserved` entry, heading first; empty otherwise. */
  readonly lines: readonly VerbatimLine[];
  readonly refs: readonly Ref[];
  readonly progress: Progress;
  /** 1-based lines of the body it was read from; 0 when it was not read from a node. */
  readonly at: readonly [number, number];
  /** Larger is worth more of the space; only compared within one node. */
  readonly weight: number;
  /** Whether the topic was named, or found in what was said. */
  readonly naming: "given" | "found";
  /** Of a topic: whether it begins a line of a summary or follows the topic before it. */
  readonly place?: "own_line" | "same_line" | undefined;
  /** The number of the addendum that it was read from: what it says of the same lines replaces what was said of them before. */
  readonly late?: number | undefined;
  /** Of a topic: the weight of each of its keywords, where that is known; otherwise their order decides. */
  readonly scores?: readonly number[] | undefined;
}

/** What most passages have in common. */
export const plainPassage = {
  type: "project",
  text: "",
  lines: [],
  progress: "active",
  at: [0, 0],
  weight: 0,
  naming: "given",
} as const satisfies Partial<Passage>;

export interface VerbatimLine {
  readonly text: string;
  readonly ref: Ref | undefined;
}

/** A part of a raw log below one heading, as the summarizer sees it: redacted, with the place of each line. */
export interface SourceSection {
  /** The heading's text; empty before the first heading. */
  readonly heading: string;
  readonly topic: string;
  readonly type: MemoryType;
  readonly tagged: "tagged" | "untagged";
  /** See `Passage`. */
  readonly tag?: string | undefined;
  /** Its raw log: the file name without `.md`. */
  readonly log: string;
  /** The first is the heading's own line, when it has one here. */
  readonly lines: readonly SourceLine[];
}

export interface SourceLine {
  /** 1-based line of the raw log. */
  readonly number: number;
  readonly text: string;
  readonly kind: ScannedLine["kind"];
}

/** Lines and UTF-8 bytes that a summary may have. */
export interface Space {
  readonly lines: number;
  readonly bytes: number;
  /** Of the bytes those that are set aside for what the user said. Default: a quarter. */
  readonly said?: number;
  /** Of the lines those for all but the texts of `user` and `feedback` entries and what the user said. Default: all. */
  readonly others?: number;
}

/** About what a passage takes as a line of a summary. */
export function bytesOfLine(passage: Passage): number {
  const verbatim = passage.lines.reduce((sum, line) => sum + Buffer.byteLength(line.text) + 1, 0);
  if (passage.role === "preserved") return verbatim + 4;
  const tag = passage.naming === "found" ? 0 : passage.type.length + 3;
  return (
    6 + tag + Buffer.byteLength(passage.topic) + Buffer.byteLength(passage.text) + printRefSuffix(passage.refs).length
  );
}

/** Lines that a passage takes. */
export function linesOf(passage: Passage): number {
  return Math.max(1, passage.lines.length);
}
