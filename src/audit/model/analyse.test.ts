import { Buffer } from "node:buffer";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fileOf, noteOf, plantedToken, workspaceOf } from "../../../test/fixtures/audit-text.ts";
import { analyse, type Analysis } from "./analyse.ts";
import { createFinding } from "./finding.ts";
import type { Workspace } from "./workspace.ts";
import { lawRuns } from "../../../test/fixtures/law-runs.ts";

const mode = { aggressive: "no", maxMemoryKb: 5 } as const;

/** `severity code path:line` of each finding. */
function told(workspace: Partial<Workspace>): readonly string[] {
  return analyse(workspaceOf(workspace), mode).findings.map(
    ({ severity, code, path, line }) => `${severity} ${code} ${path}:${line ?? ""}`,
  );
}

describe("an analysis", () => {
  test("of nothing is empty", () => {
    expect(analyse(workspaceOf(), mode)).toEqual({
      memory: { bytes: 0, characters: 0, lines: 0, tokens: 0, text: "" },
      sections: [],
      issues: [],
      duplicates: [],
      notes: [],
      findings: [],
      edits: [],
    });
  });

  test("has every kind of finding, in order", () => {
    const memory = [
      "## Adaptive",
      ...Array.from({ length: 51 }, (_, at) => `- ${at}`),
      "- one and the same",
      "- one and the same",
      "- see knowledge/gone.md",
      "## Big",
      ..."汉".repeat(160).split(""),
      "字".repeat(300),
      `${"x".repeat(5000)}`,
      `- ${plantedToken}`,
      "",
    ].join("\n");
    expect(
      told({
        memory: fileOf("MEMORY.md", memory),
        notes: [noteOf("2026-03-08", "x".repeat(30_721)), noteOf("2026-03-09", "y".repeat(8193))],
        others: [
          fileOf("knowledge/a.md", "---\nbroken\n"),
          fileOf("memory/ROOT.md", "---\n[\n---\nknowledge/gone.md\n"),
          fileOf("memory/daily/2026-03-01.md", "---\ntype: daily\n"),
          fileOf("memory/2026-03-01-standup.md", Buffer.from("x\n\xff\n", "latin1")),
        ],
        findings: [createFinding("unreadable", "USER.md", "USER.md is a folder.")],
      }),
    ).toEqual([
      "high memory_over_loader MEMORY.md:",
      "high secret_found MEMORY.md:219",
      "high unreadable USER.md:",
      "medium section_bloat MEMORY.md:56",
      "medium broken_front_matter knowledge/a.md:1",
      "medium note_over_rotation memory/2026-03-08.md:",
      "medium broken_front_matter memory/ROOT.md:2",
      "medium broken_front_matter memory/daily/2026-03-01.md:1",
      "low memory_over_max MEMORY.md:",
      "low adaptive_over_target MEMORY.md:1",
      "low duplicate_line MEMORY.md:53",
      "low dangling_reference MEMORY.md:55",
      "low not_utf8 memory/2026-03-01-standup.md:2",
      "low note_bloat memory/2026-03-09.md:",
      "low dangling_reference memory/ROOT.md:4",
    ]);
  });

  test("references are checked only in living files and ROOT.md, front matter only in generated files and knowledge", () => {
    const text = "---\nbroken\n\nknowledge/gone.md\n";
    const paths = ["MEMORY.md", "USER.md", "SCRATCHPAD.md", "WORKING.md", "TASK-QUEUE.md", "knowledge/sub/a.md"];
    const unasked = ["memory/notes.md", "memory/agents/codex/AGENT.md", "memory/2026-01-01-slug.md"];
    const others = ["memory/ROOT.md", "memory/weekly/2026-W01.md", "memory/monthly/2026-01.md", ...unasked];
    const found = told({
      memory: fileOf("MEMORY.md", text),
      others: [...paths.slice(1), ...others].map((path) => fileOf(path, text)),
      notes: [noteOf("2026-01-01", text)],
    });
    expect(found.filter((line) => line.includes("dangling"))).toEqual(
      [
        "MEMORY.md",
        "SCRATCHPAD.md",
        "TASK-QUEUE.md",
        "USER.md",
        "WORKING.md",
        "knowledge/sub/a.md",
        "memory/ROOT.md",
      ].map((path) => `low dangling_reference ${path}:4`),
    );
    expect(found.filter((line) => line.includes("front_matter"))).toEqual(
      ["knowledge/sub/a.md", "memory/ROOT.md", "memory/monthly/2026-01.md", "memory/weekly/2026-W01.md"].map(
        (path) => `medium broken_front_matter ${path}:1`,
      ),
    );
  });

  test("every memory file is checked for secrets", () => {
    const paths = ["USER.md", "knowledge/a.md", "memory/agents/codex/AGENT.md", "memory/archive/2026-01-01.full.md"];
    const text = `x\n${plantedToken}\n`;
    expect(
      told({
        memory: fileOf("MEMORY.md", text),
        notes: [noteOf("2026-01-01", text)],
        others: paths.map((path) => fileOf(path, text)),
      }),
    ).toEqual(
      ["MEMORY.md", "USER.md", "knowledge/a.md", "memory/2026-01-01.md", ...paths.slice(2)].map(
        (path) => `high secret_found ${path}:2`,
      ),
    );
  });

  test("the caller sets the size limit", () => {
    const workspace = workspaceOf({ memory: fileOf("MEMORY.md", "x".repeat(6000)) });
    expect(analyse(workspace, { ...mode, maxMemoryKb: 5 }).findings.map(({ code }) => code)).toEqual([
      "memory_over_max",
    ]);
    expect(analyse(workspace, { ...mode, maxMemoryKb: 6 }).findings).toEqual([]);
  });
});

