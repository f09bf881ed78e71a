export { openMemory } from "./open-api.ts";
export type { OpenOptions } from "./open-api.ts";
export { MemoryError } from "./base/errors.ts";
export type { ErrorCode, ErrorDetails, Warning } from "./base/errors.ts";
export type { By, CallOptions, InputFile, OutputFile, ProgressEvent, TextInput } from "./api/call.ts";
export type * from "./api/memory.ts";
export type * from "./api/threads.ts";
export type * from "./api/audit.ts";
export type * from "./api/summaries.ts";
