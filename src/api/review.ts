import type * as Asked from "../operations/inbox.ts";
import type { OutputFile } from "../base/operation.ts";
import type * as Pin from "../recall/run/pin.ts";
import type * as Report from "../tree/inspect/report.ts";
import type * as LogChange from "../tree/logs/log-change.ts";
import type * as Topic from "../tree/root-run/topics.ts";
import type { Camel, CallOptions } from "./wire.ts";

/** The topics of entries. */
export interface Topics {
  /** Lists every topic of the tree, the one mentioned last first. Operation: `topic.list`. Errors: `not_found`. */
  list(options?: CallOptions): Promise<TopicListResult>;
  /** Returns what holds about a topic, what that replaced, and the places of its entries. Operation: `topic.show`. Errors: `not_found`. */
  show(name: string, options?: CallOptions): Promise<TopicShowResult>;
  /** Gives a topic another name, in all logs; they keep their bytes. Operation: `topic.rename`. Errors: `invalid_topic`, `not_found`. */
  rename(from: string, to: string, options?: CallOptions): Promise<TopicRenameResult>;
  /** Makes a topic part of another one that exists. Operation: `topic.merge`. Errors: `invalid_topic`, `not_found`. */
  merge(from: string, to: string, options?: CallOptions): Promise<TopicMergeResult>;
}

/** What needs a person: contradictions, rules that the user said, references to missing files, conflict markers. */
export interface Inbox {
  /** Lists the items that were not dismissed, newest first, with what can be done about each. Before there is a ROOT.md, only references to missing files and conflict markers. Operation: `memory.inbox`. */
  list(options?: CallOptions): Promise<InboxResult>;
  /** Hides an item until its text changes; `log.undo` takes it back. Operation: `memory.dismiss`. Errors: `not_found`. */
  dismiss(id: string, options?: CallOptions): Promise<DismissResult>;
}

/** What recall gives first or never. `place`: lines of a log (`memory/2026-03-15.md:12-18`) or messages of a thread (`thread:ID:5`). */
export interface Pins {
  /** Recall gives the place first if it shares a word with the message. Operation: `recall.pin`. Errors: `invalid_path`, `not_found`, `thread_not_found`. */
  add(place: string, options?: CallOptions): Promise<PinResult>;
  /** No recall gives the place; search still shows it, with a mark. Operation: `recall.never`. Errors: `invalid_path`, `not_found`, `thread_not_found`. */
  never(place: string, options?: CallOptions): Promise<NeverResult>;
  /** Takes back every pin that overlaps the place. Operation: `recall.unpin`. Errors: `invalid_path`, `not_found`. */
  remove(place: string, options?: CallOptions): Promise<UnpinResult>;
  /** Lists the pinned places, newest first. Operation: `recall.pins`. */
  list(options?: CallOptions): Promise<PinListResult>;
}

export interface PinResult extends Camel<Pin.PinResult> {}
export interface NeverResult extends Camel<Pin.PinResult> {}
export interface UnpinResult extends Camel<Pin.UnpinResult> {}
export interface PinListResult extends Camel<Pin.PinListResult> {}

export interface ReportOptions extends CallOptions {
  /** Where to write the page. Default: it is returned. */
  readonly html?: OutputFile;
}

export interface ReportResult extends Camel<Report.ReportResult> {}
export interface InboxResult extends Camel<Asked.InboxResult> {}
export interface DismissResult extends Camel<Asked.DismissResult> {}
export interface TopicListResult extends Camel<Topic.TopicListResult> {}
export interface TopicShowResult extends Camel<Topic.TopicShowResult> {}
export interface TopicRenameResult extends Camel<LogChange.TopicChangeResult> {}
export interface TopicMergeResult extends Camel<LogChange.TopicChangeResult> {}
