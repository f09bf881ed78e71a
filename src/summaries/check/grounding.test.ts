import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { processorTime } from "../../../test/fixtures/processor-time.ts";
import { groundingFindings } from "./grounding.ts";
import { lawRuns } from "../../../test/fixtures/law-runs.ts";

/** The warnings about one line of an answer. */
function warnings(answer: string, ...sources: readonly string[]): readonly string[] {
  const findings = groundingFindings([{ text: answer, line: 7 }], sources);
  return findings.filter(({ severity }) => severity === "warning").map(({ message }) => message);
}

describe("paraphrases that are accepted", () => {
  test.each([
    ["thousands separators", "310,000 rows were moved", "- moved 310000 rows"],
    ["separators of other countries", "21.400 € für das Dach", "- Dach: 21400 €"],
    ["a decimal comma", "1,8 Liter pro Stunde", "- 1.8 l/h pro Stunde"],
    ["digits grouped by spaces", "a budget of EUR 48,500", "- budget: 48 500 euros"],
    ["number words of the source", "we want three retries", "- 3 retries"],
    ["number words of the answer", "12 retries at most", "- at most twelve retries"],
    ["Korean number words", "재시도는 셋 이하", "- 재시도 3회 이하"],
    ["Han numerals of the source", "予算は二十万円", "- 予算: 200,000円"],
    ["Han numerals of the answer", "重试 3 次", "- 重试三次"],
    ["units of ten thousand", "주문 12만 건", "- 주문 120,000건"],
    ["10k and 10,000", "after 10,000 jobs", "- stalls after 10k jobs"],
    ["short units", "a pause of 5 minutes", "- pause: 5 min"],
    ["full-width digits", "在庫は１２８件", "- 在庫 128件"],
    ["a number times a number word", "25 thousand jobs ran", "- 25,000 jobs"],
    ["percent as a sign and a word", "38 percent of misses", "- misses: 38%"],
    ["a date in another form", "on March 15th we met", "- met on 15 March"],
    ["a date with the year of the period", "on 15 March we met", "- met on 2026-03-15"],
    ["a date without its year", "we met on 2026-03-15", "- met on 3/15"],
    ["a Korean date", "2026년 3월 15일 회의", "- 회의: 3/15"],
    ["a Japanese date", "会議は3月15日", "- 会議 2026-03-15"],
    ["Han dates", "会議は三月十五日", "- 会議は3月15日"],
    ["German dates", "Treffen am 3. November", "- Treffen: 3.11."],
    ["the month of a date", "Treffen on 2026-11-03", "- Treffen in November 2026"],
    ["the weekday of a date", "met on 2026-03-15", "- met on Sunday"],
    ["a time of day in the afternoon", "appointment at 4:30 pm", "- appointment: 16:30"],
    ["East Asian times of day", "회의는 오후 3시", "- 회의 15:00"],
    ["a Japanese time of day", "打ち合わせは午後2時半", "- 打ち合わせ 14:30"],
    ["case of names", "asked REDIS for it", "- the answer of Redis"],
    ["inflection", "Maria's plan for the Deployment", "- plan of Maria for Deployments"],
    ["a path shortened to its end", "see src/limit/store.ts", "- changed limit/store.ts"],
    ["a file name alone", "see src/limit/store.ts", "- changed store.ts"],
    ["a path with parts omitted", "see src/limit/buckets/store.ts", "- changed src/.../store.ts"],
    ["an address without scheme and query", "https://www.example.org/a/b?c=d#e", "- see example.org/a/b"],
    ["another spelling of an identifier", "the column due_on", "- the column dueOn"],
    ["an identifier written as words", "the due on column", "- `due_on` column"],
    ["a version without v", "released v1.2.3", "- release 1.2.3"],
    ["a shortened version", "uses Node 24.21.0", "- uses Node 24"],
    ["a shortened hash", "commit 8f31c0de92aa", "- commit 8f31c0d"],
    ["the function name of a call", "call resolveTarget(a, b) first", "- resolveTarget() goes first"],
    ["an abbreviation followed by a digit", "continuous integration failed", "- the failed job of CI2", "CI2"],
    ["an abbreviation of words", "the minimum viable product", "- ship the MVP"],
    ["the name of a product in full", "we use Postgres", "- data in PostgreSQL"],
    ["Katakana without its long vowel", "サーバー名はカワムラー", "- 名前はカワムラ"],
    ["a Korean name with another title", "김서연 팀장이 승인", "- 승인: 김서연 님"],
    ["Latin words in East Asian text", "큐는 redis 로", "- Redis를 큐로 사용"],
    ["the count of the listed items", "apples, pears and plums", "- 3 fruits: apples, pears, plums"],
    ["a word at the beginning of a sentence", "we moved it", "- Relocated it. Afterwards nothing broke."],
    ["tags of types and check boxes", "limits", "- [x] limits [project, done]"],
    ["refs at the end", "limits are fine", "- limits (~03-15:12-18, 04-16:3)"],
    ["a short quotation", "boxes in PDF", '- the "boxes" problem in PDF'],
    ["choices of plain words", "red or green", "- red/green"],
  ])("%s", (_, source, answer, but?: string) => {
    const found = warnings(answer, source);
    expect(found.filter((message) => but === undefined || !message.includes(but))).toEqual([]);
  });

  test("headings and topic names are the answer's own words", () => {
    const lines = [
      "## Topics",
      "- Dark Mode Redesign [project]: colours",
      "## Key Decisions",
      "- Dark Mode Redesign: colours",
    ];
    const answer = lines.map((text, at) => ({ text, line: at + 1 }));
    expect(groundingFindings(answer, ["the colours of the night"])).toEqual([]);
  });
});

