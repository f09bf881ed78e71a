import { Buffer } from "node:buffer";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { movedPath, printMoved, type ShorteningStep } from "../tree/moved-format.ts";
import { openTestMemory, type TestMemory } from "../../test/fixtures/memory.ts";
import { shorteningOf, type Shortening } from "../../test/fixtures/shortened-notes.ts";
import { withLogicalLogs } from "./logical-logs.ts";

const log = "memory/2026-03-10.md";

/** Lines of every kind: equal ones, blank ones, headings, other line ends, no UTF-8, and a last one without its end. */
const someBytes = fc
  .tuple(
    fc.constantFrom("", "\uFEFF"),
    fc.array(
      fc.tuple(
        fc.constantFrom("a", "b", "- c", "", "## H", "# 2026-03-10", "```", "日本語", "😀", "\xff\xfe", "a\rb", "\0"),
        fc.constantFrom("\n", "\n", "\r\n"),
      ),
      { maxLength: 12 },
    ),
    fc.constantFrom("", "", "a", "- end"),
  )
  .map(([mark, lines, last]) =>
    Buffer.concat([
      Buffer.from(mark),
      ...lines.flatMap(([text, end]) => [Buffer.from(text, text === "\xff\xfe" ? "latin1" : "utf8"), Buffer.from(end)]),
      Buffer.from(last),
    ]),
  );

/** Two to eight places in a text, as fractions, and whether it is cut or rotated. */
const someChange = fc.record({
  kind: fc.constantFrom("cut" as const, "rotated" as const),
  ends: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 2, maxLength: 8 }),
});

function changeOf(
  change: { readonly kind: "cut" | "rotated"; readonly ends: readonly number[] },
  bytes: Buffer,
): ShorteningStep["change"] {
  if (change.kind === "rotated") return { kind: "rotated" };
  const ends = [...new Set(change.ends.map((end) => Math.floor(end * bytes.length)))].toSorted((a, b) => a - b);
  return {
    kind: "cut",
    spans: Array.from({ length: Math.floor(ends.length / 2) }, (_, at) => [ends[2 * at] ?? 0, ends[2 * at + 1] ?? 0]),
  };
}

interface Story {
  readonly original: Buffer;
  /** What was appended after each shortening. */
  readonly appended: readonly Buffer[];
  readonly made: readonly Shortening[];
  /** The note as it stands in the end. */
  readonly note: Buffer;
}

/** A log that is shortened up to three times, with something appended after each. */
const someStory: fc.Arbitrary<Story> = fc
  .tuple(
    someBytes,
    fc.array(fc.tuple(someChange, fc.oneof(fc.constant(Buffer.alloc(0)), someBytes)), { minLength: 1, maxLength: 3 }),
  )
  .map(([original, changes]) => {
    let note = original;
    const made = changes.map(([change, more], index) => {
      const one = shorteningOf({ path: log, bytes: note, number: index + 1 }, changeOf(change, note));
      note = Buffer.concat([one.after, more]);
      return one;
    });
    return { original, appended: changes.map(([, more]) => more), made, note };
  });

function openStory(made: readonly Shortening[], note: Uint8Array): TestMemory {
  const parts = made.map(({ step, before }) => [step.part, before] as const);
  const record = printMoved(new Map([[log, made.map(({ step }) => step)]]));
  return openTestMemory({ files: { ...Object.fromEntries(parts), [log]: note, [movedPath]: record } });
}

async function readLogical(tree: TestMemory, range?: { readonly from: number; readonly to: number }): Promise<Buffer> {
  const { files } = await withLogicalLogs(tree.memory);
  return Buffer.from((await files.read(log, range))?.bytes ?? []);
}

/** The rules of docs/formats/audit.md, word for word, on bytes in memory. */
function logicalBytes(made: readonly Shortening[], note: Buffer): Buffer {
  const steps = inForce(made, note);
  const [first] = steps;
  if (first === undefined) return note;
  const pieces = [first.before];
  steps.forEach((one, index) => pieces.push(cameAfter(one.after, steps[index + 1]?.before ?? note)));
  return pieces.reduce(joined);
}

function inForce(made: readonly Shortening[], note: Buffer): readonly Shortening[] {
  const last = made.at(-1);
  return last === undefined || !beginsWith(note, last.before) ? made : inForce(made.slice(0, -1), note);
}

