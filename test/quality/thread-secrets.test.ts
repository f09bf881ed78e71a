import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { redact } from "../../src/text/redact/redact.ts";
import { builtInThreadSummarizer } from "../../src/threads/extract/built-in.ts";

interface Case {
  readonly id: string;
  readonly example_b64: string;
  readonly secret: boolean;
  readonly secret_b64: string | null;
}

const shared = process.env["HEARTWOOD_SHARED"] ?? join(dirname(fileURLToPath(import.meta.url)), "../../../shared");
const path = join(shared, "data/secrets/cases.json");
const isAbsent = !existsSync(path);
const cases = isAbsent ? [] : (JSON.parse(readFileSync(path, "utf8")) as { readonly cases: readonly Case[] }).cases;

function decoded(base64: string): string {
  return Buffer.from(base64, "base64").toString("utf8");
}

test.skipIf(isAbsent)("no labelled secret that the rules find is in a line of a thread", () => {
  const leaked = cases.filter(({ example_b64, secret_b64, secret }) => {
    const text = decoded(example_b64);
    const hidden = secret_b64 === null ? "" : decoded(secret_b64);
    if (!secret || hidden === "" || redact(text).text.includes(hidden)) return false;
    const lines = builtInThreadSummarizer.extract([{ seq: 1, role: "user", text }]);
    return lines.some((line) => line.text.includes(hidden));
  });
  expect(leaked.map(({ id }) => id)).toEqual([]);
});
