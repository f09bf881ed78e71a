import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { openTestMemory, type TestMemory } from "../../../test/fixtures/memory.ts";
import { parseRefSuffix } from "../../base/refs.ts";
import { printPrompt, requestDigest } from "../request/build-request.ts";
import { titlesOf, type SummaryRequest } from "../request/request.ts";
import { nodeLevels, type NodeLevel } from "../../tree/model/period.ts";
import { parseSummary, printSummary, isSummaryTitle } from "../../tree/model/summary-format.ts";
import { runCompact } from "../../tree/run/compact.ts";
import { openSubjects } from "./jobs.ts";
import { judgeAnswer, prepareRequest, type Subject } from "./subject.ts";

const space = { contextTokens: 16_384 };

/** A log of one day that exceeds the threshold. */
function logOf(day: string, entries: number, more = ""): string {
  const texts = Array.from(
    { length: entries },
    (_, at) =>
      `## Service ${at % 9} [project]\n- decisions: queue ${day.slice(8)}${at} before cache ${at % 5}\n- outcome: shipped build ${at}.${day.slice(8)}\n- open: measure latency of region-${at}\n`,
  );
  return `# ${day}\n\n${texts.join("\n")}\n${more}`;
}

async function subjectOf(opened: TestMemory, level: NodeLevel, label: string): Promise<Subject> {
  const subject = await openSubjects(opened.memory).find(level, label);
  if (subject === undefined) throw new Error(`no subject ${label}`);
  return subject;
}

const wishes =
  "## Short answers [feedback]\n- rule: answer in three sentences\n- why: reads on a phone\n- how-to-apply: chat replies\n";
const talk =
  "## Session 12\nUser: I live in Busan and I bought a red bike.\nAssistant: A helmet from Ulsan would suit it.\n";

async function openDay(
  more = `${wishes}\n${talk}`,
): Promise<{ readonly opened: TestMemory; readonly subject: Subject }> {
  const opened = openTestMemory({
    files: { "memory/2026-03-12.md": logOf("2026-03-12", 50, more) },
    today: "2026-03-16",
  });
  await runCompact(opened.memory, {}, {});
  return { opened, subject: await subjectOf(opened, "daily", "2026-03-12") };
}

function textOf(request: SummaryRequest): string {
  return request.sources.flatMap(({ lines }) => lines.map(({ text }) => text)).join("\n");
}

const answer = [
  "## Topics",
  "- Service 1 [user, done]: queue, cache, latency",
  "- Red bike: Busan, helmet",
  "",
  "## User and Feedback",
  "### Short answers [feedback]",
  "",
  "## Key Decisions",
  "- Service 1: queue 1210 before cache 0",
  "- the person bought a red bike",
].join("\n");

function sizeOf({ instructions, prompt }: ReturnType<typeof printPrompt>, counted: (text: string) => number): number {
  return counted(instructions) + counted(prompt);
}

