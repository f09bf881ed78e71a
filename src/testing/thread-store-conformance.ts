import { appendCases } from "./thread-store-cases/append.ts";
import { changeCases } from "./thread-store-cases/changes.ts";
import { checkpointCases } from "./thread-store-cases/checkpoints.ts";
import { conflictCases } from "./thread-store-cases/conflicts.ts";
import { frameCases } from "./thread-store-cases/frames.ts";
import type { ThreadStoreHarness } from "./thread-store-cases/harness.ts";
import { importCases } from "./thread-store-cases/imports.ts";
import { jobCases } from "./thread-store-cases/jobs.ts";
import { placeCases } from "./thread-store-cases/places.ts";
import { replayCases } from "./thread-store-cases/random-logs.ts";
import { describeCases, type Suite, type TestFunctions } from "./test-functions.ts";

export type { ThreadStoreHarness } from "./thread-store-cases/harness.ts";

/** What every `ThreadStore` must do within one process. Between processes, and when they die, test the adapter with real ones. */
export function describeThreadStore(suite: Suite<ThreadStoreHarness>, runner: TestFunctions): void {
  const cases = [
    ...appendCases,
    ...conflictCases,
    ...frameCases,
    ...placeCases,
    ...checkpointCases,
    ...jobCases,
    ...importCases,
    ...changeCases,
    ...replayCases,
  ];
  describeCases({ ...suite, cases }, runner);
}
