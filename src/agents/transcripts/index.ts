import { homedir } from "node:os";
import { MemoryError } from "../../base/errors.ts";
import type { SqliteDriver } from "../../platform/sqlite.ts";
import { shown } from "../../text/shown.ts";
import { claudeCode } from "./claude-code.ts";
import { codex } from "./codex.ts";
import { copilot } from "./copilot.ts";
import { createDatabaseReader } from "./databases.ts";
import { chatgpt, claudeAi, createExportReader } from "./web-exports.ts";
import { gemini } from "./gemini.ts";
import { createLinesReader } from "./lines.ts";
import { openclaw, type Unpack } from "./openclaw.ts";
import { opencode } from "./opencode.ts";
import type { Home } from "./places.ts";
import type { Client, Transcripts, TranscriptItem } from "./transcripts.ts";

/** Reads the transcripts of all clients on this machine. Defaults: the user's home, and this Node's zstd. */
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
    subagents: async (sources) => {
      const [first] = sources;
      return first === undefined ? [] : readers[first.client].subagents(sources);
    },
    read: (source, read) => wholeReading(readers[source.client].read(source, read)),
  };
}

/**
 * Ends a reading with a fault as the last item if the rest of the transcript is unreadable, for example because a database is damaged or a file was removed. What was
 * read until then is valid.
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

/** The reason to report. Rethrows errors that are not about the transcript. */
function reasonOf(error: unknown): string {
  if (error instanceof MemoryError && !["busy", "aborted", "internal", "usage"].includes(error.code))
    return error.message.replace(/\.$/u, "");
  const isOfSystem = error instanceof Error && "syscall" in error && "code" in error;
  if (isOfSystem) return shown(error.message, 100);
  throw error;
}
