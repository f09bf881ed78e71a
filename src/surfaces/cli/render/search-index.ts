import type { IndexResult } from "../../../recall/search/results.ts";
import { counted } from "./layout.ts";
import type { Screen } from "./screen.ts";

export function renderIndex(result: IndexResult, _screen: Screen): string {
  const { indexed, unchanged, removed, not_indexed, sources, chunks, statements, bytes, took_ms } = result;
  const done = [
    `${indexed} indexed`,
    `${unchanged} unchanged`,
    ...(removed === 0 ? [] : [`${removed} removed`]),
    ...(not_indexed === 0 ? [] : [`${not_indexed} not indexed`]),
  ];
  return [
    `${counted(sources, "source")}: ${done.join(", ")}`,
    `${counted(chunks, "chunk")} and ${counted(statements, "statement")}, ${(bytes / 1_000_000).toFixed(1)} MB, in ${took_ms} ms`,
    "",
  ].join("\n");
}
