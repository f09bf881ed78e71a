import { linesNow } from "../recall/run/pins.ts";
import { entriesIn } from "../tree/logs/changed-logs.ts";
import type { NewRecord } from "../tree/logs/records.ts";
import { inForce, type ChangeRecord, type PinnedRecord } from "../tree/model/records-format.ts";
import { digestsAfter } from "./cut-log.ts";
import type { FoundLog } from "./find.ts";

type Range = readonly [from: number, to: number];

/** The records that make pins follow a cut: a pin loses the lines that go and stays on the others. One whose whole entry goes, goes with it. */
export function pinsAfter(records: readonly ChangeRecord[], logs: readonly FoundLog[]): readonly NewRecord[] {
  const pins = inForce(records).filter((one) => one.kind === "pinned");
  return logs.flatMap((log) => {
    const own =
      log.path === log.original && log.lines.length > 0 ? pins.filter(({ source }) => source === log.path) : [];
    return own.length === 0 ? [] : movedIn(log, own);
  });
}

function movedIn({ texts, lines }: FoundLog, pins: readonly PinnedRecord[]): readonly NewRecord[] {
  const gone = new Set(lines);
  const entries = entriesIn(texts);
  const names = new Map(digestsAfter(texts, lines));
  /** Where the lines of a range that stay are after the cut. */
  const left = ([from, to]: Range): Range | undefined => {
    const stay = Array.from({ length: to - from + 1 }, (_, at) => from + at).filter((line) => !gone.has(line));
    const [first, last] = [stay[0], stay.at(-1)];
    const now = (line: number): number => line - lines.filter((one) => one < line).length;
    return first === undefined || last === undefined ? undefined : [now(first), now(last)];
  };
  return pins.flatMap((pin): readonly NewRecord[] => {
    const entry = entries.find(({ key }) => key === pin.section);
    const at = linesNow(pin, entries);
    const [from, to] = entry?.lines ?? [1, at[1]];
    const whole = left([from, to]);
    if (whole === undefined || !lines.some((line) => from <= line && line <= to)) return [];
    const now = left(at);
    const undone = { kind: "undone", of: pin.id } as const;
    if (now === undefined) return [undone];
    const { kind, use, source } = pin;
    const named = entry === undefined ? {} : { section: names.get(entry.key) ?? entry.key, entry: whole };
    return [undone, { kind, use, source, lines: now, ...named }];
  });
}
