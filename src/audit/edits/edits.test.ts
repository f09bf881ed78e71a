import fc from "fast-check";
import { Buffer } from "node:buffer";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { sha256 } from "../../base/digest.ts";
import { findRedundantSections } from "../checks/redundant-sections.ts";
import { readText, type NoteText, firstOwnLine } from "../model/memory-text.ts";
import { proposeEdits } from "../model/analyse.ts";
import type { NoteAsRead } from "../model/workspace.ts";
import { bytesAfter } from "../run/write-changes.ts";
import { rotationSummary } from "../../tree/model/moved-format.ts";

const today = "2026-03-10";
const facts = "- one two three four\n- five six seven eight\n- nine ten eleven twelve\n";

describe("what is removed from a note", () => {
  /** The note after a normal audit. */
  const cut = (memory: string, note: string, more: Partial<NoteAsRead> = {}): string => run({ memory, note, more })[0];

  it.each([
    [
      "a copied section is removed with its heading",
      `## Facts\n${facts}`,
      `# Day\n\n## Facts\n${facts}\n## Own\n- mine\n`,
      "# Day\n\n## Own\n- mine\n",
    ],
    [
      "a heading that is not in MEMORY.md stays",
      `## Facts\n${facts}`,
      `## Again\n${facts}\n## Own\n- mine\n`,
      "## Again\n\n## Own\n- mine\n",
    ],
    [
      "a repeated heading is removed, the first stays",
      `## Facts\n${facts}`,
      `## Log\n${facts}\n## Log\n${facts}\n## Own\n- mine\n`,
      "## Log\n\n## Own\n- mine\n",
    ],
    [
      "a line that is not in MEMORY.md stays, and so does its heading",
      `## Facts\n${facts}`,
      `## Facts\n- one two three four\n- Decision: Frankfurt\n${facts}`,
      "## Facts\n- Decision: Frankfurt\n",
    ],
    [
      "a heading with a deeper section stays",
      `## Facts\n${facts}`,
      `## Facts\n${facts}\n### Own\n- mine\n`,
      "## Facts\n\n### Own\n- mine\n",
    ],
    [
      "a heading is removed with its deeper section",
      `## Facts\n${facts}### Deep\n${facts}- more\n`,
      `## Facts\n${facts}\n### Deep\n${facts}\n# Own\n`,
      "# Own\n",
    ],
    [
      "a heading of level 4 stays above remaining lines",
      `## Facts\n${facts}#### Deep\n`,
      `## Facts\n${facts}#### Deep\n- mine\n`,
      "## Facts\n#### Deep\n- mine\n",
    ],
    [
      "marks of headings, items and emphasis are ignored",
      `## Facts\n${facts}`,
      "## Facts\n* one two three four\n**five six seven eight**\n  + __nine ten eleven twelve__  \n**Facts\n",
      "",
    ],
    [
      "checkboxes, numbers and quote marks are text",
      `## Facts\n${facts}`,
      "## Facts\n- [x] one two three four\n1. five six seven eight\n> nine ten eleven twelve\n",
      "## Facts\n- [x] one two three four\n1. five six seven eight\n> nine ten eleven twelve\n",
    ],
    [
      "case and inner spaces matter",
      `## Facts\n${facts}`,
      "## Facts\n- One two three four\n- five  six seven eight\n- nine ten eleven twelve\n",
      "## Facts\n- One two three four\n- five  six seven eight\n",
    ],
    [
      "a fence stays with its contents",
      `## Facts\n${facts}`,
      `## Facts\n\`\`\`\n${facts}\`\`\`\n${facts}`,
      `## Facts\n\`\`\`\n${facts}\`\`\`\n`,
    ],
    [
      "a closed fence stays, even if an unclosed one makes its end doubtful",
      `## Facts\n${facts}`,
      `## Facts\n${facts}\`\`\`js\n## Facts\n${facts}\`\`\`\n\n\`\`\`\n## Open\n- mine\n`,
      `## Facts\n\`\`\`js\n## Facts\n${facts}\`\`\`\n\n\`\`\`\n## Open\n- mine\n`,
    ],
    [
      "the Core of a note stays",
      `## Core (Static)\n${facts}`,
      `## Core (Static)\n${facts}`,
      `## Core (Static)\n${facts}`,
    ],
    [
      "lines that are only in the derived section stay",
      `## Facts\n${facts}## Compaction Root\n- thirteen\n`,
      `## Facts\n${facts}- thirteen\n`,
      "## Facts\n- thirteen\n",
    ],
    [
      "blank lines that become adjacent are merged",
      `## Facts\n${facts}`,
      `## Own\n- mine\n\n${facts}\n- two\n`,
      `## Own\n- mine\n\n- two\n`,
    ],
    [
      "blank lines that were already adjacent stay",
      `## Facts\n${facts}`,
      `${facts}\n\n\n# Own\n- mine\n\n\n- two\n`,
      "# Own\n- mine\n\n\n- two\n",
    ],
    [
      "a file without a final line end stays without",
      `## Facts\n${facts}`,
      `# Own\n- mine\n\n## Facts\n${facts.trimEnd()}`,
      "# Own\n- mine",
    ],
    [
      "a note stays if a frozen line would lose its line end",
      `## Facts\n${facts}`,
      `## Facts\n${facts}\`\`\`\ncode\n\`\`\`\n- one two three four`,
      `## Facts\n${facts}\`\`\`\ncode\n\`\`\`\n- one two three four`,
    ],
    [
      "byte order mark and CRLF stay",
      `## Facts\n${facts}`,
      `\u{FEFF}# Day\r\n\r\n## Facts\r\n${facts.replaceAll("\n", "\r\n")}\r\n# Own\r\n`,
      "\u{FEFF}# Day\r\n\r\n# Own\r\n",
    ],
    [
      "an entry's comment is removed with its heading",
      `## Facts\n${facts}`,
      `## Facts\n<!-- hw id=01A at=2026-03-01T10:00:00+01:00 origin=user -->\n${facts}\n## Own\n`,
      "## Own\n",
    ],
    [
      "an entry's comment stays with its heading",
      `## Facts\n${facts}`,
      `## Facts\n<!-- hw id=01A at=2026-03-01T10:00:00+01:00 origin=user -->\n${facts}- mine\n`,
      "## Facts\n<!-- hw id=01A at=2026-03-01T10:00:00+01:00 origin=user -->\n- mine\n",
    ],
    [
      "an entry's comment stays even if it is in MEMORY.md",
      `## Facts\n<!-- hw id=01A at=2026-03-01T10:00:00+01:00 origin=user -->\n${facts}`,
      `## Again\n<!-- hw id=01A at=2026-03-01T10:00:00+01:00 origin=user -->\n${facts}`,
      "## Again\n<!-- hw id=01A at=2026-03-01T10:00:00+01:00 origin=user -->\n",
    ],
    [
      "a note stays if Core would grow by a blank line",
      `## Facts\n${facts}`,
      `## Core (Static)\n- mine\n## Facts\n${facts}\n## Own\n- two\n`,
      `## Core (Static)\n- mine\n## Facts\n${facts}\n## Own\n- two\n`,
    ],
    [
      "a note stays if a heading that ends an open fence would be removed",
      `## Facts\n${facts}`,
      `\`\`\`\ncode\n## Facts\n${facts}# Own\n- two\n`,
      `\`\`\`\ncode\n## Facts\n${facts}# Own\n- two\n`,
    ],
    [
      "a note stays if a rule would become front matter",
      `## Facts\n${facts}`,
      `${facts}---\nkey: value\n---\n`,
      `${facts}---\nkey: value\n---\n`,
    ],
  ])("%s", (_name, memory, note, expected) => expect(cut(memory, note)).toBe(expected));

  it("medium similarity removes nothing", () => {
    const [after, edits] = run({ memory: `## Facts\n${facts}`, note: `## Facts\n${facts}- aa bb cc dd ee ff\n` });
    expect(edits).toEqual([]);
    expect(after).toContain("- one two");
  });

  it("today's note is cut too, but not a summary or an edited note", () => {
    const note = `## Facts\n${facts}`;
    expect(cut(note, note, { day: today })).toBe("");
    expect(cut(note, note, { state: "edited" })).toBe(note);
    expect(cut(note, note, { state: "shortened", ownFrom: Buffer.byteLength(note) })).toBe(note);
    expect(cut(note, `> sum\n${facts}`, { state: "shortened", ownFrom: 6 })).toBe("> sum\n");
  });
});

