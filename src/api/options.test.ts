import { expect, expectTypeOf, test } from "vitest";
import type * as M from "./memory.ts";
import type * as S from "./memory.ts";
import type * as T from "./threads.ts";
import { operations } from "../operations/table.ts";
import type { AuditOptions, AuditUndoOptions } from "./memory.ts";
import type { Camel, CallOptions } from "./wire.ts";

type Known = (typeof operations)[number];

/** The input of an operation with the API's names, except what the method takes as an argument. */
type Input<Name extends Known["name"], Without extends string = never> = Fields<
  Camel<Parameters<Extract<Known, { readonly name: Name }>["run"]>[1]>,
  Without
>;

/** The options that a method passes on to the operation. */
type Options<Of, Without extends string = never> = Fields<Of, Without | keyof CallOptions>;

/** Compares without required or optional: some required inputs are arguments of the method or have a default in the API. */
type Fields<Of, Without extends string> = {
  [Name in Exclude<keyof Of, Without>]?: Of[Name];
};

/** The compiler does the checking. */
test("the options of each method are the input of its operation", () => {
  expectTypeOf<Options<M.LogEntry>>().toEqualTypeOf<Input<"log.add">>();
  expectTypeOf<Options<M.EditOptions>>().toEqualTypeOf<Omit<Input<"log.edit">, "entry">>();
  expectTypeOf<Options<M.PromoteOptions>>().toEqualTypeOf<Omit<Input<"log.promote">, "place">>();
  // `platform` is a plain string, checked at run time: programs pass on what a person typed.
  expectTypeOf<Options<M.InitOptions, "platform">>().toEqualTypeOf<Input<"memory.init", "platform">>();
  expectTypeOf<Options<M.CompactOptions>>().toEqualTypeOf<Input<"tree.compact">>();
  expectTypeOf<Options<M.RootOptions>>().toEqualTypeOf<Input<"tree.root", "dropped">>();
  expectTypeOf<Options<M.VerifyOptions>>().toEqualTypeOf<Input<"tree.verify">>();
  expectTypeOf<Options<M.ForgetOptions>>().toEqualTypeOf<Input<"memory.forget">>();
  expectTypeOf<Options<M.DoctorOptions>>().toEqualTypeOf<Input<"memory.doctor">>();
  expectTypeOf<Options<M.SearchOptions, "in">>().toEqualTypeOf<Input<"memory.search", "query" | "in">>();
  expectTypeOf<Options<M.RecallOptions>>().toEqualTypeOf<
    Input<"memory.recall", "text" | "batch" | "sessions" | "limit">
  >();
  expectTypeOf<Options<M.IndexOptions>>().toEqualTypeOf<Input<"memory.index">>();
  expectTypeOf<Options<M.CaptureOptions>>().toEqualTypeOf<Input<"capture.run", "client">>();
  expectTypeOf<Options<M.ReplayOptions>>().toEqualTypeOf<Input<"sessions.replay", "session">>();
  expectTypeOf<Options<M.ImportOptions>>().toEqualTypeOf<Input<"capture.import", "client">>();
  expectTypeOf<Options<AuditOptions, "markdown">>().toEqualTypeOf<Input<"audit.run", "markdown">>();
  expectTypeOf<Options<AuditUndoOptions>>().toEqualTypeOf<Input<"audit.undo">>();
  expectTypeOf<Options<S.PendingOptions>>().toEqualTypeOf<Input<"summaries.pending">>();
  expectTypeOf<Options<S.SubmitOptions>>().toEqualTypeOf<Input<"summaries.submit", "job" | "file">>();
  expectTypeOf<Options<S.SummariesRunOptions>>().toEqualTypeOf<Input<"summaries.run">>();
  expectTypeOf<Options<S.LedgerOptions>>().toEqualTypeOf<Input<"summaries.ledger">>();
  expectTypeOf<Options<T.CreateThreadOptions, "id">>().toEqualTypeOf<Input<"thread.create", "threadId">>();
  expectTypeOf<Options<T.ListThreadsOptions>>().toEqualTypeOf<Input<"thread.list">>();
  expectTypeOf<Options<T.AppendOptions>>().toEqualTypeOf<
    Input<"thread.append", "threadId" | "batch" | "content" | "id">
  >();
  expectTypeOf<Options<T.EventsOptions>>().toEqualTypeOf<Input<"thread.events", "threadId">>();
  expectTypeOf<Options<T.BranchOptions>>().toEqualTypeOf<Input<"thread.branch", "threadId">>();
  expectTypeOf<Options<T.HandoffOptions, "summary">>().toEqualTypeOf<
    Input<"thread.handoff", "threadId" | "summaryFile">
  >();
  expectTypeOf<Options<T.CutPointsOptions>>().toEqualTypeOf<Input<"compaction.cut_points", "threadId">>();
  expectTypeOf<Options<T.CompactThreadOptions>>().toEqualTypeOf<Input<"compaction.auto", "threadId">>();
  expectTypeOf<Options<T.ScheduleOptions>>().toEqualTypeOf<Input<"compaction.auto.schedule", "threadId" | "all">>();
  expectTypeOf<Options<T.CheckpointOptions, "summary">>().toEqualTypeOf<
    Input<"compaction.manual", "threadId" | "summaryFile">
  >();
  expectTypeOf<Options<T.ThreadStatusOptions>>().toEqualTypeOf<Input<"compaction.status", "threadId">>();
  expectTypeOf<Options<T.CompileOptions>>().toEqualTypeOf<Input<"context.compile", "threadId">>();
  expect(operations.length).toBeGreaterThan(0);
});
