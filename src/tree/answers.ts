import type { Day } from "../base/calendar.ts";
import type { NodeName } from "./period.ts";
import type { Source } from "./source-format.ts";

/** An answer of a model that is on record for a basis, as far as its file's name tells. */
export interface KnownAnswer {
  /** The first 16 digits of the basis and of the request digest. */
  readonly basis: string;
  readonly digest: string;
  readonly state: "accepted" | "refused" | "dropped";
}

/** What is known of answers and of waiting for them: an input of planning, like the day. */
export interface AnswersState {
  /** By the path of the node that they are for. */
  readonly known: ReadonlyMap<string, readonly KnownAnswer[]>;
  /** Whether a summarizer is configured, so that nodes wait for it. */
  readonly summarizer: "none" | "configured";
  /** By the path of a node: how many runs found it waiting, and the day of the first. */
  readonly waited: ReadonlyMap<string, { readonly runs: number; readonly since: Day }>;
}

/** Runs and days that a node waits for an answer before it is fixed with the built-in summary. */
export const mostWaits = { runs: 3, days: 3 } as const;

/** The recorded answer that a node is made from. */
export interface NodeAnswer {
  /** The request digest, 64 digits. */
  readonly digest: string;
  /** Who answered. */
  readonly model: string;
  /** The lines of a summary, with refs. */
  readonly summary: readonly string[];
}

/** Gives the accepted answer for the sources of a node, if there is one. */
export interface AnswerSource {
  find(name: NodeName, sources: readonly Source[]): Promise<NodeAnswer | undefined>;
}
