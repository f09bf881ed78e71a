import { stripVTControlCharacters } from "node:util";
import { describe, expect, test } from "vitest";
import { noSummaries } from "../../../summaries/run/status.ts";
import { operations } from "../../../operations/table.ts";
import { auditHistory, auditReport, undoneAudit } from "../../../../test/fixtures/audit-results.ts";
import { captureResults } from "../../../../test/fixtures/capture-results.ts";
import { recallResult } from "../../../../test/fixtures/recall-results.ts";
import { indexResult, searchResult } from "../../../../test/fixtures/search-results.ts";
import { reviewResults } from "../../../../test/fixtures/review-results.ts";
import { summariesResults } from "../../../../test/fixtures/summaries-results.ts";
import { threadResults } from "../../../../test/fixtures/thread-results.ts";
import type { SinkLook } from "../terminal.ts";
import { renderedOperations } from "../print.ts";
import { renderResult } from "../../../../test/fixtures/rendered.ts";
import type { TreeNodeView, TreeResult, ShowResult } from "../../../tree/inspect/tree-view.ts";
import type { WrittenNode, CompactResult } from "../../../tree/run/idle.ts";
import type { StatusResult } from "../../../operations/status.ts";
import type { ForwardResult } from "../../../agents/sessions/trace-forward.ts";
import type { DiffResult } from "../../../tree/versions/diff.ts";
import type { TraceResult } from "../../../tree/inspect/trace-places.ts";
import type { InitResult } from "../../../tree/setup/init.ts";
import type { LogAddResult } from "../../../tree/logs/log-add.ts";
import type { LogChangeResult, LogUndoResult, TopicChangeResult } from "../../../tree/logs/log-change.ts";
import type { LogPromoteResult } from "../../../tree/logs/log-promote.ts";
import type { RootResult } from "../../../tree/root-run/root.ts";
import type { VerifyResult } from "../../../tree/inspect/verify.ts";
import type { UndoResult } from "../../../operations/undo.ts";
import type { DoctorResult } from "../../../operations/doctor.ts";

const PIPE: SinkLook = { kind: "pipe", colours: "off", columns: 80 };
const TERMINAL: SinkLook = { kind: "terminal", colours: "on", columns: 80 };

const node = (period: string, more: Partial<TreeNodeView> = {}): TreeNodeView => ({
  path: `memory/daily/${period}.md`,
  level: "daily",
  period,
  late: 0,
  status: "fixed",
  summarizer: "copy-1",
  lines: 12,
  bytes: 400,
  topics: ["auth [project]"],
  children: [],
  raw: [`memory/${period}.md`],
  ...more,
});

const written = (period: string): WrittenNode => ({
  path: `memory/daily/${period}.md`,
  level: "daily",
  period,
  status: "fixed",
  action: "created",
  summarizer: "copy-1",
  sources: [],
  late: 0,
});

const renamed: TopicChangeResult = {
  action: "renamed",
  from: "Rate limiting",
  to: "Limits",
  logs: ["memory/2026-03-12.md"],
  entries: 1,
  record: "01a219b1-5ab2-7000-a284-0cd58d65f017",
  warnings: [],
};

const compact: CompactResult = {
  today: "2026-03-23",
  cycles: 2,
  written: [
    written("2026-03-02"),
    { ...written("2026-W10"), level: "weekly" },
    { ...written("ROOT"), level: "root", path: "memory/ROOT.md" },
  ],
  unchanged: 0,
  skipped: [{ path: "memory/2026-03-09.md", code: "not_a_file", message: "is a folder" }],
  warnings: [],
  due: [],
  root: { tokens: 1234, cap: 3000, topics: 7, dropped: 2 },
  duration_ms: 412.3,
};

