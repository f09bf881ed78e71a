export { operation, operations } from "./operations/table.ts";
export { openMemory as openContext } from "./open.ts";
export type { OpenOptions as OpenContextOptions } from "./open.ts";
export type * from "./base/operation.ts";
export type { Operation } from "./operations/operation.ts";
export type { Memory as Context } from "./operations/operation.ts";