describe("items that are reported", () => {
  const source =
    "2026-03-15: Maria moved 62 slices of src/limit/store.ts to v1.2.3, see due_on at example.org; met on 15 March at 10:30 with Redis";
  test.each([
    ["a number", "moved 63 slices", "63 slices"],
    ["a rounded number", "about 60 slices moved", "60 slices"],
    ["a decimal number", "moved 6.2 slices", "6.2"],
    ["a percentage", "62 slices are 14%", "14%"],
    ["a date", "moved on 2026-03-16", "2026-03-16"],
    ["a date in words", "moved on 17 March", "17 March"],
    ["a time of day", "met at 11:30", "11:30"],
    ["a weekday", "moved on Monday", "Monday"],
    ["a month", "moved in April", "April"],
    ["a version", "moved to v1.3.3", "v1.3.3"],
    ["an identifier", "see paid_on", "paid_on"],
    ["a constant", "see MAX_SLICES", "MAX_SLICES"],
    ["a word in camel case", "see dueDate", "dueDate"],
    ["a flag", "moved with --force-all", "--force-all"],
    ["a ticket", "moved for OPS-482", "OPS-482"],
    ["an issue", "moved for #482", "#482"],
    ["a hash", "moved in 8f31c0de", "8f31c0de"],
    ["a function", "see resolve()", "resolve()"],
    ["an error", "failed with ECONNRESET", "ECONNRESET"],
    ["a path", "moved src/limit/bucket.ts", "src/limit/bucket.ts"],
    ["a path of known parts in another order", "moved limit/src/store.ts", "limit/src/store.ts"],
    ["a file", "moved bucket.ts", "bucket.ts"],
    ["a host", "see example.net", "example.net"],
    ["an address", "see https://example.org/limits", "example.org/limits"],
    ["an e-mail address", "told maria@example.org", "maria@example.org"],
    ["a handle", "told @tomasz", "@tomasz"],
    ["a person", "slices moved by Tomasz", "Tomasz"],
    ["a person at the start of the line", "Tomasz agreed to 62 slices", "Tomasz"],
    ["a person in the possessive", "Tomasz's 62 slices", "Tomasz"],
    ["a product", "moved to Cassandra", "Cassandra"],
    ["an acronym", "moved to AWS", "AWS"],
    ["a long quotation", 'she said "never touch the old importer again"', "never touch"],
    ["a literal word", "set `enforcement` to 62", "enforcement"],
    ["a Katakana name", "カワムラに移動", "カワムラ"],
    ["a Japanese person", "高橋さんに移動", "高橋さん"],
    ["a Korean person", "박준호 씨가 이동", "박준호"],
    ["a Latin word in East Asian text", "Kafka로 이동", "Kafka"],
    ["a Korean date", "3월 16일 이동", "3월 16일"],
    ["a Chinese number", "移动 63 个", "63"],
  ])("%s", (_, answer, value) => {
    expect(warnings(`- ${answer}`, source).join("\n")).toContain(value);
  });

  test("reports a date whose year differs from the sources", () => {
    expect(warnings("- moved on 2025-03-15", "moved on 2026-03-15").join()).toContain("2025-03-15");
    expect(warnings("- moved on 2025-03-15", "moved on March 15")).toEqual([]);
  });

  test("reports a number that occurs in the sources only in another context", () => {
    const text = "Retries: 7 of them\n\nunrelated words\n\nThe backup keeps 30 days";
    expect(warnings("- backup keeps 7 days", text).join()).toContain("7 days");
    expect(warnings("- 7 retries; the backup keeps 30 days", text)).toEqual([]);
  });

  test("a finding has the kind and the line, and no secret", () => {
    const token = `ghp_${"a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8".slice(0, 36)}`;
    const [finding] = groundingFindings([{ text: `- uses ${token} now`, line: 7 }], ["nothing"]);
    expect(finding).toMatchObject({ code: "ungrounded", severity: "warning", line: 7 });
    expect(finding?.message).not.toContain(token);
  });

  test("many findings refuse the answer, a few do not", () => {
    const lines = [
      "moved 62 slices",
      "moved to Cassandra",
      "moved by Tomasz",
      "moved at 11:30",
      "moved src/x/bucket.ts",
    ];
    const answer = lines.map((text, at) => ({ text: `- ${text}`, line: at + 1 }));
    const errors = (count: number) =>
      groundingFindings(answer.slice(0, count), [source]).filter(({ severity }) => severity === "error");
    expect(errors(2)).toEqual([]);
    expect(errors(5)).toEqual([
      expect.objectContaining({ code: "ungrounded", line: null, message: expect.stringContaining("4 of the 5") }),
    ]);
  });

  test.each([
    [3, 4, "refused: few, but most of the answer"],
    [1, 1, "kept: a single one is never many"],
    [2, 4, "kept: half is not more than half"],
    [3, 5, "refused"],
    [3, 20, "kept: three are few"],
    [4, 39, "refused: four, and more than a tenth"],
    [4, 40, "kept: a tenth is not more than a tenth"],
    [5, 49, "refused"],
    [5, 50, "kept"],
  ])("%i findings of %i are %s", (found, checked, what) => {
    const known = Array.from({ length: checked - found }, (_, at) => `GATE-${1000 + at}`);
    const invented = Array.from({ length: found }, (_, at) => `ZETA-${7000 + at}`);
    const answer = [...known, ...invented].map((code, at) => ({ text: `- moved ${code}`, line: at + 1 }));
    const findings = groundingFindings(answer, known);
    expect(findings.filter(({ severity }) => severity === "warning")).toHaveLength(found);
    expect(findings.some(({ severity }) => severity === "error")).toBe(what.startsWith("refused"));
  });

  test("an English line that quotes Korean words is not treated as Korean", () => {
    const line = "- leave out what is marked `임시`, and keep the cause and what fixed it";
    expect(warnings(line, "the source says 임시 and nothing else").join("\n")).not.toMatch(/"(?:and|keep|what)"/u);
    expect(warnings("- 내일 Kubernetes 배포 예정", "내일 배포 예정")).toHaveLength(1);
  });

  test("an answer with nothing to check has no findings", () => {
    expect(groundingFindings([], [])).toEqual([]);
    expect(warnings("- nothing was decided")).toEqual([]);
  });
});

