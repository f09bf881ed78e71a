export { openMemory } from "./open-api.ts";
export type { OpenOptions } from "./open-api.ts";
export { MemoryError } from "./base/errors.ts";
export type { ErrorCode, ErrorDetails, Warning } from "./base/errors.ts";
export type { By, CallOptions, TextInput } from "./api/wire.ts";
export type { InputFile, OutputFile, ProgressEvent } from "./base/operation.ts";
export type * from "./api/review.ts";
export type * from "./api/threads.ts";
export type * from "./api/memory.ts";
