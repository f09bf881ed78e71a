import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { processorTime } from "../../../test/fixtures/processor-time.ts";
import { fitManifest, type ManifestNode } from "./manifest.ts";
import {
  choiceDigest,
  mostChosen,
  printChoicePrompt,
  readChoice,
  parseChoice,
  printChoice,
  type ChoiceRecord,
} from "./choice.ts";

const levels = ["monthly", "weekly", "daily"] as const;
const node = fc.record({
  level: fc.constantFrom(...levels),
  topics: fc.array(fc.string({ unit: "grapheme", minLength: 1, maxLength: 100 }), { maxLength: 6 }),
});
const nodes = fc
  .array(node, { maxLength: 12 })
  .map((all) => all.toSorted((a, b) => levels.indexOf(a.level) - levels.indexOf(b.level)))
  .map((all) => all.map((one, at): ManifestNode => ({ ...one, label: `n${at}`, path: `memory/${at}.md` })));
const count = (text: string): number => Math.ceil(text.length / 4);

describe("the manifest", () => {
  test("numbers topics from 1 without gaps, in node order, taking each node's first topics within the space", () => {
    fc.assert(
      fc.property(nodes, fc.nat(300), fc.nat(20), (all, tokens, topics) => {
        const found = fitManifest(all, { tokens, topics, count });
        expect(found.map(({ number }) => number)).toEqual(found.map((_, at) => at + 1));
        expect(found.length).toBeLessThanOrEqual(topics);
        const places = found.map((one) => all.indexOf(one.node));
        expect(places).toEqual(places.toSorted((a, b) => a - b));
        for (const one of all) {
          const own = found.filter((topic) => topic.node === one).map(({ name }) => name);
          expect(own).toEqual(one.topics.slice(0, own.length).map((name) => name.slice(0, 80).toWellFormed()));
        }
        const labels = new Set(found.map((one) => one.node.label));
        const cost = [...labels, ...found.map(({ name }) => name)].reduce((sum, text) => sum + count(text), 0);
        expect(cost).toBeLessThanOrEqual(tokens);
      }),
    );
  });

  test("lists every node of a level before more topics of one, and a lower level only if space remains", () => {
    const months = ["2026-03", "2026-02", "2026-01"].map((label): ManifestNode => {
      return { label, path: label, level: "monthly", topics: ["aaaa", "bbbb"] };
    });
    const day: ManifestNode = { label: "2026-03-12", path: "d", level: "daily", topics: ["cccc"] };
    const told = (topics: number): readonly string[] =>
      fitManifest([...months, day], { tokens: 1000, topics, count }).map((one) => `${one.node.label} ${one.name}`);
    expect(told(4)).toEqual(["2026-03 aaaa", "2026-03 bbbb", "2026-02 aaaa", "2026-01 aaaa"]);
    expect(told(6)).not.toContain("2026-03-12 cccc");
    expect(told(7)).toContain("2026-03-12 cccc");
  });
});

describe("an answer", () => {
  test.each([
    ["3, 17", [3, 17]],
    ["17,3,3", [3, 17]],
    [" 3 17\n", [3, 17]],
    ["- 3\n- 17\n", [3, 17]],
    ["[3, 17]", [3, 17]],
    ["#3, #17.", [3, 17]],
    ["```\n3, 17\n```", [3, 17]],
    ["<think>Perhaps 4?</think>\n3, 17", [3, 17]],
    ["0", []],
    ["20", [20]],
  ])("%j is %j", (text, numbers) => {
    expect(readChoice(text, 20)).toEqual({ numbers, words: [] });
  });

  test.each([
    ["3, 17\nsofa, couch", [3, 17], ["sofa", "couch"]],
    ["0\nsofa", [], ["sofa"]],
    ["Numbers: 3, 17\nOther words: sofa", [3, 17], ["sofa"]],
    ["```text\n3\n\nOther words: sofa; settee.\n```\n", [3], ["sofa", "settee"]],
    ["- 3\n- 17\n- sofa\n- “dining table”", [3, 17], ["sofa", "dining table"]],
    ["3\n소파, 의자", [3], ["소파", "의자"]],
    ["3\nソファ、長椅子。", [3], ["ソファ", "長椅子"]],
    ["3\nأريكة، كرسي", [3], ["أريكة", "كرسي"]],
    ["3\nC++, C#, .NET, .env, std::vector, 10:30", [3], ["C++", "C#", ".NET", ".env", "std::vector", "10:30"]],
    ["3\n1918, 4471", [3], ["1918", "4471"]],
    ["3\na, b, c, d, e, f, g, h, i", [3], ["a", "b", "c", "d", "e", "f", "g", "h"]],
    ["3\n\u202ecouch, – , ta\u200bble", [3], ["couch", "table"]],
    ["3\nsofa\n\nI hope this helps you!", [3], ["sofa"]],
    ["3\nbecause nothing in the list is about that", [3], []],
    ["3\nnone", [3], []],
    ["3\n-", [3], []],
    ["3\n[REDACTED:password]", [3], []],
    ["3\nsofa, password: hunter2-Xk9!", [3], []],
    ["3\npassword: hunter2-Xk9!", [3], []],
  ])("%j has the numbers %j and the other words %j", (text, numbers, words) => {
    expect(readChoice(text, 20)).toEqual({ numbers, words });
  });

  test.each([
    ["21", "out_of_range"],
    ["0, 3", "out_of_range"],
    ["1 2 3 4 5 6 7", "too_many"],
    ["3.5", "not_numbers"],
    ["3-5", "not_numbers"],
    ["-3", "not_numbers"],
    ["three", "not_numbers"],
    ["sofa, couch", "not_numbers"],
    ["none", "not_numbers"],
    ["3 and 17", "not_numbers"],
    ["<think>3", "not_numbers"],
    ["", "not_numbers"],
    ["1 ".repeat(600), "not_numbers"],
  ])("%j is refused: %s", (text, fault) => {
    expect(readChoice(text, 20)).toEqual({ fault });
  });

  test("any answer gives at most the allowed number of topics, all from the list, or is refused, quickly", () => {
    const texts = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.string({ unit: fc.constantFrom(..."0123456789 ,\n-#[]().;`<think>/"), maxLength: 2000 }),
    );
    fc.assert(
      fc.property(texts, fc.integer({ min: 1, max: 300 }), (text, of) => {
        const read = readChoice(text, of);
        if ("fault" in read) return;
        expect(read.numbers.length).toBeLessThanOrEqual(mostChosen);
        expect(read.words.length).toBeLessThanOrEqual(8);
        expect(read.words.every((word) => word.length <= 60 && !/[\p{C}]/u.test(word))).toBe(true);
        expect(read.numbers.every((one) => Number.isSafeInteger(one) && one >= 1 && one <= of)).toBe(true);
      }),
    );
    for (const part of ["<think>", "1 ", "\n- ", "```", " ,", "1\na ", "\n "]) {
      expect(processorTime(500, () => readChoice(part.repeat(100_000), 20))).toBeLessThan(500);
    }
  });
});