function cameAfter(after: Buffer, next: Buffer): Buffer {
  if (beginsWith(next, after)) return next.subarray(after.length);
  const left = linesOf(after).map(textOf);
  const kept = linesOf(next).filter((line) => {
    const at = left.indexOf(textOf(line));
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
  return Buffer.from(kept.join(""), "latin1");
}

function joined(a: Buffer, b: Buffer): Buffer {
  const isOpen = a.length > 0 && b.length > 0 && a.at(-1) !== 10 && !/^\r?\n/u.test(b.toString("latin1", 0, 2));
  return Buffer.concat([a, ...(isOpen ? [Buffer.from("\n")] : []), b]);
}

function beginsWith(bytes: Buffer, beginning: Buffer): boolean {
  return bytes.subarray(0, beginning.length).equals(beginning);
}

const linesOf = (bytes: Buffer): readonly string[] => bytes.toString("latin1").match(/[^\n]*\n|[^\n]+$/gu) ?? [];
const textOf = (line: string): string => line.replace(/\r?\n$/u, "");

describe("the logical log of a shortened note", () => {
  it("is what the rules say, for any log, any steps and any edit", { timeout: 60_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(someStory, fc.option(someBytes), async ({ made, note }, edited) => {
        const now = edited ?? note;
        const tree = openStory(made, now);
        const expected = logicalBytes(made, now);
        expect((await readLogical(tree)).equals(expected)).toBe(true);
        const { files } = await withLogicalLogs(tree.memory);
        const entry = (await files.list("memory")).find(({ name }) => `memory/${name}` === log);
        const read = await files.read(log);
        expect([entry?.size, read?.size]).toEqual([expected.length, expected.length]);
        expect(entry?.stamp).toBe(read?.stamp);
      }),
      { numRuns: 400 },
    );
  });

  it("is the log as it was and what was appended since, while nobody edited the note", async () => {
    await fc.assert(
      fc.asyncProperty(someStory, async ({ original, appended, made, note }) => {
        // Cutting nothing, or all of it and appending the same again, is what it looks like: a log that was not shortened.
        fc.pre(
          made.every(({ before, after }, index) => {
            const next = made[index + 1]?.before ?? note;
            return !beginsWith(next, before) && beginsWith(next, after) && !beginsWith(note, before);
          }),
        );
        const whole = [original, ...appended].reduce(joined);
        expect((await readLogical(openStory(made, note))).equals(whole)).toBe(true);
      }),
      { numRuns: 200 },
    );
  });

  it("reads by ranges what it reads as a whole", async () => {
    await fc.assert(
      fc.asyncProperty(
        someStory,
        fc.option(someBytes),
        fc.array(fc.nat({ max: 400 }), { maxLength: 6 }),
        async ({ made, note }, edited, cuts) => {
          const tree = openStory(made, edited ?? note);
          const whole = await readLogical(tree);
          const ends = [0, ...cuts.toSorted((a, b) => a - b), whole.length + 7];
          const pieces: Buffer[] = [];
          for (const [index, from] of ends.slice(0, -1).entries())
            pieces.push(await readLogical(tree, { from, to: ends[index + 1] ?? from }));
          expect(Buffer.concat(pieces).equals(whole)).toBe(true);
        },
      ),
      { numRuns: 150 },
    );
  });

  it("loses no line of the log and none of the note, however the note was edited", async () => {
    await fc.assert(
      fc.asyncProperty(someStory, someBytes, async ({ made, note }, edit) => {
        const lines = linesOf(note);
        const edited = Buffer.concat([
          Buffer.from(lines.filter((_, index) => index % 3 !== 1).join(""), "latin1"),
          edit,
          Buffer.from(lines.slice(0, 2).join(""), "latin1"),
        ]);
        const last = made.at(-1)?.after ?? Buffer.alloc(0);
        fc.pre(inForce(made, edited).length === made.length && !beginsWith(edited, last));
        const logical = await readLogical(openStory(made, edited));
        const left = [...linesOf(last), ...linesOf(logical)].map(textOf);
        // A blank line may be the end that the last line of the log had not.
        for (const line of linesOf(edited)
          .map(textOf)
          .filter((text) => text !== "")) {
          expect(left).toContain(line);
          left.splice(left.indexOf(line), 1);
        }
        expect(beginsWith(logical, made[0]?.before ?? logical)).toBe(true);
      }),
      { numRuns: 150 },
    );
  });
});
