import type { AnswerFinding, SummaryKind, SummaryRequest } from "../../summarize/answers/request.ts";
import type { AnswerRecord } from "../../summarize/answers/record.ts";
import type { Call } from "../operation.ts";

/** Something that a summary can be asked for: a node, ROOT.md, a cut of a thread. */
export interface Subject {
  readonly kind: SummaryKind;
  readonly label: string;
  /** What the summary is of, 64 digits. */
  readonly basis: string;
  readonly state: "open" | "due" | "fixed";
  /** Of a thread. */
  readonly cut?: { readonly thread_id: string; readonly to_seq: number; readonly to_message_id: string | null };
  /** Reads the sources and makes the request. Errors: those of reading; `changed_by_other` when they are not what the basis says. */
  request(space: RequestSpace, call: Call): Promise<SummaryRequest>;
  /** Reads and checks an answer to that request. */
  read(request: SummaryRequest, answer: GivenAnswer): Promise<ReadAnswer>;
  /** Puts an accepted answer to use, where a later run does not do that by itself. */
  accept?(record: AnswerRecord, call: Call): Promise<void>;
  /** What to run so that an accepted answer shows. */
  readonly next: string;
}

export interface RequestSpace {
  /** Tokens of request and answer together. */
  readonly contextTokens: number;
  /** The notes of agents, of a job; redacted. */
  readonly notes?: string;
}

export interface GivenAnswer {
  readonly text: string;
  readonly end: "complete" | "cut_off";
}

export interface ReadAnswer {
  readonly findings: readonly AnswerFinding[];
  /** The lines of a summary, with refs; empty when a finding refuses the answer. */
  readonly summary: readonly string[];
  /** The answer with secrets replaced. */
  readonly text: string;
  /** o200k tokens of the answer. */
  readonly tokens: number;
}
