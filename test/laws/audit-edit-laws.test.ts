import { Buffer } from "node:buffer";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sha256 } from "../../src/base/digest.ts";
import { keyOf, keysOf, readText, type MemoryText, type NoteText } from "../../src/audit/model/memory-text.ts";
import { bytesAfter } from "../../src/audit/run/write-changes.ts";
import type { Edit } from "../../src/audit/model/finding.ts";
import { proposeEdits } from "../../src/audit/model/analyse.ts";
import type { NoteAsRead } from "../../src/audit/model/workspace.ts";
import { lawRuns } from "../fixtures/law-runs.ts";

const settings = { numRuns: lawRuns(400), seed: 20_260_316 };
const today = "2026-03-10";

describe("edits of a generated workspace", () => {
  it("only lines that MEMORY.md also has are removed from a note, nothing is added, and the order stays", () => {
    let cuts = 0;
    check((world) => {
      for (const { edit, before, after } of cutsOf(world)) {
        cuts += 1;
        const kept = linesIn(after.bytes);
        const gone = goneFrom(linesIn(before.bytes), kept);
        expect(gone).toBeDefined();
        const has = world.texts;
        const headings = new Set(kept.filter((line) => /^#{1,6}(?:[ \t]|$)/.test(line)).map(textOfLine));
        for (const line of gone ?? []) {
          const isKnown = line.trim() === "" || has.has(textOfLine(line));
          const isAgain = /^#{1,3}[ \t]/.test(line) && headings.has(textOfLine(line));
          expect([line, edit.path, isKnown || isAgain || line.startsWith("<!-- hw ")]).toEqual([line, edit.path, true]);
        }
      }
    });
    expect(cuts).toBeGreaterThan(settings.numRuns / 4);
  });

  it("frozen lines, invalid UTF-8 and overlong lines are in the result byte for byte", () => {
    check((world) => {
      for (const { before, after } of changesOf(world)) expect(frozenOf(after)).toBe(frozenOf(before));
    });
  });

  it("byte order mark, line ends and the final line end are kept", () => {
    check((world) => {
      for (const { before, after } of changesOf(world)) {
        expect(markOf(after.bytes)).toBe(markOf(before.bytes));
        if (after.bytes.length === markOf(after.bytes)) continue;
        expect(after.bytes.at(-1) === 10).toBe(before.bytes.at(-1) === 10);
        const [own, old] = [after, before].map(({ bytes }) =>
          Buffer.from(bytes.subarray(markOf(bytes)))
            .toString("latin1")
            .split("\n"),
        );
        const last = own?.pop() ?? "";
        expect(goneFrom(old ?? [], own ?? [])).toBeDefined();
        expect((old ?? []).some((line) => line === last || line === `${last}\r`)).toBe(true);
      }
    });
  });

  it("after applying, nothing more is proposed", () => {
    check((world) => {
      const again = applied(world);
      expect(proposeEdits(again).map(({ path, actions }) => [path, actions])).toEqual([]);
    });
  });

  it("the lines and bytes in the actions are the ones removed", () => {
    check((world) => {
      for (const { edit, before, after } of changesOf(world)) {
        const named = new Set(edit.actions.flatMap(({ lines }) => lines.flatMap(([from, to]) => range(from - 1, to))));
        const stays = before.lines.filter((_, index) => !named.has(index));
        expect(notBlank(after.lines)).toEqual(notBlank(stays));
        const bytes = edit.actions.reduce((sum, action) => sum + action.bytes, 0);
        expect(bytes).toBe(before.bytes.length - after.bytes.length);
        expect(edit.before).toBe(sha256(before.bytes));
        expect(edit.actions.length).toBeGreaterThan(0);
      }
    });
  });

  it("a section that is in MEMORY.md keeps no line that MEMORY.md has, except headings and frozen lines", () => {
    check((world) => {
      const memory = world.memoryAfter;
      for (const { edit, after, before } of cutsOf(world)) {
        // A fence in a list depends on the items above it, and a mark inside text is not a fence, so lines above may have to stay.
        if (before.lines.some(({ text }) => /^(?:(?: {4}|- )```|\u{FEFF})/u.test(text))) continue;
        const keys = keysOf(memory);
        const named = edit.actions.flatMap(({ lines }) => lines.flatMap(([from, to]) => range(from - 1, to)));
        const touched = before.sections.filter(({ from, to }) => named.some((index) => index >= from && index < to));
        const rest = touched.flatMap(({ from, to }) =>
          before.lines.slice(from, to).filter((_, at) => !named.includes(from + at)),
        );
        const left = rest.filter(
          (line) =>
            line.part === "free" && line.kind === "text" && keys.has(keyOf(line)) && !line.text.startsWith("<!-- hw "),
        );
        // Without a final line end, the last line may have to stay if the line above it is frozen.
        expect(left.filter((line) => line !== before.lines.at(-1))).toEqual([]);
        expect(after.bytes.length).toBeLessThan(before.bytes.length);
      }
    });
  });

  it("MEMORY.md loses only lines repeated from above, and blank lines", () => {
    let compressions = 0;
    check((world) => {
      for (const { before, after } of changesOf(world).filter(({ edit }) => edit.path === "MEMORY.md")) {
        compressions += 1;
        const kept = linesIn(after.bytes);
        const gone = goneFrom(linesIn(before.bytes), kept) ?? ["?"];
        for (const line of gone) {
          const isRepeat = Array.from(line.trim()).length > 10 && kept.includes(line) && !/^#|^\s*\|/.test(line);
          expect([line, line.trim() === "" || isRepeat]).toEqual([line, true]);
        }
        expect([...keysOf(after)]).toEqual([...keysOf(before)]);
      }
    });
    expect(compressions).toBeGreaterThan(settings.numRuns / 8);
  });

  it("edited notes, summaries, and notes without a MEMORY.md are not cut", () => {
    check((world) => {
      const none = readText({ path: "MEMORY.md", bytes: new Uint8Array(0) });
      const edited = world.notes.map(({ note, text }): NoteText => ({ note: { ...note, state: "edited" }, text }));
      expect(proposeEdits({ ...world, notes: edited }).filter(({ path }) => path !== "MEMORY.md")).toEqual([]);
      expect(proposeEdits({ ...world, memory: none }).filter(({ change }) => change.kind === "cut")).toEqual([]);
      for (const { note, text } of world.notes) {
        const ownFrom = text.lines[Math.floor(text.lines.length / 2)]?.from ?? 0;
        const shortened: NoteText = { note: { ...note, state: "shortened", ownFrom }, text };
        for (const { path, change } of proposeEdits({ ...world, notes: [shortened] }))
          if (path !== "MEMORY.md" && change.kind === "cut")
            expect(change.spans.every(([from]) => from >= ownFrom)).toBe(true);
      }
    });
  });
});

interface World {
  readonly memory: MemoryText;
  readonly memoryAfter: MemoryText;
  readonly notes: readonly NoteText[];
  readonly today: string;
  readonly mode: { readonly aggressive: "yes" | "no"; readonly maxMemoryKb: number };
  /** An independent implementation of the rule. */
  readonly texts: ReadonlySet<string>;
}

function check(law: (world: World) => void): void {
  fc.assert(
    fc.property(workspace, (world) => law(world)),
    settings,
  );
}

interface Change {
  readonly edit: Edit;
  readonly before: MemoryText;
  readonly after: MemoryText;
}

function changesOf(world: World): readonly Change[] {
  return proposeEdits(world)
    .filter(({ change }) => change.kind !== "rotated")
    .map((edit): Change => {
      const before = [world.memory, ...world.notes.map(({ text }) => text)].find(({ path }) => path === edit.path);
      if (before === undefined) throw new Error(edit.path);
      return { edit, before, after: readText({ path: edit.path, bytes: bytesAfter(edit, before.bytes, "") }) };
    });
}

function cutsOf(world: World): readonly Change[] {
  return changesOf(world).filter(({ edit }) => edit.path !== "MEMORY.md");
}

function applied(world: World): World {
  const edits = new Map(proposeEdits(world).map((edit) => [edit.path, edit]));
  const notes = world.notes.map(({ note, text }): NoteText => {
    const edit = edits.get(note.path);
    if (edit === undefined) return { note, text };
    const bytes = bytesAfter(edit, note.bytes, "memory/archive/x.full.md");
    const ownFrom = edit.change.kind === "rotated" ? bytes.length : 0;
    return noteOf({ ...note, bytes, sha256: sha256(bytes), state: "shortened", ownFrom });
  });
  return { ...world, memory: world.memoryAfter, notes };
}

/** The rule as documented: heading marks, list item, emphasis. */
function textOfLine(line: string): string {
  let text = line.trim();
  const heading = /^#{1,6}(?:[ \t]+(.*))?$/.exec(line);
  if (heading !== null)
    text = (heading[1] ?? "")
      .trim()
      .replace(/(^|[ \t])#+$/, "")
      .trim();
  if (/^[-*+](\s|$)/.test(text)) text = text.slice(1).trim();
  if (text.startsWith("**") || text.startsWith("__")) text = text.slice(2);
  if (text.endsWith("**") || text.endsWith("__")) text = text.slice(0, -2);
  return text.trim();
}

function linesIn(bytes: Uint8Array): readonly string[] {
  const lines = Buffer.from(bytes.subarray(markOf(bytes)))
    .toString("latin1")
    .split("\n")
    .map((line) => line.replace(/\r$/, ""));
  if (lines.at(-1) === "") lines.pop();
  return lines.map((line) => Buffer.from(line, "latin1").toString("utf8"));
}

/** The items that are not in the second list; `undefined` if the second is not a subsequence of the first. */
function goneFrom(all: readonly string[], kept: readonly string[]): readonly string[] | undefined {
  const gone: string[] = [];
  let at = 0;
  for (const line of all) {
    if (at < kept.length && line === kept[at]) at += 1;
    else gone.push(line);
  }
  return at === kept.length ? gone : undefined;
}

/** Invalid UTF-8 may lose its last line end, because a file without a final line end stays without one. */
function frozenOf({ bytes, lines }: MemoryText): string {
  const frozen = lines.filter(({ part, reading }) => part !== "free" || reading !== "exact");
  return frozen
    .map(({ from, to, part }) => {
      const text = Buffer.from(bytes.subarray(from, to)).toString("latin1");
      return `${part}:${part === "free" ? text.trimEnd() : text}`;
    })
    .join("|");
}

function markOf(bytes: Uint8Array): number {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
}

function notBlank(lines: MemoryText["lines"]): readonly string[] {
  return lines.map(({ text }) => text).filter((text) => text.trim() !== "");
}

function range(from: number, to: number): readonly number[] {
  return Array.from({ length: to - from }, (_, index) => from + index);
}

function noteOf(note: NoteAsRead): NoteText {
  return { note, text: readText(note) };
}

const sayings = [
  "Always run the linter before committing code",
  "The staging server runs nginx 1.25 with postgres 16",
  "用户偏好简洁的回答,默认使用中文交流",
  "デプロイ前に必ずテストを実行する",
  "배포 전에 반드시 테스트를 실행한다",
  "Не развёртывать в пятницу после обеда",
  "لا ننشر يوم الجمعة بعد الظهر",
  "We ship 👩‍👩‍👧‍👦 v2 on February 3",
  "short",
  "| a | table | row |",
];
const line = fc.oneof(
  {
    weight: 12,
    arbitrary: fc
      .tuple(fc.constantFrom("- ", "* ", "+ ", "", "  - ", "1. ", "> ", "- [ ] "), fc.constantFrom(...sayings))
      .map((parts) => parts.join("")),
  },
  { weight: 2, arbitrary: fc.constantFrom(...sayings).map((text) => `**${text}**`) },
  { weight: 5, arbitrary: fc.constantFrom("", "", "", "  ", "\t") },
  {
    weight: 2,
    arbitrary: fc.constantFrom("- only here and nowhere else", "Decision: Frankfurt", "---", "- ", "**", "##"),
  },
  {
    weight: 5,
    arbitrary: fc
      .tuple(
        fc.constantFrom("#", "##", "##", "###", "####"),
        fc.constantFrom("Log", "Accounts", "短い", "C#", ...sayings),
      )
      .map((parts) => parts.join(" ")),
  },
  { weight: 1, arbitrary: fc.constantFrom("## Core (Static)", "# Core (Static) facts", "## Compaction Root") },
  { weight: 1, arbitrary: fc.constantFrom("```", "```sh", "~~~", "  ```", "- ```", "    ```") },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      "\u0000NUL",
      "a\rb",
      "\u{FEFF}mark",
      "\u00FF\u00FE",
      "## \u00FF",
      "<!-- hw id=capture-1 at=2026-03-01T10:00:00+01:00 origin=agent -->",
    ),
  },
);
const block = fc.oneof(
  { weight: 6, arbitrary: fc.array(line, { minLength: 1, maxLength: 8 }) },
  {
    weight: 3,
    arbitrary: fc
      .tuple(
        fc.constantFrom("## Facts", "### Facts", "# Facts", "## Log"),
        fc.subarray(sayings.slice(0, 8), { minLength: 3 }),
      )
      .map(([heading, said]) => [heading, ...said.map((text) => `- ${text}`), ""]),
  },
  {
    weight: 1,
    arbitrary: fc.constant(["```", "- Always run the linter before committing code", "", "# no heading", "```"]),
  },
  { weight: 1, arbitrary: fc.constant(["## Core (Static)", "- Always run the linter before committing code", "", ""]) },
  {
    weight: 1,
    arbitrary: fc.constant([
      "## Log",
      "<!-- hw id=01ABC at=2026-03-01T10:00:00+01:00 origin=user -->",
      "- short",
      "- Always run the linter before committing code",
    ]),
  },
);
const blocks = fc.array(block, { minLength: 1, maxLength: 6 });
const shape = fc.record({
  end: fc.constantFrom("\n", "\n", "\r\n", "mixed"),
  mark: fc.constantFrom("", "", "\u{FEFF}"),
  front: fc.constantFrom("", "", "", "---\nkey: value\n---\n"),
  final: fc.constantFrom("yes", "yes", "no"),
});

function encode(
  lines: readonly string[],
  { end, mark, front, final }: { end: string; mark: string; front: string; final: string },
): Buffer {
  const ended = lines.map((text, index) => {
    const own = end === "mixed" ? (index % 3 === 0 ? "\r\n" : "\n") : end;
    const bytes = text.includes("\u00FF") ? Buffer.from(text, "latin1") : Buffer.from(text);
    return Buffer.concat([bytes, Buffer.from(index === lines.length - 1 && final === "no" ? "" : own)]);
  });
  return Buffer.concat([Buffer.from(mark + front), ...ended]);
}

/** A note: its own blocks between blocks of MEMORY.md, which are whole, partial or varied. */
const noteBlocks = (memory: readonly (readonly string[])[]) =>
  fc.array(
    fc.oneof(
      { weight: 2, arbitrary: block },
      {
        weight: 5,
        arbitrary: fc
          .tuple(fc.constantFrom(...memory), fc.constantFrom("## Again", "### Facts", "", "", "# 2026"))
          .map(([lines, heading]) => (heading === "" ? lines : [heading, ...lines])),
      },
      {
        weight: 2,
        arbitrary: fc
          .tuple(fc.constantFrom(...memory), line)
          .map(([lines, more]) => [...lines.slice(0, 3), more, ...lines.slice(3)]),
      },
      {
        weight: 1,
        arbitrary: fc.constantFrom(...memory).map((lines) => lines.map((text) => text.replace(/^#+ /, "**"))),
      },
    ),
    { minLength: 1, maxLength: 5 },
  );

const workspace: fc.Arbitrary<World> = fc
  .tuple(blocks, shape, fc.constantFrom("yes" as const, "no" as const))
  .chain(([memoryBlocks, memoryShape, aggressive]) =>
    fc.array(fc.tuple(noteBlocks(memoryBlocks), shape), { minLength: 1, maxLength: 2 }).map((made): World => {
      const bytes = encode(memoryBlocks.flat(), memoryShape);
      const memory = readText({ path: "MEMORY.md", bytes });
      const notes = made.map(([lines, of], index): NoteText => {
        const day = `2026-03-${String(9 + index).padStart(2, "0")}`;
        const own = encode(lines.flat(), of);
        const read = { path: `memory/${day}.md`, bytes: own, sha256: sha256(own), stamp: "" };
        return noteOf({ ...read, day, state: "whole", ownFrom: 0 });
      });
      const mode = { aggressive, maxMemoryKb: 5 };
      const compress = proposeEdits({ memory, notes: [], today, mode })[0];
      const after =
        compress === undefined ? memory : readText({ path: "MEMORY.md", bytes: bytesAfter(compress, bytes, "") });
      const texts = new Set(
        memory.lines
          .filter(({ part }) => part !== "derived")
          .map(({ from, to }) => textOfLine(linesIn(bytes.subarray(from, to))[0] ?? "")),
      );
      const shown = (): string =>
        [bytes, ...notes.map(({ note }) => note.bytes), aggressive]
          .map((value) => JSON.stringify(String(value)))
          .join("\n");
      return Object.assign({ memory, memoryAfter: after, notes, today, mode, texts }, { [fc.toStringMethod]: shown });
    }),
  );
