import { MemoryError } from "../../base/errors.ts";
import { DEFAULT_STRIDE } from "../plan/cut-points.ts";

const MOST_CHECKPOINTS = 32;

/** Messages between two cuts. Default 10,000. Error: `invalid_stride`. */
export function strideOf(given: number | undefined): number {
  const stride = given ?? DEFAULT_STRIDE;
  if (Number.isSafeInteger(stride) && stride >= 1) return stride;
  throw new MemoryError("invalid_stride", `stride_messages is ${stride}; give a whole number from 1 on.`, {
    field: "stride_messages",
  });
}

/** Default 1, at most 32. Error: `invalid_number`. */
export function mostCheckpointsOf(given: number | undefined): number {
  const most = given ?? 1;
  if (Number.isSafeInteger(most) && most >= 1 && most <= MOST_CHECKPOINTS) return most;
  throw new MemoryError(
    "invalid_number",
    `max_new_checkpoints is ${most}; give a whole number from 1 to ${MOST_CHECKPOINTS}.`,
    { field: "max_new_checkpoints" },
  );
}
