import fc from "fast-check";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type LedgerLine, parseLedgerLine, printLedgerLine } from "./ledger.ts";
import {
  type AnswerRecord,
  countingAnswers,
  parseJobId,
  parseRecord,
  parseRecordName,
  printJobId,
  printRecord,
  printRecordName,
  type RecordName,
  recordPath,
  summaryKinds,
} from "./record.ts";

const hex = (length: number): fc.Arbitrary<string> =>
  fc
    .array(fc.constantFrom(..."0123456789abcdef"), { minLength: length, maxLength: length })
    .map((digits) => digits.join(""));
const text = fc.string({ unit: "binary", maxLength: 40 });
const label = fc.oneof(
  fc.constantFrom("2026-03-15", "2026-03-15.late-2", "2026-W10", "2026-03", "ROOT"),
  fc.stringMatching(/^[a-z0-9][a-z0-9._-]{0,20}$/u).map((id) => `${id}.120`),
);
const finding = fc.record({
  code: fc.constantFrom("too_long", "ungrounded", "secret"),
  severity: fc.constantFrom("warning", "error"),
  message: text,
  line: fc.option(fc.nat(), { nil: null }),
});
const record = fc.record(
  {
    state: fc.constantFrom("accepted", "refused", "dropped"),
    kind: fc.constantFrom(...summaryKinds),
    label,
    basis: hex(64),
    digest: hex(64),
    prompt_rule: fc.constant("node-prompt-1"),
    model: text,
    by: text,
    at: fc.constant("2026-03-16T09:00:00+01:00"),
    tokens: fc.record({ prompt: fc.nat(), answer: fc.nat() }),
    findings: fc.array(finding, { maxLength: 3 }),
    answer: text,
    summary: fc.array(text, { maxLength: 3 }),
  },
  {
    requiredKeys: [
      "state",
      "kind",
      "label",
      "basis",
      "digest",
      "prompt_rule",
      "model",
      "at",
      "tokens",
      "findings",
      "answer",
      "summary",
    ],
  },
) as fc.Arbitrary<AnswerRecord>;

function exampleOf(name: string): string {
  const page = readFileSync(new URL("../../../docs/formats/summaries.md", import.meta.url), "utf8");
  return new RegExp(`^\`\`\`json ${name}\n(.*?)^\`\`\``, "msu").exec(page)?.[1] ?? "";
}

describe("a record", () => {
  it("reads back as written", () => {
    fc.assert(
      fc.property(record, (value) => {
        expect(parseRecord(printRecord(value))).toEqual(value);
      }),
    );
  });

  it("is damaged when any byte of its content differs", () => {
    fc.assert(
      fc.property(record, fc.nat(), fc.constantFrom(...'x0" }'), (value, at, other) => {
        const printed = printRecord(value);
        const place = at % printed.length;
        const changed = printed.slice(0, place) + other + printed.slice(place + 1);
        const read = parseRecord(changed);
        if (read !== "damaged") expect(read).toEqual(value);
      }),
      { numRuns: 500 },
    );
  });

  it("is damaged when it is cut anywhere", () => {
    const [value] = fc.sample(record, { numRuns: 1, seed: 7 });
    const printed = printRecord(value as AnswerRecord);
    for (let end = 0; end < printed.length - 1; end += 1) expect(parseRecord(printed.slice(0, end))).toBe("damaged");
  });

  it("can be parsed from the example in the format document", () => {
    const example = exampleOf("answer-record");
    expect(parseRecord(example)).toMatchObject({ state: "accepted", label: "2026-03-15", by: "claude-code" });
    expect(JSON.parse(printRecord(parseRecord(example) as AnswerRecord))).toEqual(JSON.parse(example));
  });
});

