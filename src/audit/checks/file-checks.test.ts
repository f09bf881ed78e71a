import fc from "fast-check";
import { Buffer } from "node:buffer";
import {
  checkEncoding,
  checkFrontMatter,
  checkKnowledgeReferences,
  checkNoteSize,
  checkSecrets,
  isCaptured,
  knowledgeReferences,
  measureNote,
} from "./file-checks.ts";
import { openNote, readText } from "../model/memory-text.ts";
import type { NoteAsRead } from "../model/workspace.ts";
import { fileOf, memoryOf, noteOf, plantedToken, textOfFile } from "../../../test/fixtures/audit-text.ts";
import { processorTime } from "../../../test/fixtures/processor-time.ts";
import { describe, expect, it, test } from "vitest";

const latin = (text: string): Uint8Array => Buffer.from(text, "latin1");

describe("not_utf8", () => {
  test.each([
    ["ASCII", "plain\n"],
    ["every script, emoji, NUL", "汉字 かな 한국어 שלום 😀 \0\n"],
    ["a byte order mark", "\uFEFFx\r\n"],
    ["U+FFFD itself", "\uFFFD\n"],
    ["an empty file", ""],
  ])("%s is UTF-8", (_name, content) => {
    expect(checkEncoding(fileOf("USER.md", content))).toEqual([]);
  });

  test.each([
    ["one line", "a\n\xfc\nb\n", [2, 2], "Line 2 is not UTF-8: it is kept but not compared. Save the file as UTF-8."],
    [
      "some",
      "\xfc\r\nb\r\n\xc3\r\n",
      [1, 3],
      "Lines 1 and 3 are not UTF-8: they are kept but not compared. Save the file as UTF-8.",
    ],
    [
      "a character cut off at the end",
      "a\n\xe6\xb1",
      [2, 2],
      "Line 2 is not UTF-8: it is kept but not compared. Save the file as UTF-8.",
    ],
  ])("%s: one finding per file", (_name, content, lines, message) => {
    expect(checkEncoding(fileOf("USER.md", latin(content)))).toEqual([
      { code: "not_utf8", severity: "low", path: "USER.md", line: lines[0], lines, message, resolved: false },
    ]);
  });

  test("only the first of many lines are listed", () => {
    expect(checkEncoding(fileOf("USER.md", latin("\xff\n".repeat(100))))[0]?.message).toContain("7, 8 and 92 more");
  });
});

const judgeFrontMatter = (content: string): readonly unknown[] =>
  checkFrontMatter(textOfFile("knowledge/a.md", content)).map(({ line, message }) => [line, message]);

describe("broken_front_matter", () => {
  test.each([
    ["none", "# A\ntext\n"],
    ["a rule further down", "text\n---\nbroken: [\n"],
    ["valid front matter", "---\ntype: daily\ntopics: a, b\n---\n# A\n"],
    ["with CRLF", "---\r\ntype: daily\r\n---\r\n# A\r\n"],
    ["after a byte order mark", "\uFEFF---\ntype: daily\n---\n"],
    ["empty front matter", "---\n---\n"],
    ["an empty file", ""],
  ])("%s is valid", (_name, content) => {
    expect(judgeFrontMatter(content)).toEqual([]);
  });

  test.each([
    ["front matter without an end", "---\ntype: daily\n# A\n", 1, "has no closing ---"],
    ["a key that occurs twice", "---\r\na: 1\r\nb: 2\r\na: 3\r\n---\r\n", 4, "the key a occurs twice"],
    ["an invalid line", "\uFEFF---\n{{{\n---\n", 2, "a line is not a key"],
  ])("%s is broken, and the finding has its line", (_name, content, line, said) => {
    expect(judgeFrontMatter(content)).toEqual([[line, expect.stringContaining(said)]]);
  });

  test("a quote has no secrets and is short", () => {
    const [[, message]] = judgeFrontMatter(`---\n${plantedToken}: 1\n${plantedToken}: 1\n---\n`) as [[number, string]];
    expect(message).not.toContain(plantedToken);
    const [[, long]] = judgeFrontMatter(`---\n${"k".repeat(5000)}: 1\n${"k".repeat(5000)}: 1\n---\n`) as [
      [number, string],
    ];
    expect(long.length).toBeLessThan(300);
  });

  test("has severity medium", () => {
    expect(checkFrontMatter(textOfFile("memory/ROOT.md", "---\n"))[0]).toMatchObject({
      code: "broken_front_matter",
      severity: "medium",
      path: "memory/ROOT.md",
      line: 1,
    });
  });
});

