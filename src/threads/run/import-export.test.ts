import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { InputFile } from "../../base/operation.ts";
import { appendAll, createDrafts, messageDraft, openFolder } from "../../../test/fixtures/planted-thread.ts";
import { frameLines, readEvents } from "./import-export.ts";

interface Split {
  readonly lines: readonly (readonly [number, string])[];
  readonly torn: number | undefined;
}

async function split(bytes: Uint8Array, cuts: readonly number[] = []): Promise<Split> {
  const ends = [...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].toSorted((a, b) => a - b);
  const file: InputFile = {
    name: "a.jsonl",
    chunks: async function* () {
      let from = 0;
      for (const end of ends) {
        yield bytes.subarray(from, end);
        from = end;
      }
    },
  };
  let torn: number | undefined;
  const lines: (readonly [number, string])[] = [];
  for await (const { number, text } of frameLines(file, {}, (line) => (torn = line))) lines.push([number, text]);
  return { lines, torn };
}

const textOf = (text: string): Uint8Array => new TextEncoder().encode(text);

describe("the lines of a frame log", () => {
  test.each<[string, string, readonly (readonly [number, string])[], number | undefined]>([
    [
      "are numbered, and blank ones are skipped",
      '{"a":1}\n\n \t\r\n{"b":2}\n',
      [
        [1, '{"a":1}'],
        [4, '{"b":2}'],
      ],
      undefined,
    ],
    [
      "need no final line end",
      '{"a":1}\n{"b":2}',
      [
        [1, '{"a":1}'],
        [2, '{"b":2}'],
      ],
      undefined,
    ],
    [
      "keep a CR before LF",
      '{"a":1}\r\n{"b":2}\r\n',
      [
        [1, '{"a":1}\r'],
        [2, '{"b":2}\r'],
      ],
      undefined,
    ],
    ["may follow a byte order mark at the start of the file", '\uFEFF{"a":1}\n', [[1, '{"a":1}']], undefined],
    ["omit a torn last line", '{"a":1}\n{"b":', [[1, '{"a":1}']], 2],
    ["omit a last line that is not an object, even with a line end", '{"a":1}\n[2]\n\n', [[1, '{"a":1}']], 2],
    [
      "are passed on unchanged before the last line",
      '{"a":\n[1]\n{"b":2}\n',
      [
        [1, '{"a":'],
        [2, "[1]"],
        [3, '{"b":2}'],
      ],
      undefined,
    ],
    ["may be absent", "", [], undefined],
    ["may all be blank", "\n\n \n", [], undefined],
    ["may be only a byte order mark", "\uFEFF", [], undefined],
    ["may end in NUL bytes left by a crash", '{"a":1}\n\0\0\0', [[1, '{"a":1}']], 2],
  ])("%s", async (_says, text, lines, torn) => {
    expect(await split(textOf(text))).toEqual({ lines, torn });
  });

  test("a character torn at the end is dropped with its line; elsewhere it is invalid_frame with the line", async () => {
    const bytes = textOf('{"a":1}\n{"b":"漢');
    expect(await split(bytes.subarray(0, -1))).toEqual({ lines: [[1, '{"a":1}']], torn: 2 });
    const middle = Buffer.concat([bytes.subarray(0, -1), textOf('\n{"c":1}\n')]);
    await expect(split(middle)).rejects.toMatchObject({ code: "invalid_frame", details: { line: 2 } });
  });

  test("do not depend on how the file is cut into chunks", async () => {
    const piece = fc.constantFrom('{"a":"漢字🦀"}', "\n", "\r\n", " ", "{", "[]", '{"b":1}', "\n\n", "\uFEFF");
    const property = fc.asyncProperty(
      fc.array(piece, { maxLength: 12 }),
      fc.array(fc.nat(200), { maxLength: 12 }),
      async (pieces, cuts) => {
        const bytes = textOf(pieces.join(""));
        expect(await split(bytes, cuts)).toEqual(await split(bytes));
      },
    );
    await fc.assert(property, { numRuns: 500 });
  });

  test("that exceed the length limit are refused before they fill the memory", async () => {
    const chunk = new Uint8Array(8 * 1024 * 1024).fill(120);
    let given = 0;
    const file: InputFile = {
      name: "endless",
      chunks: async function* () {
        for (; given < 1_000; given += 1) yield chunk;
      },
    };
    const read = async (): Promise<void> => {
      for await (const line of frameLines(file, {}, () => {})) expect(line).toBe("no line");
    };
    await expect(read()).rejects.toMatchObject({ code: "invalid_frame", details: { line: 1 } });
    expect(given).toBeLessThan(20);
  });
});

describe("the frames of a thread", () => {
  test("are at most as many as asked for, also while following", async () => {
    const { memory, remove } = await openFolder();
    const drafts = createDrafts();
    const said = [1, 2, 3, 4].map((at) => messageDraft(drafts, { actor_id: "user", content: `message ${at}` }));
    await appendAll(memory, "t", [drafts("continuity_created", { workspace: "/w", title: null }), ...said]);
    const seqs = async (more: object): Promise<readonly number[]> => {
      const found: number[] = [];
      for await (const line of await readEvents(memory, { thread_id: "t", ...more })) found.push(JSON.parse(line).seq);
      return found;
    };
    expect(await seqs({ from_seq: 1, limit: 2 })).toEqual([1, 2]);
    expect(await seqs({ from_seq: 3, limit: 10 })).toEqual([3, 4]);
    expect(await seqs({ from_seq: 2, limit: 3, follow: true })).toEqual([2, 3, 4]);
    expect(await seqs({ from_seq: 5, limit: 1 })).toEqual([]);
    await remove();
  });
});
