import { describe, expect, it } from "vitest";
import { openTestMemory, type TestMemory } from "../../../test/fixtures/memory.ts";
import { requestDigest } from "../request/build-request.ts";
import { type AnswerRecord, printJobId } from "../../tree/answers/record.ts";
import { runCompact } from "../../tree/run/compact.ts";
import type { RootResult } from "../../tree/root-run/root.ts";
import { readRoot } from "../../tree/root-run/root.ts";
import { readTrace } from "../../tree/inspect/trace.ts";
import { runVerify } from "../../tree/inspect/verify.ts";
import { inputFile } from "../../../test/fixtures/thread-scene.ts";
import { commitRecord } from "../../tree/run/answer-store.ts";
import { dropAnswer, submitAnswer, readPending, openSubjects } from "./jobs.ts";
import { thinRoot } from "./root-subject.ts";

const rootPath = "memory/ROOT.md";

function entries(day: number): string {
  const topics = ["Importer", "Release", "Billing", "Search", "Gateway"];
  const told = topics.map(
    (name, n) =>
      `## ${name} [project]\n- decisions: ${name.toLowerCase()} uses variant ${n + day} of the pump\n- open: measure valve ${n * 7 + day} of ${name.toLowerCase()}\n- lesson: restart the ${name.toLowerCase()} worker before the migration\n`,
  );
  return `${told.join("\n")}\n## Short answers [feedback]\n- rule: answer in three sentences\n- why: reads on a phone\n- how-to-apply: chat replies ${day}\n`;
}

function logs(): Readonly<Record<string, string>> {
  return Object.fromEntries(
    [4, 5, 6, 10, 11, 12, 13, 14].map((day) => {
      const date = `2026-03-${String(day).padStart(2, "0")}`;
      return [`memory/${date}.md`, `# ${date}\n\n${entries(day)}`];
    }),
  );
}

async function composed(options: { readonly cap?: number } = {}): Promise<TestMemory> {
  const configuration = JSON.stringify({ compaction: { rootMaxTokens: options.cap ?? 3000 } });
  const test = openTestMemory({ files: { ...logs(), "heartwood.config.json": configuration } });
  await runCompact(test.memory, {}, {});
  return test;
}

const good = `## Active Context
- The importer, the release and billing each settled on a variant of the pump
- Valves of the gateway and of search are still to be measured

## Recent Patterns
- Workers are restarted before every migration

## Historical Summary
- 2026-03: importer, release and billing
`;

/** Records an answer as a run would. */
async function answer(test: TestMemory, text: string, model = "pull"): Promise<AnswerRecord> {
  const [subject] = await openSubjects(test.memory).list("root");
  if (subject === undefined) throw new Error("there is nothing to ask for");
  const request = await subject.request({ contextTokens: 16_384 }, {});
  const read = await subject.read(request, { text, end: "complete" });
  const record: AnswerRecord = {
    state: "accepted",
    kind: "root",
    label: "ROOT",
    basis: request.basis,
    digest: requestDigest(request, model),
    prompt_rule: request.promptRule,
    model,
    at: "2026-03-15T12:00:00+00:00",
    tokens: { prompt: 1, answer: read.tokens },
    findings: [],
    answer: read.text,
    summary: read.summary,
  };
  await commitRecord(test.memory, record);
  return record;
}

function rootOf(test: TestMemory): string {
  return test.read(rootPath) ?? "";
}

function section(test: TestMemory, name: string): readonly string[] {
  const text = rootOf(test).split(`## ${name}`)[1] ?? "";
  return (text.split("\n## ")[0] ?? "")
    .split("\n")
    .slice(1)
    .filter((line) => line !== "");
}

const recordsFolder = ".heartwood/artifacts/answers/root";

function recordFiles(test: TestMemory): readonly string[] {
  return test.list().filter((path) => path.startsWith(`${recordsFolder}/`));
}

