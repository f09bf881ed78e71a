export { operation, operations } from "./engine/operations.ts";
export { openMemory as openContext } from "./open.ts";
export type { OpenOptions as OpenContextOptions } from "./open.ts";
export type * from "./engine/operation.ts";
export type { Memory as Context } from "./engine/memory.ts";
