import { fileURLToPath } from "node:url";
import { describe, expect, it, test } from "vitest";
import { cosine, isBlank } from "../recall/vectors/int8.ts";
import { describeEmbedder } from "../testing/index.ts";
import { createStaticEmbedder, openStaticVectors } from "./static-embedder.ts";

const tableFile = fileURLToPath(new URL("../../assets/minilm-256.bin", import.meta.url));
const { embed } = openStaticVectors({ tableFile });

describeEmbedder(
  {
    name: "static-embedder",
    create: async () => {
      const embedder = createStaticEmbedder({ tableFile });
      return { embedder, close: async () => embedder.close?.() };
    },
  },
  { describe, it, expect },
);

describe("what lies close", () => {
  test.each([
    ["The doctor told me to sleep more.", "My physician says I need rest.", "The invoice was sent on Monday."],
    ["How do I get rid of ants in the kitchen?", "Insects came into our house.", "The train to Berlin was late."],
    ["We chose Postgres for the orders.", "The database is to be a relational one.", "My sister plays the violin."],
    ["I adopted a puppy last week.", "Our dog is three months old.", "The tax form is due in April."],
  ])("%s is closer to %s than to %s", (text, near, far) => {
    expect(cosine(embed(text), embed(near))).toBeGreaterThan(cosine(embed(text), embed(far)) + 0.1);
  });

  test("neither case nor accents count", () => {
    expect(embed("The CAFÉ is closed")).toEqual(embed("the cafe is CLOSED"));
  });
});

describe("what is not known", () => {
  test.each([
    "오늘은 결제 흐름을 고쳤습니다.",
    "今日は決済フローを修正しました。",
    "今天我们修复了支付流程，决定使用令牌桶。",
    "Сегодня мы исправили оплату.",
    "اليوم أصلحنا تدفق الدفع.",
    "วันนี้เราแก้ไขขั้นตอนการชำระเงินแล้ว",
    "🎉🎉🎉",
    "... --- ...",
    "",
  ])("has no vector: %s", (text) => {
    expect(isBlank(embed(text))).toBe(true);
  });

  test("a text with some foreign words has one, a text with some English words in it has none", () => {
    expect(isBlank(embed("The word for garden in Korean is 정원, I was told."))).toBe(false);
    expect(isBlank(embed("今日は React の設定を直して、テストも全部通りました。"))).toBe(true);
  });
});

test("a missing table is `io` with its path, when the first text is to be embedded", async () => {
  const embedder = createStaticEmbedder({ tableFile: "/nowhere/minilm-256.bin" });
  await expect(embedder.embed(["a"], { purpose: "query" })).rejects.toMatchObject({
    code: "io",
    details: { path: "/nowhere/minilm-256.bin" },
  });
});
