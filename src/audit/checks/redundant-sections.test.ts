import fc from "fast-check";
import { Buffer } from "node:buffer";
import { compareWith, findRedundantSections, matchSections } from "./redundant-sections.ts";
import {
  type MemoryText,
  type NoteText,
  comparedText,
  numberOf,
  numberTokens,
  piecesOf,
  readText,
  tokensOf,
} from "../model/memory-text.ts";
import { decodeLoosely } from "../model/shown-text.ts";
import type { NoteAsRead } from "../model/workspace.ts";
import { describe, expect, it } from "vitest";

describe("tokens", () => {
  const of = (text: string): number => tokensOf(text).size;

  it.each([
    ["a b c", 0],
    ["ab a_b AB _a 1 12", 4],
    ["用户偏好", 3],
    ["用", 1],
    ["用 户", 2],
    ["use用户ok", 3],
    ["デプロイ サーバー", 6],
    ["배포 전에", 2],
    ["Не развёртывать в пятницу", 4],
    ["café CAFÉ cafe", 2],
    ["لا ننشر يوم", 3],
    ["👍 … — ***", 0],
    ["\u{20000}\u{20001}\u{20002}", 2],
    ["", 0],
  ])("%j has %i", (text, count) => expect(of(text)).toBe(count));

  it("equal those found by simple patterns, in any mixture of scripts", () => {
    fc.assert(
      fc.property(scripts, scripts, (first, second) => {
        const [a, b] = [tokensOf(first), tokensOf(second)];
        const [setA, setB] = [readTokens(first), readTokens(second)];
        expect([a.size, b.size]).toEqual([setA.size, setB.size]);
        const shared = (one: ReadonlySet<string>, two: ReadonlySet<string>): number =>
          [...one].filter((token) => two.has(token)).length;
        expect(shared(b, a)).toBe(shared(setB, setA));
      }),
      { numRuns: 500 },
    );
  });

  it("have the numbers that a text is screened by", () => {
    const numbersOf = (text: string): ReadonlySet<number> => {
      const numbers = new Set<number>();
      numberTokens(text, (number) => numbers.add(number));
      return numbers;
    };
    const any = fc.oneof(scripts, fc.string({ unit: "binary" }), fc.string({ unit: "grapheme" }));
    fc.assert(
      fc.property(any, (text) => {
        expect(numbersOf(text)).toEqual(new Set([...tokensOf(text)].map(numberOf)));
      }),
      { numRuns: 1000 },
    );
  });
});

describe("pieces of a text", () => {
  it("contain each section as a whole", () => {
    const lines = fc.constantFrom(
      "# a1 b1",
      "## a2",
      "###\ta3",
      "#### a4",
      "#a5",
      "#",
      "# a6\u2028b6",
      "a7\r# b7",
      "#\ra8",
      "# a9\r",
      "\r",
      "",
      "```",
      "~~~ md",
      "  ```",
      "---",
      "key: b1",
      "<<<<<<< c1",
      "||||||| c2",
      "=======",
      ">>>>>>> c3",
      "\ufeff# c4",
      "word c5",
      "汉字 😀",
      "<!-- hw id=1 at=2026-03-01T10:00:00+01:00 origin=agent -->",
      "\u2029# c6",
      " # c7",
    );
    const ends = fc.constantFrom("\n", "\r\n");
    fc.assert(
      fc.property(fc.array(fc.tuple(lines, ends), { maxLength: 14 }), (all) => {
        const text = read("memory/2026-03-01.md", all.flat().join(""));
        const pieces = piecesOf(decodeLoosely(text.bytes)).map(tokensOf);
        for (const section of text.sections) {
          const tokens = [...tokensOf(comparedText(text, section))];
          expect(pieces.some((piece) => tokens.every((token) => piece.has(token)))).toBe(true);
        }
      }),
      { numRuns: 3000 },
    );
  });
});