describe("references in a line", () => {
  test.each<[string, readonly string[]]>([
    ["see knowledge/a.md", ["knowledge/a.md"]],
    ["knowledge/a.md", ["knowledge/a.md"]],
    ["see knowledge/a.md.", ["knowledge/a.md"]],
    ["(knowledge/a.md), `knowledge/b.md`; **knowledge/c.md**", ["knowledge/a.md", "knowledge/b.md", "knowledge/c.md"]],
    ['[text](knowledge/a.md) and [b](./knowledge/b.md#part "title")', ["knowledge/a.md", "knowledge/b.md"]],
    ["[up](../knowledge/a.md) ../../knowledge/b.md", ["knowledge/a.md", "knowledge/b.md"]],
    ["[a](<knowledge/with spaces.md>) <knowledge/b.md>", ["knowledge/with spaces.md", "knowledge/b.md"]],
    [
      "[[knowledge/a.md]] [[knowledge/b c.md|shown]] [[knowledge/d.md#part]]",
      ["knowledge/a.md", "knowledge/b c.md", "knowledge/d.md"],
    ],
    ["[a](knowledge/with%20space.md)", ["knowledge/with space.md"]],
    [
      "knowledge/%E6%B1%89.md knowledge/50%.md knowledge/%ff.md",
      ["knowledge/汉.md", "knowledge/50%.md", "knowledge/%ff.md"],
    ],
    ["knowledge/sub/deep/a.md, knowledge/v1.2-notes_b.md", ["knowledge/sub/deep/a.md", "knowledge/v1.2-notes_b.md"]],
    ["knowledge/./a.md knowledge/sub/../b.md", ["knowledge/a.md", "knowledge/b.md"]],
    ["knowledge/../USER.md", []],
    [
      "详见knowledge/部署.md。还有 knowledge/测试.md,knowledge/c.md的说明",
      ["knowledge/部署.md", "knowledge/测试.md", "knowledge/c.md"],
    ],
    ["knowledge/目录下的文件,见knowledge/a.md", ["knowledge/a.md"]],
    ["詳細は「knowledge/メモ.md」", ["knowledge/メモ.md"]],
    ["ראו knowledge/א.md", ["knowledge/א.md"]],
    ["path=knowledge/a.md, path:knowledge/b.md", ["knowledge/a.md", "knowledge/b.md"]],
    ["https://example.com/knowledge/a.md", []],
    ["~/other/knowledge/a.md /srv/knowledge/a.md x/../knowledge/a.md", []],
    ["myknowledge/a.md my-knowledge/a.md my_knowledge/a.md", []],
    [
      "knowledge/*.md knowledge/<topic>.md knowledge/{a,b}.md knowledge/….md knowledge/...md knowledge/$a.md knowledge/?.md",
      [],
    ],
    ["knowledge/ knowledge/a knowledge/a.txt knowledge/a.md.bak knowledge/a.mdx knowledge/a.md/b", []],
    ["knowledge/ is where a.md is", []],
    ["Knowledge/a.md knowledge\\a.md", []],
    ["", []],
  ])("%s", (line, expected) => {
    expect(knowledgeReferences(line)).toEqual(expected);
  });

  test("a line of 64 KiB takes no time", () => {
    const lines = ["knowledge/", "字knowledge/", "<knowledge/a ", "[[knowledge/", "./", "%41knowledge/a%"];
    const run = (): void => {
      for (const line of lines) knowledgeReferences(line.repeat(65_536 / line.length));
    };
    expect(processorTime(500, run)).toBeLessThan(500);
  });
});

