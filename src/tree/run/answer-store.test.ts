import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { openTestMemory } from "../../../test/fixtures/memory.ts";
import { sha256 } from "../../base/digest.ts";
import { type AnswerRecord, recordPath } from "../answers/record.ts";
import { basisOf } from "../plan/status.ts";
import { nodePath, type NodeName } from "../model/period.ts";
import type { TreeMemory } from "../memory.ts";
import type { Source } from "../model/node-sections.ts";
import { commitRecord, findAnswer, listAllRecords, listRecords, readAnswers, recordedAnswer } from "./answer-store.ts";
import { defaultSettings, effectiveSettings } from "../../summaries/run/budget.ts";
import { readConfiguration, type Configuration } from "../setup/configuration.ts";

const name: NodeName = { level: "weekly", period: "2026-W10", late: 1 };
const sources: readonly Source[] = [{ kind: "node", path: "memory/daily/2026-03-03.md", sha256: "a".repeat(64) }];

function recordOf(more: Partial<AnswerRecord> = {}): AnswerRecord {
  return {
    state: "accepted",
    kind: "weekly",
    label: "2026-W10.late-1",
    basis: basisOf(name, sources),
    digest: "2".repeat(64),
    prompt_rule: "node-prompt-1",
    model: "pull",
    at: "2026-03-15T12:00:00+00:00",
    tokens: { prompt: 1, answer: 1 },
    findings: [],
    answer: "- said",
    summary: ["- said"],
    ...more,
  };
}

/** The answer used for a node. */
async function find(memory: TreeMemory, node = { name, sources }) {
  const { configuration } = await readConfiguration(memory);
  return findAnswer(memory, await readAnswers(memory, configuration), node);
}

async function recorded(memory: TreeMemory, digest: string) {
  return recordedAnswer(memory, await listAllRecords(memory, "weekly"), digest);
}

describe("recorded answers", () => {
  it("are found by the sources of a node, and by the digest in its front matter", async () => {
    const { memory } = openTestMemory();
    expect(await find(memory)).toBeUndefined();
    await commitRecord(memory, recordOf());
    const found = { digest: "2".repeat(64), model: "pull", summary: ["- said"] };
    expect(await find(memory)).toEqual(found);
    expect(await find(memory, { name: { ...name, late: 0 }, sources })).toBeUndefined();
    expect(await find(memory, { name, sources: [] })).toBeUndefined();
    expect(await recorded(memory, "2".repeat(64))).toMatchObject(found);
    expect(await recorded(memory, "3".repeat(64))).toBe("missing");
    const { known } = await readAnswers(memory, (await readConfiguration(memory)).configuration);
    expect(known.get(nodePath(name))).toMatchObject([
      { basis: basisOf(name, sources).slice(0, 16), digest: "2".repeat(16), state: "accepted" },
    ]);
  });

  it("are not used when refused or dropped; a dropped one can still be looked up by its digest", async () => {
    const { memory } = openTestMemory();
    await commitRecord(memory, recordOf({ state: "refused" }));
    await commitRecord(memory, recordOf({ state: "dropped", digest: "4".repeat(64) }));
    expect(await find(memory)).toBeUndefined();
    expect(await recorded(memory, "2".repeat(64))).toBe("missing");
    expect(await recorded(memory, "4".repeat(64))).toMatchObject({ summary: ["- said"] });
  });

  it("are never overwritten once accepted", async () => {
    const test = openTestMemory();
    const { path } = await commitRecord(test.memory, recordOf());
    const first = test.read(path);
    await commitRecord(test.memory, recordOf({ answer: "- other", summary: ["- other"] }));
    expect(test.read(path)).toBe(first);
  });

  it("from two machines: the same one is used everywhere", async () => {
    const { memory } = openTestMemory();
    for (const digit of ["7", "5", "6"])
      await commitRecord(memory, recordOf({ digest: digit.repeat(64), model: digit }));
    expect(await find(memory)).toMatchObject({ model: "5" });
    expect(await recorded(memory, "7".repeat(64))).toMatchObject({ model: "7" });
    expect((await listRecords(memory, "weekly")).map(({ digest }) => digest)).toEqual(["5".repeat(16)]);
  });

  it("are damaged when a byte differs, the file belongs to another record, or it is not UTF-8", async () => {
    const test = openTestMemory();
    const record = recordOf();
    const { path } = await commitRecord(test.memory, record);
    const text = test.read(path) ?? "";
    const renamed = recordPath(recordOf({ digest: "8".repeat(64) }));
    test.write(renamed, text);
    expect(await recorded(test.memory, "8".repeat(64))).toBe("damaged");
    test.remove(renamed);
    for (const bad of [text.replace("- said", "- sa1d"), "", "{}", Buffer.from([0xff, 0xfe])]) {
      test.write(path, bad);
      expect(await find(test.memory)).toBeUndefined();
      expect(await recorded(test.memory, record.digest)).toBe("damaged");
    }
  });
});

describe("the basis of a summary", () => {
  it("is the digest in the format document: kind, label, and each source without its sections", () => {
    const page = readFileSync(new URL("../../../docs/formats/summaries.md", import.meta.url), "utf8");
    const text = /^```text basis\n(.*?)^```/msu.exec(page)?.[1] ?? "";
    const [, path = "", bytes, lines, sha = ""] =
      /\{path: (\S+), bytes: (\d+), lines: (\d+), sha256: (\w+)\}/u.exec(text) ?? [];
    const day: NodeName = { level: "daily", period: "2026-03-15", late: 0 };
    const log: Source = {
      kind: "raw",
      path,
      bytes: Number(bytes),
      lines: Number(lines),
      sha256: sha,
      sections: [],
      grouping: 0,
      part: [],
    };
    expect(basisOf(day, [log])).toBe(sha256(text));
    expect(basisOf(day, [{ ...log, grouping: 3 }])).toBe(sha256(text));
    for (const name of [
      { ...day, late: 1 },
      { ...day, period: "2026-03-14" },
    ])
      expect(basisOf(name, [log])).not.toBe(sha256(text));
    expect(basisOf(day, [{ ...log, part: [{ from: 1, to: 3 }] }])).not.toBe(sha256(text));
  });
});

describe("settings", () => {
  const configuration = (summaries: Configuration["summaries"]): Configuration => ({
    platform: "plain",
    rootMaxTokens: 3000,
    cooldownHours: 3,
    search: { vector: "auto", embedModel: "auto" },
    file: "none",
    summaries,
  });
  const own = { ...defaultSettings, adapter: "openai-compatible", contextTokens: 8_192 } as const;
  const { memory } = openTestMemory({ with: { user: { qmd: "off", summaries: own } } });

  it("of a project can switch off, select pull and lower budgets, but nothing else", () => {
    expect(effectiveSettings(memory, configuration({}))).toEqual(own);
    expect(effectiveSettings(memory, configuration({ adapter: "off" })).adapter).toBe("off");
    expect(effectiveSettings(memory, configuration({ adapter: "pull" }))).toMatchObject({
      adapter: "pull",
      contextTokens: 32_768,
    });
    expect(effectiveSettings(memory, configuration({ maxTokensPerDay: 7, maxRequestsPerDay: 1_000 }))).toEqual({
      ...own,
      maxTokensPerDay: 7,
    });
  });

  it("without user settings are off; a project can select pull", () => {
    const plain = openTestMemory().memory;
    expect(effectiveSettings(plain, configuration({})).adapter).toBe("off");
    expect(effectiveSettings(plain, configuration({ adapter: "pull" })).adapter).toBe("pull");
  });
});
