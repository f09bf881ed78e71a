import { describe, expect, it } from "vitest";
import { createNodeFiles } from "../../platform/node-files/node-files.ts";
import { lawRuns } from "../../../test/fixtures/law-runs.ts";
import { openTestMemory, type TestMemory } from "../../../test/fixtures/memory.ts";
import { contentDigest, parseNode, printNode } from "../model/node-format.ts";
import { nodePath, type NodeName } from "../model/period.ts";
import { runCompact } from "./compact.ts";
import { runDoctor } from "../../operations/doctor.ts";
import { readJournal } from "../logs/archive.ts";
import { readStatus } from "../../operations/status.ts";
import { runUndo } from "../../operations/undo.ts";
import { runVerify } from "../inspect/verify.ts";

/** A secret found by the current rules. The nodes below are planted as an older rule that missed it would have made them. */
const secret = `ghp_${"aB3dE5fG7h".repeat(4).slice(0, 36)}`;
const marker = "[REDACTED:github-token]";
const log = `# 2026-02-03\n\n## Deploy [project]\n- decisions: token ${secret} for the runner\n\n## Auth [project]\n- decisions: sessions in one place\n`;

const daily: NodeName = { level: "daily", period: "2026-02-03", late: 0 };
const weekly: NodeName = { level: "weekly", period: "2026-W06", late: 0 };
const monthly: NodeName = { level: "monthly", period: "2026-02", late: 0 };

/** A tree whose nodes contain the secret and record each other's digests accordingly. */
async function planted(today: string, text = log): Promise<TestMemory> {
  const test = openTestMemory({ files: { "memory/2026-02-03.md": text }, today });
  await runCompact(test.memory, {}, {});
  let child: { readonly path: string; readonly sha256: string } | undefined;
  for (const name of [daily, weekly, monthly]) {
    const path = nodePath(name);
    const reading = parseNode(name, test.read(path) ?? "");
    if (reading.state !== "ours") throw new Error(`${path} is not ours`);
    const body = reading.node.body.map((line) => line.replaceAll(marker, secret));
    const sources = reading.node.sources.map((source) =>
      source.path === child?.path ? { ...source, sha256: child.sha256 } : source,
    );
    const node = { ...reading.node, body, sources };
    test.write(path, printNode(node));
    child = { path, sha256: contentDigest(node) };
  }
  return test;
}

const holding = (test: TestMemory): readonly string[] =>
  test.list().filter((path) => test.read(path)?.includes(secret) === true);

const bodyOf = (text: string): string => text.slice(text.indexOf("\n---\n"));