const status: StatusResult = {
  summaries: noSummaries,
  vectors: { embedder: "minilm-l6-1:1f41cb4bc422d60f", embeddable: 5678, not_embedded: 1234 },
  dir: "/work/project",
  today: "2026-03-23",
  time_zone: "UTC",
  platform: "plain",
  trust: "trusted",
  raw: { days: 18, files: 19, bytes: 15_900_000, first: "2026-03-02", last: "2026-03-22" },
  nodes: {
    daily: { total: 18, fixed: 17, tentative: 1, late: 0 },
    weekly: { total: 3, fixed: 2, tentative: 1, late: 1 },
    monthly: { total: 0, fixed: 0, tentative: 0, late: 0 },
  },
  root: { tokens: 1234, cap: 3000, topics: 7, dropped: 0, last_updated: "2026-03-22" },
  due_nodes: [
    {
      path: "memory/daily/2026-03-22.md",
      level: "daily",
      period: "2026-03-22",
      reason: "changed",
      detail: "12 new lines",
    },
  ],
  run_due: { yes: true, reason: "the cooldown is over" },
  last_run: "2026-03-22T10:00:00Z",
  late: [{ path: "memory/2026-03-10.md", period: "2026-03-10", code: "late_source", addendum: null }],
  memory: { bytes: 900, own_bytes: 900, lines: 40, loaded_lines: 40, over: [] },
  files: [{ path: "SCRATCHPAD.md", lines: 200, target_lines: 150, over: true, advice: "remove what is done" }],
  skipped: [],
  warnings: [],
  log_warnings: [],
  next: "heartwood compact",
};

const difference: DiffResult = {
  from: { name: "2026-03-01", kind: "day", day: "2026-03-01" },
  to: { name: "topic", kind: "revision", day: "2026-03-09", commit: "0123456789abcdef0123456789abcdef01234567" },
  topics: {
    added: [{ topic: "Wombat", type: "project", days: ["2026-03-03"] }],
    changed: [{ topic: "Quokka", type: "feedback", was_type: "project", days: ["1", "2", "3", "4", "5", "6"] }],
    removed: [],
  },
  root: {
    added: [{ section: "Topics Index", text: "- Wombat [project, 6d]" }],
    removed: [{ section: "Recent Patterns", text: "- Quokka: feed at noon" }],
  },
};

const trace: TraceResult = {
  line: { path: "memory/ROOT.md", line: 12, text: "- 支払い [project, 3d]: token bucket" },
  chain: [
    { path: "memory/ROOT.md", lines: [12, 12], text: "- 支払い", into: [] },
    { path: "memory/monthly/2026-03.md", lines: [4, 9], text: "## 支払い\nb\nc\nd\n", into: [0] },
  ],
  raw: [
    {
      path: "memory/2026-03-05.md",
      lines: [3, 3],
      sha256: "ab".repeat(32),
      text: "- token bucket\n",
      state: "found",
      kept_in: { path: "memory/archive/2026-03-05.full.md", lines: [3, 3] },
      into: [1],
    },
    { path: "memory/2026-03-06.md", lines: [1, 2], sha256: "", text: "", state: "missing", kept_in: null, into: [1] },
    {
      path: "memory/2026-03-07-old.md",
      lines: [8, 9],
      sha256: "cd".repeat(32),
      text: "- b\n",
      state: "moved",
      kept_in: null,
      into: [1],
    },
  ],
};

/** Their results are streams of lines, which need no renderer. */
const STREAMS: readonly string[] = ["thread.export", "thread.events"];
const rendering = operations.map(({ name }) => name).filter((name) => !STREAMS.includes(name));

