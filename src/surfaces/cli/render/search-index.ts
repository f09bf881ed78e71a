import type { IndexResult } from "../../../engine/search/results.ts";
import type { Screen } from "./screen.ts";

export function renderIndex(result: IndexResult, _screen: Screen): string {
  return JSON.stringify(result);
}
