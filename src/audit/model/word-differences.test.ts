import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { aroundDifferences, wordDifferences, type Stretch } from "./word-differences.ts";

function textOf(stretches: readonly Stretch[]): string {
  return stretches.map(({ text }) => text).join("");
}

function sameOf(stretches: readonly Stretch[]): string {
  return stretches.flatMap(({ kind, text }) => (kind === "same" ? [text] : [])).join("");
}

function marked(left: string, right: string): readonly [string, string] {
  const found = wordDifferences(left, right);
  const text = (stretches: readonly Stretch[]): string =>
    stretches.map(({ kind, text: part }) => (kind === "same" ? part : `[${part}]`)).join("");
  return [text(found.left), text(found.right)];
}

/** Texts of few words, so that they share some. */
const words = fc
  .array(fc.constantFrom("deploy", "on", "Friday", "支払い", "배포", "👩‍👩‍👧", "e\u0301", " ", "  ", ".", "-"), {
    maxLength: 20,
  })
  .map((parts) => parts.join(""));
const texts = fc.oneof(words, fc.string({ unit: "grapheme", maxLength: 60 }));

describe("word differences", () => {
  test("are laws: each side is its text, and what is the same is the same on both", () => {
    fc.assert(
      fc.property(texts, texts, (left, right) => {
        const found = wordDifferences(left, right);
        expect(textOf(found.left)).toBe(left);
        expect(textOf(found.right)).toBe(right);
        expect(sameOf(found.left)).toBe(sameOf(found.right));
        for (const side of [found.left, found.right]) {
          expect(side.every(({ text }) => text !== "")).toBe(true);
          expect(side.every(({ kind }, index) => kind !== side[index + 1]?.kind)).toBe(true);
        }
      }),
    );
  });

  test("the same text is one stretch, an empty one none", () => {
    expect(wordDifferences("a b", "a b").left).toEqual([{ kind: "same", text: "a b" }]);
    expect(wordDifferences("", "")).toEqual({ left: [], right: [] });
  });

  test("point at words, at characters of Chinese and Japanese, and at words of Korean", () => {
    expect(marked("deploy on Fridays only", "deploy on Mondays only")).toEqual([
      "deploy on [Fridays] only",
      "deploy on [Mondays] only",
    ]);
    expect(marked("不要在周五下午部署", "不要在周一下午部署")).toEqual([
      "不要在周[五]下午部署",
      "不要在周[一]下午部署",
    ]);
    expect(marked("배포 전에 테스트를 실행한다", "배포 후에 테스트를 실행한다")).toEqual([
      "배포 [전에] 테스트를 실행한다",
      "배포 [후에] 테스트를 실행한다",
    ]);
  });

  test("take a blank between two differing words with them", () => {
    expect(marked("keep the big old key here", "keep the small new key here")).toEqual([
      "keep the [big old] key here",
      "keep the [small new] key here",
    ]);
  });

  test("point at nothing where hardly anything is common, or the texts are very long", () => {
    expect(marked("one a two", "three a four")).toEqual(["[one a two]", "[three a four]"]);
    const long = "a ".repeat(600);
    expect(wordDifferences(long, `${long}b`).left).toEqual([{ kind: "differs", text: long }]);
  });

  test("keep an emoji of several characters and a letter with its accent whole", () => {
    expect(marked("the family 👩‍👩‍👧 is here", "the family 👩‍👩‍👦 is here")).toEqual([
      "the family [👩‍👩‍👧] is here",
      "the family [👩‍👩‍👦] is here",
    ]);
  });
});

test("around differences, what is common and far away becomes an ellipsis", () => {
  const { left } = wordDifferences(`${"a ".repeat(30)}X ${"b ".repeat(30)}`, `${"a ".repeat(30)}Y ${"b ".repeat(30)}`);
  expect(textOf(aroundDifferences(left, 5))).toBe("… a a X b b …");
  expect(aroundDifferences([{ kind: "same", text: "x".repeat(99) }], 5)).toEqual([
    { kind: "same", text: "x".repeat(99) },
  ]);
});