describe("ROOT.md made from an answer", () => {
  it("is not requested if an answer may have fewer than 100 tokens", async () => {
    const budgets: (number | undefined)[] = [];
    for (let cap = 200; cap <= 700; cap += 50) {
      const [subject] = await openSubjects((await composed({ cap })).memory).list("root");
      budgets.push((await subject?.request({ contextTokens: 16_384 }, {}))?.budgetTokens);
    }
    expect(budgets[0]).toBeUndefined();
    expect(budgets.at(-1)).toBeGreaterThan(100);
    for (const budget of budgets) if (budget !== undefined) expect(budget).toBeGreaterThanOrEqual(100);
  });

  it("has the answer's lines, the program's index, and the identity of the answer", async () => {
    const test = await composed();
    const before = rootOf(test);
    const index = section(test, "Topics Index");
    const { digest } = await answer(test, good);
    expect((await runCompact(test.memory, { dry_run: true }, {})).due).toMatchObject([
      { path: rootPath, reason: "answer" },
    ]);
    await runCompact(test.memory, {}, {});
    expect(rootOf(test)).toContain(`\nanswer: ${digest}\nmodel: pull\nmade-from: `);
    expect(section(test, "Active Context")).toContain(
      "- The importer, the release and billing each settled on a variant of the pump",
    );
    expect(section(test, "Recent Patterns")).toContain("- Workers are restarted before every migration");
    expect(section(test, "Topics Index")).toEqual(index);
    expect(rootOf(test)).not.toBe(before);
    expect((await runCompact(test.memory, {}, {})).due).toEqual([]);
  });

  it("keeps entries of type user and feedback verbatim", async () => {
    const test = await composed();
    const kept = ["Active Context", "Recent Patterns"].flatMap((name) =>
      section(test, name).filter((line) => line.includes("three sentences")),
    );
    expect(kept.length).toBeGreaterThan(0);
    const [subject] = await openSubjects(test.memory).list("root");
    const { sources } = (await subject?.request({ contextTokens: 16_384 }, {})) ?? { sources: [] };
    expect(JSON.stringify(sources)).not.toContain("three sentences");
    await answer(test, good);
    await runCompact(test.memory, {}, {});
    for (const line of kept) expect(rootOf(test)).toContain(`${line}\n`);
  });

  it("is rebuilt by verify, and every line traces to raw lines", async () => {
    const test = await composed();
    await answer(test, good);
    await runCompact(test.memory, {}, {});
    expect(await runVerify(test.memory, {})).toMatchObject({ ok: true, findings: [] });
    const { lines } = (await readRoot(test.memory, {})) as RootResult;
    for (const line of lines) expect(line.sources.length, line.text).toBeGreaterThan(0);
    const traced = await readTrace(test.memory, { text: "Workers are restarted" });
    expect(traced.raw.length).toBeGreaterThan(0);
    expect(traced.raw.every(({ approximate }) => approximate === true)).toBe(true);
    expect(traced.raw.every(({ path }) => path.startsWith("memory/2026-03-"))).toBe(true);
  });

  it("comes back with the same bytes after deletion, and in another folder with the same record", async () => {
    const [one, two] = [await composed(), await composed()];
    await answer(one, good);
    await answer(two, good);
    for (const test of [one, two]) await runCompact(test.memory, {}, {});
    expect(rootOf(two)).toBe(rootOf(one));
    const bytes = rootOf(one);
    one.remove(rootPath);
    await runCompact(one.memory, {}, {});
    expect(rootOf(one)).toBe(bytes);
  });

  it("returns to the built-in lines if the answer is gone, and verify warns about it", async () => {
    const test = await composed();
    const before = rootOf(test);
    await answer(test, good);
    await runCompact(test.memory, {}, {});
    for (const path of recordFiles(test)) test.remove(path);
    const { findings } = await runVerify(test.memory, {});
    expect(findings).toMatchObject([{ code: "due" }, { code: "answer_missing", severity: "warning" }]);
    await runCompact(test.memory, {}, {});
    expect(rootOf(test)).toBe(before);
  });

  it("returns to the built-in lines if the answer is dropped, and verify still rebuilds it until then", async () => {
    const test = await composed();
    const before = rootOf(test);
    const { digest } = await answer(test, good);
    await runCompact(test.memory, {}, {});
    await dropAnswer(test.memory, { job: printJobId({ kind: "root", label: "ROOT", digest }) });
    const { ok, findings } = await runVerify(test.memory, {});
    expect([ok, findings.map(({ code }) => code)]).toEqual([true, ["due"]]);
    await runCompact(test.memory, {}, {});
    expect(rootOf(test)).toBe(before);
  });

  it("fits smaller limits when rendered from the same answer", async () => {
    const test = await composed();
    await answer(test, good);
    await runCompact(test.memory, {}, {});
    for (const max_tokens of [250, 400, 800]) {
      const smaller = (await readRoot(test.memory, { max_tokens })) as RootResult;
      expect(smaller.tokens).toBeLessThanOrEqual(max_tokens);
      expect(test.memory.tokens.count(smaller.text)).toBe(smaller.tokens);
    }
    const { text } = (await readRoot(test.memory, { max_tokens: 800 })) as RootResult;
    expect(text).toContain("- The importer, the release and billing each");
    expect(((await readRoot(test.memory, { max_chars: 900 })) as RootResult).text.length).toBeLessThanOrEqual(900);
  });

  it("is what an agent submits as the job for ROOT.md", async () => {
    const test = await composed();
    const { jobs } = await readPending(test.memory, { kind: "root" });
    const [job] = jobs;
    expect(job).toMatchObject({ kind: "root", period: "ROOT", cut: null, state: "due" });
    expect(job?.budget_tokens).toBeLessThanOrEqual(1000);
    const submit = { job: job?.job_id ?? "", file: inputFile(good), by: "claude-code" };
    expect(await submitAnswer(test.memory, submit)).toMatchObject({ state: "accepted", next: "heartwood compact" });
    await runCompact(test.memory, {}, {});
    expect(rootOf(test)).toContain(`\nanswer: ${job?.digest}\nmodel: pull\n`);
    expect((await runVerify(test.memory, {})).ok).toBe(true);
  });

  it("a damaged record is an error in verify and is not used", async () => {
    const test = await composed();
    const before = rootOf(test);
    await answer(test, good);
    await runCompact(test.memory, {}, {});
    const [path = ""] = recordFiles(test);
    test.write(path, (test.read(path) ?? "").replaceAll("variant of the pump", "invention"));
    const { findings } = await runVerify(test.memory, {});
    expect(findings.filter(({ severity }) => severity !== "info")).toMatchObject([
      { code: "answer_damaged", severity: "error" },
    ]);
    test.remove(rootPath);
    await runCompact(test.memory, {}, {});
    expect(rootOf(test)).toBe(before);
  });

  it("an answer with another basis is not used", async () => {
    const test = await composed();
    await answer(test, good);
    test.write(
      "memory/2026-03-15.md",
      `# 2026-03-15\n\n## Printer [project]\n- decisions: a new drum for the printer\n`,
    );
    await runCompact(test.memory, {}, {});
    expect(rootOf(test)).not.toContain("answer: ");
    expect(section(test, "Active Context").join("\n")).toContain("Printer");
  });

  it("the answer stays on a new day with the same lines", async () => {
    const test = await composed();
    const { digest } = await answer(test, good);
    await runCompact(test.memory, {}, {});
    test.setToday("2026-03-16");
    await runCompact(test.memory, {}, {});
    expect(rootOf(test)).toContain("last-updated: 2026-03-16");
    expect(rootOf(test)).toContain(`answer: ${digest}`);
    expect((await runVerify(test.memory, {})).ok).toBe(true);
  });
});

