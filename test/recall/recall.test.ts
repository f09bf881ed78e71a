import { expect, test } from "vitest";
import { compactMemory } from "../../src/summaries/run/compact.ts";
import { runRecall } from "../../src/recall/run/recall.ts";
import type { RecallResult } from "../../src/recall/search/inputs-and-results.ts";
import { openTestMemory } from "../fixtures/memory.ts";

/** Recall over the index as it is, with a tree and without one. */
const files = {
  "memory/2026-01-10.md":
    "# 2026-01-10\n\n## Rate limiting [project]\n- limiter: token bucket, because bursts must pass\n",
  "memory/2026-03-12.md":
    "# 2026-03-12\n\n## Rate limiting [project]\n- limiter: sliding window\n- key: ghp_abcdefghijklmnopqrstuvwxyz0123456789\n",
  "knowledge/limits.md": "# Limits\n\nThe bank has a limiter of 30 calls a second for each merchant.\n",
  "MEMORY.md": "# Memory\n\n- The limiter of the gateway is owned by Ines.\n",
  "USER.md":
    "# User Profile\n\n## Preferences\n- wants every limiter explained with a drawing\n- key: ghp_abcdefghijklmnopqrstuvwxyz0123456789\n",
};

const opened = openTestMemory({ files, disk: "folder" });

async function recalled(text: string): Promise<RecallResult> {
  return (await runRecall(opened.memory, { text, explain: true }, {})) as RecallResult;
}

test("logs, knowledge, MEMORY.md and USER.md are recalled from an index built on the way, without secrets", async () => {
  const { context, not_indexed } = await recalled("which limiter?");
  expect(not_indexed).toBe(0);
  const sources = context.map(({ source }) => source.replace(/:.*$/u, ""));
  expect(new Set(sources)).toEqual(new Set(Object.keys(files)));
  expect(context.find(({ warning }) => warning?.is === "superseded")?.date).toBe("2026-01-10");
  expect(JSON.stringify(context)).not.toContain("ghp_");
  const profile = context.find(({ source }) => source.startsWith("USER.md"));
  expect(profile).toMatchObject({ type: "user", origin: "user", date: null, warning: null });
});

test("with a tree nothing is returned twice, and ROOT.md is read", async () => {
  const before = await recalled("which limiter?");
  await compactMemory(opened.memory, {}, {});
  const after = await recalled("which limiter?");
  expect(after.context.map(({ text }) => text).toSorted()).toEqual(before.context.map(({ text }) => text).toSorted());
  expect(after.steps.find(({ step }) => step === "root")?.candidates).toBeGreaterThan(0);
  expect(after.steps.find(({ step }) => step === "manifest")?.candidates).toBeGreaterThan(0);
});