/** One result of every operation. */
const RESULTS: Readonly<Record<string, unknown>> = {
  "memory.init": {
    dir: "/p",
    platform: "plain",
    created: ["memory/daily/"],
    kept: ["AGENTS.md"],
    trust: "untrusted",
    next: "heartwood log add",
  } satisfies InitResult,
  "log.add": {
    path: "memory/2026-03-23.md",
    lines: [3, 6],
    id: "01J",
    date: "2026-03-23",
    topic: "Payment",
    type: "project",
    action: "added",
    redacted: ["github_token"],
    warnings: [],
  } satisfies LogAddResult,
  "log.promote": {
    path: "memory/2026-03-23.md",
    lines: [3, 5],
    id: "said-0123456789abcdef",
    date: "2026-03-23",
    topic: "push main",
    type: "feedback",
    action: "added",
    redacted: [],
    warnings: [],
    source: "memory/2026-03-12.md:181",
    text: "Never push to main.",
  } satisfies LogPromoteResult,
  "tree.compact": compact,
  "memory.status": status,
  "tree.list": {
    root: { path: "memory/ROOT.md", last_updated: "2026-03-23", tokens: 1234 },
    months: [
      node("2026-03", {
        children: [
          node("2026-W10", {
            children: [
              node("2026-03-02"),
              node("2026-03-03", { raw: ["memory/2026-03-03.md", "memory/2026-03-03-standup.md"] }),
            ],
          }),
        ],
      }),
    ],
  } satisfies TreeResult,
  "tree.show": {
    path: "p",
    level: "daily",
    period: "d",
    status: "fixed",
    summarizer: "copy-1",
    sources: [],
    topics: [],
    text: "# d\n",
    late: [{ path: "l", text: "late\n" }],
  } satisfies ShowResult,
  "tree.root": { path: "memory/ROOT.md", tokens: 5, cap: 3000, text: "# ROOT\n", lines: [] } satisfies RootResult,
  "tree.trace": trace,
  "tree.verify": {
    ok: false,
    checked: 20,
    findings: [{ code: "late_source", severity: "warning", path: "memory/x.md", line: 3, message: "came late" }],
  } satisfies VerifyResult,
  "memory.undo": {
    undone: "compact --reopen 2026-03",
    restored: ["a"],
    kept: [{ path: "c", message: "changed since" }],
  } satisfies UndoResult,
  "memory.doctor": {
    ok: false,
    version: "1",
    node: "24",
    dir: "/p",
    time_zone: "UTC",
    checks: [{ name: "lock", state: "problem", message: "stale", fix: "remove it" }],
    fixed: ["x"],
    costs: [],
  } satisfies DoctorResult,
  "log.edit": {
    action: "edited",
    path: "memory/2026-03-12.md",
    lines: [3, 5],
    topic: "Rate limiting",
    record: "01a219b1-5ab2-7000-a284-0cd58d65f017",
    entry: {
      path: "memory/2026-03-12.md",
      lines: [15, 17],
      id: "edit-0123456789abcdef",
      topic: "Rate limiting",
      type: "project",
    },
    warnings: [],
  } satisfies LogChangeResult,
  "log.remove": {
    action: "removed",
    path: "memory/2026-03-12.md",
    lines: [3, 5],
    topic: "",
    record: "01a219b1-5ab2-7000-a284-0cd58d65f017",
    entry: null,
    warnings: [],
  } satisfies LogChangeResult,
  "log.undo": {
    undone: "renamed",
    record: "01a219b1-5ab2-7000-a284-0cd58d65f017",
    at: "2026-03-23T10:00:00+01:00",
    logs: ["memory/2026-03-12.md", "memory/2026-03-13.md"],
    topic: "Limits",
    warnings: [],
  } satisfies LogUndoResult,
  "topic.rename": renamed,
  "topic.merge": { ...renamed, action: "merged" } satisfies TopicChangeResult,
  ...reviewResults,
  "memory.search": searchResult,
  "memory.recall": recallResult,
  "memory.index": indexResult,
  "memory.read": {
    source: "memory/2026-03-02.md:3-4",
    date: "2026-03-02",
    text: "- limits",
    next: "memory/2026-03-02.md:5-9",
  },
  "memory.forget": {
    state: "done",
    code: "a1b2c3",
    lines: [{ path: "memory/2026-03-02.md", line: 3, text: "- limits" }],
    messages: [{ thread_id: "t", seq: 5, text: "limits" }],
    fields: [{ thread_id: "t", seq: 0, field: "title", text: "Limits" }],
    renames: [{ from: "Limits", to: "Quotas" }],
    entries: 1,
    shared: 1,
    files: ["memory/daily/2026-03-02.md"],
    derived: { sessions: [], rebuilt: ["memory/daily/2026-03-02.md"], removed: [] },
    left: ["AGENTS.md"],
    names: ["memory/notes/limits.md", "thread:limits"],
    outside: { commits: { count: 2, newest: "abc 2026-03-02", read: "all" }, transcripts: ["/t.jsonl"] },
    warnings: [],
  },
  "memory.diff": difference,
  "memory.pr_comment": { marker: "<!-- x -->", text: "<!-- x -->\n**Memory:** …\n", diff: difference },
  "audit.run": auditReport,
  "audit.undo": undoneAudit,
  "audit.history": auditHistory,
  ...summariesResults,
  ...threadResults,
  "store.status": {
    parts: [
      { part: "threads", kind: "postgres", name: "shop" },
      { part: "logs", kind: "embedded", name: null },
    ],
    server: { address: "db:5432/memory", state: "older", version: 0, supported: 1, message: "Migrate it." },
  },
  "store.migrate": { address: "db:5432/memory", from: 0, to: 1, role: "heartwood_app" },
  "store.copy": {
    to: "postgres",
    threads: 2,
    frames: 9,
    artifacts: 1,
    differing: [{ thread_id: "t", message: "differs within its first 3 frames" }],
    damaged: ["a".repeat(64)],
  },
  ...captureResults,
};

