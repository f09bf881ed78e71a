import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { processorTime } from "../../../test/fixtures/processor-time.ts";
import { printRef } from "../../base/refs.ts";
import { bestLines, bestRefs, createLineIndex, type SourceText } from "./match.ts";

function source(texts: readonly string[], log = "2026-03-15"): SourceText {
  return { name: log, lines: texts.map((text, at) => ({ text, refs: [{ log, from: at + 1, to: at + 1 }] })) };
}

const day = source([
  "## Rate limiting [project]",
  "- decisions: token bucket for the gateway, bursts must pass",
  "- open: measure refused requests for a week",
  "- note: the gateway counts per address, not per key",
  "## Old importer [project]",
  "- outcome: removed, nobody calls the importer",
  "- note: the camt files stay where they are",
  "## 청구서 [project]",
  "- 결정: 청구서의 기한은 3월 말로 한다",
  "## 会議 [project]",
  "- 決定事項：請求書の期限を三月末に変更する",
  "- 我们决定在网关使用令牌桶限流",
]);

function refs(text: string, topic = "", sources: readonly SourceText[] = [day]): string {
  return bestRefs({ topic, text }, createLineIndex(sources)).map(printRef).join(", ");
}

describe("a passage links to the lines that share its rarest words", () => {
  test.each([
    ["token bucket, bursts must pass", "~03-15:2"],
    ["the importer was removed since nobody calls it", "~03-15:6"],
    ["counts per address", "~03-15:4"],
    ["청구서 기한을 3월 말로 결정", "~03-15:9"],
    ["請求書の期限は三月末", "~03-15:11"],
    ["网关令牌桶限流", "~03-15:12"],
  ])("%s", (text, wanted) => {
    expect(refs(text)).toBe(wanted);
  });

  test("a passage made from several lines links to each, and neighbours form one stretch", () => {
    expect(refs("token bucket and bursts; camt files stay")).toBe("~03-15:2, ~03-15:7");
    expect(refs("token bucket for bursts, measure refused requests for a week, counts per address not per key")).toBe(
      "~03-15:2-4",
    );
  });

  test("links to at most three stretches and five places in them", () => {
    const words = ["alpha", "bravo", "charlie", "delta", "echo", "foxtrot"];
    const apart = source(words.flatMap((one) => [`- ${one} happened`, "- nothing else", "- nothing more"]));
    expect(refs(words.join(" "), "", [apart]).split(", ")).toHaveLength(3);
    const many = (text: string, at: number): SourceText["lines"][number] => ({
      text,
      refs: [0, 10, 20].map((from) => ({ log: "2026-03-15", from: at * 100 + from + 1, to: at * 100 + from + 1 })),
    });
    const spread = { name: "2026-W11", lines: words.map((one, at) => many(`- ${one} happened`, at)) };
    expect(refs(words.join(" "), "", [spread]).split(", ").length).toBeLessThanOrEqual(5);
    expect(refs(words.join(" "), "", [spread]).split(", ").length).toBeGreaterThan(3);
  });

  test("among identical lines, the one of its topic is chosen", () => {
    const twice = source(["## Auth [project]", "- outcome: shipped", "## Billing [project]", "- outcome: shipped"]);
    expect(refs("shipped", "Billing", [twice])).toBe("~03-15:4");
    expect(refs("shipped", "Auth", [twice])).toBe("~03-15:2");
  });

  test("a passage that shares no word links to its topic, or else to the whole sources", () => {
    expect(refs("zzz", "Old importer")).toBe("~03-15:5-7");
    expect(refs("zzz", "qqq")).toBe("~03-15");
    expect(refs("", "", [day, source(["- a b"], "2026-03-16-standup")])).toBe("~03-15, ~03-16-standup");
  });

  test("lines of a summary pass on their own refs", () => {
    const week: SourceText = {
      name: "2026-03-12",
      lines: [
        { text: "## Key Decisions", refs: [] },
        {
          text: "- Rate limiting: token bucket",
          refs: [
            { log: "2026-03-12", from: 12, to: 18 },
            { log: "2026-03-12-standup", from: 4, to: 4 },
          ],
        },
      ],
    };
    expect(refs("token bucket", "Rate limiting", [week])).toBe("~03-12:12-18, ~03-12-standup:4");
  });

  test("messages of a thread are found by their seq", () => {
    const thread: SourceText = {
      name: "notes",
      lines: [
        { text: "user: token bucket", refs: [], seq: 3 },
        { text: "assistant: removed", refs: [], seq: 4 },
      ],
    };
    const index = createLineIndex([thread]);
    expect(bestLines({ topic: "", text: "the bucket of tokens" }, index).map(({ seq }) => seq)).toEqual([3]);
    expect(bestLines({ topic: "", text: "zzz" }, index)).toEqual([]);
  });
});

describe("for any passage", () => {
  const word = fc.constantFrom(
    "token",
    "bucket",
    "gateway",
    "importer",
    "청구서",
    "請求書",
    "令牌桶",
    "03-15",
    "x",
    "",
  );
  const text = fc.oneof(
    fc.array(word, { maxLength: 8 }).map((words) => words.join(" ")),
    fc.string({ unit: "binary", maxLength: 30 }),
  );

  test("the refs are nonempty, few, within the sources, marked and deterministic", () => {
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 20 }), text, text, (lines, topic, told) => {
        const sources = [source(lines)];
        const found = bestRefs({ topic, text: told }, createLineIndex(sources));
        expect(found.length).toBeGreaterThan(0);
        expect(found.length).toBeLessThanOrEqual(5);
        for (const ref of found) {
          expect(ref.found).toBe("by_match");
          expect(ref.log).toBe("2026-03-15");
          expect(ref.to).toBeLessThanOrEqual(lines.length);
        }
        expect(bestRefs({ topic, text: told }, createLineIndex(sources))).toEqual(found);
      }),
    );
  });

  test("a line copied verbatim links to itself", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.integer({ min: 100, max: 99_999 }), { minLength: 2, maxLength: 30 }),
        fc.nat(),
        (numbers, pick) => {
          const lines = numbers.map((number) => `- the gateway was measured ${number} times`);
          const at = pick % lines.length;
          expect(refs(lines[at] ?? "", "", [source(lines)])).toBe(`~03-15:${at + 1}`);
        },
      ),
    );
  });

  test("two hundred passages are matched against ten thousand lines in well under a second", () => {
    const lines = Array.from(
      { length: 10_000 },
      (_, at) =>
        `- gateway number ${at} of region-${at % 97} has ${at * 7919} tokens in its bucket, said team ${at % 13}`,
    );
    const run = (): void => {
      const index = createLineIndex([source(lines)]);
      for (let at = 0; at < 200; at++) bestRefs({ topic: "gateway", text: lines[at * 37] ?? "" }, index);
    };
    expect(processorTime(3_000, run)).toBeLessThan(3_000);
  });
});
