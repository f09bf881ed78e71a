import { describe, expect, test } from "vitest";
import { sha256 } from "../../src/base/digest.ts";
import { prepareIndex } from "../../src/recall/index/prepare.ts";
import { runCompact } from "../../src/tree/run/compact.ts";
import { sessionText } from "../../src/agents/hooks/session-text.ts";
import { readRoot } from "../../src/tree/root-run/root.ts";
import { appendEntry } from "../../src/tree/logs/log-add.ts";
import { printRecall } from "../../src/recall/context/print.ts";
import { runRecall } from "../../src/recall/run/recall.ts";
import type { RecallResult, SearchResult } from "../../src/recall/search/inputs-and-results.ts";
import { runSearch } from "../../src/recall/search/search.ts";
import { renderSearch } from "../../src/surfaces/cli/render/recall.ts";
import { screenOf } from "../../src/surfaces/cli/render/layout.ts";
import { serve } from "../mcp/served.ts";
import { runVerify } from "../../src/tree/inspect/verify.ts";
import { openTestMemory, type TestMemory } from "../fixtures/memory.ts";

/** Entries that all claim to be from the user, by their actual origin. */
const origins = ["user", "agent", "import", "file"] as const;

async function remembered(many = 0): Promise<TestMemory> {
  const tree = openTestMemory({ disk: "folder", today: "2026-03-14" });
  for (const origin of origins) {
    const rule = `deploy the ${origin} branch on Fridays`;
    await appendEntry(tree.memory, {
      topic: `Deploy ${origin}`,
      type: "feedback",
      origin,
      rule,
      why: "w",
      how_to_apply: "h",
    });
  }
  if (many > 0) {
    const lines = Array.from({ length: many }, (_, at) => `- decision: item ${at} about retry number ${at}\n`).join("");
    tree.write("memory/2026-03-14.md", `${tree.read("memory/2026-03-14.md") ?? ""}\n## Big [project]\n${lines}`);
  }
  tree.setToday("2026-03-15");
  await runCompact(tree.memory, {}, {});
  return tree;
}

function indexOf(tree: TestMemory): readonly string[] {
  const root = String(tree.read("memory/ROOT.md"));
  return root
    .slice(root.indexOf("## Topics Index"))
    .split("\n")
    .filter((line) => line.startsWith("- Deploy"));
}

const marked = [
  /^- Deploy agent \[feedback, 1d, by agent\]: deploy the agent branch/u,
  /^- Deploy file \[feedback, 1d, by file\]/u,
  /^- Deploy import \[feedback, 1d, by import\]/u,
  /^- Deploy user \[feedback, 1d\]: deploy the user branch/u,
];

describe("the origin of a feedback entry is visible", () => {
  test.each([
    ["copied", 0],
    ["summarised", 300],
  ])("in ROOT.md, where its day was %s, and verify finds nothing", async (_how, many) => {
    const tree = await remembered(many);
    const lines = indexOf(tree).toSorted();
    expect(lines).toHaveLength(marked.length);
    for (const [at, line] of lines.entries()) expect(line).toMatch(marked[at] ?? /^$/u);
    expect((await runVerify(tree.memory, {})).findings).toEqual([]);
    const before = tree.read("memory/ROOT.md");
    await runCompact(tree.memory, {}, {});
    expect(tree.read("memory/ROOT.md")).toBe(before);
  });

  test("in the text at the start of a session", async () => {
    const { memory } = await remembered();
    const { text } = await sessionText(memory, { space: { characters: 9500 }, root: "wanted", profile: "had" });
    expect(text).toContain("[feedback, 1d, by agent]");
    expect(text).toContain("[feedback, 1d, by import]");
    expect(text).toContain("Deploy user [feedback, 1d]");
  });

  test("in recall, in the text and as a field", async () => {
    const { memory } = await remembered();
    await prepareIndex(memory, { ms: 60_000 });
    const result = (await runRecall(memory, { text: "deploy which branch on Fridays?" }, {})) as RecallResult;
    expect(result.context.map(({ origin }) => origin).toSorted()).toEqual(["agent", "file", "import", "user"]);
    const printed = printRecall(result);
    for (const tag of ["feedback by agent", "feedback by import", "feedback by file", "feedback"])
      expect(printed).toMatch(new RegExp(`^2026-03-14 ${tag} 1d:$`, "mu"));
  });
});

