import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { readTokenTable, type TokenTable } from "./token-table.ts";
import { piecesOf } from "./word-pieces.ts";
import { eachWord } from "./words.ts";

const shipped = readTokenTable(readFileSync(new URL("../../../assets/minilm-256.bin", import.meta.url)));
/** Every piece says something, as for the model that the vocabulary is of. */
const whole: TokenTable = { ...shipped, scales: shipped.scales.map(() => 1) };
const names = [...shipped.pieces.keys()];

/** Made of pieces of the vocabulary and of odd characters, with what huggingface/tokenizers makes of them. */
const recorded = readFileSync(new URL("../../../test/fixtures/word-pieces.jsonl", import.meta.url), "utf8")
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line) as readonly [text: string, pieces: string]);

function cut(text: string): string {
  const found: string[] = [];
  eachWord(text, (word) => {
    const { numbers } = piecesOf(whole, word);
    found.push(...(numbers.length === 0 ? ["[UNK]"] : numbers.map((number) => names[number] ?? "")));
  });
  return found.join(" ");
}

test("2,000 texts are cut as by the original tokenizer", () => {
  expect(recorded.length).toBe(2000);
  const wrong = recorded.filter(([text, pieces]) => cut(text) !== pieces);
  expect(wrong.map(([text, pieces]) => ({ text, pieces, cut: cut(text) }))).toEqual([]);
});

describe("what is known of a word", () => {
  test("letters and digits count, known where their piece says something", () => {
    expect(piecesOf(shipped, "garden")).toMatchObject({ letters: 6, known: 6 });
    expect(piecesOf(shipped, "!")).toMatchObject({ letters: 0, known: 0 });
    expect(piecesOf(shipped, "オ")).toMatchObject({ letters: 1, known: 0 });
    expect(piecesOf(shipped, "x".repeat(101))).toEqual({ numbers: [], letters: 101, known: 0 });
  });
});
