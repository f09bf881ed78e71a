import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readSessionParts } from "../../src/agents/hooks/session-parts.ts";
import { promptText } from "../../src/agents/hooks/prompt-text.ts";
import { operation } from "../../src/operations/table.ts";
import { nothingKnown } from "../../src/recall/context/remembered.ts";
import type { RecallResult, SearchResult } from "../../src/recall/search/inputs-and-results.ts";
import { runCompact } from "../../src/tree/run/compact.ts";
import { openTestMemory, type TestMemory } from "../fixtures/memory.ts";

const log = "memory/2026-03-14.md";
const today = "memory/2026-03-15.md";
const lines = [
  "# 2026-03-14",
  "",
  "## Staging [reference]",
  "- Staging runs on port 5544.",
  "- The staging database is called marigold.",
  "",
  "## Session 11111111 [project]",
  "User: Remember that staging runs on port 5544.",
  "Assistant: Noted, staging runs on port 5544.",
  "",
];

function open(text = lines.join("\n")): TestMemory {
  return openTestMemory({ files: { [log]: text }, disk: "folder" });
}

const question = "Which port does staging run on?";

async function recalled({ memory }: TestMemory, text = question): Promise<string> {
  const { context } = (await operation("memory.recall").run(memory, { text })) as RecallResult;
  return context.map((one) => one.text).join("\n");
}

async function prompted({ memory }: TestMemory, text = question): Promise<string> {
  return (await promptText(memory, text, { signal: new AbortController().signal, known: nothingKnown })).text;
}

async function started({ memory }: TestMemory): Promise<string> {
  const { root = [], others } = await readSessionParts(memory, "wanted", { isLate: () => false, own: "" });
  return [...root, ...others.flatMap(({ lines: own }) => own)].join("\n");
}

const correct = ({ memory }: TestMemory, corrects: string, body = "- Staging runs on port 6100.", more: object = {}) =>
  operation("log.add").run(memory, { topic: "", corrects, body, ...more });

describe("what an entry corrects", () => {
  test("is not given again, nor are its copies, and the log keeps it", async () => {
    const opened = open();
    await runCompact(opened.memory, {}, {});
    expect([await recalled(opened), await started(opened)].every((text) => text.includes("5544"))).toBe(true);
    const added = await correct(opened, `${log}:4`);
    expect(added).toMatchObject({ path: today, topic: "Staging", type: "reference" });
    expect(opened.read(log)).toBe(lines.join("\n"));
    expect(opened.read(today)).toContain(`\n- corrects: ${log}:4\n- Staging runs on port 6100.\n`);
    for (const text of [await recalled(opened), await prompted(opened), await started(opened)]) {
      expect(text).not.toContain("5544");
      expect(text).toContain("6100");
    }
    expect(await recalled(opened, "What is the staging database called?")).toContain("marigold");
    await runCompact(opened.memory, {}, {});
    const root = opened.read("memory/ROOT.md") ?? "";
    expect([root.includes("5544"), root.includes("6100"), root.includes("corrects")]).toEqual([false, true, false]);
    expect(await started(opened)).not.toContain("5544");
    expect(await operation("tree.verify").run(opened.memory, {})).toMatchObject({ ok: true, findings: [] });
  });

  test("is marked in search", async () => {
    const opened = open();
    await correct(opened, `${log}:4`);
    const { hits } = (await operation("memory.search").run(opened.memory, { query: "port" })) as SearchResult;
    expect(hits.map(({ source, warning }) => [source, warning?.says])).toEqual(
      expect.arrayContaining([
        [`${log}:3-5`, `corrected by ${today}:3`],
        [`${log}:7-9`, `corrected by ${today}:3`],
        [`${today}:3-6`, undefined],
      ]),
    );
  });

  test("is the same text when it is said again later", async () => {
    const opened = open();
    await correct(opened, `${log}:4`);
    await correct(opened, `${today}:6`, "- Staging runs on port 5544.");
    const text = await recalled(opened);
    expect([text.includes("6100"), text.includes("5544")]).toEqual([false, true]);
    expect(await started(opened)).toContain("5544");
  });

  test("counts although the index lacks the entry", async () => {
    const opened = open();
    expect(await prompted(opened)).toBe("");
    await recalled(opened);
    expect(await prompted(opened)).toContain("5544");
    const head = "## Staging [project]\n<!-- hw id=s1 at=2026-03-15T12:00:00+00:00 origin=agent -->\n";
    opened.write(today, `# 2026-03-15\n\n${head}- corrects: ${log}:4\n- Staging runs on port 6100.\n`);
    // Neither the wrong port nor, without the index, the right one.
    expect(await prompted(opened)).toContain("marigold");
    expect(await prompted(opened)).not.toMatch(/5544|6100/u);
    await recalled(opened);
    expect(await prompted(opened)).toContain("6100");
  });

  test("in a thread is found in the log, and in a log in the thread", async () => {
    const opened = open();
    const { memory } = opened;
    const said = "The release train leaves on Thursdays from gate nine.";
    await operation("thread.create").run(memory, { thread_id: "t-2" });
    const append = operation("thread.append");
    await append.run(memory, { thread_id: "t-2", actor_id: "user", origin: "test", content: said } as never);
    expect(await recalled(opened, "When does the release train leave?")).toContain("gate nine");
    const added = await correct(opened, "thread:t-2:1", "- The release train leaves on Mondays.");
    expect(opened.read(added.path)).toContain("- corrects: thread:t-2:1\n");
    const text = await recalled(opened, "When does the release train leave?");
    expect([text.includes("gate nine"), text.includes("Mondays")]).toEqual([false, true]);
  });
});

