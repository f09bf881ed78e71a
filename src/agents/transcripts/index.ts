import type { SqliteDriver } from "../../platform/sqlite-driver.ts";
import type { Client, Transcripts } from "./transcripts.ts";
import { chatgpt } from "./chatgpt.ts";
import { claudeAi } from "./claude-ai.ts";
import { claudeCode } from "./claude-code.ts";
import type { ClientReader } from "./client-reader.ts";
import { codex } from "./codex.ts";
import { copilot } from "./copilot.ts";
import { createExportClient } from "./export-client.ts";
import { gemini } from "./gemini.ts";
import { createLinesClient } from "./lines-client.ts";
import { createOpenclaw } from "./openclaw.ts";
import { unpackOfNode, type Unpack } from "./openclaw-rows.ts";
import { createOpencode } from "./opencode.ts";
import { homeOfPerson, type Home } from "./places.ts";
import { wholeReading } from "./whole-reading.ts";

/** What the clients of this machine write, each in its own shape. `home` is the person's unless it is given; `unpack` reads what is packed with zstd, that of Node unless it is given. */
export function createTranscripts(options: {
  readonly driver: SqliteDriver;
  readonly home?: Home;
  readonly unpack?: Unpack | "none";
}): Transcripts {
  const home = options.home ?? homeOfPerson();
  const readers: Readonly<Record<Client, ClientReader>> = {
    "claude-code": createLinesClient(home, claudeCode),
    codex: createLinesClient(home, codex),
    gemini: createLinesClient(home, gemini),
    copilot: createLinesClient(home, copilot),
    opencode: createOpencode(home, options.driver),
    openclaw: createOpenclaw(home, { driver: options.driver, unpack: options.unpack ?? unpackOfNode }),
    chatgpt: createExportClient(chatgpt),
    "claude-ai": createExportClient(claudeAi),
  };
  return {
    id: "client-transcripts-1",
    find: async (query) => readers[query.client].find(query),
    read: (source, read) => wholeReading(readers[source.client].read(source, read)),
  };
}
