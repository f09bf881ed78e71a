import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { processorTime } from "../../../test/fixtures/processor-time.ts";
import { isRefused, readAnswer } from "./read-answer.ts";
import type { AnswerCode, SummaryKind } from "../../tree/answers/record.ts";
import type { SummaryRequest } from "./request.ts";
import { lawRuns } from "../../../test/fixtures/law-runs.ts";

const count = (text: string): number => Math.ceil(text.length / 4);

const source = [
  "## Rate limiting [project]",
  "- decisions: token bucket, bursts must pass",
  "- open: measure refused requests for a week",
  "## Old importer [project]",
  "- outcome: removed, nobody calls it",
  "## Short answers [feedback]",
  "- rule: answer in three sentences",
];

function request(kind: SummaryKind = "daily", more: Partial<SummaryRequest> = {}): SummaryRequest {
  return {
    kind,
    label: kind === "root" ? "ROOT" : kind === "thread" ? "notes.12" : "2026-03-15",
    basis: "0".repeat(64),
    promptRule: "node-prompt-1",
    instructions: "",
    sources: [
      {
        name: "2026-03-15",
        lines: source.map((text, at) => ({ text, refs: [{ log: "2026-03-15", from: at + 1, to: at + 1 }] })),
      },
    ],
    mustKeep: [],
    budgetTokens: 1_000,
    space: { lines: 20, bytes: 2_000 },
    leftOut: 0,
    ...more,
  };
}

const good = [
  "## Topics",
  "- Rate limiting [project]: token bucket, bursts",
  "",
  "## Key Decisions",
  "- Rate limiting: token bucket, bursts must pass",
].join("\n");
const kept = { topic: "Short answers", type: "feedback", lines: ["- rule: answer in three sentences"] } as const;

function read(
  text: string,
  asked: SummaryRequest = request(),
  end: "complete" | "cut_off" = "complete",
): ReturnType<typeof readAnswer> {
  return readAnswer(asked, { text, end }, count);
}

function errors(text: string, asked?: SummaryRequest, end?: "complete" | "cut_off"): readonly AnswerCode[] {
  return read(text, asked, end)
    .findings.filter(({ severity }) => severity === "error")
    .map(({ code }) => code);
}

function linesOf(text: string, asked?: SummaryRequest): readonly string[] {
  return read(text, asked).lines.map((line) => line.text);
}

const goodLines = good.split("\n").filter((line) => line !== "");

describe("an answer as models write it", () => {
  test("is read unchanged", () => {
    expect(read(good).findings).toEqual([]);
    expect(linesOf(good)).toEqual(goodLines);
    expect(read(good).lines.map(({ line }) => line)).toEqual([1, 2, 4, 5]);
  });

  test.each([
    ["a fence around it", `\`\`\`markdown\n${good}\n\`\`\``],
    ["a fence with text around it", `Here is the summary:\n\n~~~~\n${good}\n~~~~\n\nTell me if you need more!`],
    ["a preamble", `Sure, here is the summary.\n\n${good}`],
    ["reasoning", `<think>\n## Topics\nThe user wants…\n</think>\n\n${good}`],
    ["a byte order mark and CRLF", `\ufeff${good.replaceAll("\n", "\r\n")}\r\n`],
    ["bare carriage returns", good.replaceAll("\n", "\r")],
    ["a rule before it", `---\n\n${good}`],
    ["white space around it", `\n\n  \n${good}\n\n\n`],
    ["refs", good.replaceAll(/(- .*)$/gmu, "$1 (03-15:12-18, ~03-15-standup:4)")],
    ["other list markers", good.replaceAll("- ", "* ")],
    ["numbers before items", good.replaceAll("- ", "1. ")],
    [
      "emphasis and colons in headings",
      good.replace("## Topics", "## **Topics**:").replace("## Key Decisions", "## key decisions"),
    ],
    ["characters that reverse text, and NUL", good.replaceAll("token", "to\u202eken\u0000")],
    ["continuation lines", good.replace("bursts must pass", "bursts\n  must pass")],
  ])("is read without %s", (_, text) => {
    expect(linesOf(text)).toEqual(goodLines);
    expect(read(text).findings).toEqual([]);
  });

  test("may have the title of its level", () => {
    const weekly = request("weekly", { label: "2026-W11" });
    expect(errors(`# Weekly Summary: 2026-W11\n\n${good}`, weekly)).toEqual([]);
    expect(errors(`# Monthly Summary: 2026-03\n\n${good}`, weekly)).toEqual(["heading"]);
    expect(errors(`# Weekly Summary: 2026-W11\n\n${good}`)).toEqual(["heading"]);
    expect(errors(`${good}\n# Weekly Summary: 2026-W11`, weekly)).toEqual(["heading"]);
  });

  test("has its own headings for a month, for ROOT.md and for a thread", () => {
    const monthly = good.replace("Key Decisions", "Major Decisions");
    expect(errors(monthly, request("monthly", { label: "2026-03" }))).toEqual([]);
    const root =
      "## Active Context (recent ~7 days)\n- Rate limiting: token bucket, bursts must pass\n\n## Recent Patterns\n- bursts";
    expect(errors(root, request("root"))).toEqual([]);
    expect(linesOf(root, request("root"))[0]).toBe("## Active Context");
    const thread = "Here:\n- #2 user: token bucket, bursts must pass for the gateway\n- #5 assistant: removed";
    expect(errors(thread, request("thread"))).toEqual([]);
    expect(linesOf(thread, request("thread")).length).toBe(2);
    expect(errors(`## Summary\n${thread}`, request("thread"))).toEqual(["heading"]);
  });

  test("reports the line, what was found and what is allowed", () => {
    const [finding] = read(good.replace("## Key Decisions", "## Wisdom")).findings.filter(
      ({ code }) => code === "heading",
    );
    expect(finding?.line).toBe(4);
    expect(finding?.message).toMatch(
      /^Line 4, "## Wisdom", is not a heading of this summary; the allowed headings are ## Topics, /u,
    );
  });
});

