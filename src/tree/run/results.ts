import type { Warning } from "../../base/errors.ts";
import type { AskedRequest, SummariesStatus } from "../../summaries/run/results.ts";

/** Result types of the operations. All names are snake_case: they are the JSON that surfaces print. */

export interface InitResult {
  readonly dir: string;
  readonly platform: string;
  readonly created: readonly string[];
  readonly kept: readonly string[];
  readonly trust: "trusted" | "untrusted";
  readonly next: string;
}

export interface LogAddResult {
  readonly path: string;
  /** First and last line of the entry in the file. */
  readonly lines: readonly [number, number];
  readonly id: string;
  readonly date: string;
  readonly topic: string;
  readonly type: string;
  /** `duplicate`: an entry of that id was there already, nothing was written. */
  readonly action: "added" | "duplicate";
  /** Kinds of secrets that were replaced before writing. */
  readonly redacted: readonly string[];
  readonly warnings: readonly Warning[];
}

export interface WrittenNode {
  readonly path: string;
  readonly level: Level;
  readonly period: string;
  readonly status: "tentative" | "fixed";
  readonly action: "created" | "updated" | "status" | "adopted";
  /** The rule that made the body: `copy-1`, `concat-1`, `built-in-3`, `foreign`, `root-3`. */
  readonly summarizer: string;
  readonly sources: readonly string[];
  /** 0 for a node, k for its k-th addendum. */
  readonly late: number;
}

export type Level = "daily" | "weekly" | "monthly" | "root";

export interface DueNode {
  readonly path: string;
  readonly level: Level;
  readonly period: string;
  /** `new`, `changed`, `status`, `rule`, `ages`, `late`, `foreign`, `damaged`, `adopt`, `answer`. */
  readonly reason: string;
  readonly detail: string;
}

export interface SkippedSource {
  readonly path: string;
  readonly code: string;
  readonly message: string;
}

export interface RootSummary {
  readonly tokens: number;
  readonly cap: number;
  readonly topics: number;
  readonly dropped: number;
}

export interface CompactResult {
  readonly today: string;
  readonly cycles: number;
  /** Present with `dry_run`: what would be done. */
  readonly dry_run?: true;
  /** Present when `if_due` let no run begin although nodes are due: why. */
  readonly waits?: string;
  readonly written: readonly WrittenNode[];
  readonly unchanged: number;
  readonly skipped: readonly SkippedSource[];
  readonly warnings: readonly Warning[];
  readonly due: readonly DueNode[];
  /** The figures of the ROOT.md that stands there now; `null` when there is none of ours. */
  readonly root: RootSummary | null;
  /** Requests to the configured model, or with `dry_run` those that would go out; absent without a model. */
  readonly requests?: readonly AskedRequest[];
  readonly duration_ms: number;
}

export interface StatusResult {
  readonly dir: string;
  readonly today: string;
  readonly time_zone: string;
  readonly platform: string;
  readonly trust: "trusted" | "untrusted";
  readonly raw: {
    readonly days: number;
    readonly files: number;
    readonly bytes: number;
    readonly first: string | null;
    readonly last: string | null;
  };
  readonly nodes: { readonly daily: LevelCount; readonly weekly: LevelCount; readonly monthly: LevelCount };
  readonly root: (RootSummary & { readonly last_updated: string }) | null;
  readonly due_nodes: readonly DueNode[];
  readonly run_due: { readonly yes: boolean; readonly reason: string };
  readonly last_run: string | null;
  readonly late: readonly LateSource[];
  /** MEMORY.md; `null` when there is none or it cannot be read. */
  readonly memory: {
    readonly bytes: number;
    /** Without the section that follows ROOT.md. */
    readonly own_bytes: number;
    readonly lines: number;
    /** How many lines loaders read whole: all, up to line 200 and byte 25,000. */
    readonly loaded_lines: number;
    /** `trigger`: its own bytes are over 15 × 1024. `loader_lines`, `loader_bytes`: the file is over what loaders read. */
    readonly over: readonly ("trigger" | "loader_lines" | "loader_bytes")[];
  } | null;
  /** Sizes of hot files and agents' notes against their targets, in lines. */
  readonly files: readonly {
    readonly path: string;
    readonly lines: number;
    readonly target_lines: number;
    readonly over: boolean;
    /** What to do when it is over; else `null`. */
    readonly advice: string | null;
  }[];
  readonly summaries: SummariesStatus;
  readonly skipped: readonly SkippedSource[];
  readonly warnings: readonly Warning[];
  /** The command to run next. */
  readonly next: string;
}

export interface LevelCount {
  readonly total: number;
  readonly fixed: number;
  readonly tentative: number;
  readonly late: number;
}