describe("dangling_reference", () => {
  const judge = (content: string, ...there: readonly string[]): readonly unknown[] =>
    checkKnowledgeReferences(memoryOf(content), new Set(there)).map(({ line, message }) => [
      line,
      message.split(" ")[0],
    ]);

  test("reports references to missing files", () => {
    expect(judge("# A\n- knowledge/a.md and knowledge/b.md\n", "knowledge/a.md")).toEqual([[2, "knowledge/b.md"]]);
    expect(judge("- knowledge/a.md\n", "knowledge/a.md")).toEqual([]);
    expect(judge("- knowledge/a.md\n", "knowledge/A.md")).toEqual([[1, "knowledge/a.md"]]);
  });

  test("is reported once per name and line", () => {
    expect(judge("knowledge/a.md knowledge/a.md\nknowledge/a.md\n")).toEqual([
      [1, "knowledge/a.md"],
      [2, "knowledge/a.md"],
    ]);
  });

  test("composed and decomposed names are equal", () => {
    const name = "knowledge/café-ü.md";
    expect(judge(name.normalize("NFC"), name.normalize("NFD"))).toEqual([]);
    expect(judge(name.normalize("NFD"), name.normalize("NFC"))).toEqual([]);
  });

  test("is not reported in fences and in the derived section", () => {
    expect(judge("```\nknowledge/a.md\n```\n~~~\nknowledge/b.md\n~~~\nknowledge/c.md\n")).toEqual([
      [7, "knowledge/c.md"],
    ]);
    expect(judge("## Compaction Root\nknowledge/a.md\n## B\nknowledge/b.md\n")).toEqual([[4, "knowledge/b.md"]]);
    expect(judge("## Core (Static)\nknowledge/a.md\n")).toEqual([[2, "knowledge/a.md"]]);
  });

  test("line numbers are right with a byte order mark and CRLF", () => {
    expect(judge("\uFEFFknowledge/a.md\r\n\r\nknowledge/b.md\r\n")).toEqual([
      [1, "knowledge/a.md"],
      [3, "knowledge/b.md"],
    ]);
  });

  test("a name that is a secret is not shown", () => {
    expect(JSON.stringify(judge(`knowledge/${plantedToken}.md\n`))).not.toContain(plantedToken);
    expect(JSON.stringify(judge(`DB_PASSWORD=knowledge/Tr0ub${"4dor"}!x.md\n`))).not.toContain("4dor");
  });

  test("has severity low and says what to do", () => {
    expect(checkKnowledgeReferences(memoryOf("x\nknowledge/a.md"), new Set())).toEqual([
      {
        code: "dangling_reference",
        severity: "low",
        path: "MEMORY.md",
        line: 2,
        lines: [2, 2],
        message: "knowledge/a.md does not exist: create it, or correct the name.",
        resolved: false,
      },
    ]);
  });
});

const begin = `-----${"BEGIN"} RSA PRIVATE KEY-----`;
const end = `-----${"END"} RSA PRIVATE KEY-----`;
const password = `Tr0ub${"4dor"}!x`;

/** `line kind` of each finding. */
function found(content: string | Uint8Array): readonly string[] {
  return checkSecrets(fileOf("USER.md", content)).map(
    ({ line, message }) => `${line} ${/\((.*?)\)/u.exec(message)?.[1]}`,
  );
}