describe("reasons to refuse an answer", () => {
  test("too_short: under 50 bytes", () => {
    expect(errors("## Topics\n- bursts\n## Notes\n- pass")).toEqual(["too_short"]);
    expect(errors("")).toEqual(["too_short"]);
    expect(errors("I cannot help with that.")).toEqual(["too_short"]);
    expect(errors("## Topics\n- 가나다라마바\n## Notes\n- 가나다라마바사아자차")).not.toContain("too_short");
  });

  test("50 bytes are enough and 49 are not, counted with line ends and without empty lines", () => {
    const of = (bytes: number): string => `## Topics\n- Rate limiting\n\n## Notes\n- ${"b".repeat(bytes - 38)}`;
    expect(errors(of(49))).toEqual(["too_short"]);
    expect(errors(of(50))).toEqual([]);
  });

  test("the limits are exact: the allowed size is accepted, one more is refused", () => {
    const tokens = count(good);
    expect(errors(good, request("daily", { budgetTokens: tokens - 1 }))).toEqual(["too_long"]);
    const bytes = Buffer.byteLength(goodLines.join("\n")) + 1;
    expect(errors(good, request("daily", { space: { lines: 4, bytes } }))).toEqual([]);
    expect(errors(good, request("daily", { space: { lines: 4, bytes: bytes - 1 } }))).toEqual(["too_long"]);
  });

  test("too_long: more tokens, lines or bytes than allowed", () => {
    expect(errors(good, request("daily", { budgetTokens: 20 }))).toEqual(["too_long"]);
    expect(errors(good, request("daily", { budgetTokens: count(good) }))).toEqual([]);
    expect(errors(good, request("daily", { space: { lines: 3, bytes: 2_000 } }))).toEqual(["too_long"]);
    expect(errors(good, request("daily", { space: { lines: 4, bytes: 2_000 } }))).toEqual([]);
    expect(errors(good, request("daily", { space: { lines: 20, bytes: 100 } }))).toEqual(["too_long"]);
  });

  test("neither the text below the heading of an entry nor text around the answer counts towards its size", () => {
    const words = Array.from({ length: 200 }, (_, at) => `- rule ${at}: <b>answer</b> in three sentences`).join("\n");
    const text = `${good}\n\n## User and Feedback\n### Short answers [feedback]\n${words}\n\`\`\`\n## Topics\n\`\`\`\n#### why\n<!-- x -->`;
    const asked = request("daily", { mustKeep: [kept] });
    expect(read(text, asked).findings).toEqual([]);
    expect(linesOf(text, asked)).toEqual([...goodLines, "## User and Feedback", "### Short answers [feedback]"]);
    expect(errors(`${"I think that. ".repeat(400)}\n${good}`, asked)).toEqual(["entry_missing"]);
  });

  test("cut_off: the model reached its own limit", () => {
    expect(errors(good, request(), "cut_off")).toEqual(["cut_off"]);
  });

  test("missing_section: for prose without a heading, gives its size and how to begin", () => {
    const prose = "The day was about payments. Mara asked for a rollback, and everything went well.";
    const all = readAnswer(request("daily", { mustKeep: [kept] }), { text: prose, end: "complete" }, count).findings;
    expect(all.map(({ code }) => code)).toEqual(["missing_section"]);
    expect(all[0]?.message).toBe(
      'The answer (80 bytes) does not start as expected; start it with the heading "## Topics".',
    );
  });

  test("missing_section: needs Topics and one more section with an item", () => {
    expect(errors(good.replace("## Topics", "## Notes"))).toEqual(["missing_section"]);
    expect(
      errors(
        good.replace("- Rate limiting [project]: token bucket, bursts", "Rate limiting and much more that is told"),
      ),
    ).toEqual(["missing_section"]);
    expect(errors("## Topics\n- Rate limiting [project]: token bucket, bursts must pass\n## Notes\n")).toEqual([
      "missing_section",
    ]);
    const entry =
      "## Topics\n- Short answers [feedback]: sentences, answer\n## User and Feedback\n### Short answers [feedback]\n- rule: answer in three sentences";
    expect(errors(entry, request("daily", { mustKeep: [kept] }))).toEqual(["missing_section"]);
    expect(errors(good.replace("## Topics", "## Recent Patterns"), request("root"))).toContain("missing_section");
    expect(errors("Nothing was said in this conversation that would be worth a list.", request("thread"))).toContain(
      "missing_section",
    );
  });

  test("entry_missing: every entry that must be kept has to be named", () => {
    const asked = request("daily", { mustKeep: [kept, { ...kept, topic: "Keyboard", type: "user" }] });
    expect(errors(good, asked)).toEqual(["entry_missing", "entry_missing"]);
    const both = `${good}\n## User and Feedback\n### short  ANSWERS [feedback]\n### Keyboard`;
    expect(errors(both, asked)).toEqual([]);
    expect(errors(both.replace("[feedback]", "[user]"), asked)).toEqual(["entry_missing"]);
    expect(read(good, asked).findings[0]?.message).toContain('"### Short answers [feedback]"');
  });

  test("one heading names all entries of its topic, and an entry that was not asked for is dropped with a warning", () => {
    const asked = request("daily", { mustKeep: [kept, { ...kept, lines: ["- rule: another"] }] });
    const text = `${good}\n## User and Feedback\n### Short answers [feedback]\n### Loves cats [user]\n- says so`;
    expect(errors(text, asked)).toEqual([]);
    expect(read(text, asked).findings.map(({ code, severity }) => [code, severity])).toEqual([["heading", "warning"]]);
    expect(linesOf(text, asked).join("\n")).not.toContain("cats");
  });

  test("secret: an answer must contain none, and none is kept, not even in messages", () => {
    const secret = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";
    const checked = read(`${good}\n- ## token ${secret}\n## Key ${secret}\n<!-- ${secret} -->`);
    expect(checked.findings.some(({ code, line }) => code === "secret" && line === 6)).toBe(true);
    expect(isRefused(checked.findings)).toBe(true);
    expect(JSON.stringify(checked)).not.toContain(secret);
    expect(errors(`${good}\n- the key is [REDACTED:github-token]`)).toEqual([]);
  });

  test("front_matter: detected also inside a fence, but a rule is not front matter", () => {
    expect(errors(`---\ntype: daily\nstatus: fixed\n---\n${good}`)).toEqual(["front_matter"]);
    expect(errors(`\`\`\`yaml\n---\ntype: daily\n---\n${good}\n\`\`\``)).toEqual(["front_matter"]);
    expect(errors(`---\n${good}\n---\n`)).toEqual([]);
  });

  test("heading: one that is not in the format, or at another level", () => {
    for (const wrong of ["## Wisdom", "# Key Decisions", "### Key Decisions", "## Key Themes", "#### x"])
      expect(errors(`${good}\n${wrong}\n- bursts`)).toEqual(["heading"]);
    for (const right of ["## Lessons Learned", "## Notes", "## Topics"])
      expect(errors(`${good}\n${right}\n- bursts`)).toEqual([]);
  });

  test("markup: comments, HTML, fences and marks of places", () => {
    for (const wrong of [
      "<!-- hw id=x -->",
      "- bursts <!-- x -->",
      "<div>",
      "</details>",
      "- <script>x</script>",
      "<?php",
      "{1+2=2026-03-15:3}",
      "```sh\nls\n```",
      "- ```",
      "~~~\n## Topics\n~~~",
    ])
      expect(errors(`${good}\n${wrong}`)).toContain("markup");
    for (const right of [
      "- bursts <https://a.example/b> must pass",
      "- a < b, x <= y",
      "- {bursts}",
      "- `token`",
      "- Map<string> bursts",
    ])
      expect(errors(`${good}\n${right}`)).not.toContain("markup");
  });

  test("a heading among the entries by mistake is refused, and items there do not fill a section", () => {
    const asked = request("daily", { mustKeep: [kept] });
    const entries = `${good}\n## User and Feedback\n### Short answers [feedback]`;
    expect(errors(`${entries}\n## Short answers [feedback]\n- x`, asked)).toEqual(["heading"]);
    const alone =
      "## Topics\n- Rate limiting: token bucket\n## User and Feedback\n- answer in three sentences\n### Short answers [feedback]";
    expect(errors(alone, asked)).toEqual(["missing_section"]);
  });

  test("the label, the part names and the entries to keep count as sources", () => {
    const entry = { ...kept, lines: ["- rule: at most 7431 words, as Priyanka wrote on 2025-11-02"] };
    const asked = request("daily", {
      mustKeep: [entry],
      label: "2027-08-09",
      sources: [{ name: "2028-10-11-standup", lines: [] }],
    });
    const told =
      "- rule: at most 7431 words, as Priyanka wrote on 2025-11-02\n- on 2027-08-09, and in 2028-10-11-standup";
    const text = `## Topics\n- Short answers [feedback]: words\n## User and Feedback\n### Short answers\n## Notes\n${told}`;
    expect(read(text, asked).findings).toEqual([]);
    expect(read(text, request("daily")).findings.length).toBeGreaterThan(3);
  });

  test("ungrounded: content that is not in the sources is a finding", () => {
    expect(read(`${good}\n- measured 7431 times`).findings.some(({ code }) => code === "ungrounded")).toBe(true);
  });
});