export interface LateSource {
  readonly path: string;
  readonly period: string;
  readonly code: "late_source" | "source_edited" | "source_missing";
  /** The addendum that holds it, when it is written already. */
  readonly addendum: string | null;
}

export interface TreeNodeView {
  readonly path: string;
  readonly level: Level;
  readonly period: string;
  readonly late: number;
  readonly status: "tentative" | "fixed";
  readonly summarizer: string;
  readonly lines: number;
  readonly bytes: number;
  readonly topics: readonly string[];
  readonly children: readonly TreeNodeView[];
  /** Raw logs of a daily node. */
  readonly raw: readonly string[];
}

export interface TreeResult {
  readonly root: { readonly path: string; readonly last_updated: string; readonly tokens: number } | null;
  /** Months, newest first. */
  readonly months: readonly TreeNodeView[];
}

export interface ShowResult {
  readonly path: string;
  readonly level: Level;
  readonly period: string;
  readonly status: "tentative" | "fixed";
  readonly summarizer: string;
  readonly sources: readonly string[];
  readonly topics: readonly string[];
  /** The whole text of the file, front matter included. */
  readonly text: string;
  /** Addenda of the same period, oldest first, with their texts. */
  readonly late: readonly { readonly path: string; readonly text: string }[];
}

export interface RootResult {
  readonly path: string;
  readonly tokens: number;
  readonly cap: number;
  readonly text: string;
  readonly lines: readonly RootLine[];
}

export interface RootLine {
  /** 1-based line of the file at `path`; 0 for a line that only a smaller rendering (`max_tokens`, `max_chars`) has. */
  readonly line: number;
  readonly section: string;
  readonly text: string;
  /** Where its raw lines stood when nodes recorded them; a trace tells where they stand now. */
  readonly sources: readonly LineRange[];
}

export interface LineRange {
  readonly path: string;
  readonly lines: readonly [number, number];
}

export interface DroppedResult {
  readonly cap: number;
  readonly dropped: readonly {
    readonly section: string;
    readonly text: string;
    readonly reason: string;
    readonly tokens: number;
  }[];
}

export interface TraceResult {
  readonly line: { readonly path: string; readonly line: number; readonly text: string };
  /** From ROOT.md downwards. `into`: the indices in this array of the entries that it was compiled into. */
  readonly chain: readonly {
    readonly path: string;
    readonly lines: readonly [number, number];
    readonly text: string;
    readonly into: readonly number[];
  }[];
  readonly raw: readonly {
    readonly path: string;
    readonly lines: readonly [number, number];
    readonly sha256: string;
    /** The redacted text of those lines, cut to 2,000 characters. */
    readonly text: string;
    /**
     * `found`: at their recorded place. `moved`: the section they stand in is unchanged, and `path` and `lines` say where it stands now, in this log
     * or in another one of the day. `missing`, `changed`: it is nowhere, because the log is gone or was changed; then `path` and `lines` are
     * the recorded ones, and `sha256` and `text` are empty.
     */
    readonly state: "found" | "moved" | "missing" | "changed";
    /**
     * Where the lines are kept when the log was shortened: `path` and `lines` are those of the whole log, and this is the file that has them, in
     * memory/archive/ or the log's own with other line numbers. `null`: that file has them at these lines. Of lines in two files: those in the first.
     */
    readonly kept_in: LineRange | null;
    readonly into: readonly number[];
    /** Present when only refs with `~` lead there: a program found these lines for what a model wrote. */
    readonly approximate?: true;
  }[];
}

export interface Finding {
  readonly code: string;
  readonly severity: "info" | "warning" | "error";
  readonly path: string;
  readonly line: number | null;
  readonly message: string;
}

export interface VerifyResult {
  readonly ok: boolean;
  readonly checked: number;
  readonly findings: readonly Finding[];
}

export interface UndoResult {
  readonly undone: string;
  readonly restored: readonly string[];
  readonly removed: readonly string[];
  readonly kept: readonly { readonly path: string; readonly message: string }[];
}

export interface DoctorResult {
  readonly ok: boolean;
  readonly version: string;
  readonly node: string;
  readonly dir: string;
  readonly time_zone: string;
  readonly checks: readonly {
    readonly name: string;
    readonly state: "ok" | "note" | "problem";
    readonly message: string;
    readonly fix: string | null;
  }[];
  readonly fixed: readonly string[];
}

export interface ReadResult {
  /** What was read, as a place of its own: `memory/2026-03-15.md:12-18`. */
  readonly source: string;
  /** The day it is of; `null` where it has none. */
  readonly date: string | null;
  /** Without secrets. */
  readonly text: string;
  /** The place that goes on behind it; `null` at the end of what was asked for. */
  readonly next: string | null;
  /** Of a day that is not read whole, because this is its node or it has several logs: the paths of its logs. */
  readonly logs?: readonly string[];
}
