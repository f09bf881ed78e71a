import type { SearchIndex } from "../recall/index/search-index.ts";
import { filterCases } from "./search-index-cases/filters.ts";
import { findCases } from "./search-index-cases/finding.ts";
import { writeCases } from "./search-index-cases/writing.ts";
import { describeCases, type Suite, type TestFunctions } from "./test-functions.ts";

/** Two openings of one index, which is absent at first. */
export interface SearchIndexHarness {
  readonly index: SearchIndex;
  readonly other: SearchIndex;
  close(): Promise<void>;
}

/** What every `SearchIndex` must do. What becomes of a damaged or a locked one, and of several processes, test the adapter itself. */
export function describeSearchIndex(suite: Suite<SearchIndexHarness>, runner: TestFunctions): void {
  describeCases({ ...suite, cases: [...writeCases, ...findCases, ...filterCases] }, runner);
}