describe("what is removed from MEMORY.md", () => {
  const compress = (memory: string): string => {
    const text = readText({ path: "MEMORY.md", bytes: Buffer.from(memory) });
    const [edit] = proposeEdits({ memory: text, notes: [], today, mode: { aggressive: "yes", maxMemoryKb: 5 } });
    return edit === undefined ? memory : Buffer.from(bytesAfter(edit, text.bytes, "")).toString();
  };

  it.each([
    ["10 characters stay", "- 34567890\n- 34567890\n", "- 34567890\n- 34567890\n"],
    ["11 characters are removed", "- 345678901\n- 345678901\n", "- 345678901\n"],
    ["characters count, not code units", "- 345678🚀🚀\n- 345678🚀🚀\n", "- 345678🚀🚀\n- 345678🚀🚀\n"],
    ["11 emoji are removed", "用户偏好简洁的回答默认使\n用户偏好简洁的回答默认使\n", "用户偏好简洁的回答默认使\n"],
    ["surrounding blanks do not count", "   - 3456789   \n   - 3456789   \n", "   - 3456789   \n   - 3456789   \n"],
    ["a line in another case stays", "- one two three\n- One two three\n", "- one two three\n- One two three\n"],
    [
      "a line with another indentation stays",
      "- one two three\n  - one two three\n",
      "- one two three\n  - one two three\n",
    ],
    ["line ends are ignored", "- one two three\r\n- one two three\n", "- one two three\r\n"],
    ["headings stay", "## A heading again\n## A heading again\n", "## A heading again\n## A heading again\n"],
    [
      "rules stay",
      "a\n\n---------------\n\n---------------\n\n* * * * * * * *\n\n* * * * * * * *\n",
      "a\n\n---------------\n\n---------------\n\n* * * * * * * *\n\n* * * * * * * *\n",
    ],
    ["table rows stay", "| one | two | 3 |\n| one | two | 3 |\n", "| one | two | 3 |\n| one | two | 3 |\n"],
    [
      "table rows without outer pipes stay",
      "name | what it is\n--- | ---\nsame row | again\nsame row | again\n",
      "name | what it is\n--- | ---\nsame row | again\nsame row | again\n",
    ],
    [
      "fences stay and do not count",
      "```\n- one two three\n- one two three\n\n\n```\n- one two three\n",
      "```\n- one two three\n- one two three\n\n\n```\n- one two three\n",
    ],
    [
      "the Core stays and counts",
      "## Core (Static)\n- one two three\n- one two three\n\n\n## Own\n- one two three\n",
      "## Core (Static)\n- one two three\n- one two three\n\n\n## Own\n",
    ],
    [
      "the derived section stays and does not count",
      "## Compaction Root\n- one two three\n- one two three\n## Own\n- one two three\n",
      "## Compaction Root\n- one two three\n- one two three\n## Own\n- one two three\n",
    ],
    [
      "front matter stays and does not count",
      "---\ndescription: one\n---\ndescription: one\n",
      "---\ndescription: one\n---\ndescription: one\n",
    ],
    ["the first of a run of blank lines stays", "a\n \n\n\nb\n\nc\n", "a\n \nb\n\nc\n"],
    ["blank lines separated by a repeated line", "- one two three\n\n- one two three\n\nb\n", "- one two three\n\nb\n"],
    ["without a final line end", "- one two three\n\n- one two three", "- one two three"],
    ["a byte order mark", "\u{FEFF}- one two three\r\n- one two three\r\n", "\u{FEFF}- one two three\r\n"],
  ])("%s", (_name, memory, expected) => {
    expect(compress(memory)).toBe(expected);
    expect(compress(expected)).toBe(expected);
  });

  it("notes are compared with the compressed MEMORY.md", () => {
    const memory = `## Facts\n${facts}\n## Other\n${facts}- aa bb cc dd ee ff gg hh ii jj kk ll mm nn oo pp qq\n`;
    const note = `## Other\n- aa bb cc dd ee ff gg hh ii jj kk ll mm nn oo pp qq\n`;
    expect(run({ memory, note })[1]).toEqual([]);
    expect(run({ memory, note, aggressive: "yes" })[0]).toBe("");
  });
});

