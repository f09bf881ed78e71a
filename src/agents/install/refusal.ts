import { type ErrorCode, MemoryError } from "../../base/errors.ts";

export function refusal(path: string, problem: string, code: ErrorCode = "invalid_config"): MemoryError {
  return new MemoryError(code, `${path} ${problem}`, { path });
}
