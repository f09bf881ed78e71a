import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { redact } from "../src/base/redact/index.ts";
import { runRecall } from "../src/engine/recall/recall.ts";
import { runSearch } from "../src/engine/search/search.ts";
import { openTestMemory } from "./fixtures/memory.ts";

/** What is told of a query has no secret of it: not its words, not what each of them added. */
const { memory } = openTestMemory({
  disk: "folder",
  files: { "memory/2026-03-10.md": "## Keys\nThe password, the token and the key of the zebra are in the vault.\n" },
});
afterAll(() => memory.searchIndex.close());

async function told(query: string): Promise<string> {
  const found = await runSearch(memory, { query, explain: true }, {});
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
});

const shared = process.env["HEARTWOOD_SHARED"] ?? join(dirname(fileURLToPath(import.meta.url)), "..", "..", "shared");
const yardstick = join(shared, "data/secrets/cases.json");
const isAbsent = !existsSync(yardstick);
if (isAbsent) console.warn(`SKIPPED: no labelled secrets at ${yardstick}`);

interface Case {
  readonly id: string;
  readonly example_b64: string;
  readonly secret_b64: string | null;
}

test.skipIf(isAbsent)("no labelled secret that is known comes back from a query", async () => {
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
