import type { Warning } from "../../base/errors.ts";
import type { Client, LeftOut } from "../transcripts/transcripts.ts";

/** Why a row is no message, or a message no turn of the log; `courtesy` counts turns. */
export type NotKept = LeftOut | "courtesy";

/** What was captured of one session. */
export interface CapturedSessionResult {
  readonly session: string;
  readonly thread_id: string;
  /** The local day on which it began. */
  readonly day: string;
  /** The logs in which entries of this call stand, in their order. */
  readonly days: readonly string[];
  readonly messages: CapturedCount;
  readonly entries: CapturedCount;
  readonly left_out: Readonly<Partial<Record<NotKept, number>>>;
}

/** `known`: it was there already. */
export interface CapturedCount {
  readonly added: number;
  readonly known: number;
}

export interface CaptureResult {
  readonly client: Client;
  /** Sessions of which something was read, in the order in which they were read. */
  readonly sessions: readonly CapturedSessionResult[];
  readonly warnings: readonly Warning[];
  /** Nothing was written. */
  readonly dry_run?: true;
}
