import { logsTold } from "../../../recall/read/place.ts";
import type { ReadResult } from "../../../tree/run/results.ts";
import type { Screen } from "./screen.ts";

/** The lines as they are; below them where the whole log of the day is, and the command that goes on, when there is more. */
export function renderRead(result: ReadResult, { paint }: Screen): string {
  const { text, next } = result;
  const below = [logsTold(result), next === null ? "" : `… heartwood read ${next}`].filter((line) => line !== "");
  return [text, ...below.map((line) => paint.dim(line))].join("\n");
}
