/** Who an entry comes from; its text cannot set it. */
export type Origin = "user" | "agent" | "tool" | "import" | "file";

/** The comment of ours below the heading of an entry. */
export interface EntryComment {
  readonly id: string;
  /** Local time with offset, `2026-03-15T14:05:00+01:00`. */
  readonly at: string;
  readonly origin: Origin;
  /** Bytes of the body as it was written; `undefined`: not recorded. */
  readonly bytes: number | undefined;
}

const pattern = /^<!-- hw id=(\S+) at=(\S+) origin=(user|agent|tool|import|file)(?: bytes=(0|[1-9]\d{0,14}))? -->\s*$/u;

export function parseEntryComment(line: string): EntryComment | undefined {
  const match = line.startsWith("<!-- hw ") ? pattern.exec(line) : null;
  if (match === null) return undefined;
  const bytes = match[4] === undefined ? undefined : Number(match[4]);
  return { id: match[1] ?? "", at: match[2] ?? "", origin: match[3] as Origin, bytes };
}

export function printEntryComment({ id, at, origin, bytes }: EntryComment): string {
  return `<!-- hw id=${id} at=${at} origin=${origin}${bytes === undefined ? "" : ` bytes=${bytes}`} -->`;
}

/**
 * The same id twice is one entry, and its last copy counts: another one is only written after one that a crash has torn. For whoever writes and
 * whoever reads. What has no id is kept.
 */
export function lastOfEachId<T>(items: readonly T[], idOf: (item: T) => string | undefined): readonly T[] {
  const last = new Map<string, T>();
  for (const item of items) {
    const id = idOf(item);
    if (id !== undefined) last.set(id, item);
  }
  return items.filter((item) => {
    const id = idOf(item);
    return id === undefined || last.get(id) === item;
  });
}
