export { describeFiles } from "./files-conformance.ts";
export type { FilesHarness } from "./files-conformance.ts";
export { describeLocks } from "./locks-conformance.ts";
export type { LocksHarness } from "./locks-conformance.ts";
export type { Case, Expect, Suite, TestFunctions } from "./test-functions.ts";
export { createFaultyFs } from "./faulty-fs.ts";
export type { CrashState, Fault, FaultyFs, FaultyFsOptions, FsCall } from "./faulty-fs.ts";
export { createSeededRandom } from "./seeded-random.ts";
export type { SeededRandom } from "./seeded-random.ts";