describe("a secret in fixed nodes", () => {
  it("is a problem reported with file and line, without repeating the secret", async () => {
    const test = await planted("2026-04-10");
    const result = await runDoctor(test.memory, {});
    const secrets = result.checks.filter((check) => check.name === "secrets");
    expect(secrets.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^line \d+ of memory\/daily\/2026-02-03\.md contains a secret \(github-token\)$/),
      expect.stringMatching(/^line \d+ of memory\/monthly\/2026-02\.md contains /),
      expect.stringMatching(/^line \d+ of memory\/weekly\/2026-W06\.md contains /),
    ]);
    expect(secrets[0]).toMatchObject({ state: "problem", fix: "heartwood doctor --fix" });
    expect(result.ok).toBe(false);
    expect(JSON.stringify(result)).not.toContain(secret);
  });

  it("is redacted at every level by --fix; status and sources stay, and no addendum appears", async () => {
    const test = await planted("2026-04-10");
    await runCompact(test.memory, {}, {});
    const result = await runDoctor(test.memory, { fix: true });
    expect(result.ok).toBe(true);
    expect(result.fixed).toHaveLength(3);
    expect(result.fixed[0]).toContain("The archive (memory/archive/) and the raw log still contain them");
    expect(holding(test).filter((path) => !path.startsWith("memory/archive/"))).toEqual(["memory/2026-02-03.md"]);
    for (const name of [daily, weekly, monthly]) {
      const text = test.read(nodePath(name)) ?? "";
      expect(text).toContain(`token ${marker} for the runner`);
      expect(text).toContain("status: fixed");
    }
    await runCompact(test.memory, {}, {});
    expect(test.list().filter((path) => path.includes(".late-"))).toEqual([]);
    expect((await readStatus(test.memory)).late).toEqual([]);
    expect((await runVerify(test.memory, {})).findings).toEqual([]);
  });

  it("is removed from ROOT.md at once, and no redacted line is treated as the user's", async () => {
    const test = await planted("2026-04-10");
    await runCompact(test.memory, {}, {});
    expect(test.read("memory/ROOT.md")).toContain(marker);
    expect(test.read("memory/ROOT.md")).not.toContain(secret);
    for (const path of ["memory/ROOT.md", ".heartwood/cache/ROOT.md"])
      test.write(path, test.read(path)?.replaceAll(marker, secret) ?? "");
    await runDoctor(test.memory, { fix: true });
    expect(test.read("memory/ROOT.md")).toContain(marker);
    await runCompact(test.memory, {}, {});
    expect(test.list().filter((path) => /^memory\/2026-\d\d-\d\d\.md$/.test(path))).toEqual(["memory/2026-02-03.md"]);
    expect(test.read("memory/ROOT.md")).not.toContain(secret);
  });

  it("is redacted in tentative nodes too, and the next run updates them", async () => {
    const test = await planted("2026-02-04");
    const result = await runDoctor(test.memory, { fix: true });
    expect(result.ok).toBe(true);
    await runCompact(test.memory, {}, {});
    expect((await runVerify(test.memory, {})).findings).toEqual([]);
    expect(test.list().filter((path) => path.includes(".late-"))).toEqual([]);
  });

  it("is not redacted twice, and the fix can be undone", async () => {
    const test = await planted("2026-04-10");
    const before = test.read(nodePath(weekly));
    await runDoctor(test.memory, { fix: true });
    const again = await runDoctor(test.memory, { fix: true });
    expect(again.fixed).toEqual([]);
    expect((await readJournal(test.memory)).map(({ entry }) => `${entry?.action} ${entry?.what}`)).toEqual([
      "fix secrets",
    ]);
    const undone = await runUndo(test.memory);
    expect(undone.restored.toSorted()).toEqual([daily, monthly, weekly].map(nodePath));
    expect(test.read(nodePath(weekly))).toBe(before);
  });

  it("keeps the record that somebody edited the body", async () => {
    const test = await planted("2026-04-10");
    const path = nodePath(daily);
    test.write(path, `${test.read(path)}- my own line\n`);
    await runDoctor(test.memory, { fix: true });
    expect(test.read(path)).toContain("made-by: foreign");
    expect(test.read(path)).toContain("- my own line");
    expect(test.read(path)).not.toContain(secret);
  });

  it("is gone after repeating a fix that was killed at any point, without an addendum", async () => {
    const test = await planted("2026-04-10");
    await runCompact(test.memory, {}, {});
    const from = test.faults?.operations ?? 0;
    await runDoctor(test.memory, { fix: true });
    const to = test.faults?.operations ?? 0;
    expect(to).toBeGreaterThan(from + 20);
    const moments = lawRuns(Math.ceil((to - from) / 5));
    for (let at = from; at <= to; at += Math.ceil((to - from) / moments)) {
      const fs = test.faults?.killAt(at);
      if (fs === undefined) throw new Error("no disk in memory");
      const memory = { ...test.memory, files: createNodeFiles({ root: fs.root, fs }) };
      expect((await runDoctor(memory, { fix: true })).ok).toBe(true);
      await runCompact(memory, {}, {});
      const left = [...fs.files()].filter(([path]) => !path.startsWith("memory/archive/"));
      const withSecret = left.filter(([, bytes]) => Buffer.from(bytes).includes(secret)).map(([path]) => path);
      expect(withSecret).toEqual(["memory/2026-02-03.md"]);
      expect(left.filter(([path]) => path.includes(".late-") || path.endsWith(".tmp"))).toEqual([]);
      expect((await runVerify(memory, {})).findings).toEqual([]);
    }
  });

  it("is removed from a summary without other changes, and verify reports its rule as older", async () => {
    const notes = Array.from({ length: 240 }, (_, index) => `- note ${index} about the runner`).join("\n");
    const test = await planted("2026-04-10", `${log}\n## Notes [project]\n${notes}\n`);
    const before = test.read(nodePath(daily)) ?? "";
    expect(before).toContain("made-by: built-in-4\n");
    expect(before).toContain(secret);
    await runDoctor(test.memory, { fix: true });
    const after = test.read(nodePath(daily)) ?? "";
    expect(after).toContain("made-by: built-in-4-redacted\n");
    expect(bodyOf(after)).toBe(bodyOf(before).replaceAll(secret, marker));
    await runCompact(test.memory, {}, {});
    const { ok, findings } = await runVerify(test.memory, {});
    expect(ok).toBe(true);
    expect(new Set(findings.map((finding) => finding.code))).toEqual(new Set(["rule_older"]));
  });

  it("in a foreign file is left to its author", async () => {
    const test = openTestMemory({
      files: { "memory/daily/2026-02-03.md": `# mine\n\ntoken ${secret}\n` },
      today: "2026-04-10",
    });
    const result = await runDoctor(test.memory, { fix: true });
    expect(result.ok).toBe(false);
    expect(result.checks.find((check) => check.name === "secrets")?.fix).toBe(
      "remove it from memory/daily/2026-02-03.md by hand",
    );
    expect(holding(test)).toEqual(["memory/daily/2026-02-03.md"]);
  });
});