describe("secrets are never shown", () => {
  const password = `Tr0ub${"4dor"}9`;
  const keyLine = "Zq8Wm4Xp1Lr7Ts3Vb9Nc5Hd2Jf6Kg0Yt".repeat(2);
  const key = [`-----${"BEGIN"} RSA PRIVATE KEY-----`, keyLine, `${keyLine}x`, `-----${"END"} RSA PRIVATE KEY-----`];
  const common =
    "- staging runs nginx with postgres sixteen\n- a deploy needs the vpn and a review by two\n- backups are made every night\n";

  test.each<[string, string, string]>([
    ["a token", `- the token is ${plantedToken}`, plantedToken],
    ["a token in a heading", `### About ${plantedToken}`, plantedToken],
    ["a private key", key.join("\n"), keyLine],
    ["a private key in a comment", `# ${key.join("\n# ")}`, keyLine],
    ["an assignment", `DB_PASSWORD=${password}`, password],
    ["a password as a heading", `## password: ${password}`, password],
    ["a password on the next line", `<password>\n${password}\n</password>`, password],
    ["a login in an address", `https://user:${password}@host.example/x`, password],
    ["a password in Chinese", `密码：${password}`, password],
  ])("%s: not in a duplicate, preview, heading, quote or edit", (_name, secret, part) => {
    const memory = `## One\n${secret}\n${common}${secret}\n- the end of it\n`;
    const note = `## Two\n${secret}\n${common}- another end of it\n`;
    for (const aggressive of ["yes", "no"] as const) {
      const analysis = analyse(
        workspaceOf({
          memory: fileOf("MEMORY.md", memory),
          notes: [
            noteOf("2026-03-08", note + "filler of a long note\n".repeat(1500)),
            noteOf("2026-03-09", note),
            noteOf("2026-03-10", memory),
          ],
        }),
        { aggressive, maxMemoryKb: 5 },
      );
      expect(analysis.issues.length).toBeGreaterThan(0);
      expect(analysis.findings.filter(({ code }) => code === "secret_found").length).toBeGreaterThan(3);
      expect(shown(analysis)).not.toContain(part);
    }
  });
});

