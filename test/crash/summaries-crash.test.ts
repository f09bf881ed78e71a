import { describe, expect, it } from "vitest";
import { compactMemory } from "../../src/summaries/run/compact.ts";
import type { Memory } from "../../src/operations/operation.ts";
import { askAll } from "../../src/summaries/run/ask-all.ts";
import { dropAnswer, submitAnswer, readPending } from "../../src/summaries/run/jobs.ts";
import type { LedgerLine } from "../../src/tree/answers/ledger.ts";
import { readLedgerFile } from "../../src/tree/run/answer-store.ts";
import { defaultSettings } from "../../src/summaries/run/budget.ts";
import { parseRecord, parseRecordName, printJobId, summaryKinds } from "../../src/tree/answers/record.ts";
import { createFaultyFs, type FaultyFs } from "../fixtures/faulty-fs.ts";
import type { FaultyFsOptions } from "../fixtures/faulty/calls.ts";
import { openOn, only, printed, textOf } from "../fixtures/crash-scene.ts";
import { createFakeSummarizer } from "../fixtures/fake-summarizer.ts";
import { goodAnswer, longDay } from "../fixtures/long-days.ts";
import { fakeSubject, sourceOf } from "../fixtures/fake-subjects.ts";

/**
 * Asking a model, and submitting and dropping an answer, on a disk that loses power at any point: every sent request is on the ledger, a record is whole or absent,
 * recorded answers are not requested again, and recovering twice gives the same as an undisturbed run.
 */
const statesWanted = Number(process.env["HEARTWOOD_CRASH_STATES"] ?? 10_000);
const today = "2026-03-24";
const subjects = [
  fakeSubject("daily", "2026-03-23"),
  fakeSubject("weekly", "2026-W12", { text: "refuse this" }),
  fakeSubject("root", "ROOT"),
];

interface Sent {
  /** The label of the request. */
  readonly label: string;
  /** Disk operations before it was sent. */
  readonly at: number;
}

async function ask(fs: FaultyFs, seed: number): Promise<readonly Sent[]> {
  const sent: Sent[] = [];
  const model = createFakeSummarizer(({ prompt }) => {
    const label = subjects.find((subject) => prompt.includes(subject.label))?.label ?? "2026-W12";
    sent.push({ label, at: fs.operations });
    return prompt.includes("refuse") ? "bad" : `- about ${label}`;
  });
  await askAll(openOn(fs, { today, seed }), {
    settings: { ...defaultSettings, adapter: "openai-compatible", maxRequestsPerRun: 50, maxRequestsPerDay: 5_000 },
    model,
    kinds: summaryKinds,
    subjects: sourceOf(...subjects),
    holder: "a test",
    call: {},
    compose: async () => undefined,
  });
  return sent;
}

function recordsOn(fs: FaultyFs): ReadonlyMap<string, Uint8Array> {
  return only(fs.files(), (path) => parseRecordName(path.split("/").at(-1) ?? "") !== undefined);
}

async function ledgerOn(fs: FaultyFs): Promise<readonly LedgerLine[]> {
  const lines: LedgerLine[] = [];
  await readLedgerFile(openOn(fs, { today, seed: 5 }), (line) => lines.push(line));
  return lines;
}

/** What is wrong after a crash that followed this many operations. */
async function damageAfterAsking(
  fs: FaultyFs,
  at: number,
  sent: readonly Sent[],
  wanted: string,
): Promise<readonly string[]> {
  const damage: string[] = [];
  const records = recordsOn(fs);
  for (const [path, bytes] of records) if (parseRecord(textOf(bytes)) === "damaged") damage.push(`${path} is torn`);
  const asked = (await ledgerOn(fs)).filter(({ event }) => event === "asked").map(({ label }) => label);
  for (const { label } of sent.filter((one) => one.at <= at))
    if (!asked.includes(label)) damage.push(`${label} went out and is not on the ledger`);
  const again = await ask(fs, at + 1);
  for (const { label } of again)
    if ([...records.keys()].some((path) => path.includes(`/${label}.`)))
      damage.push(`${label} was on record and went out again`);
  if (printed(recordsOn(fs)) !== wanted) damage.push("recovery made other records");
  if ((await ask(fs, at + 2)).length > 0) damage.push("a second recovery asked again");
  if (printed(recordsOn(fs)) !== wanted) damage.push("a second recovery changed the records");
  return damage;
}