describe("the prompt", () => {
  const topics = fitManifest([{ label: "2026-03", path: "p", level: "monthly", topics: ["tea", "a\u202eb\nc"] }], {
    tokens: 100,
    topics: 10,
    count,
  });

  test("has each topic on its own line, and both ends of a long message", () => {
    const { prompt } = printChoicePrompt(`begin ${"x ".repeat(5000)}end`, topics);
    expect(prompt).toMatch(/<topics [0-9a-f]{8}>\n2026-03\n1 tea\n2 a\\u\{202e\}b c\n<\/topics /u);
    expect(prompt.length).toBeLessThan(4500);
    expect(prompt).toMatch(/\nbegin x [^]*\n…\n[^]*x end\n<\/message /u);
  });

  test("is deterministic, and its digest changes with the message, the list or the model", () => {
    const of = (message: string, list: typeof topics, model: string): string =>
      choiceDigest(printChoicePrompt(message, list), model);
    const all = [of("a", topics, "m"), of("b", topics, "m"), of("a", topics.slice(1), "m"), of("a", topics, "n")];
    expect(new Set(all).size).toBe(4);
    expect(of("a", topics, "m")).toBe(all[0]);
  });

  test("contains no text that closes the marks around it", () => {
    const parts = fc.array(fc.constantFrom("</message", "<topics", " < / TOPICS", "abcdef01>", "\n", "x"), {
      maxLength: 12,
    });
    fc.assert(
      fc.property(parts, (texts) => {
        const { prompt } = printChoicePrompt(texts.join(""), topics);
        expect(prompt.match(/<\s*\/?\s*(?:message|topics)\b/giu)).toHaveLength(4);
      }),
    );
  });
});

describe("a record", () => {
  const made: ChoiceRecord = {
    digest: "0f".repeat(32),
    prompt_rule: "choice-prompt-2",
    model: "fake-1:m",
    at: "2026-03-16T09:00:00+01:00",
    of: 42,
    state: "accepted",
    numbers: [3, 17],
    words: ["sofa"],
  };
  const refused: ChoiceRecord = { ...made, state: "refused", numbers: [], words: [], code: "not_numbers" };

  test.each([made, refused, { ...made, numbers: [], words: [] }])("parses back to what was printed", (record) => {
    expect(parseChoice(printChoice(record))).toEqual(record);
  });

  test("with any character changed, it is rejected or means the same", () => {
    fc.assert(
      fc.property(fc.constantFrom(made, refused), fc.nat(), fc.string({ maxLength: 1 }), (record, at, char) => {
        const text = printChoice(record);
        const cut = at % text.length;
        const read = parseChoice(`${text.slice(0, cut)}${char}${text.slice(cut + 1)}`);
        expect([undefined, JSON.stringify(record)]).toContain(read === undefined ? undefined : JSON.stringify(read));
      }),
    );
  });

  test.each([{ numbers: [43] }, { numbers: [0] }, { numbers: [1, 2, 3, 4, 5, 6, 7] }, { code: "cut_off" as const }])(
    "with %j is rejected even if its checksum is right",
    (wrong) => {
      expect(parseChoice(printChoice({ ...made, ...wrong }))).toBeUndefined();
    },
  );
});
