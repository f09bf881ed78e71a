import type { ReadOptions, TranscriptItem, TranscriptQuery, TranscriptSource } from "./transcripts.ts";

/** The transcripts of one client. */
export interface ClientReader {
  find(query: TranscriptQuery): Promise<readonly TranscriptSource[]>;
  read(source: TranscriptSource, options: ReadOptions): AsyncIterable<TranscriptItem>;
}

export const internal: TranscriptItem = { kind: "left_out", reason: "internal" };
export const tool: TranscriptItem = { kind: "left_out", reason: "tool" };
export const injected: TranscriptItem = { kind: "left_out", reason: "injected" };
export const empty: TranscriptItem = { kind: "left_out", reason: "empty" };
export const turnEnd: TranscriptItem = { kind: "turn_end" };
