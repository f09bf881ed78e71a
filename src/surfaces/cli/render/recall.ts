import type { RecallResult } from "../../../engine/search/results.ts";
import type { Screen } from "./screen.ts";

export function renderRecall(result: RecallResult, _screen: Screen): string {
  return JSON.stringify(result);
}
