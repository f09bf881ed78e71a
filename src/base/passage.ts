import type { ScannedLine } from "./markdown.ts";
import type { MemoryType } from "./memory-type.ts";
import { printRefSuffix, type Ref } from "./refs.ts";

/** What kind of statement a passage makes about its topic. Each role has its own section in a summary. */
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

/** `done`: the newest entry of the topic explicitly says that the topic is finished. */
export type Progress = "active" | "done";

/**
 * A statement and its source lines. Summaries are composed of passages and parsed back into them. All texts are redacted.
 */
export interface Passage {
  readonly role: Role;
  readonly topic: string;
  readonly type: MemoryType;
  /** Shown instead of the type if the entry does not come from the user: `feedback by agent`. */
  readonly tag?: string | undefined;
  /** One line; for `topic`, its keywords separated by commas. */
  readonly text: string;
  /** The verbatim lines of a `preserved` entry, heading first; empty otherwise. */
  readonly lines: readonly VerbatimLine[];
  readonly refs: readonly Ref[];
  readonly progress: Progress;
  /** First and last line (1-based) in the body of the node it was read from; 0 if it was not read from a node. */
  readonly at: readonly [number, number];
  /** Passages with a higher weight get space first. Weights are only comparable within a node. */
  readonly weight: number;
  /** Whether the topic was named by a heading or found in the text. */
  readonly naming: "given" | "found";
  /** For a topic: whether it starts a line of a summary or follows the previous topic on its line. */
  readonly place?: "own_line" | "same_line" | undefined;
  /** The number of the addendum it was read from. Passages of an addendum replace earlier ones about the same lines. */
  readonly late?: number | undefined;
  /** For a topic: the weight of each keyword, if known; otherwise their order decides. */
  readonly scores?: readonly number[] | undefined;
}

/** Default field values of passages. */
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

/** The part of a raw log below one heading, as the summarizer sees it: redacted, with line numbers. */
export interface SourceSection {
  /** The heading's text; empty before the first heading. */
  readonly heading: string;
  readonly topic: string;
  readonly type: MemoryType;
  readonly tagged: "tagged" | "untagged";
  /** See `Passage`. */
  readonly tag?: string | undefined;
  /** The file name of its raw log, without `.md`. */
  readonly log: string;
  /** Starts with the heading line, if the section has one here. */
  readonly lines: readonly SourceLine[];
}

export interface SourceLine {
  /** 1-based line of the raw log. */
  readonly number: number;
  readonly text: string;
  readonly kind: ScannedLine["kind"];
}

/** Maximum lines and UTF-8 bytes of a summary. */
export interface Space {
  readonly lines: number;
  readonly bytes: number;
  /** Bytes reserved for what the user said. Default: a quarter. */
  readonly said?: number;
  /** Lines available to everything except `user` and `feedback` entries and what the user said. Default: all. */
  readonly others?: number;
}

/** Approximate size in bytes of a passage in a summary. */
export function bytesOfLine(passage: Passage): number {
  const verbatim = passage.lines.reduce((sum, line) => sum + Buffer.byteLength(line.text) + 1, 0);
  if (passage.role === "preserved") return verbatim + 4;
  const tag = passage.naming === "found" ? 0 : passage.type.length + 3;
  return (
    6 + tag + Buffer.byteLength(passage.topic) + Buffer.byteLength(passage.text) + printRefSuffix(passage.refs).length
  );
}

/** Number of lines in a passage in a summary. */
export function linesOf(passage: Passage): number {
  return Math.max(1, passage.lines.length);
}
