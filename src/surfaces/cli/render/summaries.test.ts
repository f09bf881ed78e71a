import { stripVTControlCharacters } from "node:util";
import { describe, expect, test } from "vitest";
import * as made from "../../../../test/fixtures/summaries-results.ts";
import { noSummaries } from "../../../summaries/run/status.ts";
import { warningsBesideRows } from "../print.ts";
import { renderResult } from "../../../../test/fixtures/rendered.ts";
import { visibleIn } from "../../../text/visible.ts";
import { widthOf, screenOf, type View } from "./layout.ts";
import { summariesLines } from "./status.ts";
import { requestLines } from "./summaries.ts";

const PIPE: View = { kind: "pipe", colours: "off", columns: 80 };
const NARROW: View = { kind: "terminal", colours: "on", columns: 56 };

function shown(operation: string, result: unknown, view = PIPE): string {
  return renderResult(`summaries.${operation}`, result, view);
}

describe("pending summaries", () => {
  test("are listed with their size, what must be kept, and how many are hidden", () => {
    expect(shown("pending", made.pending)).toBe(
      [
        "2 summaries pending",
        "  daily-2026-03-15-9f2c1f3a  due   5,120 tokens to read  at most 900 to write",
        "    must keep word for word: Short answers [feedback]",
        "    12 source lines did not fit",
        "    an answer was refused: missing_section",
        "  weekly-2026-W11-0b1c2d3e   open  5,120 tokens to read  at most 900 to write",
        "  … and 4 more (--limit)",
        "  2 more nodes may still change: the period is not over, or a child is open (--open)",
        "Next: heartwood summaries pending --job daily-2026-03-15-9f2c1f3a",
      ].join("\n"),
    );
  });

  test("mention if there are none, and what --open would show", () => {
    const none = { ...made.pending, jobs: [], hidden: { open: 1, over_limit: 0 }, next: "" };
    expect(shown("pending", none)).toBe(
      "No pending summaries\n  1 more node may still change: the period is not over, or a child is open (--open)",
    );
  });

  test("by id show everything that a model gets, between unpredictable marks", () => {
    const one = { ...made.pending, jobs: [made.job], next: "heartwood summaries submit x --file FILE" };
    const text = shown("pending", one, { ...PIPE, input: { job: made.job.job_id } });
    expect(text).toContain(`\n\n${made.job.prompt.trimEnd()}\n\n<sources `);
    const [, id, sources] = /<sources (\w{8})>\n([^]*)\n<\/sources \1>/.exec(text) ?? [];
    expect(id).toMatch(/^[0-9a-f]{8}$/);
    expect(sources).toBe(
      "== 2026-03-15 ==\n- token bucket\n- 支払いは確定\n\n== 2026-03-15-standup ==\nUser: measure first",
    );
    expect(text.split("\n").at(-1)).toBe("Next: heartwood summaries submit x --file FILE");
    expect(shown("pending", one)).not.toContain("<sources");
  });
});

