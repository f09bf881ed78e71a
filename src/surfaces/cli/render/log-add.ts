import type { LogAddResult } from "../../../tree/logs/log-add.ts";
import { placeOf } from "./layout.ts";
import type { Screen } from "./screen.ts";

/** Where the entry stands, and what was replaced in it. */
export function renderLogAdd(result: LogAddResult, { paint }: Screen): string {
  const entry = `${result.topic} [${result.type}]`;
  const place = placeOf(result.path, result.lines);
  const line =
    result.action === "added"
      ? `${paint.good("Added")} ${entry} at ${place} ${paint.dim(`(id ${result.id})`)}`
      : `An entry with the id ${result.id} is there already (${place}); nothing was written.`;
  if (result.redacted.length === 0) return line;
  return [line, paint.warn(`Secrets were replaced before writing: ${result.redacted.join(", ")}`)].join("\n");
}