describe("secret_found", () => {
  test("contains kind and line, never the text", () => {
    const findings = checkSecrets(fileOf("knowledge/keys.md", `# Keys\n- ${plantedToken}\n`));
    expect(findings).toEqual([
      {
        code: "secret_found",
        severity: "high",
        path: "knowledge/keys.md",
        line: 2,
        lines: [2, 2],
        message:
          "This line contains a secret (github-token): replace it where it is used, then remove it from the file.",
        resolved: false,
      },
    ]);
  });

  test.each<[string, string | Uint8Array, readonly string[]]>([
    ["LF", `a\nb\n${plantedToken}`, ["3 github-token"]],
    ["CRLF", `a\r\nb\r\n${plantedToken}\r\n`, ["3 github-token"]],
    ["a byte order mark", `\uFEFF${plantedToken}\n`, ["1 github-token"]],
    ["a byte order mark before an assignment", `\uFEFFDB_PASSWORD=${password}\n`, ["1 password"]],
    ["inside a fence", `\`\`\`\nDB_PASSWORD=${password}\n\`\`\`\n`, ["2 password"]],
    ["in front matter", `---\ntoken: ${plantedToken}\n---\n`, ["2 github-token"]],
    ["a private key is one", `x\n${begin}\n${"Ab3".repeat(21)}\n${end}\n`, ["2 private-key"]],
    ["twice the same kind on a line is one", `${plantedToken} ${plantedToken}`, ["1 github-token"]],
    ["two lines are two", `${plantedToken}\n${plantedToken}`, ["1 github-token", "2 github-token"]],
    ["next to invalid UTF-8", Buffer.from(`\xff\xfe\n\xff ${plantedToken}\n`, "latin1"), ["2 github-token"]],
    ["after NUL", `\0\0\n\0${plantedToken}\n`, ["2 github-token"]],
    ["in a very long line", `${"word ".repeat(40_000)}${plantedToken}\n`, ["1 github-token"]],
    ["none", "# Nothing\n- the password policy asks for 12 characters\n", []],
    ["an empty file", "", []],
  ])("%s", (_name, content, expected) => {
    expect(found(content)).toEqual(expected);
  });

  test.each([
    "[REDACTED:github-token]",
    "password: [REDACTED:password]",
    "DB_PASSWORD=[REDACTED:made-up-kind]",
    "token = '[REDACTED:a]'",
    "the password is [REDACTED:password].",
    "[redacted:password]",
    "https://user:[REDACTED:password]@host/",
    "password: [REDACTED]",
    "[REDACTED:[REDACTED:token]]",
    "密码：[REDACTED:password]",
  ])("a redaction mark, or something like it, is not a secret: %s", (line) => {
    expect(found(`${line}\n`)).toEqual([]);
  });

  test("a mark does not hide a secret next to it", () => {
    expect(found(`[REDACTED:token] ${plantedToken}\n`)).toEqual(["1 github-token"]);
  });

  test("the line number is right with any line ends", () => {
    const end = fc.constantFrom("\n", "\r\n");
    const line = fc.constantFrom("", "text", "# A", "```", "汉字", "---", plantedToken);
    fc.assert(
      fc.property(fc.constantFrom("", "\uFEFF"), fc.array(line), end, (mark, lines, lineEnd) => {
        const expected = lines.flatMap((text, index) => (text === plantedToken ? [`${index + 1} github-token`] : []));
        expect(found(mark + lines.join(lineEnd))).toEqual(expected);
      }),
    );
  });

  test("the advice for a part of a shortened log is to undo the audit first", () => {
    const bytes = Buffer.from("- password: hunter2secret99x\n");
    const [part] = checkSecrets({ path: "memory/archive/2026-02-02.full-2.md", bytes });
    expect(part?.message).toContain("must not change");
    expect(part?.message).not.toContain("remove it from the file");
    expect(checkSecrets({ path: "memory/archive/old.md", bytes })[0]?.message).toContain("remove it from the file");
  });
});

const today = "2026-03-10";

function judgeNote(note: NoteAsRead): readonly unknown[] {
  const noteText = { note, text: readText(note) };
  const figures = measureNote(noteText, today);
  return [figures?.over, figures === undefined ? [] : checkNoteSize(noteText, figures).map(({ code }) => code)];
}

const bytes = (count: number): string => "x".repeat(count);