const word = fc.constantFrom(
  ...'the token bucket moved to Redis 62 slices on 2026-03-15 3월 15일 カワムラ 田中さん が 재시도 두 번 12,500 `due_on` src/limit/store.ts (v1.2) 3/15 10:30 https://example.org/a?b=c Maria\'s 三次 "a b c d e f g" #12 — 5k 1,8 @ana x@y.zz 王小明说 ½ ＡＢ１ €5 -3 ..'.split(
    " ",
  ),
);
const lineOf = fc
  .array(
    fc.oneof({ weight: 4, arbitrary: word }, { weight: 1, arbitrary: fc.string({ unit: "grapheme", maxLength: 8 }) }),
    { maxLength: 12 },
  )
  .map((words) => words.join(" "));
const text = fc.array(lineOf, { maxLength: 6 }).map((lines) => lines.join("\n"));

describe("laws", () => {
  test("every line of the sources is grounded in them", () => {
    fc.assert(
      fc.property(fc.array(text, { maxLength: 3 }), (sources) => {
        const lines = sources
          .flatMap((source) => source.split(/\r\n|[\n\r\u2028\u2029]/u))
          .filter((line) => !line.startsWith("#"));
        expect(
          groundingFindings(
            lines.map((line, at) => ({ text: line, line: at + 1 })),
            sources,
          ),
        ).toEqual([]);
      }),
      { numRuns: lawRuns(300) },
    );
  });

  test("more sources never add findings, and their order does not matter", () => {
    fc.assert(
      fc.property(text, fc.array(text, { maxLength: 3 }), text, (answer, sources, further) => {
        const lines = answer.split("\n").map((line, at) => ({ text: line, line: at + 1 }));
        const messages = (texts: readonly string[]) =>
          groundingFindings(lines, texts)
            .filter(({ severity }) => severity === "warning")
            .map(({ message, line }) => `${line} ${message}`);
        const known = messages(sources);
        expect(messages([...sources].toReversed())).toEqual(known);
        expect(messages([...sources, further]).filter((one) => !known.includes(one))).toEqual([]);
      }),
      { numRuns: lawRuns(300) },
    );
  });

  test("a planted identifier, number or date is always found", () => {
    const letters = fc.string({ unit: fc.constantFrom(..."qxzjkvw"), minLength: 5, maxLength: 9 });
    const invention = fc.oneof(
      fc.tuple(letters, letters).map(([a, b]) => `${a}_${b}`),
      fc.tuple(letters, letters).map(([a, b]) => `${a}${b.slice(0, 1).toUpperCase()}${b.slice(1)}`),
      fc.tuple(letters, letters).map(([a, b]) => `src/${a}/${b}.ts`),
      fc.integer({ min: 20_000, max: 999_999 }).map(String),
      fc
        .tuple(fc.integer({ min: 4, max: 12 }), fc.integer({ min: 16, max: 28 }))
        .map(([m, d]) => `2026-${String(m).padStart(2, "0")}-${d}`),
    );
    fc.assert(
      fc.property(fc.array(text, { maxLength: 3 }), lineOf, invention, (sources, line, value) => {
        const clean = line.replaceAll(/[^a-z ]/gu, "");
        fc.pre(!sources.some((source) => source.includes(value)));
        expect(warnings(`- ${clean} changed ${value} today`, ...sources).join("\n")).toContain(value);
      }),
      { numRuns: lawRuns(300) },
    );
  });

  test.each([
    ["one letter", "a"],
    ["digits", "1"],
    ["groups", "1,"],
    ["dots", "."],
    ["a path", "a/"],
    ["backslashes", "a\\"],
    ["dashes", "a-"],
    ["colons", "1:"],
    ["quotes", '"a '],
    ["backquotes", "`a"],
    ["Han", "三"],
    ["Katakana", "ア"],
    ["Hangul", "두"],
    ["at", "a@"],
    ["hosts", "a.b."],
    ["spaces", " "],
    ["capitals", "Ab "],
    ["marks", "- [x] "],
    ["refs", " (03-15:1, "],
    ["months", "may 1 "],
    ["acronyms", "A"],
    ["apostrophes", "a'"],
  ])("hostile text of %s is checked in time proportional to its length", (_, piece) => {
    const hostile = piece.repeat(Math.ceil(100_000 / piece.length));
    const run = (): unknown => groundingFindings([{ text: hostile, line: 1 }], [hostile]);
    expect(processorTime(3000, run)).toBeLessThan(3000);
  });
});
