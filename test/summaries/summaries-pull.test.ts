import { recordAnswer } from "../fixtures/recorded-answers.ts";
import { describe, expect, it } from "vitest";
import type { InputFile } from "../../src/base/operation.ts";
import { dropAnswer, submitAnswer, readPending } from "../../src/summaries/run/jobs.ts";
import { readLedger } from "../../src/summaries/run/status.ts";
import type { SummaryJob } from "../../src/summaries/run/inputs-and-results.ts";
import { sessionText } from "../../src/agents/hooks/session-text.ts";
import { runUpkeep } from "../../src/agents/hooks/upkeep.ts";
import { countDueSummaries } from "../../src/tree/run/answer-store.ts";
import { readStatus } from "../../src/operations/status.ts";
import { answerWell, goodAnswer, longDay } from "../fixtures/long-days.ts";
import type { TestMemory } from "../fixtures/memory.ts";
import { answersIn, compact, openAsking, snapshot, twoDays } from "../fixtures/summaries-scene.ts";

/** Summaries by the agent in the conversation: jobs, answers, and how they are used. */
const daily = "memory/daily/2026-03-14.md";
const secret = "sk-proj-Zx81kQpLm44RtYw0Hs7vBn3cDfGj6KlMnOpQrStUv";

function file(text: string | Uint8Array): InputFile {
  return {
    name: "answer.md",
    chunks: async function* () {
      yield typeof text === "string" ? Buffer.from(text) : text;
    },
  };
}

async function begin(
  options: Parameters<typeof openAsking>[1] = {},
): Promise<{ readonly test: TestMemory; readonly job: SummaryJob }> {
  const test = openAsking("pull", options);
  await compact(test);
  const [job] = (await readPending(test.memory, {})).jobs;
  return { test, job: job as SummaryJob };
}