describe("comparing with MEMORY.md", () => {
  it("equals set arithmetic over all sections and the whole file", () => {
    const words = fc.array(fc.constantFrom(...Array.from({ length: 14 }, (_, index) => `w${index}`)), {
      maxLength: 14,
    });
    fc.assert(
      fc.property(fc.array(words, { minLength: 1, maxLength: 5 }), words, (sections, note) => {
        const memory = read(
          "MEMORY.md",
          sections.map((own, index) => `## ${"abc"[index] ?? "d"}\n${own.join(" ")}\n`).join(""),
        );
        const found = compareWith(memory)(tokensOf(note.join(" ")));
        const all = [...memory.sections.map((section) => comparedText(memory, section)), sections.flat().join(" ")];
        const scores = all
          .map((text) => jaccard(readTokens(note.join(" ")), readTokens(text)))
          .map(({ shared, similarity }) => (shared > 5 ? similarity : 0));
        const best = Math.max(...scores);
        expect(found?.similarity ?? 0).toBe(best);
        if (best > 0) expect(found?.section).toBe(memory.sections[scores.indexOf(best)]);
      }),
    );
  });

  it("prefers the first section, and a section over the whole file, if similarities are equal", () => {
    const words = "one two three four five six seven";
    const found = (memory: string): string | undefined =>
      compareWith(read("MEMORY.md", memory))(tokensOf(words))?.section?.heading;
    expect(found(`# A\n${words}\n# B\n${words}\n`)).toBe("A");
    expect(found(`# A\n${words}\n`)).toBe("A");
  });

  it("leaves out the derived section on both sides", () => {
    const lines = "- one two three four five six seven\n";
    const derived = `## Compaction Root\n${lines}### Below\n${lines}`;
    expect(matchSections(read("MEMORY.md", derived), [note(lines)])).toEqual([]);
    expect(matchSections(read("MEMORY.md", lines), [note(derived)])).toEqual([]);
    expect(matchSections(read("MEMORY.md", `${derived}## Own\n${lines}`), [note(lines)])).toHaveLength(1);
  });

  it("leaves out a rotation summary, and calls the text after it header", () => {
    const summary = "# 2026-03-01\n\n> one two three four five six seven\n";
    const own = "- one two three four five six seven\n\n## Log\n- eight\n";
    const memory = read("MEMORY.md", "- one two three four five six seven\n");
    const from = Buffer.byteLength(summary);
    expect(matchSections(memory, [note(summary, { state: "shortened", ownFrom: from })])).toEqual([]);
    const found = findRedundantSections(memory, [note(summary + own, { state: "shortened", ownFrom: from })]);
    expect(found).toMatchObject([{ section: "header", lines: [4, 5], similarity: 1 }]);
  });
});

describe("thresholds of similarity", () => {
  it.each([
    [5, 5, 5, undefined],
    [6, 6, 6, "high"],
    [6, 9, 9, undefined],
    [7, 10, 10, "medium"],
    [501, 751, 751, "medium"],
    [500, 750, 750, undefined],
    [7, 7, 10, "medium"],
    [8, 8, 11, "high"],
    [700, 700, 1000, "medium"],
    [701, 701, 1001, "high"],
    [7000, 10000, 7000, "medium"],
  ] as const)("%i shared of %i in the section and %i in MEMORY.md: %s", (shared, own, memory, severity) => {
    const words = (from: number, to: number): string =>
      Array.from({ length: to - from }, (_, index) => `word${from + index}`).join("\n");
    const found = findRedundantSections(read("MEMORY.md", words(0, memory)), [
      note(words(memory - shared, memory - shared + own)),
    ]);
    expect(found.map((issue) => issue.severity)).toEqual(severity === undefined ? [] : [severity]);
    if (found[0] !== undefined) expect(found[0]).toMatchObject({ shared_tokens: shared, section_tokens: own });
  });

  it("the recommendation depends on the severity", () => {
    const words = "one two three four five six seven eight nine ten";
    const found = findRedundantSections(read("MEMORY.md", words), [
      note(`## Log\n${words}\n## More\n${words} ab cd ef gh ij\n`),
    ]);
    expect(found.map(({ recommendation }) => recommendation)).toEqual([
      "REMOVE — fully duplicated in MEMORY.md",
      "COMPACT — keep only decisions and action items",
    ]);
  });
});

