import { appendCases } from "./files-cases/append.ts";
import { commitCases } from "./files-cases/commit.ts";
import type { FilesHarness } from "./files-cases/harness.ts";
import { readCases } from "./files-cases/read.ts";
import { refusalCases } from "./files-cases/refuse.ts";
import { describeCases, type Suite, type TestFunctions } from "./test-functions.ts";

export type { FilesHarness } from "./files-cases/harness.ts";

/**
 * What every `Files` must do. Call it in a test file with the functions of the runner:
 * `describeFiles({ name: "my files", create }, { describe, it, expect })`.
 */
export function describeFiles(suite: Suite<FilesHarness>, runner: TestFunctions): void {
  const cases = [...readCases, ...appendCases, ...commitCases, ...refusalCases];
  describeCases({ ...suite, cases }, runner);
}