function rendered(operation: string, look = PIPE, result: unknown = RESULTS[operation]): string {
  return renderResult(operation, result, look);
}

describe("every operation", () => {
  test("has a renderer", () => {
    expect(renderedOperations).toEqual(rendering);
    expect(Object.keys(RESULTS)).toEqual(rendering);
  });

  test.each(rendering)("%s has no colour in a pipe, and the same text in colour", (name) => {
    const plain = rendered(name);
    expect(plain).toBe(stripVTControlCharacters(plain));
    expect(stripVTControlCharacters(rendered(name, { ...TERMINAL, columns: 500 }))).toBe(plain);
    expect(plain).not.toMatch(/ +$/m);
  });
});

test("compact shows levels, rows, what was skipped and the size of ROOT.md", () => {
  expect(rendered("tree.compact")).toBe(
    [
      "Compacted for 2026-03-23 in 2 cycles, 0.4 s: 1 daily, 1 weekly, ROOT.md",
      "  created  memory/ROOT.md              fixed  copy-1",
      "  created  memory/daily/2026-W10.md    fixed  copy-1",
      "  created  memory/daily/2026-03-02.md  fixed  copy-1",
      "Skipped memory/2026-03-09.md: is a folder",
      "ROOT.md: 1,234 of 3,000 tokens, 7 topics; 2 did not fit (heartwood root --dropped)",
    ].join("\n"),
  );
});

test("compact has one headline for nothing due, a plan and a long run", () => {
  const nothing = { ...compact, written: [], skipped: [] };
  expect(rendered("tree.compact", PIPE, nothing)).toBe("Nothing is due for 2026-03-23; nothing was written.");
  expect(rendered("tree.compact", PIPE, { ...nothing, finished_forgetting: true })).toBe(
    "Finished what was left to forget.\nNo node is due for 2026-03-23.",
  );
  expect(rendered("tree.compact", PIPE, { ...compact, finished_forgetting: true })).toMatch(
    /^Finished what was left to forget\.\nCompacted for 2026-03-23/u,
  );
  expect(rendered("tree.compact", PIPE, { ...compact, dry_run: true })).toMatch(
    /^Plan for 2026-03-23: 1 daily.*Nothing was written\.$/m,
  );
  const idle = { ...nothing, due: status.due_nodes };
  expect(rendered("tree.compact", PIPE, { ...idle, waits: "the cooldown" })).toMatch(
    /no run is due yet \(the cooldown\)\./,
  );
  expect(rendered("tree.compact", PIPE, idle)).toMatch(/: 1 node could not be brought up to date\./);
  const waiting = idle.due.map((node) => ({ ...node, reason: "answer" }));
  expect(rendered("tree.compact", PIPE, { ...idle, due: waiting })).toMatch(
    /: 1 node may still be summarized by a model\./,
  );
  const long = { ...compact, written: Array.from({ length: 91 }, () => written("2026-03-02")) };
  expect(rendered("tree.compact", PIPE, long)).toContain("  … and 75 more");
});

test("status notes that the node of a deleted log stays", () => {
  const late = status.late.map((row) => ({ ...row, code: "source_missing" }));
  expect(rendered("memory.status", PIPE, { ...status, late })).toMatch(/source_missing +deleted; its node stays/);
});