describe("an agent", () => {
  it("finds jobs and answers them, and the next compact uses the answers", async () => {
    const { test } = await begin();
    expect((await readStatus(test.memory)).next).toBe("heartwood summaries pending");
    for (let round = 0; round < 5; round += 1) {
      const { jobs, next } = await readPending(test.memory, {});
      if (jobs.length === 0) break;
      expect(next).toBe(`heartwood summaries submit ${jobs[0]?.job_id} --file FILE`);
      expect((await readStatus(test.memory)).summaries.pending).toBe(jobs.length);
      for (const { job_id: job, prompt } of jobs) {
        const text = answerWell({ instructions: prompt });
        expect(await submitAnswer(test.memory, { job, file: file(text), by: "claude-code" })).toMatchObject({
          state: "accepted",
          late: false,
        });
      }
      await compact(test);
    }
    expect((await readPending(test.memory, { open: true })).jobs.map(({ state }) => state)).not.toContain("due");
    for (const path of [daily, "memory/daily/2026-03-13.md"])
      expect(test.read(path)).toMatch(/made-by: answer-1.*\n(?:.*\n)*?model: pull/u);
    expect(answersIn(test)).toHaveLength(3);
    expect((await readLedger(test.memory, {})).days[0]).toMatchObject({ submitted: 3, requests: 0, tokens: 0 });
    expect((await readStatus(test.memory)).next).not.toBe("heartwood summaries pending");
  });

  it("gets the prompt with the notes for agents, the sources and the budget, and reading it writes nothing", async () => {
    const notes = `Prefer short lines.\nNever tell ${secret}.\n`;
    const { test, job } = await begin({ files: { ...twoDays, "memory/agents/compaction/AGENT.md": notes } });
    const before = snapshot(test);
    expect((await readPending(test.memory, { job: job.job_id })).jobs).toEqual([job]);
    expect(snapshot(test)).toEqual(before);
    expect(job).toMatchObject({ kind: "daily", period: "2026-03-14", cut: null, state: "due", refused: [] });
    expect(job.prompt).toContain("Prefer short lines.");
    expect(JSON.stringify(job)).not.toContain(secret.slice(8));
    expect(job.sources.map(({ name }) => name)).toEqual(["2026-03-14"]);
    expect(job.sources[0]?.text).toContain("decided to keep it small");
    expect(job.budget_tokens).toBeGreaterThan(100);
  });

  it("sees how many jobs were left out", async () => {
    const { test } = await begin({ files: { ...twoDays, "memory/2026-03-15.md": longDay("2026-03-15") } });
    const { jobs, hidden } = await readPending(test.memory, { limit: 1, kind: "daily" });
    expect([jobs.length, hidden]).toEqual([1, { open: 1, over_limit: 1 }]);
    const open = await readPending(test.memory, { open: true, kind: "daily" });
    expect(open.jobs.map(({ period, state }) => `${period} ${state}`)).toEqual([
      "2026-03-15 open",
      "2026-03-14 due",
      "2026-03-13 due",
    ]);
  });

  it("gets the reasons of a refusal, and may try again", async () => {
    const { test, job } = await begin();
    const bad = await submitAnswer(test.memory, {
      job: job.job_id,
      file: file("## Topics\n- Importer: nothing else stands here at all\n"),
    });
    expect(bad).toMatchObject({ state: "refused", path: expect.stringContaining(".refused-") });
    expect(bad.findings.map(({ code }) => code)).toContain("missing_section");
    const listed = await readPending(test.memory, { kind: "daily", open: true });
    expect(listed.jobs.map(({ period }) => period)).toEqual(["2026-03-13"]);
    const [again] = (await readPending(test.memory, { job: job.job_id })).jobs;
    expect(again?.refused).toContain("missing_section");
    const good = await submitAnswer(test.memory, { job: job.job_id, file: file(goodAnswer) });
    expect(good).toMatchObject({ state: "accepted", next: "heartwood compact" });
    const known = await submitAnswer(test.memory, { job: job.job_id, file: file(`${goodAnswer}- more\n`) });
    expect(known).toMatchObject({ state: "known", path: null });
    await compact(test);
    expect(test.read(daily)).toContain("made-by: answer-1");
    expect(answersIn(test)).toHaveLength(2);
    expect((await readStatus(test.memory)).summaries.refused).toBe(0);
  });

  it("sees each reason once, and a corrected answer clears the refusals", async () => {
    const { test, job } = await begin();
    const text = goodAnswer.replace("## Topics", "## Own\n- one\n\n## Other\n- two\n\n## Topics");
    await submitAnswer(test.memory, { job: job.job_id, file: file(text) });
    expect((await readLedger(test.memory, {})).lines[0]?.codes).toEqual(["heading"]);
    expect((await readPending(test.memory, { job: job.job_id })).jobs[0]?.refused).toEqual(["heading"]);
    expect((await readStatus(test.memory)).summaries.refused).toBe(1);
    await submitAnswer(test.memory, { job: job.job_id, file: file(goodAnswer) });
    expect((await readStatus(test.memory)).summaries.refused).toBe(0);
  });

  it("gets an error if the sources have changed, with the current job", async () => {
    const { test, job } = await begin();
    test.write("memory/2026-03-14.md", longDay("2026-03-14", { more: "- reviewed the cache once more\n" }));
    const stale = submitAnswer(test.memory, { job: job.job_id, file: file(goodAnswer) });
    await expect(stale).rejects.toMatchObject({ code: "job_stale" });
    await compact(test);
    const [now] = (await readPending(test.memory, {})).jobs;
    const later = submitAnswer(test.memory, { job: job.job_id, file: file(goodAnswer) });
    await expect(later).rejects.toMatchObject({ code: "job_stale", details: { now: now?.job_id } });
    await expect(later).rejects.toThrow(now?.job_id);
    expect(answersIn(test)).toEqual([]);
  });

  it("gets an error if the notes have changed", async () => {
    const { test, job } = await begin();
    test.write("memory/agents/compaction/AGENT.md", "Be brief.\n");
    await expect(submitAnswer(test.memory, { job: job.job_id, file: file(goodAnswer) })).rejects.toMatchObject({
      code: "job_stale",
    });
  });

  it("does not need to answer again if the same sources were answered in another job", async () => {
    const { test, job } = await begin();
    test.write("memory/agents/compaction/AGENT.md", "Be brief.\n");
    const [other] = (await readPending(test.memory, { kind: "daily" })).jobs;
    expect(other?.job_id).not.toBe(job.job_id);
    await submitAnswer(test.memory, { job: other?.job_id ?? "", file: file(goodAnswer) });
    test.remove("memory/agents/compaction/AGENT.md");
    const again = await submitAnswer(test.memory, { job: job.job_id, file: file(goodAnswer) });
    expect([again.state, answersIn(test).length]).toEqual(["known", 1]);
  });

  it("gets an error for an unknown job", async () => {
    const { test } = await begin();
    for (const job of [
      "",
      "x",
      "daily-2026-03-14",
      "daily-2020-01-01-0123abcd",
      "daily-../../x-0123abcd",
      "thread-a.9-0123abcd",
    ]) {
      await expect(submitAnswer(test.memory, { job, file: file(goodAnswer) }), job).rejects.toMatchObject({
        code: "job_not_found",
      });
      await expect(dropAnswer(test.memory, { job }), job).rejects.toMatchObject({ code: "job_not_found" });
    }
  });

  it("may not submit invalid text, endless text, or a name of several lines", async () => {
    const { test, job } = await begin();
    const submit = (text: string | Uint8Array, by = "me"): Promise<unknown> =>
      submitAnswer(test.memory, { job: job.job_id, file: file(text), by });
    await expect(submit(new Uint8Array([0x23, 0xff]))).rejects.toMatchObject({ code: "invalid_body" });
    await expect(submit("x".repeat(1024 * 1024 + 1))).rejects.toMatchObject({ code: "invalid_body" });
    for (const by of ["a\nb", " ", "x".repeat(97)])
      await expect(submit(goodAnswer, by)).rejects.toMatchObject({ code: "usage" });
    expect(answersIn(test)).toEqual([]);
  });

  it("may answer with a BOM and CRLF", async () => {
    const { test, job } = await begin();
    const text = `\uFEFF${goodAnswer.replaceAll("\n", "\r\n")}`;
    expect(await submitAnswer(test.memory, { job: job.job_id, file: file(text) })).toMatchObject({ state: "accepted" });
  });

  it("leaves no secret in a record", async () => {
    const { test, job } = await begin();
    const text = goodAnswer.replace("reviewed the", `reviewed ${secret} the`);
    const result = await submitAnswer(test.memory, { job: job.job_id, file: file(text), by: secret });
    expect(result.state).toBe("refused");
    expect(JSON.stringify([result, [...snapshot(test)]])).not.toContain(secret.slice(8));
  });
});