describe("the name of a record", () => {
  it("contains label, basis, digest and state, and reads back as written", () => {
    fc.assert(
      fc.property(record, (value) => {
        const file = recordPath(value).split("/").at(-1) ?? "";
        const name = parseRecordName(file);
        expect(name).toMatchObject({
          label: value.label,
          state: value.state,
          basis: value.basis.slice(0, 16),
          digest: value.digest.slice(0, 16),
        });
        expect(printRecordName(name as RecordName)).toBe(file);
      }),
    );
  });

  it("is rejected when it has another form", () => {
    const part = "0123456789abcdef";
    for (const file of [
      "",
      ".json",
      `2026-03-15.${part}.json`,
      `.${part}.${part}.json`,
      `2026-03-15.${part}.${part}.refused.json`,
      `2026-03-15.${part}.${part}.dropped-01234567.json`,
      `2026-03-15.${part}.${part.toUpperCase()}.json`,
      `2026-03-15.${part}.${part}.json.tmp`,
    ])
      expect(parseRecordName(file), file).toBeUndefined();
  });

  it("decides which of two accepted answers is used, in any order", () => {
    const name = (digest: string, state: RecordName["state"] = "accepted"): RecordName => ({
      label: "a",
      basis: "b",
      digest,
      state,
      text: "",
    });
    const names = [name("2"), name("1"), name("3", "dropped"), { ...name("4"), basis: "c" }];
    expect(countingAnswers(names).map(({ digest }) => digest)).toEqual(["1", "3", "4"]);
    expect(countingAnswers(names.toReversed()).map(({ digest }) => digest)).toEqual(["4", "3", "1"]);
  });
});

describe("a job id", () => {
  it("can be split again, whatever the label contains", () => {
    fc.assert(
      fc.property(fc.constantFrom(...summaryKinds), label, hex(64), (kind, name, digest) => {
        expect(parseJobId(printJobId({ kind, label: name, digest }))).toEqual({
          kind,
          label: name,
          digest: digest.slice(0, 8),
        });
      }),
    );
    expect(printJobId({ kind: "daily", label: "2026-03-15", digest: "9f2c1f3a4f0f" })).toBe(
      "daily-2026-03-15-9f2c1f3a",
    );
  });

  it("is rejected when it has another form", () => {
    for (const job of [
      "",
      "daily",
      "daily-2026-03-15",
      "yearly-2026-0123abcd",
      "daily--0123abcd",
      "daily-a-0123ABCD",
      "daily-0123abcd",
    ])
      expect(parseJobId(job), job).toBeUndefined();
  });
});

describe("a ledger line", () => {
  const line = fc.record(
    {
      at: fc.constant("2026-03-16T09:00:00+01:00"),
      day: fc.constant("2026-03-16"),
      event: fc.constantFrom("asked", "answered", "failed", "submitted", "dropped", "waited"),
      kind: fc.constantFrom(...summaryKinds),
      label,
      digest: hex(64),
      model: text,
      tokens: fc.nat(),
      requests: fc.nat(),
      outcome: fc.constantFrom("accepted", "refused"),
      codes: fc.array(text, { maxLength: 3 }),
      code: text,
      message: text,
    },
    { requiredKeys: ["at", "day", "event", "kind", "label"] },
  ) as fc.Arbitrary<LedgerLine>;

  it("reads back as written, and is one line", () => {
    fc.assert(
      fc.property(line, (value) => {
        const printed = printLedgerLine(value);
        expect(printed.indexOf("\n")).toBe(printed.length - 1);
        expect(parseLedgerLine(printed)).toEqual(value);
      }),
    );
  });

  it("is skipped when it is torn", () => {
    const [value] = fc.sample(line, { numRuns: 1, seed: 3 });
    const printed = printLedgerLine(value as LedgerLine);
    for (let end = 0; end < printed.length - 1; end += 1)
      expect(parseLedgerLine(printed.slice(0, end))).toBeUndefined();
  });

  it("can be parsed from the example in the format document", () => {
    const lines = exampleOf("ledger").trimEnd().split("\n");
    expect(lines.map((each) => printLedgerLine(parseLedgerLine(each) as LedgerLine).trimEnd())).toEqual(lines);
    expect(lines).toHaveLength(3);
  });
});
