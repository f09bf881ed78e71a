import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it } from "vitest";
import { processorTime } from "../../../test/fixtures/processor-time.ts";
import { MemoryError } from "../../base/errors.ts";
import { counterOver, createO200kTokens } from "./o200k.ts";
import { shippedTable } from "../../platform/program.ts";
import { lawRuns } from "../../../test/fixtures/law-runs.ts";

const tool = (await import(new URL("../../../tools/o200k-table.mjs", import.meta.url).href)) as {
  readonly o200kTable: () => Uint8Array;
};
const table = tool.o200kTable();
const count = counterOver(table);

const SAMPLES: Readonly<Record<string, string>> = {
  empty: "",
  English: "We've decided: the token bucket stays, it's what THEY'LL use; don't change John's limiter (see issue #42)!",
  Korean: "오늘은 결제 흐름을 고쳤습니다. 토큰 버킷을 쓰기로 했고, 버스트는 통과해야 한다.",
  Japanese: "今日は決済フローを修正しました。トークンバケットを使います。ｶﾀｶﾅも。",
  Chinese: "今天我们修复了支付流程，决定使用令牌桶；突发流量必须通过。繁體中文也要。",
  Arabic: "اليوم أصلحنا تدفق الدفع. قررنا استخدام دلو الرموز — يجب أن تمر الدفعات ٢٠٢٦.",
  Hebrew: "היום תיקנו את זרימת התשלום. החלטנו על דלי אסימונים, שָׁלוֹם.",
  Thai: "วันนี้เราแก้ไขขั้นตอนการชำระเงินแล้ว และตัดสินใจใช้โทเค็นบักเก็ต",
  Hindi: "आज हमने भुगतान प्रवाह ठीक किया। टोकन बकेट का उपयोग करने का निर्णय लिया।",
  emoji: "👩‍👩‍👧‍👦 🏳️‍🌈 🇰🇷 👍🏽 ☺️ ok 🚀🚀🚀 ❤️‍🔥",
  code: "export function isDay(text: string): boolean {\n\treturn /^\\d{4}$/.test(text) && !!text; // e.g. 2026\n}\n\n",
  markdown: "# Title\n\n- one\n  - two\n    1. three\n- [x] done\n\n| a | b |\n|---|---|\n\n```ts\nlet a = 1;\n```\n",
  CRLF: "first\r\nsecond  \r\n\r\n\tthird\r\rfourth\n\r\n",
  digits: "12345678901234567890 3.14159265358979 2026-03-15T14:05:00+01:00 ٣٤٥٦ ½⅓ Ⅻ",
  blanks: "a  b   c\t\td \n e \n\n \u3000\u00a0 f    ",
  slashes: "https://example.com//a/b/?c=d/\n../../x /// \n//\r\n/",
  marks: "e\u0301 E\u0301A \u0301ABC a\u0301\u0302BC \u0301\u0301x \u0e31'S",
  special: "<|endoftext|> <|fim_prefix|><|im_start|>user<|endofprompt|>",
  "lone surrogates": "a\ud800b \udc00 \ud83d x\ud83d\ud83d\ude00",
};