describe("a late answer", () => {
  it("is recorded, changes nothing, is offered, and used after a reopen", async () => {
    const { test, job } = await begin();
    for (let run = 0; run < 4; run += 1) await compact(test);
    expect(test.read(daily)).toContain("status: fixed");
    const fixed = test.read(daily);
    expect((await readPending(test.memory, { open: true, kind: "daily" })).jobs).toEqual([]);
    expect((await readPending(test.memory, { kind: "daily" })).hidden).toEqual({ open: 0, over_limit: 0 });
    const result = await submitAnswer(test.memory, { job: job.job_id, file: file(goodAnswer) });
    expect(result).toMatchObject({ state: "accepted", late: true, next: "heartwood compact --reopen 2026-03-14" });
    await compact(test);
    expect(test.read(daily)).toBe(fixed);
    expect((await readStatus(test.memory)).summaries.late).toEqual([
      { path: daily, reopen: "heartwood compact --reopen 2026-03-14" },
    ]);
    await compact(test, { reopen: "2026-03-14" });
    expect(test.read(daily)).toContain("made-by: answer-1");
    expect((await readStatus(test.memory)).summaries.late).toEqual([]);
  });
});

describe("a node that waits", () => {
  it("is shown by status with its runs and its end", async () => {
    const { test } = await begin();
    const waiting = (await readStatus(test.memory)).summaries.waiting.find(({ path }) => path === daily);
    expect(waiting).toEqual({ path: daily, runs: 1, since: "2026-03-15", until: "2026-03-18" });
    test.setToday("2026-03-18");
    await compact(test);
    expect(test.read(daily)).toContain("status: fixed");
  });
});

