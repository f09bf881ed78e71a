import { MemoryError } from "../../base/errors.ts";
import type { SqliteDriver } from "../../ports/sqlite-driver.ts";
import type { Client, Transcripts } from "../../ports/transcripts.ts";
import { claudeCode } from "./claude-code.ts";
import type { ClientReader } from "./client-reader.ts";
import { createLinesClient } from "./lines-client.ts";
import { homeOfPerson, type Home } from "./places.ts";

/** What the clients of this machine write, each in its own shape. `home` is the person's unless it is given. */
export function createTranscripts(options: { readonly driver: SqliteDriver; readonly home?: Home }): Transcripts {
  const home = options.home ?? homeOfPerson();
  const readers: Partial<Record<Client, ClientReader>> = {
    "claude-code": createLinesClient(home, claudeCode),
  };
  const readerOf = (client: Client): ClientReader => {
    const reader = readers[client];
    if (reader === undefined) throw new MemoryError("usage", `Transcripts of ${client} cannot be read.`);
    return reader;
  };
  return {
    id: "client-transcripts-1",
    find: async (query) => readerOf(query.client).find(query),
    read: (source, read) => readerOf(source.client).read(source, read),
  };
}