describe("rotation", () => {
  const filled = (bytes: number): string => `# Day\n${"x".repeat(bytes - 7)}\n`;
  const kinds = (bytes: number, more: Partial<NoteAsRead> = {}, aggressive: "yes" | "no" = "yes"): readonly string[] =>
    run({ memory: "", note: filled(bytes), more, aggressive })[1].map((edit) => edit.change.kind);

  it("moves a note of more than 30 × 1024 bytes, before today", () => {
    expect([30_720, 30_721].map((bytes) => kinds(bytes))).toEqual([[], ["rotated"]]);
    expect(["2026-03-09", today, "2026-03-11"].map((day) => kinds(40_000, { day }))).toEqual([["rotated"], [], []]);
    expect(kinds(40_000, {}, "no")).toEqual([]);
    expect(kinds(40_000, { state: "edited" })).toEqual([]);
  });

  it("is done once", () => {
    const summary = Buffer.from(summaryOf(Buffer.from(filled(40_000)))).toString();
    const more = { state: "shortened" as const, ownFrom: Buffer.byteLength(summary) };
    expect(run({ memory: filled(40_000), note: summary, more, aggressive: "yes" })[1]).toEqual([]);
    const again = { memory: "", note: summary + filled(40_000), more, aggressive: "yes" as const };
    expect(run(again)[1].map((edit) => edit.change.kind)).toEqual(["rotated"]);
  });

  it("counts only the own text", () => {
    expect(kinds(40_000, { state: "shortened", ownFrom: 40_000 - 30_720 })).toEqual([]);
    expect(kinds(40_000, { state: "shortened", ownFrom: 40_000 - 30_721 })).toEqual(["rotated"]);
  });

  it("leaves captured notes alone, and does not cut a note that it moves", () => {
    const id = "capture-1";
    const entry = `## A\n<!-- hw id=${id} at=2026-03-01T10:00:00+01:00 origin=agent -->\n${"x".repeat(40_000)}\n`;
    expect(run({ memory: "", note: entry, aggressive: "yes" })[1]).toEqual([]);
    const [, edits] = run({
      memory: `## Facts\n${facts}`,
      note: `## Facts\n${facts}${filled(40_000)}`,
      aggressive: "yes",
    });
    expect(edits.map(({ change, actions }) => [change.kind, actions.map(({ lines }) => lines)])).toEqual([
      ["rotated", [[[1, 6]]]],
    ]);
  });

  it("keeps the beginning, redacted: ten lines of 200 characters", () => {
    const secret = `AKIA${"ABCDEFGH12345678"}`;
    const lines = [
      "# 2026-03-01",
      "",
      `- key ${secret}`,
      "🚀".repeat(300),
      "```",
      ...Array.from({ length: 20 }, (_, at) => `- ${at}`),
    ];
    const text = Buffer.from(summaryOf(Buffer.from(lines.join("\n")))).toString();
    expect(text).not.toContain(secret);
    expect(text.split("\n")).toEqual([
      "# 2026-03-01",
      "",
      "> This log was moved to memory/archive/2026-03-01.full.md by heartwood audit.",
      `> size: ${Buffer.byteLength(lines.join("\n"))} bytes`,
      `> sha256: ${sha256(lines.join("\n"))}`,
      ">",
      "> It begins:",
      ">",
      "> # 2026-03-01",
      "> - key [REDACTED:aws-access-token]",
      `> ${"🚀".repeat(200)}`,
      "> ```",
      ...Array.from({ length: 6 }, (_, at) => `> - ${at}`),
    ]);
  });

  it("keeps byte order mark, line ends and final line end, and its summary is not the note's own text", () => {
    const line = fc.constantFrom(
      "- said",
      "",
      "  ",
      "## Log",
      "```",
      "---",
      "# Core (Static)",
      "用户",
      "\u0000",
      "<!-- hw id=1",
    );
    const shape = fc.record({
      mark: fc.constantFrom("", "\u{FEFF}"),
      end: fc.constantFrom("\n", "\r\n"),
      last: fc.constantFrom("yes", "no"),
    });
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 20 }), shape, ([...lines], { mark, end, last }) => {
        const log = Buffer.from(mark + lines.join(end) + end + (last === "yes" ? end : "- last"));
        const summary = Buffer.from(summaryOf(log));
        expect(Buffer.from(summaryOf(log)).equals(summary)).toBe(true);
        expect(summary.toString().startsWith("\u{FEFF}")).toBe(mark !== "");
        expect(summary.toString().endsWith(end)).toBe(last === "yes");
        expect(
          summary
            .toString()
            .split("\n")
            .slice(0, -1)
            .every((text) => text.endsWith("\r") === (end === "\r\n")),
        ).toBe(true);
        const after = Buffer.concat([summary, Buffer.from(`${last === "yes" ? "" : end}## Later${end}- more${end}`)]);
        const text = readText({ path: "memory/2026-03-01.md", bytes: after });
        const own = firstOwnLine({ note: noteOf(after, { state: "shortened", ownFrom: summary.length }).note, text });
        expect(text.lines.slice(own).map((found) => [found.text, found.kind, found.part])).toEqual([
          ["## Later", "heading", "free"],
          ["- more", "text", "free"],
        ]);
        expect(text.lines.slice(0, own).filter(({ kind }) => kind !== "text")).toHaveLength(1);
      }),
    );
  });

  it("shows no text that is not UTF-8, and no private key that ends after the tenth line", () => {
    const key = [
      "-----BEGIN PRIVATE KEY-----",
      ...Array.from({ length: 12 }, (_, at) => `MIIEvQIBADANBgkqhkiG9w0BAQEFAASC${at}`),
      "-----END PRIVATE KEY-----",
    ];
    const log = Buffer.concat([Buffer.from([0xff, 0xfe, 10]), Buffer.from(`${key.join("\n")}\n`)]);
    const text = Buffer.from(summaryOf(log)).toString();
    expect(text).not.toContain("MIIEvQ");
    expect(text).not.toContain("\u{FFFD}");
    expect(text.split("\n").filter((line) => line.includes("REDACTED"))).toHaveLength(10);
  });
});