async function crashAsking(
  states: number,
  options: FaultyFsOptions = {},
): Promise<{ readonly damage: readonly string[]; readonly seen: number }> {
  const fs = createFaultyFs(options);
  const sent = await ask(fs, 1);
  const wanted = printed(recordsOn(fs));
  const seen = new Set<string>();
  const damage = new Set<string>();
  for (const crash of fs.crashStates(1, states)) {
    const key = `${sent.filter(({ at }) => at <= crash.at).length} ${printed(crash.fs.files())}`;
    if (seen.has(key)) continue;
    seen.add(key);
    for (const what of await damageAfterAsking(crash.fs, crash.at, sent, wanted)) damage.add(what);
  }
  return { damage: [...damage], seen: seen.size };
}

describe("asking on a disk that loses power", () => {
  const states = Math.ceil(statesWanted / 2);

  it(`recovers in ${states} crash states`, async () => {
    const { damage, seen } = await crashAsking(states);
    expect(damage).toEqual([]);
    // Otherwise, all crashes left the same disk.
    expect(seen).toBeGreaterThan(20);
    console.log(`asking: ${states} crash states, ${seen} of them different`);
  });

  it("fails if fsync is patched out (negative control)", async () => {
    expect((await crashAsking(200, { ignoreFsync: "all" })).damage).not.toEqual([]);
  });

  it(`drops an answer in ${states} crash states: it is never lost, and repeating the command drops it`, async () => {
    const before = createFaultyFs();
    await ask(before, 1);
    const start = Object.fromEntries(before.files());
    const fs = createFaultyFs({ files: start });
    const digest = (await ledgerOn(fs))[0]?.digest ?? "";
    const job = printJobId({ kind: "daily", label: "2026-03-23", digest });
    await dropAnswer(openOn(fs, { today, seed: 2 }), { job });
    const wanted = printed(recordsOn(fs));
    const seen = new Set<string>();
    for (const crash of fs.crashStates(3, states)) {
      const key = printed(crash.fs.files());
      if (seen.has(key)) continue;
      seen.add(key);
      const kept = [...recordsOn(crash.fs)].filter(([path]) => path.includes("/2026-03-23."));
      expect(kept.length > 0).toBe(true);
      for (const [, bytes] of kept) expect(parseRecord(textOf(bytes))).toMatchObject({ answer: "- about 2026-03-23" });
      for (const seed of [4, 5]) await dropAnswer(openOn(crash.fs, { today, seed }), { job }).catch(ignoreDropped);
      expect(printed(recordsOn(crash.fs))).toBe(wanted);
    }
    expect(seen.size).toBeGreaterThan(5);
  });
});

describe("submitting on a disk that loses power", () => {
  it(`recovers in ${statesWanted} crash states`, async () => {
    const before = createFaultyFs({ files: { "memory/2026-03-23.md": longDay("2026-03-23") } });
    await compactMemory(agentOn(before, 1), {}, {});
    const fs = createFaultyFs({ files: Object.fromEntries(before.files()) });
    const job = (await readPending(agentOn(fs, 2), { kind: "daily" })).jobs[0]?.job_id ?? "";
    const from = fs.operations;
    expect(await submit(fs, 3, job)).toBe("accepted");
    const wanted = printed(recordsOn(fs));
    const seen = new Set<string>();
    for (const crash of fs.crashStates(4, statesWanted)) {
      const key = `${crash.at >= fs.operations} ${printed(crash.fs.files())}`;
      if (seen.has(key) || crash.at < from) continue;
      seen.add(key);
      const found = printed(recordsOn(crash.fs));
      expect(["", wanted]).toContain(found);
      expect(await submit(crash.fs, 5, job)).toBe(found === "" ? "accepted" : "known");
      expect(await submit(crash.fs, 6, job)).toBe("known");
      expect(printed(recordsOn(crash.fs))).toBe(wanted);
      await compactMemory(agentOn(crash.fs, 7), {}, {});
      expect(textOf(crash.fs.files().get("memory/daily/2026-03-23.md"))).toContain("made-by: answer-1");
      expect([...crash.fs.files().keys()].filter((path) => path.includes(".hw-"))).toEqual([]);
    }
    expect(seen.size).toBeGreaterThan(5);
    console.log(`submitting: ${statesWanted} crash states, ${seen.size} of them different`);
  });
});

function agentOn(fs: FaultyFs, seed: number): Memory {
  const summaries = { ...defaultSettings, adapter: "pull" } as const;
  return { ...openOn(fs, { today, seed }), user: { qmd: "off", summaries } };
}

async function submit(fs: FaultyFs, seed: number, job: string): Promise<string> {
  const file = {
    name: "answer.md",
    chunks: async function* () {
      yield Buffer.from(goodAnswer);
    },
  };
  return (await submitAnswer(agentOn(fs, seed), { job, file })).state;
}

/** The answer was already dropped before the crash. */
function ignoreDropped(error: unknown): void {
  expect(error).toMatchObject({ code: "job_not_found" });
}
