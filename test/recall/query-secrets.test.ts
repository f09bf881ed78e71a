import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import type { MemoryError } from "../../src/base/errors.ts";
import { redact } from "../../src/text/redact/redact.ts";
import { runRecall } from "../../src/recall/run/recall.ts";
import { runSearch } from "../../src/recall/search/search.ts";
import type { RecallResult } from "../../src/recall/search/inputs-and-results.ts";
import { openTestMemory } from "../fixtures/memory.ts";

/** Nothing shown about a query contains its secrets: not its words, nor their parts of the score. */
const { memory } = openTestMemory({
  disk: "folder",
  files: { "memory/2026-03-10.md": "## Keys\nThe password, the token and the key of the zebra are in the vault.\n" },
});
const opened = [memory];
afterAll(async () => {
  for (const { searchIndex } of opened) await searchIndex.close();
});

async function told(query: string): Promise<string> {
  const found = await runSearch(memory, { query, explain: true }, {}).catch((error: MemoryError) => error.message);
  const recalled = await runRecall(memory, { text: query, explain: true }, {});
  return JSON.stringify([found, recalled]);
}

describe("a query with a secret", () => {
  test.each([
    ["zebra password: Xk9vQ2mLp7Rt4z", "Xk9vQ2mLp7Rt4z"],
    ["zebra AKIAIOSFODNN7EXAMPLX", "AKIAIOSFODNN7EXAMPLX"],
    ["zebra postgres://admin:s3cr3tPassw0rd@db.example.org/x", "s3cr3tPassw0rd"],
    ["+ghp_abcdefghijklmnopqrstuvwxyz0123456789 zebra", "ghp_abcdefghij"],
  ])("%s", async (query, secret) => {
    const answer = await told(query);
    expect(answer).not.toContain(secret);
    expect(answer).toContain("zebra");
  });

  test("does not search for the mark in its place", async () => {
    const query = "zebra ghp_abcdefghijklmnopqrstuvwxyz0123456789 password: Xk9vQ2mLp7Rt4z";
    const { understood, hits } = await runSearch(memory, { query, explain: true }, {});
    expect(understood.words).toEqual(["zebra", "password"]);
    expect(hits.flatMap(({ why = [] }) => why.map(({ part }) => part))).not.toContain("word token");
    const { steps } = (await runRecall(memory, { text: query }, {})) as RecallResult;
    expect(steps.at(-1)?.notes.filter((note) => !note.startsWith("+"))).toEqual(["zebra", "password"]);
  });

  test("in quotes finds entries that were logged with the same secret", async () => {
    const said = "The zebra's password: Xk9vQ2mLp7Rt4z is new";
    const { memory: other } = openTestMemory({ disk: "folder", files: { "MEMORY.md": `${said}.\n` } });
    opened.push(other);
    expect((await runSearch(other, { query: `"${said}"` }, {})).hits).toHaveLength(1);
  });

  test("without other text has no word to search for", async () => {
    const asked = runSearch(memory, { query: "ghp_abcdefghijklmnopqrstuvwxyz0123456789" }, {});
    await expect(asked).rejects.toMatchObject({ code: "invalid_query" });
  });
});

const shared =
  process.env["HEARTWOOD_SHARED"] ?? join(dirname(fileURLToPath(import.meta.url)), "..", "..", "..", "shared");
const yardstick = join(shared, "data/secrets/cases.json");
const isAbsent = !existsSync(yardstick);
if (isAbsent) console.warn(`SKIPPED: no labelled secrets at ${yardstick}`);

interface Case {
  readonly id: string;
  readonly example_b64: string;
  readonly secret_b64: string | null;
}

test.skipIf(isAbsent)("no known labelled secret is returned from a query", async () => {
  const { cases } = JSON.parse(readFileSync(yardstick, "utf8")) as { readonly cases: readonly Case[] };
  const text = (base64: string | null): string => Buffer.from(base64 ?? "", "base64").toString("utf8");
  const known = cases.filter(({ example_b64, secret_b64 }) => {
    const secret = text(secret_b64);
    return secret.length >= 12 && !/\s/u.test(secret) && !redact(text(example_b64)).text.includes(secret);
  });
  const leaked: string[] = [];
  for (const { id, example_b64, secret_b64 } of known.filter((_, at) => at % 5 === 0))
    if ((await told(text(example_b64))).includes(text(secret_b64))) leaked.push(id);
  expect(leaked).toEqual([]);
  expect(known.length).toBeGreaterThan(500);
});