describe("a request for a day", () => {
  test("has the lines of its logs with their places, what the assistant said, and the entries that must be kept", async () => {
    const { opened, subject } = await openDay();
    const request = await subject.request(space, {});
    expect([request.kind, request.label, request.promptRule, request.leftOut]).toEqual([
      "daily",
      "2026-03-12",
      "node-prompt-2",
      0,
    ]);
    expect(textOf(request)).toContain("Assistant: A helmet from Ulsan would suit it.");
    const raw = (opened.read("memory/2026-03-12.md") ?? "").split("\n");
    for (const { text, refs } of request.sources[0]?.lines ?? []) expect(raw[(refs[0]?.from ?? 0) - 1]).toBe(text);
    expect(request.mustKeep).toEqual([
      {
        topic: "Short answers",
        type: "feedback",
        lines: ["- rule: answer in three sentences", "- why: reads on a phone", "- how-to-apply: chat replies"],
      },
    ]);
    expect(request.space).toEqual({ lines: 80, bytes: 16_384, said: 0, others: 80 });
  });

  test("is deterministic and bounded by the token limit", async () => {
    const { opened, subject } = await openDay();
    const again = await subjectOf(opened, "daily", "2026-03-12");
    const [one, other] = [await subject.request(space, {}), await again.request(space, {})];
    expect(requestDigest(one, "pull")).toBe(requestDigest(other, "pull"));
    const small = await subject.request({ contextTokens: 2_048 }, {});
    expect(small.leftOut).toBeGreaterThan(50);
    expect(
      sizeOf(printPrompt(small), (text) => opened.memory.tokens.count(text)) + small.budgetTokens,
    ).toBeLessThanOrEqual(2_048);
  });

  test("keeps what the built-in summarizer ranks highest if there is not room for everything", async () => {
    const chatter = Array.from(
      { length: 150 },
      (_, at) => `Assistant: filler sentence ${at} about nothing much at all, said again and again.`,
    ).join("\n");
    const { subject } = await openDay(`## Session 12\nUser: I live in Busan.\n${chatter}\n`);
    const text = textOf(await subject.request({ contextTokens: 4_096 }, {}));
    expect(text.split("\n").filter((line) => line.startsWith("- decisions")).length).toBeGreaterThan(40);
    expect(text.split("\n").filter((line) => line.startsWith("Assistant")).length).toBeLessThan(20);
  });

  test("fails if the log has changed since the node was made, or is gone", async () => {
    const { opened, subject } = await openDay();
    opened.write("memory/2026-03-12.md", logOf("2026-03-12", 51));
    await expect(subject.request(space, {})).rejects.toMatchObject({ code: "changed_by_other" });
    opened.remove("memory/2026-03-12.md");
    await expect(subject.request(space, {})).rejects.toMatchObject({ code: "changed_by_other" });
  });

  test("fails for a day with nothing that may be sent", async () => {
    const code = `# 2026-03-12\n\n\`\`\`\n${"x = 1\n".repeat(250)}\`\`\`\n`;
    const opened = openTestMemory({ files: { "memory/2026-03-12.md": code }, today: "2026-03-16" });
    await runCompact(opened.memory, {}, {});
    const subject = await openSubjects(opened.memory).find("daily", "2026-03-12");
    await expect(subject?.request(space, {})).rejects.toMatchObject({ code: "not_found" });
  });

  test("stops when aborted", async () => {
    const { subject } = await openDay();
    await expect(subject.request(space, { signal: AbortSignal.abort() })).rejects.toThrow();
  });

  test("asks to keep each of several entries of one topic, and one of 200 lines as in the built-in summary", async () => {
    const long = `## Kitchen [user]\n${Array.from({ length: 200 }, (_, at) => `- shelf ${at} holds ${at * 3} jars`).join("\n")}\n`;
    const { opened, subject } = await openDay(`${wishes}\n${wishes.replace("three", "two")}\n${long}`);
    const request = await subject.request(space, {});
    expect(request.mustKeep.map(({ topic, type }) => `${topic} [${type}]`).toSorted()).toEqual([
      "Kitchen [user]",
      "Short answers [feedback]",
      "Short answers [feedback]",
    ]);
    const body = opened.read("memory/daily/2026-03-12.md") ?? "";
    for (const { lines } of request.mustKeep) expect(body).toContain(lines.join("\n"));
  });

  test("has only the lines that an addendum is about", async () => {
    const opened = openTestMemory({ files: { "memory/2026-03-12.md": logOf("2026-03-12", 3) }, today: "2026-03-16" });
    await runCompact(opened.memory, {}, {});
    opened.write(
      "memory/2026-03-12.md",
      logOf(
        "2026-03-12",
        3,
        logOf("2026-03-12", 60)
          .replaceAll("Service", "Late one")
          .replace(/^# .*\n/u, ""),
      ),
    );
    await runCompact(opened.memory, {}, {});
    const subject = await subjectOf(opened, "daily", "2026-03-12.late-1");
    const text = textOf(await subject.request(space, {}));
    expect(text).toContain("## Late one 1 [project]");
    expect(text).not.toContain("## Service 1 [project]");
  });
});

describe("an answer for a day", () => {
  test("becomes the lines of a summary: types from the sources, places by match, no entries", async () => {
    const { opened, subject } = await openDay();
    const request = await subject.request(space, {});
    const read = await subject.read(request, { text: answer, end: "complete" });
    expect(read.findings).toEqual([]);
    const line = (text: string): number =>
      (opened.read("memory/2026-03-12.md") ?? "").split("\n").findIndex((one) => one.includes(text)) + 1;
    expect(read.summary.filter((one) => !one.startsWith("- Service 1 [project"))).toEqual([
      "## Topics",
      `- Red bike: Busan, helmet (~03-12:${line("red bike")}-${line("helmet")})`,
      "",
      "## Key Decisions",
      `- Service 1: queue 1210 before cache 0 (~03-12:${line("queue 1210 ")})`,
      `- the person bought a red bike (~03-12:${line("red bike")})`,
    ]);
    expect(read.summary[1]).toMatch(/^- Service 1 \[project(?:, done)?\]: queue, cache, latency \(~03-12:/u);
  });

  test("has separate sections for what was blocked, failed, was abandoned or ended otherwise", async () => {
    const { opened, subject } = await openDay();
    const request = await subject.request(space, {});
    for (const title of ["Outcomes", "Blocked", "Failed", "Abandoned"])
      expect(request.instructions).toMatch(new RegExp(`^- \`## ${title}\`: \\S`, "mu"));
    const states = [
      "## Outcomes\n- Service 2: shipped build 2 half",
      "## Blocked\n- Service 3: build 3 waits for region-3",
      "## Failed\n- Service 4: measure latency of region-4",
      "## Abandoned\n- Service 5: queue 125 before cache 0",
    ];
    const { record } = await judgeAnswer(
      opened.memory,
      await prepareRequest(opened.memory, subject, { model: "pull", space, call: {} }),
      { text: `${answer}\n\n${states.join("\n\n")}\n`, end: "complete", call: {} },
    );
    expect([record.state, record.prompt_rule]).toEqual(["accepted", "node-prompt-2"]);
    await runCompact(opened.memory, { reopen: "2026-03-12" }, {});
    const body = opened.read("memory/daily/2026-03-12.md") ?? "";
    for (const state of states) expect(body).toContain(state);
    expect(body).not.toContain("## Tasks Completed");
  });

  test("is recorded with at most twelve keywords per topic, and with no topic of type user", async () => {
    const { subject } = await openDay();
    const request = await subject.request(space, {});
    const words = Array.from({ length: 20 }, (_, at) => `queue${"abcdefghijklmnopqrst"[at]}`);
    const text = `${answer}\n## Topics\n- Made up [user]: ${words.join(", ")}\n`;
    const { summary } = await subject.read(request, { text, end: "complete" });
    const [line = ""] = summary.filter((one) => one.startsWith("- Made up"));
    expect(line).toContain(`: ${words.slice(0, 12).join(", ")} (~`);
    expect(summary.join("\n")).not.toMatch(/\[user\]/u);
  });

  test("is refused if it links to none of many decisions and open items, because the built-in summary says more", async () => {
    const { subject } = await openDay();
    const request = await subject.request(space, {});
    const lazy = answer.replace(/## Key Decisions[^]*$/u, "## Notes\n- the person bought a red bike\n");
    const { findings, summary } = await subject.read(request, { text: lazy, end: "complete" });
    expect(findings.map(({ code, severity }) => `${code} ${severity}`)).toEqual(["too_thin error"]);
    expect(findings[0]?.message).toMatch(
      /^The built-in summary has \d+ decisions and open items, and the answer omits all of them/u,
    );
    expect(summary).toEqual([]);
  });

  test("keeps numbers with commas whole among its keywords", async () => {
    const { subject } = await openDay();
    const request = await subject.request(space, {});
    const given = answer.replace(/queue, cache, latency/u, "1,210 entries,queue,12、cache, 3,4");
    const { summary } = await subject.read(request, { text: given, end: "complete" });
    expect(summary.find((line) => line.startsWith("- Service 1 [project"))).toMatch(
      /: 1,210 entries, queue, 12, cache, 3, 4 \(~/u,
    );
  });

  test("gives no lines if refused, and can be read by a subject that made no request before", async () => {
    const { opened, subject } = await openDay();
    const request = await subject.request(space, {});
    expect(await subject.read(request, { text: "## Topics\n- a", end: "cut_off" })).toMatchObject({ summary: [] });
    const fresh = await subjectOf(opened, "daily", "2026-03-12");
    const given = { text: answer, end: "complete" } as const;
    expect(await fresh.read(request, given)).toEqual(await subject.read(request, given));
  });

  test("reads back as recorded, whatever it says, with refs on every line and no types of its own", async () => {
    const { subject } = await openDay();
    const request = await subject.request(space, {});
    const word = fc.constantFrom(
      "queue",
      "cache:",
      "Service 1",
      "Short answers",
      "[user]",
      "[feedback]",
      "(03-12:3)",
      '"x"',
      "a; b",
      "\\",
      "청구서",
      "## x",
      "**bold**",
      "(",
      "), ",
      "- ",
      "<b",
      "`c`",
    );
    const item = fc.oneof(
      fc.array(word, { maxLength: 6 }).map((words) => words.join(" ")),
      fc.string({ unit: "binary", maxLength: 40 }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(item, { maxLength: 6 }), fc.array(item, { maxLength: 6 }), async (topics, notes) => {
        const text = `${answer}\n## Topics\n${topics.map((one) => `- ${one}`).join("\n")}\n## Notes\n${notes.map((one) => `- ${one}`).join("\n")}`;
        const { summary } = await subject.read(request, { text, end: "complete" });
        const near = "2026-03-12";
        const passages = parseSummary({ lines: summary, firstLine: 1, spans: [], fallback: [], near });
        expect(passages.length).toBe(summary.filter((one) => one.startsWith("- ")).length);
        for (const { refs, type, topic } of passages) {
          expect(refs.length).toBeGreaterThan(0);
          expect(refs.every(({ found }) => found === "by_match")).toBe(true);
          if (type === "user" || type === "feedback") expect(topic.toLowerCase()).toContain("short answers");
        }
        const printed = printSummary("daily", near, passages).body.filter((one) => one.startsWith("- "));
        expect(printed.toSorted()).toEqual(summary.filter((one) => one.startsWith("- ")).toSorted());
        for (const line of summary) expect(line).not.toMatch(/[\n\r\0]/u);
      }),
      { numRuns: 60 },
    );
  });
});

describe("weeks and months", () => {
  const days = ["2026-03-02", "2026-03-03", "2026-03-04", "2026-03-05", "2026-03-06"];
  const files = Object.fromEntries([
    ...days.map((day) => [`memory/${day}.md`, logOf(day, 50, day === days[0] ? `${wishes}\n${talk}` : "")]),
    ["memory/2026-03-07.md", "# 2026-03-07\n\n## Garden [project]\n- decided: tomatoes\n```sh\nrm\n```\n"],
    ...[
      "2026-03-09",
      "2026-03-10",
      "2026-03-11",
      "2026-03-12",
      "2026-03-13",
      "2026-03-16",
      "2026-03-17",
      "2026-03-18",
      "2026-03-19",
    ].map((day) => [`memory/${day}.md`, logOf(day, 60).replaceAll("Service", `Part ${day.slice(8)}-`)]),
  ]) as Record<string, string>;

  test("a week's request has the kept lines of its days, with refs stored separately from the text", async () => {
    const opened = openTestMemory({ files, today: "2026-04-20" });
    await runCompact(opened.memory, {}, {});
    const subject = await subjectOf(opened, "weekly", "2026-W10");
    const request = await subject.request({ contextTokens: 100_000 }, {});
    expect(request.sources.map(({ name }) => name)).toEqual([...days, "2026-03-07"]);
    expect(request.space.lines).toBeLessThan(130);
    const lines = request.sources.flatMap((source) => source.lines);
    for (const { text, refs } of lines) {
      expect(parseRefSuffix(text, "2026-03-05").refs).toEqual([]);
      expect(refs.length > 0 || text.startsWith("#")).toBe(true);
    }
    const garden = lines.find(({ text }) => text === "- decided: tomatoes");
    expect(garden?.refs).toEqual([{ log: "2026-03-07", from: 4, to: 4 }]);
    expect(textOf(request)).not.toContain("rm");
    expect(request.mustKeep.map(({ topic }) => topic)).toEqual(["Short answers"]);
    expect(request.mustKeep[0]?.lines[0]).toBe("- rule: answer in three sentences");

    const given = answer.replaceAll("queue 1210 before cache 0", "shipped build 1.03");
    const read = await subject.read(request, { text: `# Weekly Summary: 2026-W10\n${given}`, end: "complete" });
    expect(read.findings.filter(({ severity }) => severity === "error")).toEqual([]);
    expect(read.summary.find((line) => line.includes("shipped build"))).toMatch(/\(~03-03:/u);
  });

  test("a month's request has the kept lines of its weeks, and fails if a week has changed", async () => {
    const opened = openTestMemory({ files, today: "2026-04-20" });
    await runCompact(opened.memory, {}, {});
    const subject = await openSubjects(opened.memory).find("monthly", "2026-03");
    if (subject === undefined) return;
    const request = await subject.request({ contextTokens: 60_000 }, {});
    expect(request.sources.map(({ name }) => name)).toEqual(["2026-W10", "2026-W11", "2026-W12"]);
    expect(request.instructions).toContain("## Carried Forward");
    const week = opened.read("memory/weekly/2026-W11.md") ?? "";
    opened.write("memory/weekly/2026-W11.md", week.replace("## Key Decisions", "## Key Decisions\n- by hand"));
    await expect(subject.request(space, {})).rejects.toMatchObject({ code: "changed_by_other" });
  });
});

test("the requested headings are those of the tree", () => {
  for (const level of nodeLevels) {
    expect(titlesOf(level).every(isSummaryTitle)).toBe(true);
    const passages = titlesOf(level).flatMap((title) =>
      parseSummary({
        lines: [`## ${title}`, title === "User and Feedback" ? "### x [user]" : "- a: b (03-12:1)"],
        firstLine: 1,
        spans: [],
        fallback: [],
        near: "2026-03-12",
      }),
    );
    const printed = printSummary(level, "x", passages).body.filter((line) => line.startsWith("## "));
    expect(printed).toEqual(titlesOf(level).map((title) => `## ${title}`));
  }
});

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..", "..");
const labelled = join(process.env["HEARTWOOD_SHARED"] ?? join(root, "../shared"), "data/secrets/cases.json");
const isAbsent = !existsSync(labelled);
if (isAbsent) console.warn(`SKIPPED: no labelled secrets at ${labelled}; that none goes out is NOT measured.`);

describe.skipIf(isAbsent)("the labelled secrets", () => {
  interface Case {
    readonly source: string;
    readonly example_b64: string;
    readonly secret: boolean;
    readonly secret_b64: string | null;
  }
  const decoded = (text: string): string => Buffer.from(text, "base64").toString("utf8");

  test("of agent memory are in no request: at least 99 of 100, as in nodes", async () => {
    const cases = (JSON.parse(readFileSync(labelled, "utf8")) as { readonly cases: readonly Case[] }).cases;
    const own = cases.filter(
      ({ source, secret, secret_b64 }) => secret && secret_b64 !== null && source === "synthetic-memory",
    );
    const planted = own.map(({ example_b64 }, at) => `## Case ${at} [project]\n${decoded(example_b64)}\n`);
    const opened = openTestMemory({
      files: { "memory/2026-03-12.md": `# 2026-03-12\n\n${planted.join("\n")}` },
      today: "2026-03-16",
    });
    await runCompact(opened.memory, {}, {});
    const subject = await subjectOf(opened, "daily", "2026-03-12");
    const request = await subject.request({ contextTokens: 1_000_000, notes: planted.slice(0, 20).join("\n") }, {});
    const { instructions, prompt } = printPrompt(request);
    const out = `${instructions}\n${prompt}\n${JSON.stringify(request)}`;
    const kept = own.filter(({ secret_b64 }) => out.includes(decoded(secret_b64 ?? "")));
    expect(textOf(request).split("\n").length).toBeGreaterThan(own.length / 2);
    expect(kept.length / own.length).toBeLessThanOrEqual(0.01);
  });
});
