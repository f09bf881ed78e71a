import type { SearchResult } from "../../../engine/search/results.ts";
import type { Screen } from "./screen.ts";

export function renderSearch(result: SearchResult, _screen: Screen): string {
  return JSON.stringify(result);
}