test("status shows which part of MEMORY.md is cut off, and nothing if it fits", () => {
  const memory = { bytes: 26_000, own_bytes: 16_000, lines: 240, loaded_lines: 180 };
  const over = ["trigger", "loader_lines", "loader_bytes"] as const;
  expect(rendered("memory.status", PIPE, { ...status, memory: { ...memory, over } })).toContain(
    "MEMORY.md has 240 lines and 26,000 bytes: loaders cut off everything after line 180 (they read 200 lines or 25,000 bytes); `heartwood audit` shows",
  );
  expect(rendered("memory.status", PIPE, { ...status, memory: { ...memory, over: ["trigger"] } })).toContain(
    "MEMORY.md has 16,000 bytes, more than 15 KiB; `heartwood audit` shows what to remove.",
  );
  for (const fits of [status.memory, null])
    expect(rendered("memory.status", PIPE, { ...status, memory: fits })).not.toContain("heartwood audit");
});

test("status shows what exists, what is due, what is late and what to run", () => {
  const text = rendered("memory.status");
  expect(text).toContain("  Raw logs  18 days, 19 files, 15.9 MB, 2026-03-02 to 2026-03-22\n");
  expect(text).toContain("  Weekly    3 nodes: 2 fixed, 1 tentative, 1 late addendum\n");
  expect(text).toContain(
    "1 node due; a run is due: the cooldown is over\n  2026-03-22  daily  changed  12 new lines\n",
  );
  expect(text).toContain("200 of 150 lines, over its target: remove what is done");
  expect(text.split("\n").at(-1)).toBe("Next: heartwood compact");
});

test("tree draws branches, lists multiple logs of a day, and cuts topics to the screen width", () => {
  const lines = rendered("tree.list").split("\n");
  expect(lines[0]).toBe("memory/ROOT.md: 1,234 tokens, as of 2026-03-23");
  expect(lines[1]).toMatch(/^└─ 2026-03 +fixed +12 lines {2}auth \[project\]$/);
  expect(lines[2]).toMatch(/^ {3}└─ 2026-W10/);
  expect(lines[3]).toMatch(/^ {6}├─ 2026-03-02/);
  expect(lines.at(-1)).toBe("         · memory/2026-03-03-standup.md");
  const many = {
    root: null,
    months: [node("2026-03", { topics: Array.from({ length: 30 }, () => "記憶の木 [project]") })],
  };
  const cut = stripVTControlCharacters(rendered("tree.list", TERMINAL, many)).split("\n")[1] ?? "";
  expect(cut.endsWith("…")).toBe(true);
  expect(cut.length).toBeLessThanOrEqual(80);
});

test("read ends with the path of the day's log and how to continue", () => {
  const day = {
    source: "memory/daily/2026-03-02.md:1-9",
    date: "2026-03-02",
    text: "- limits",
    next: "memory/daily/2026-03-02.md:10-12",
  };
  expect(rendered("memory.read", PIPE, { ...day, logs: ["memory/2026-03-02.md"] })).toBe(
    "- limits\nThe whole log of this day: memory/2026-03-02.md\n… heartwood read memory/daily/2026-03-02.md:10-12",
  );
  expect(rendered("memory.read", PIPE, { ...day, next: null })).toBe("- limits");
});

test("what comes from a place is listed with how, and a difference by topic and section", () => {
  const forward: ForwardResult = {
    source: { path: "memory/2026-03-02.md", lines: [3, 4], text: "## Quokka\n- feed" },
    derived: [
      { path: "memory/ROOT.md", lines: [9, 9], text: "- Quokka: feed", how: "summary", approximate: true },
      { path: ".heartwood/sessions/codex-a.jsonl", lines: [1, 1], text: "", how: "session" },
    ],
    indexed: true,
  };
  expect(rendered("tree.trace", PIPE, forward)).toBe(
    [
      "memory/2026-03-02.md:3-4",
      "  ## Quokka",
      "  - feed",
      "",
      "memory/ROOT.md:9  made from it (approximate match)",
      "  - Quokka: feed",
      "",
      ".heartwood/sessions/codex-a.jsonl:1  given to a session",
      "",
      "2 places come from it; the search index has it.",
    ].join("\n"),
  );
  expect(rendered("memory.diff")).toBe(
    [
      "2026-03-01 → topic (0123456789ab)",
      "",
      "2 topics: 1 new, 1 changed, 0 gone",
      "  new      Wombat [project]             2026-03-03",
      "  changed  Quokka [project → feedback]  1, 2, 3, 4 and 2 more",
      "",
      "ROOT.md: 1 line added, 1 removed",
      "  Recent Patterns",
      "- Quokka: feed at noon",
      "  Topics Index",
      "+ Wombat [project, 6d]",
    ].join("\n"),
  );
});