describe("dropping an answer", () => {
  it("of a fixed node suggests reopening it", async () => {
    const { test, job } = await begin();
    await submitAnswer(test.memory, { job: job.job_id, file: file(goodAnswer) });
    await compact(test);
    expect(test.read(daily)).toContain("status: fixed");
    expect((await dropAnswer(test.memory, { job: job.job_id })).next).toBe("heartwood compact --reopen 2026-03-14");
  });

  it("restores the built-in summary, keeps the answer aside, and allows another one", async () => {
    const { test } = await begin({ files: { "memory/2026-03-15.md": longDay("2026-03-15") } });
    const [open] = (await readPending(test.memory, { open: true, kind: "daily" })).jobs;
    const id = open?.job_id ?? "";
    const node = "memory/daily/2026-03-15.md";
    const plain = test.read(node);
    await submitAnswer(test.memory, { job: id, file: file(goodAnswer) });
    await compact(test);
    expect(test.read(node)).toContain("made-by: answer-1");
    const { path, next } = await dropAnswer(test.memory, { job: id });
    expect([path.endsWith(".dropped.json"), next]).toEqual([true, "heartwood compact"]);
    await compact(test);
    expect(test.read(node)).toBe(plain);
    await expect(dropAnswer(test.memory, { job: id })).rejects.toMatchObject({ code: "job_not_found" });
    expect(await submitAnswer(test.memory, { job: id, file: file(goodAnswer) })).toMatchObject({ state: "accepted" });
    await compact(test);
    expect(test.read(node)).toContain("made-by: answer-1");
  });

  it("of a node whose period is over lets it become fixed immediately, without waiting for another answer", async () => {
    const { test, job } = await begin();
    await submitAnswer(test.memory, { job: job.job_id, file: file(goodAnswer) });
    await dropAnswer(test.memory, { job: job.job_id });
    expect((await readStatus(test.memory)).summaries.waiting.map(({ path }) => path)).not.toContain(daily);
    await compact(test);
    expect(test.read(daily)).toContain("status: fixed");
    expect(test.read(daily)).not.toContain("made-by: answer-1");
  });
});

describe("a damaged record", () => {
  it("does not prevent a new answer, and is kept", async () => {
    const { test, job } = await begin({ files: { "memory/2026-03-14.md": longDay("2026-03-14") } });
    const { path } = await submitAnswer(test.memory, { job: job.job_id, file: file(goodAnswer) });
    const whole = test.read(path ?? "") ?? "";
    const bad = whole.replace('"accepted"', '"acceptad"');
    test.write(path ?? "", bad);
    expect((await compact(test)).warnings.map(({ code }) => code)).toContain("answer_damaged");
    expect((await readPending(test.memory, {})).jobs.map(({ job_id }) => job_id)).toContain(job.job_id);
    const again = await submitAnswer(test.memory, { job: job.job_id, file: file(goodAnswer) });
    expect(again).toMatchObject({ state: "accepted", path });
    expect(JSON.parse(test.read(path ?? "") ?? "")).toMatchObject({ state: "accepted", answer: goodAnswer });
    const kept = answersIn(test).filter((each) => each.includes(".damaged-"));
    expect(kept.map((each) => test.read(each))).toEqual([bad]);
    await compact(test);
    expect(test.read(daily)).toContain("made-by: answer-1");
    expect(await submitAnswer(test.memory, { job: job.job_id, file: file(goodAnswer) })).toMatchObject({
      state: "known",
    });
  });

  it("next to a valid one for the same sources is ignored, and no run is due because of it", async () => {
    const { test } = await begin({ files: { "memory/2026-03-14.md": longDay("2026-03-14") } });
    const name = { level: "daily", period: "2026-03-14", late: 0 } as const;
    const { path } = await recordAnswer(test, name, {
      summary: ["## Topics", "- Importer [project]: importer", "", "## Key Decisions", "- Importer: kept small"],
      with: { digest: "f".repeat(64) },
    });
    test.write(path.replace("f".repeat(16), "0".repeat(16)), "{}");
    await compact(test);
    expect(test.read(daily)).toContain(`answer: ${"f".repeat(64)}`);
    expect((await compact(test)).written).toEqual([]);
    expect((await compact(test, { dry_run: true })).due).toEqual([]);
  });
});