describe("an answer", () => {
  test("that is refused shows each finding with its line, and where it is kept", () => {
    const lines = shown("submit", made.submitted).split("\n");
    expect(lines.slice(0, 3)).toEqual([
      "Refused daily-2026-03-15-9f2c1f3a: 1 error, 1 warning. The built-in summary stays in use.",
      "  error    ## Topics is required, and is not there (missing_section)",
      '  warning  line 4: "March 19" is not in the sources (ungrounded)',
    ]);
    expect(lines[3]).toMatch(/^Set aside: \.heartwood\/artifacts\/answers\/daily\/.*refused-01234567\.json$/);
  });

  test("with many findings shows errors first, ten lines in total, and counts the others", () => {
    const warnings = Array.from({ length: 30 }, (_, at) => ({
      code: "ungrounded" as const,
      severity: "warning" as const,
      message: `The number "${at}" is not in the sources.`,
      line: at + 1,
    }));
    const error = { code: "heading", severity: "error", message: 'Line 3, "## Own", is none.', line: 3 } as const;
    const lines = shown("submit", { ...made.submitted, findings: [...warnings, error] }).split("\n");
    expect(lines[1]).toBe('  error    Line 3, "## Own", is none. (heading)');
    expect(lines[2]).toBe('  warning  line 1: The number "0" is not in the sources. (ungrounded)');
    expect(lines[11]).toBe("  … and 21 more (--json)");
    expect(lines[12]).toMatch(/^Set aside/);
  });

  test("that is accepted, known or late is one line", () => {
    const accepted = { ...made.submitted, state: "accepted", findings: [], next: "heartwood compact" } as const;
    expect(shown("submit", accepted)).toMatch(
      /^Accepted daily-2026-03-15-9f2c1f3a\.\nRecorded: [^\n]+\nNext: heartwood compact$/,
    );
    expect(shown("submit", { ...accepted, state: "known", path: null })).toMatch(
      /^An answer to daily-2026-03-15-9f2c1f3a was already accepted; nothing was written\.\nNext/,
    );
    const late = { ...accepted, late: true, next: "heartwood compact --reopen 2026-03-15" };
    expect(shown("submit", late)).toMatch(
      /The node is fixed; only a reopen can use the answer\.\nNext: heartwood compact --reopen 2026-03-15$/,
    );
  });
});

describe("requests", () => {
  test("are counted by outcome, each with its cost, its findings and why it failed", () => {
    expect(shown("run", made.summariesRun)).toBe(
      [
        "Asked openai-compatible-1:qwen3:4b for 3 summaries: 1 accepted, 1 refused, 1 failed",
        "  daily-2026-03-15-9f2c1f3a  accepted                   5,430 tokens, 2 requests",
        "  weekly-2026-W11-0b1c2d3e   refused                    5,430 tokens, 2 requests",
        "    error    ## Topics is required, and is not there (missing_section)",
        '    warning  line 4: "March 19" is not in the sources (ungrounded)',
        "    Set aside; the built-in summary stays in use.",
        "  monthly-2026-02-1c2d3e4f   failed                     5,430 tokens, 2 requests",
        "    model_unavailable: http://127.0.0.1:11434 did not answer.",
        "  root-ROOT-2d3e4f50         not sent: over the budget  at most 5,430 tokens",
        "Today: 3 of 40 requests, 12,000 of 200,000 tokens",
        "Next: heartwood root",
      ].join("\n"),
    );
  });

  test("have no warnings that repeat their rows", () => {
    const { requests } = made.summariesRun;
    const [failed] = requests.flatMap(({ job_id: id, error }) =>
      error?.code === "model_unavailable" ? [{ id, error }] : [],
    );
    const refused = requests.find(({ outcome }) => outcome === "refused");
    const besides = [
      { code: "model_unavailable", message: "another sentence" },
      { code: "answer_damaged", message: `${refused?.job_id}: a record is damaged` },
    ];
    const told = [
      { code: "answer_refused", message: `the answer for ${refused?.job_id} was refused (heading) and set aside` },
      { code: "model_unavailable", message: `${failed?.id}: ${failed?.error.message}` },
    ];
    expect(warningsBesideRows(made.summariesRun, [...told, ...besides])).toEqual(besides);
    expect(warningsBesideRows({}, told)).toEqual(told);
    expect(warningsBesideRows(null, told)).toEqual(told);
  });

  test("in a dry run show that nothing was sent", () => {
    expect(requestLines(made.planned, screenOf(PIPE))[0]).toBe(
      "Would ask openai-compatible-1:qwen3:4b for 2 summaries, at most 11,430 tokens. Nothing was sent.",
    );
    const over = made.requests.filter(({ outcome }) => outcome === "no_budget");
    expect(requestLines(over, screenOf(PIPE))[0]).toBe(
      "Nothing was sent to openai-compatible-1:qwen3:4b: a budget is used up.",
    );
    expect(shown("run", { ...made.summariesRun, requests: [], dry_run: true })).toMatch(/^No model would be asked\.\n/);
    expect(shown("run", { ...made.summariesRun, requests: [] })).toMatch(/^No model was asked\.\n/);
  });
});

