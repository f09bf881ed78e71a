import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { nodeSqlite } from "../../src/platform/sqlite.ts";
import { createTranscripts } from "../../src/agents/transcripts/index.ts";
import { MemoryError } from "../../src/base/errors.ts";
import type { Client, TranscriptItem, TranscriptPosition } from "../../src/agents/transcripts/transcripts.ts";
import { claudeSession, lines, shortSession } from "../fixtures/transcripts/claude-code.ts";

const runs = Number(process.env["HEARTWOOD_FUZZ_RUNS"] ?? 300);
/** Set another seed with `HEARTWOOD_FUZZ_SEED`. */
const fuzzSeed = Number(process.env["HEARTWOOD_FUZZ_SEED"] ?? 20_260_310);
const base = mkdtempSync(join(tmpdir(), "heartwood-fuzz-"));
afterAll(() => rmSync(base, { recursive: true, force: true }));

const transcripts = createTranscripts({ driver: nodeSqlite, home: { folder: base, environment: {} } });
const fixture = (name: string): string =>
  readFileSync(join(import.meta.dirname, "..", "fixtures", "transcripts", name), "utf8");

const seeds: Readonly<Partial<Record<Client, string>>> = {
  "claude-code": lines(shortSession()),
  codex: fixture("codex.jsonl"),
  gemini: fixture("gemini.jsonl"),
  copilot: fixture("copilot.jsonl"),
  chatgpt: fixture("chatgpt.json"),
  "claude-ai": fixture("claude-ai.json"),
};

async function itemsOf(client: Client, text: string, from?: TranscriptPosition): Promise<readonly TranscriptItem[]> {
  const path = join(base, client === "claude-code" ? `${claudeSession}.jsonl` : `${client}.json`);
  writeFileSync(path, text);
  const items: TranscriptItem[] = [];
  for (const source of await transcripts.find({ client, path }))
    for await (const item of transcripts.read(source, from === undefined ? {} : { from })) items.push(item);
  return items;
}

/** Damages a text: replaces a value, removes a part, or inserts bytes. */
const harm = fc.oneof(
  fc.record({ kind: fc.constant("value" as const), at: fc.nat(), value: fc.json({ maxDepth: 2 }) }),
  fc.record({ kind: fc.constant("cut" as const), at: fc.nat(), length: fc.nat({ max: 200 }) }),
  fc.record({ kind: fc.constant("put" as const), at: fc.nat(), text: fc.string({ unit: "binary", maxLength: 20 }) }),
);

type Harm = typeof harm extends fc.Arbitrary<infer T> ? T : never;

function harmed(text: string, done: readonly Harm[]): string {
  let result = text;
  for (const one of done) {
    const at = result.length === 0 ? 0 : one.at % result.length;
    if (one.kind === "cut") result = result.slice(0, at) + result.slice(at + one.length);
    else if (one.kind === "put") result = result.slice(0, at) + one.text + result.slice(at);
    else {
      const values = [...result.matchAll(/(?<=":)(?:"(?:[^"\\]|\\.)*"|[\d.]+|null|true|false)/gu)];
      const value = values[one.at % Math.max(1, values.length)];
      if (value !== undefined)
        result = result.slice(0, value.index) + one.value + result.slice(value.index + value[0].length);
    }
  }
  return result;
}

describe.each(Object.entries(seeds) as [Client, string][])("a damaged transcript of %s", (client, seed) => {
  it("is read to the end, or refused with a code", async () => {
    expect((await itemsOf(client, seed)).filter(({ kind }) => kind === "message").length >= 2).toBe(true);
    await fc.assert(
      fc.asyncProperty(fc.array(harm, { minLength: 1, maxLength: 6 }), async (done) => {
        const items = await itemsOf(client, harmed(seed, done)).catch((error: unknown) => {
          if (error instanceof MemoryError) return [];
          throw error;
        });
        for (const item of items)
          if (item.kind === "message") {
            expect(item.message.text.trim()).not.toBe("");
            expect(item.message.id).not.toBe("");
            expect(item.message.at_ms === undefined || Number.isSafeInteger(item.message.at_ms)).toBe(true);
          }
      }),
      { numRuns: runs, seed: fuzzSeed },
    );
  });
});

describe("a reading that continues from a cursor", () => {
  const whole = seeds["claude-code"] ?? "";

  it("gives the rest of a whole reading, wherever it begins", async () => {
    const rows = whole.split(/(?<=\n)/u);
    const shown = (items: readonly TranscriptItem[]): readonly TranscriptItem[] =>
      items.filter(({ kind }) => !["begin", "session", "position"].includes(kind));
    const all = shown(await itemsOf("claude-code", whole));
    for (let count = 1; count < rows.length; count++) {
      const first = await itemsOf("claude-code", rows.slice(0, count).join(""));
      const last = first.findLast((item) => item.kind === "position");
      if (last === undefined) throw new Error("no position");
      const rest = await itemsOf("claude-code", whole, last.position);
      expect(rest[0]).toEqual({ kind: "begin", at: "cursor" });
      expect([...shown(first), ...shown(rest)]).toEqual(all);
    }
  });
});