describe("the size of a note", () => {
  test.each<[string, string, number, readonly unknown[]]>([
    ["8 KiB of an old note", "2026-03-09", 8192, [undefined, []]],
    ["one byte more", "2026-03-09", 8193, ["bloat", ["note_bloat"]]],
    ["30 KiB of an old note", "2026-03-09", 30_720, ["bloat", ["note_bloat"]]],
    ["one byte more than 30 KiB", "2026-03-09", 30_721, ["rotation", ["note_over_rotation"]]],
    ["today's note never rotates", today, 30_721, ["bloat", ["note_bloat"]]],
    ["nor does tomorrow's", "2026-03-11", 30_721, ["bloat", ["note_bloat"]]],
    ["a small note of today", today, 8192, [undefined, []]],
    ["an empty note", "2026-03-09", 0, [undefined, []]],
  ])("%s", (_name, day, count, expected) => {
    expect(judgeNote(noteOf(day, bytes(count)))).toEqual(expected);
  });

  test("bytes count, not characters", () => {
    expect(judgeNote(noteOf("2026-03-09", "汉".repeat(2731)))).toEqual(["bloat", ["note_bloat"]]);
  });

  test("only the own text of a shortened note counts", () => {
    const shortened = { state: "shortened", ownFrom: 1000 } as const;
    expect(judgeNote(noteOf("2026-03-09", bytes(9192), shortened))).toEqual([null, []]);
    expect(judgeNote(noteOf("2026-03-09", bytes(9193), shortened))).toEqual(["bloat", ["note_bloat"]]);
    expect(judgeNote(noteOf("2026-03-09", bytes(31_720), shortened))).toEqual(["bloat", ["note_bloat"]]);
    expect(judgeNote(noteOf("2026-03-09", bytes(31_721), shortened))).toEqual(["rotation", ["note_over_rotation"]]);
  });

  test("a shortened note is listed whatever its size", () => {
    const note = noteOf("2026-03-09", bytes(50), { state: "shortened", ownFrom: 40 });
    expect(measureNote({ note, text: readText(note) }, today)).toEqual({
      path: "memory/2026-03-09.md",
      bytes: 10,
      over: null,
      captured: false,
      shortened: true,
    });
  });

  test("a note whose summary was edited is measured as a whole and must be moved by hand", () => {
    const note = noteOf("2026-03-09", bytes(30_721), { state: "edited", ownFrom: 0 });
    expect(judgeNote(note)).toEqual(["rotation", ["note_over_rotation"]]);
    const text = readText(note);
    const figures = measureNote({ note, text }, today);
    const [finding] = figures === undefined ? [] : checkNoteSize({ note, text }, figures);
    expect(finding?.message).toContain("move it by hand");
  });

  test("captured notes are in the figures but not in the findings", () => {
    const note = noteOf("2026-03-09", bytes(40_000));
    const text = readText(note);
    const figures = { path: note.path, bytes: 40_000, over: "rotation", captured: true, shortened: false } as const;
    expect(checkNoteSize({ note, text }, figures)).toEqual([]);
  });

  test("the finding is about the whole file and says what helps", () => {
    const note = noteOf("2026-03-09", bytes(30_721));
    const text = readText(note);
    const figures = measureNote({ note, text }, today);
    expect(figures === undefined ? [] : checkNoteSize({ note, text }, figures)).toEqual([
      {
        code: "note_over_rotation",
        severity: "medium",
        path: "memory/2026-03-09.md",
        line: null,
        lines: null,
        message:
          "The note has 30721 bytes; the limit is 30720: `heartwood audit --aggressive --apply` moves it to memory/archive/ and leaves a summary.",
        resolved: false,
      },
    ]);
  });
});

const entry = (id: string, body = "- said\n"): string =>
  `## Transcript [general]\n<!-- hw id=${id} at=2026-03-01T10:00:00+01:00 origin=agent -->\n${body}\n`;

it.each([
  ["one captured entry", entry("capture-1"), true],
  [
    "a title and entries",
    `# 2026-03-01\n\n${entry("capture-1")}${entry("capture-2", "### Deep\n```\n## no heading\n```\n# Own title\n")}`,
    true,
  ],
  ["CRLF and a byte order mark", `\u{FEFF}# 2026-03-01\n\n${entry("capture-1")}`.replaceAll("\n", "\r\n"), true],
  ["no entries", "# 2026-03-01\n\n", false],
  ["nothing", "", false],
  ["an entry by a person", entry("capture-1") + entry("01ABC"), false],
  ["a heading without comment", `${entry("capture-1")}## Notes\n- mine\n`, false],
  ["text before the entries", `# 2026-03-01\n- mine\n${entry("capture-1")}`, false],
  ["two titles", `# 2026-03-01\n# Again\n${entry("capture-1")}`, false],
  ["front matter", `---\nkey: value\n---\n${entry("capture-1")}`, false],
  [
    "a comment that is not below its heading",
    `## A\n\n<!-- hw id=capture-1 at=2026-03-01T10:00:00+01:00 origin=agent -->\n`,
    false,
  ],
])("%s", (_name, text, expected) => {
  expect(isCaptured(openNote(noteOf("2026-03-01", text)))).toBe(expected);
});
