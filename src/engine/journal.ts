import { decodeText, textLines } from "../base/lines.ts";
import { archiveFolder } from "../tree/period.ts";
import type { Memory } from "./memory.ts";
import { encode } from "./node-files.ts";

/** What was replaced on purpose, so that `undo` can put it back: one JSON object a line, only ever appended. */
export const journalPath = `${archiveFolder}/journal.jsonl`;

export interface JournalEntry {
  readonly action: "reopen" | "fix" | "undo";
  /** What was asked: the period of a reopen, the kind of a fix, the number of the line an undo takes back. */
  readonly what: string;
  /** Local time with offset. */
  readonly at: string;
  /** Each file with the copy of its old bytes. */
  readonly files: readonly { readonly path: string; readonly archived: string }[];
}

export async function addJournalEntry(memory: Memory, entry: JournalEntry): Promise<void> {
  await memory.files.append(journalPath, encode(`${JSON.stringify(entry)}\n`));
}

/** The entries in order, with their line numbers; lines that make no sense are left out. */
export async function readJournal(memory: Memory): Promise<readonly (JournalEntry & { readonly line: number })[]> {
  const read = await memory.files.read(journalPath);
  const lines = read === undefined ? [] : textLines(decodeText(read.bytes) ?? "");
  return lines.flatMap((line, index) => {
    const entry = parseEntry(line);
    return entry === undefined ? [] : [{ ...entry, line: index + 1 }];
  });
}

function parseEntry(line: string): JournalEntry | undefined {
  try {
    const value = JSON.parse(line) as Partial<JournalEntry>;
    const known = value.action === "reopen" || value.action === "fix" || value.action === "undo";
    return known && Array.isArray(value.files) && typeof value.what === "string" && typeof value.at === "string"
      ? (value as JournalEntry)
      : undefined;
  } catch {
    return undefined;
  }
}