test("the ledger shows days, requests, today's budget and unreadable lines", () => {
  expect(shown("ledger", made.ledger)).toBe(
    [
      "By day",
      "  day         requests  tokens  accepted  refused  failed  submitted",
      "  2026-03-16  3         12,000  2         0        1       1",
      "",
      "Newest first",
      "  2026-03-16 09:01  failed              weekly-2026-W10-9f2c1f3a   1 request                 openai-compatible-1:qwen3:4b",
      "    model_unavailable: http://127.0.0.1:11434 did not answer.",
      "  2026-03-16 09:00  refused (too_long)  daily-2026-03-15-9f2c1f3a  5,430 tokens, 2 requests  openai-compatible-1:qwen3:4b",
      "  2026-03-16 08:00  waited              weekly 2026-W10",
      "",
      "Today: 3 of 40 requests, 12,000 of 200,000 tokens",
      "1 line of the ledger could not be read.",
    ].join("\n"),
  );
  const empty = { ...made.ledger, days: [], lines: [], torn: 0, spent: { requests: 0, tokens: 0 } };
  expect(shown("ledger", empty)).toBe(
    "No model was asked, and no answer was submitted.\nToday: 0 of 40 requests, 0 of 200,000 tokens",
  );
});

describe("status", () => {
  const lines = (status: Parameters<typeof summariesLines>[0]): readonly string[] =>
    summariesLines(status, screenOf(PIPE));

  test("shows nothing about summaries if no model is configured and nothing is recorded", () => {
    expect(lines(noSummaries)).toEqual([]);
  });

  test("shows what is pending, what waits and how long, and the command for late answers", () => {
    expect(lines(made.summariesStatus)).toEqual([
      "Summaries by openai-compatible-1:qwen3:4b",
      "  Pending  3 summaries (heartwood summaries pending)",
      "  Refused  1 answer",
      "  Today    3 of 40 requests, 12,000 of 200,000 tokens",
      "  memory/daily/2026-03-12.md  waiting for an answer  since 2026-03-20 (2 runs), until 2026-03-23",
      "  memory/daily/2026-03-01.md  answered late  heartwood compact --reopen 2026-03-01",
    ]);
  });

  test("shows recorded answers even if the model is off", () => {
    const [head, ...rest] = lines({ ...made.summariesStatus, adapter: "off", model: null, pending: 0, waiting: [] });
    expect(head).toBe("Summaries by a model: off");
    expect(rest).toContain("  memory/daily/2026-03-01.md  answered late  heartwood compact --reopen 2026-03-01");
    const { budgets } = made.summariesStatus;
    expect(lines({ ...noSummaries, adapter: "pull", budgets })).toEqual(["Summaries by pull"]);
  });
});

describe("on a narrow terminal", () => {
  test.each(["pending", "run"])("%s wraps its rows, including those with wide characters", (operation) => {
    const wide = {
      ...made.job,
      must_keep: [{ topic: "支払いの確定とその理由について".repeat(3), type: "user", text: "" }],
    };
    const results = { pending: { ...made.pending, jobs: [wide] }, run: made.summariesRun };
    const text = stripVTControlCharacters(shown(operation, results[operation as keyof typeof results], NARROW));
    const [, ...body] = text.split("\n").slice(0, -1);
    for (const line of body.filter((row) => !row.includes("--"))) expect(widthOf(line), line).toBeLessThanOrEqual(56);
  });

  test("escapes escape sequences in texts of a model or a memory", () => {
    const topic = "\u001B[2Jgone\u202E";
    const hostile = { ...made.job, must_keep: [{ topic, type: "user", text: topic }], prompt: topic };
    const input = { job: hostile.job_id };
    const text = shown("pending", visibleIn({ ...made.pending, jobs: [hostile] }), { ...PIPE, input });
    expect(text).not.toMatch(/[\u001B\u202E]/u);
    expect(text).toContain("\\u{1b}[2Jgone\\u{202e}");
  });
});
