import { MemoryError } from "../../base/errors.ts";
import { levelOf, memoryFolder } from "../../tree/model/period.ts";
import { listSources } from "../index/sources.ts";
import type { RecallMemory } from "../memory.ts";
import { type ShowResult, readNode } from "../../tree/inspect/tree-view.ts";
import type { ReadInput } from "../../tree/inputs.ts";
import { asMuchAsFits, mostChars, readPlace, type ReadResult } from "./read-place.ts";

/**
 * ROOT, a week or a month is its node; a day is its node, or its log while it has none. Everything else is a place (`readPlace`). Errors: those of `readPlace`
 * and `invalid_period`.
 */
export async function readRemembered(memory: RecallMemory, input: ReadInput): Promise<ReadResult> {
  const period = input.place.trim();
  if (!/^(?:root(?:\.md)?|\d{4}-[^/:.]*)$/iu.test(period)) return readPlace(memory, input);
  const logs = levelOf(period) === "daily" ? await logsOf(memory, period) : [];
  const node = await nodeOf(memory, period, logs);
  if (node === undefined)
    return { ...(await readPlace(memory, { place: logs[0] ?? period })), ...told(logs.slice(1), logs) };
  return { ...nodeAsRead(node), ...told(logs, logs) };
}

function told(more: readonly string[], logs: readonly string[]): Pick<ReadResult, "logs"> {
  return more.length === 0 ? {} : { logs };
}

/** The paths of its logs, the one without a name first. */
async function logsOf(memory: RecallMemory, day: string): Promise<readonly string[]> {
  const { sources } = await listSources(memory);
  const paths = sources.filter(({ kind, from }) => kind === "raw" && from === day).map(({ key }) => key);
  const own = `${memoryFolder}/${day}.md`;
  return paths.toSorted((a, b) => Number(b === own) - Number(a === own));
}

/** `undefined` when there is none and a log can be read instead. */
async function nodeOf(memory: RecallMemory, period: string, logs: readonly string[]): Promise<ShowResult | undefined> {
  try {
    return await readNode(memory, { period });
  } catch (error) {
    if (logs.length > 0 && error instanceof MemoryError && error.code === "not_found") return undefined;
    throw error;
  }
}

/** A long node is read on by its lines; addenda that have no room stand there with their places alone. */
function nodeAsRead({ path, level, period, text, late }: ShowResult): ReadResult {
  const date = level === "daily" ? period : null;
  const all = [text, ...late.map((addendum) => `\n--- ${addendum.path} (late) ---\n\n${addendum.text}`)].join("");
  if (all.length <= mostChars) return { source: path, date, text: all, next: null };
  const lines = text.replace(/\n$/u, "").split("\n");
  const { taken, text: shown } = asMuchAsFits(lines);
  const places = late.map((addendum) => `\n--- late, to be read too: ${addendum.path} ---`).join("");
  const next = taken < lines.length ? `${path}:${taken + 1}-${lines.length}` : null;
  return { source: next === null ? path : `${path}:1-${taken}`, date, text: `${shown}${places}`, next };
}