describe("quoted lines", () => {
  const memory = read(
    "MEMORY.md",
    "# M\n\n## Deploy\n- staging runs nginx 1.25 with postgres 16\n- deploy needs the office VPN\n- key AKIAIOSFODNN7EXAMPLZ of the bucket\n- ship on Monday morning\n",
  );

  it("show similar lines first, then new ones, then equal ones", () => {
    const [issue] = findRedundantSections(memory, [
      note(
        "## Deploy\n- deploy needs the office VPN\n- ship on Monday morning\n- staging runs nginx 1.27 with postgres 16\n- key AKIAIOSFODNN7EXAMPLZ of the bucket\n- Frankfurt!\n",
      ),
    ]);
    expect(issue?.quotes.map(({ line, memory_line }) => [line, memory_line])).toEqual([
      [4, 4],
      [6, null],
      [2, 5],
    ]);
    expect(issue?.quotes[0]?.memory_text).toContain("nginx 1.25");
  });

  it("do not pair lines that share a word but say different things", () => {
    const [issue] = findRedundantSections(memory, [
      note(
        "## Deploy\n- staging runs nginx 1.25 with postgres 16\n- deploy needs the office VPN\n- ship on Monday morning\n- decision: move staging to Frankfurt in March\n- key AKIAIOSFODNN7EXAMPLZ of the bucket\n",
      ),
    ]);
    expect(issue?.quotes[0]).toMatchObject({ line: 5, memory_line: null, memory_text: null });
  });

  it("leave out entry comments", () => {
    const comment = "<!-- hw id=deploy-1 at=2026-03-01T12:00:00+01:00 origin=agent bytes=30 -->";
    const [issue] = findRedundantSections(memory, [
      note(
        `## Deploy [project]\n${comment}\n- staging runs nginx 1.25 with postgres 16\n- deploy needs the office VPN\n- ship on Monday morning\n- key AKIAIOSFODNN7EXAMPLZ of the bucket\n`,
      ),
    ]);
    expect(issue?.quotes.map(({ line, memory_line }) => [line, memory_line])).toEqual([
      [3, 4],
      [4, 5],
      [5, 7],
    ]);
  });

  it("have no secrets and at most 200 characters", () => {
    const secret = `AKIA${"ABCDEFGH12345678"}`;
    const lines = `## Key ${secret}\n- the key ${secret} opens the bucket of the backups\n- ${"long ".repeat(100)}\n`;
    const found = findRedundantSections(read("MEMORY.md", lines), [note(lines)]);
    expect(found).toHaveLength(1);
    expect(JSON.stringify(found)).not.toContain(secret);
    for (const { text, memory_text } of found[0]?.quotes ?? []) {
      expect(text.length).toBeLessThanOrEqual(200);
      expect(memory_text?.length ?? 0).toBeLessThanOrEqual(200);
    }
  });
});

function read(path: string, text: string): MemoryText {
  return readText({ path, bytes: Buffer.from(text) });
}

function note(text: string, more: Partial<NoteAsRead> = {}): NoteText {
  const own = { path: "memory/2026-03-01.md", bytes: Buffer.from(text), sha256: "", stamp: "", day: "2026-03-01" };
  const read = { ...own, state: "whole" as const, ownFrom: 0, ...more };
  return { note: read, text: readText(read) };
}

function jaccard(
  a: ReadonlySet<string>,
  b: ReadonlySet<string>,
): { readonly shared: number; readonly similarity: number } {
  const shared = [...a].filter((token) => b.has(token)).length;
  const all = a.size + b.size - shared;
  return { shared, similarity: all === 0 ? 0 : shared / all };
}

const isCjk = /[[\p{L}\p{M}\p{N}]&&[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}]]/v;

function readTokens(text: string): ReadonlySet<string> {
  const tokens = new Set<string>();
  for (const [word] of text.toLowerCase().matchAll(/[\p{L}\p{M}\p{N}_]+/gu)) {
    let run = "";
    const end = (): void => {
      if (run !== "" && (run.length > 1 || !/^[a-z0-9_]$/.test(run))) tokens.add(run);
      run = "";
    };
    const characters = Array.from(word);
    for (const [at, character] of characters.entries()) {
      if (!isCjk.test(character)) {
        run += character;
        continue;
      }
      end();
      const [before, after] = [characters[at - 1] ?? " ", characters[at + 1] ?? " "];
      if (isCjk.test(after)) tokens.add(character + after);
      else if (!isCjk.test(before)) tokens.add(character);
    }
    end();
  }
  return tokens;
}

const scripts = fc
  .array(
    fc.constantFrom(
      "a",
      "B",
      "ab",
      "12",
      "_",
      " ",
      "-",
      "用",
      "户",
      "デ",
      "ー",
      "ｶ",
      "배",
      "포",
      "é",
      "e\u0301",
      "я",
      "ส",
      "م",
      "İ",
      "ß",
      "\u{20000}",
      "👍",
      "Ⅻ",
      "５",
      "\ud800",
      "\ud840",
      "、",
    ),
    { maxLength: 40 },
  )
  .map((parts) => parts.join(""));