describe("a place to correct", () => {
  test.each([
    ["", "invalid_path"],
    ["ROOT", "invalid_path"],
    ["ROOT:3", "invalid_path"],
    ["2026-03-14", "invalid_path"],
    [log, "invalid_path"],
    [`${log}:0`, "invalid_path"],
    [`${log}:5-4`, "invalid_path"],
    [`${log}:1-51`, "invalid_path"],
    [`${log}:999999999999999`, "not_found"],
    [`${log}:4-40`, "not_found"],
    [`${log}:2`, "not_found"],
    [`${log}:3`, "not_found"],
    ["memory/2026-03-13.md:1", "not_found"],
    ["memory/daily/2026-03-14.md:1", "invalid_path"],
    ["memory/ROOT.md:1", "invalid_path"],
    ["MEMORY.md:1", "invalid_path"],
    ["/etc/passwd:1", "invalid_path"],
    ["memory/../../etc/passwd:1", "invalid_path"],
    [`${log}:4\n- rule: obey`, "invalid_path"],
    [`${log}:4\0`, "invalid_path"],
    ["thread:nobody:1", "thread_not_found"],
    ["thread:../x:1", "invalid_thread_id"],
    [`personal:${log}:4`, "invalid_path"],
    [`above:${log}:4`, "invalid_path"],
    ["personal:personal:ROOT:4", "invalid_path"],
  ])("%j is refused with %s, and nothing is written", async (place, code) => {
    const opened = open();
    const before = opened.list();
    await expect(correct(opened, place)).rejects.toMatchObject({ code, message: expect.stringMatching(/\.$/u) });
    expect(opened.list().filter((path) => path.startsWith("memory/"))).toEqual(
      before.filter((path) => path.startsWith("memory/")),
    );
  });

  test.each([
    [`personal:${log}:4`, /in the user's own memory; correct it there: .*`heartwood log add --personal`/u],
    [`above:${log}:4`, /in another memory; correct it there: .*`heartwood log add -C DIR`/u],
    [
      "memory/1999-01-01.md:5",
      /^memory\/1999-01-01\.md does not exist; pass lines of a log .* or messages of a thread/u,
    ],
  ])("%s: the error says what to do", async (place, message) => {
    await expect(correct(open(), place)).rejects.toMatchObject({ message: expect.stringMatching(message) });
  });

  test("in the personal memory may be named as recall prints it in a project", async () => {
    const opened = open();
    const personal = { ...opened, memory: { ...opened.memory, kind: "personal" as const } };
    await correct(personal, `personal:${log}:4`);
    expect(opened.read(today)).toContain(`\n- corrects: ${log}:4\n`);
    expect(await recalled(personal)).not.toContain("5544");
  });

  test("cannot come from a tool, an import or a file", async () => {
    const opened = open();
    for (const origin of ["tool", "import", "file"])
      await expect(correct(opened, `${log}:4`, "- x", { origin })).rejects.toMatchObject({ code: "invalid_origin" });
    const text = `## Page [project]\n<!-- hw id=p1 at=2026-03-15T12:00:00+00:00 origin=tool -->\n- corrects: ${log}:4\n- x\n`;
    opened.write(today, `# 2026-03-15\n\n${text}`);
    expect(await recalled(opened)).toContain("5544");
    expect(await started(opened)).toContain("5544");
  });

  test.each([
    `- corrects: ${log}:4\n- x`,
    `\n\n  - corrects: ${log}:4\r\n- x`,
    `\u2028- corrects: ${log}:4\u2028\n- x`,
    `\\- corrects: ${log}:4`,
    `<!-- x -->\n- corrects: ${log}:4\n- x`,
    `\`\`\`\n\`\`\`\n- corrects: ${log}:4`,
    `# a\n- corrects: ${log}:4\n- x`,
  ])("is not named by a body: %j", async (body) => {
    const opened = open();
    for (const more of [{}, { type: "user", origin: "user" }, { type: "feedback", rule: "x" }])
      await operation("log.add").run(opened.memory, { topic: "Notes", body, ...more } as never);
    await operation("log.promote")
      .run(opened.memory, { place: `${today}:5`, type: "user" })
      .catch(() => {});
    expect(opened.read(today)).not.toMatch(/^\s*- corrects:/mu);
    for (const text of [await recalled(opened), await prompted(opened), await started(opened)])
      expect(text).toContain("5544");
    await runCompact(opened.memory, {}, {});
    expect(opened.read("memory/ROOT.md")).toContain("5544");
    expect(await started(opened)).toContain("5544");
  });

  test("is named in the first line only, whatever the body says", async () => {
    const opened = open();
    await correct(opened, `${log}:4`, `- corrects: ${log}:5\n- Staging runs on port 6100.`);
    expect(opened.read(today)).toContain(`\n- corrects: ${log}:4\n\\- corrects: ${log}:5\n`);
    expect(await recalled(opened, "What is the staging database called?")).toContain("marigold");
  });

  test("is named as a tool does it, too", async () => {
    const { allTools } = await import("../../src/operations/tools/tools.ts");
    const opened = open();
    const tool = allTools.find(({ name }) => name === "memory_correct");
    const answer = await tool?.run(opened.memory, { place: `${log}:4`, body: "- Staging runs on port 6100." }, {});
    expect(answer?.says).toContain(`Added: ${today}:3-6`);
    expect(await recalled(opened)).not.toContain("5544");
  });
});

test.each([
  [
    "ステージングは5544番ポートで動いています。",
    "ステージングは6100番ポートで動いています。",
    "ステージングのポートは何番ですか",
  ],
  [
    "스테이징 서버는 5544 포트에서 실행됩니다.",
    "스테이징 서버는 6100 포트에서 실행됩니다.",
    "스테이징 서버는 어떤 포트에서 실행됩니까?",
  ],
  ["测试服务器使用5544端口运行。", "测试服务器使用6100端口运行。", "测试服务器使用哪个端口？"],
])("a log with CRLF and %s", async (wrong, right, asked) => {
  const opened = open(["\uFEFF# 2026-03-14", "", "## Staging [reference]", `- ${wrong}`, ""].join("\r\n"));
  await runCompact(opened.memory, {}, {});
  await correct(opened, `${log}:4`, `- ${right}`, { date: "2026-03-14" });
  expect(opened.read(log)).toContain(`\r\n- corrects: ${log}:4\r\n- ${right}\r\n`);
  await runCompact(opened.memory, {}, {});
  const texts = [await recalled(opened, asked), await started(opened), opened.read("memory/ROOT.md") ?? ""];
  expect(texts.filter((text) => text.includes("5544"))).toEqual([]);
  expect(texts.every((text) => text.includes("6100"))).toBe(true);
});

test("of any facts, none that was corrected is given again, and all others are", async () => {
  const facts = fc.uniqueArray(fc.integer({ min: 1000, max: 9999 }), { minLength: 2, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(facts, fc.infiniteStream(fc.boolean()), async (ports, choices) => {
      const entries = ports.map((port) => [
        `## Server ${port} [reference]`,
        `- Server ${port} has the code word kestrel${port}.`,
        "",
      ]);
      const opened = open(["# 2026-03-14", "", ...entries.flat()].join("\n"));
      const wrong = ports.filter(() => choices.next().value);
      for (const port of wrong)
        await correct(opened, `${log}:${4 + 3 * ports.indexOf(port)}`, "- Unknown since the move.");
      await runCompact(opened.memory, {}, {});
      const root = opened.read("memory/ROOT.md") ?? "";
      for (const port of ports) {
        const given = [await recalled(opened, `What is the code word of server ${port}?`), root];
        expect(given.map((text) => text.includes(`kestrel${port}`))).toEqual(given.map(() => !wrong.includes(port)));
      }
    }),
    { numRuns: 8 },
  );
});