describe("asking for ROOT.md", () => {
  it("refuses an answer whose Active Context has no words of its own", async () => {
    const [subject] = await openSubjects((await composed()).memory).list("root");
    const request = await subject?.request({ contextTokens: 16_384 }, {});
    if (subject === undefined || request === undefined) throw new Error("there is nothing to ask for");
    const text = `${good.split("\n\n").slice(1).join("\n\n")}\n## Active Context\n- [user]\n- ---\n`;
    const { findings, summary } = await subject.read(request, { text, end: "complete" });
    expect(summary).toEqual([]);
    expect(findings.map(({ code, severity }) => `${code} ${severity}`)).toContain("missing_section error");
  });

  it("refuses an answer that omits almost all of a long Active Context", () => {
    expect(thinRoot(5, new Set([1]))).toEqual([]);
    expect(thinRoot(8, new Set([1, 2]))).toEqual([]);
    expect(thinRoot(9, new Set([1, 2]))).toMatchObject([{ code: "too_thin", severity: "error", line: null }]);
    expect(thinRoot(15, new Set([3]))[0]?.message).toBe(
      "The answer includes 1 of the 15 lines of Active Context in the sources; include at least one in 4, choosing the most important.",
    );
  });

  it("is due when nothing else is, and open while ROOT.md itself is due", async () => {
    const test = await composed();
    expect(await openSubjects(test.memory).list("root")).toMatchObject([{ kind: "root", label: "ROOT", state: "due" }]);
    test.setToday("2026-03-16");
    expect(await openSubjects(test.memory).list("root")).toMatchObject([{ state: "open" }]);
  });

  it("has nothing to ask for without a ROOT.md", async () => {
    expect(await openSubjects(openTestMemory().memory).list("root")).toEqual([]);
  });
});