const shared = process.env["HEARTWOOD_SHARED"] ?? join(process.cwd(), "../shared");
const sample = join(shared, "data/audit-sample");
if (!existsSync(sample))
  console.warn(`NOT RUN: there is no audit sample at ${sample}; give a folder with HEARTWOOD_SHARED`);

describe.skipIf(!existsSync(sample))("the audit sample", () => {
  const memory = (): ReturnType<typeof readText> =>
    readText({ path: "MEMORY.md", bytes: readFileSync(join(sample, "workspace/MEMORY.md")) });
  const notes = (): readonly NoteText[] =>
    readdirSync(join(sample, "workspace/memory"))
      .filter((name) => /^2026-01-\d\d\.md$/.test(name))
      .map((name) => {
        const bytes = readFileSync(join(sample, "workspace/memory", name));
        return noteOf(bytes, { path: `memory/${name}`, day: name.slice(0, 10) });
      });

  it("has five copies, at least as similar as expected", () => {
    const found = findRedundantSections(memory(), notes());
    expect(found.map(({ file, section, severity, lines }) => [file, section, severity, lines[0]])).toEqual([
      ["2026-01-01.md", "Full copy", "high", 3],
      ["2026-01-02.md", "Accounts", "high", 3],
      ["2026-01-02.md", "用户偏好", "high", 8],
      ["2026-01-03.md", "Log", "high", 5],
      ["2026-01-06.md", "header", "high", 1],
    ]);
    const known = JSON.parse(readFileSync(join(sample, "known-implementation.dry.json"), "utf8")) as {
      readonly cross_file_issues: readonly {
        readonly file: string;
        readonly similarity: number;
        readonly shared_tokens: number;
      }[];
    };
    for (const { file, similarity, shared_tokens } of known.cross_file_issues) {
      const own = found.find((issue) => issue.file === file);
      expect(own?.similarity).toBeGreaterThanOrEqual(similarity);
      expect(own?.shared_tokens).toBeGreaterThanOrEqual(shared_tokens);
    }
  });

  it("loses its copies and nothing else", () => {
    const all = notes();
    const edits = proposeEdits({ memory: memory(), notes: all, today, mode: { aggressive: "no", maxMemoryKb: 5 } });
    const after = edits.map((edit) => {
      const note = all.find(({ note: { path } }) => path === edit.path)?.note;
      return [edit.path, Buffer.from(bytesAfter(edit, note?.bytes ?? new Uint8Array(0), "")).toString()];
    });
    expect(after).toEqual([
      [
        "memory/2026-01-01.md",
        "# 2026-01-01\n\n## Full copy\n\n## Unique\n- Talked to Bob about the quarterly budget and agreed on 42000 euros\n- Decision: ship v2 on February 3\n",
      ],
      [
        "memory/2026-01-02.md",
        "# 2026-01-02\n\n## Work log\n- Fixed bug 1234 in the parser\n- Reviewed pull request 77\n",
      ],
      [
        "memory/2026-01-03.md",
        "## Log\n- UNIQUE decision: move the database to Frankfurt in March\n- UNIQUE action: Alice renews the TLS certificate\n\n## Tail\n- something else entirely different\n",
      ],
      ["memory/2026-01-06.md", ""],
    ]);
  });
});

