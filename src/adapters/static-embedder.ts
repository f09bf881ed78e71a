import { readFileSync } from "node:fs";
import { stopIfAborted } from "../base/aborted.ts";
import type { Embedder } from "../ports/embedder.ts";
import { createStaticVectors, type StaticVectors } from "../recall/vectors/static-vectors.ts";
import { readTokenTable } from "../recall/vectors/token-table.ts";
import { readStaticId, unreadableTable } from "./static-embedder/id.ts";

export interface StaticEmbedderOptions {
  /** Path of `minilm-256.bin`, which lies beside the built program. */
  readonly tableFile: string;
}

/** Reads the table of word vectors and is ready to make vectors at once, as an index wants it. `io` when it is missing, unreadable or damaged. */
export function openStaticVectors({ tableFile }: StaticEmbedderOptions): StaticVectors {
  return createStaticVectors(readTokenTable(readTable(tableFile)));
}

/** The built-in embedder: no model, no network, the same vectors everywhere. The table is read with the first text and kept until `close`. */
export function createStaticEmbedder(options: StaticEmbedderOptions): Embedder {
  let id: string | undefined;
  let opened: StaticVectors | undefined;
  const open = (): StaticVectors => (opened ??= openStaticVectors(options));
  return {
    get id() {
      return (id ??= readStaticId(options.tableFile));
    },
    get dimensions() {
      return open().dimensions;
    },
    embed: async (texts, { signal }) => {
      const { embed } = open();
      return texts.map((text) => {
        stopIfAborted(signal, {});
        return embed(text);
      });
    },
    close: async () => {
      opened = undefined;
    },
  };
}

function readTable(tableFile: string): Uint8Array {
  try {
    return readFileSync(tableFile);
  } catch (error) {
    throw unreadableTable(tableFile, error);
  }
}