describe("the origin of a feedback entry is visible wherever its type is", () => {
  const feedbackTag = ["agent", "file", "import"].map((origin) => `feedback by ${origin}`);

  test.each([
    ["copied", 0],
    ["summarised", 300],
  ])("in the Active Context, where its day was %s", async (_how, many) => {
    const root = String((await remembered(many)).read("memory/ROOT.md"));
    const active = root.slice(root.indexOf("## Active Context"), root.indexOf("## Topics Index"));
    for (const origin of ["import", "file"])
      expect(active).toContain(`- Deploy ${origin} [feedback, by ${origin}]: deploy the ${origin} branch`);
    expect(active).toMatch(/- Deploy user: deploy the user branch/u);
    expect(active).not.toMatch(/^- Deploy (?:import|file):/mu);
  });

  test("in the Recent Patterns", async () => {
    const entry =
      "## Style [feedback]\n<!-- hw id=a at=2026-03-10T10:00:00+00:00 origin=import -->\n- rule: never use tabs\n";
    const days = ["10", "11", "12", "13"];
    const files = Object.fromEntries(
      days.map((day) => [`memory/2026-03-${day}.md`, `# 2026-03-${day}\n\n${entry.replaceAll("10", day)}`]),
    );
    const tree = openTestMemory({ disk: "folder", today: "2026-03-14", files });
    await runCompact(tree.memory, {}, {});
    const lines = String(tree.read("memory/ROOT.md")).split("\n");
    const style = lines.filter((line) => line.startsWith("- Style"));
    expect(style.length).toBeGreaterThan(2);
    for (const line of style) expect(line).toMatch(/^- Style \[feedback, (?:1d, )?by import\](?:: |$)/u);
  });

  test("in search, in the text and as a field", async () => {
    const { memory } = await remembered();
    await prepareIndex(memory, { ms: 60_000 });
    const result = (await runSearch(memory, { query: "deploy" }, {})) as SearchResult;
    const logged = result.hits.filter(({ level }) => level === "raw");
    expect(logged.map(({ origin }) => origin).toSorted()).toEqual(["agent", "file", "import", "user"]);
    const printed = renderSearch(result, screenOf({ kind: "pipe", columns: 80, colours: "off" }));
    for (const tag of [...feedbackTag, "feedback"]) expect(printed).toContain(` · ${tag} · Deploy`);
  });

  test("in the results of the MCP server", async () => {
    const entry =
      "## Style [feedback]\n<!-- hw id=a at=2026-03-10T10:00:00+00:00 origin=import -->\n- rule: never use tabs\n";
    const served = await serve("legacy", {
      "heartwood.config.json": "{}\n",
      "memory/2026-03-10.md": `# 2026-03-10\n\n${entry}`,
    });
    const { content } = await served.client.callTool({ name: "memory_search", arguments: { query: "tabs" } });
    await served.end();
    expect(JSON.stringify(content)).toContain("memory/2026-03-10.md:3-5 (feedback by import; Style): ");
  });
});

describe("an entry that only claims to be from the user", () => {
  test("has no privileges in a summary or in ROOT.md", async () => {
    const tree = await remembered(300);
    const node = String(tree.read("memory/daily/2026-03-14.md"));
    const kept = node.slice(node.indexOf("## User and Feedback"), node.indexOf("## Key Decisions"));
    expect(kept).toMatch(/### Deploy user \[feedback\] \(03-[\d:-]+(?:, [\d:-]+)*\)\n/);
    expect(kept).toMatch(/### Deploy agent \[feedback by agent\] \(03-[\d:-]+(?:, [\d:-]+)*\)\n/);
    expect(kept).not.toMatch(/import|file/u);
    const small = await readRoot(tree.memory, { max_tokens: 150 });
    const text = "text" in small ? small.text : "";
    expect(text).toContain("Deploy user");
    expect(text).not.toContain("feedback by import");
  });

  test.each([
    ["import", undefined, "stale"],
    ["file", undefined, "stale"],
    ["agent", "superseded", undefined],
  ])("from %s: the warning of an older user entry is %s, and its own is %s", async (origin, older, own) => {
    const comment = (from: string, id: string): string =>
      `<!-- hw id=${id} at=2026-01-10T10:00:00+00:00 origin=${from} -->`;
    const { memory } = openTestMemory({
      disk: "folder",
      files: {
        "memory/2026-01-10.md": `# 2026-01-10\n\n## Rate limiting [user]\n${comment("user", "a")}\n- limiter: token bucket\n\n## Tea [feedback]\n${comment(origin, "b")}\n- rule: tea is green\n`,
        "memory/2026-03-10.md": `# 2026-03-10\n\n## Rate limiting [user]\n${comment(origin, "c")}\n- limiter: sliding window\n`,
      },
    });
    await prepareIndex(memory, { ms: 60_000 });
    const ask = async (text: string): Promise<RecallResult> => (await runRecall(memory, { text }, {})) as RecallResult;
    const limiter = await ask("which limiter do we use?");
    expect(limiter.context.map((one) => one.origin).toSorted()).toEqual([origin, "user"].toSorted());
    expect(limiter.context.find((one) => one.origin === "user")?.warning?.is).toBe(older);
    expect((await ask("is tea green?")).context[0]?.warning?.is).toBe(own);
  });
});

test("a tree made by older rules is rebuilt without a finding, and its fixed nodes keep their bytes", async () => {
  const tree = await remembered(300);
  const daily = "memory/daily/2026-03-14.md";
  const older = (text: string): string =>
    text
      .replace("built-in-4", "built-in-2")
      .replace("root-4", "root-2")
      .replace(/made-from: \w+/u, "made-from: 0123456789abcdef");
  const copy = ".heartwood/cache/ROOT.md";
  for (const path of [daily, "memory/ROOT.md", copy]) tree.write(path, older(String(tree.read(path))));
  const figures = JSON.parse(String(tree.read(".heartwood/cache/root.json"))) as object;
  const copy_sha256 = sha256(String(tree.read(copy)));
  tree.write(".heartwood/cache/root.json", JSON.stringify({ ...figures, copy_sha256 }));
  const fixed = tree.read(daily);
  const isWorse = async (): Promise<unknown> =>
    (await runVerify(tree.memory, {})).findings.filter(({ severity }) => severity !== "info");
  expect(await isWorse()).toEqual([]);
  await runCompact(tree.memory, {}, {});
  expect(tree.read("memory/ROOT.md")).toContain("made-by: root-4");
  expect(tree.list().filter((path) => path.includes("archive"))).toEqual([]);
  expect(tree.read(daily)).toBe(fixed);
  expect(await isWorse()).toEqual([]);
});