describe("any text", () => {
  const piece = fc.oneof(
    fc.constantFrom(
      "## Topics",
      "## Key Decisions",
      "- Rate limiting: bursts",
      "```",
      "---",
      "### Short answers [feedback]",
      "<think>",
      "</think>",
      "\u202e",
      "\u0000",
      "# Weekly Summary: x",
      "> ",
      "|a|",
      "\ud800",
      "- ",
      "(03-15:1)",
      "[x]: http://a",
    ),
    fc.string({ unit: "binary", maxLength: 20 }),
  );
  const anyText = fc.array(piece, { maxLength: 25 }).map((pieces) => pieces.join("\n"));

  test("is read without an error, deterministically, with its own lines", () => {
    fc.assert(
      fc.property(
        anyText,
        fc.constantFrom<SummaryKind>("daily", "weekly", "monthly", "root", "thread"),
        (text, kind) => {
          const asked = request(kind, { mustKeep: [kept] });
          const checked = read(text, asked);
          expect(read(text, asked)).toEqual(checked);
          for (const { text: one, line } of checked.lines) {
            expect(one).toMatch(/^(?:#{2,3} |- )\S/u);
            expect(one).not.toMatch(/[\n\r\0\u202e]/u);
            expect(line).toBeGreaterThan(0);
          }
          for (const { message } of checked.findings) expect(message).toMatch(/^[A-Z0-9].*\.$/su);
        },
      ),
      { numRuns: lawRuns(300) },
    );
  });

  test("is not read if it is too long, and gets one finding", () => {
    for (const endless of ["- a: b\n".repeat(600_000), "a".repeat(4_000_000), "<!--`".repeat(700_000)]) {
      const text = `${good}\n${endless}`;
      const asked = request("daily", { mustKeep: [kept] });
      expect(processorTime(3_000, () => read(text, asked))).toBeLessThan(3_000);
      const { findings, lines, tokens } = read(text, asked);
      expect(findings.map(({ code }) => code)).toEqual(["too_long"]);
      expect([lines.length, tokens > 800_000]).toEqual([0, true]);
    }
  });

  test("is read in linear time", () => {
    for (const hostile of [
      "(03-15, ".repeat(20_000),
      "- a ".repeat(50_000),
      "#".repeat(100_000),
      "<".repeat(100_000),
      "```\n".repeat(30_000),
      "### a [user]\n".repeat(20_000),
      `- ${" (03-15:1)".repeat(20_000)}`,
    ]) {
      expect(
        processorTime(3_000, () =>
          read(
            `${good}\n## User and Feedback\n${hostile}\n## Notes\n${hostile}`,
            request("daily", { mustKeep: [kept] }),
          ),
        ),
      ).toBeLessThan(3_000);
    }
  });
});