test("show and root print the file unchanged", () => {
  expect(rendered("tree.show")).toBe("# d\n\n--- l (late) ---\n\nlate\n");
  expect(rendered("tree.root")).toBe("# ROOT\n");
});

test("dropped lines are a table, or one sentence if there are none", () => {
  expect(rendered("tree.root", PIPE, { cap: 3000, dropped: [] })).toBe(
    "Everything fits in the 3,000 tokens of ROOT.md.",
  );
  const dropped = [{ section: "Topics Index", text: "x", reason: "over the cap", tokens: 12 }];
  expect(rendered("tree.root", PIPE, { cap: 3000, dropped })).toContain("  Topics Index  over the cap  12 tokens  x");
});

test("a trace goes from ROOT to the raw lines and shows if they are gone or moved", () => {
  const text = rendered("tree.trace");
  expect(text.startsWith("memory/ROOT.md:12\n  - 支払い")).toBe(true);
  expect(text).toContain("memory/monthly/2026-03.md:4-9\n  ## 支払い\n  b\n  c\n  … and 1 more");
  expect(text).toContain(
    "memory/2026-03-05.md:3  sha256 abababababababab…\n  kept in memory/archive/2026-03-05.full.md:3\n  - token bucket",
  );
  expect(text).toContain("memory/2026-03-06.md:1-2  (the log no longer exists)\n\n");
  expect(text).not.toContain("approximate");
  const raw = trace.raw.map((lines) => ({ ...lines, approximate: true as const }));
  expect(rendered("tree.trace", PIPE, { ...trace, raw })).toContain(
    "memory/2026-03-05.md:3  (approximate match)  sha256 abababababababab…\n",
  );
  expect(text).toContain("memory/2026-03-07-old.md:8-9  (moved here since)  sha256 cdcdcdcdcdcdcdcd…\n  - b");
});

test("doctor ends with the right verdict", () => {
  const of = (name: string, state: string): object => ({
    ...(RESULTS["memory.doctor"] as object),
    ok: state !== "problem",
    checks: [{ name, state, message: "m", fix: null }],
  });
  const lastOf = (result: object): string | undefined => rendered("memory.doctor", PIPE, result).split("\n").at(-1);
  expect(lastOf(of("disk", "ok"))).toBe("No problems found.");
  expect(lastOf(of("time zone", "note"))).toBe("No problems found.");
  expect(lastOf(of("raw logs", "note"))).toBe("There are warnings; see above.");
  expect(lastOf(of("hooks", "note"))).toBe("No problems, but hooks reported errors; see above.");
  expect(lastOf(of("disk", "problem"))).toBe("There are problems; see above.");
});

test("doctor --cost shows a table after the verdict", () => {
  const parts = { tools: 185, instructions: 45, skills: 109, block: 109, total: 448 };
  const costs = [
    { client: "claude-code", way: "tool search on", ...parts },
    { client: "copilot", way: null, ...parts, instructions: 0 },
  ];
  const text = rendered("memory.doctor", PIPE, { ...(RESULTS["memory.doctor"] as object), costs });
  expect(text.split("\n").slice(-4)).toEqual([
    "Tokens added to every request",
    "  client                        tools  instructions  skills  section  total",
    "  claude-code (tool search on)  185    45            109     109      448",
    "  copilot                       185    0             109     109      448",
  ]);
});

test("findings and checks show place, code and fix", () => {
  expect(rendered("tree.verify")).toContain("  warning  memory/x.md:3  late_source  came late");
  expect(rendered("memory.doctor")).toContain("  problem  lock  stale → remove it");
});

test("capture shows the first and last log of a session, and counts courtesy turns separately from rows", () => {
  const text = rendered("capture.run");
  expect(text).toContain("  2026-03-10 … 2026-03-14  ");
  expect(text).toContain("Left out: 1,200 tool, 1 injected, 2 courtesy turns");
});