describe("an agent with hooks", () => {
  const start = { space: { characters: 9500 }, root: "wanted", profile: "had" } as const;
  const lastLine = async ({ memory }: TestMemory): Promise<string> =>
    (await sessionText(memory, start)).text.split("\n").at(-1) ?? "";
  const upkeep = ({ memory }: TestMemory): Promise<void> =>
    runUpkeep(memory, { client: "claude-code", captured: "no", profile: "wanted" });
  const told = "can be written: memory_summaries (skill heartwood-compaction)";

  it("is told at the start of a session how many summaries it can write, after what the memory says", async () => {
    const { test, job } = await begin();
    const { text } = await sessionText(test.memory, start);
    expect(text).toMatch(/>>>\n2 summaries can be written: [^\n]+$/u);
    expect(test.memory.tokens.count(`\n2 summaries ${told}`)).toBeLessThanOrEqual(20);
    await submitAnswer(test.memory, { job: job.job_id, file: file(goodAnswer) });
    expect(await lastLine(test)).toBe(`1 summary ${told}`);
    const [last] = (await readPending(test.memory, {})).jobs;
    // After a refusal, it is up to the agent.
    expect(await submitAnswer(test.memory, { job: last?.job_id ?? "", file: file("no") })).toMatchObject({
      state: "refused",
    });
    expect(await lastLine(test)).toMatch(/>>>$/u);
  });

  it("is told only once in a session, and not if there is no time", async () => {
    const { test } = await begin();
    const { text: known } = await sessionText(test.memory, start);
    test.write("WORKING.md", "# Working\n\n## Limiter\n- next: measure\n");
    const { text } = await sessionText(test.memory, start, { known });
    expect(text).toContain("next: measure");
    expect(text).not.toContain("can be written");
    expect((await sessionText(test.memory, start, { isLate: () => true })).text).not.toContain("can be written");
  });

  it("is told within the space of its client", async () => {
    const { test } = await begin();
    for (const characters of [500, 900, 2000]) {
      const { text } = await sessionText(test.memory, { ...start, space: { characters } });
      expect(text.length).toBeLessThanOrEqual(characters);
      expect(text).toMatch(/^<<<[^]*>>>\n2 summaries can be written/u);
    }
  });

  it.each([
    ["the user chose a model or none", { settings: { adapter: "off" } }],
    [
      "the project switches summaries off",
      { files: { ...twoDays, "heartwood.config.json": '{"summaries":{"adapter":"off"}}' } },
    ],
    ["the configuration is invalid", { files: { ...twoDays, "heartwood.config.json": "{" } }],
  ] as const)("is told nothing if %s", async (_case, options) => {
    const test = openAsking("pull", options);
    await compact(test).catch(() => undefined);
    expect(await lastLine(test)).not.toContain("can be written");
  });

  it("is told what `summaries pending` lists, over weeks of long days with some answers", async () => {
    const test = openAsking("pull", { today: "2026-03-02", files: {} });
    const kinds = new Set<string>();
    for (let day = 0; day < 32; day += 1) {
      const today = test.memory.clock.today();
      if (day < 20) test.write(`memory/${today}.md`, longDay(today, { lines: day % 5 === 0 ? 40 : 260 }));
      test.passHours(24);
      await compact(test);
      const { jobs } = await readPending(test.memory, { limit: 100 });
      const nodes = jobs.filter(({ kind }) => kind !== "root");
      expect([today, await countDueSummaries(test.memory)]).toEqual([today, nodes.length]);
      for (const { kind } of nodes) kinds.add(kind);
      const [job] = nodes;
      if (day % 3 === 0 && job !== undefined)
        await submitAnswer(test.memory, { job: job.job_id, file: file(answerWell({ instructions: job.prompt })) });
      expect(await countDueSummaries(test.memory)).toBe(day % 3 === 0 ? Math.max(0, nodes.length - 1) : nodes.length);
    }
    expect([...kinds]).toEqual(["daily", "weekly"]);
  });

  it("that never answers does not keep a day from being fixed: upkeep counts how often it waited", async () => {
    const { test } = await begin();
    expect(test.read(daily)).toContain("status: tentative");
    for (let day = 0; day < 4; day += 1) {
      test.passHours(24);
      await upkeep(test);
    }
    expect(test.read(daily)).toContain("status: fixed");
    expect(await lastLine(test)).toMatch(/>>>$/u);
  });
});