interface Case {
  readonly memory: string;
  readonly note: string;
  readonly more?: Partial<NoteAsRead>;
  readonly aggressive?: "yes" | "no";
}

/** The note after an audit, and the edits of notes. */
function run({ memory, note, more = {}, aggressive = "no" }: Case): [string, ReturnType<typeof proposeEdits>] {
  const own = noteOf(Buffer.from(note), more);
  const read = readText({ path: "MEMORY.md", bytes: Buffer.from(memory) });
  const edits = proposeEdits({ memory: read, notes: [own], today, mode: { aggressive, maxMemoryKb: 5 } });
  const ofNotes = edits.filter(({ path }) => path !== "MEMORY.md");
  const edit = ofNotes[0];
  return [Buffer.from(edit === undefined ? own.note.bytes : bytesAfter(edit, own.note.bytes, "")).toString(), ofNotes];
}

function noteOf(bytes: Uint8Array, more: Partial<NoteAsRead>): NoteText {
  const day = "2026-03-01";
  const note = {
    path: `memory/${day}.md`,
    bytes,
    sha256: sha256(bytes),
    stamp: "",
    day,
    state: "whole" as const,
    ownFrom: 0,
    ...more,
  };
  return { note, text: readText(note) };
}

function summaryOf(bytes: Uint8Array): Uint8Array {
  return rotationSummary({ path: "memory/2026-03-01.md", bytes, part: "memory/archive/2026-03-01.full.md" });
}
