import type { SqliteDriver } from "../../platform/sqlite.ts";
import type { Client, Transcripts, TranscriptItem } from "./transcripts.ts";
import { chatgpt, claudeAi } from "./web-exports.ts";
import { claudeCode } from "./claude-code.ts";
import type { ClientReader } from "./client-reader.ts";
import { codex } from "./codex.ts";
import { copilot } from "./copilot.ts";
import { createExportClient } from "./export-client.ts";
import { gemini } from "./gemini.ts";
import { createLinesClient } from "./lines-client.ts";
import { createDatabaseClient } from "./database-client.ts";
import { openclaw, type Unpack } from "./openclaw.ts";
import { opencode } from "./opencode.ts";
import { homeOfPerson, type Home } from "./places.ts";
import { MemoryError } from "../../base/errors.ts";
import { shown } from "../../text/shown.ts";

/** What the clients of this machine write, each in its own shape. `home` is the person's unless it is given; `unpack` reads what is packed with zstd, that of Node unless it is given. */
export function createTranscripts(options: {
  readonly driver: SqliteDriver;
  readonly home?: Home;
  readonly unpack?: Unpack | "none";
}): Transcripts {
  const { driver, home = homeOfPerson() } = options;
  const readers: Readonly<Record<Client, ClientReader>> = {
    "claude-code": createLinesClient(home, claudeCode),
    codex: createLinesClient(home, codex),
    gemini: createLinesClient(home, gemini),
    copilot: createLinesClient(home, copilot),
    opencode: createDatabaseClient(driver, home, opencode),
    openclaw: createDatabaseClient(driver, home, openclaw(options.unpack)),
    chatgpt: createExportClient(chatgpt),
    "claude-ai": createExportClient(claudeAi),
  };
  return {
    id: "client-transcripts-1",
    find: async (query) => readers[query.client].find(query),
    read: (source, read) => wholeReading(readers[source.client].read(source, read)),
  };
}

/** Errors for the caller: they do not come from the transcript. */
const ofTheCaller = new Set(["busy", "aborted", "internal", "usage"]);

/**
 * A reading that comes to an end also where the transcript cannot be read further: a damaged database, a file that was taken away meanwhile. What was read
 * counts, and what happened is its last item.
 */
async function* wholeReading(reading: AsyncIterable<TranscriptItem>): AsyncGenerator<TranscriptItem, void, void> {
  let place = "its beginning";
  let begun: "no" | "yes" = "no";
  try {
    for await (const item of reading) {
      begun = "yes";
      yield item;
      if (item.kind === "position") place = `place ${item.position.at}`;
    }
  } catch (error) {
    const message = `the rest cannot be read: ${reasonOf(error)}`;
    if (begun === "no") yield { kind: "begin", at: "start" };
    yield { kind: "fault", code: "unreadable_rest", message, place };
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof MemoryError && !ofTheCaller.has(error.code)) return error.message.replace(/\.$/u, "");
  // Of the system, in the middle of a file.
  if (!(error instanceof MemoryError) && isOfSystem(error)) return shown(error.message, 100);
  throw error;
}

function isOfSystem(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && "syscall" in error && "code" in error;
}