describe("counting o200k_base tokens", () => {
  it.each(Object.keys(SAMPLES))("equals gpt-tokenizer: %s", (name) => {
    const text = SAMPLES[name] ?? "";
    expect(count(text)).toBe(reference(text));
    for (let at = 0; at < text.length; at++) expect(count(text.slice(at))).toBe(reference(text.slice(at)));
  });

  it("equals gpt-tokenizer on random Unicode", () => {
    const unit = fc.oneof(
      {
        weight: 4,
        arbitrary: fc.constantFrom(..."aZé09 '\n\r\t/-_.<|>ßǅʰ가日\u0301\u200d😀𝒜", "'s", "'LL", "  ", "the "),
      },
      { weight: 1, arbitrary: fc.string({ unit: "binary", minLength: 1, maxLength: 1 }) },
    );
    const text = fc.array(unit, { maxLength: 60 }).map((units) => units.join("").replace(DISPUTED, ""));
    fc.assert(
      fc.property(text, (sample) => count(sample) === reference(sample)),
      { numRuns: lawRuns(3000) },
    );
  });

  it("equals gpt-tokenizer on long pieces", () => {
    const units = fc.constantFrom("a", "b", "ab", "가", "é", "the", "tion");
    const text = fc.array(units, { minLength: 120, maxLength: 600 }).map((parts) => parts.join(""));
    fc.assert(
      fc.property(text, (sample) => count(sample) === reference(sample)),
      { numRuns: lawRuns(60) },
    );
    for (const unit of ["a", "A", " ", "\n", "-", "가", "😀", "ab"]) {
      for (const times of [31, 127, 128, 129, 130, 257, 1000]) {
        expect(count(unit.repeat(times))).toBe(reference(unit.repeat(times)));
      }
    }
  });

  it("takes less than two seconds for 100 kB of one letter and of spaces", () => {
    const run = (): void => {
      expect(count("a".repeat(100_000))).toBe(12_500);
      expect(count(" ".repeat(100_000))).toBe(782);
    };
    expect(processorTime(2000, run)).toBeLessThan(2000);
  });

  // Where gpt-tokenizer and tiktoken differ, tiktoken is right. These numbers are from tiktoken 0.14.0.
  it.each([
    ["\ufeffusing", 1],
    ["\ufeff\ufeff", 1],
    ["a\ufeffusing System;", 4],
    ["a \ufeff\n b", 4],
    ["a\u0085\n b", 5],
    ["x\u0085\u0085y", 6],
    ["it'\u017fest", 4],
  ])("equals tiktoken on %j", (text, tokens) => {
    expect(count(text)).toBe(tokens);
  });

  it("has a reproducible table of at most 3 MB", () => {
    expect(Buffer.compare(tool.o200kTable(), table)).toBe(0);
    expect(table.length).toBeLessThanOrEqual(3_000_000);
  });
});

const shared = process.env["HEARTWOOD_SHARED"] ?? join(process.cwd(), "../shared");
const corpus = join(shared, "data/memaware/corpus");
if (!existsSync(corpus)) console.warn(`SKIPPED: o200k over a real corpus; ${corpus} is not there (HEARTWOOD_SHARED)`);

describe.skipIf(!existsSync(corpus))("counting o200k_base tokens of a real corpus", () => {
  it("equals gpt-tokenizer on every file of the first megabyte", () => {
    let size = 0;
    for (const name of readdirSync(corpus).toSorted()) {
      const text = readFileSync(join(corpus, name), "utf8").replace(DISPUTED, "");
      expect(count(text), name).toBe(reference(text));
      size += text.length;
      if (size > 1_000_000) return;
    }
  });
});

/**
 * Characters for which gpt-tokenizer differs from o200k_base: it loses U+FEFF while merging, and JavaScript's `\s` and case
 * folding treat U+FEFF, U+0085 and U+017F differently than tiktoken's patterns.
 */
const DISPUTED = /[\ufeff\u0085\u017f]/gu;

function reference(text: string): number {
  return countTokens(text, { disallowedSpecial: new Set<string>() });
}

it("reads its table once, when counting, and a missing or damaged one is an error", () => {
  let reads = 0;
  const tokens = createO200kTokens(() => {
    reads += 1;
    return table;
  });
  expect([reads, tokens.count("a text"), tokens.count("two texts"), reads]).toEqual([0, 2, 2, 1]);
  expect(() => createO200kTokens(shippedTable("missing.bin")).count("a text")).toThrow(
    "missing.bin could not be read (ENOENT)",
  );
  for (const bytes of [Buffer.alloc(0), Buffer.from("hwo200k1"), Buffer.alloc(500_000, "hwo200k1")])
    expect(() => createO200kTokens(() => bytes).count("a text")).toThrow(MemoryError);
});
