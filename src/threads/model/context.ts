import type { Message } from "./frame.ts";
import type { SummaryLine } from "./summarizer.ts";

/** What a context says of a thread and its parents, from the oldest part to the newest. */
export interface Context {
  readonly thread_id: string;
  readonly title: string | null;
  /** Of the last message; null without one. */
  readonly until_seq: number | null;
  readonly until_ms: number | null;
  readonly counts: ContextCounts;
  readonly parts: readonly Part[];
}

/** Messages up to the anchor, parents included, and where they are; the last three add up to the first. */
export interface ContextCounts {
  readonly messages: number;
  readonly raw: number;
  readonly summarized: number;
  readonly uncovered: number;
}

export type Part = SummaryPart | HandoffPart | UncoveredPart | MessagePart;

/** One summary, of which `lines` are in the context. */
export interface SummaryPart {
  readonly kind: "summary";
  readonly thread_id: string;
  readonly artifact_id: string;
  readonly note: string;
  readonly from_seq: number;
  readonly to_seq: number;
  /** Null where it is not counted: the messages of a thread that was handed off. */
  readonly messages: number | null;
  /** When its last message was said; null when that is not known. */
  readonly until_ms: number | null;
  readonly lines: readonly SummaryLine[];
  /** `missing`: it is named by a frame, and is not in the artifact store. */
  readonly state: "there" | "missing";
}

/** The summary of a handoff that is no artifact. */
export interface HandoffPart {
  readonly kind: "handoff";
  readonly thread_id: string;
  readonly to_seq: number;
  readonly lines: readonly SummaryLine[];
}

export interface UncoveredPart {
  readonly kind: "uncovered";
  readonly thread_id: string;
  readonly from_seq: number;
  readonly to_seq: number;
  /** Null when the thread is not in the store, or too far up. */
  readonly messages: number | null;
}

export interface MessagePart {
  readonly kind: "message";
  readonly thread_id: string;
  /** Without secrets. */
  readonly message: Message;
}

/** The counts of parts that hold every message once. What is not counted (null) is left out. */
export function countsOf(parts: readonly Part[]): ContextCounts {
  let [raw, summarized, uncovered] = [0, 0, 0];
  for (const part of parts) {
    if (part.kind === "message") raw += 1;
    if (part.kind === "summary") summarized += part.messages ?? 0;
    if (part.kind === "uncovered") uncovered += part.messages ?? 0;
  }
  return { messages: raw + summarized + uncovered, raw, summarized, uncovered };
}
