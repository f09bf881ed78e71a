import { homedir } from "node:os";
import { MemoryError } from "../../base/errors.ts";
import type { SqliteDriver } from "../../platform/sqlite.ts";
import { shown } from "../../text/shown.ts";
import { claudeCode } from "./claude-code.ts";
import { codex } from "./codex.ts";
import { copilot } from "./copilot.ts";
import { createDatabaseReader } from "./databases.ts";
import { createExportReader } from "./exports.ts";
import { gemini } from "./gemini.ts";
import { createLinesReader } from "./lines.ts";
import { openclaw, type Unpack } from "./openclaw.ts";
import { opencode } from "./opencode.ts";
import type { Home } from "./places.ts";
import type { Client, Transcripts, TranscriptItem } from "./transcripts.ts";
import { chatgpt, claudeAi } from "./web-exports.ts";

/** What the clients of this machine write, each in its own shape. Default: the `home` of the user, and to unpack zstd with this Node. */
export function createTranscripts(options: {
  readonly driver: SqliteDriver;
  readonly home?: Home;
  readonly unpack?: Unpack | "none";
}): Transcripts {
  const { driver, home = { folder: homedir(), environment: process.env } } = options;
  const readers: Readonly<Record<Client, Omit<Transcripts, "id">>> = {
    "claude-code": createLinesReader(home, claudeCode),
    codex: createLinesReader(home, codex),
    gemini: createLinesReader(home, gemini),
    copilot: createLinesReader(home, copilot),
    opencode: createDatabaseReader(driver, home, opencode),
    openclaw: createDatabaseReader(driver, home, openclaw(options.unpack)),
    chatgpt: createExportReader(chatgpt),
    "claude-ai": createExportReader(claudeAi),
  };
  return {
    id: "client-transcripts-1",
    find: async (query) => readers[query.client].find(query),
    read: (source, read) => wholeReading(readers[source.client].read(source, read)),
  };
}

/**
 * A reading that also ends where the transcript cannot be read further: a damaged database, a file that was removed meanwhile. What was read counts, and a
 * fault is its last item.
 */
async function* wholeReading(reading: AsyncIterable<TranscriptItem>): AsyncGenerator<TranscriptItem, void, void> {
  let place = "its beginning";
  let isBegun = false;
  try {
    for await (const item of reading) {
      isBegun = true;
      yield item;
      if (item.kind === "position") place = `place ${item.position.at}`;
    }
  } catch (error) {
    const message = `the rest cannot be read: ${reasonOf(error)}`;
    if (!isBegun) yield { kind: "begin", at: "start" };
    yield { kind: "fault", code: "unreadable_rest", message, place };
  }
}

/** Errors of the caller, and of the program, are not those of a transcript. */
function reasonOf(error: unknown): string {
  if (error instanceof MemoryError && !["busy", "aborted", "internal", "usage"].includes(error.code))
    return error.message.replace(/\.$/u, "");
  const isOfSystem = error instanceof Error && "syscall" in error && "code" in error;
  if (isOfSystem) return shown(error.message, 100);
  throw error;
}
