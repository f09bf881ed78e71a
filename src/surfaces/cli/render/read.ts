import type { ReadResult } from "../../../engine/reading/read-place.ts";
import type { Screen } from "./screen.ts";

/** The lines as they are; below them the command that goes on, when there is more. */
export function renderRead({ text, next }: ReadResult, { paint }: Screen): string {
  return next === null ? text : `${text}\n${paint.dim(`… heartwood read ${next}`)}`;
}