const piece = fc.oneof(
  fc.constantFrom("# A\n", "## Core (Static)\n", "## Adaptive\n", "## Compaction Root\n", "### C#\n", "#### deep\n"),
  fc.constantFrom("```\n", "~~~\n", "---\n", "key: value\n", "\n", "\r\n", "\n\n\n", "\r", "\0", "\uFEFF"),
  fc.constantFrom("- one and the same line\n", "knowledge/gone.md ", "汉字かな한국어\n", "שלום عليكم ", "😀"),
  fc.constantFrom(` ${plantedToken}\n`, `password: ${plantedToken}\n`, "[REDACTED:token]\n", "x".repeat(66_000)),
  fc.string({ unit: "binary", maxLength: 12 }),
  fc.uint8Array({ maxLength: 12 }),
);
const content = fc
  .array(piece, { maxLength: 24 })
  .map((pieces) => Buffer.concat(pieces.map((part) => Buffer.from(part))));
const workspaces = fc
  .record({
    memory: content,
    old: content,
    today: content,
    user: content,
    root: content,
    knowledge: content,
    node: content,
  })
  .map(({ memory, old, today, user, root, knowledge, node }) =>
    workspaceOf({
      memory: fileOf("MEMORY.md", memory),
      notes: [noteOf("2026-03-09", old), noteOf("2026-03-10", today)],
      others: [
        fileOf("USER.md", user),
        fileOf("knowledge/a.md", knowledge),
        fileOf("memory/ROOT.md", root),
        fileOf("memory/daily/2026-03-09.md", node),
      ],
    }),
  );

/** Everything that is shown: the measured text is internal. */
function shown({ memory, ...rest }: Analysis): string {
  return JSON.stringify({ ...rest, memory: { ...memory, text: "" } });
}

describe("laws", () => {
  test("any bytes can be analysed, with the same result each time, and no secret is shown", () => {
    fc.assert(
      fc.property(workspaces, fc.constantFrom("yes", "no"), (workspace, aggressive) => {
        const analysis = analyse(workspace, { aggressive, maxMemoryKb: 1 });
        expect(analyse(structuredClone(workspace), { aggressive, maxMemoryKb: 1 })).toEqual(analysis);
        expect(shown(analysis)).not.toContain(plantedToken);
        for (const { message, path } of analysis.findings)
          expect(`${path}${message}`).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]/u);
      }),
      { numRuns: lawRuns(150) },
    );
  });

  test("every line number is in its file, and findings are sorted", () => {
    fc.assert(
      fc.property(workspaces, (workspace) => {
        const { findings } = analyse(workspace, mode);
        const files = [workspace.memory, ...workspace.notes, ...workspace.others];
        for (const { path, line, lines } of findings) {
          const bytes = files.find((file) => file?.path === path)?.bytes ?? new Uint8Array(0);
          const count = Buffer.from(bytes).toString("latin1").split("\n").length;
          const [from, to] = lines ?? [1, 1];
          expect([line ?? 1, from <= to, to <= count]).toEqual([from, true, true]);
        }
      }),
      { numRuns: lawRuns(150) },
    );
  });

  test("every finding names the right line", () => {
    const free = fc.constantFrom("text", "", "汉字", "```js\n# x\n```", "- item");
    const lineEnd = fc.constantFrom("\n", "\r\n");
    fc.assert(
      fc.property(
        fc.constantFrom("", "\uFEFF"),
        fc.array(free),
        fc.array(free),
        lineEnd,
        (mark, before, after, end) => {
          const planted = `## Planted ${plantedToken} knowledge/gone.md`;
          const lines = [...before, planted, ...after, planted, ...before].join("\n").split("\n");
          const numbers = lines.flatMap((line, index) => (line === planted ? [index + 1] : []));
          const { findings, duplicates, sections } = analyse(
            workspaceOf({ memory: fileOf("MEMORY.md", mark + lines.join(end)) }),
            mode,
          );
          const linesOf = (code: string): readonly unknown[] =>
            findings.filter((finding) => finding.code === code).map(({ line }) => line);
          expect(linesOf("secret_found")).toEqual(numbers);
          expect(linesOf("dangling_reference")).toEqual(numbers);
          expect(duplicates.map((duplicate) => duplicate.lines)).toEqual([numbers]);
          expect(sections.filter(({ level }) => level === 2).map(({ line }) => line)).toEqual(numbers);
        },
      ),
    );
  });
});
